"""Expectations as means over samples, with gradients and importance weights."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dispatch, nest
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor, stop_gradient
from twinflow.ops.core.elementwise import exp, log
from twinflow.ops.core.reduction import reduce_max, reduce_mean
from twinflow.ops.nn.activation import relu


def expectation(
    f: Callable[..., Any], samples: Any, log_prob: Callable[..., Any] | None = None,
    use_reparametrization: bool = True, axis: Any = 0, keep_dims: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The mean of f over samples, with the gradient of the expectation.

    Args:
        f: a function of the samples. samples: a tensor or a structure of tensors.
        log_prob: the logarithm of the density of a sample, for the score's gradient.
        use_reparametrization: whether the gradient goes through the samples; if not,
            it goes through `log_prob`.
        axis, keep_dims: of the samples, see tf.reduce_mean. name: a name scope.
    Returns:
        float: the mean.
    Raises:
        ValueError: f, or a log_prob that is needed, is no function.
    Example:
        mean = tf.contrib.bayesflow.monte_carlo.expectation
        mean(tf.square, tf.constant([1.0, 2.0, 3.0]))  # 4.6666665
    """
    with dispatch.current_mode().name_scope(name or "expectation"):
        if not callable(f):
            raise ValueError("`f` must be a callable function.")
        if use_reparametrization:
            return reduce_mean(f(samples), axis, keepdims=keep_dims)
        if not callable(log_prob):
            raise ValueError("`log_prob` must be a callable function.")
        samples = nest.map_structure(stop_gradient, samples)
        score = log_prob(samples)
        values = f(samples) * exp(score - stop_gradient(score))
        return reduce_mean(values, axis, keepdims=keep_dims)


def expectation_importance_sampler(
    f: Callable[..., Any], log_p: Callable[..., Any], sampling_dist_q: Any,
    z: Any = None, n: Any = None,
    seed: int | None = None, name: str = "expectation_importance_sampler",
) -> Tensor:  # fmt: skip
    """The mean of f(z) * p(z) / q(z) over samples z of q.

    Args:
        f: a function of samples to float[samples, ...], positive or negative.
        log_p: the logarithm of the density p. sampling_dist_q: the distribution q.
        z: samples of q; or n: how many to draw, with `seed`. name: a name scope.
    Returns:
        float[...]: the mean over the first axis.
    Raises:
        ValueError: not just one of z and n is given.
    """
    with dispatch.current_mode().name_scope(name):
        z = _samples(sampling_dist_q, z, n, seed)
        weights = log_p(z) - sampling_dist_q.log_prob(z)
        values = f(z)
        plus = exp(_log_mean(log(relu(values)) + weights))
        minus = exp(_log_mean(log(relu(-1.0 * values)) + weights))
    return plus - minus


def expectation_importance_sampler_logspace(
    log_f: Callable[..., Any], log_p: Callable[..., Any], sampling_dist_q: Any,
    z: Any = None, n: Any = None, seed: int | None = None,
    name: str = "expectation_importance_sampler_logspace",
) -> Tensor:  # fmt: skip
    """The logarithm of the mean of exp(log_f(z)) * p(z) / q(z), without overflow.

    Args: see expectation_importance_sampler.
        log_f: the logarithm of a positive function.
    Returns:
        float[...]: the logarithm of the mean over the first axis.
    """
    with dispatch.current_mode().name_scope(name):
        z = _samples(sampling_dist_q, z, n, seed)
        return _log_mean(log_f(z) + log_p(z) - sampling_dist_q.log_prob(z))


def _log_mean(values: Tensor) -> Tensor:
    """log(mean(exp(values))) over the first axis."""
    most = stop_gradient(reduce_max(values, [0]))
    return log(reduce_mean(exp(values - most), [0])) + most


def _samples(distribution: Any, z: Any, n: Any, seed: int | None) -> Tensor:
    if (n is None) == (z is None):
        raise ValueError(
            'Must specify exactly one of arguments "n" and "z".  Found: '
            f"n = {n}, z = {z}"
        )
    if z is not None:
        return convert_to_tensor(z, name="z")
    return distribution.sample(n, seed=seed)
