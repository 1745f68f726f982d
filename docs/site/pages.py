"""Where the pages of the site are made, and how they are put there."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # for what tests.support knows of the public names
    sys.path.insert(0, str(ROOT))
SOURCE, MADE = ROOT / "build" / "site" / "source", ROOT / "build" / "site" / "html"


def put(path: Path, text: str) -> Path:
    """Write a page if it has changed: Sphinx builds only those again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    return path
