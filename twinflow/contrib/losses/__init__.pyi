# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.contrib.losses import metric_learning as metric_learning
def absolute_difference(predictions: Any, labels: Any = ..., weights: Any = ..., scope: Any = ...) -> Any:
    r"""The mean of |predictions - labels|.

    Args:
        predictions, labels: float[batch, ...].
        weights, scope: see `compute_weighted_loss`.
    """
from twinflow.contrib.losses.weighted import add_loss as add_loss
def compute_weighted_loss(losses: Any, weights: Any = ..., scope: Any = ...) -> Any:
    r"""The sum of losses by their weights, over the number of those that count.

    Args:
        losses: float[batch, ...]. weights: a number, or one for each example or part of
            it, float[batch, ...] of as many axes as `losses` or fewer.
        scope: the name scope.
    Raises:
        ValueError: the number of axes of one is not known.
    Example:
        losses = [[1., 2.], [3., 4.]]
        tf.contrib.losses.compute_weighted_loss(losses, [1., 0.])  # 1.5
    """
def cosine_distance(predictions: Any, labels: Any = ..., axis: Any = ..., weights: Any = ..., scope: Any = ..., dim: Any = ...) -> Any:
    r"""The mean of 1 - the product of unit vectors.

    Args:
        axis: of the vectors; `dim` is the older name.
        The others: see `absolute_difference`.
    """
from twinflow.contrib.losses.weighted import get_losses as get_losses
from twinflow.contrib.losses.weighted import get_regularization_losses as get_regularization_losses
from twinflow.contrib.losses.weighted import get_total_loss as get_total_loss
def hinge_loss(logits: Any, labels: Any = ..., scope: Any = ...) -> Any:
    r"""max(0, 1 - s * logits) for each entry, s = 1 or -1 for the labels 1 and 0.
    """
def log_loss(predictions: Any, labels: Any = ..., weights: Any = ..., epsilon: Any = ..., scope: Any = ...) -> Any:
    r"""The mean of -labels log(predictions) - (1 - labels) log(1 - predictions).

    Args:
        epsilon: added before logarithms. The others: see `absolute_difference`.
    """
def mean_pairwise_squared_error(predictions: Any, labels: Any = ..., weights: Any = ..., scope: Any = ...) -> Any:
    r"""The mean of the squares of (p_i - p_j) - (y_i - y_j) within each example.

    Args: see `absolute_difference`.
    """
def mean_squared_error(predictions: Any, labels: Any = ..., weights: Any = ..., scope: Any = ...) -> Any:
    r"""The mean of (predictions - labels)^2; see `absolute_difference`.
    """
def sigmoid_cross_entropy(logits: Any, multi_class_labels: Any, weights: Any = ..., label_smoothing: Any = ..., scope: Any = ...) -> Any:
    r"""The mean cross entropy of labels, each 0 or 1 by itself.

    Args:
        logits, multi_class_labels: float[batch, classes].
        label_smoothing: how far labels go to 0.5.
        weights, scope: see `compute_weighted_loss`.
    """
def softmax_cross_entropy(logits: Any, onehot_labels: Any, weights: Any = ..., label_smoothing: Any = ..., scope: Any = ...) -> Any:
    r"""The mean cross entropy of labels of which one is 1.

    Args:
        logits, onehot_labels: float[batch, classes].
        label_smoothing: how far labels go to 1 / classes.
        weights, scope: see `compute_weighted_loss`.
    """
def sparse_softmax_cross_entropy(logits: Any, labels: Any, weights: Any = ..., scope: Any = ...) -> Any:
    r"""The mean cross entropy of the numbers of classes.

    Args:
        logits: float[batch, classes]. labels: int32 or int64[batch] or [batch, 1].
        weights, scope: see `compute_weighted_loss`.
    """

__all__ = [
"metric_learning", "absolute_difference", "add_loss", "compute_weighted_loss",
"cosine_distance", "get_losses", "get_regularization_losses", "get_total_loss",
"hinge_loss", "log_loss", "mean_pairwise_squared_error", "mean_squared_error",
"sigmoid_cross_entropy", "softmax_cross_entropy", "sparse_softmax_cross_entropy"
]
