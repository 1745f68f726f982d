"""The files of the checkout and the order of its packages, for the tests of habits."""

import subprocess
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOP = "twinflow"
HIDDEN = {"__pycache__", "build", "dist"}


@dataclass(frozen=True)
class Layout:
    """The tables of docs/layout.md.

    Args:
        numbers: package name -> its level; `twinflow` stands for the public indexes.
        allowed: {(importer, imported package, "function" or "module")}; an importer
            is a package, or a module as `base/devices`.
        families: family of ops -> its level. beside: the folders beside the package.
    """

    numbers: dict[str, int]
    allowed: frozenset[tuple[str, str, str]] = field(default_factory=frozenset)
    families: dict[str, int] = field(default_factory=dict)
    beside: frozenset[str] = frozenset()


def table(markdown, *header):
    """The rows of the Markdown table with this header, each a list of cells."""
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|")
        else None
        for line in markdown.splitlines()
    ]
    first = lines.index(list(header)) + 2  # below the header and its line of dashes
    return list(takewhile(bool, lines[first:]))


def read_layout():
    """The layout as docs/layout.md states it."""
    markdown = (ROOT / "docs/layout.md").read_text()
    order = table(markdown, "number", "package", "what it holds")
    families = table(markdown, "number", "family", "what it holds")
    exceptions = table(markdown, "importer", "imports", "where", "why")
    beside = table(markdown, "folder", "what it holds")
    return Layout(
        numbers={package: int(number) for number, package, _ in order},
        allowed=frozenset((who, what, where) for who, what, where, _ in exceptions),
        families={family: int(number) for number, family, _ in families},
        beside=frozenset(folder for folder, _ in beside),
    )


def project_files(*folders):
    """Relative paths of the files in these folders that git does not ignore."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z", "--", *folders]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0:
        found = [Path(name) for name in listed.stdout.split("\0") if name]
    else:  # an unpacked source distribution
        found = [
            path.relative_to(ROOT)
            for folder in folders
            for path in (ROOT / folder).rglob("*")
            if not any(map(_is_hidden, path.relative_to(ROOT).parts))
        ]
    return sorted(path for path in set(found) if (ROOT / path).is_file())


def _is_hidden(part):
    return part in HIDDEN or part.startswith(".")


def python_files(*folders):
    """The Python files among `project_files`."""
    return [path for path in project_files(*folders) if path.suffix == ".py"]


def package_of(path):
    """The package of a file: `base` for twinflow/base/dtypes.py, or a top folder."""
    parts = Path(path).parts
    return parts[1] if parts[0] == TOP and len(parts) > 2 else parts[0]
