"""What is known of the mean of normal numbers of known scale, once some are seen."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.distributions.normal import Normal
from twinflow.ops.core.constant import cast
from twinflow.ops.core.elementwise import sqrt, square


def _posterior(prior, scale, s, n):
    """(the mean of the mean, its variance, the variance of numbers)."""
    if not isinstance(prior, Normal):
        raise TypeError("Expected prior to be an instance of type Normal")
    if s.dtype != prior.dtype:
        raise TypeError(
            "Observation sum s.dtype does not match prior dtype: "
            f"{s.dtype} vs. {prior.dtype}"
        )
    n = cast(n, prior.dtype)
    before, each = square(prior.scale), square(scale)
    after = 1.0 / (1 / before + n / each)
    return (prior.loc / before + s / each) * after, after, each


def normal_conjugates_known_scale_posterior(
    prior: Any, scale: TensorValue, s: Any, n: TensorValue
) -> Normal:
    """The distribution of the mean of normal numbers once n of them are seen.

    Args:
        prior: a Normal, what was known of the mean. scale: float, the standard
            deviation of the numbers. s: float, their sum. n: int, their number.
    Returns:
        A Normal.
    Raises:
        TypeError: prior is something else, or the dtype of s is another one.
    """
    mean, variance, _ = _posterior(prior, scale, s, n)
    return Normal(loc=mean, scale=sqrt(variance))


def normal_conjugates_known_scale_predictive(
    prior: Any, scale: TensorValue, s: Any, n: TensorValue
) -> Normal:
    """The distribution of the next number; see normal_conjugates_known_scale_posterior.

    Args:
        prior, scale, s, n: as there.
    Returns:
        A Normal.
    Raises: as there.
    """
    mean, variance, each = _posterior(prior, scale, s, n)
    return Normal(loc=mean, scale=sqrt(variance + each))
