"""The error function."""

import math

from scipy import special

from twinflow.base import factory
from twinflow.base.op import define
from twinflow.ops.core.describe import unary_doc
from twinflow.ops.core.elementwise import exp, multiply, negative, square
from twinflow.ops.core.infer import same
from twinflow.ops.core.sparse_values import sparse_too
from twinflow.ops.special.scipy_kernels import through

_TWO_BY_SQRT_PI = 2.0 / math.sqrt(math.pi)


def _bell(dy, x, scale):
    return multiply(dy, multiply(exp(negative(square(x))), scale))


Erf = define(
    "Erf",
    infer=same,
    kernel=through(special.erf),
    lower=lambda jax: jax.lax.erf,
    grad=[lambda dy, x: _bell(dy, x, _TWO_BY_SQRT_PI)],
    grad_names="mul_1",
)
erf = factory.unary(
    Erf, "erf", unary_doc("The error function", "float"), slow=sparse_too(Erf)
)

Erfc = define(
    "Erfc",
    infer=same,
    kernel=through(special.erfc),
    lower=lambda jax: jax.lax.erfc,
    grad=[lambda dy, x: _bell(dy, x, -_TWO_BY_SQRT_PI)],
    grad_names="mul_1",
)
erfc = factory.unary(Erfc, "erfc", unary_doc("1 - erf(x)", "float"))
