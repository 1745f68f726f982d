"""Clipping of gradients by what their norms have been so far."""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.layers.optimize import multiplied
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.compare import less, where
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import exp, log, maximum, minimum, sqrt, square
from twinflow.ops.math.clip import global_norm
from twinflow.ops.random.initializers import Zeros
from twinflow.summary.summaries import scalar
from twinflow.train.moving_averages import assign_moving_average


def adaptive_clipping_fn(
    std_factor: Any = 2.0, decay: Any = 0.95, static_max_norm: Any = None,
    global_step: Any = None, report_summary: bool = False, epsilon: Any = 1e-8,
    name: str | None = None,
) -> Callable[..., Any]:  # fmt: skip
    """A function that clips gradients whose norm is far above the usual.

    Norms above exp(mean + std_factor * deviation) of the logarithms so far are brought
    back to exp(mean).

    Args:
        std_factor: how many deviations are usual. decay: of the moving averages.
        static_max_norm: a bound that holds in any case, or None.
        global_step: where it is given, the averages start with less inertia.
        report_summary: whether to write a summary of the bound.
        epsilon: a small number. name: of the variable scope.
    Returns:
        A function from pairs of (gradient, variable) to such pairs, for optimize_loss.
    """

    def clipped(grads_and_vars: Any) -> list:
        grads = [grad for grad, _ in grads_and_vars]
        norm = global_norm(grads)
        most, mean = adaptive_max_norm(
            norm, std_factor, decay, global_step, epsilon, name
        )
        if report_summary:
            scalar("global_norm/adaptive_max_gradient_norm", most)
        factor = where(less(norm, most), ones_like(norm), exp(mean) / norm)
        if static_max_norm is not None:
            factor = minimum(static_max_norm / norm, factor)
        factors = {v: factor for grad, v in grads_and_vars if grad is not None}
        return multiplied(grads_and_vars, factors)

    return clipped


def adaptive_max_norm(
    norm: Any, std_factor: Any, decay: Any, global_step: Any, epsilon: Any, name: Any
) -> tuple:
    """(the largest usual norm, the mean of the logarithms of norms)."""
    with variable_scope(name, "AdaptiveMaxNorm", [norm]):
        log_norm = log(norm + epsilon)

        def average(what: str, value: Any) -> Any:
            variable = get_variable(
                what, value.shape, value.dtype, Zeros(), trainable=False
            )
            rate = decay
            if global_step is not None:
                count = cast(global_step, "float32")
                rate = minimum(decay, count / (count + 1.0))
            return assign_moving_average(variable, value, rate, zero_debias=False)

        mean = average("mean", log_norm)
        squares = average("sq_mean", square(log_norm))
        deviation = sqrt(maximum(epsilon, squares - square(mean)))
        return exp(mean + std_factor * deviation), mean
