"""Metrics for each class, averaged; see Note [Streaming metrics]."""

from twinflow.base import dtypes
from twinflow.metrics.streaming import metric, metric_variable, safe_div, so_far
from twinflow.ops.core.compare import equal, greater, not_equal, where
from twinflow.ops.core.constant import cast, convert_to_tensor, to_float, to_int64
from twinflow.ops.core.creation import ones, ones_like
from twinflow.ops.core.division import div
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.size import size
from twinflow.ops.math.confusion_matrix import confusion_matrix
from twinflow.ops.matrix.tensor_diag import diag_part
from twinflow.ops.variables.parts import scatter_add
from twinflow.ops.variables.state import assign_add


def _flat(t):
    """A tensor as a vector."""
    is_flat = t._shape is not None and len(t._shape) <= 1
    return t if is_flat else reshape(t, [-1])


@metric()
def mean_iou(labels, predictions, num_classes, weights=None):
    """The mean over the classes of right / (labelled or predicted): of their overlaps.

    Classes that do not occur are left out.

    Args:
        labels, predictions: integer tensors of one shape, in [0, num_classes).
        num_classes: an int.
    Returns:
        (the mean so far, float32; the op that adds this batch and gives the confusion
        matrix, float64[num_classes, num_classes])
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
    labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
    predictions.shape.assert_is_compatible_with(labels.shape)
    table = metric_variable(
        [num_classes, num_classes], dtypes.float64, name="total_confusion_matrix"
    )
    labels, predictions = _flat(to_int64(labels)), _flat(to_int64(predictions))
    if weights is not None:
        weights = _flat(convert_to_tensor(weights))
    added = confusion_matrix(
        labels, predictions, to_int64(num_classes), weights=weights,
        dtype=dtypes.float64,
    )  # fmt: skip
    update = assign_add(table, added)
    return _mean_overlap(so_far(table)), update


def _mean_overlap(table):
    either = to_float(reduce_sum(table, 0)) + to_float(reduce_sum(table, 1))
    right = to_float(diag_part(table))
    either = either - right
    present = reduce_sum(cast(not_equal(either, 0), dtypes.float32))
    overlap = div(right, where(greater(either, 0), either, ones_like(either)))
    total = reduce_sum(overlap, name="mean_iou")
    return where(greater(present, 0), total / present, 0)


@metric("mean_accuracy")
def mean_per_class_accuracy(labels, predictions, num_classes, weights=None):
    """The mean over the classes of how many of the class are found.

    Args:
        labels: integers in [0, num_classes). predictions: a tensor of their shape.
        num_classes: an int.
    Returns:
        (the mean so far, float32; the op that adds this batch and gives the accuracies,
        float32[num_classes])
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
    labels = _flat(to_int64(labels))
    predictions = _flat(convert_to_tensor(predictions))
    predictions.shape.assert_is_compatible_with(labels.shape)
    total = metric_variable([num_classes], dtypes.float32, name="total")
    count = metric_variable([num_classes], dtypes.float32, name="count")
    each = ones([size(labels)], dtypes.float32)
    if labels.dtype != predictions.dtype:
        predictions = cast(predictions, labels.dtype)
    right = to_float(equal(predictions, labels))
    if weights is not None:
        weights = to_float(_flat(convert_to_tensor(weights)))
        right, each = right * weights, each * weights
    totals = scatter_add(total, labels, each)
    counts = scatter_add(count, labels, right)
    value = reduce_mean(
        safe_div(so_far(count), so_far(total), None), name="mean_accuracy"
    )
    return value, safe_div(counts, totals, "update_op")
