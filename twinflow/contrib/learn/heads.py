"""Heads: from the logits of a model to its loss, predictions and metrics."""

import abc
from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.contrib.layers.dense import linear
from twinflow.contrib.learn import class_metrics
from twinflow.contrib.learn.keys import (
    MetricKey,
    ModeKeys,
    PredictionKey,
    ProblemType,
)
from twinflow.contrib.learn.model_fn import ModelFnOps
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import variable_scope
from twinflow.metrics.curves import auc
from twinflow.metrics.means import accuracy, mean
from twinflow.metrics.thresholds import precision_at_thresholds, recall_at_thresholds
from twinflow.ops.core.compare import greater, greater_equal
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.elementwise import exp, sigmoid
from twinflow.ops.core.joining import concat
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, squeeze
from twinflow.ops.math.positions import argmax
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.logistic import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
)
from twinflow.ops.nn.loss import sparse_softmax_cross_entropy_with_logits
from twinflow.ops.nn.softmax import softmax
from twinflow.ops.sparse.select import sparse_to_indicator
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.tables.ids import (
    index_table_from_tensor,
    index_to_string_table_from_tensor,
)
from twinflow.ops.variables.kinds import Variable

_HALF = 0.5


def no_op_train_fn(loss: Any) -> Any:
    """An op in the place of a training step, which does nothing."""
    del loss
    return no_op()


class Head(abc.ABC):
    """From logits to loss, predictions and metrics."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> int:
        """How many logits an example has."""

    @abc.abstractmethod
    def create_model_fn_ops(
        self, features: Any, mode: Any, labels: Any = None, train_op_fn: Any = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        """What a model function gives.

        Args:
            features: {name: tensor}. mode: a ModeKeys. labels: a tensor, or a dict.
            train_op_fn: from the loss to the op of a step.
            logits: [batch, logits_dimension], or
            logits_input: what they are a linear function of.
            scope: of the variables that the head makes.
        """


class _SingleHead(Head):
    """A head with one kind of labels."""

    problem = ProblemType.UNSPECIFIED

    def __init__(
        self, dimension: int, label_name: Any = None, weight_column_name: Any = None,
        centered: bool = False, head_name: str = "head",
    ) -> None:  # fmt: skip
        self._dimension, self._label_name = dimension, label_name
        self._weight_column_name, self._centered = weight_column_name, centered
        self.head_name = head_name

    @property
    def logits_dimension(self) -> int:
        return self._dimension

    def create_model_fn_ops(
        self, features: Any, mode: Any, labels: Any = None, train_op_fn: Any = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        if (logits is None) == (logits_input is None):
            raise ValueError("Exactly one of logits and logits_input must be set.")
        with variable_scope(scope, self.head_name, [labels, logits, logits_input]):
            if logits is None:
                logits = linear(logits_input, self._dimension)
            if self._centered:
                start = zeros_like([0.0] * self._dimension)
                logits = logits + Variable(start, name="centered_bias_weight")
            return self._ops(features, mode, labels, train_op_fn, logits)

    def _ops(self, features, mode, labels, train_op_fn, logits):
        predictions = self.predictions(logits)
        loss = train_op = metrics = None
        if mode != ModeKeys.INFER and labels is not None:
            labels = self._labels(labels)
            weights = self._weights(features)
            losses = self.losses(labels, logits)
            training, evaluation = _reduced(losses, weights)
            loss = training if mode == ModeKeys.TRAIN else evaluation
            if mode == ModeKeys.TRAIN:
                if train_op_fn is None:
                    raise ValueError("train_op_fn can not be None in TRAIN mode")
                with name_scope(None, "train_op"):
                    train_op = train_op_fn(loss)
            else:
                metrics = self.metrics(labels, predictions, weights)
        outputs = {None: (self.problem, predictions)}
        return ModelFnOps(mode, predictions, loss, train_op, metrics, outputs)

    def _labels(self, labels):
        if isinstance(labels, dict):
            if self._label_name is None:
                (found,) = labels.values()
                return found
            return labels[self._label_name]
        return labels

    def _weights(self, features):
        if not self._weight_column_name:
            return None
        return cast(features[self._weight_column_name], dtypes.float32)

    def losses(self, labels: Any, logits: Any) -> Any:
        """The loss of each example."""
        raise AttributeError("losses")  # a subclass has it

    def predictions(self, logits: Any) -> dict[Any, Any]:
        """{name: tensor}"""
        raise AttributeError("predictions")  # a subclass has it

    def metrics(
        self, labels: Any, predictions: dict[Any, Any], weights: Any
    ) -> dict[Any, Any]:
        """{name: (value, update op)}"""
        return {}


def _reduced(losses, weights):
    """(the loss of a training, that of an evaluation): means over the examples."""
    if weights is None:
        loss = reduce_mean(losses, name="loss")
        return loss, loss
    rows = losses if losses.shape.ndims == 1 else reduce_mean(losses, 1)
    weighted = rows * reshape(weights, [-1])
    return reduce_mean(weighted), reduce_sum(weighted) / reduce_sum(weights)


def _column(labels):
    """Labels as float32[batch, 1], if they are float32[batch]."""
    found = convert_to_tensor(labels)
    found = expand_dims(found, 1) if found.shape.ndims == 1 else found
    return cast(found, dtypes.float32)


class _RegressionHead(_SingleHead):
    problem = ProblemType.LINEAR_REGRESSION

    def __init__(self, *args: Any, loss: Any = None, link_fn: Any = None) -> None:
        super().__init__(*args)
        self._loss = loss or (lambda labels, logits: (logits - labels) ** 2)
        self._link = link_fn or (lambda logits: logits)

    def losses(self, labels: Any, logits: Any) -> Any:
        return self._loss(_column(labels), logits)

    def predictions(self, logits: Any) -> dict[Any, Any]:
        found = self._link(logits)
        if self._dimension == 1:
            found = squeeze(found, [1], name="scores")
        return {PredictionKey.SCORES: found}


class _ClassHead(_SingleHead):
    """A head of classes, which may be named."""

    problem = ProblemType.CLASSIFICATION

    def __init__(self, n_classes, dimension, *args, label_keys=None):
        super().__init__(dimension, *args)
        self._n_classes, self._label_keys = n_classes, label_keys

    def _labels(self, labels):
        found = super()._labels(labels)
        if self._label_keys is not None:
            found = index_table_from_tensor(self._label_keys).lookup(found)
        if found.shape.ndims == 2 and self._dimension != found.shape[1]:
            found = squeeze(found, [1])
        return found

    def _classes(self, ids):
        if self._label_keys is None:
            return ids
        return index_to_string_table_from_tensor(self._label_keys).lookup(ids)


class _MultiClassHead(_ClassHead):
    def __init__(self, n_classes, *args, metric_class_ids=None, label_keys=None):
        super().__init__(n_classes, n_classes, *args, label_keys=label_keys)
        self._class_ids = class_metrics.checked_ids(metric_class_ids, n_classes)

    def losses(self, labels, logits):
        return sparse_softmax_cross_entropy_with_logits(
            labels=cast(labels, dtypes.int64), logits=logits
        )

    def predictions(self, logits):
        ids = argmax(logits, 1)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.PROBABILITIES: softmax(logits),
            PredictionKey.CLASSES: self._classes(ids),
        }

    def metrics(self, labels, predictions, weights):
        ids = argmax(predictions[PredictionKey.LOGITS], 1)
        found = {MetricKey.ACCURACY: accuracy(labels, ids, weights)}
        for i in () if self._label_keys else self._class_ids:
            found |= class_metrics.of_one_of_several(
                i, labels, ids, predictions, weights
            )
        return found


class _BinaryHead(_ClassHead):
    problem = ProblemType.LOGISTIC_REGRESSION

    def __init__(self, *args, thresholds=None, label_keys=None):
        super().__init__(2, 1, *args, label_keys=label_keys)
        self._thresholds = thresholds or [_HALF]

    def losses(self, labels, logits):
        return sigmoid_cross_entropy_with_logits(labels=_column(labels), logits=logits)

    def predictions(self, logits):
        both = concat([zeros_like(logits), logits], 1)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.LOGISTIC: sigmoid(logits),
            PredictionKey.PROBABILITIES: softmax(both),
            PredictionKey.CLASSES: self._classes(argmax(both, 1)),
        }

    def metrics(self, labels, predictions, weights):
        labels, logistic = _column(labels), predictions[PredictionKey.LOGISTIC]
        if weights is not None:
            weights = reshape(weights, [-1, 1])
        ids = cast(greater_equal(logistic, _HALF), dtypes.float32)
        found = {
            MetricKey.PREDICTION_MEAN: mean(logistic, weights),
            MetricKey.LABEL_MEAN: mean(labels, weights),
            MetricKey.ACCURACY_BASELINE: mean(labels, weights),
            MetricKey.ACCURACY: accuracy(labels, ids, weights),
            MetricKey.AUC: auc(labels, logistic, weights),
            MetricKey.AUC_PR: auc(labels, logistic, weights, curve="PR"),
        }
        for t in self._thresholds:
            above = cast(greater_equal(logistic, t), dtypes.float32)
            found[MetricKey.ACCURACY_MEAN % t] = accuracy(labels, above, weights)
            for key, metric in (
                (MetricKey.PRECISION_MEAN, precision_at_thresholds),
                (MetricKey.RECALL_MEAN, recall_at_thresholds),
            ):
                value, update = metric(labels, logistic, [t], weights)
                found[key % t] = squeeze(value), squeeze(update)
        return found


class _SvmHead(_BinaryHead):
    problem = ProblemType.UNSPECIFIED

    def losses(self, labels, logits):
        signs = 2 * _column(labels) - ones_like(logits)
        return relu(1 - signs * logits)

    def predictions(self, logits):
        both = concat([zeros_like(logits), logits], 1)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.CLASSES: self._classes(argmax(both, 1)),
        }

    def metrics(self, labels, predictions, weights):
        ids = predictions[PredictionKey.CLASSES]
        return {
            MetricKey.ACCURACY: accuracy(squeeze(_column(labels), [1]), ids, weights)
        }


class _MultiLabelHead(_ClassHead):
    def __init__(self, n_classes, *args, metric_class_ids=None):
        super().__init__(n_classes, n_classes, *args)
        self._class_ids = class_metrics.checked_ids(metric_class_ids, n_classes)

    def _labels(self, labels):
        found = _SingleHead._labels(self, labels)
        if isinstance(found, SparseTensor):
            found = sparse_to_indicator(cast(found, dtypes.int64), self._n_classes)
        return _column(found)

    def losses(self, labels, logits):
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def predictions(self, logits):
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.PROBABILITIES: sigmoid(logits),
            PredictionKey.CLASSES: cast(greater(logits, 0.0), dtypes.int64),
        }

    def metrics(self, labels, predictions, weights):
        ids = predictions[PredictionKey.CLASSES]
        weights = class_metrics.of_all_entries(weights, labels)
        probabilities = predictions[PredictionKey.PROBABILITIES]
        found = {
            MetricKey.ACCURACY: accuracy(labels, ids, weights),
            MetricKey.AUC: auc(labels, probabilities, weights),
            MetricKey.AUC_PR: auc(labels, probabilities, weights, curve="PR"),
        }
        for i in self._class_ids:
            found |= class_metrics.of_any_of_several(i, labels, predictions, weights)
        return found


def regression_head(
    label_name: Any = None, weight_column_name: Any = None, label_dimension: int = 1,
    enable_centered_bias: bool = False, head_name: Any = None, link_fn: Any = None,
) -> Head:  # fmt: skip
    """The head of a regression, with squared errors.

    Args:
        label_name: the key of the labels, where these are a dict.
        weight_column_name: the key of the weights among the features.
        label_dimension: how many numbers are predicted.
        enable_centered_bias: train a bias of its own.
        head_name: of the scope. link_fn: from logits to predictions.
    """
    return _RegressionHead(
        label_dimension, label_name, weight_column_name, enable_centered_bias,
        head_name or "regression_head", link_fn=link_fn,
    )  # fmt: skip


def poisson_regression_head(
    label_name: Any = None, weight_column_name: Any = None, label_dimension: int = 1,
    enable_centered_bias: bool = False, head_name: Any = None,
) -> Head:  # fmt: skip
    """The head of a regression of counts: logits are the logarithms of their means."""

    def loss(labels, logits):
        return log_poisson_loss(labels, logits, compute_full_loss=True)

    return _RegressionHead(
        label_dimension, label_name, weight_column_name, enable_centered_bias,
        head_name or "poisson_regression_head", loss=loss, link_fn=exp,
    )  # fmt: skip


def multi_class_head(
    n_classes: int, label_name: Any = None, weight_column_name: Any = None,
    enable_centered_bias: bool = False, head_name: Any = None, thresholds: Any = None,
    metric_class_ids: Any = None, loss_fn: Any = None, label_keys: Any = None,
) -> Head:  # fmt: skip
    """The head of a classification; two classes have one logit.

    Args:
        n_classes: how many. thresholds: for metrics of two classes.
        metric_class_ids: of which classes an evaluation gives means of their own,
            where there are more than two.
        loss_fn: of (labels, logits), in the place of the cross entropy.
        label_keys: the names of the classes. Others: see `regression_head`.
    Raises:
        ValueError: there are fewer than two classes, or metrics are wanted of a class
            that is none, or of one of two.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    own = (label_name, weight_column_name, enable_centered_bias)
    head: Any
    if n_classes == 2:
        if metric_class_ids:
            raise ValueError("metric_class_ids invalid for n_classes==2.")
        name = head_name or "binary_logistic_head"
        head = _BinaryHead(*own, name, thresholds=thresholds, label_keys=label_keys)
    else:
        name = head_name or "multi_class_head"
        head = _MultiClassHead(
            n_classes, *own, name, label_keys=label_keys,
            metric_class_ids=metric_class_ids,
        )  # fmt: skip
    return _with_loss(head, loss_fn)


def _with_loss(head, loss_fn):
    if loss_fn is not None:
        head.losses = loss_fn
    return head


def binary_svm_head(
    label_name: Any = None, weight_column_name: Any = None,
    enable_centered_bias: bool = False, head_name: Any = None, thresholds: Any = None,
) -> Head:  # fmt: skip
    """The head of two classes with the hinge loss; see `regression_head`."""
    return _SvmHead(
        label_name, weight_column_name, enable_centered_bias,
        head_name or "binary_svm_head", thresholds=thresholds,
    )  # fmt: skip


def multi_label_head(
    n_classes: int, label_name: Any = None, weight_column_name: Any = None,
    enable_centered_bias: bool = False, head_name: Any = None, thresholds: Any = None,
    metric_class_ids: Any = None, loss_fn: Any = None,
) -> Head:  # fmt: skip
    """The head of classes of which an example may have several.

    Args:
        n_classes: how many; labels are [batch, n_classes], ones and zeros, or a
            SparseTensor of the classes of each example.
        thresholds: for nothing, as in TensorFlow 1.12.
        metric_class_ids: of which classes an evaluation gives metrics of their own.
        Others: see `multi_class_head`.
    Raises:
        ValueError: there are fewer than two classes, or a wanted one is none.
    """
    del thresholds
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    head = _MultiLabelHead(
        n_classes, label_name, weight_column_name, enable_centered_bias,
        head_name or "multi_label_head", metric_class_ids=metric_class_ids,
    )  # fmt: skip
    return _with_loss(head, loss_fn)


class _LossOnlyHead(Head):
    def __init__(self, loss_fn: Callable, head_name: Any) -> None:
        self._loss_fn, self.head_name = loss_fn, head_name or "loss_only_head"

    @property
    def logits_dimension(self):
        return 0

    def create_model_fn_ops(
        self, features, mode, labels=None, train_op_fn=None, logits=None,
        logits_input=None, scope=None,
    ):  # fmt: skip
        with variable_scope(scope, self.head_name):
            loss = self._loss_fn()
            train_op = None
            if mode == ModeKeys.TRAIN:
                if train_op_fn is None:
                    raise ValueError("train_op_fn can not be None in TRAIN mode")
                train_op = train_op_fn(loss)
            return ModelFnOps(mode, {}, loss, train_op)


def loss_only_head(loss_fn: Callable[..., Any], head_name: Any = None) -> Head:
    """The head of a model without labels.

    Args:
        loss_fn: () -> the loss. head_name: of the scope.
    """
    return _LossOnlyHead(loss_fn, head_name)
