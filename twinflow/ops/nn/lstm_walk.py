"""All steps of an LSTM whose inputs are multiplied already, and the way back.

Rows of a batch need nothing of each other: the C module shares them out, and a thread
goes through all steps of its own rows (native/lstm.c). Elsewhere each step is a call.
"""

from typing import Any

import numpy as np

from twinflow.base import native
from twinflow.base.products import PRODUCTS
from twinflow.ops.nn.lstm_step import stepped, stepped_back

_fast = native.fast if hasattr(native.fast, "lstm_walk") else None
_LEAST = 2**20  # multiplications of a step: below, one thread does it as soon


def _walks(c: Any) -> bool:
    """Whether the C module takes all steps at once."""
    return _fast is not None and c.size * c.shape[1] * 4 >= _LEAST


def walked(
    z: Any, bias: Any, c: Any, peeps: Any, forget_bias: float, clip: float, h: Any,
    recurrent: Any, outputs: tuple,
) -> None:  # fmt: skip
    """Fill `outputs` with the `step` of each z + h @ recurrent + bias.

    Args:
        z: float[steps, batch, 4 * units]. bias: float[4 * units].
        c, h: float[batch, units], before the first step. peeps: see `step`.
        recurrent: float[units, 4 * units].
        outputs: seven float[time, batch, units], time being at least steps.
    """
    below = np.empty_like(c, shape=(len(c), z.shape[2]))
    attrs = peeps, forget_bias, clip
    args = z, below, bias, c, *attrs, h, recurrent, outputs
    if _walks(c) and _fast.lstm_walk(*args):
        return
    for row, here in zip(z, zip(*outputs, strict=True), strict=False):
        product = PRODUCTS[False, False](h, recurrent, below)
        stepped(row, product, bias, c, *attrs, here)
        c, h = here[1], here[-1]


def walked_back(
    gates: tuple, c: Any, peeps: Any, d_cs: Any, d_h: Any, recurrent: Any, z: Any,
    back: Any, below: Any,
) -> None:  # fmt: skip
    """Fill `z`, `back` and `below`: the gradients of each z, of c and of h.

    Args:
        gates: the outputs of `walked`. d_cs (or None), d_h: float[time, batch, units].
        z: float[steps, batch, 4 * units]. back, below: zeros of float[batch, units].
    """
    if _walks(c):
        turned, slopes = np.ascontiguousarray(recurrent.T), (d_cs, d_h)
        room = z, back, below
        if _fast.lstm_walk_back(tuple(gates), c, peeps, *slopes, turned, *room):
            return
    here, cs = list(zip(*gates, strict=True)), gates[1]
    for t in range(len(z) - 1, -1, -1):
        d_c = back, None if d_cs is None else d_cs[t]
        before = cs[t - 1] if t else c
        stepped_back(here[t], before, peeps, d_c, (below, d_h[t]), z[t], back)
        PRODUCTS[False, True](z[t], recurrent, below)
