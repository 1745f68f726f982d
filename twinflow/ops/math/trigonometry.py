"""Circular and hyperbolic functions and their inverses."""

from twinflow.base import factory
from twinflow.base.op import INEXACT, define
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.complex import conjugated
from twinflow.ops.core.describe import binary_doc, unary_doc
from twinflow.ops.core.elementwise import (
    add,
    multiply,
    negative,
    realdiv,
    rsqrt,
    square,
    subtract,
)
from twinflow.ops.core.exponential import angle_of, without_denormals
from twinflow.ops.core.infer import broadcast, same


def _function(
    kind, fname, ufunc, formula, grad, grad_names="mul", types=None, lower=None
):
    op = define(
        kind,
        infer=same,
        kernel=lambda xp: getattr(xp, ufunc),
        lower=lower,
        types=types,
        grad=[grad],
        grad_names=grad_names,
    )
    return op, factory.unary(op, fname, unary_doc(formula))


def _lower_asin(jax):
    jnp = jax.numpy

    def kernel(x):  # an arctan2 in jax 0.12
        real = jnp.issubdtype(x.dtype, jnp.floating)
        return jnp.arcsin(without_denormals(jnp, x) if real else x)

    return kernel


Sin, sin = _function(
    "Sin", "sin", "sin", "The sine of x radians",
    lambda dy, x: multiply(dy, cos(conjugated(x))),
)  # fmt: skip
Cos, cos = _function(
    "Cos", "cos", "cos", "The cosine of x radians",
    lambda dy, x: negative(multiply(dy, sin(conjugated(x)))),
)  # fmt: skip
Tan, tan = _function(
    "Tan", "tan", "tan", "The tangent of x radians",
    lambda dy, y: multiply(dy, add(1.0, square(conjugated(y)))), types=INEXACT,
)  # fmt: skip
Asin, asin = _function(
    "Asin", "asin", "arcsin", "The angle in radians whose sine is x, in [-1, 1]",
    lambda dy, x: multiply(dy, rsqrt(subtract(1.0, square(conjugated(x))))),
    types=INEXACT, lower=_lower_asin,
)  # fmt: skip
Acos, acos = _function(
    "Acos", "acos", "arccos", "The angle in radians whose cosine is x, in [-1, 1]",
    lambda dy, x: negative(multiply(dy, rsqrt(subtract(1.0, square(conjugated(x)))))),
    types=INEXACT,
)  # fmt: skip
Atan, atan = _function(
    "Atan", "atan", "arctan", "The angle in radians whose tangent is x",
    lambda dy, x: realdiv(dy, add(1.0, square(conjugated(x)))), types=INEXACT,
)  # fmt: skip
Sinh, sinh = _function(
    "Sinh", "sinh", "sinh", "The hyperbolic sine",
    lambda dy, x: multiply(dy, cosh(conjugated(x))),
)  # fmt: skip
Cosh, cosh = _function(
    "Cosh", "cosh", "cosh", "The hyperbolic cosine",
    lambda dy, x: multiply(dy, sinh(conjugated(x))),
)  # fmt: skip
Asinh, asinh = _function(
    "Asinh", "asinh", "arcsinh", "The inverse of the hyperbolic sine",
    lambda dy, y: realdiv(dy, cosh(conjugated(y))), "truediv",
)  # fmt: skip
Acosh, acosh = _function(
    "Acosh", "acosh", "arccosh", "The inverse of the hyperbolic cosine, for x >= 1",
    lambda dy, y: realdiv(dy, sinh(conjugated(y))), "truediv",
)  # fmt: skip
Atanh, atanh = _function(
    "Atanh", "atanh", "arctanh", "The inverse of the hyperbolic tangent, in (-1, 1)",
    lambda dy, x: realdiv(dy, subtract(1.0, square(conjugated(x)))),
)  # fmt: skip


def _lower_atan2(jax):
    jnp = jax.numpy

    def kernel(y, x):
        return angle_of(jnp, without_denormals(jnp, y), without_denormals(jnp, x))

    return kernel


Atan2 = define(
    "Atan2",
    infer=broadcast,
    kernel=lambda xp: xp.arctan2,
    lower=_lower_atan2,
    grad=[
        lambda dy, shape_y, y, x: unbroadcast(
            multiply(dy, realdiv(x, add(square(x), square(y)))), shape_y
        ),
        lambda dy, shape_x, y, x: unbroadcast(
            multiply(dy, realdiv(negative(y), add(square(x), square(y)))), shape_x
        ),
    ],
    grad_names="mul mul_1",
    strict=True,
)
atan2 = factory.binary(
    Atan2,
    "atan2",
    binary_doc("The angle of the point (x, y) in radians", "float", args=("y", "x")),
    args=("y", "x"),
)
