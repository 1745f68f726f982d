"""How values are printed: as by NumPy 1.14 to 1.26, whatever NumPy is there.

NumPy 2 writes scalars as np.float32(4.0), large ones as 1e+10, and adds shape= to
arrays that it shortens; programs and their tests know the older forms.
"""

from typing import Any

import numpy as np

from twinflow.base.annotations import Array

_DEFAULTS = tuple(map(np.dtype, (np.int64, np.float64, bool, np.complex128)))


def scalar_text(value: Any) -> str:
    """A NumPy scalar as `str` wrote it; bytes as `repr`."""
    if isinstance(value, np.float16 | np.float32) and np.isfinite(value):
        size = abs(float(value))
        if size == 0 or 1e-4 <= size < 1e16:
            return np.format_float_positional(value, unique=True, trim="0")
        return np.format_float_scientific(value, unique=True, trim="-", exp_digits=2)
    return str(value)


def array_repr(a: Array) -> str:
    """An array as `repr` wrote it."""
    if a.size <= np.get_printoptions()["threshold"]:
        return repr(a)
    body = np.array2string(a, separator=", ", prefix="array(")
    if a.dtype in _DEFAULTS:
        return f"array({body})"
    last = len(f"array({body},".rpartition("\n")[2])
    end = f"dtype={a.dtype.name})"
    if last + 1 + len(end) > np.get_printoptions()["linewidth"]:
        return f"array({body},\n      {end}"
    return f"array({body}, {end}"
