"""Writes the .pyi files of the public indexes: `python -m tests.support.stubs`.

The indexes load names at their first use, which editors and type checkers cannot see;
the stub beside each says where every name lives. With --check nothing is written, and
the exit status says whether the stubs are up to date.
"""

import pkgutil
import sys
from pathlib import Path

import twinflow

_WRITTEN = "# Made by `make stubs` from the table of the index.\n"


def indexes():
    """Every module of the package that is a public index, by name."""
    root = Path(twinflow.__file__).parent
    found = {}
    for path in sorted(root.rglob("*.py")):
        if "__all__ = attach(" in path.read_text() and path.name != "stubs.py":
            parts = path.relative_to(root).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            name = ".".join(("twinflow", *parts))
            found[name] = pkgutil.resolve_name(name)
    return found


def stub(module):
    """The text of the stub of an index."""
    lines = []
    for name, (home, attribute) in module.__getattr__.table.items():
        if attribute == "*":
            package, _, last = home.rpartition(".")
            lines.append(f"from {package} import {last} as {name}")
        else:
            lines.append(f"from {home} import {attribute} as {name}")
    if module is twinflow:
        lines.append("\n__version__: str")
    return _WRITTEN + "\n".join(lines) + "\n"


def path_of(module):
    """Where the stub of an index lies."""
    return Path(module.__file__).with_suffix(".pyi")


def main(check):
    stale = []
    for name, module in indexes().items():
        path, text = path_of(module), stub(module)
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not check:
            path.write_text(text)
    print(f"{len(stale)} stubs {'are out of date' if check else 'written'}:", *stale)
    return bool(check and stale)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
