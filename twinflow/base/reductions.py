"""Sums and extremes along axes: `add_reduce(x, axis, dtype, out, keepdims)`, as NumPy's
`np.add.reduce`; `fmax_reduce` and `fmin_reduce` take `initial` as well, which has to be
-inf and inf. `places(x, largest)` is where the extremes of rows are, or None.

They are NumPy's, except where the C module was built: there native/reduce.c takes large
float32 arrays (docs/decisions/0012-kernels-at-size.md).
"""

from collections.abc import Callable

import numpy as np

from twinflow.base import native


def _reductions() -> tuple[Callable, ...]:
    usual = np.add.reduce, np.fmax.reduce, np.fmin.reduce
    fast = native.fast
    if not hasattr(fast, "setup_reductions"):  # no module, or Windows
        return *usual, lambda x, largest: None
    fast.setup_reductions(*usual)
    return fast.add_reduce, fast.fmax_reduce, fast.fmin_reduce, fast.places


add_reduce, fmax_reduce, fmin_reduce, places = _reductions()
LARGE = 16384  # elements from which on they are not NumPy's
