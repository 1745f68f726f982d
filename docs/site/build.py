"""Builds the site of the documents: `python docs/site/build.py`, or `make docs`.

The pages of docs/ are copied into build/site/source, and what nobody writes by hand is
written beside them: the reference (reference.py), pictures (layers.py), counts
(counts.py) and the pages of the examples (programs.py). Then Sphinx makes
build/site/html of it; every warning is an error, so are links to pages or headings that
are not there. Arguments are handed on to Sphinx.
"""

import os
import re
import shutil
import sys
from pathlib import Path

from pages import MADE, ROOT, SOURCE, put  # first: it makes tests.support importable

# isort: split
import counts
import layers
import programs
import reference
from sphinx.cmd.build import main as sphinx

HERE = Path(__file__).resolve().parent

_OUTWARDS = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+)([^)#]*)(#[^)]*)?\)")


def main(arguments: list[str]) -> int:
    """Build it; 0 if nothing was wrong."""
    tree = SOURCE / "index.md"  # what stands beside every page
    before = tree.read_text() if tree.exists() else ""
    kept = copied()
    kept |= set(layers.write(SOURCE)) | set(counts.write(SOURCE))
    kept |= set(reference.write(SOURCE / "reference"))
    kept |= set(programs.write(SOURCE / "examples"))
    for path in SOURCE.rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()
    strict = ["-W", "--keep-going", "-n", "-q", "-b", "html"]
    strict += [] if tree.read_text() == before else ["-a"]
    return sphinx([*strict, "-c", str(HERE), *arguments, str(SOURCE), str(MADE)])


def copied() -> set[Path]:
    """Copy the pages and pictures; links that leave docs/ become names of files."""
    found = set()
    for path in sorted((ROOT / "docs").rglob("*")):
        place = SOURCE / path.relative_to(ROOT / "docs")
        if HERE in path.parents or not path.is_file():
            continue
        found.add(place)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            put(place, inward(path.read_text(), path))
        elif not place.exists() or os.stat(place).st_mtime < os.stat(path).st_mtime:
            shutil.copyfile(path, place)
    return found


def inward(markdown: str, path: Path) -> str:
    """A page whose links to files of the checkout are their names."""

    def plain(match):
        text, up, rest, _ = match.groups()
        target = (path.parent / up / rest).resolve()
        if (ROOT / "docs") in target.parents:
            return match[0]  # Sphinx looks whether it is there
        if not target.exists():
            raise FileNotFoundError(f"{path}: no such file: {up}{rest}")
        name = target.relative_to(ROOT).as_posix()
        return text if name in text else f"{text} (`{name}`)"

    return _OUTWARDS.sub(plain, markdown)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
