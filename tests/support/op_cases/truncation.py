"""Rows of ops/math/truncation.py and of the slopes in ops/core/exponential.py."""

import numpy as np

from tests.support.op_cases.table import (
    away_from_zero,
    case,
    distinct,
    error,
    floats,
)
from twinflow.ops.math.truncation import (
    div_no_nan,
    truncatediv,
    truncatemod,
    xdivy,
    xlogy,
)

_HALF = ("float16", "bfloat16", "float32", "float64")
_INTS = np.array([-7, 7, -7, 6, -8], np.int32), np.array([2, -2, -2, 3, 4], np.int32)
_ZERO = error([1], [0], text="Integer division by zero")
_SHAPES = error(np.zeros(2), np.zeros(3), text="Incompatible shapes: [2] vs. [3]")


def _apart(*shape):
    """Quotients of these and numbers from 3.5 to 4 stay away from whole ones."""
    return distinct(*shape, low=-3.4, high=3.3)


def _quotient(x, y):
    return np.trunc(x / y).astype(x.dtype)


for _op in ("TruncateDiv", truncatediv):
    case(_op, *_INTS, reference=_quotient, errors=[_ZERO])
for _kind in (np.int64, np.int8, np.int16):
    case("TruncateDiv", *(x.astype(_kind) for x in _INTS), reference=_quotient)
for _kind in (np.uint8, np.uint16):
    case("TruncateDiv", np.array([250, 7], _kind), np.array([7, 9], _kind),
         reference=np.floor_divide)  # fmt: skip
case("TruncateDiv", _apart(3, 4), floats(4, low=0.7, high=0.9), reference=np.divide)

case("Div", *_INTS, reference=_quotient, errors=[_ZERO])
case("Div", floats(3, 4), away_from_zero(4), reference=np.divide, dtypes=_HALF)
for _op in ("TruncateMod", "Mod"):
    case(_op, *_INTS, reference=np.fmod, errors=[_ZERO])
    case(_op, _apart(3, 4), floats(4, low=3.5, high=4.0), reference=np.fmod,
         errors=[_SHAPES], dtypes=_HALF)  # fmt: skip
    case(_op, np.array([7.5, -7.5]), np.array([-2.0, 2.0]), reference=np.fmod)
case(truncatemod, *_INTS, reference=np.fmod)

_SOME = np.array([0.0, 2.0, -1.0, 0.0]), np.array([0.0, 0.0, 4.0, 2.0])
_ONLY = error(
    np.float16([1]), np.float16([1]), type=TypeError,
    text="has DataType float16 not in list of allowed values: float32, float64",
)  # fmt: skip
case("DivNoNan", floats(3, 4), away_from_zero(4), reference=np.divide,
     errors=[_SHAPES, _ONLY])  # fmt: skip
case("DivNoNan", *_SOME, reference=np.array([0, 0, -0.25, 0]), grad=[0])
case(div_no_nan, *_SOME, reference=np.array([0, 0, -0.25, 0]), grad=[0])

_KINDS = ("float16", "float32", "float64")
_NONE = np.array([0.0, 0.0, 2.0]), np.array([0.0, -1.0, 4.0])
for _op, _reference in (("Xdivy", np.divide), ("Xlogy", lambda x, y: x * np.log(y))):
    case(_op, away_from_zero(3, 4), floats(4, low=0.3), reference=_reference,
         dtypes=_KINDS, errors=[_SHAPES])  # fmt: skip
    case(_op, *_NONE, grad=(),
         reference=lambda x, y, f=_reference: np.where(x == 0, 0, f(x, y)))  # fmt: skip
case(xdivy, np.zeros(2), away_from_zero(2), reference=np.zeros(2), grad=[1])
case(xlogy, np.zeros(2), floats(2, low=0.3), reference=np.zeros(2), grad=[1])

# ------------------------------------------------------------------ others
case("AddV2", floats(2, 3), floats(3), reference=np.add, dtypes=_HALF, errors=[_SHAPES])
case("Inv", away_from_zero(3), reference=lambda x: 1 / x, dtypes=_HALF)
for _op, _slope in (
    ("SqrtGrad", lambda y, dy: dy / (2 * y)),
    ("RsqrtGrad", lambda y, dy: -dy / 2 * y**3),
    ("ReciprocalGrad", lambda y, dy: -dy * y**2),
    ("InvGrad", lambda y, dy: -dy * y**2),
    ("SigmoidGrad", lambda y, dy: dy * y * (1 - y)),
):
    case(_op, away_from_zero(3, 2), floats(3, 2), reference=_slope, dtypes=_HALF)
