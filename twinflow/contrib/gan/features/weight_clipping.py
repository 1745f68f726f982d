"""Optimizers that keep weights small, for discriminators of Wasserstein GANs."""

from collections.abc import Iterable
from typing import Any

from twinflow.contrib.opt.variable_clipping import VariableClippingOptimizer


def clip_variables(
    optimizer: Any, variables: Iterable[Any], weight_clip: float
) -> VariableClippingOptimizer:
    """An optimizer after whose steps no element is larger than a bound.

    Args:
        optimizer: the Optimizer. variables: which ones. weight_clip: the bound.
    Raises:
        ValueError: the bound is negative.
    """
    if weight_clip < 0:
        raise ValueError(
            f"`discriminator_weight_clip` must be positive. Instead, was {weight_clip}"
        )
    each_element: dict = {v: [] for v in variables}
    return VariableClippingOptimizer(
        optimizer, each_element, weight_clip, colocate_clip_ops_with_vars=True
    )


def clip_discriminator_weights(
    optimizer: Any, model: Any, weight_clip: float
) -> VariableClippingOptimizer:
    """An optimizer after whose steps no weight of a discriminator is large.

    Args:
        optimizer: the Optimizer. model: a GANModel. weight_clip: the bound.
    Raises:
        ValueError: the bound is negative.
    """
    return clip_variables(optimizer, model.discriminator_variables, weight_clip)
