"""The incomplete gamma and beta functions."""

from typing import Any

import numpy as np
from scipy import special

from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.elementwise import add, exp, log, multiply, negative, subtract
from twinflow.ops.core.infer import broadcast, merge, text
from twinflow.ops.math.truncation import xlogy
from twinflow.ops.special import xla_forms
from twinflow.ops.special.gamma import digamma, lgamma
from twinflow.ops.special.igamma_edges import MOST, lower_edges, upper_edges
from twinflow.ops.special.igamma_slopes import gamma_sample_grad, igamma_grad_a
from twinflow.ops.special.scipy_kernels import through


def _density(a, x):
    """x^(a-1) e^-x / Gamma(a): the derivative of igamma by x."""
    return exp(subtract(subtract(xlogy(subtract(a, 1.0), x), x), lgamma(a)))


def _with_edges(function, edges):
    return through(lambda a, x: edges(np, function(a, x), a, x))


def _is_short(xp):
    return lambda a, x: xp.all((a <= MOST) | ~xp.isfinite(a) | ~(x > 0) | xp.isinf(x))


Igamma = define(
    "Igamma",
    infer=broadcast,
    kernel=_with_edges(special.gammainc, lower_edges),
    lower=xla_forms.igamma,
    grad=[
        lambda dy, shape_a, a, x: unbroadcast(
            multiply(dy, _igamma_grad_a(a, x)), shape_a
        ),
        lambda dy, shape_x, a, x: unbroadcast(multiply(dy, _density(a, x)), shape_x),
    ],
    guard=_is_short,
    strict=True,
)


def igamma(a: TensorValue, x: TensorValue, name: str | None = None) -> Tensor:
    """The lower regularised incomplete gamma function P(a, x).

    P(a, x) = integral of t^(a-1) e^-t / Gamma(a) over t from 0 to x

    Args:
        a: a float32 or float64 tensor, > 0. x: a tensor of its dtype, >= 0.
        name: the name of the node in a graph.
    Returns:
        A tensor of the broadcast shape; nan outside of these ranges.
    Example:
        tf.igamma(1.0, 2.0)  # 0.865
    """
    return apply(Igamma, (a, x), None, name)


Igammac = define(
    "Igammac",
    infer=broadcast,
    kernel=_with_edges(special.gammaincc, upper_edges),
    lower=xla_forms.igammac,
    grad=[
        lambda dy, shape_a, a, x: unbroadcast(
            negative(multiply(dy, _igamma_grad_a(a, x))), shape_a
        ),
        lambda dy, shape_x, a, x: unbroadcast(
            negative(multiply(dy, _density(a, x))), shape_x
        ),
    ],
    guard=_is_short,
    strict=True,
)


def igammac(a: TensorValue, x: TensorValue, name: str | None = None) -> Any:
    """The upper regularised incomplete gamma function 1 - P(a, x); see tf.igamma."""
    return apply(Igammac, (a, x), None, name)


def _igamma_grad_a_grad(dy, shape_x, a, x):
    """d^2 P / da dx, the derivative of the density by a."""
    slope = multiply(_density(a, x), subtract(log(x), digamma(a)))
    return unbroadcast(multiply(dy, slope), shape_x)


IgammaGradA = define(
    "IgammaGradA",
    infer=broadcast,
    kernel=lambda xp: igamma_grad_a,
    lower=xla_forms.igamma_grad_a,
    grad=[None, _igamma_grad_a_grad],
    guard=_is_short,
    strict=True,
)


def _igamma_grad_a(a, x):
    return apply(IgammaGradA, (a, x))


RandomGammaGrad = define(
    "RandomGammaGrad",
    infer=broadcast,
    kernel=lambda xp: gamma_sample_grad,
    guard=lambda xp: lambda alpha, sample: _is_short(xp)(alpha, sample),
    lower=xla_forms.random_gamma_grad,
    strict=True,
)


# ------------------------------------------------------------------ beta
def _infer_betainc(a, b, x):
    known = [(n, t._shape) for n, t in (("a", a), ("b", b), ("x", x)) if t._shape != ()]
    if not known:
        return ()
    (first, out), *others = known
    for name, s in others:
        eager = (
            f"Shapes of {first} and {name} are inconsistent: {text(out)} vs. {text(s)}"
        )
        out = merge(out, s, eager)
    return out


def _betainc(a, b, x):
    out = special.betainc(a, b, x)
    return np.where((a > 0) & (b > 0), out, out.dtype.type("nan"))


def _betainc_grad(dy, shape_x, a, b, x):
    """The density x^(a-1) (1-x)^(b-1) / Beta(a, b)."""
    beta = subtract(add(lgamma(a), lgamma(b)), lgamma(add(a, b)))
    powers = add(xlogy(subtract(b, 1.0), subtract(1.0, x)), xlogy(subtract(a, 1.0), x))
    return unbroadcast(multiply(dy, exp(subtract(powers, beta))), shape_x)


Betainc = define(
    "Betainc",
    infer=_infer_betainc,
    kernel=through(_betainc, np.float64),
    lower=xla_forms.betainc,
    grad=[None, None, _betainc_grad],
)


def betainc(
    a: TensorValue, b: TensorValue, x: TensorValue, name: str | None = None
) -> Tensor:
    """The regularised incomplete beta function I(x; a, b).

    I = integral of t^(a-1) (1-t)^(b-1) / Beta(a, b) over t from 0 to x

    Args:
        a, b: float32 or float64 tensors, > 0. No gradient flows to them.
        x: a tensor of their dtype in [0, 1].
        name: the name of the node in a graph.
    Returns:
        A tensor of the one shape that those which are no scalars have.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): they have two shapes.
    Example:
        tf.betainc(1.0, 1.0, 0.3)  # 0.3
    """
    return apply(Betainc, (a, b, x), None, name)
