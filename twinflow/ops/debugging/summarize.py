"""The first values of an array as text, as tf.Assert, tf.Print and tf.print show them.

Floats have 6 digits (float64: 15) if these say it all, else 9 (17). Strings are
escaped, so that what comes out is ASCII.
"""

import numpy as np

_NAMED = {c: f"\\{n}" for c, n in zip(b"\n\r\t\"'\\", "nrt\"'\\")}
_ESCAPES = [
    _NAMED.get(c) or (chr(c) if 32 <= c < 127 else f"\\{c:03o}") for c in range(256)
]


def summarize(array, limit, by_ends=False):
    """The values of `array` as text.

    Args:
        array: an ndarray or NumPy scalar.
        limit: how many values to show; negative = all.
        by_ends: show `limit` values at both ends of each axis, on lines, as tf.print.
    Returns:
        A str: `1 2 3...` or `[1 2 3 ... 7 8 9]`.
    """
    array = np.asarray(array)
    some = array.size if limit < 0 else min(limit, array.size)
    more = "..." if array.size > some else ""
    if array.dtype.kind in "OcV":
        text = " ".join(element(x) for x in array.ravel()[:some]) + more
        return f"[{text}]" if by_ends else text
    if by_ends and array.ndim:
        return _ends(array, some, 0)
    return _first(array, [some], 0) + more


def _first(array, left, depth):
    """The first ``left[0]`` values, which are taken off it; rows in brackets."""
    if array.ndim < 2:
        row = array.reshape(-1)
        shown = row[: left[0]]
        left[0] -= len(shown)
        cut = "..." if depth and len(shown) < len(row) else ""
        return " ".join(map(element, shown)) + cut
    out = ""
    for row in array:
        if not left[0]:
            break
        out += f"[{_first(row, left, depth + 1)}]"
    return out


def _ends(array, count, depth):
    """`count` entries at both ends of the first axis, and so on."""
    if array.ndim == 0:
        return element(array[()])
    inner = array.ndim - 1
    gap = "\n" * inner + " " * (depth + 1) if inner else " "
    n = len(array)
    parts = [_ends(array[i], count, depth + 1) for i in range(min(count, n))]
    text = gap.join(parts)
    if n > 2 * count:
        text += gap + "..."
    for i in range(max(count, n - count), n):
        text += gap + _ends(array[i], count, depth + 1)
    return f"[{text}]"


def element(value):
    """One value as text."""
    if isinstance(value, bytes):
        return "".join(_ESCAPES[c] for c in value)
    kind = np.asarray(value).dtype.kind
    if kind in "biu":
        return str(int(value))
    if kind == "c" or np.asarray(value).dtype.names:
        return "?"
    return _float(value)


def _float(value):
    """As C prints it with %g, with few digits if they are enough to read it back."""
    double = isinstance(value, np.float64)
    kind, few, many = (np.float64, 15, 17) if double else (np.float32, 6, 9)
    number = float(value)
    text = f"{number:.{few}g}"
    same = number != number or kind(text) == kind(number)
    return text if same else f"{number:.{many}g}"
