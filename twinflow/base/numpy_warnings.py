"""Kernels without NumPy's warnings.

Overflow, 0/0 and the like give inf and nan without a word, as in TensorFlow. twinflow
filters the RuntimeWarnings of its own modules; those of functions that NumPy has in
Python name NumPy's modules, and are switched off here, for 0.3 us a call.
"""

from collections.abc import Callable
from types import ModuleType

import numpy as np


def quiet(kernel: Callable) -> Callable:
    """A `kernel` of define whose NumPy form does not warn."""

    def bound(xp: ModuleType) -> Callable:
        made = kernel(xp)
        return np.errstate(all="ignore")(made) if xp is np else made

    return bound
