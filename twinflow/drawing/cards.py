"""Cards: a title, tables and folded parts, as HTML.

Note [Cards]: names and values come from files and programs, so `Markup` is what may go
into a page, and every other text is escaped where it meets one. There are no scripts,
no addresses and no classes; colors are those of the text around, made faint, so that a
light and a dark notebook can both be read. A card never runs, draws or takes anything:
what would have to be run is left out.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

_MOST_LETTERS = 200  # of one text in a table
_FAINT = "rgba(128,128,128,.35)"
_CELL = (
    "text-align:{side};padding:1px 10px 1px 4px;white-space:pre-wrap;"
    f"border-bottom:1px solid {_FAINT};color:inherit;background:none"
)
_CARD = (
    "font-size:13px;line-height:1.4;color:inherit;overflow-x:auto;max-width:100%;"
    f"border-left:3px solid {_FAINT};padding:2px 0 2px 8px;margin:2px 0"
)
_MONO = "font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(value: Any, most: int = _MOST_LETTERS) -> Markup:
    """A value as HTML: escaped, without control characters, and not too long."""
    if isinstance(value, Markup):
        return value
    shown = str(value)
    if len(shown) > most:
        shown = shown[: most - 1] + "…"
    shown = "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in shown)
    return Markup(escape(shown))


def card(title: Any, *parts: Any) -> Markup:
    """A title in the letters of code, and what stands below it; "" is left out."""
    head = f'<div style="{_MONO};font-weight:600">{text(title)}</div>' if title else ""
    inside = "".join(part if isinstance(part, Markup) else line(part)
                     for part in parts if part)  # fmt: skip
    return Markup(f'<div style="{_CARD}">{head}{inside}</div>')


def line(*words: Any) -> Markup:
    """Words in a line of their own."""
    return Markup(f"<div>{''.join(map(text, words))}</div>")


def code(value: Any, most: int = 4000) -> Markup:
    """A text as it is written, in the letters of code."""
    look = f"{_MONO};font-size:12px;margin:2px 0;color:inherit;background:none"
    return Markup(f'<pre style="{look}">{text(value, most)}</pre>')


def table(
    rows: Iterable[Sequence[Any]], head: Sequence[str] = (),
    numbers: Iterable[int] = (), most: int = 100, total: int | None = None,
) -> Markup:  # fmt: skip
    """Rows of cells, in a table.

    Args:
        rows: of which no more than `most` are taken. head: the names of the columns.
        numbers: the columns that are set to the right.
        total: how many rows there are, to say how many are left out.
    """
    right = frozenset(numbers)
    every, lines = list(rows), []
    if head:
        lines.append("".join(_cell(c, i in right, "th") for i, c in enumerate(head)))
    for row in every[:most]:
        lines.append("".join(_cell(c, i in right, "td") for i, c in enumerate(row)))
    look = "border-collapse:collapse;border:none;margin:3px 0;font-size:12px"
    look += ";color:inherit"  # of a page without a doctype too
    body = "".join(f'<tr style="background:none">{cells}</tr>' for cells in lines)
    left = (len(every) if total is None else total) - min(len(every), most)
    more = line(f"… and {left:,} more") if left > 0 else ""
    return Markup(f'<table style="{look}">{body}</table>{more}')


def _cell(value: Any, right: bool, kind: str) -> str:
    look = _CELL.format(side="right" if right else "left")
    if kind == "th":
        look += ";font-weight:600"
    return f'<{kind} style="{look}">{text(value)}</{kind}>'


def folded(title: Any, *parts: Markup, shown: bool = False) -> Markup:
    """Parts behind a title that opens them; "" where there are none."""
    inside = "".join(parts)
    if not inside:
        return Markup("")
    start = "<details open>" if shown else "<details>"
    look = "cursor:pointer;opacity:.85"
    return Markup(
        f'{start}<summary style="{look}">{text(title)}</summary>{inside}</details>'
    )


def beside(*parts: Markup) -> Markup:
    """Parts next to each other where there is room."""
    look = "display:inline-block;vertical-align:top;margin:2px 18px 2px 0"
    return Markup("".join(f'<div style="{look}">{p}</div>' for p in parts if p))


def shape_text(shape: Any) -> str:
    """A shape as `[?, 3]`; `?` where it is not known."""
    found = getattr(shape, "tuple", shape)
    if found is None:
        return "?"
    return "[" + ", ".join("?" if n is None else str(n) for n in found) + "]"


def size_text(count: float) -> str:
    """A number of bytes, as people say it."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.3g} {unit}"
        count /= 1000
    return ""
