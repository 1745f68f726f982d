"""`twinflow profile script.py`: run a script, and say where its time went."""

import sys

from twinflow.base.annotations import Path
from twinflow.cli import run
from twinflow.profiling.taking import profile

_FILES = {"--html": "save", "--trace": "chrome_trace", "--json": "save_json"}


def main(argv: list[str]) -> int:
    """Run `[--html FILE] [--trace FILE] [--json FILE] [options] script.py [arguments]`.

    The report goes to the standard error, and is there also where the script fails or
    is interrupted.

    Returns:
        The exit status of the run; 2 for a command line that cannot be read.
    """
    files, rest, wrong = _taken(list(argv))
    if wrong:
        print(f"twinflow profile: {wrong}", file=sys.stderr)
        return 2
    taken = profile()
    try:
        with taken:
            return run.main(rest)
    finally:
        _tell(taken, files)


def _taken(rest: list[str]) -> tuple[dict[str, Path], list[str], str]:
    """(the files by what writes them, the command of `run`, what is wrong)"""
    files: dict = {}
    while rest and rest[0].partition("=")[0] in _FILES:
        option, equals, value = rest.pop(0).partition("=")
        if not equals and not rest:
            return files, rest, f"{option} needs a file"
        files[_FILES[option]] = value if equals else rest.pop(0)
    if "--" in rest[:2]:
        rest.remove("--")
    return files, rest, "" if rest else "which script?"


def _tell(taken: profile, files: dict[str, Path]) -> None:
    if not taken.seconds:
        return
    sys.stdout.flush()
    print(taken.report(), file=sys.stderr)
    for write, file in files.items():
        getattr(taken, write)(file)
        print(f"wrote {file}", file=sys.stderr)
