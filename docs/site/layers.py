"""A picture of the packages in their order, drawn from the table of layout.md."""

import html
import re
from pathlib import Path

from pages import put

_ROW = re.compile(r"^\| (\d+) \| (\w+) \| (.*) \|$", re.MULTILINE)
_WIDTH, _BOX, _GAP, _LINE = 860, 108, 8, 26


def rows(layout: str) -> dict:
    """{number: [(package, what it holds)]} of the first table."""
    found: dict = {}
    table = layout.split("## The order of ops")[0]
    for number, package, text in _ROW.findall(table):
        found.setdefault(int(number), []).append((package, text))
    return found


def picture(layout: str) -> str:
    """An SVG: the lowest number at the bottom, each package a box with its words."""
    parts, y = [], 4
    each = (_WIDTH - 30) // (_BOX + _GAP)
    for number, packages in sorted(rows(layout).items(), reverse=True):
        parts.append(f'<text x="4" y="{y + 17}">{number}</text>')
        for i, (package, text) in enumerate(packages):
            if i and i % each == 0:
                y += _LINE + _GAP
            x = 30 + i % each * (_BOX + _GAP)
            parts.append(
                f'<g><title>{html.escape(text)}</title><rect x="{x}" y="{y}" '
                f'width="{_BOX}" height="{_LINE}"/><text x="{x + _BOX / 2}" '
                f'y="{y + 17}" text-anchor="middle">{package}</text></g>'
            )
        y += _LINE + 2 * _GAP
    return (
        f'<svg class="layers" viewBox="0 0 {_WIDTH} {y}" role="img" '
        f'aria-label="packages in order">{"".join(parts)}</svg>'
    )


def write(folder: Path) -> list[Path]:
    """Write the picture that `inside/architecture.md` includes."""
    made = picture((folder / "layout.md").read_text())
    return [put(folder / "generated" / "layers.html", made)]
