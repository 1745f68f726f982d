"""Heads for the Estimators that take one."""

from collections.abc import Callable
from typing import Any

from twinflow.estimator.canned.binary_head import BinaryHead
from twinflow.estimator.canned.head import Head
from twinflow.estimator.canned.multi_class_head import MultiClassHead
from twinflow.estimator.canned.regression_head import RegressionHead
from twinflow.losses.weighting import Reduction
from twinflow.ops.core.elementwise import exp, sigmoid
from twinflow.ops.nn.logistic import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
)


def multi_class_head(
    n_classes: int, weight_column: Any = None, label_vocabulary: Any = None,
    loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable[..., Any] | None = None, name: str | None = None,
) -> Head:  # fmt: skip
    """A head of one of several classes: softmax cross entropy.

    Args:
        n_classes: more than 2.
        weight_column: the name of a feature, or a numeric column: weights of examples.
        label_vocabulary: the names of the classes, if labels are strings.
        loss_reduction: a tf.losses.Reduction.
        loss_fn: (labels, logits) -> the loss of each example, [..., 1].
        name: of the head, in the names of metrics and summaries.
    Raises:
        ValueError: there are fewer classes.
    Example:
        tf.contrib.estimator.multi_class_head(3).logits_dimension  # 3
    """
    return MultiClassHead(
        n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name
    )


def binary_classification_head(
    weight_column: Any = None, thresholds: Any = None, label_vocabulary: Any = None,
    loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable[..., Any] | None = None, name: str | None = None,
) -> Head:  # fmt: skip
    """A head of one of two classes: the logistic loss of one logit.

    Args:
        thresholds: from which on a probability counts as 1, for more metrics.
        The others: see multi_class_head.
    Raises:
        ValueError: a threshold is not in (0, 1).
    Example:
        tf.contrib.estimator.binary_classification_head().logits_dimension  # 1
    """
    return BinaryHead(
        weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name
    )


def regression_head(
    weight_column: Any = None, label_dimension: int = 1,
    loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable[..., Any] | None = None,
    inverse_link_fn: Callable[..., Any] | None = None, name: str | None = None,
) -> Head:  # fmt: skip
    """A head of numbers: squares of differences.

    Args:
        label_dimension: how many numbers a label has.
        inverse_link_fn: from logits to predictions.
        The others: see multi_class_head.
    Raises:
        ValueError: the dimension is not positive.
    Example:
        tf.contrib.estimator.regression_head(label_dimension=2).logits_dimension  # 2
    """
    return RegressionHead(
        label_dimension, weight_column, loss_reduction, loss_fn, inverse_link_fn, name
    )


def poisson_regression_head(
    weight_column: Any = None, label_dimension: int = 1,
    loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
    compute_full_loss: bool = True, name: str | None = None,
) -> Head:  # fmt: skip
    """A head of counts: the Poisson loss of the logarithm of the mean.

    Args:
        compute_full_loss: with an approximation of the part that only labels change.
        The others: see regression_head.
    Example:
        tf.contrib.estimator.poisson_regression_head().logits_dimension  # 1
    """

    def loss_fn(labels, logits):
        return log_poisson_loss(
            targets=labels, log_input=logits, compute_full_loss=compute_full_loss
        )

    return RegressionHead(
        label_dimension, weight_column, loss_reduction, loss_fn, exp, name
    )


def logistic_regression_head(
    weight_column: Any = None, loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
    name: str | None = None,
) -> Head:  # fmt: skip
    """A head of probabilities: the logistic loss of labels in [0, 1].

    Args: see multi_class_head.
    Example:
        tf.contrib.estimator.logistic_regression_head().logits_dimension  # 1
    """

    def loss_fn(labels, logits):
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    return RegressionHead(1, weight_column, loss_reduction, loss_fn, sigmoid, name)
