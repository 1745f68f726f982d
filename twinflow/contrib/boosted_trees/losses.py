"""Losses of each example, as heads of boosted trees take them: (losses, update op)."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.losses.losses import hinge_loss
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.arithmetic import square
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import log, sigmoid
from twinflow.ops.core.exponential import exp
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import reshape
from twinflow.ops.math.clip import clip_by_value
from twinflow.ops.nn.logistic import sigmoid_cross_entropy_with_logits
from twinflow.ops.nn.softmax import softmax


def _signs(labels):
    """Labels of 0 and 1 as -1 and 1: float32."""
    return 2.0 * cast(labels, dtypes.float32) - 1.0


def _weighted(losses, weights):
    return losses * weights, no_op()


def per_example_squared_hinge_loss(
    labels: TensorValue, weights: TensorValue, predictions: TensorValue
) -> tuple:
    """The square of the mean hinge loss.

    Args:
        labels: 0 or 1, [batch, 1]. weights: float32[batch, 1], of the examples.
        predictions: float32[batch, 1], logits.
    Returns:
        (float32 scalar, an op that does nothing).
    """
    return square(hinge_loss(labels, predictions, weights)), no_op()


def per_example_logistic_loss(
    labels: TensorValue, weights: TensorValue, predictions: TensorValue
) -> tuple:
    """Logistic losses.

    Args: see `per_example_squared_hinge_loss`.
    Returns:
        (float32[batch, 1], an op that does nothing).
    """
    labels = cast(labels, dtypes.float32)
    losses = sigmoid_cross_entropy_with_logits(labels=labels, logits=predictions)
    return _weighted(losses, weights)


def per_example_squared_loss(
    labels: TensorValue, weights: TensorValue, predictions: TensorValue
) -> tuple:
    """Squared differences.

    Args:
        labels, predictions: float32[batch, d]. weights: float32[batch, 1].
    Returns:
        (float32[batch, 1], the sums over d; an op that does nothing).
    """
    losses = reduce_sum(square(predictions - labels), 1, keepdims=True)
    return _weighted(losses, weights)


def per_example_exp_loss(
    labels: TensorValue, weights: TensorValue, predictions: TensorValue,
    name: str | None = None, eps: float = 0.1,
) -> tuple:  # fmt: skip
    """exp(-z x): z is the label as -1 or 1, x the distance of the probability from 1/2
    in units of eps, at most 1.

    Args:
        labels: 0 or 1, [batch, 1]. weights: float32[batch, 1].
        predictions: float32[batch, 1], logits. name: unused. eps: float.
    Returns:
        (float32[batch, 1], an op that does nothing).
    """
    distance = clip_by_value((sigmoid(predictions) - 0.5) / eps, -1.0, 1.0)
    return _weighted(exp(-_signs(labels) * distance), weights)


def per_example_full_exp_loss(
    labels: TensorValue, weights: TensorValue, predictions: TensorValue,
    name: str | None = None,
) -> tuple:  # fmt: skip
    """exp(-z x): z is the label as -1 or 1, x the logit.

    Args: see `per_example_exp_loss`.
    Returns:
        (float32[batch, 1], an op that does nothing).
    """
    return _weighted(exp(-_signs(labels) * predictions), weights)


def per_example_maxent_loss(
    labels: TensorValue, weights: TensorValue | None, logits: TensorValue,
    num_classes: int, eps: float = 1e-15,
) -> tuple:  # fmt: skip
    """Cross entropies of several classes.

    Args:
        labels: int[batch] or int[batch, 1]. weights: float32[batch, 1], or None.
        logits: float32[batch, num_classes]. num_classes: int.
        eps: how near to 0 and 1 probabilities come.
    Returns:
        (float32[batch, 1], an op that does nothing).
    Raises:
        ValueError: labels are no integers.
    """
    labels = convert_to_tensor(labels)
    if not labels.dtype.is_integer:
        raise ValueError(
            f"Labels dtype should be integer Instead got {labels.dtype!r}."
        )
    wanted = one_hot(reshape(labels, [-1]), num_classes, dtype=dtypes.float32)
    found: Any = clip_by_value(softmax(logits), eps, 1.0 - eps)
    losses = -reduce_sum(log(found) * wanted, 1, keepdims=True)
    return (losses, no_op()) if weights is None else _weighted(losses, weights)
