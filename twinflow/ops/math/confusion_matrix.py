"""Which classes are taken for which."""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import add, maximum
from twinflow.ops.core.index_vectors import scatter_nd
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import reduce_max
from twinflow.ops.core.shape import rank, squeeze
from twinflow.ops.debugging.checks import assert_less, assert_non_negative
from twinflow.ops.debugging.static import with_dependencies


def remove_squeezable_dimensions(
    labels: TensorValue, predictions: TensorValue, expected_rank_diff: int = 0,
    name: str | None = None,
) -> tuple:  # fmt: skip
    """Drop a last axis of size 1 where one tensor has an axis more than expected.

    Args:
        labels, predictions: tensors.
        expected_rank_diff: the rank of predictions less that of labels.
        name: the name scope in a graph.
    Returns:
        (labels, predictions)
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the axis is larger.
    """
    label = name or "remove_squeezable_dimensions"
    with dispatch.current_mode().name_scope(label):
        predictions = convert_to_tensor(predictions)
        labels = convert_to_tensor(labels)
        if labels._shape is None or predictions._shape is None:
            return _squeezed_later(labels, predictions, expected_rank_diff)
        more = len(predictions._shape) - len(labels._shape) - expected_rank_diff
        if more == 1:
            predictions = squeeze(predictions, [-1])
        elif more == -1:
            labels = squeeze(labels, [-1])
        return labels, predictions


def _squeezed_later(labels, predictions, expected):
    """The same in a graph, for a rank that is not known yet."""
    cond = dispatch.current_mode().cond
    difference = rank(predictions) - rank(labels)

    def squeezed(t, wanted):
        if t._shape is not None and not (t._shape and t._shape[-1] in (1, None)):
            return t
        return cond(equal(wanted, difference), lambda: squeeze(t, [-1]), lambda: t)

    return squeezed(labels, expected - 1), squeezed(predictions, expected + 1)


def _checked(t, name, num_classes):
    """`t` as int64 in [0, num_classes)."""
    t = cast(t, dtypes.int64)
    negative = f"`{name}` contains negative values"
    t = with_dependencies([assert_non_negative(t, message=negative)], t)
    if num_classes is None:
        return t
    limit = cast(num_classes, dtypes.int64)
    found = assert_less(t, limit, message=f"`{name}` out of bound")
    return with_dependencies([found], t)


def confusion_matrix(
    labels: TensorValue, predictions: TensorValue, num_classes: Any = None,
    dtype: DTypeValue = dtypes.int32, name: str | None = None,
    weights: TensorValue | None = None,
) -> Tensor:  # fmt: skip
    """How often each label (row) was predicted as each class (column).

    Args:
        labels, predictions: numbers[n], whole and >= 0; a last axis of size 1 is
            dropped.
        num_classes: how many classes; by default the largest number + 1.
        dtype: the DType of the result. name: the name scope in a graph.
        weights: numbers[n], counted instead of 1.
    Returns:
        dtype[num_classes, num_classes]
    Raises:
        InvalidArgumentError: a number is negative or not below `num_classes`.
        ValueError: `weights` has another shape than `predictions`, or the labels have
            more than one axis.
    Example:
        tf.confusion_matrix([0, 1, 1], [0, 1, 0])  # [[1, 0], [1, 1]]
    """
    with dispatch.current_mode().name_scope(name or "confusion_matrix"):
        labels, predictions = remove_squeezable_dimensions(
            convert_to_tensor(labels, name="labels"),
            convert_to_tensor(predictions, name="predictions"),
        )
        labels = _checked(labels, "labels", num_classes)
        predictions = _checked(predictions, "predictions", num_classes)
        if weights is None:
            values = ones_like(predictions, dtype)
        else:
            weights = convert_to_tensor(weights)
            predictions.shape.assert_is_compatible_with(weights.shape)
            values = cast(weights, dtype)
        if num_classes is None:
            top = maximum(reduce_max(predictions), reduce_max(labels))
            num_classes = cast(add(top, 1), dtypes.int32)
        places = stack([labels, predictions], axis=1)
        places.shape.with_rank(2)
        shape = cast(stack([num_classes, num_classes]), dtypes.int64)
        return scatter_nd(places, values, shape)
