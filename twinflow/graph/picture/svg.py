"""A drawing that is laid out, as SVG."""

from collections.abc import Iterator
from html import escape

from twinflow.graph.picture.drawing import Box, Drawing, Line
from twinflow.graph.picture.layout import ROW

# kind: (fill, border, radius of the corners, dashed)
LOOKS = {
    "op": ("#eef3fb", "#7d9bc4", 4, False),
    "lines": ("#eef3fb", "#7d9bc4", 4, False),
    "layer": ("#eef3fb", "#7d9bc4", 4, False),
    "variable": ("#fdeccf", "#d29a3a", 11, False),
    "input": ("#e2f3e0", "#69a765", 11, False),
    "output": ("#f6e3ea", "#bb7490", 11, False),
    "constant": ("#f2f2f2", "#a8a8a8", 4, False),
    "scope": ("#f7f8fa", "#9aa4b2", 6, False),
    "call": ("#f1ecf9", "#9479c2", 6, False),
    "flow": ("#fbf6e8", "#bfa453", 6, False),
    "region": ("#fffdf6", "#bfa453", 6, True),
    "root": ("#ffffff", "none", 0, False),
}
PAPER = {"ink": "#111827", "small": "#6b7280", "name": "#4b5563", "beside": "#8a5a00"}
PAPER |= {"paper": "#ffffff", "fill": "1", "faint": "#d3d8e0"}
# In the color of the text around, on whatever is behind it; Note [Cards].
PLAIN = dict.fromkeys(PAPER, "currentColor") | {"paper": "none", "fill": ".1"}
PLAIN |= {"beside": "#b8860b", "faint": "rgba(128,128,128,.3)"}
_FONT = "font-family='DejaVu Sans,Verdana,Arial,sans-serif' font-size='11'"


def svg(drawing: Drawing, look: dict = PAPER) -> str:
    """The SVG of a drawing that has been laid out; `look` is PAPER or PLAIN."""
    root = drawing.root
    width, height = round(root.width), round(root.height)
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' "
        f"viewBox='0 0 {width} {height}' {_FONT}>",
        "<defs><marker id='tip' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' "
        "markerHeight='7' orient='auto'><path d='M0,1 L8,4 L0,7 z' fill='#6b7280'/>"
        "</marker></defs>",
        f"<rect width='{width}' height='{height}' fill='{look['paper']}'/>",
        f"<text x='12' y='20' fill='{look['ink']}' font-weight='bold'>"
        f"{escape(root.lines[0])}</text>",
    ]
    for box in root.boxes:
        parts += _box(box, look)
    texts: dict = {}
    for line in drawing.lines:
        if line.text and not line.faint:
            texts.setdefault(line.start, set()).add(line.text)
    for line in sorted(drawing.lines, key=lambda line: not line.faint):
        parts += _line(line, texts, look)
    for box in _leaves(root):
        parts += _leaf(box, look)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _leaves(box: Box) -> Iterator[Box]:
    for inner in box.boxes:
        if inner.boxes:
            yield from _leaves(inner)
        else:
            yield inner


def _box(box: Box, look: dict) -> Iterator[str]:
    """The containers, which lie below all lines."""
    if not box.boxes:
        return
    yield f"<g>{_title(box)}{_rect(box, look)}"
    yield (
        f"<text x='{box.x + 8:.0f}' y='{box.y + 15:.0f}' fill='{look['name']}'>"
        f"{escape(box.lines[0])}</text></g>"
    )
    for inner in box.boxes:
        yield from _box(inner, look)


def _leaf(box: Box, look: dict) -> Iterator[str]:
    middle = box.x + box.width / 2
    y = box.y + box.height / 2 - (len(box.lines) - 1) * ROW / 2 + 4
    texts = [
        f"<text x='{middle:.1f}' y='{y + i * ROW:.1f}' text-anchor='middle' "
        f"fill='{look['small' if i else 'ink']}'>{escape(text)}</text>"
        for i, text in enumerate(box.lines)
    ]
    yield f"<g>{_title(box)}{_rect(box, look)}{''.join(texts)}</g>"


def _title(box: Box) -> str:
    return f"<title>{escape(box.tip)}</title>" if box.tip else ""


def _rect(box: Box, look: dict) -> str:
    fill, border, radius, dashed = LOOKS[box.kind]
    fill = fill if look is PAPER else border
    folded = box.kind in ("scope", "flow", "call", "lines") and not box.boxes
    dash = " stroke-dasharray='4 3'" if dashed else ""
    width = 2 if folded else 1
    return (
        f"<rect x='{box.x:.1f}' y='{box.y:.1f}' width='{box.width:.1f}' "
        f"height='{box.height:.1f}' rx='{radius}' fill='{fill}' stroke='{border}' "
        f"fill-opacity='{look['fill']}' stroke-width='{width}'{dash}/>"
    )


def _line(line: Line, texts: dict, look: dict) -> Iterator[str]:
    """A line; its text stands once for all lines of its box with the same one.

    Args:
        texts: from boxes to the texts of their lines that are still to be written.
    """
    stroke = "stroke='#8a93a1'"
    if line.waits:
        stroke = "stroke-dasharray='2 3' stroke='#b6bcc6'"
    elif line.faint:
        stroke = f"stroke='{look['faint']}'"
    yield (
        f"<path d='{_curve(line.points)}' fill='none' {stroke} marker-end='url(#tip)'/>"
    )
    left = texts.get(line.start, set())
    if line.faint or line.text not in left:
        return
    (x0, y0), (x1, y1) = line.points[:2]
    x, y = x0 + (x1 - x0) * 0.2, y0 + min((y1 - y0) * 0.35, 14.0)
    if len(left) > 1:  # there are others: at its end
        (x0, y0), (x, y) = line.points[-2:]
        x, y = x + (x0 - x) * 0.15, y - 10
    left.discard(line.text)
    yield (
        f"<text x='{x + 4:.1f}' y='{y + 4:.1f}' fill='{look['beside']}' font-size='9' "
        f"stroke='{look['paper']}' stroke-width='2.5' paint-order='stroke'>"
        f"{escape(line.text)}</text>"
    )


def _curve(points: list) -> str:
    (x, y), *rest = points
    found = [f"M{x:.1f},{y:.1f}"]
    for x1, y1 in rest:
        half = (y + y1) / 2
        if abs(x1 - x) < 0.5:
            found.append(f"L{x1:.1f},{y1:.1f}")
        else:
            found.append(f"C{x:.1f},{half:.1f} {x1:.1f},{half:.1f} {x1:.1f},{y1:.1f}")
        x, y = x1, y1
    return " ".join(found)
