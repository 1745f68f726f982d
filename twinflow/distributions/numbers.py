"""Functions of numbers that several distributions need."""

from typing import Any

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import greater, less, logical_or, where
from twinflow.ops.core.constant import convert_to_tensor, stop_gradient
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import exp, expm1, log, sign
from twinflow.ops.core.reduction import reduce_logsumexp, reduce_max, reduce_sum
from twinflow.ops.core.rounding import is_inf
from twinflow.ops.core.shape import squeeze
from twinflow.ops.special.gamma import lgamma


def log_combinations(
    n: TensorValue, counts: TensorValue, name: str | None = "log_combinations"
) -> Tensor:
    """log(n! / prod counts!), in how many orders things of several kinds can stand.

    Args:
        n: float[...], their number. counts: float[..., kinds], those of each kind.
        name: the name scope in a graph.
    Returns:
        float[...]
    """
    with name_scope(name, values=[n, counts]):
        n = convert_to_tensor(n, name="n")
        counts = convert_to_tensor(counts, name="counts")
        total, each = lgamma(n + 1), lgamma(counts + 1)
        return total - reduce_sum(each, axis=[-1])


def softplus_inverse(x: TensorValue, name: str | None = None) -> Tensor:
    """log(exp(x) - 1), the inverse of softplus, for small and large x too.

    Args:
        x: float[...], > 0. name: the name scope in a graph.
    Returns:
        float[...]
    Example:
        tf.contrib.distributions.softplus_inverse(tf.nn.softplus(2.0))  # 2.0
    """
    with name_scope(name, "softplus_inverse", values=[x]):
        x = convert_to_tensor(x, name="x")
        threshold = np.log(np.finfo(x.dtype.np).eps) + 2.0
        small, large = less(x, np.exp(threshold)), greater(x, -threshold)
        at_small, at_large = log(x), x
        x = where(logical_or(small, large), ones_like(x), x)  # keeps slopes finite
        y = x + log(-expm1(-x))
        return where(small, at_small, where(large, at_large, y))


def reduce_weighted_logsumexp(
    logx: TensorValue, w: Any = None, axis: Any = None, keep_dims: bool = False,
    return_sign: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """log |sum(w exp(logx))|.

    Args:
        logx: float tensor. w: float tensor that is broadcast against it, 1 if None.
        axis, keep_dims: see tf.reduce_sum. name: the name scope in a graph.
        return_sign: whether to return the sign of the sum as well.
    Returns:
        The logarithm, or (logarithm, sign).
    """
    with name_scope(name, "reduce_weighted_logsumexp", [logx, w]):
        logx = convert_to_tensor(logx, name="logx")
        if w is None:
            found = reduce_logsumexp(logx, axis=axis, keepdims=keep_dims)
            return (found, ones_like(found)) if return_sign else found
        w = convert_to_tensor(w, dtype=logx.dtype, name="w")
        log_terms = logx + log(absolute(w))
        top = reduce_max(log_terms, axis=axis, keepdims=True)
        top = stop_gradient(where(is_inf(top), zeros_like(top), top))
        total = reduce_sum(
            sign(w) * exp(log_terms - top), axis=axis, keepdims=keep_dims
        )
        if not keep_dims:
            top = squeeze(top, axis)
        found = top + log(absolute(total))
        return (found, sign(total)) if return_sign else found
