"""What can be counted, as pages say it: made anew with each build of the site."""

import re
from pathlib import Path

from pages import ROOT, put

from tests.support import coverage


def write(folder: Path) -> list[Path]:
    """Write `generated/counts.md`, which the pages about trust include."""
    text = "| what | count |\n|---|---:|\n"
    text += (
        f"| public names, members and ops of TensorFlow 1.12 | {coverage_line()} |\n"
    )
    text += "".join(f"| {what} | {count:,} |\n" for what, count in counts().items())
    return [put(folder / "generated" / "counts.md", text)]


def counts() -> dict[str, int]:
    """How many there are of what."""
    return {
        "ops": ops(),
        "functions that are tests": _lines(r"^\s*def test_", "tests/**/*.py"),
        "programs with the numbers of TensorFlow 1.12": golden(),
        "lines of the package": _lines(r"^.*\S", "twinflow/**/*.py"),
        "lines of C": _lines(r"^.*\S", "native/*.[ch]"),
    }


def ops() -> int:
    """How many ops are registered."""
    return len(coverage.registry)


def golden() -> int:
    """The programs and scripts whose numbers a TensorFlow 1.12 made."""
    folder = ROOT / "tests" / "golden"
    return len([*folder.glob("programs/*.py"), *folder.glob("scripts/**/*.py")])


def coverage_line() -> str:
    """What `make coverage` ends with."""
    *_, last = coverage.Report().lines(False)
    return last.removesuffix(" names, members and ops are there.")


def _lines(pattern: str, files: str) -> int:
    wanted = re.compile(pattern, re.MULTILINE)
    return sum(len(wanted.findall(p.read_text())) for p in ROOT.glob(files))
