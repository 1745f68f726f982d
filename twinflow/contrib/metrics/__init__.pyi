# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.ops.math.confusion_matrix import confusion_matrix as confusion_matrix
def streaming_mean(values: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.mean, with predictions before labels.
    """
def streaming_mean_tensor(values: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.mean_tensor, with predictions before labels.
    """
def streaming_accuracy(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.accuracy, with predictions before labels.
    """
def streaming_mean_absolute_error(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.mean_absolute_error, with predictions before labels.
    """
def streaming_mean_cosine_distance(predictions: Any, labels: Any, dim: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.mean_cosine_distance, with predictions before labels.
    """
def streaming_mean_relative_error(predictions: Any, labels: Any, normalizer: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.mean_relative_error, with predictions before labels.
    """
def streaming_mean_squared_error(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.mean_squared_error, with predictions before labels.
    """
def streaming_root_mean_squared_error(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.root_mean_squared_error, with predictions before labels.
    """
def streaming_percentage_less(values: Any, threshold: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.percentage_below, with predictions before labels.
    """
def streaming_true_positives(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.true_positives, with predictions before labels.
    """
def streaming_true_negatives(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.true_negatives, with predictions before labels.
    """
def streaming_false_positives(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.false_positives, with predictions before labels.
    """
def streaming_false_negatives(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.false_negatives, with predictions before labels.
    """
def streaming_precision(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.precision, with predictions before labels.
    """
def streaming_recall(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.recall, with predictions before labels.
    """
def streaming_precision_at_thresholds(predictions: Any, labels: Any, thresholds: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.precision_at_thresholds, with predictions before labels.
    """
def streaming_recall_at_thresholds(predictions: Any, labels: Any, thresholds: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.recall_at_thresholds, with predictions before labels.
    """
def streaming_auc(predictions: Any, labels: Any, weights: Any = ..., num_thresholds: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., curve: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.auc, with predictions before labels.
    """
def streaming_sensitivity_at_specificity(predictions: Any, labels: Any, specificity: Any, weights: Any = ..., num_thresholds: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.sensitivity_at_specificity, with predictions before labels.
    """
def streaming_specificity_at_sensitivity(predictions: Any, labels: Any, sensitivity: Any, weights: Any = ..., num_thresholds: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.specificity_at_sensitivity, with predictions before labels.
    """
def streaming_mean_iou(predictions: Any, labels: Any, num_classes: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.mean_iou, with predictions before labels.
    """
def streaming_sparse_precision_at_k(predictions: Any, labels: Any, k: Any, class_id: Any = ..., weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.precision_at_k, with predictions before labels.
    """
def streaming_sparse_recall_at_k(predictions: Any, labels: Any, k: Any, class_id: Any = ..., weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.recall_at_k, with predictions before labels.
    """
def streaming_sparse_average_precision_at_k(predictions: Any, labels: Any, k: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.average_precision_at_k, with predictions before labels.
    """
from twinflow.contrib.metrics.streaming import accuracy as accuracy
from twinflow.contrib.metrics.streaming import aggregate_metrics as aggregate_metrics
from twinflow.contrib.metrics.streaming import aggregate_metric_map as aggregate_metric_map
def sparse_recall_at_top_k(labels: Any, top_k_predictions: Any, class_id: Any = ..., weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.recall_at_top_k, without a `k`.
    """
def streaming_recall_at_k(predictions: Any, labels: Any, k: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""How often the label is among the k best predictions.

    Args:
        predictions: float32[batch, classes]. labels: integers[batch]. k: an int.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the recall so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
def streaming_sparse_precision_at_top_k(top_k_predictions: Any, labels: Any, class_id: Any = ..., weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.precision_at_top_k, with predictions before labels.
    """
def streaming_sparse_average_precision_at_top_k(top_k_predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""tf.metrics.average_precision_at_top_k, with predictions before labels.
    """
def streaming_true_positives_at_thresholds(predictions: Any, labels: Any, thresholds: Any, weights: Any = ...) -> Any:
    r"""The number of true positives, for each threshold.

    Args:
        predictions: float32, any shape. labels: a tensor of its shape, taken as bools.
        thresholds: a list of n numbers; what lies above one is predicted.
        weights: see Note [Streaming metrics].
    Returns:
        (the variable that holds the numbers, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
def streaming_true_negatives_at_thresholds(predictions: Any, labels: Any, thresholds: Any, weights: Any = ...) -> Any:
    r"""The number of true negatives, for each threshold.

    Args:
        predictions: float32, any shape. labels: a tensor of its shape, taken as bools.
        thresholds: a list of n numbers; what lies above one is predicted.
        weights: see Note [Streaming metrics].
    Returns:
        (the variable that holds the numbers, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
def streaming_false_positives_at_thresholds(predictions: Any, labels: Any, thresholds: Any, weights: Any = ...) -> Any:
    r"""The number of false positives, for each threshold.

    Args:
        predictions: float32, any shape. labels: a tensor of its shape, taken as bools.
        thresholds: a list of n numbers; what lies above one is predicted.
        weights: see Note [Streaming metrics].
    Returns:
        (the variable that holds the numbers, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
def streaming_false_negatives_at_thresholds(predictions: Any, labels: Any, thresholds: Any, weights: Any = ...) -> Any:
    r"""The number of false negatives, for each threshold.

    Args:
        predictions: float32, any shape. labels: a tensor of its shape, taken as bools.
        thresholds: a list of n numbers; what lies above one is predicted.
        weights: see Note [Streaming metrics].
    Returns:
        (the variable that holds the numbers, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
def streaming_false_positive_rate(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""How many of those that are false were predicted.

    Args:
        predictions, labels: tensors of one shape, taken as bools.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the rate so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    Example:
        value, update = tf.contrib.metrics.streaming_false_positive_rate(
            tf.constant([1, 0]), tf.constant([0, 0]))
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)  # 0.5
    """
def streaming_false_negative_rate(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""How many of those that are true were not predicted.

    Args, Returns, Raises: see streaming_false_positive_rate.
    """
def streaming_false_positive_rate_at_thresholds(predictions: Any, labels: Any, thresholds: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""How many of those that are false lie above a threshold, for each threshold.

    Args:
        predictions: float32, any shape. labels: a tensor of its shape, taken as bools.
        thresholds: a list of n numbers.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the rates so far, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
def streaming_false_negative_rate_at_thresholds(predictions: Any, labels: Any, thresholds: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""How many of those that are true do not lie above a threshold, for each threshold.

    Args, Returns, Raises: see streaming_false_positive_rate_at_thresholds.
    """
def streaming_curve_points(labels: Any = ..., predictions: Any = ..., weights: Any = ..., num_thresholds: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., curve: Any = ..., name: Any = ...) -> Any:
    r"""Points of the ROC or the precision-recall curve.

    Args:
        labels: a tensor, taken as bools. predictions: float32, of its shape.
        num_thresholds: n, the number of points. curve: "ROC" or "PR".
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the points so far, float32[n, 2]; the op that adds this batch)
    Raises:
        RuntimeError: eager mode. ValueError: there is no such curve.
    """
def f1_score(labels: Any, predictions: Any, weights: Any = ..., num_thresholds: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""The largest 2 * precision * recall / (precision + recall) of all thresholds.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        num_thresholds: how many are tried.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the score so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. InvalidArgumentError: a prediction is not in [0, 1].
    Example:
        value, update = tf.contrib.metrics.f1_score([0, 1], [0.3, 0.8])
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        round(float(sess.run(update)), 3)  # 1.0
    """
def recall_at_precision(labels: Any, predictions: Any, precision: Any, weights: Any = ..., num_thresholds: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ..., strict_mode: Any = ...) -> Any:
    r"""How many true ones are found where so many of those found are true.

    Args:
        labels: a tensor, taken as bools. predictions: float32, of its shape.
        precision: the part of those found that is true, in [0, 1].
        num_thresholds: how many are tried; the one that comes nearest is taken.
        strict_mode: whether only one counts that gives at least the precision; 0 is
            the value if there is none.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the recall so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: `precision` is not in [0, 1].
    """
def precision_at_recall(labels: Any, predictions: Any, target_recall: Any, weights: Any = ..., num_thresholds: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""How many of those found are true where at least so many true ones are found.

    Args:
        labels: a tensor, taken as bools. predictions: float32, of its shape.
        target_recall: the part of the true ones that is found, in [0, 1].
        num_thresholds: how many are tried; the highest that finds enough is taken.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the precision so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: `target_recall` is not in [0, 1].
    """
def cohen_kappa(labels: Any, predictions_idx: Any, num_classes: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""How far labels and predictions agree beyond chance: (po - pe) / (n - pe).

    po is how many of n agree, pe how many would if they did not depend on each other.

    Args:
        labels, predictions_idx: integers[batch] or [batch, 1], in [0, num_classes).
        num_classes: an int, at least 2.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
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
def count(values: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""How many values there are, or the sum of their weights.

    Args:
        values: a tensor.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the count so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the weights do not fit.
    """
def streaming_covariance(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""sum((predictions - their mean) * (labels - their mean)) / (n - 1)

    Args:
        predictions, labels: float32 tensors of one shape.
        weights: how often each value counts; n is their sum.
        metrics_collections, updates_collections, name: see Note [Streaming metrics].
    Returns:
        (the covariance so far, the op that adds this batch), float32 scalars; NaN
        where n is not above 1.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    Reference: Chan, Golub and LeVeque, Updating formulae and a pairwise algorithm for
    computing sample variances (1979), for adding a batch.
    """
def streaming_pearson_correlation(predictions: Any, labels: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""covariance(predictions, labels) / (deviation of each)

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
def auc_with_confidence_intervals(labels: Any, predictions: Any, weights: Any = ..., alpha: Any = ..., logit_transformation: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""The area under the ROC curve, and where it lies with probability `alpha`.

    Args:
        labels: 0 or 1, any shape. predictions: numbers of its shape.
        weights: as for all metrics. alpha: in (0, 1).
        logit_transformation: whether the interval is symmetric in log(a / (1 - a)),
            which keeps it in [0, 1], or in the area a.
        metrics_collections, updates_collections, name: see Note [Streaming metrics].
    Returns:
        ((auc, lower, upper) so far, float32 scalars; the op that adds this batch). All
        are 0 where this batch has only one kind of labels, or weights below 1 in sum.
    Raises:
        RuntimeError: eager mode. ValueError: `alpha` is not in (0, 1).
        InvalidArgumentError: a label is not 0 or 1.
    Reference: Sun and Xu, Fast implementation of DeLong's algorithm (2014).
    """
def streaming_concat(values: Any, axis: Any = ..., max_size: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> Any:
    r"""All values, joined along an axis.

    Args:
        values: a tensor of known shape but for `axis`. axis: an int.
        max_size: how many are kept along the axis; the first ones. None for all.
        metrics_collections, updates_collections, name: see Note [Streaming metrics].
    Returns:
        (the values so far, the op that adds this batch and gives their number, int32)
    Raises:
        RuntimeError: eager mode.
        ValueError: the shape is not known, or has no such axis.
    Example:
        value, update = tf.contrib.metrics.streaming_concat(tf.constant([1.0, 2.0]))
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)
        sess.run(value)  # [1.0, 2.0]
    """
def streaming_dynamic_auc(labels: Any, predictions: Any, curve: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ..., weights: Any = ...) -> Any:
    r"""The area under a curve with a point for each prediction so far.

    Args:
        labels: 0 or 1, any shape. predictions: numbers of its shape.
        curve: "ROC" or "PR". weights: numbers of its shape, at least 0.
        metrics_collections, updates_collections, name: see Note [Streaming metrics].
    Returns:
        (the area so far, float64; the op that adds this batch). The area is 0 where
        all labels are the same.
    Raises:
        RuntimeError: eager mode. ValueError: there is no such curve.
        InvalidArgumentError: a label is not 0 or 1.
    """
def auc_using_histogram(boolean_labels: Any, scores: Any, score_range: Any, nbins: Any = ..., collections: Any = ..., check_shape: bool = ..., name: str | None = ...) -> Any:
    r"""The area under the ROC curve, from histograms of the scores of both kinds.

    Args:
        boolean_labels: bool[n]. scores: numbers[n].
        score_range: [lowest, highest] of the dtype of the scores; what lies outside
            counts for the first or last bin.
        nbins: the number of bins. collections: of the histograms, LOCAL_VARIABLES by
            default. check_shape: whether to check that both are vectors.
        name: the variable scope.
    Returns:
        (the area so far, a float32 scalar; the op that adds this batch)
    Raises:
        RuntimeError: eager mode. ValueError: the labels are not bools.
    Reference: Bouckaert, Efficient AUC learning curve calculation (2006).
    """
def precision_recall_at_equal_thresholds(labels: Any, predictions: Any, weights: Any = ..., num_thresholds: Any = ..., use_locking: Any = ..., name: str | None = ...) -> Any:
    r"""Counts, precision and recall at evenly spaced thresholds.

    Each prediction is looked at once: for many predictions and thresholds.

    Args:
        labels: bool, any shape. predictions: floats in [0, 1] of its shape.
        weights: a tensor that broadcasts to it. num_thresholds: n, 201 by default.
        use_locking: accepted: updates are never lost. name: the variable scope.
    Returns:
        ((tp, fp, tn, fn, precision, recall, thresholds) so far, each [n] of the dtype
        of the predictions; the op that adds this batch). A prediction counts as
        positive where it is at least the threshold.
    Raises:
        RuntimeError: eager mode. TypeError: the labels are not bools.
        InvalidArgumentError: a prediction is not in [0, 1].
    """
from twinflow.ops.sparse.sets import set_difference as set_difference
from twinflow.ops.sparse.sets import set_intersection as set_intersection
from twinflow.ops.sparse.sets import set_size as set_size
from twinflow.ops.sparse.sets import set_union as set_union

__all__ = [
"confusion_matrix", "streaming_mean", "streaming_mean_tensor", "streaming_accuracy",
"streaming_mean_absolute_error", "streaming_mean_cosine_distance",
"streaming_mean_relative_error", "streaming_mean_squared_error",
"streaming_root_mean_squared_error", "streaming_percentage_less",
"streaming_true_positives", "streaming_true_negatives", "streaming_false_positives",
"streaming_false_negatives", "streaming_precision", "streaming_recall",
"streaming_precision_at_thresholds", "streaming_recall_at_thresholds", "streaming_auc",
"streaming_sensitivity_at_specificity", "streaming_specificity_at_sensitivity",
"streaming_mean_iou", "streaming_sparse_precision_at_k", "streaming_sparse_recall_at_k",
"streaming_sparse_average_precision_at_k", "accuracy", "aggregate_metrics",
"aggregate_metric_map", "sparse_recall_at_top_k", "streaming_recall_at_k",
"streaming_sparse_precision_at_top_k", "streaming_sparse_average_precision_at_top_k",
"streaming_true_positives_at_thresholds", "streaming_true_negatives_at_thresholds",
"streaming_false_positives_at_thresholds", "streaming_false_negatives_at_thresholds",
"streaming_false_positive_rate", "streaming_false_negative_rate",
"streaming_false_positive_rate_at_thresholds",
"streaming_false_negative_rate_at_thresholds", "streaming_curve_points", "f1_score",
"recall_at_precision", "precision_at_recall", "cohen_kappa", "count",
"streaming_covariance", "streaming_pearson_correlation",
"auc_with_confidence_intervals", "streaming_concat", "streaming_dynamic_auc",
"auc_using_histogram", "precision_recall_at_equal_thresholds", "set_difference",
"set_intersection", "set_size", "set_union"
]
