"""`twinflow profile script.py`: run a script, and say where its time went."""

import sys
from collections.abc import Callable

from twinflow.base.annotations import Path
from twinflow.cli import run
from twinflow.profiling.taking import profile


def main(
    argv: list[str],
    html: Path | None = None,
    trace: Path | None = None,
    json_file: Path | None = None,
) -> int:
    """Run `argv` as `twinflow run` does; the report goes to the standard error.

    Returns:
        The exit status of the run.
    """
    wanted = {"save": html, "chrome_trace": trace, "save_json": json_file}
    files = {write: file for write, file in wanted.items() if file is not None}
    return measured(lambda: run.main(argv), files)


def measured(work: Callable[[], int], files: dict[str, Path] | None = None) -> int:
    """Do it; the report is there also where it fails or is interrupted."""
    taken = profile()
    try:
        with taken:
            return work()
    finally:
        _tell(taken, files or {})


def _tell(taken: profile, files: dict[str, Path]) -> None:
    if not taken.seconds:
        return
    sys.stdout.flush()
    print(taken.report(), file=sys.stderr)
    for write, file in files.items():
        getattr(taken, write)(file)
        print(f"wrote {file}", file=sys.stderr)
