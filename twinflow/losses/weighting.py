"""From losses per example to one number: weights and reductions."""

from numbers import Real

from twinflow.base.dispatch import current_mode
from twinflow.losses.collection import LOSSES, add_loss
from twinflow.ops.arrays.constant import cast, convert_to_tensor, to_float
from twinflow.ops.arrays.creation import ones_like, zeros_like
from twinflow.ops.arrays.shape import size
from twinflow.ops.infer import product
from twinflow.ops.math.compare import equal, greater, where
from twinflow.ops.math.elementwise import multiply, realdiv
from twinflow.ops.math.reduction import reduce_sum


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
    def all(cls):
        """All reductions."""
        return (
            cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE,
            cls.SUM_OVER_NONZERO_WEIGHTS, cls.SUM_BY_NONZERO_WEIGHTS,
        )  # fmt: skip

    @classmethod
    def validate(cls, key):
        """Raises ValueError if `key` is not a reduction."""
        if key not in cls.all():
            raise ValueError(f"Invalid ReductionKey {key}.")


BY_NONZERO = Reduction.SUM_BY_NONZERO_WEIGHTS


def compute_weighted_loss(
    losses, weights=1.0, scope=None, loss_collection=LOSSES, reduction=BY_NONZERO
):
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
    if weights is None:
        raise ValueError("weights must not be None; 1.0 leaves the losses as they are.")
    with current_mode().name_scope(scope or "weighted_loss"):
        losses = convert_to_tensor(losses)
        found = _reduced(to_float(losses), weights, reduction)
        found = cast(found, losses.dtype)
    add_loss(found, loss_collection)
    return found


def _reduced(losses, weights, reduction):
    count = product(losses._shape) if losses._shape is not None else None
    if isinstance(weights, Real) and weights and count:
        return _evenly(losses, weights, reduction, count)
    weights = to_float(convert_to_tensor(weights))
    _check_weights(losses._shape, weights._shape)
    losses = multiply(losses, weights, "Mul")
    if reduction == Reduction.NONE:
        return losses
    total = reduce_sum(losses)
    if reduction == Reduction.SUM:
        return total
    if reduction == Reduction.MEAN:
        return _ratio(total, reduce_sum(multiply(ones_like(losses), weights)))
    if reduction == Reduction.SUM_OVER_BATCH_SIZE:
        return _ratio(total, to_float(size(losses)))
    return _ratio(total, _present(losses, weights))


def _evenly(losses, weight, reduction, count):
    """The same weight, not 0, for a known number of losses."""
    if weight != 1:
        losses = multiply(losses, float(weight), "Mul")
    if reduction == Reduction.NONE:
        return losses
    total = reduce_sum(losses)
    if reduction == Reduction.SUM:
        return total
    parts = count * weight if reduction == Reduction.MEAN else count
    return realdiv(total, float(parts), "value")


def _present(losses, weights):
    """How many losses have a weight that is not 0."""
    with current_mode().name_scope("num_present") as scope:
        present = where(equal(weights, 0.0), zeros_like(weights), ones_like(weights))
        return reduce_sum(multiply(present, ones_like(losses)), name=scope)


def _ratio(total, count):
    """total / count; 0 where there is nothing to count."""
    safe = where(equal(count, 0.0), ones_like(count), count)
    ratio = realdiv(total, safe, "div")
    return where(greater(count, 0.0), ratio, zeros_like(total), "value")


def _check_weights(values, weights):
    """Weights are broadcast only along axes of size 1."""
    if values is None or not weights:
        return
    start = "weights can not be broadcast to values. "
    if len(values) != len(weights):
        raise ValueError(
            f"{start}values.rank={len(values)}. weights.rank={len(weights)}. "
            f"values.shape={_text(values)}. weights.shape={_text(weights)}."
        )
    for axis, (v, w) in enumerate(zip(values, weights, strict=True)):
        if w != 1 and w != v and None not in (v, w):
            raise ValueError(
                f"{start}Mismatch at dim {axis}. values.shape={_spaced(values)} "
                f"weights.shape={_spaced(weights)}."
            )


def _text(shape):
    return str(tuple("?" if d is None else d for d in shape)).replace("'", "")


def _spaced(shape):
    return "[" + " ".join("?" if d is None else str(d) for d in shape) + "]"
