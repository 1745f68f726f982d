"""Prints the oldest versions that pyproject.toml allows, as constraints for pip."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_LOWER = re.compile(r"([\w-]+)(?:\[[\w,]+\])?>=([\d.]+)")


def constraints() -> list[str]:
    """`name==version` for each dependency with a lower bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = map(_LOWER.match, project["dependencies"])
    return [f"{m[1]}=={m[2]}" for m in found if m]


if __name__ == "__main__":
    print("\n".join(constraints()))
