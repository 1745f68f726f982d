"""Where the pages of the site are made, and how they are put there."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE, MADE = ROOT / "build" / "site" / "source", ROOT / "build" / "site" / "html"


def put(path: Path, text: str) -> Path:
    """Write a page if it has changed: Sphinx builds only those again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    return path
