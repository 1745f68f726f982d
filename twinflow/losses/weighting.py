"""From losses per example to one number: weights and reductions."""

from numbers import Real
from typing import Any

import numpy as np

from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import current_mode
from twinflow.base.dtypes import as_dtype, float32
from twinflow.base.tensor import Tensor
from twinflow.losses.collection import LOSSES, add_loss
from twinflow.losses.weights import (
    assert_broadcastable,
    broadcast_ids,
    broadcast_weights,
    check_ids,
)
from twinflow.ops.core.compare import equal, where
from twinflow.ops.core.constant import cast, convert_to_tensor, to_float
from twinflow.ops.core.creation import ones_like, range, zeros_like
from twinflow.ops.core.elementwise import maximum, multiply, realdiv
from twinflow.ops.core.infer import product
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import rank
from twinflow.ops.core.size import size
from twinflow.ops.math.truncation import div_no_nan


class Reduction:
    """How losses per example become one.

    NONE: they do not. SUM: their weighted sum; the others divide it: MEAN by the sum of
    the weights, SUM_OVER_BATCH_SIZE by their number, SUM_BY_NONZERO_WEIGHTS by the
    number of weights that are not 0.
    """

    NONE = "none"
    SUM = "weighted_sum"
    MEAN = "weighted_mean"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All reductions."""
        return (
            cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE,
            cls.SUM_OVER_NONZERO_WEIGHTS, cls.SUM_BY_NONZERO_WEIGHTS,
        )  # fmt: skip

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError if `key` is not a reduction."""
        if key not in cls.all():
            raise ValueError(f"Invalid ReductionKey {key}.")


BY_NONZERO = Reduction.SUM_BY_NONZERO_WEIGHTS


def compute_weighted_loss(
    losses: Any, weights: Any = 1.0, scope: str | None = None,
    loss_collection: str | None = LOSSES, reduction: str = BY_NONZERO,
) -> Tensor:  # fmt: skip
    """reduction(losses * weights).

    Args:
        losses: a numeric tensor. weights: a number, or a tensor of the same number of
            axes, each of the same size or 1.
        scope: the name scope. loss_collection: the collection to add the loss to; None
            for none. reduction: one of Reduction.
    Returns:
        A scalar of the dtype of `losses`; like `losses` if the reduction is NONE.
    Raises:
        ValueError: the weights do not fit, or there is no such reduction.
    Example:
        tf.losses.compute_weighted_loss([1., 3.], [1., 0.])  # 1.0
    """
    Reduction.validate(reduction)
    current_mode().variable_owner().state["last loss reduction"] = reduction
    if weights is None:
        raise ValueError("weights must not be None; 1.0 leaves the losses as they are.")
    mode = current_mode()
    with mode.name_scope(scope or "weighted_loss"):
        mode.leave_ids((not is_tensor_like(losses)) + (not is_tensor_like(weights)))
        losses = convert_to_tensor(losses)
        with mode.counted(_ids(losses, weights, reduction)):
            found = _weighted(losses, weights, reduction)
    add_loss(found, loss_collection)
    return found


def _ids(losses, weights, reduction):
    """How many nodes TensorFlow makes; None where none are made."""
    if current_mode().eager:
        return None
    if is_tensor_like(weights):
        kind, made = weights.dtype.base_dtype, 0
        known = weights.shape
        given = None if known.ndims is None else tuple(known.as_list())
    else:
        kind, made = as_dtype(np.asarray(weights).dtype), 1
        kind, given = float32 if kind.is_floating else kind, np.shape(weights)
    casts = (kind != float32) + 2 * (losses.dtype != float32)
    first = check_ids(given, losses._shape) + made + casts
    if reduction == Reduction.NONE:
        return first + 1
    unranked = 3 * (losses._shape is None or given is None)
    rest = {
        Reduction.SUM: 0, Reduction.MEAN: 19 + unranked,
        Reduction.SUM_OVER_BATCH_SIZE: 15,
        BY_NONZERO: 22 + unranked + broadcast_ids(given, losses._shape),
    }  # fmt: skip
    return first + 3 + unranked + rest[reduction]


def _weighted(losses, weights, reduction):
    checks = []
    if not isinstance(weights, Real):
        checks = [assert_broadcastable(weights, losses)]
    with current_mode().control_dependencies([c for c in checks if c is not None]):
        given = weights if isinstance(weights, Real) else to_float(weights)
        return cast(_reduced(to_float(losses), given, reduction), losses.dtype)


def _reduced(losses, weights, reduction):
    if current_mode().eager and isinstance(weights, Real) and weights > 0:
        count = product(losses._shape)
        if count:
            return _evenly(losses, weights, reduction, count)
    losses = multiply(losses, weights, "Mul")
    if reduction == Reduction.NONE:
        return losses
    total = reduce_sum(losses)
    if reduction == Reduction.SUM:
        return total
    if reduction == Reduction.MEAN:
        count = reduce_sum(multiply(ones_like(losses), weights))
        return safe_mean(total, maximum(count, 0))
    if reduction == Reduction.SUM_OVER_BATCH_SIZE:
        return safe_mean(total, num_elements(losses))
    return safe_mean(total, num_present(losses, weights))


def _evenly(losses, weight, reduction, count):
    """The same weight, above 0, for all losses: what it comes to, computed at once."""
    if weight != 1:
        losses = multiply(losses, float(weight), "Mul")
    if reduction == Reduction.NONE:
        return losses
    total = reduce_sum(losses)
    if reduction == Reduction.SUM:
        return total
    parts = count * weight if reduction == Reduction.MEAN else count
    return realdiv(total, float(parts), "value")


def num_present(losses, weights, per_batch=False):
    """How many losses have a weight that is not 0, in all or for each example."""
    with current_mode().name_scope("num_present") as scope:
        weights = to_float(weights)
        present = where(equal(weights, 0.0), zeros_like(weights), ones_like(weights))
        present = broadcast_weights(present, losses)
        if per_batch:
            axes = axes_of(present)
            return reduce_sum(present, axis=axes, keepdims=True, name=scope)
        return reduce_sum(present, name=scope)


def num_elements(losses):
    """How many losses there are, in their dtype."""
    with current_mode().name_scope("num_elements") as scope:
        return cast(size(losses, name=scope), losses.dtype)


def axes_of(t):
    """All axes of a tensor but the first."""
    return range(1, rank(t))


def safe_mean(total, count):
    """total / count; 0 where there is nothing to count."""
    return div_no_nan(total, count, "value")
