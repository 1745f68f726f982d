"""Rows of ops/core/compare.py."""

import numpy as np

from tests.support.op_cases.table import case, error, floats
from twinflow.ops.core.compare import logical_xor, where

_X, _Y = np.array([1.0, 2.0, 3.0]), np.array([[2.0, 2.0, 2.0], [3.0, 2.0, 1.0]])
_BOOLS = np.array([True, True, False, False]), np.array([True, False, True, False])
_SHAPES = error(np.zeros(2), np.zeros(3), text="Incompatible shapes: [2] vs. [3]")
_HALF = ("float16", "bfloat16", "float32", "float64")

for _op in ("Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"):
    _name = {"NotEqual": "not_equal", "LessEqual": "less_equal"}.get(_op, _op.lower())
    _ufunc = getattr(np, "greater_equal" if _op == "GreaterEqual" else _name)
    case(_op, _X, _Y, reference=_ufunc, errors=[_SHAPES], dtypes=_HALF)
    case(_op, _X.astype(np.int32), _Y.astype(np.int32), reference=_ufunc)
    if _op in ("Equal", "NotEqual"):
        case(_op, *_BOOLS, reference=_ufunc)
        _strings = np.array([b"a", b"b"], object), np.array([b"a", b"c"], object)
        case(_op, *_strings, reference=lambda x, y, f=_ufunc: f(x, y).astype(bool))

case("LogicalAnd", *_BOOLS, reference=np.logical_and)
case("LogicalOr", *_BOOLS, reference=np.logical_or)
case("LogicalNot", _BOOLS[0], reference=np.logical_not)
case(logical_xor, *_BOOLS, reference=np.logical_xor)

_MASK = np.array([[True, False, True], [False, False, True]])
case(
    "Select", _MASK, floats(2, 3), floats(2, 3), reference=np.where,
    errors=[
        error(np.array([True]), np.zeros((2, 3)), np.zeros((2, 3)),
              text="must match size of 'cond', but saw: 2 vs. 1"),
        error(_MASK, np.zeros((2, 3)), np.zeros(1),
              text="the same size and shape.  Input 0: [2,3] != input 2: [1]"),
        error(np.array([True, False]), np.zeros((2, 3)), np.zeros((3, 3)),
              text="'then' and 'else' must have the same size.  but received: [2,3]"),
        error(np.array([True, False]), 1.0, 1.0,
              text="'then' must be at least a vector, but saw shape: []"),
    ],
)  # fmt: skip
case("Select", np.array(True), floats(2, 3), floats(2, 3), reference=np.where)
case(
    "Select", np.array([False, True]), floats(2, 3), floats(2, 3),
    reference=lambda c, x, y: np.where(c[:, None], x, y),
)  # fmt: skip
case("Select", _MASK, *(np.arange(6).reshape(2, 3),) * 2, reference=np.where)

_SCALAR = error(True, text="WhereOp : Unhandled input dimensions: 0")
for _x in (_MASK, np.array([0.0, 2.0, -1.0]), np.zeros((2, 2), bool)):
    case("Where", _x, reference=lambda x: np.argwhere(x), grad=(), errors=[_SCALAR],
         dtypes=("float32",))  # fmt: skip
case(
    where, [True], [1.0], reference=np.float32([1.0]), grad=(), attrs={"y": [2.0]},
    errors=[
        error([True], [1.0], y=None, type=ValueError,
              text="x and y must both be non-None or both be None.")
    ],
)  # fmt: skip
