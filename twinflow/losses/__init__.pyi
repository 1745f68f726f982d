# Made by `make stubs` from the table of the index.
from typing import Any
def absolute_difference(labels: Any, predictions: Any, weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ...) -> Any:
    r"""|predictions - labels|.

    Args: see mean_squared_error.
    """
def hinge_loss(labels: Any, logits: Any, weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ...) -> Any:
    r"""max(0, 1 - (2 * labels - 1) * logits).

    Args:
        labels: numeric, 0 or 1. logits: floats of the same shape.
        weights, scope, loss_collection, reduction: see the module.
    Raises:
        ValueError: the shapes differ, or something is None.
    """
def huber_loss(labels: Any, predictions: Any, weights: Any = ..., delta: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ...) -> Any:
    r"""0.5 * e ** 2 where e = |predictions - labels| <= delta, else linear from there.

    Args:
        delta: where the line begins. Others: see mean_squared_error.
    """
def log_loss(labels: Any, predictions: Any, weights: Any = ..., epsilon: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ...) -> Any:
    r"""-y * log(p + epsilon) - (1 - y) * log(1 - p + epsilon); labels y, predictions p.

    Args:
        epsilon: keeps from taking the log of 0. Others: see mean_squared_error.
    """
def mean_squared_error(labels: Any, predictions: Any, weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ...) -> Any:
    r"""(predictions - labels) ** 2.

    Args:
        labels, predictions: numeric tensors of one shape.
        weights, scope, loss_collection, reduction: see the module.
    Raises:
        ValueError: the shapes differ, or something is None.
    Example:
        tf.losses.mean_squared_error([1., 2.], [3., 2.])  # 2.0
    """
def sigmoid_cross_entropy(multi_class_labels: Any, logits: Any, weights: Any = ..., label_smoothing: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ...) -> Any:
    r"""-labels * log(sigmoid(logits)) - (1 - labels) * log(1 - sigmoid(logits)).

    Args:
        multi_class_labels: number[batch, classes], each in [0, 1].
        logits: float[batch, classes].
        label_smoothing: s > 0: labels * (1 - s) + s / 2 are taken as labels.
        weights, scope, loss_collection, reduction: see the module.
    Raises:
        ValueError: the shapes differ, or something is None.
    """
def softmax_cross_entropy(onehot_labels: Any, logits: Any, weights: Any = ..., label_smoothing: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ...) -> Any:
    r"""-sum(labels * log(softmax(logits))) for each row.

    Args:
        onehot_labels: number[batch, classes], a probability for each class.
        logits: float[batch, classes].
        label_smoothing: s > 0: labels * (1 - s) + s / classes are taken as labels.
        weights, scope, loss_collection, reduction: see the module.
    Raises:
        ValueError: the shapes differ, or something is None.
    Example:
        tf.losses.softmax_cross_entropy([[0., 1.]], tf.constant([[0., 0.]]))  # log(2)
    """
def sparse_softmax_cross_entropy(labels: Any, logits: Any, weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ...) -> Any:
    r"""-log(softmax(logits)[label]) for each row.

    Args:
        labels: int32 or int64[batch], in [0, classes); a last axis of 1 is dropped.
        logits: float[batch, classes].
        weights, scope, loss_collection, reduction: see the module.
    Raises:
        ValueError: the shapes do not fit, or something is None.
        tf.errors.InvalidArgumentError: a label is out of range.
    Example:
        tf.losses.sparse_softmax_cross_entropy([1], tf.constant([[0., 0.]]))  # log(2)
    """
def cosine_distance(labels: Any, predictions: Any, axis: Any = ..., weights: Any = ..., scope: Any = ..., loss_collection: Any = ..., reduction: Any = ..., dim: Any = ...) -> Any:
    r"""1 - sum(labels * predictions) along `axis`, for vectors of length 1.

    Args:
        labels, predictions: numeric tensors of one shape.
        axis: the axis of the vectors. dim: the older name of `axis`.
        weights, scope, loss_collection, reduction: see the module.
    Raises:
        ValueError: `axis` is missing, the shapes differ, or something is None.
    Example:
        tf.losses.cosine_distance([[1.0, 0.0]], [[0.0, 1.0]], axis=1)  # 1.0
    """
from twinflow.losses.losses import mean_pairwise_squared_error as mean_pairwise_squared_error
from twinflow.losses.weighting import Reduction as Reduction
from twinflow.losses.weighting import compute_weighted_loss as compute_weighted_loss
from twinflow.losses.collection import add_loss as add_loss
from twinflow.losses.collection import get_losses as get_losses
from twinflow.losses.collection import get_regularization_loss as get_regularization_loss
from twinflow.losses.collection import get_regularization_losses as get_regularization_losses
from twinflow.losses.collection import get_total_loss as get_total_loss

__all__ = [
"absolute_difference", "hinge_loss", "huber_loss", "log_loss", "mean_squared_error",
"sigmoid_cross_entropy", "softmax_cross_entropy", "sparse_softmax_cross_entropy",
"cosine_distance", "mean_pairwise_squared_error", "Reduction", "compute_weighted_loss",
"add_loss", "get_losses", "get_regularization_loss", "get_regularization_losses",
"get_total_loss"
]
