"""tf.contrib.losses: tf.losses with predictions first, as they were before 1.0."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.losses import collection, losses
from twinflow.losses.weighting import compute_weighted_loss as _weighted
from twinflow.ops.core.constant import cast
from twinflow.ops.nn.activation import relu

add_loss = add_arg_scope(collection.add_loss)
get_losses = collection.get_losses
get_regularization_losses = collection.get_regularization_losses


def get_total_loss(
    add_regularization_losses: bool = True, name: str | None = "total_loss"
) -> Any:
    """The sum of all losses; see tf.losses.get_total_loss."""
    return collection.get_total_loss(add_regularization_losses, name)


@add_arg_scope
def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: Any = None) -> Any:
    """The weighted mean of losses; see tf.losses.compute_weighted_loss."""
    return _weighted(losses, weights, scope)


@add_arg_scope
def absolute_difference(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: Any = None
) -> Any:
    """tf.losses.absolute_difference, predictions first."""
    return losses.absolute_difference(labels, predictions, weights, scope)


@add_arg_scope
def mean_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: Any = None
) -> Any:
    """tf.losses.mean_squared_error, predictions first."""
    return losses.mean_squared_error(labels, predictions, weights, scope)


@add_arg_scope
def log_loss(
    predictions: Any, labels: Any = None, weights: Any = 1.0, epsilon: Any = 1e-7,
    scope: Any = None,
) -> Any:  # fmt: skip
    """tf.losses.log_loss, predictions first."""
    return losses.log_loss(labels, predictions, weights, epsilon, scope)


@add_arg_scope
def hinge_loss(logits: Any, labels: Any = None, scope: Any = None) -> Any:
    """max(0, 1 - s * logits) for each entry, s = 1 or -1 for the labels 1 and 0."""
    with current_mode().name_scope(scope or "hinge_loss"):
        signs = 2 * cast(labels, "float32") - 1
        return relu(1 - signs * logits)


@add_arg_scope
def sigmoid_cross_entropy(
    logits: Any, multi_class_labels: Any, weights: Any = 1.0, label_smoothing: Any = 0,
    scope: Any = None,
) -> Any:  # fmt: skip
    """tf.losses.sigmoid_cross_entropy, logits first."""
    return losses.sigmoid_cross_entropy(
        multi_class_labels, logits, weights, label_smoothing, scope
    )


@add_arg_scope
def softmax_cross_entropy(
    logits: Any, onehot_labels: Any, weights: Any = 1.0, label_smoothing: Any = 0,
    scope: Any = None,
) -> Any:  # fmt: skip
    """tf.losses.softmax_cross_entropy, logits first."""
    return losses.softmax_cross_entropy(
        onehot_labels, logits, weights, label_smoothing, scope
    )


@add_arg_scope
def sparse_softmax_cross_entropy(
    logits: Any, labels: Any, weights: Any = 1.0, scope: Any = None
) -> Any:
    """tf.losses.sparse_softmax_cross_entropy, logits first."""
    return losses.sparse_softmax_cross_entropy(labels, logits, weights, scope)


@add_arg_scope
def cosine_distance(
    predictions: Any, labels: Any = None, axis: Any = None, weights: Any = 1.0,
    scope: Any = None, dim: Any = None,
) -> Any:  # fmt: skip
    """tf.losses.cosine_distance, predictions first."""
    axis = dim if axis is None else axis
    return losses.cosine_distance(labels, predictions, axis, weights, scope)


@add_arg_scope
def mean_pairwise_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: Any = None
) -> Any:
    """tf.losses.mean_pairwise_squared_error, predictions first."""
    return losses.mean_pairwise_squared_error(labels, predictions, weights, scope)
