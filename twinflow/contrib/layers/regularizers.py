"""Regularizers of tf.contrib.layers: functions from weights to a loss."""

import numbers
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.graph.scopes import add_to_collection, get_collection
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import add, add_n, multiply
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.nn.dropout import l2_loss
from twinflow.ops.variables.collections import GraphKeys


def _checked(scale, what="scale", end=""):
    """The weight; raises ValueError for ints, and below 0 (the text ends in `end`)."""
    if isinstance(scale, numbers.Integral):
        raise ValueError(f"{what} cannot be an integer: {scale}")
    if isinstance(scale, numbers.Real) and scale < 0.0:
        raise ValueError(
            f"Setting a scale less than 0 on a regularizer: {scale:g}" + end
        )
    return scale


def _none(weights, name=None):
    return None


def _regularizer(scale, default, scope, penalty):
    if isinstance(scale, numbers.Real) and scale == 0.0:
        return _none

    def regularize(weights, name=None):
        with current_mode().name_scope(scope or default) as at:
            factor = convert_to_tensor(scale, weights.dtype.base_dtype, "scale")
            return multiply(factor, penalty(weights), at)

    return regularize


def l1_regularizer(scale: Any, scope: Any = None) -> Any:
    """scale * sum(|w|).

    Args:
        scale: a float, 0. for none. scope: a name.
    Raises:
        ValueError: scale is an int or negative.
    """
    return _regularizer(
        _checked(scale), "l1_regularizer", scope, lambda w: reduce_sum(absolute(w))
    )


def l2_regularizer(scale: Any, scope: Any = None) -> Any:
    """scale * sum(w^2) / 2; see l1_regularizer."""
    return _regularizer(_checked(scale, end="."), "l2_regularizer", scope, l2_loss)


def l1_l2_regularizer(
    scale_l1: Any = 1.0, scale_l2: Any = 1.0, scope: Any = None
) -> Any:
    """scale_l1 * sum(|w|) + scale_l2 * sum(w^2) / 2."""
    _checked(scale_l1, "scale_l1"), _checked(scale_l2, "scale_l2")
    scope = scope or "l1_l2_regularizer"
    if not scale_l1:
        return l2_regularizer(scale_l2, scope)
    if not scale_l2:
        return l1_regularizer(scale_l1, scope)
    first, second = l1_regularizer(scale_l1), l2_regularizer(scale_l2)

    def regularize(weights):
        with current_mode().name_scope(scope) as at:
            return add(first(weights), second(weights), at)

    return regularize


def sum_regularizer(regularizer_list: Any, scope: Any = None) -> Any:
    """The sum of several regularizers; None where there are none."""
    regularizers = [r for r in regularizer_list if r is not None]
    if not regularizers:
        return None

    def regularize(weights):
        with current_mode().name_scope(scope or "sum_regularizer") as at:
            found = [r(weights) for r in regularizers]
            found = [t for t in found if t is not None]
            return add_n(found, at) if found else None

    return regularize


def apply_regularization(regularizer: Any, weights_list: Any = None) -> Any:
    """The sum of the penalties of weights, which joins the regularization losses.

    Args:
        regularizer: a function from a variable to a scalar (or None).
        weights_list: variables; those of the collection "weights" if not given.
    Raises:
        ValueError: a penalty is no scalar.
    """
    if weights_list is None:
        weights_list = get_collection(GraphKeys.WEIGHTS)
    if not weights_list:
        weights_list = []
    with current_mode().name_scope("get_regularization_penalty") as at:
        found = [regularizer(w) for w in weights_list]
        found = [t if t is not None else constant(0.0) for t in found]
        for t in found:
            if t.shape.ndims != 0:
                raise ValueError(
                    f"regularizer must return a scalar Tensor instead of a Tensor with "
                    f"rank {t.shape.ndims}."
                )
        total = add_n(found, at) if found else constant(0.0, name=at)
    add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
    return total
