"""Losses by which trees learn what a network says."""

from collections.abc import Callable
from typing import Any

from twinflow.losses.losses import mean_squared_error
from twinflow.losses.weighting import compute_weighted_loss
from twinflow.ops.core.elementwise import sigmoid
from twinflow.ops.nn.logistic import sigmoid_cross_entropy_with_logits
from twinflow.ops.nn.loss import softmax_cross_entropy_with_logits_v2
from twinflow.ops.nn.softmax import softmax

__all__ = [
    "create_dnn_to_tree_cross_entropy_loss_fn",
    "create_dnn_to_tree_squared_loss_fn",
]


def _logits_to_label_for_tree(logits: Any, n_classes: int) -> Any:
    """Logits as probabilities."""
    return sigmoid(logits) if n_classes == 2 else softmax(logits)


def create_dnn_to_tree_squared_loss_fn(n_classes: int) -> Callable[..., Any]:
    """A loss: squared differences of probabilities.

    Args:
        n_classes: int.
    Returns:
        a function of (logits of the network, logits of the trees, weights).
    """

    def loss_fn(dnn_logits, tree_logits, example_weights):
        return mean_squared_error(
            labels=_logits_to_label_for_tree(dnn_logits, n_classes),
            predictions=_logits_to_label_for_tree(tree_logits, n_classes),
            weights=example_weights,
        )

    return loss_fn


def create_dnn_to_tree_cross_entropy_loss_fn(n_classes: int) -> Callable[..., Any]:
    """A loss: the cross entropy of the trees' probabilities and the network's.

    Args:
        n_classes: int.
    Returns:
        a function of (logits of the network, logits of the trees, weights).
    """

    def loss_fn(dnn_logits, tree_logits, example_weights):
        labels = _logits_to_label_for_tree(dnn_logits, n_classes)
        if n_classes == 2:
            losses = sigmoid_cross_entropy_with_logits(
                labels=labels, logits=tree_logits
            )
        else:
            losses = softmax_cross_entropy_with_logits_v2(
                labels=labels, logits=tree_logits
            )[:, None]
        return compute_weighted_loss(losses, weights=example_weights)

    return loss_fn
