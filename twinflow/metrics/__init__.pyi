# Made by `make stubs` from the table of the index.
from twinflow.base.tensor import Tensor
from typing import Any
def mean(values: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""sum(values * weights) / sum(weights)

    Args:
        values: a numeric tensor.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
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
def mean_tensor(values: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""The mean over the batches of each element.

    Args:
        values: a numeric tensor of known shape. Others: see mean.
    Returns:
        (the means so far, the op that adds this batch), in the shape of `values`.
    Raises: see mean.
    """
def accuracy(labels: Any, predictions: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How often `predictions` is `labels`.

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
def mean_absolute_error(labels: Any, predictions: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""The mean of |predictions - labels|.

    Args:
        labels, predictions: numeric tensors of one shape. Others: see mean.
    Returns, Raises: see mean.
    """
def mean_cosine_distance(labels: Any, predictions: Any, dim: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""The mean of 1 - sum(labels * predictions) along an axis, for unit vectors.

    Args:
        labels, predictions: float tensors of one shape. dim: the axis of the vectors.
        Others: see mean.
    Returns, Raises: see mean.
    """
def mean_relative_error(labels: Any, predictions: Any, normalizer: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""The mean of |labels - predictions| / normalizer; 0 where the normalizer is 0.

    Args:
        labels, predictions, normalizer: numeric tensors of one shape.
        Others: see mean.
    Returns, Raises: see mean.
    """
def mean_squared_error(labels: Any, predictions: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""The mean of (labels - predictions) ** 2.

    Args:
        labels, predictions: numeric tensors of one shape. Others: see mean.
    Returns, Raises: see mean.
    """
def percentage_below(values: Any, threshold: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many of the values are below a threshold, from 0 to 1.

    Args:
        values: a numeric tensor. threshold: a number. Others: see mean.
    Returns, Raises: see mean.
    """
def root_mean_squared_error(labels: Any, predictions: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""The square root of mean_squared_error.

    Args, Returns, Raises: see mean_squared_error.
    """
def true_positives(labels: Any, predictions: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many are true and were predicted.

    Args:
        labels, predictions: tensors of one shape, taken as bools.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the number so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
def true_negatives(labels: Any, predictions: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many are false and not predicted.

    Args:
        labels, predictions: tensors of one shape, taken as bools.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the number so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
def false_positives(labels: Any, predictions: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many are false but were predicted.

    Args:
        labels, predictions: tensors of one shape, taken as bools.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the number so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
def false_negatives(labels: Any, predictions: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many are true but not predicted.

    Args:
        labels, predictions: tensors of one shape, taken as bools.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the number so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
def precision(labels: Any, predictions: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many of those that were predicted are true.

    Args:
        labels, predictions: tensors of one shape, taken as bools.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the precision so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    Example:
        value, update = tf.metrics.precision([0, 1, 1], [1, 1, 0])
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)  # 0.5
    """
def recall(labels: Any, predictions: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many of those that are true were predicted.

    Args, Raises: see precision.
    Returns:
        (the recall so far, the op that adds this batch), float32 scalars.
    """
def true_positives_at_thresholds(labels: Any, predictions: Any, thresholds: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many are true and were predicted, for each threshold.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        thresholds: a list of n numbers; what lies above one is predicted.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the numbers so far, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. InvalidArgumentError: a prediction is not in [0, 1].
    """
def true_negatives_at_thresholds(labels: Any, predictions: Any, thresholds: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many are false and not predicted, for each threshold.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        thresholds: a list of n numbers; what lies above one is predicted.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the numbers so far, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. InvalidArgumentError: a prediction is not in [0, 1].
    """
def false_positives_at_thresholds(labels: Any, predictions: Any, thresholds: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many are false but were predicted, for each threshold.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        thresholds: a list of n numbers; what lies above one is predicted.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the numbers so far, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. InvalidArgumentError: a prediction is not in [0, 1].
    """
def false_negatives_at_thresholds(labels: Any, predictions: Any, thresholds: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many are true but not predicted, for each threshold.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        thresholds: a list of n numbers; what lies above one is predicted.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the numbers so far, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. InvalidArgumentError: a prediction is not in [0, 1].
    """
def precision_at_thresholds(labels: Any, predictions: Any, thresholds: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many of those above a threshold are true, for each threshold.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        thresholds: a list of n numbers.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the precisions so far, the op that adds this batch), float32[n].
    Raises:
        RuntimeError: eager mode. InvalidArgumentError: a prediction is not in [0, 1].
    Example:
        labels, scores = tf.constant([0, 1]), tf.constant([0.3, 0.8])
        value, update = tf.metrics.precision_at_thresholds(labels, scores, [0.5])
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        round(float(sess.run(update)[0]), 3)  # 1.0
    """
def recall_at_thresholds(labels: Any, predictions: Any, thresholds: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many of those that are true are above a threshold, for each threshold.

    Args, Raises: see precision_at_thresholds.
    Returns:
        (the recalls so far, the op that adds this batch), float32[n].
    """
def auc(labels: Any, predictions: Any, weights: Any = ..., num_thresholds: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., curve: Any = ..., name: Any = ..., summation_method: Any = ...) -> tuple[Tensor, Any]:
    r"""The area under the ROC or the precision-recall curve, drawn in steps.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        num_thresholds: the number of points of the curve.
        curve: "ROC" or "PR".
        summation_method: "trapezoidal", "careful_interpolation" (for PR), or
            "minoring" and "majoring" for sums of rectangles.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the area so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: there is no such curve or method.
        InvalidArgumentError: a prediction is not in [0, 1].
    Example:
        labels, scores = tf.constant([0, 0, 1, 1]), tf.constant([0.1, 0.4, 0.35, 0.8])
        value, update = tf.metrics.auc(labels, scores)
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        round(float(sess.run(update)), 3)  # 0.75
    Reference: Davis and Goadrich, The relationship between precision-recall and ROC
    curves (ICML 2006), section 4, for careful interpolation.
    """
def sensitivity_at_specificity(labels: Any, predictions: Any, specificity: Any, weights: Any = ..., num_thresholds: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many true ones are found where so many false ones are left out.

    Args:
        labels: a tensor, taken as bools. predictions: floats in [0, 1] of its shape.
        specificity: the part of the false ones that is left out, in [0, 1].
        num_thresholds: how many are tried; the one that comes nearest is taken.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the sensitivity so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: `specificity` is not in [0, 1].
        InvalidArgumentError: a prediction is not in [0, 1].
    """
def specificity_at_sensitivity(labels: Any, predictions: Any, sensitivity: Any, weights: Any = ..., num_thresholds: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many false ones are left out where so many true ones are found.

    Args:
        sensitivity: the part of the true ones that is found, in [0, 1].
        Others: see sensitivity_at_specificity.
    Returns:
        (the specificity so far, the op that adds this batch), float32 scalars.
    Raises: see sensitivity_at_specificity.
    """
def mean_iou(labels: Any, predictions: Any, num_classes: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""The mean over the classes of right / (labelled or predicted): of their overlaps.

    Classes that do not occur are left out.

    Args:
        labels, predictions: integer tensors of one shape, in [0, num_classes).
        num_classes: an int.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the mean so far, float32; the op that adds this batch and gives the confusion
        matrix, float64[num_classes, num_classes])
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
def mean_per_class_accuracy(labels: Any, predictions: Any, num_classes: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""The mean over the classes of how many of the class are found.

    Args:
        labels: integers in [0, num_classes). predictions: a tensor of their shape.
        num_classes: an int.
        weights, metrics_collections, updates_collections, name: see
            Note [Streaming metrics].
    Returns:
        (the mean so far, float32; the op that adds this batch and gives the accuracies,
        float32[num_classes])
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
def precision_at_k(labels: Any, predictions: Any, k: Any, class_id: Any = ..., weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many of the k best predictions are labels.

    Args:
        labels: int64[..., n] or a SparseTensor of these, or int64[...].
        predictions: float[..., classes], a score for each class. k: an int.
        class_id: the only class that counts; None = all.
        weights: a number, or a tensor that fits [...].
        metrics_collections, updates_collections, name: see Note [Streaming metrics].
    Returns:
        (the precision so far, the op that adds this batch), float64 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    Example:
        labels = tf.constant([[1]], tf.int64)
        value, update = tf.metrics.precision_at_k(labels, [[0.1, 0.7, 0.2]], k=1)
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)  # 1.0
    """
def precision_at_top_k(labels: Any, predictions_idx: Any, k: Any = ..., class_id: Any = ..., weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many of the predicted classes are labels.

    Args:
        predictions_idx: int64[..., k], the predicted classes. k: for names only.
        Others: see precision_at_k.
    Returns, Raises: see precision_at_k.
    """
def sparse_precision_at_k(labels: Any, predictions: Any, k: Any, class_id: Any = ..., weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""The older name of precision_at_k.
    """
def recall_at_k(labels: Any, predictions: Any, k: Any, class_id: Any = ..., weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many of the labels are among the k best predictions.

    Args, Raises: see precision_at_k.
    Returns:
        (the recall so far, the op that adds this batch), float64 scalars.
    """
def recall_at_top_k(labels: Any, predictions_idx: Any, k: Any = ..., class_id: Any = ..., weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""How many of the labels are among the predicted classes.

    Args: see precision_at_top_k.
    Returns, Raises: see recall_at_k.
    """
def average_precision_at_k(labels: Any, predictions: Any, k: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""The mean over the labels of the precision at the place where each is found.

    Args:
        labels: int64[..., n] or a SparseTensor of these, or int64[...].
        predictions: float[..., classes], a score for each class. k: an int.
        weights: a number, or a tensor that fits [...].
        metrics_collections, updates_collections, name: see Note [Streaming metrics].
    Returns:
        (the mean so far, the op that adds this batch), float64 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: `k` is below 1, or the shapes do not fit.
    Example:
        labels = tf.constant([[1]], tf.int64)
        value, update = tf.metrics.average_precision_at_k(labels, [[0.1, 0.7, 0.2]], 2)
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(update)  # 1.0
    """
def sparse_average_precision_at_k(labels: Any, predictions: Any, k: Any, weights: Any = ..., metrics_collections: Any = ..., updates_collections: Any = ..., name: Any = ...) -> tuple[Tensor, Any]:
    r"""The older name of average_precision_at_k.
    """

__all__ = [
"mean", "mean_tensor", "accuracy", "mean_absolute_error", "mean_cosine_distance",
"mean_relative_error", "mean_squared_error", "percentage_below",
"root_mean_squared_error", "true_positives", "true_negatives", "false_positives",
"false_negatives", "precision", "recall", "true_positives_at_thresholds",
"true_negatives_at_thresholds", "false_positives_at_thresholds",
"false_negatives_at_thresholds", "precision_at_thresholds", "recall_at_thresholds",
"auc", "sensitivity_at_specificity", "specificity_at_sensitivity", "mean_iou",
"mean_per_class_accuracy", "precision_at_k", "precision_at_top_k",
"sparse_precision_at_k", "recall_at_k", "recall_at_top_k", "average_precision_at_k",
"sparse_average_precision_at_k"
]
