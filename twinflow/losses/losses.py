"""tf.losses: weighted means of losses per example.

All take `weights` (a number, or a tensor of as many axes as the losses, each of the
same size or 1), `scope` (the name scope), `loss_collection` (None for none) and
`reduction` (see Reduction); they return a scalar, or the losses if it is NONE.
"""

import inspect
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.base.written import optional, public_form, with_shared
from twinflow.graph.cond import cond
from twinflow.losses.collection import LOSSES, add_loss
from twinflow.losses.weighting import (
    BY_NONZERO,
    axes_of,
    compute_weighted_loss,
    num_present,
)
from twinflow.losses.weights import assert_broadcastable, broadcast_ids
from twinflow.ops.core.compare import equal, where
from twinflow.ops.core.constant import (
    cast,
    convert_to_tensor,
    stop_gradient,
    to_float,
)
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.elementwise import (
    abs,
    add,
    log,
    maximum,
    minimum,
    multiply,
    negative,
    square,
    squared_difference,
    subtract,
)
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import rank, shape, squeeze
from twinflow.ops.math.confusion_matrix import remove_squeezable_dimensions
from twinflow.ops.math.truncation import div_no_nan
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.logistic import sigmoid_cross_entropy_with_logits
from twinflow.ops.nn.loss import (
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)


def _loss(scope):
    """A decorator: the loss of a function that gives the losses of the examples.

    The loss takes `scope`, `loss_collection` and `reduction` besides. The function may
    give other weights with its losses.

    Args:
        scope: the name scope by default.
    """

    def decorate(function):
        own = list(inspect.signature(function).parameters.values())
        first, second, *_ = (p.name for p in own)

        def run(arguments):
            _check_given(**{name: arguments[name] for name in (first, second)})
            collection = arguments.pop("loss_collection")
            reduction = arguments.pop("reduction")
            with current_mode().name_scope(arguments.pop("scope") or scope) as full:
                found, weights = function(**arguments), arguments["weights"]
                if isinstance(found, tuple):
                    found, weights = found
                return compute_weighted_loss(
                    found, weights, full, collection, reduction
                )

        shared = optional(scope=None, loss_collection=LOSSES, reduction=BY_NONZERO)
        return public_form(function, with_shared(own, shared), run)

    return decorate


@_loss("softmax_cross_entropy_loss")
def softmax_cross_entropy(onehot_labels, logits, weights=1.0, label_smoothing=0):
    """-sum(labels * log(softmax(logits))) for each row.

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
    logits = convert_to_tensor(logits)
    labels = cast(onehot_labels, logits.dtype)
    _check_same(logits, labels)
    if label_smoothing > 0:
        classes = cast(shape(labels)[1], logits.dtype)
        labels = add(multiply(labels, 1 - label_smoothing), label_smoothing / classes)
    labels = stop_gradient(labels, "labels_stop_gradient")
    return softmax_cross_entropy_with_logits_v2(
        labels=labels, logits=logits, name="xentropy"
    )


@_loss("sparse_softmax_cross_entropy_loss")
def sparse_softmax_cross_entropy(labels, logits, weights=1.0):
    """-log(softmax(logits)[label]) for each row.

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
    logits, labels = convert_to_tensor(logits), convert_to_tensor(labels)
    current_mode().leave_ids(-1)
    labels, logits, weights = _aligned(labels, logits, weights)
    losses = sparse_softmax_cross_entropy_with_logits(
        labels=labels, logits=logits, name="xentropy"
    )
    return losses, weights


@_loss("sigmoid_cross_entropy_loss")
def sigmoid_cross_entropy(multi_class_labels, logits, weights=1.0, label_smoothing=0):
    """-labels * log(sigmoid(logits)) - (1 - labels) * log(1 - sigmoid(logits)).

    Args:
        multi_class_labels: number[batch, classes], each in [0, 1].
        logits: float[batch, classes].
        label_smoothing: s > 0: labels * (1 - s) + s / 2 are taken as labels.
        weights, scope, loss_collection, reduction: see the module.
    Raises:
        ValueError: the shapes differ, or something is None.
    """
    logits = convert_to_tensor(logits)
    labels = cast(multi_class_labels, logits.dtype)
    _check_same(logits, labels)
    if label_smoothing > 0:
        labels = add(multiply(labels, 1 - label_smoothing), 0.5 * label_smoothing)
    return sigmoid_cross_entropy_with_logits(
        labels=labels, logits=logits, name="xentropy"
    )


@_loss("mean_squared_error")
def mean_squared_error(labels, predictions, weights=1.0):
    """(predictions - labels) ** 2.

    Args:
        labels, predictions: numeric tensors of one shape.
        weights, scope, loss_collection, reduction: see the module.
    Raises:
        ValueError: the shapes differ, or something is None.
    Example:
        tf.losses.mean_squared_error([1., 2.], [3., 2.])  # 2.0
    """
    p, y = _floats(predictions, labels)
    return squared_difference(p, y)


@_loss("absolute_difference")
def absolute_difference(labels, predictions, weights=1.0):
    """|predictions - labels|.

    Args: see mean_squared_error.
    """
    p, y = _floats(predictions, labels)
    return abs(subtract(p, y))


@_loss("log_loss")
def log_loss(labels, predictions, weights=1.0, epsilon=1e-7):
    """-y * log(p + epsilon) - (1 - y) * log(1 - p + epsilon); labels y, predictions p.

    Args:
        epsilon: keeps from taking the log of 0. Others: see mean_squared_error.
    """
    p, y = _floats(predictions, labels)
    left = negative(multiply(y, log(add(p, epsilon))))
    return subtract(left, multiply(1 - y, log(add(1 - p, epsilon))))


@_loss("hinge_loss")
def hinge_loss(labels, logits, weights=1.0):
    """max(0, 1 - (2 * labels - 1) * logits).

    Args:
        labels: numeric, 0 or 1. logits: floats of the same shape.
        weights, scope, loss_collection, reduction: see the module.
    Raises:
        ValueError: the shapes differ, or something is None.
    """
    logits, labels = _floats(logits, labels)
    ones = ones_like(labels)
    signs = subtract(multiply(labels, 2.0), ones)
    return relu(subtract(ones, multiply(signs, logits)))


@_loss("cosine_distance_loss")
def cosine_distance(labels, predictions, axis=None, weights=1.0, *, dim=None):
    """1 - sum(labels * predictions) along `axis`, for vectors of length 1.

    Args:
        labels, predictions: numeric tensors of one shape.
        axis: the axis of the vectors. dim: the older name of `axis`.
        weights, scope, loss_collection, reduction: see the module.
    Raises:
        ValueError: `axis` is missing, the shapes differ, or something is None.
    Example:
        tf.losses.cosine_distance([[1.0, 0.0]], [[0.0, 1.0]], axis=1)  # 1.0
    """
    if axis is not None and dim is not None:
        raise ValueError("Cannot specify both 'dim' and 'axis'")
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    p, y = _floats(predictions, labels)
    return 1 - reduce_sum(multiply(p, y), axis=(axis,), keepdims=True)


@_loss("huber_loss")
def huber_loss(labels, predictions, weights=1.0, delta=1.0):
    """0.5 * e ** 2 where e = |predictions - labels| <= delta, else linear from there.

    Args:
        delta: where the line begins. Others: see mean_squared_error.
    """
    p, y = _floats(predictions, labels)
    error = abs(subtract(p, y))
    quadratic = minimum(error, delta)
    linear = subtract(error, quadratic)
    curve = multiply(multiply(quadratic, quadratic), 0.5)
    return add(curve, multiply(linear, delta))


def mean_pairwise_squared_error(
    labels: TensorValue, predictions: TensorValue, weights: TensorValue = 1.0,
    scope: Any = None, loss_collection: str | None = LOSSES,
) -> Tensor:  # fmt: skip
    """The mean of ((p_i - p_j) - (y_i - y_j)) ** 2 over the pairs in each example.

    Args:
        labels, predictions: numeric tensors[batch, ...] of one shape; y and p.
        weights: a number, or a tensor of as many axes, each as long or 1; elements of
            weight 0 are no part of any pair.
        scope, loss_collection: see the module.
    Returns:
        The sum over the examples, a scalar.
    Raises:
        ValueError: the shapes differ, or something is None.
    Example:
        tf.losses.mean_pairwise_squared_error([[0.0, 0.0]], [[1.0, 3.0]])  # 4.0
    """
    _check_given(labels=labels, predictions=predictions)
    mode = current_mode()
    with mode.name_scope(scope or "mean_pairwise_squared_error"):
        weights, labels = to_float(weights), to_float(labels)
        check = assert_broadcastable(weights, labels)
        with mode.control_dependencies([] if check is None else [check]):
            predictions = to_float(predictions)
            _check_same(predictions, labels)
            with mode.counted(_pairwise_ids(weights._shape, labels._shape)):
                loss = _pairwise(subtract(predictions, labels), weights)
    add_loss(loss, loss_collection)
    return loss


def _pairwise_ids(weights, labels):
    unranked = 6 * (weights is None or labels is None)
    return 62 + unranked + broadcast_ids(weights, labels)


def _pairwise(errors, weights):
    """From pairs to sums: the pairs need not be made."""
    axes = axes_of(errors)
    count = num_present(errors, weights, per_batch=True)
    squares = reduce_sum(square(errors), axis=axes, keepdims=True)
    alone = 2.0 * div_no_nan(squares, maximum(count - 1, 0), "value")
    total = square(reduce_sum(errors, axis=axes, keepdims=True))
    pairs = maximum(multiply(count, count - 1), 0)
    loss = reduce_sum(
        multiply(alone - 2.0 * div_no_nan(total, pairs, "value"), weights)
    )
    return where(reduce_sum(count) > 0, loss, zeros_like(loss), name="value")


def _check_given(**tensors):
    for name, value in tensors.items():
        if value is None:
            raise ValueError(f"{name} must not be None.")


def _floats(a, b):
    """Two tensors of one shape as float32."""
    a, b = to_float(a), to_float(b)
    _check_same(a, b)
    return a, b


def _check_same(a, b):
    if a._shape != b._shape:
        TensorShape(a._shape).assert_is_compatible_with(TensorShape(b._shape))


def _aligned(labels, logits, weights):
    """Labels and weights without a last axis of size 1 that the losses do not have."""
    labels, logits = remove_squeezable_dimensions(labels, logits, 1)
    if isinstance(weights, int | float):
        return labels, logits, weights
    weights = convert_to_tensor(weights)
    w, s = weights._shape, labels._shape
    if w is not None and s is not None:
        more = len(w) - len(s) == 1
        return labels, logits, squeeze(weights, [-1]) if more else weights
    if w is None or (w and w[-1] in (1, None)):
        one_more = equal(1, rank(weights) - rank(labels))
        weights = cond(one_more, lambda: squeeze(weights, [-1]), lambda: weights)
    return labels, logits, weights
