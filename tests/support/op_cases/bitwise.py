"""Rows of ops/math/bitwise.py."""

import numpy as np

from tests.support.op_cases.table import case, error

_INTS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32,
         np.uint64)  # fmt: skip
_X, _Y = np.array([[6, -7, 100, -128]]), np.array([[3], [5], [-1]])
_SHAPES = error([1, 2], [1, 2, 3], text="Incompatible shapes: [2] vs. [3]")
_FLOAT = error(
    [1.0], [2.0], type=TypeError,
    text="'x' has DataType float32 not in list of allowed values: int8, int16, int32, "
    "int64, uint8, uint16, uint32, uint64",
)  # fmt: skip

for _kind in _INTS:
    _x, _y = _X.astype(_kind), _Y.astype(_kind)
    for _op, _reference in (
        ("BitwiseAnd", np.bitwise_and),
        ("BitwiseOr", np.bitwise_or),
        ("BitwiseXor", np.bitwise_xor),
    ):
        case(_op, _x, _y, reference=_reference, errors=[_SHAPES, _FLOAT])
    _bits = 8 * _x.itemsize
    _steps = np.array([[0], [1], [_bits - 1]], _kind)
    case("LeftShift", _x, _steps, reference=np.left_shift, errors=[_SHAPES, _FLOAT])
    case("RightShift", _x, _steps, reference=np.right_shift, errors=[_SHAPES, _FLOAT])
    case("Invert", _x, reference=np.invert)
    case(
        "PopulationCount", _x,
        reference=lambda x, n=_bits: np.array(
            [[bin(int(v) % 2**n).count("1") for v in x[0]]], np.uint8
        ),
    )  # fmt: skip

# Shifts beyond the width are cut to it, as TensorFlow's processor kernels do.
case("LeftShift", [1, 1, 1], [31, 32, -1],
     reference=np.array([-(2**31), -(2**31), 1], np.int32))  # fmt: skip
case("RightShift", [-8, -8, -8], [1, 40, -1],
     reference=np.array([-4, -1, -8], np.int32))  # fmt: skip
case(
    "CompareAndBitpack", np.arange(16.0).reshape(1, 16), np.array(4.5), grad=(),
    reference=np.array([[0b00000111, 0b11111111]], np.uint8),
    errors=[
        error(np.zeros(2), np.float32(1), text="should be divisible by 8, but saw"),
        error(np.zeros(8), np.zeros(1), text="Compare must be a scalar, but saw shape"),
    ],
)  # fmt: skip
