"""Heads: from the logits of a model to its loss, predictions and metrics."""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.learn.class_heads import (
    _BinaryHead,
    _MultiClassHead,
    _MultiLabelHead,
    _SvmHead,
)
from twinflow.contrib.learn.head_base import Head, _column, _SingleHead, no_op_train_fn
from twinflow.contrib.learn.keys import ModeKeys, PredictionKey, ProblemType
from twinflow.contrib.learn.model_fn import ModelFnOps
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.core.elementwise import exp
from twinflow.ops.core.shape import squeeze
from twinflow.ops.nn.logistic import log_poisson_loss

__all__ = [
    "Head", "binary_svm_head", "loss_only_head", "multi_class_head", "multi_label_head",
    "no_op_train_fn", "poisson_regression_head", "regression_head",
]  # fmt: skip


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
