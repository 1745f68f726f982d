"""The cross entropy of sequences, with a weight for each step."""

from typing import Any

from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import cast
from twinflow.ops.core.elementwise import add_n
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.nn.loss import sparse_softmax_cross_entropy_with_logits

_TINY = 1e-12  # keeps a division by no weight at all finite


def sequence_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True,
    average_across_batch: bool = True, softmax_loss_function: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The weighted cross entropy of sequences.

    Args:
        logits: float[batch, time, classes]. targets: int[batch, time].
        weights: float[batch, time].
        average_across_timesteps, average_across_batch: divide by the sum of the
            weights (or by the batch size) along these axes, which are then gone.
        softmax_loss_function: called with `labels` and `logits` instead of
            tf.nn.sparse_softmax_cross_entropy_with_logits.
        name: of the scope.
    Returns:
        float[], [batch], [time] or [batch, time]
    Raises:
        ValueError: an argument has another number of axes.
    Example:
        logits, targets = tf.zeros([4, 10, 2]), tf.ones([4, 10], tf.int32)
        loss = tf.contrib.seq2seq.sequence_loss(logits, targets, tf.ones([4, 10]))
        round(float(loss), 3)  # 0.693
    """
    _require(logits, 3, "Logits", "[batch_size x sequence_length x logits]")
    _require(targets, 2, "Targets", "[batch_size x sequence_length]")
    _require(weights, 2, "Weights", "[batch_size x sequence_length]")
    with name_scope(name, "sequence_loss", [logits, targets, weights]):
        sizes = shape(logits)
        flat = reshape(logits, [-1, sizes[2]])
        entropy = _entropy(softmax_loss_function, reshape(targets, [-1]), flat)
        loss = entropy * reshape(weights, [-1])
        if average_across_timesteps and average_across_batch:
            return reduce_sum(loss) / (reduce_sum(weights) + _TINY)
        loss = reshape(loss, sizes[0:2])
        if average_across_timesteps:
            loss = reduce_sum(loss, axis=[1]) / (reduce_sum(weights, axis=1) + _TINY)
        elif average_across_batch:
            loss = reduce_sum(loss, axis=[0]) / (reduce_sum(weights, axis=0) + _TINY)
        return loss


def _require(x, ndims, name, form):
    if len(x.get_shape()) != ndims:
        raise ValueError(f"{name} must be a {form} tensor")


def _entropy(function, labels, logits):
    found = function or sparse_softmax_cross_entropy_with_logits
    return found(labels=labels, logits=logits)


def sequence_loss_by_example(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True,
    softmax_loss_function: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The weighted cross entropy of each example, from a list of steps.

    Args:
        logits: a list of float[batch, classes]. targets: a list of int[batch].
        weights: a list of float[batch].
        average_across_timesteps, softmax_loss_function, name: see `sequence_loss`.
    Returns:
        float[batch]
    Raises:
        ValueError: the lists have different lengths.
    """
    if not len(logits) == len(targets) == len(weights):
        raise ValueError(
            "Lengths of logits, weights, and targets must be the same "
            f"{len(logits)}, {len(weights)}, {len(targets)}."
        )
    with name_scope(name, "sequence_loss_by_example", [*logits, *targets, *weights]):
        steps = [
            _entropy(softmax_loss_function, reshape(target, [-1]), logit) * weight
            for logit, target, weight in zip(logits, targets, weights)
        ]
        total = add_n(steps)
        return total / (add_n(weights) + _TINY) if average_across_timesteps else total


def list_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True,
    average_across_batch: bool = True, softmax_loss_function: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The sum of `sequence_loss_by_example`, divided by the batch size if asked to."""
    with name_scope(name, "sequence_loss", [*logits, *targets, *weights]):
        examples = sequence_loss_by_example(
            logits, targets, weights, average_across_timesteps, softmax_loss_function
        )
        cost = reduce_sum(examples)
        if average_across_batch:
            return cost / cast(shape(targets[0])[0], cost.dtype)
        return cost
