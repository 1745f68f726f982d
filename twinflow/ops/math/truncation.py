"""Division towards zero and its remainder, and division by what may be zero."""

import numpy as np

from twinflow.base import dispatch, factory
from twinflow.base.dispatch import apply
from twinflow.base.op import ARITHMETIC, COMPLEX, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.compare import less, not_equal, where
from twinflow.ops.core.complex import conjugated
from twinflow.ops.core.constant import cast
from twinflow.ops.core.describe import binary_doc
from twinflow.ops.core.division import (
    check_divisor,
    guard_divisor,
    integers,
    pair,
    refusing,
)
from twinflow.ops.core.elementwise import multiply, negative, realdiv, square
from twinflow.ops.core.infer import broadcast
from twinflow.ops.core.rounding import ceil, floor


# ------------------------------------------------------------------ towards zero
def _quotient(xp, x, y):
    """Floats are not cut off: TensorFlow 1.12 divides them."""
    if not integers(x):
        return xp.true_divide(x, y)
    q = xp.floor_divide(x, y)
    if x.dtype.kind == "u":
        return q
    up = (x - q * y != 0) & ((x < 0) != (y < 0))
    return q + up.astype(x.dtype)


def _truncatediv_kernel(xp):
    def kernel(x, y):
        return _quotient(xp, x, y)

    return refusing(kernel) if xp is np else kernel


_WHOLE = {
    "infer": broadcast, "strict": True, "guard": guard_divisor, "check": check_divisor,
    "divides": True,
}  # fmt: skip

TruncateDiv = define(
    "TruncateDiv", kernel=_truncatediv_kernel, types=ARITHMETIC - COMPLEX, **_WHOLE
)
truncatediv = factory.binary(
    TruncateDiv,
    "truncatediv",
    binary_doc("x / y, of ints cut off to a whole number", "int or float",
               "tf.truncatediv(-7, 2)  # -3"),
)  # fmt: skip

Div = define(
    "Div",
    kernel=_truncatediv_kernel,
    grad=[
        lambda dy, shape_x, y: unbroadcast(realdiv(dy, conjugated(y)), shape_x),
        lambda dy, shape_y, x, y: unbroadcast(_by_divisor(realdiv, dy, x, y), shape_y),
    ],
    **_WHOLE,
)


def _by_divisor(divide, dy, x, y):
    """dy times the slope -x / y^2 of the quotient."""
    x, y = conjugated(x), conjugated(y)
    return multiply(dy, divide(divide(negative(x), y), y))


def _whole(q):
    return where(less(q, 0.0), ceil(q), floor(q))


_REMAINDER = {
    "kernel": lambda xp: refusing(np.fmod) if xp is np else xp.fmod,
    "grad": [
        lambda dy, shape_x: unbroadcast(dy, shape_x),
        lambda dy, shape_y, x, y: unbroadcast(
            multiply(dy, negative(_whole(realdiv(x, y)))), shape_y
        ),
    ],
    **_WHOLE,
}
TruncateMod = define("TruncateMod", **_REMAINDER)
Mod = define("Mod", **_REMAINDER)
truncatemod = factory.binary(
    TruncateMod,
    "truncatemod",
    binary_doc("The remainder of truncatediv, with the sign of x", "int or float",
               "tf.truncatemod(-7, 3)  # -1"),
)  # fmt: skip


# ------------------------------------------------------------------ where zero wins
@bind_first
def _div_no_nan_kernel(xp, x, y):
    if xp is np and not y.ndim:
        return np.asarray(x / y if y else np.zeros_like(x))
    none = y == 0
    return xp.where(none, y.dtype.type(0), x / xp.where(none, y.dtype.type(1), y))


DivNoNan = define(
    "DivNoNan",
    infer=broadcast,
    divides=True,
    kernel=_div_no_nan_kernel,
    grad=[
        lambda dy, shape_x, y: unbroadcast(_div_no_nan(dy, y), shape_x),
        lambda dy, shape_y, x, y: unbroadcast(
            _by_divisor(_div_no_nan, dy, x, y), shape_y
        ),
    ],
    strict=True,
)


def _div_no_nan(x, y, name=None):
    return apply(DivNoNan, (x, y), None, name)


def div_no_nan(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    """x / y, but 0 where y is 0; elementwise with broadcasting.

    Args:
        x, y: float32 or float64 tensors of one dtype.
        name: the name of the node in a graph.
    Raises:
        TypeError: the dtypes differ, or are not float32 or float64.
    Example:
        tf.div_no_nan([1.0, 2.0], [0.0, 4.0])  # [0., 0.5]
    """
    with dispatch.current_mode().name_scope(name or "div_no_nan") as scope:
        return _div_no_nan(*pair(x, y), scope)


def _unless_zero(function):
    """The kernel of `function`, 0 where the first input is 0."""

    def bind(xp):
        def kernel(x, y):
            return xp.where(x == 0, x.dtype.type(0), function(xp, x, y))

        return kernel

    return bind


def _there(x):
    """1 where x is not 0, else 0."""
    return cast(not_equal(x, 0.0), x.dtype)


Xdivy = define(
    "Xdivy",
    infer=broadcast,
    divides=True,
    kernel=_unless_zero(lambda xp, x, y: x / y),
    grad=[
        lambda dy, shape_x, x, y: unbroadcast(
            multiply(dy, conjugated(xdivy(_there(x), y))), shape_x
        ),
        lambda dy, shape_y, x, y: unbroadcast(
            multiply(dy, conjugated(xdivy(negative(x), square(y)))), shape_y
        ),
    ],
    strict=True,
)


def xdivy(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    """x / y, but 0 where x is 0, whatever y is; elementwise with broadcasting.

    Args:
        x, y: float16, float32, float64 or complex tensors of one dtype.
        name: the name of the node in a graph.
    Example:
        tf.math.xdivy([0.0, 2.0], [0.0, 4.0])  # [0., 0.5]
    """
    return apply(Xdivy, (x, y), None, name)


Xlogy = define(
    "Xlogy",
    infer=broadcast,
    kernel=_unless_zero(lambda xp, x, y: x * xp.log(y)),
    grad=[
        lambda dy, shape_x, x, y: unbroadcast(
            multiply(dy, conjugated(xlogy(_there(x), y))), shape_x
        ),
        lambda dy, shape_y, x, y: unbroadcast(
            multiply(dy, conjugated(xdivy(x, y))), shape_y
        ),
    ],
    strict=True,
)


def xlogy(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    """x log(y), but 0 where x is 0, whatever y is; elementwise with broadcasting.

    Args:
        x, y: float16, float32, float64 or complex tensors of one dtype.
        name: the name of the node in a graph.
    Example:
        tf.math.xlogy([0.0, 2.0], [0.0, 1.0])  # [0., 0.]
    """
    return apply(Xlogy, (x, y), None, name)
