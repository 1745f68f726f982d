"""Sizes, signs and angles, and the larger of two."""

from twinflow.base import dtypes, factory
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.arithmetic import multiply, realdiv, subtract
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.compare import greater_equal, less_equal, where
from twinflow.ops.core.complex import (
    complex,
    conj,
    part,
    real,
    with_zero_imag,
)
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.describe import binary_doc, unary_doc
from twinflow.ops.core.exponential import angle_of
from twinflow.ops.core.infer import broadcast, same
from twinflow.ops.core.sparse_values import sparse_too

__all__ = ["abs", "angle", "complex_abs", "maximum", "minimum", "sign"]

Abs = define(
    "Abs",
    infer=same,
    kernel=lambda xp: xp.abs,
    grad=[lambda dy, x: multiply(dy, sign(x))],
    grad_names="mul",
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


def _sign_kernel(xp):
    """0 for nan, as in TensorFlow, and for -0."""

    def kernel(x):
        if x.dtype.kind in "iuc":
            return xp.sign(x)
        return (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype)

    return kernel


Sign = define(
    "Sign", infer=same, kernel=_sign_kernel, grad=[_sign_grad], grad_names="zeros"
)
sign = factory.unary(
    Sign,
    "sign",
    unary_doc("-1, 0 or 1: the sign of x; x / |x| if complex", "numeric"),
    slow=sparse_too(Sign),
)


def _chosen_by(larger):
    """Maximum or minimum in XLA as NumPy has them: nan wins, and of equal zeros the
    second, of float16 the first; XLA itself takes the sign into account.
    """

    def lower(jax):
        jnp = jax.numpy

        def kernel(x, y):
            if x.dtype.kind in "iu":
                return jnp.maximum(x, y) if larger else jnp.minimum(x, y)
            if x.dtype.char == "e":
                first = x >= y if larger else x <= y
            else:
                first = x > y if larger else x < y
            return jnp.where(first | (x != x), x, y)

        return kernel

    return lower


def without_nan(xp, x, function):
    """`x` as TensorFlow's argmax or argmin sees it: nan and the infinity of the wrong
    side are as bad as the worst finite number, and so nothing finds them.
    """
    kind = dtypes.from_numpy(x.dtype)
    if not kind.is_floating:
        return x
    if function == "argmax":
        return xp.where(x > kind.min, x, x.dtype.type(kind.min))
    return xp.where(x < kind.max, x, x.dtype.type(kind.max))


def _extremum(kind, wins, word):
    """(The op, its function): the one of x and y that `wins` over the other."""
    fname = kind.lower()
    op = define(
        kind,
        infer=broadcast,
        kernel=lambda xp: getattr(xp, fname),
        lower=_chosen_by(kind == "Maximum"),
        grad=[
            lambda dy, shape_x, x, y: _chosen(dy, wins(x, y), True, shape_x),
            lambda dy, shape_y, x, y: _chosen(dy, wins(x, y), False, shape_y),
        ],
        grad_names="Reshape Reshape_1",
        strict=True,
    )
    doc = binary_doc(f"The {word} of x and y", "int or float")
    return op, factory.binary(op, fname, doc)


Maximum, maximum = _extremum("Maximum", greater_equal, "larger")
Minimum, minimum = _extremum("Minimum", less_equal, "smaller")


def _chosen(dy, mask, wanted, shape):
    """`dy` where `mask` is `wanted`; where x equals y, all of it goes to x."""
    none = zeros_like(dy)
    picked = where(mask, dy, none) if wanted else where(mask, none, dy)
    return unbroadcast(picked, shape)


# ------------------------------------------------------------------ complex numbers
Angle = define(
    "Angle",
    infer=same,
    kernel=lambda xp: (
        lambda input, Tout: xp.arctan2(xp.imag(input), xp.real(input)).astype(Tout.np)
    ),
    lower=lambda jax: (
        lambda input, Tout: angle_of(jax.numpy, input.imag, input.real).astype(Tout.np)
    ),
    grad=[lambda dy, input: _angle_grad(dy, input)],
)


def _angle_grad(dy, z):
    """dy i z / |z|^2 = i dy / conj(z)."""
    return realdiv(complex(zeros_like(dy), dy), conj(z))


def angle(input: TensorValue, name: str | None = None) -> Tensor:
    """The argument atan2(imag, real) in radians, elementwise: zeros for real numbers.

    Args:
        input: a numeric tensor. name: the name of the node in a graph.
    Returns:
        float32 of complex64, float64 of complex128, in (-pi, pi]; else the dtype of
        `input`.
    Example:
        tf.angle(tf.constant([1j]))  # [1.5708]
    """
    x = convert_to_tensor(input, name="input")
    return part(Angle, x, name) if x.dtype.is_complex else zeros_like(x)


ComplexAbs = define(
    "ComplexAbs",
    infer=same,
    kernel=lambda xp: lambda x, Tout: xp.abs(x).astype(Tout.np),
    grad=[lambda dy, x: multiply(with_zero_imag(dy), sign(x))],
)


def complex_abs(x, name=None):
    """The size sqrt(a^2 + b^2) of complex numbers a + ib, elementwise; see tf.abs.

    Args:
        x: complex64 or complex128 of any shape. name: the name of the node in a graph.
    Returns:
        float32 or float64 of the same shape.
    """
    return part(ComplexAbs, convert_to_tensor(x, name="x"), name)
