"""Rows of ops/core/elementwise.py and ops/core/division.py."""

import numpy as np

from tests.support.op_cases.table import (
    away_from_zero,
    case,
    distinct,
    error,
    floats,
)
from twinflow.ops.core.division import div, truediv

_SHAPES = error(np.zeros(2), np.zeros(3), text="Incompatible shapes: [2] vs. [3]")
_INTS = np.array([-7, 7, -7, 6], np.int32), np.array([2, -2, -2, 3], np.int32)
_HALF = ("float16", "bfloat16", "float32", "float64")


def _binary(op, reference, x=floats, y=floats, ints=True):
    """Rows of one shape, of broadcast shapes, of scalars, of half floats, of ints."""
    case(op, x(3, 4), y(3, 4), reference=reference, errors=[_SHAPES], dtypes=_HALF)
    case(op, x(2, 1, 4), y(3, 1), reference=reference)
    case(op, x(), y(2), reference=reference)
    case(op, x(0, 3), y(3), reference=reference)
    if ints:
        case(op, *_INTS, reference=reference)
        case(op, *(v.astype(np.int64) for v in _INTS), reference=reference)


def _positive(*shape):
    return floats(*shape, low=0.3, high=2.0)


def _unary(op, reference, x=floats, ints=False, **more):
    case(op, x(3, 4), reference=reference, dtypes=_HALF, **more)
    case(op, x(), reference=reference)
    case(op, x(2, 0), reference=reference)
    if ints:
        case(op, np.array([-2, 0, 3], np.int32), reference=reference)
        case(op, np.array([-2, 0, 3], np.int64), reference=reference)


_binary("Add", np.add)
case(
    "Add", np.array([b"a", b"b"], object), np.array([b"c", b"d"], object),
    reference=np.array([b"ac", b"bd"], object),
)  # fmt: skip
_binary("Sub", np.subtract)
_binary("Mul", np.multiply)
case("Mul", np.array([1 + 2j, 3j]), np.array([2j, 1.0 + 1j]), reference=np.multiply)
_binary("RealDiv", np.true_divide, y=away_from_zero, ints=False)
_binary("SquaredDifference", lambda x, y: (x - y) * (x - y))
_binary("Pow", np.power, x=_positive, ints=False)
_negative = error([2], [-1], text="Integers to negative integer powers are not allowed")
case(
    "Pow", np.array([0, 2, -3], np.int32), np.array([0, 3, 2], np.int32),
    reference=np.power, errors=[_negative],
)  # fmt: skip
case(
    "Pow", np.array([-1.5, 2.0, -0.5]), np.array([2.0, 3.0, 3.0]), reference=np.power,
    grad=[0],
)  # fmt: skip

_zero = error([1], [0], text="Integer division by zero")
_binary("FloorDiv", lambda x, y: np.floor(x / y).astype(x.dtype), y=away_from_zero)
case(
    "FloorDiv", np.array([1.0, -7.0]), np.array([0.125, 2.0]),
    reference=np.array([8.0, -4.0]), errors=[_zero],
)  # fmt: skip


def _apart(*shape):
    """Quotients of these and 1.0 stay away from whole numbers."""
    return distinct(*shape, low=-3.4, high=3.3)


_binary("FloorMod", np.mod, y=lambda *s: floats(*s, low=3.5, high=4.0))
case(
    "FloorMod",
    np.array([-7.5, 7.5]),
    np.array([2.0, -2.0]),
    reference=np.array([0.5, -0.5]),
)
case("FloorMod", *_INTS, reference=np.mod, errors=[_zero])


def _ties(*shape):
    return distinct(*shape, low=-1.9, high=2.1)


_binary("Maximum", np.maximum, x=distinct, y=_ties)
_binary("Minimum", np.minimum, x=distinct, y=_ties)

_unary("Neg", np.negative, ints=True)
_unary("Square", np.square, ints=True)
_unary("Abs", np.abs, x=away_from_zero, ints=True)
_unary("Sign", np.sign, x=away_from_zero, ints=True)
_unary("Sqrt", np.sqrt, x=_positive)
_unary("Rsqrt", lambda x: 1 / np.sqrt(x), x=_positive)
_unary("Reciprocal", lambda x: 1 / x, x=away_from_zero)
_unary("Exp", np.exp)
_unary("Expm1", np.expm1)
_unary("Log", np.log, x=_positive)
_unary("Log1p", np.log1p, x=_positive)
_unary("Tanh", np.tanh)
case("TanhGrad", floats(3, 4), floats(3, 4), reference=lambda y, dy: dy * (1 - y * y))
_unary("Sigmoid", lambda x: 1 / (1 + np.exp(-x)))
case(
    "Sigmoid",
    np.array([-200.0, 200.0, -20.0]),
    reference=lambda x: 1 / (1 + np.exp(-x)),
)

case(
    "AddN", [floats(2, 3), floats(2, 3), floats(2, 3)], reference=sum,
    errors=[error([np.zeros(2), np.zeros(3)], text="must have the same size and")],
)  # fmt: skip
case("AddN", [np.array([1, 2], np.int32)] * 2, reference=np.array([2, 4], np.int32))

case(truediv, *_INTS, reference=np.true_divide, dtypes=("float64",))
case(truediv, floats(3), away_from_zero(3), reference=np.true_divide)
case(div, *_INTS, reference=np.floor_divide)
case(div, floats(3), away_from_zero(3), reference=np.true_divide)
