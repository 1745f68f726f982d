"""The checklist of a release: `python tools/release.py 0.2.0`.

It looks, and changes nothing: each line says what holds and what is still to be done.
The exit status is 1 until everything holds. Then tag the commit: `git tag v0.2.0`.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_UNRELEASED = r"^## \[Unreleased\]\n(.*?)(?=^## |\Z)"


def checks(version: str) -> dict[str, bool]:
    """{what has to hold: whether it does} for a version such as "0.2.0"."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    changes = (ROOT / "CHANGELOG.md").read_text()
    unreleased = re.search(_UNRELEASED, changes, re.M | re.S)
    return {
        f"pyproject.toml says {version}": project["version"] == version,
        f"CHANGELOG.md has a section [{version}] with a date": bool(
            re.search(
                rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changes, re.M
            )
        ),
        "nothing is left in its section [Unreleased]": bool(
            unreleased and not unreleased[1].strip()
        ),
        "the tree is clean": _git("status", "--porcelain") == "",
        "the branch is main": _git("branch", "--show-current") == "main",
        f"there is no tag v{version} yet": f"v{version}" not in _git("tag").split(),
    }


def _git(*arguments: str) -> str:
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


BY_HAND = [
    "make lint, make test, make test-native, make interop, make sanitize: green",
    "make docs: no warning; ten pages looked at",
    "make bench: docs/benchmarks.md is of this release",
    "the wheels of the workflow installed from nothing, with tools/check_wheel.py",
]


def main(arguments: list[str]) -> int:
    """Print the list; 1 if something does not hold, 2 if no version was given."""
    if len(arguments) != 1 or not re.fullmatch(r"\d+\.\d+\.\d+", arguments[0]):
        print(__doc__, file=sys.stderr)
        return 2
    found = checks(arguments[0])
    for what, holds in found.items():
        print(f"[{'x' if holds else ' '}] {what}")
    for what in BY_HAND:
        print(f"[?] {what}")
    return int(not all(found.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
