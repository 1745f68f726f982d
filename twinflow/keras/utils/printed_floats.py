"""Numbers that print as they did before NumPy 2: 0.5, not np.float64(0.5)."""

import numpy as np


class _Float64(np.float64):
    """A float64 that prints plainly."""

    def __repr__(self):
        return str(self)


class _Float32(np.float32):
    """A float32 that prints plainly."""

    def __repr__(self):
        return str(self)


def shown(x):
    """A NumPy float (or an array without axes) as one that prints plainly."""
    if isinstance(x, np.ndarray) and x.ndim == 0:
        x = x[()]
    if isinstance(x, np.float64):
        return _Float64(x)
    return _Float32(x) if isinstance(x, np.float32) else x
