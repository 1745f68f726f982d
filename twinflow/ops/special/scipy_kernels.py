"""Kernels from SciPy; files that import this one are loaded at first use of a name."""

import numpy as np


def through(function, wide=np.float32):
    """The kernel of a SciPy function; narrower floats go by way of the dtype `wide`."""
    size = np.dtype(wide).itemsize

    def kernel(*xs):
        dtype = xs[0].dtype
        if dtype.itemsize < size:
            xs = [x.astype(wide) for x in xs]
        return np.asarray(function(*xs)).astype(dtype, copy=False)

    return lambda xp: kernel
