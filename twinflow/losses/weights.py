"""Weights of losses and metrics: they fit where each axis is as long, or 1."""

from twinflow.base.dispatch import current_mode
from twinflow.graph.cond import cond
from twinflow.ops.core.compare import equal, logical_or
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.shape import rank, shape
from twinflow.ops.debugging.checks import Assert

_START = "weights can not be broadcast to values."


def assert_broadcastable(weights, values):
    """An op that fails unless the weights are a scalar, or fit the values.

    Args:
        weights: a numeric tensor with as many axes as `values`, each as long or 1; or a
            scalar. values: a tensor.
    Returns:
        The op (graph), or None (eager).
    Raises:
        ValueError: they are known not to fit.
        InvalidArgumentError: they do not fit.
    Example:
        from twinflow.losses.weights import assert_broadcastable
        x, w = tf.zeros([2, 3]), tf.ones([2, 1])
        with tf.control_dependencies([assert_broadcastable(w, x)]):
            y = x * w
    """
    mode = current_mode()
    with mode.name_scope("assert_broadcastable") as scope:
        values = convert_to_tensor(values, name="values")
        weights = convert_to_tensor(weights, name="weights")
        with mode.counted(check_ids(weights._shape, values._shape)):
            return _checked(weights, values, scope)


def check_ids(weights, values):
    """How many nodes TensorFlow makes to check tensors of these shapes."""
    return 5 if values is not None and _known_to_fit(weights, values) else 63


def _checked(weights, values, scope):
    if _known_to_fit(weights._shape, values._shape):
        return no_op(name="static_checks_success")
    if weights._shape is None or values._shape is None:
        scalar = equal(0, rank(weights), name="is_scalar")
        valid = cond(scalar, lambda: scalar, lambda: _fits(weights, values))
    else:
        scalar = convert_to_tensor(False, name="is_scalar")
        valid = _axes_fit(shape(weights), shape(values))
    data = [
        _START, "weights.shape=", weights.name, shape(weights),
        "values.shape=", values.name, shape(values), "is_scalar=", scalar,
    ]  # fmt: skip
    return Assert(valid, data, name=scope)


def _known_to_fit(weights, values):
    """Whether the shapes fit for sure.

    Raises:
        ValueError: they do not.
    """
    if weights is None or values is None:
        return weights == ()
    if not weights:
        return True
    if len(values) != len(weights):
        raise ValueError(
            f"{_START} values.rank={len(values)}. weights.rank={len(weights)}. "
            f"values.shape={_text(values)}. weights.shape={_text(weights)}."
        )
    if None in weights or None in values:
        return False
    for axis, (v, w) in enumerate(zip(values, weights, strict=True)):
        if w not in (1, v):
            raise ValueError(
                f"{_START} Mismatch at dim {axis}. values.shape={_spaced(values)} "
                f"weights.shape={_spaced(weights)}."
            )
    return True


def _fits(weights, values):
    """Whether tensors fit that are no scalars."""
    w, v = shape(weights), shape(values)
    same = equal(rank(weights), rank(values), name="is_same_rank")
    return cond(same, lambda: _axes_fit(w, v), lambda: same)


def _axes_fit(w, v):
    return reduce_all(logical_or(equal(w, 1), equal(w, v)))


def _text(shape):
    sizes = tuple("?" if d is None else d for d in shape)
    return str(sizes).replace("'", "")


def _spaced(shape):
    return "[" + " ".join("?" if d is None else str(d) for d in shape) + "]"


def broadcast_weights(weights, values):
    """The weights in the shape of the values; see assert_broadcastable.

    Example:
        from twinflow.losses.weights import broadcast_weights
        broadcast_weights([[1.0], [2.0]], tf.zeros([2, 3]))  # [[1, 1, 1], [2, 2, 2]]
    """
    mode = current_mode()
    with mode.name_scope("broadcast_weights") as scope:
        values = convert_to_tensor(values, name="values")
        weights = convert_to_tensor(weights, name="weights")
        if _alike(weights._shape, values._shape):
            return weights
        check = assert_broadcastable(weights, values)
        with mode.control_dependencies([] if check is None else [check]):
            return multiply(weights, ones_like(values, weights.dtype), name=scope)


def broadcast_ids(weights, values):
    """How many nodes TensorFlow makes to broadcast tensors of these shapes."""
    return 0 if _alike(weights, values) else check_ids(weights, values) + 4


def _alike(weights, values):
    return values is not None and None not in values and weights == values
