"""Heat maps, histograms and curves as SVG, in the color of the text around them."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from twinflow.base.annotations import Array
from twinflow.drawing.cards import Markup, text

_ABOVE, _BELOW, _WRONG = "#2f81d8", "#d9822b", "#d1242f"  # are read on light and dark
_LINES = (_ABOVE, _BELOW, "#2da44e", "#a475f9", "#bf3989", "#848d97")
_SHADES = 8  # of a heat map, for each sign
_CELLS = 40  # rows or columns of a heat map, at the most
_SIDE = 200  # pixels of its longer side, about
_BINS = 30
_MOST_POINTS = 200  # of one curve
_FONT = "font-family='system-ui,sans-serif' font-size='10' fill='currentColor'"


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> Markup:
    return Markup(
        f"<svg xmlns='http://www.w3.org/2000/svg' role='img' width='{width:.0f}' "
        f"height='{height:.0f}' viewBox='0 0 {width:.0f} {height:.0f}' {_FONT}>"
        f"<title>{text(title)}</title>{''.join(parts)}</svg>"
    )


def _label(x: float, y: float, value: Any, anchor: str = "start") -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' "
        f"fill-opacity='.8'>{text(value, 40)}</text>"
    )


def number_text(value: float) -> str:
    """A number in a few letters."""
    return f"{value:.4g}"


# ------------------------------------------------------------------ heat maps
def heat_map(values: Array) -> Markup:
    """A matrix: blue above 0, orange below, the stronger the further away; NaN is red.

    Args:
        values: float[rows, columns]. What is larger than the picture is averaged.
    """
    found = _fewer(np.asarray(values, np.float64))
    rows, columns = found.shape
    side = max(1.0, min(12.0, _SIDE / max(rows, columns)))
    bad = ~np.isfinite(found)
    clean = np.where(bad, 0.0, found)
    most = float(np.max(np.abs(clean), initial=0.0)) or 1.0
    shade = np.ceil(np.abs(clean) / most * _SHADES).astype(int) * np.sign(clean)
    parts = []
    for level in range(1, _SHADES + 1):
        for sign, color in ((1, _ABOVE), (-1, _BELOW)):
            look = f"fill='{color}' fill-opacity='{level / _SHADES:.2f}'"
            parts.append(_runs((shade == sign * level) & ~bad, side, look))
    parts.append(_runs(bad, side, f"fill='{_WRONG}'"))
    width, height = columns * side, rows * side
    parts.append(
        f"<rect x='0' y='0' width='{width:.1f}' height='{height:.1f}' fill='none' "
        "stroke='currentColor' stroke-opacity='.4'/>"
    )
    legend = _legend(most, bool((clean < 0).any()), bool(bad.any()), height)
    return _svg(max(width, 190), height + 18, "heat map", [*parts, *legend])


def _legend(most: float, signed: bool, bad: bool, height: float) -> list[str]:
    marks = [(_ABOVE, number_text(most))]
    marks += [(_BELOW, number_text(-most))] * signed + [(_WRONG, "not finite")] * bad
    found, x = [], 1.0
    for color, name in marks:
        found.append(f"<rect x='{x}' y='{height + 6:.1f}' width='8' height='8' "
                     f"fill='{color}'/>")  # fmt: skip
        found.append(_label(x + 11, height + 14, name))
        x += 62
    return found


def _runs(wanted: Array, side: float, look: str) -> str:
    """One path with the cells that are wanted; neighbours of a row are one piece."""
    steps = np.diff(np.pad(wanted, [(0, 0), (1, 1)]).astype(np.int8), axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    pieces = [f"M{a},{r}h{b - a}v1h{a - b}z" for r, a, b in zip(rows, starts, ends)]
    scale = f"transform='scale({side:.4g})'"
    return f"<path {look} {scale} d='{''.join(pieces)}'/>" if pieces else ""


def _fewer(values: Array) -> Array:
    """A matrix with as many cells as can be seen; each the mean of what it covers."""
    for axis in (0, 1):
        size = values.shape[axis]
        if size > _CELLS:
            edges = np.linspace(0, size, _CELLS, endpoint=False).astype(int)
            counts = np.diff(np.append(edges, size))
            with np.errstate(all="ignore"):
                sums = np.add.reduceat(values, edges, axis)
                values = sums / (counts[:, None] if axis == 0 else counts)
    return values


# ------------------------------------------------------------------ histograms
def histogram(values: Array) -> Markup:
    """How often values occur.

    Args:
        values: float[n], all finite.
    """
    values = np.asarray(values, np.float64).ravel()
    if not values.size:
        return Markup("")
    low, high = float(values.min()), float(values.max())
    with np.errstate(all="ignore"):
        width = high - low
    if not math.isfinite(width):  # beyond what floats hold
        values, width = values / 4, high / 4 - low / 4
    counts, _ = np.histogram(values, _BINS) if width else (np.array([values.size]), 0)
    most, step = counts.max(), 210 / len(counts)
    bars = "".join(
        f"M{i * step:.1f},70v{-64 * n / most:.1f}h{step - 1:.1f}V70z"
        for i, n in enumerate(counts) if n
    )  # fmt: skip
    parts = [
        f"<path d='{bars}' fill='{_ABOVE}' fill-opacity='.8'/>",
        "<path d='M0,70.5H210' stroke='currentColor' stroke-opacity='.5'/>",
        _label(0, 83, number_text(low)), _label(210, 83, number_text(high), "end"),
    ]  # fmt: skip
    return _svg(212, 88, "histogram", parts)


# ------------------------------------------------------------------ curves
def curves(title: str, lines: Mapping[str, Sequence[float]]) -> Markup:
    """Lines over the steps 1, 2, ...; points that are not finite are left out.

    Args:
        title: what stands above. lines: at least one line that is not empty.
    """
    points = {name: _points(values) for name, values in lines.items()}
    every = [p for line in points.values() for p in line]
    if not every:
        return Markup("")
    most_x = max(max(x for x, _ in every), 2)
    low, high = min(y for _, y in every), max(y for _, y in every)
    span = high - low or abs(high) or 1.0
    low = low if high > low else low - span / 2
    place = lambda x, y: (46 + 200 * (x - 1) / (most_x - 1), 98 - 78 * (y - low) / span)
    parts = [
        "<path d='M46,20V98.5H246' fill='none' stroke='currentColor' "
        "stroke-opacity='.5'/>",
        _label(46, 12, title), _label(43, 24, number_text(low + span), "end"),
        _label(43, 100, number_text(low), "end"), _label(46, 110, 1),
        _label(246, 110, most_x, "end"),
    ]  # fmt: skip
    for i, (name, line) in enumerate(points.items()):
        color = _LINES[i % len(_LINES)]
        parts += _curve([place(x, y) for x, y in line], color)
        parts.append(f"<rect x='{46 + i * 100}' y='116' width='8' height='8' "
                     f"fill='{color}'/>")  # fmt: skip
        parts.append(_label(58 + i * 100, 124, name[:16]))
    return _svg(max(250, 46 + 100 * len(points)), 130, title, parts)


def _points(values: Sequence[float]) -> list[tuple[int, float]]:
    """(step, value) of those that are finite, no more than can be seen."""
    found = []
    for i, value in enumerate(values):
        try:
            number = float(value)
        except (TypeError, ValueError):
            continue
        if math.isfinite(number):
            found.append((i + 1, number))
    every = max(1, math.ceil(len(found) / _MOST_POINTS))
    return found[::every] + (found[-1:] if every > 1 else [])


def _curve(places: list, color: str) -> list[str]:
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    marks = "".join(
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='1.8' fill='{color}'/>"
        for x, y in places[: 25 if len(places) <= 25 else 0]
    )
    return [f"<polyline points='{corners}' fill='none' stroke='{escape(color)}' "
            f"stroke-width='1.6'/>{marks}"]  # fmt: skip
