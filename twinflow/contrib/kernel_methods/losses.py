"""The hinge loss of several classes."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.losses.losses import compute_weighted_loss
from twinflow.losses.weighting import Reduction
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.reduction import reduce_max, reduce_sum
from twinflow.ops.core.shape import squeeze
from twinflow.ops.variables.collections import GraphKeys


def sparse_multiclass_hinge_loss(
    labels: TensorValue, logits: TensorValue, weights: Any = 1.0, scope: Any = None,
    loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:  # fmt: skip
    """The hinge loss of classes: max(0, 1 + the best other logit - that of the label).

    Args:
        labels: int[n] or [n, 1], the classes. logits: float[n, classes].
        weights: a number, or float[n] or [n, 1]. scope: the scope of the ops.
        loss_collection: that the loss joins. reduction: see tf.losses.Reduction.
    Returns:
        float[], or [n] with Reduction.NONE
    Raises:
        ValueError: something is missing, or the shapes do not fit.
    Reference: Crammer, Singer: Multiclass kernel-based vector machines (2001).
    Example:
        loss = tf.contrib.kernel_methods.sparse_multiclass_hinge_loss
        loss(tf.constant([0]), tf.constant([[2., 1.5]]))  # 0.5
    """
    with name_scope(scope, "sparse_multiclass_hinge_loss", [logits, labels]) as scope:
        if labels is None or logits is None or weights is None:
            raise ValueError(
                f"labels, logits, weights: expected tensors, got {labels}, {logits}, "
                f"{weights}."
            )
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        labels, weights = _checked(labels, logits), convert_to_tensor(weights)
        if weights.shape.ndims == 2:
            weights = squeeze(weights, [1])
        own = one_hot(labels, logits.shape[1].value, dtype=logits.dtype)
        right = reduce_sum(own * logits, 1)
        others = reduce_max(logits * (1 - own) + own * logits.dtype.min / 2, 1)
        losses = maximum(1 + others - right, 0)
        return compute_weighted_loss(
            losses, cast(weights, losses.dtype), scope, loss_collection, reduction
        )


def _checked(labels, logits):
    """Labels as int[n].

    Raises:
        ValueError: the shapes or the dtype are others.
    """
    if logits.shape.ndims != 2:
        raise ValueError(
            f"logits: expected [n, classes], got the shape {logits.shape}."
        )
    if labels.shape.ndims not in (1, 2):
        raise ValueError(
            f"labels: expected [n] or [n, 1], got the shape {labels.shape}."
        )
    if not labels.dtype.is_integer:
        raise ValueError(
            f"Invalid dtype for labels: {labels.dtype}. Acceptable dtypes: int32 and "
            "int64"
        )
    if labels.shape.ndims == 2:
        labels = squeeze(labels, [1])
    if not labels.shape[0].is_compatible_with(logits.shape[0]):
        raise ValueError(
            f"Dimension mismatch: {labels.shape} labels, {logits.shape} logits."
        )
    return cast(labels, dtypes.int64)
