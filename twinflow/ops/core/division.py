"""Divisions of each kind, and their remainders."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, factory, movement
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.op import ARITHMETIC, COMPLEX, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.describe import binary_doc
from twinflow.ops.core.elementwise import RealDiv, multiply, negative, realdiv
from twinflow.ops.core.infer import broadcast

_SMALL = (dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.uint16)
_LARGE = (dtypes.int32, dtypes.int64)
REMAINDERS = (
    dtypes.int32, dtypes.int64, dtypes.bfloat16, dtypes.float16, dtypes.float32,
    dtypes.float64,
)  # fmt: skip
_WIDE = dict.fromkeys(_SMALL, dtypes.float32) | dict.fromkeys(_LARGE, dtypes.float64)


def _converted(fast, inputs, name):
    """What the fast path turned down: ints are converted to floats here."""
    with dispatch.current_mode().name_scope(name) as scope:
        x, y = pair(*inputs)
        kind = x.dtype.base_dtype
        wide = _WIDE.get(kind)
        if wide is None and not kind.is_inexact:
            raise TypeError(f"Invalid dtype {kind!r} in __truediv__")
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
        tf.truediv(1, 2)  # 0.5
    """,
    default="truediv",
    slow=_converted,
)


def pair(x, y):
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


def integers(x):
    """Whether an array holds ints."""
    return x.dtype.kind in "iu"


def check_divisor(x, y):
    """The message about an integer divisor that is 0, or None."""
    zero = integers(y) and np.size(x) and not np.all(y)
    return "Integer division by zero" if zero else None


def by_number(divide):
    """The quick form of a division of integers by one number that is not 0."""

    def quick(x, y):
        fits = x.size < movement.LARGE and not y.ndim and integers(x)
        return divide(x, y) if fits and y else None

    return quick


def guard_divisor(xp):
    """Whether no integer divisor is 0."""
    return lambda x, y: xp.all(y != 0) if integers(y) and np.size(x) else True


def refuse_zero(x, y):
    """Raise ZeroDivisionError where an integer divisor is 0."""
    if check_divisor(x, y):
        raise ZeroDivisionError("Integer division by zero")


def _floordiv_kernel(xp):
    def kernel(x, y):
        if integers(x):
            return xp.floor_divide(x, y)
        return xp.floor(xp.true_divide(x, y))  # 1. // .1 is 10, not NumPy's 9

    return refusing(kernel) if xp is np else kernel


def refusing(kernel):
    """A kernel that refuses by itself: the fast path of eager calls runs no check."""

    def checked(x, y):
        refuse_zero(x, y)
        return kernel(x, y)

    return checked


FloorDiv = define(
    "FloorDiv",
    infer=broadcast,
    divides=True,
    kernel=_floordiv_kernel,
    types=ARITHMETIC - COMPLEX,
    guard=guard_divisor,
    check=check_divisor,
    quick=by_number(np.floor_divide),
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


def _floormod_kernel(xp):
    """As TensorFlow's also where the quotient is no number: mod(1, -inf) is nan."""

    def kernel(x, y):
        if integers(x):
            return xp.mod(x, y)
        rest = xp.fmod(x, y)
        moved = rest + y
        moved = xp.where(moved == y, y * x.dtype.type(0), moved)
        return xp.where((x < 0) == (y < 0), rest, moved)

    return refusing(kernel) if xp is np else kernel


FloorMod = define(
    "FloorMod",
    infer=broadcast,
    divides=True,
    kernel=_floormod_kernel,
    grad=[
        lambda dy, shape_x: unbroadcast(dy, shape_x),
        lambda dy, shape_y, x, y: unbroadcast(
            multiply(dy, negative(floordiv(x, y))), shape_y
        ),
    ],
    grad_names="Reshape Reshape_1",
    guard=guard_divisor,
    check=check_divisor,
    quick=by_number(np.mod),
    strict=True,
)
floormod = factory.binary(
    FloorMod,
    "floormod",
    binary_doc("x - floor(x / y) * y", "int or float", "tf.floormod(-7, 3)  # 2"),
)
mod = floormod


def div(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    """x / y as in Python 2: ints are divided with floor, floats exactly.

    Args:
        x, y: numeric tensors of one dtype. name: the name of the node in a graph.
    Example:
        tf.div(-7, 2)  # -4
    """
    with dispatch.current_mode().name_scope(name or "div") as scope:
        x, y = pair(x, y)
        op = RealDiv if x.dtype.is_inexact else FloorDiv
        return apply(op, (x, y), None, scope)


def divide(x: TensorValue, y: TensorValue, name: str | None = None) -> Any:
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
