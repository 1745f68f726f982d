"""Clipping of gradients whose norm is unusual."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.compare import less, where
from twinflow.ops.core.constant import to_float
from twinflow.ops.core.elementwise import exp, log, maximum, minimum, sqrt
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.math.clip import global_norm
from twinflow.ops.random.initializers import Zeros
from twinflow.summary.summaries import scalar
from twinflow.train.moving_averages import assign_moving_average


def adaptive_clipping_fn(
    std_factor: float = 2.0, decay: float = 0.95, static_max_norm: float | None = None,
    global_step: Any = None, report_summary: bool = False, epsilon: float = 1e-8,
    name: str | None = None,
) -> Callable[[list], list]:  # fmt: skip
    """What clips gradients whose norm is far above those of late, for optimize_loss.

    The mean and the standard deviation of the logarithm of the norm move along; a norm
    above ``exp(mean + std_factor * deviation)`` becomes ``exp(mean)``.

    Args:
        std_factor: how many deviations are usual. decay: of the moving averages.
        static_max_norm: never let the limit be above this.
        global_step: let the averages settle faster in the first steps.
        report_summary: add a summary of the limit. epsilon: keeps from log(0).
        name: of the variables' scope.
    Returns:
        A function of (gradient, variable) pairs that gives such pairs.
    """

    def gradient_clipping(grads_and_vars: list) -> list:
        grads, variables = zip(*grads_and_vars, strict=True)
        norm = global_norm(grads)
        limit, mean = _limit(norm, std_factor, decay, global_step, epsilon, name)
        if report_summary:
            scalar("global_norm/adaptive_max_gradient_norm", limit)
        if static_max_norm is not None:
            limit = minimum(limit, static_max_norm)
        factor = where(less(norm, limit), norm * 0 + 1, exp(mean) / norm)
        return list(zip([_scaled(g, factor) for g in grads], variables, strict=True))

    return gradient_clipping


def _limit(norm, std_factor, decay, global_step, epsilon, name):
    """The greatest usual norm, and the mean of its logarithm."""
    with variable_scope(name, "AdaptiveMaxNorm", [norm]):
        value = log(norm + epsilon)
        if global_step is not None:
            n = to_float(global_step)
            decay = minimum(decay, n / (n + 1.0))
        mean = _average("mean", value, decay)
        squares = _average("sq_mean", value * value, decay)
        deviation = sqrt(maximum(epsilon, squares - mean * mean))
        return exp(mean + std_factor * deviation), mean


def _average(name, value, decay):
    """The moving average of a scalar, kept in a variable."""
    kept = get_variable(
        name, shape=value.shape, dtype=dtypes.float32, initializer=Zeros(),
        trainable=False,
    )  # fmt: skip
    return assign_moving_average(kept, value, decay, zero_debias=False)


def _scaled(grad, factor):
    if grad is None:
        return None
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
    return grad * factor
