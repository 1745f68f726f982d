"""A step of an LSTM after its product, and its gradient, as functions of arrays.

The NumPy functions are the definition. `stepped` and `stepped_back` let the C module do
it in one pass where it is there and takes the arrays (native/lstm.c).
"""

from typing import Any

import numpy as np

from twinflow.base import native

_fast = native.fast if hasattr(native.fast, "lstm_step") else None


def logistic(xp: Any, x: Any) -> Any:
    """1 / (1 + exp(-x))"""
    return xp.reciprocal(xp.exp(-x) + x.dtype.type(1))


def step(
    xp: Any, z: Any, c: Any, peeps: Any, forget_bias: float, clip: float = -1.0,
    crossed: bool = False,
) -> Any:  # fmt: skip
    """(i, cs, f, o, ci, co, h) of a step.

    Args:
        z: float[batch, 4 * units], i, ci, f and o before their functions; i, f, ci and
            o if `crossed`.
        c: float[batch, units], the memory. peeps: (wci, wcf, wco), or None.
        clip: the largest absolute value of the new memory, if it is positive.
    """
    i, ci, f, o = xp.split(z, 4, 1)
    f, ci = (ci, f) if crossed else (f, ci)
    f = f + z.dtype.type(forget_bias)
    if peeps:
        i, f = i + peeps[0] * c, f + peeps[1] * c
    i, f, ci = logistic(xp, i), logistic(xp, f), xp.tanh(ci)
    cs = i * ci + f * c
    if clip > 0:
        limit = z.dtype.type(clip)
        cs = xp.clip(cs, -limit, limit)
    o = logistic(xp, o + peeps[2] * cs if peeps else o)
    co = xp.tanh(cs)
    return i, cs, f, o, ci, co, o * co


def step_back(c: Any, peeps: Any, gates: Any, d_c: Any, d_h: Any) -> Any:
    """(gradient of c, those of i, ci, f and o before their functions)

    Args:
        c, peeps: see `step`. gates: what came of it. d_c, d_h: gradients of cs and h.
    """
    i, _, f, o, ci, co, *_ = gates
    d_o = o * (1 - o) * d_h * co
    d_cs = (1 - co * co) * d_h * o + d_c
    if peeps:
        d_cs = d_cs + d_o * peeps[2]
    d_ci = (1 - ci * ci) * d_cs * i
    d_f = f * (1 - f) * d_cs * c
    d_i = i * (1 - i) * d_cs * ci
    back = d_cs * f
    if peeps:
        back = back + d_i * peeps[0] + d_f * peeps[1]
    return back, d_i, d_ci, d_f, d_o


# ------------------------------------------------------------------ in one pass
def stepped(
    x: Any, h: Any, bias: Any, c: Any, peeps: Any, forget_bias: float, clip: float,
    outputs: Any, crossed: bool = False,
) -> None:  # fmt: skip
    """Fill `outputs`, a tuple of arrays, with the `step` of x + h + bias.

    Args:
        h, bias: float[batch, 4 * units] and float[4 * units], or None.
    """
    attrs = (c, peeps, forget_bias, clip)
    if _fast is not None and _fast.lstm_step(x, h, bias, *attrs, crossed, outputs):
        return
    for more in (h, bias):
        x = x if more is None else x + more
    for out, found in zip(outputs, step(np, x, *attrs, crossed), strict=True):
        out[...] = found


def _sum(a, b):
    return b if a is None else a if b is None else a + b


def stepped_back(
    gates: Any, c: Any, peeps: Any, d_c: Any, d_h: Any, d_z: Any, back: Any,
    crossed: bool = False,
) -> None:  # fmt: skip
    """Fill `d_z` and `back`, the gradients of z and c, by `step_back`.

    Args:
        gates: a tuple of what came of the step.
        d_c, d_h: pairs of arrays to be added up, any of them None; back may be one.
    """
    if _fast is not None and _fast.lstm_step_back(
        gates, c, peeps, d_c, d_h, crossed, d_z, back
    ):
        return
    slopes = [_sum(*d) for d in (d_c, d_h)]
    slopes = [np.zeros_like(c) if d is None else d for d in slopes]
    back[...], *z = step_back(c, peeps, gates, *slopes)
    z = [z[0], z[2], z[1], z[3]] if crossed else z
    np.concatenate(z, 1, out=d_z)
