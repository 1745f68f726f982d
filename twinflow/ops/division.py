"""Divisions of each kind, and their remainders."""

import numpy as np

from twinflow.base import dispatch, dtypes, factory
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.op import REAL, define
from twinflow.ops.broadcast import unbroadcast
from twinflow.ops.constant import cast, convert_to_tensor
from twinflow.ops.describe import binary_doc
from twinflow.ops.elementwise import RealDiv, multiply, negative, realdiv
from twinflow.ops.infer import broadcast

_SMALL = (dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.uint16)
_LARGE = (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)
_WIDE = dict.fromkeys(_SMALL, dtypes.float32) | dict.fromkeys(_LARGE, dtypes.float64)


def _converted(fast, inputs, name):
    """What the fast path turned down: ints are converted to floats here."""
    with dispatch.current_mode().name_scope(name) as scope:
        x, y = _pair(*inputs)
        wide = _WIDE.get(x.dtype.base_dtype)
        if wide is not None:
            x, y = cast(x, wide), cast(y, wide)
        return apply(RealDiv, (x, y), None, scope)


truediv = factory.binary(
    RealDiv,
    "truediv",
    """x / y as in Python 3: ints are converted to floats first.

    Args:
        x, y: numeric tensors of one dtype. name: the name of the node in a graph.
    Returns:
        The quotient: float64 for int32 and int64, float32 for smaller ints, else the
        dtype of the inputs.
    Raises:
        TypeError: the dtypes differ.
    Example:
        tf.truediv(1, 2)  # 0.5, float64
    """,
    "is_inexact",
    default="truediv",
    slow=_converted,
)


def _pair(x, y):
    """Two tensors of one dtype; a Python value takes that of the tensor beside it."""
    if not is_tensor_like(x) and is_tensor_like(y):
        x = convert_to_tensor(x, y.dtype.base_dtype, name="x")
    x = convert_to_tensor(x, name="x")
    if not is_tensor_like(y):
        y = convert_to_tensor(y, x.dtype.base_dtype, name="y")
    y = convert_to_tensor(y, name="y")
    if x.dtype.base_dtype is not y.dtype.base_dtype:
        raise TypeError(
            f"x and y must have the same dtype, got {x.dtype!r} != {y.dtype!r}"
        )
    return x, y


def _integers(x):
    return x.dtype.kind in "iu"


def _check_divisor(x, y):
    return "Integer division by zero" if _integers(y) and not np.all(y) else None


def _guard_divisor(xp):
    return lambda x, y: xp.all(y != 0) if _integers(y) else True


def _refuse_zero(x, y):
    if _integers(y) and not np.all(y):
        raise ZeroDivisionError("Integer division by zero")


def _floordiv_kernel(xp):
    def kernel(x, y):
        if _integers(x):
            return xp.floor_divide(x, y)
        return xp.floor(xp.true_divide(x, y))  # 1. // .1 is 10, not NumPy's 9

    return _checked(kernel) if xp is np else kernel


def _checked(kernel):
    """The fast path of eager calls runs no check: its kernel refuses by itself."""

    def checked(x, y):
        _refuse_zero(x, y)
        return kernel(x, y)

    return checked


FloorDiv = define(
    "FloorDiv(x: T, y: T) -> (z: T)",
    infer=broadcast,
    kernel=_floordiv_kernel,
    types=REAL,
    guard=_guard_divisor,
    check=_check_divisor,
    strict=True,
)
floor_div = factory.binary(
    FloorDiv, "floor_div", binary_doc("floor(x / y)", "int or float")
)
floordiv = factory.binary(
    FloorDiv,
    "floordiv",
    binary_doc("floor(x / y)", "int or float", "tf.floordiv(-7, 2)  # -4"),
    default="floordiv",
)

FloorMod = define(
    "FloorMod(x: T, y: T) -> (z: T)",
    infer=broadcast,
    kernel=lambda xp: _checked(np.mod) if xp is np else xp.mod,
    types=REAL,
    grad=[
        lambda dy, shape_x: unbroadcast(dy, shape_x),
        lambda dy, shape_y, x, y: unbroadcast(
            multiply(dy, negative(floordiv(x, y))), shape_y
        ),
    ],
    guard=_guard_divisor,
    check=_check_divisor,
    strict=True,
)
floormod = factory.binary(
    FloorMod,
    "floormod",
    binary_doc("x - floor(x / y) * y", "int or float", "tf.floormod(-7, 3)  # 2"),
)
mod = floormod


def div(x, y, name=None):
    """x / y as in Python 2: ints are divided with floor, floats exactly.

    Args:
        x, y: numeric tensors of one dtype. name: the name of the node in a graph.
    Example:
        tf.div(-7, 2)  # -4
    """
    with dispatch.current_mode().name_scope(name or "div") as scope:
        x, y = _pair(x, y)
        op = RealDiv if x.dtype.is_inexact else FloorDiv
        return apply(op, (x, y), None, scope)


def divide(x, y, name=None):
    """x / y with the operator of Python 3; see tf.truediv.

    Args:
        x, y: tensors or Python values; two numbers give a number.
        name: the name of the node in a graph.
    """
    if name is not None:
        return truediv(x, y, name)
    return x / y


__all__ = [
    "div", "divide", "floor_div", "floordiv", "floormod", "mod", "realdiv", "truediv",
]  # fmt: skip
