"""tf.contrib.metrics: counts, covariance, agreement; see Note [Streaming metrics]."""

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.losses.weights import broadcast_weights
from twinflow.metrics.streaming import (
    aligned,
    contrib_metric,
    metric_variable,
    safe_div,
    scalar_div,
)
from twinflow.ops.core.compare import less_equal, where
from twinflow.ops.core.constant import convert_to_tensor, identity, to_double, to_float
from twinflow.ops.core.division import truediv
from twinflow.ops.core.elementwise import multiply, sqrt
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import squeeze
from twinflow.ops.core.size import size
from twinflow.ops.math.confusion_matrix import confusion_matrix
from twinflow.ops.matrix.tensor_diag import diag_part
from twinflow.ops.variables.state import assign_add


@contrib_metric()
def count(values, weights=None):
    """How many values there are, or the sum of their weights.

    Args:
        values: a tensor.
    Returns:
        (the count so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the weights do not fit.
    """
    total = metric_variable([], dtypes.float32, name="count")
    values = convert_to_tensor(values)
    if weights is None:
        added = to_float(size(values))
    else:
        values, _, weights = aligned(to_float(values), None, weights)
        added = reduce_sum(broadcast_weights(to_float(weights), values))
    with current_mode().control_dependencies([values]):
        update = assign_add(total, added)
    return identity(total), update


def _batch_mean(values, weights, number, name):
    weighted = values if weights is None else multiply(values, weights)
    return safe_div(reduce_sum(weighted), number, name)


def _moved(mean, new, number, total, name):
    """Add a batch's mean to a running one: (the change, the mean before)."""
    step = safe_div((new - mean) * number, total, name)
    return assign_add(mean, step) - step


@contrib_metric("covariance")
def streaming_covariance(predictions, labels, weights=None):
    """sum((predictions - their mean) * (labels - their mean)) / (n - 1)

    Args:
        predictions, labels: float32 tensors of one shape.
        weights: how often each value counts; n is their sum.
    Returns:
        (the covariance so far, the op that adds this batch), float32 scalars; NaN
        where n is not above 1.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    Reference: Chan, Golub and LeVeque, Updating formulae and a pairwise algorithm for
    computing sample variances (1979), for adding a batch.
    """
    predictions, labels, weights = aligned(predictions, labels, weights)
    seen, mean_x, mean_y, comoment = (
        metric_variable([], dtypes.float32, name=n)
        for n in ("count", "mean_prediction", "mean_label", "comoment")
    )
    if weights is None:
        number = to_float(size(labels))
    else:
        weights = broadcast_weights(weights, labels)
        number = reduce_sum(weights)
    total = assign_add(seen, number)
    x = _batch_mean(predictions, weights, number, "batch_mean_prediction")
    before_x = _moved(mean_x, x, number, total, "delta_mean_prediction")
    y = _batch_mean(labels, weights, number, "batch_mean_label")
    before_y = _moved(mean_y, y, number, total, "delta_mean_label")
    products = (predictions - x) * (labels - y)
    products = products if weights is None else products * weights
    apart = (before_x - x) * (before_y - y) * ((total - number) * number / total)
    update = assign_add(comoment, reduce_sum(products) + apart)
    value = _unbiased(comoment, seen, "covariance")
    with current_mode().control_dependencies([update]):
        return value, _unbiased(comoment, seen, "update_op")


def _unbiased(comoment, seen, name):
    few = less_equal(seen, 1.0)
    return where(few, float("nan"), truediv(comoment, seen - 1), name=name)


@contrib_metric("pearson_r")
def streaming_pearson_correlation(predictions, labels, weights=None):
    """covariance(predictions, labels) / (deviation of each)

    Args, Raises: see streaming_covariance.
    Returns:
        (the correlation so far, the op that adds this batch), float32 scalars.
    Example:
        x = tf.constant([1.0, 2.0, 3.0])
        value, update = tf.contrib.metrics.streaming_pearson_correlation(x, 2 * x)
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        round(float(sess.run(update)), 3)  # 1.0
    """
    predictions, labels, weights = aligned(predictions, labels, weights)
    if weights is not None:
        weights = broadcast_weights(weights, labels)
    both, x, y = (
        streaming_covariance(a, b, weights=weights, name=n)
        for a, b, n in (
            (predictions, labels, "covariance"),
            (predictions, predictions, "variance_predictions"),
            (labels, labels, "variance_labels"),
        )
    )
    return tuple(
        truediv(both[i], multiply(sqrt(x[i]), sqrt(y[i])), name=n)
        for i, n in enumerate(("pearson_r", "update_op"))
    )


@contrib_metric()
def cohen_kappa(labels, predictions_idx, num_classes, weights=None):
    """How far labels and predictions agree beyond chance: (po - pe) / (n - pe).

    po is how many of n agree, pe how many would if they did not depend on each other.

    Args:
        labels, predictions_idx: integers[batch] or [batch, 1], in [0, num_classes).
        num_classes: an int, at least 2.
    Returns:
        (kappa so far, the op that adds this batch), float64 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: `num_classes` is below 2, or the shapes do
            not fit.
    Example:
        value, update = tf.contrib.metrics.cohen_kappa(
            tf.constant([0, 1, 1]), tf.constant([0, 1, 0]), 2)
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        round(float(sess.run(update)), 3)  # 0.4
    """
    if num_classes < 2:
        raise ValueError(f"`num_classes` must be >= 2.Found: {num_classes}")
    labels = convert_to_tensor(labels)
    labels.shape.with_rank_at_most(2)
    labels = squeeze(labels, [-1]) if labels.shape.ndims == 2 else labels
    predictions, labels, weights = aligned(predictions_idx, labels, weights)
    whole = weights is None or weights.dtype.is_integer
    dtype = dtypes.int64 if whole else dtypes.float32
    variables = [
        metric_variable([num_classes], dtype, name=n)
        for n in ("po", "pe_row", "pe_col")
    ]
    table = confusion_matrix(
        labels, predictions, num_classes=num_classes, weights=weights, dtype=dtype,
        name="counts_in_table",
    )  # fmt: skip
    parts = diag_part(table), reduce_sum(table, axis=0), reduce_sum(table, axis=1)
    updates = [assign_add(*v) for v in zip(variables, parts, strict=True)]
    return _kappa(*variables, "value"), _kappa(*updates, "update_op")


def _kappa(same, rows, columns, name):
    total = reduce_sum(rows)
    chance = to_double(reduce_sum(safe_div(rows * columns, total, None)))
    agree, total = to_double(reduce_sum(same)), to_double(total)
    return scalar_div(agree - chance, total - chance, name)
