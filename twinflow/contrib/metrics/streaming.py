"""tf.contrib.metrics: the streaming metrics under their older names.

They are those of tf.metrics, with the predictions before the labels.
"""

import inspect
from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.base.written import public_form
from twinflow.metrics import (
    average_precision,
    counts,
    curves,
    means,
    per_class,
    ranked,
    thresholds,
)
from twinflow.metrics.streaming import contrib_metric
from twinflow.ops.arrays.topk import in_top_k
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import convert_to_tensor, to_float
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.reduction import reduce_mean, reduce_sum


def _older(function, name=None, without=""):
    """`function` with the first two arguments in the other order."""
    own = list(inspect.signature(function).parameters.values())
    own = [p for p in own if p.name != without]
    if [p.name for p in own[:2]] in (["labels", "predictions"], ["labels", _TOP]):
        own[:2] = own[1::-1]
    renamed = [p.replace(name=_RENAMED.get(p.name, p.name)) for p in own]

    def run(arguments):
        return function(**{_BACK.get(k, k): v for k, v in arguments.items()})

    name = name or f"streaming_{function.__name__}"
    text = f"tf.metrics.{function.__name__}, with predictions before labels."
    return public_form(run, renamed, run, name, text)


_TOP = "predictions_idx"
_RENAMED = {_TOP: "top_k_predictions"}
_BACK = {v: k for k, v in _RENAMED.items()}

streaming_mean = _older(means.mean)
streaming_mean_tensor = _older(means.mean_tensor)
streaming_accuracy = _older(means.accuracy)
streaming_mean_absolute_error = _older(means.mean_absolute_error)
streaming_mean_cosine_distance = _older(means.mean_cosine_distance)
streaming_mean_relative_error = _older(means.mean_relative_error)
streaming_mean_squared_error = _older(means.mean_squared_error)
streaming_root_mean_squared_error = _older(means.root_mean_squared_error)
streaming_percentage_less = _older(means.percentage_below, "streaming_percentage_less")
streaming_true_positives = _older(counts.true_positives)
streaming_true_negatives = _older(counts.true_negatives)
streaming_false_positives = _older(counts.false_positives)
streaming_false_negatives = _older(counts.false_negatives)
streaming_precision = _older(counts.precision)
streaming_recall = _older(counts.recall)
streaming_precision_at_thresholds = _older(thresholds.precision_at_thresholds)
streaming_recall_at_thresholds = _older(thresholds.recall_at_thresholds)
streaming_auc = _older(curves.auc, without="summation_method")
streaming_sensitivity_at_specificity = _older(curves.sensitivity_at_specificity)
streaming_specificity_at_sensitivity = _older(curves.specificity_at_sensitivity)
streaming_mean_iou = _older(per_class.mean_iou)
streaming_sparse_precision_at_k = _older(
    ranked.precision_at_k, "streaming_sparse_precision_at_k"
)
streaming_sparse_recall_at_k = _older(
    ranked.recall_at_k, "streaming_sparse_recall_at_k"
)
streaming_sparse_average_precision_at_k = _older(
    average_precision.average_precision_at_k, "streaming_sparse_average_precision_at_k"
)
streaming_sparse_precision_at_top_k = _older(
    ranked.precision_at_top_k, "streaming_sparse_precision_at_top_k", without="k"
)
streaming_sparse_average_precision_at_top_k = _older(
    average_precision.average_precision_at_top_k,
    "streaming_sparse_average_precision_at_top_k",
)


@contrib_metric()
def sparse_recall_at_top_k(
    labels, top_k_predictions, class_id=None, weights=None, *, name=None
):
    """tf.metrics.recall_at_top_k, without a `k`."""
    return ranked.recall_at_top_k(
        labels, top_k_predictions, None, class_id, weights, name=name
    )


@contrib_metric()
def streaming_recall_at_k(predictions, labels, k, weights=None, *, name=None):
    """How often the label is among the k best predictions.

    Args:
        predictions: float32[batch, classes]. labels: integers[batch]. k: an int.
    Returns:
        (the recall so far, the op that adds this batch), float32 scalars.
    Raises:
        RuntimeError: eager mode. ValueError: the shapes do not fit.
    """
    found = to_float(in_top_k(predictions, labels, k))
    return means.mean(found, weights, name=name or ranked.at_k("recall", k))


def accuracy(
    predictions: Any, labels: Any, weights: Any = None, name: str | None = None
) -> Any:
    """How often the predictions are the labels, in this batch alone.

    Args:
        predictions, labels: tensors of integers, strings or bools, of one shape.
        weights: float32, broadcasts to it. name: the name scope.
    Returns:
        A float32 scalar.
    Raises:
        ValueError: the dtypes differ, or are float.
    """
    predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
    kind = labels.dtype
    if not (kind.is_integer or kind in (dtypes.bool, dtypes.string)):
        raise ValueError(
            f"Labels should have bool, string, or integer dtype.Given: {kind}"
        )
    predictions.shape.assert_is_compatible_with(labels.shape)
    if predictions.dtype != kind:
        raise ValueError(
            "Dtypes of predictions and labels should match. "
            f"Given: predictions ({predictions.dtype}) and labels ({kind})"
        )
    with current_mode().name_scope(name or "accuracy"):
        right = to_float(equal(predictions, labels))
        if weights is None:
            return reduce_mean(right)
        right = multiply(right, weights)
        parts = multiply(weights, ones_like(right))
        return div(reduce_sum(right), reduce_sum(parts))


def aggregate_metrics(*value_update_tuples: Any) -> Any:
    """Pairs of (value, update) as a list of values and one of updates.

    Raises:
        ValueError: there are none.
    """
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples, strict=True)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples: Any) -> Any:
    """{name: (value, update)} as {name: value} and {name: update}.

    Example:
        values, updates = tf.contrib.metrics.aggregate_metric_map(
            {"mean": tf.metrics.mean([1.0, 3.0])})
        sess = tf.Session()
        sess.run(tf.local_variables_initializer())
        sess.run(updates)  # {"mean": 2.0}
    """
    values = {name: pair[0] for name, pair in names_to_tuples.items()}
    return values, {name: pair[1] for name, pair in names_to_tuples.items()}
