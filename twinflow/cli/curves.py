"""Curves in the terminal: two columns and four rows of dots a character (braille)."""

import math
import shutil

import numpy as np

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_LEFT = 11  # of the numbers at the side


def drawn(
    title: str, points: list[tuple[int, float]], width: int | None, height: int
) -> list[str]:
    """The lines of a picture.

    Args:
        points: (step, value); a value that is not finite leaves a gap.
        width: in characters; None: the terminal's. height: in lines.
    """
    width = width or max(shutil.get_terminal_size().columns - _LEFT - 2, 20)
    good = [(x, y) for x, y in points if math.isfinite(y)]
    odd = f", {len(points) - len(good)} not finite" if len(good) < len(points) else ""
    lines = [f"{title} ({len(points)} values{odd})"]
    if not good:
        return lines
    xs, ys = (np.array(part, float) for part in zip(*sorted(good)))
    cells = _cells(xs, ys, width, height)
    for i, row in enumerate(cells):
        side = ys.max() if i == 0 else ys.min() if i == height - 1 else None
        text = "" if side is None else f"{side:.4g}"
        lines.append(f"{text:>{_LEFT}} │{''.join(map(chr, 0x2800 + row))}".rstrip("⠀"))
    first, last = f"{xs.min():.0f}", f"{xs.max():.0f}"
    lines.append(" " * _LEFT + " └" + "─" * width)
    lines.append(" " * (_LEFT + 2) + first + last.rjust(width - len(first)))
    return lines


def _cells(xs, ys, width, height):
    """The dots of each character, as numbers: int[height, width]."""
    columns, rows = width * 2, height * 4
    at = _scaled(xs, columns)
    down = rows - 1 - _scaled(ys, rows)
    cells = np.zeros((height, width), int)
    for x, y, before in zip(at, down, [down[0], *down[:-1]]):
        for dot in range(min(y, before), max(y, before) + 1):  # a step is a line
            cells[dot // 4, x // 2] |= _DOTS[dot % 4][x % 2]
    return cells


def _scaled(values, count):
    """Where values lie between their least and largest, of 0 to count - 1."""
    span = values.max() - values.min()
    if not span:
        return np.full(len(values), (count - 1) // 2)
    return np.round((values - values.min()) / span * (count - 1)).astype(int)
