"""Sizes and signs, and the larger of two."""

from twinflow.base import factory
from twinflow.base.dispatch import apply
from twinflow.base.op import COMMON, COMMON_REAL, define
from twinflow.ops.arrays.constant import convert_to_tensor
from twinflow.ops.arrays.creation import zeros_like
from twinflow.ops.broadcast import unbroadcast
from twinflow.ops.describe import binary_doc, unary_doc
from twinflow.ops.infer import broadcast, same
from twinflow.ops.math.arithmetic import multiply, realdiv, subtract
from twinflow.ops.math.compare import greater_equal, less_equal, where
from twinflow.ops.math.complex import complex_abs, conj, real, with_zero_imag
from twinflow.ops.sparse.values import sparse_too

__all__ = ["abs", "maximum", "minimum", "sign"]

Abs = define(
    "Abs(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.abs,
    types=COMMON_REAL,
    grad=[lambda dy, x: multiply(dy, sign(x))],
    strict=True,
)


def _abs_of_any(fast, inputs, name):
    x = convert_to_tensor(inputs[0], name="x")
    return complex_abs(x, name) if x.dtype.is_complex else apply(Abs, (x,), None, name)


abs = factory.unary(
    Abs,
    "abs",
    unary_doc("|x|, float where x is complex", "numeric"),
    slow=sparse_too(Abs, _abs_of_any),
)


def _sign_grad(dy, x, y):
    """0; of complex numbers what turns them: (dy - y Re(conj(y) dy)) / |x|."""
    if not x.dtype.is_complex:
        return zeros_like(dy)
    size, along = complex_abs(x), real(multiply(conj(y), dy))
    across = subtract(dy, multiply(y, with_zero_imag(along)))
    return realdiv(across, with_zero_imag(maximum(size, 1e-30)))


Sign = define(
    "Sign(x: T) -> (y: T)",
    infer=same,
    kernel=lambda xp: xp.sign,
    types=COMMON,
    grad=[_sign_grad],
    strict=True,
)
sign = factory.unary(
    Sign,
    "sign",
    unary_doc("-1, 0 or 1: the sign of x; x / |x| if complex", "numeric"),
    slow=sparse_too(Sign),
)

Maximum = define(
    "Maximum(x: T, y: T) -> (z: T)",
    infer=broadcast,
    kernel=lambda xp: xp.maximum,
    types=COMMON_REAL,
    grad=[
        lambda dy, shape_x, x, y: _chosen(dy, greater_equal(x, y), True, shape_x),
        lambda dy, shape_y, x, y: _chosen(dy, greater_equal(x, y), False, shape_y),
    ],
    strict=True,
)
maximum = factory.binary(
    Maximum,
    "maximum",
    binary_doc("The larger of x and y", "int or float"),
)

Minimum = define(
    "Minimum(x: T, y: T) -> (z: T)",
    infer=broadcast,
    kernel=lambda xp: xp.minimum,
    types=COMMON_REAL,
    grad=[
        lambda dy, shape_x, x, y: _chosen(dy, less_equal(x, y), True, shape_x),
        lambda dy, shape_y, x, y: _chosen(dy, less_equal(x, y), False, shape_y),
    ],
    strict=True,
)
minimum = factory.binary(
    Minimum,
    "minimum",
    binary_doc("The smaller of x and y", "int or float"),
)


def _chosen(dy, mask, wanted, shape):
    """`dy` where `mask` is `wanted`; where x equals y, all of it goes to x."""
    none = zeros_like(dy)
    picked = where(mask, dy, none) if wanted else where(mask, none, dy)
    return unbroadcast(picked, shape)
