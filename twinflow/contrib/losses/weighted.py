"""The losses of tf.contrib.losses, and how they are weighted.

A weight is for a whole example, or for a part of it: it stands for all the losses on
the axes that it has not. Those of tf.losses broadcast from the other side.
"""

import functools
from typing import Any

from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.graph.scopes import name_scope
from twinflow.losses import collection
from twinflow.ops.core.compare import equal, greater, not_equal, where
from twinflow.ops.core.constant import cast, convert_to_tensor, to_float
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.elementwise import abs, log, multiply, realdiv, square, subtract
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import squeeze
from twinflow.ops.core.size import size
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.logistic import sigmoid_cross_entropy_with_logits
from twinflow.ops.nn.loss import (
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)

add_loss = add_arg_scope(collection.add_loss)
get_losses = collection.get_losses
get_regularization_losses = collection.get_regularization_losses


def get_total_loss(
    add_regularization_losses: bool = True, name: str | None = "total_loss"
) -> Any:
    """The sum of all losses; see tf.losses.get_total_loss."""
    return collection.get_total_loss(add_regularization_losses, name)


# ------------------------------------------------------------------ weights
def _axes(first, tensor):
    return list(range(first, tensor.shape.ndims))


def _scale_losses(losses, weights):
    """The weighted sum of losses."""
    reduced = reduce_sum(losses, _axes(weights.shape.ndims, losses))
    return reduce_sum(multiply(reduced, weights))


def _safe_div(numerator, denominator, name="value"):
    """The quotient, 0 where the denominator is not positive."""
    one = ones_like(denominator)
    divisor = where(equal(denominator, 0), one, denominator)
    found = realdiv(numerator, divisor)
    return where(greater(denominator, 0), found, zeros_like(numerator), name=name)


def _safe_mean(losses, num_present):
    """The mean of losses, 0 where none is present."""
    return _safe_div(reduce_sum(losses), num_present)


def _num_present(losses, weights, per_batch=False):
    """How many losses have a weight that is not 0: of all, or of each example."""
    present = to_float(not_equal(weights, 0))
    each = to_float(ones_like(losses))
    if weights.shape.ndims == 0:
        each = each * present
    else:
        each = reduce_sum(each, _axes(weights.shape.ndims, losses)) * present
    return reduce_sum(each, _axes(1, each)) if per_batch else reduce_sum(each)


def _known_ranks(losses, weights):
    if losses.shape.ndims is None:
        raise ValueError("losses.get_shape().ndims cannot be None")
    if weights.shape.ndims is None:
        raise ValueError("weights.get_shape().ndims cannot be None")
    fits = weights.shape.ndims <= losses.shape.ndims
    if not (fits or weights.shape[-1].is_compatible_with(1)):
        raise ValueError(
            f"weights have more axes than losses: {weights.shape} and {losses.shape}. "
            "Give one for each example, or for parts of them."
        )


@add_arg_scope
def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: Any = None) -> Any:
    """The sum of losses by their weights, over the number of those that count.

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
    with name_scope(scope, "weighted_loss", [losses, weights]):
        losses = convert_to_tensor(losses)
        dtype = losses.dtype
        losses = to_float(losses)
        weights = to_float(convert_to_tensor(weights))
        _known_ranks(losses, weights)
        if weights.shape.ndims > 1 and weights.shape[-1].is_compatible_with(1):
            weights = squeeze(weights, [-1])
        total = _scale_losses(losses, weights)
        found = cast(_safe_mean(total, _num_present(losses, weights)), dtype)
        add_loss(found)
        return found


def _pair(a, b):
    """Two tensors of floats; ValueError where their shapes differ."""
    a.shape.assert_is_compatible_with(b.shape)
    return to_float(a), to_float(b)


def _loss(default_scope):
    """A decorator: the weighted loss of what a function makes of two tensors."""

    def decorate(function):
        @functools.wraps(function)
        def loss(predictions, labels=None, weights=1.0, scope=None):
            with name_scope(scope, default_scope, [predictions, labels, weights]) as s:
                pair = convert_to_tensor(predictions), convert_to_tensor(labels)
                return compute_weighted_loss(function(*_pair(*pair)), weights, scope=s)

        return loss

    return decorate


# ------------------------------------------------------------------ losses
@add_arg_scope
def absolute_difference(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: Any = None
) -> Any:
    """The mean of |predictions - labels|.

    Args:
        predictions, labels: float[batch, ...].
        weights, scope: see `compute_weighted_loss`.
    """
    return _absolute(predictions, labels, weights, scope)


@_loss("absolute_difference")
def _absolute(predictions, labels):
    return abs(subtract(predictions, labels))


@add_arg_scope
def mean_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: Any = None
) -> Any:
    """The mean of (predictions - labels)^2; see `absolute_difference`."""
    return _squared(predictions, labels, weights, scope)


@_loss("mean_squared_error")
def _squared(predictions, labels):
    return square(subtract(predictions, labels))


@add_arg_scope
def log_loss(
    predictions: Any, labels: Any = None, weights: Any = 1.0, epsilon: Any = 1e-7,
    scope: Any = None,
) -> Any:  # fmt: skip
    """The mean of -labels log(predictions) - (1 - labels) log(1 - predictions).

    Args:
        epsilon: added before logarithms. The others: see `absolute_difference`.
    """

    @_loss("log_loss")
    def losses(p, y):
        return -y * log(p + epsilon) - (1 - y) * log(1 - p + epsilon)

    return losses(predictions, labels, weights, scope)


@add_arg_scope
def hinge_loss(logits: Any, labels: Any = None, scope: Any = None) -> Any:
    """max(0, 1 - s * logits) for each entry, s = 1 or -1 for the labels 1 and 0."""
    with name_scope(scope, "hinge_loss", [logits, labels]):
        logits, labels = convert_to_tensor(logits), convert_to_tensor(labels)
        logits.shape.assert_is_compatible_with(labels.shape)
        signs = 2 * to_float(labels) - 1
        return relu(1 - signs * logits)


@add_arg_scope
def sigmoid_cross_entropy(
    logits: Any, multi_class_labels: Any, weights: Any = 1.0, label_smoothing: Any = 0,
    scope: Any = None,
) -> Any:  # fmt: skip
    """The mean cross entropy of labels, each 0 or 1 by itself.

    Args:
        logits, multi_class_labels: float[batch, classes].
        label_smoothing: how far labels go to 0.5.
        weights, scope: see `compute_weighted_loss`.
    """
    name = "sigmoid_cross_entropy_loss"
    with name_scope(scope, name, [logits, multi_class_labels, weights]) as scope:
        logits = convert_to_tensor(logits)
        labels = cast(multi_class_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = sigmoid_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope=scope)


@add_arg_scope
def softmax_cross_entropy(
    logits: Any, onehot_labels: Any, weights: Any = 1.0, label_smoothing: Any = 0,
    scope: Any = None,
) -> Any:  # fmt: skip
    """The mean cross entropy of labels of which one is 1.

    Args:
        logits, onehot_labels: float[batch, classes].
        label_smoothing: how far labels go to 1 / classes.
        weights, scope: see `compute_weighted_loss`.
    """
    name = "softmax_cross_entropy_loss"
    with name_scope(scope, name, [logits, onehot_labels, weights]) as scope:
        logits = convert_to_tensor(logits)
        labels = cast(onehot_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            count = cast(labels.shape[1].value or size(labels[0]), logits.dtype)
            labels = labels * (1 - label_smoothing) + label_smoothing / count
        losses = softmax_cross_entropy_with_logits_v2(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope=scope)


@add_arg_scope
def sparse_softmax_cross_entropy(
    logits: Any, labels: Any, weights: Any = 1.0, scope: Any = None
) -> Any:
    """The mean cross entropy of the numbers of classes.

    Args:
        logits: float[batch, classes]. labels: int32 or int64[batch] or [batch, 1].
        weights, scope: see `compute_weighted_loss`.
    """
    name = "sparse_softmax_cross_entropy_loss"
    with name_scope(scope, name, [logits, labels, weights]) as scope:
        labels = convert_to_tensor(labels)
        if labels.shape.ndims == 2:
            labels = squeeze(labels, [1])
        losses = sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope=scope)


@add_arg_scope
def cosine_distance(
    predictions: Any, labels: Any = None, axis: Any = None, weights: Any = 1.0,
    scope: Any = None, dim: Any = None,
) -> Any:  # fmt: skip
    """The mean of 1 - the product of unit vectors.

    Args:
        axis: of the vectors; `dim` is the older name.
        The others: see `absolute_difference`.
    """
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify 'axis'.")

    @_loss("cosine_distance_loss")
    def losses(p, y):
        return 1 - reduce_sum(multiply(p, y), [axis])

    return losses(predictions, labels, weights, scope)


@add_arg_scope
def mean_pairwise_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: Any = None
) -> Any:
    """The mean of the squares of (p_i - p_j) - (y_i - y_j) within each example.

    Args: see `absolute_difference`.
    """
    name = "mean_pairwise_squared_error"
    with name_scope(scope, name, [predictions, labels, weights]):
        pair = _pair(convert_to_tensor(predictions), convert_to_tensor(labels))
        weights, diffs = to_float(convert_to_tensor(weights)), subtract(*pair)
        _known_ranks(diffs, weights)
        axes = _axes(1, diffs)
        count = _num_present(diffs, weights, per_batch=True)
        squares = 2.0 * _safe_div(reduce_sum(square(diffs), axes), count)
        sums = 2.0 * _safe_div(square(reduce_sum(diffs, axes)), square(count))
        loss = _scale_losses(squares - sums, weights)
        found = where(
            greater(reduce_sum(count), 0), loss, zeros_like(loss), name="value"
        )
        add_loss(found)
        return found
