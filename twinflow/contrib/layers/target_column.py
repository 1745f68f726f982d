"""Targets of tf.contrib.layers: losses, predictions and metrics of a kind of labels."""

import functools
import inspect
from typing import Any

from twinflow.base import logging
from twinflow.contrib.metrics import streaming
from twinflow.losses.losses import hinge_loss
from twinflow.ops.core.compare import greater_equal
from twinflow.ops.core.constant import cast, to_float
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import multiply, square
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, squeeze
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.math.positions import argmax
from twinflow.ops.nn.activation import sigmoid
from twinflow.ops.nn.logistic import sigmoid_cross_entropy_with_logits
from twinflow.ops.nn.loss import sparse_softmax_cross_entropy_with_logits
from twinflow.ops.nn.softmax import softmax


class ProblemType:
    """What is to be learned."""

    UNSPECIFIED = 0
    CLASSIFICATION = 1
    LINEAR_REGRESSION = 2
    LOGISTIC_REGRESSION = 3


class _MetricKeys:
    """The names of metrics."""

    AUC = "auc"
    PREDICTION_MEAN = "labels/prediction_mean"
    TARGET_MEAN = "labels/actual_target_mean"
    ACCURACY_BASELINE = "accuracy/baseline_target_mean"
    ACCURACY_MEAN = "accuracy/threshold_%f_mean"
    PRECISION_MEAN = "precision/positive_threshold_%f_mean"
    RECALL_MEAN = "recall/positive_threshold_%f_mean"


# ------------------------------------------------------------------ losses
def _column(target):
    return expand_dims(target, 1) if target.get_shape().ndims == 1 else target


def _mean_squared_loss(logits: Any, target: Any) -> Any:
    return square(_column(logits) - to_float(_column(target)))


def _log_loss_with_two_classes(logits: Any, target: Any) -> Any:
    labels = to_float(_column(target))
    return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)


def _softmax_cross_entropy_loss(logits: Any, target: Any) -> Any:
    if not target.dtype.is_integer:
        raise ValueError(
            f"Target's dtype should be integer Instead got {target.dtype}."
        )
    if target.get_shape().ndims == 2:
        target = squeeze(target, [1])
    return sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits)


def _hinge(logits, target):
    rank = target.get_shape().ndims
    if rank not in (None, 1, 2):
        raise ValueError(
            "target's shape should be either [batch_size, 1] or [batch_size]"
        )
    return hinge_loss(reshape(target, [shape_of(target)[0], 1]), logits)


# ------------------------------------------------------------------ metrics
def _float_weights_or_none(weights: Any) -> Any:
    return None if weights is None else to_float(weights)


def _labels_streaming_mean(_: Any, labels: Any, weights: Any = None) -> Any:
    return streaming.streaming_mean(labels, weights=weights)


def _predictions_streaming_mean(predictions: Any, _: Any, weights: Any = None) -> Any:
    return streaming.streaming_mean(predictions, weights=weights)


def _streaming_auc(predictions: Any, labels: Any, weights: Any = None) -> Any:
    return streaming.streaming_auc(
        predictions, labels, weights=_float_weights_or_none(weights)
    )


def _accuracy_at_threshold(threshold: Any) -> Any:
    def metric(predictions, labels, weights=None):
        chosen = to_float(greater_equal(predictions, threshold))
        return streaming.streaming_accuracy(chosen, labels, weights=weights)

    return metric


def _streaming_at_threshold(streaming_metrics_fn: Any, threshold: Any) -> Any:
    def metric(predictions, labels, weights=None):
        value, update = streaming_metrics_fn(
            predictions, labels, [threshold], _float_weights_or_none(weights)
        )
        return squeeze(value), update

    return metric


def get_default_binary_metrics_for_eval(thresholds: Any) -> dict[Any, Any]:
    """The metrics of two classes, as functions of predictions and labels.

    Args:
        thresholds: from which probabilities on the second class is predicted.
    """
    keys = _MetricKeys
    found = {
        keys.PREDICTION_MEAN: _predictions_streaming_mean,
        keys.TARGET_MEAN: _labels_streaming_mean,
        keys.ACCURACY_BASELINE: _labels_streaming_mean,
        keys.AUC: _streaming_auc,
    }
    precision = streaming.streaming_precision_at_thresholds
    recall = streaming.streaming_recall_at_thresholds
    for limit in thresholds:
        found[keys.ACCURACY_MEAN % limit] = _accuracy_at_threshold(limit)
        found[keys.PRECISION_MEAN % limit] = _streaming_at_threshold(precision, limit)
        found[keys.RECALL_MEAN % limit] = _streaming_at_threshold(recall, limit)
    return found


def _run_metrics(predictions: Any, labels: Any, metrics: Any, weights: Any) -> dict:
    """What metrics say of predictions, by their names."""
    labels, found = cast(labels, predictions.dtype), {}
    for name, metric in (metrics or {}).items():
        takes = "weights" in _parameters(metric)
        more = {"weights": weights} if takes and weights is not None else {}
        found[name] = metric(predictions, labels, **more)
    return found


def _parameters(function):
    if isinstance(function, functools.partial):
        return set(_parameters(function.func)) - set(function.keywords)
    return inspect.signature(function).parameters


# ------------------------------------------------------------------ columns
class _TargetColumn:
    """A kind of labels.

    Args:
        loss_fn: from logits and labels to the loss of each example.
        num_label_columns: how many logits an example has.
        label_name: the key of the labels in a dict, or None.
        weight_column_name: the feature that weighs examples, or None.
        problem_type: one of ProblemType.
    """

    def __init__(
        self, loss_fn: Any, num_label_columns: int, label_name: Any,
        weight_column_name: Any, problem_type: Any,
    ) -> None:  # fmt: skip
        if not loss_fn:
            raise ValueError("loss_fn must be provided")
        if num_label_columns is None:
            raise ValueError("num_label_columns must be provided")
        self._loss_fn, self._num_label_columns = loss_fn, num_label_columns
        self._label_name, self._weight_column_name = label_name, weight_column_name
        self._problem_type = problem_type

    label_name = property(lambda self: self._label_name, doc="The key of the labels.")
    weight_column_name = property(
        lambda self: self._weight_column_name, doc="The feature that weighs examples."
    )
    num_label_columns = property(
        lambda self: self._num_label_columns, doc="How many logits an example has."
    )
    problem_type = property(lambda self: self._problem_type, doc="Of ProblemType.")

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Any:
        """The predictions that belong to logits."""
        raise NotImplementedError

    def get_eval_ops(
        self, features: Any, logits: Any, labels: Any, metrics: Any = None
    ) -> Any:
        """The metrics of logits."""
        raise NotImplementedError

    def get_weight_tensor(self, features: Any) -> Any:
        """The weights of examples: float32[batch], or None."""
        if not self._weight_column_name:
            return None
        return reshape(to_float(features[self._weight_column_name]), (-1,))

    def _weighted_loss(self, loss: Any, weight_tensor: Any) -> Any:
        return multiply(reshape(loss, (-1,)), reshape(weight_tensor, (-1,)))

    def _labels(self, target):
        return target[self._label_name] if isinstance(target, dict) else target

    def training_loss(
        self, logits: Any, target: Any, features: Any, name: str = "training_loss"
    ) -> Any:
        """The mean loss, weighted but not divided by the weights: a scalar.

        Args:
            logits: float32[batch, num_label_columns]. target: the labels.
            features: a dict with the weights. name: of the node in a graph.
        """
        loss = self._loss_fn(logits, self._labels(target))
        weights = self.get_weight_tensor(features)
        if weights is None:
            return reduce_mean(loss, name=name)
        return reduce_mean(self._weighted_loss(loss, weights), name=name)

    def loss(self, logits: Any, target: Any, features: Any) -> Any:
        """The weighted mean of the losses: a scalar; see `training_loss`."""
        loss = self._loss_fn(logits, self._labels(target))
        weights = self.get_weight_tensor(features)
        if weights is None:
            return reduce_mean(loss, name="loss")
        total = reduce_sum(self._weighted_loss(loss, weights))
        return div(total, to_float(reduce_sum(weights)), name="loss")


class _RegressionTargetColumn(_TargetColumn):
    """See tf.contrib.layers.regression_target."""

    def __init__(
        self,
        loss_fn: Any,
        label_name: Any,
        weight_column_name: Any,
        label_dimension: int,
    ) -> None:
        super().__init__(
            loss_fn, label_dimension, label_name, weight_column_name,
            ProblemType.LINEAR_REGRESSION,
        )  # fmt: skip

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Any:
        """The logits; a vector where there is one for each example."""
        return squeeze(logits, [1]) if self.num_label_columns == 1 else logits

    def get_eval_ops(
        self, features: Any, logits: Any, labels: Any, metrics: Any = None
    ) -> dict:
        """(value, update) of the loss and of `metrics`, by their names."""
        loss = self.loss(logits, labels, features)
        found = {"loss": streaming.streaming_mean(loss)}
        if metrics:
            predictions = self.logits_to_predictions(logits)
            weights = self.get_weight_tensor(features)
            found |= _run_metrics(predictions, self._labels(labels), metrics, weights)
        return found


class _MultiClassTargetColumn(_TargetColumn):
    """See tf.contrib.layers.multi_class_target."""

    def __init__(
        self, loss_fn: Any, n_classes: int, label_name: Any, weight_column_name: Any
    ) -> None:
        if n_classes < 2:
            raise ValueError("n_classes must be >= 2")
        super().__init__(
            loss_fn, 1 if n_classes == 2 else n_classes, label_name,
            weight_column_name, ProblemType.CLASSIFICATION,
        )  # fmt: skip

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Any:
        """The likeliest classes, or the probabilities of all."""
        if self.num_label_columns == 1:
            logits = concat([zeros_like(logits), logits], 1)
        return softmax(logits) if proba else argmax(logits, 1)

    def _default_eval_metrics(self) -> dict:
        if self.num_label_columns == 1:
            return get_default_binary_metrics_for_eval([0.5])
        return {}

    def get_eval_ops(
        self, features: Any, logits: Any, labels: Any, metrics: Any = None
    ) -> dict:
        """(value, update) of the loss and of metrics, by their names.

        Args:
            features: a dict with the weights. logits: of the examples.
            labels: of the examples.
            metrics: a dict from names, or (name, "classes" or "probabilities"), to
                functions; the usual ones by default.
        """
        loss = self.loss(logits, labels, features)
        found = {"loss": streaming.streaming_mean(loss)}
        labels = self._labels(labels)
        if metrics is None:
            metrics = {("accuracy", "classes"): streaming.streaming_accuracy}
        chosen = self.logits_to_predictions(logits)
        weights = self.get_weight_tensor(features)
        by_kind = _sorted_by_kind(metrics)
        found |= _run_metrics(chosen, labels, by_kind["classes"], weights)
        if by_kind["probabilities"]:
            kept = by_kind["probabilities"]
            probabilities = self.logits_to_predictions(logits, proba=True)
            found |= _run_metrics(probabilities, labels, kept, weights)
        if self.num_label_columns == 1:
            second = squeeze(sigmoid(logits), [1])
            usual = self._default_eval_metrics()
            labels = squeeze(labels, [1]) if labels.get_shape().ndims == 2 else labels
            found |= _run_metrics(second, labels, usual, weights)
        return found


def _sorted_by_kind(metrics):
    """{kind of prediction: {name: metric}}"""
    kinds: dict = {"classes": {}, "probabilities": {}}
    for name, metric in metrics.items():
        kind = "classes"
        if isinstance(name, tuple):
            if len(name) != 2:
                logging.warning(
                    "Ignoring metric %s. It returned a tuple with len %s, expected 2.",
                    name, len(name),
                )  # fmt: skip
                continue
            name, kind = name
        if kind not in kinds:
            logging.warning(
                "Ignoring metric %s. The 2nd element of its name should be either "
                "'classes' or 'probabilities'.", name,
            )  # fmt: skip
            continue
        kinds[kind][name] = metric
    return kinds


class _BinarySvmTargetColumn(_MultiClassTargetColumn):
    """Two classes, told apart by the hinge loss."""

    def __init__(self, label_name: Any, weight_column_name: Any) -> None:
        super().__init__(_hinge, 2, label_name, weight_column_name)

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Any:
        """The likelier class of each example.

        Raises:
            ValueError: probabilities are asked for.
        """
        if proba:
            raise ValueError(
                "logits to probabilities is not supported for _BinarySvmTargetColumn"
            )
        return argmax(concat([zeros_like(logits), logits], 1), 1)


def regression_target(
    label_name: Any = None, weight_column_name: Any = None, label_dimension: int = 1
) -> _RegressionTargetColumn:
    """Labels that are numbers, with the squared error as loss.

    Args:
        label_name: the key of the labels, if they are in a dict.
        weight_column_name: the feature that weighs examples.
        label_dimension: how many numbers an example has.
    Example:
        tf.contrib.layers.regression_target().num_label_columns  # 1
    """
    return _RegressionTargetColumn(
        _mean_squared_loss, label_name, weight_column_name, label_dimension
    )


def multi_class_target(
    n_classes: int, label_name: Any = None, weight_column_name: Any = None
) -> _MultiClassTargetColumn:
    """Labels that are classes, with the cross entropy as loss.

    Args:
        n_classes: how many there are.
        label_name, weight_column_name: see `regression_target`.
    Raises:
        ValueError: there are fewer than two classes.
    Example:
        tf.contrib.layers.multi_class_target(3).num_label_columns  # 3
    """
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    loss = _log_loss_with_two_classes if n_classes == 2 else _softmax_cross_entropy_loss
    return _MultiClassTargetColumn(loss, n_classes, label_name, weight_column_name)


def binary_svm_target(
    label_name: Any = None, weight_column_name: Any = None
) -> _BinarySvmTargetColumn:
    """Labels that are two classes, with the hinge loss; see `multi_class_target`."""
    return _BinarySvmTargetColumn(label_name, weight_column_name)
