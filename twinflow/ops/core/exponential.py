"""Powers, roots, exponentials, and the functions made of them.

The slopes that are functions of the result (SqrtGrad ...) are ops of their own, as in
TensorFlow: of a complex result, those of the powers conjugate it themselves, those of
tanh and sigmoid are given the conjugate (Note [Complex gradients]).
"""

import numpy as np

from twinflow.base import dispatch, factory
from twinflow.base.op import INEXACT, define
from twinflow.base.pieces import in_pieces, with_loop
from twinflow.ops.core.arithmetic import (
    add,
    multiply,
    negative,
    realdiv,
    square,
    subtract,
)
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.compare import greater, not_equal, where
from twinflow.ops.core.complex import conj, conjugated
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.describe import binary_doc, unary_doc
from twinflow.ops.core.infer import broadcast, same, same_pair
from twinflow.ops.core.sparse_values import sparse_too

__all__ = [
    "exp", "expm1", "log", "log1p", "pow", "reciprocal", "rsqrt", "sigmoid", "sqrt",
    "tanh", "tanh_grad",
]  # fmt: skip


def _function(kind, fname, formula, kernel, grad, sparse=False, **facts):
    op = define(kind, infer=same, kernel=kernel, grad=[grad], **facts)
    slow = sparse_too(op) if sparse else None
    return op, factory.unary(op, fname, unary_doc(formula), slow=slow)


def _slope(kind, fname, formula, kernel, grad, dy="dy"):
    """The op of `dy` times a slope that depends on the result `y`."""
    op = define(kind, infer=same_pair, kernel=kernel, grad=grad)
    return op, factory.binary(op, fname, formula, args=("y", "grad"))


# ------------------------------------------------------------------ roots
Sqrt, sqrt = _function(
    "Sqrt", "sqrt", "The square root of x", lambda xp: xp.sqrt,
    lambda dy, y: sqrt_grad(y, dy), sparse=True,
)  # fmt: skip


def _conj_of(xp, y):
    return xp.conj(y) if y.dtype.kind == "c" else y


def _sqrt_grad_kernel(xp):
    return lambda y, dy: dy * y.dtype.type(0.5) / _conj_of(xp, y)


def _sqrt_grad_y(d_z, y, z):
    return negative(multiply(conjugated(realdiv(d_z, y)), z))


SqrtGrad, sqrt_grad = _slope(
    "SqrtGrad", "sqrt_grad", "dy / (2 conj(y))", _sqrt_grad_kernel,
    [_sqrt_grad_y, lambda d_z, y: multiply(realdiv(d_z, y), 0.5)],
)  # fmt: skip

Rsqrt, rsqrt = _function(
    "Rsqrt", "rsqrt", "1 / sqrt(x)", lambda xp: lambda x: xp.reciprocal(xp.sqrt(x)),
    lambda dy, y: rsqrt_grad(y, dy),
)  # fmt: skip


def _rsqrt_grad_kernel(xp):
    def kernel(y, dy):
        y = _conj_of(xp, y)
        return dy * y.dtype.type(-0.5) * (y * y * y)

    return kernel


def _rsqrt_grad_y(d_z, y, dy):
    turned = multiply(multiply(conjugated(d_z), -1.5), dy)
    return multiply(turned, square(conjugated(y)))


RsqrtGrad, rsqrt_grad = _slope(
    "RsqrtGrad", "rsqrt_grad", "-dy conj(y)^3 / 2", _rsqrt_grad_kernel,
    [_rsqrt_grad_y, lambda d_z, y: rsqrt_grad(conjugated(y), d_z)],
)  # fmt: skip

Reciprocal, reciprocal = _function(
    "Reciprocal", "reciprocal", "1 / x", lambda xp: xp.reciprocal,
    lambda dy, y: reciprocal_grad(y, dy), types=INEXACT,
)  # fmt: skip
Inv = define(
    "Inv", infer=same, kernel=lambda xp: xp.reciprocal, types=INEXACT,
    grad=[lambda dy, y: reciprocal_grad(y, dy)],
)  # fmt: skip


def _reciprocal_grad_kernel(xp):
    def kernel(y, dy):
        y = _conj_of(xp, y)
        return -dy * (y * y)

    return kernel


def _reciprocal_grad_y(d_z, y, dy):
    turned = multiply(multiply(conjugated(d_z), -2.0), dy)
    return multiply(turned, conjugated(y))


_RECIPROCAL = [_reciprocal_grad_y, lambda d_z, y: reciprocal_grad(conjugated(y), d_z)]
ReciprocalGrad, reciprocal_grad = _slope(
    "ReciprocalGrad", "reciprocal_grad", "-dy conj(y)^2", _reciprocal_grad_kernel,
    _RECIPROCAL,
)  # fmt: skip
InvGrad, _ = _slope(
    "InvGrad", "inv_grad", "-dy conj(y)^2", _reciprocal_grad_kernel, _RECIPROCAL
)


# ------------------------------------------------------------------ powers
_SLOPES = {  # of those _FACTORS: dy * y * x ** (y - 1)
    2.0: in_pieces(lambda dy, x: dy * 2.0 * x, 2),
    3.0: in_pieces(lambda dy, x: dy * 3.0 * np.square(x), 2),
}


def _product_grad(dy, x, y):
    """That of eager floats in one pass, where the power is a product; or None."""
    if type(dy) is not dispatch.EagerTensor or not dispatch.unseen():
        return None
    dy, x, y = dy._a, x._a, y._a
    if y.ndim or y.dtype.kind != "f" or dy.shape != x.shape:
        return None
    slope = _SLOPES.get(y.item())
    return slope(dy, x) if slope is not None else None


def _pow_grad_x(dy, shape_x, x, y):
    if (found := _product_grad(dy, x, y)) is not None:
        return dispatch.wrap(found, x.dtype)
    if x.dtype.is_complex:
        x, y = conj(x), conj(y)
    slope = pow(x, subtract(y, 1.0))
    return unbroadcast(multiply(multiply(dy, y), slope), shape_x)


def _pow_grad_y(dy, shape_y, x, y, z):
    """z log(x), where log(x) counts as 0 for x <= 0, also in its own gradient."""
    is_complex = x.dtype.is_complex
    positive = not_equal(x, 0.0) if is_complex else greater(x, 0.0)
    slope = multiply(z, log(where(positive, x, ones_like(x))))
    return unbroadcast(multiply(dy, conj(slope) if is_complex else slope), shape_y)


def without_denormals(jnp, x):
    """Zeros of their sign for denormals, as XLA's arithmetic counts them anyway.

    Functions that look into the bits take them for the least normal number. float16
    is computed in float32, where its denormals are normal.
    """
    if x.dtype == np.float16:
        return x
    zero = jnp.copysign(x.dtype.type(0), x)
    return jnp.where(jnp.abs(x) < jnp.finfo(x.dtype).tiny, zero, x)


def angle_of(jnp, y, x):
    """jnp.arctan2 that is right where both are zero.

    XLA's CPU compiler makes nan of zeros that are constants by then.
    """
    half_turn = jnp.where(jnp.signbit(x), x.dtype.type(np.pi), x.dtype.type(0))
    at_zero = jnp.copysign(half_turn, y)
    return jnp.where((x == 0) & (y == 0), at_zero, jnp.arctan2(y, x))


def _logarithm(function, shift):
    """The XLA form of log(x + shift): the angle of complex numbers is `angle_of`."""

    def lower(jax):
        def kernel(x):
            found = getattr(jax.numpy, function)(x)
            if x.dtype.kind != "c":
                return found
            angle = angle_of(jax.numpy, x.imag, x.real + x.real.dtype.type(shift))
            return jax.lax.complex(found.real, angle)

        return kernel

    return lower


def _whole_power(jnp, x, y):
    """By squares: XLA's own reads only the last bits of y."""
    z = jnp.ones(np.broadcast_shapes(np.shape(x), np.shape(y)), x.dtype)
    for bit in range(8 * x.dtype.itemsize):
        z = jnp.where((y >> bit) & 1 != 0, z * x, z)
        x = x * x
    return z


def _lower_pow(jax):
    """XLA has nan for 0 to a complex power, NumPy 0."""
    jnp = jax.numpy

    def power(x, y):
        if x.dtype.kind in "iu":
            return _whole_power(jnp, x, y)
        if x.dtype.kind != "c":
            return jnp.power(without_denormals(jnp, x), without_denormals(jnp, y))
        z = jnp.power(x, y)
        return jnp.where((x == 0) & (y.real > 0), jnp.zeros_like(z), z)

    return power


_FACTORS = {2.0: in_pieces(np.square, 1), 3.0: in_pieces(lambda x: x * x * x, 1)}


def _pow_kernel(xp):
    """A few powers of floats are products."""
    if xp is not np:
        return xp.power
    general = in_pieces(np.power, 2)

    def power(x, y):
        if y.ndim == 0 and y.dtype.kind == "f" and x.dtype == y.dtype:
            product = _FACTORS.get(y.item())
            if product is not None:
                return product(x)
        return general(x, y)

    return power


Pow = define(
    "Pow",
    infer=broadcast,
    kernel=_pow_kernel,
    lower=_lower_pow,
    grad=[_pow_grad_x, _pow_grad_y],
    grad_names="Reshape Reshape_1",
    guard=lambda xp: lambda x, y: x.dtype.kind != "i" or xp.all(y >= 0),
    check=lambda x, y: (
        "Integers to negative integer powers are not allowed"
        if x.dtype.kind == "i" and np.any(y < 0)
        else None
    ),
    strict=True,
)
pow = factory.binary(
    Pow,
    "pow",
    binary_doc("x to the power y", example="tf.pow(3., 2.)  # 9.0"),
)

# ------------------------------------------------------------------ exponentials
Exp, exp = _function(
    "Exp", "exp", "e to the power x", lambda xp: xp.exp,
    lambda dy, y: multiply(dy, conjugated(y)), grad_names="mul",
)  # fmt: skip
Expm1, expm1 = _function(
    "Expm1", "expm1", "exp(x) - 1, exact for small x", lambda xp: xp.expm1,
    lambda dy, x: multiply(dy, exp(conjugated(x))), grad_names="mul",
)  # fmt: skip
Log, log = _function(
    "Log", "log", "The natural logarithm of x", lambda xp: xp.log,
    lambda dy, x: realdiv(dy, conjugated(x)), grad_names="mul",
    lower=_logarithm("log", 0),
)  # fmt: skip
Log1p, log1p = _function(
    "Log1p", "log1p", "log(1 + x), exact for small x", lambda xp: xp.log1p,
    lambda dy, x: realdiv(dy, add(conjugated(x), 1.0)), grad_names="mul",
    lower=_logarithm("log1p", 1),
)  # fmt: skip

# ------------------------------------------------------------------ sigmoids
_ONE = {t.np.char: np.ones((), t.np) for t in INEXACT}

Tanh, tanh = _function(
    "Tanh", "tanh", "The hyperbolic tangent", lambda xp: xp.tanh,
    lambda dy, y: tanh_grad(conjugated(y), dy), sparse=True,
)  # fmt: skip


def _tanh_grad_kernel(xp):
    def kernel(y, dy):
        return xp.multiply(dy, xp.subtract(_ONE[y.dtype.char], xp.multiply(y, y)))

    return kernel


def _tanh_grad_y(d_z, y, dy):
    y, dy = conjugated(y), conjugated(dy)
    return multiply(multiply(multiply(d_z, dy), y), -2.0)


TanhGrad, tanh_grad = _slope(
    "TanhGrad", "tanh_grad", "dy * (1 - y**2)", _tanh_grad_kernel,
    [_tanh_grad_y, lambda d_z, y: tanh_grad(conjugated(y), d_z)],
)  # fmt: skip

Sigmoid, sigmoid = _function(
    "Sigmoid", "sigmoid", "1 / (1 + exp(-x))",
    with_loop(
        "sigmoid", lambda xp: lambda x: xp.reciprocal(xp.exp(-x) + x.dtype.type(1))
    ),
    lambda dy, y: sigmoid_grad(conjugated(y), dy),
)  # fmt: skip


def _sigmoid_grad_kernel(xp):
    def kernel(y, dy):
        return xp.multiply(dy, xp.multiply(y, xp.subtract(_ONE[y.dtype.char], y)))

    return kernel


def _sigmoid_grad_y(d_z, y, dy):
    y, dy = conjugated(y), conjugated(dy)
    return multiply(multiply(d_z, dy), subtract(1.0, multiply(y, 2.0)))


SigmoidGrad, sigmoid_grad = _slope(
    "SigmoidGrad", "sigmoid_grad", "dy * y * (1 - y)", _sigmoid_grad_kernel,
    [_sigmoid_grad_y, lambda d_z, y: sigmoid_grad(conjugated(y), d_z)],
)  # fmt: skip
