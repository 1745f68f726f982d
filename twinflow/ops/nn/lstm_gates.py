"""What an LSTM cell does with its gates as one op, eagerly.

In graphs it stays the ops that TensorFlow has. The gates' values are an output as well,
so that the gradient needs no function twice, and is differentiated again.
"""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import bind_first, define
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import add, multiply, subtract
from twinflow.ops.core.infer import ranked
from twinflow.ops.core.joining import concat, unstack
from twinflow.ops.nn.lstm_step import step, stepped, stepped_back

_TYPES = {"T": frozenset((dtypes.float32, dtypes.float64))}
_NUMBERS = frozenset((int, float))


def _infer(gates, c, forget_bias, crossed):
    rows, units = ranked(c._shape, 2)
    return [(rows, units), (rows, units), (5, rows, units)]


@bind_first
def _kernel(xp, gates, c, forget_bias, crossed):
    if xp is not np:
        i, cs, f, o, ci, co, h = step(xp, gates, c, None, forget_bias, -1.0, crossed)
        return [cs, h, xp.stack([i, f, o, ci, co])]
    cs, h = np.empty_like(c), np.empty_like(c)
    i, f, o, ci, co = saved = np.empty_like(c, shape=(5, *c.shape))
    outputs = (i, cs, f, o, ci, co, h)
    stepped(gates, None, None, c, None, forget_bias, -1.0, outputs, crossed)
    return [cs, h, saved]


def _alone_back(d_c, d_h, c, saved, crossed):
    """The gradients at once, while nobody looks on; else None."""
    given = [t for t in (d_c, d_h) if t is not None]
    kinds = {type(t) for t in (c, saved, *given)}
    if kinds != {dispatch.EagerTensor} or dispatch.observers is not None:
        return None
    i, f, o, ci, co = saved._a
    slopes = [(None if d is None else d._a, None) for d in (d_c, d_h)]
    rows, units = c._a.shape
    d_z = np.empty_like(c._a, shape=(rows, 4 * units))
    back = np.empty_like(c._a, shape=(rows, units))
    stepped_back((i, i, f, o, ci, co), c._a, None, *slopes, d_z, back, crossed)
    return dispatch.wrap(d_z, c.dtype), dispatch.wrap(back, c.dtype)


def _slope(d, y, rise):
    """d * rise(y): sigmoid' = y - y * y, tanh' = 1 - y * y"""
    return multiply(d, subtract(rise, multiply(y, y)))


def _back(d_new_c, d_new_h, d_saved, c, saved, crossed):
    found = None
    if d_saved is None:
        found = _alone_back(d_new_c, d_new_h, c, saved, crossed)
    if found is not None:
        return found
    d_new_c, d_new_h = (zeros_like(c) if d is None else d for d in (d_new_c, d_new_h))
    i, f, o, ci, co = unstack(saved, num=5)
    more = unstack(zeros_like(saved) if d_saved is None else d_saved, num=5)
    d_co = add(multiply(d_new_h, o), more[4])
    d_cs = add(d_new_c, _slope(d_co, co, 1.0))
    d_i = _slope(add(multiply(d_cs, ci), more[0]), i, i)
    d_f = _slope(add(multiply(d_cs, c), more[1]), f, f)
    d_o = _slope(add(multiply(d_new_h, co), more[2]), o, o)
    d_ci = _slope(add(multiply(d_cs, i), more[3]), ci, 1.0)
    order = [d_i, d_f, d_ci, d_o] if crossed else [d_i, d_ci, d_f, d_o]
    return concat(order, 1), multiply(d_cs, f)


LSTMGates = define(
    "TwinLSTMGates(gates: T, c: T) -> (new_c: T, new_h: T, saved: T); "
    "forget_bias=1.0, crossed=False",
    infer=_infer,
    kernel=quiet(_kernel),
    types=_TYPES,
    grad=_back,
    none_ok=True,
)


def eager_lstm_gates(
    gates: Any, c: Any, forget_bias: Any = 0.0, crossed: bool = False
) -> Any:
    """(new c, new h) of an LSTM with tanh; None where it is for the other ops.

    Args:
        gates: float[batch, 4 * units]: i, j, f and o, or i, f, j and o if `crossed`.
        c: float[batch, units], the memory. forget_bias: a number, or else.
    """
    eager = dispatch.EagerTensor
    if type(gates) is not eager or type(c) is not eager or gates.dtype is not c.dtype:
        return None
    if dispatch.observers is not None and dispatch.observers.tapes is None:
        return None
    rows, fits = c._a.shape, type(forget_bias) in _NUMBERS and c.dtype in _TYPES["T"]
    if not fits or len(rows) != 2 or gates._a.shape != (rows[0], 4 * rows[1]):
        return None
    attrs = {"forget_bias": float(forget_bias), "crossed": crossed}
    return apply(LSTMGates, (gates, c), attrs)[:2]
