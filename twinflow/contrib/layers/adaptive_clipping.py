"""Gradients clipped to a norm that follows the norms so far."""

from collections.abc import Callable
from typing import Any

from twinflow.base.dtypes import float32
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.compare import less, where
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import exp, log, maximum, minimum, sqrt, square
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.math.clip import global_norm
from twinflow.ops.random.initializers import Zeros
from twinflow.summary.summaries import scalar
from twinflow.train.moving_averages import assign_moving_average


def adaptive_clipping_fn(
    std_factor: Any = 2.0, decay: Any = 0.95, static_max_norm: Any = None,
    global_step: Any = None, report_summary: bool = False, epsilon: float = 1e-8,
    name: str | None = None,
) -> Callable[[Any], Any]:  # fmt: skip
    """A function that clips gradients whose norm is far above those so far.

    The largest norm is that of log-normal norms, `std_factor` deviations above their
    mean; gradients of a larger one are scaled to the mean.

    Args:
        std_factor: how many standard deviations. decay: of the moving averages.
        static_max_norm: an upper bound of the largest norm, or None.
        global_step: the number of steps so far; the averages adapt faster at first.
        report_summary: whether to make a summary of the largest norm.
        epsilon: a small number. name: the variable scope, "AdaptiveMaxNorm" by default.
    Returns:
        A function of pairs (gradient, variable) to such pairs.
    Example:
        clip = tf.contrib.slim.adaptive_clipping_fn(static_max_norm=1.0)
        x = tf.get_variable("x", initializer=[3.0])
        clip([(tf.constant([3.0]), x)])
    """

    def clip(pairs):
        grads = [g for g, _ in pairs]
        norm = global_norm(grads)
        largest, log_mean = _largest(
            norm, std_factor, decay, global_step, epsilon, name
        )
        if static_max_norm is not None:
            largest = minimum(static_max_norm, largest)
        factor = where(less(norm, largest), ones_like(norm), exp(log_mean) / norm)
        if report_summary:
            scalar("global_norm/adaptive_max_gradient_norm", largest)
        return [(_times(g, factor), v) for g, v in pairs]

    return clip


def _largest(norm, std_factor, decay, step, epsilon, name):
    """(the largest norm that is left as it is, the mean of the logarithms of norms)"""
    with variable_scope(name, "AdaptiveMaxNorm", [norm]):
        value = log(norm + epsilon)
        if step is not None:
            n = cast(step, float32)
            decay = minimum(decay, n / (n + 1.0))
        mean = _average("mean", value, decay)
        square_mean = _average("sq_mean", square(value), decay)
        variance = square_mean - square(mean)
        deviation = sqrt(maximum(epsilon, variance))
        return exp(mean + std_factor * deviation), mean


def _average(name, value, decay):
    kept = get_variable(
        name, shape=value.shape, dtype=value.dtype, initializer=Zeros(), trainable=False
    )
    return assign_moving_average(kept, value, decay, zero_debias=False)


def _times(grad, factor):
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
    return None if grad is None else grad * factor
