"""The gamma function's logarithm and its derivatives, and the zeta function."""

from typing import Any

import numpy as np
from scipy import special

from twinflow.base import dispatch, dtypes, factory, native
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.describe import unary_doc
from twinflow.ops.core.elementwise import add, multiply, negative, subtract
from twinflow.ops.core.infer import broadcast, same
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.xla_calls import InXla
from twinflow.ops.special import xla_forms
from twinflow.ops.special.scipy_kernels import through

FULL = (dtypes.float32, dtypes.float64)


def _lgamma(x):
    if x.dtype == np.float32 and hasattr(native.fast, "lgamma"):
        x, out = np.ascontiguousarray(x), np.empty(x.shape, x.dtype)
        native.fast.lgamma(x, out)
        return out
    return special.gammaln(np.where(x == -np.inf, -x, x))


_ONE = np.ones(1, np.float32)
_LGAMMA_IN_XLA = InXla("lgamma_for_xla", ((_ONE.shape, np.float32), [0], _ONE), [0.0])


@bind_first
def _lgamma_in_xla(jax, x):
    other = xla_forms.lgamma(jax)
    if x.dtype != np.float32:
        return other(x)
    return _LGAMMA_IN_XLA.call(jax, other, (x.shape, x.dtype), [0], x)


Lgamma = define(
    "Lgamma",
    infer=same,
    kernel=through(_lgamma),
    lower=_lgamma_in_xla,
    grad=[lambda dy, x: multiply(dy, digamma(x))],
    grad_names="mul",
)
lgamma = factory.unary(Lgamma, "lgamma", unary_doc("log |Gamma(x)|", "float"))


def _psi(x):
    """SciPy's, but inf at the poles, as in TensorFlow."""
    pole = (x <= 0) & (x == np.floor(x))
    return np.where(pole, x.dtype.type(np.inf), special.psi(x))


Digamma = define(
    "Digamma",
    infer=same,
    kernel=through(_psi),
    lower=xla_forms.digamma,
    grad=[lambda dy, x: multiply(dy, _slope(x, 1))],
    grad_names="mul",
)
digamma = factory.unary(
    Digamma, "digamma", unary_doc("The derivative of lgamma", "float")
)


def _slope(x, order):
    """The derivative of digamma; half floats have no polygamma, as in TensorFlow."""
    return polygamma(constant(order, x.dtype), x)


def _polygamma(n, x):
    sign = np.where(n % 2 == 0, -1, 1).astype(n.dtype)
    other = sign * special.gamma(n + 1) * special.zeta(n + 1, x)
    other = np.where(n == np.floor(n), other, n.dtype.type(np.nan))
    return np.where(n == 0, _psi(x), other)


Polygamma = define(
    "Polygamma",
    infer=broadcast,
    kernel=through(_polygamma),
    lower=xla_forms.polygamma,
    grad=[
        None,
        lambda dy, shape_x, a, x: unbroadcast(
            multiply(dy, polygamma(add(a, 1.0), x)), shape_x
        ),
    ],
    strict=True,
)


def polygamma(a: TensorValue, x: TensorValue, name: str | None = None) -> Tensor:
    """The derivative of order `a` of digamma at x: (-1)^(a+1) a! zeta(a + 1, x).

    Args:
        a: a float32 or float64 tensor of whole numbers >= 0; others give nan. No
            gradient flows to it.
        x: a tensor of its dtype. name: the name of the node in a graph.
    Returns:
        A tensor of the broadcast shape.
    Example:
        tf.polygamma(1.0, 1.0)  # 1.645
    """
    return apply(Polygamma, (a, x), None, name)


Zeta = define(
    "Zeta",
    infer=broadcast,
    kernel=through(lambda x, q: np.where(np.isnan(q), q, special.zeta(x, q))),
    lower=xla_forms.zeta,
    grad=[
        None,
        lambda dy, shape_q, x, q: unbroadcast(
            multiply(dy, multiply(negative(x), zeta(add(x, 1.0), q))), shape_q
        ),
    ],
    strict=True,
)


def zeta(x: TensorValue, q: Any, name: str | None = None) -> Tensor:
    """The Hurwitz zeta function, the sum of (q + n)^-x over n = 0, 1, ...

    Args:
        x: a float32 or float64 tensor, > 1 where the result is finite. No gradient
            flows to it.
        q: a tensor of its dtype. name: the name of the node in a graph.
    Returns:
        A tensor of the broadcast shape; nan where the sum is not defined.
    Example:
        tf.zeta(2.0, 1.0)  # 1.645
    """
    return apply(Zeta, (x, q), None, name)


def lbeta(x: TensorValue, name: str | None = None) -> Tensor:
    """log |Beta(x)| along the last axis: sum(lgamma(x)) - lgamma(sum(x)).

    Args:
        x: float[..., n]. name: the name scope in a graph.
    Returns:
        float[...]; -inf where n is 0.
    Example:
        tf.lbeta([1.0, 2.0])  # -0.693
    """
    with dispatch.current_mode().name_scope(name or "lbeta"):
        x = convert_to_tensor(x, name="x")
        total = lgamma(reduce_sum(x, [-1]))
        return subtract(reduce_sum(lgamma(x), [-1]), total)
