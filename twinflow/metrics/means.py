"""Metrics that are means; see Note [Streaming metrics]."""

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.losses.weights import broadcast_weights
from twinflow.metrics.streaming import (
    aligned,
    metric,
    metric_variable,
    safe_div,
    so_far,
)
from twinflow.ops.core.compare import equal, less, where
from twinflow.ops.core.constant import cast, to_float
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import abs, multiply, sqrt, square, subtract
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.size import size
from twinflow.ops.math.confusion_matrix import remove_squeezable_dimensions
from twinflow.ops.variables.state import assign_add


@metric()
def mean(values, weights=None):
    """sum(values * weights) / sum(weights)

    Args:
        values: a numeric tensor.
    Returns:
        (the mean so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the weights do not fit.
    Example:
        value, update = tf.metrics.mean([1.0, 3.0])
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)  # 2.0
    """
    values = to_float(values)
    total = metric_variable([], dtypes.float32, name="total")
    count = metric_variable([], dtypes.float32, name="count")
    values, parts = _weighted(values, weights)
    parts = to_float(size(values)) if parts is None else reduce_sum(parts)
    return _ratio(total, count, reduce_sum(values), parts, values)


def _ratio(total, count, added, parts, values):
    """total / count, before and after a batch is added to both."""
    totals = assign_add(total, added)
    with current_mode().control_dependencies([values]):
        counts = assign_add(count, parts)
    return safe_div(so_far(total), so_far(count), "value"), safe_div(
        totals, counts, "update_op"
    )


def _weighted(values, weights):
    """Values times weights, and the weights as large, if there are any."""
    if weights is None:
        return values, None
    values, _, weights = aligned(values, None, weights)
    weights = broadcast_weights(to_float(weights), values)
    return multiply(values, weights), weights


@metric("mean")
def mean_tensor(values, weights=None):
    """The mean over the batches of each element.

    Args:
        values: a numeric tensor of known shape. Others: see mean.
    Returns:
        (the means so far, the op that adds this batch), in the shape of `values`.
    Raises: see mean.
    """
    values = to_float(values)
    total, count = (
        metric_variable(values.shape.as_list(), dtypes.float32, name=n)
        for n in ("total_tensor", "count_tensor")
    )
    parts = ones_like(values)
    if weights is not None:
        values, weights = _weighted(values, weights)
        parts = multiply(parts, weights)
    return _ratio(total, count, values, parts, values)


@metric()
def accuracy(labels, predictions, weights=None, *, name=None):
    """How often `predictions` is `labels`.

    Args:
        labels, predictions: tensors of one shape; `predictions` is converted to the
            dtype of `labels`. Others: see mean.
    Returns, Raises: see mean.
    Example:
        value, update = tf.metrics.accuracy([1, 2], [1, 3])
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)  # 0.5
    """
    predictions, labels, weights = aligned(predictions, labels, weights)
    predictions.shape.assert_is_compatible_with(labels.shape)
    if labels.dtype != predictions.dtype:
        predictions = cast(predictions, labels.dtype)
    right = to_float(equal(predictions, labels))
    return mean(right, weights, name=name or "accuracy")


@metric()
def mean_absolute_error(labels, predictions, weights=None, *, name=None):
    """The mean of |predictions - labels|.

    Args:
        labels, predictions: numeric tensors of one shape. Others: see mean.
    Returns, Raises: see mean.
    """
    predictions, labels, weights = aligned(predictions, labels, weights)
    errors = abs(predictions - labels)
    return mean(errors, weights, name=name or "mean_absolute_error")


@metric()
def mean_cosine_distance(labels, predictions, dim, weights=None, *, name=None):
    """The mean of 1 - sum(labels * predictions) along an axis, for unit vectors.

    Args:
        labels, predictions: float tensors of one shape. dim: the axis of the vectors.
        Others: see mean.
    Returns, Raises: see mean.
    """
    predictions, labels, weights = aligned(predictions, labels, weights)
    products = reduce_sum(multiply(predictions, labels), axis=[dim], keepdims=True)
    found = mean(products, weights, name=name or "mean_cosine_distance")
    return tuple(subtract(1.0, t) for t in found)


@metric()
def mean_relative_error(labels, predictions, normalizer, weights=None, *, name=None):
    """The mean of |labels - predictions| / normalizer; 0 where the normalizer is 0.

    Args:
        labels, predictions, normalizer: numeric tensors of one shape.
        Others: see mean.
    Returns, Raises: see mean.
    """
    predictions, labels, weights = aligned(predictions, labels, weights)
    predictions, normalizer = remove_squeezable_dimensions(predictions, normalizer)
    predictions.shape.assert_is_compatible_with(normalizer.shape)
    errors = where(
        equal(normalizer, 0.0),
        zeros_like(labels),
        div(abs(labels - predictions), normalizer),
    )
    return mean(errors, weights, name=name or "mean_relative_error")


@metric()
def mean_squared_error(labels, predictions, weights=None, *, name=None):
    """The mean of (labels - predictions) ** 2.

    Args:
        labels, predictions: numeric tensors of one shape. Others: see mean.
    Returns, Raises: see mean.
    """
    predictions, labels, weights = aligned(predictions, labels, weights)
    errors = square(labels - predictions)
    return mean(errors, weights, name=name or "mean_squared_error")


@metric()
def root_mean_squared_error(labels, predictions, weights=None, *, name=None):
    """The square root of mean_squared_error.

    Args, Returns, Raises: see mean_squared_error.
    """
    name = name or "root_mean_squared_error"
    found = mean_squared_error(labels, predictions, weights, name=name)
    return tuple(sqrt(t) for t in found)


@metric()
def percentage_below(values, threshold, weights=None, *, name=None):
    """How many of the values are below a threshold, from 0 to 1.

    Args:
        values: a numeric tensor. threshold: a number. Others: see mean.
    Returns, Raises: see mean.
    """
    below = to_float(less(values, threshold))
    return mean(below, weights, name=name or "percentage_below_threshold")
