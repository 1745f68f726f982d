"""Cross entropies: losses of logits, which stay finite for large ones."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, errors
from twinflow.base.advice import advised
from twinflow.base.annotations import AxisValue
from twinflow.base.dispatch import apply, current_mode
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tape_record import record
from twinflow.base.tensor import Tensor
from twinflow.ops.core.broadcast import unbroadcast
from twinflow.ops.core.constant import (
    cast,
    constant,
    convert_to_tensor,
    stop_gradient,
)
from twinflow.ops.core.elementwise import add, multiply, negative, subtract
from twinflow.ops.core.infer import broadcast_shapes, ranked, same_dim, text
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.nn.rows import cross_entropy
from twinflow.ops.nn.softmax import centred, log_softmax, softmax


def _infer_dense(features, labels):
    a, b = features._shape, labels._shape
    try:
        s = broadcast_shapes(a, b)
    except InferError as error:
        raise InferError(
            f"logits and labels must be broadcastable: logits_size={text(a)} "
            f"labels_size={text(b)}",
            error.graph_message,
        ) from None
    if s is not None and len(s) != 2:
        raise InferError(
            "logits and labels must be either 2-dimensional, or broadcasted to be "
            f"2-dimensional: {text(s)}",
            f"Shape must be broadcasted with rank 2, but is rank {len(s)}",
        )
    s = ranked(s, 2)
    return [s[:1], s]


def _dense_kernel(xp):
    if xp is not np:
        return lambda features, labels: _traced_dense(xp, features, labels)

    def kernel(features, labels):
        if (found := cross_entropy(features, labels)) is not None:
            return found
        z = centred(features)
        e = np.exp(z)
        s = np.add.reduce(e, 1, None, None, True)
        e /= s
        loss = np.add.reduce(labels * (np.log(s) - z), 1)
        return loss, e - labels

    return kernel


def _lowered(xp, features):
    """The rows less their largest entry, where they have one."""
    if not features.shape[1]:
        return features
    return features - xp.max(features, axis=1, keepdims=True)


def _traced_dense(xp, features, labels):
    z = _lowered(xp, features)
    e = xp.exp(z)
    s = xp.sum(e, axis=1, keepdims=True)
    return xp.sum(labels * (xp.log(s) - z), axis=1), e / s - labels


def _scaled(d_loss, rows):
    """Each row times its gradient; None where there is none."""
    if d_loss is None:
        return None
    if type(d_loss) is dispatch.EagerTensor and dispatch.observers is None:
        column = dispatch.wrap(d_loss._a[..., np.newaxis], d_loss.dtype)
    else:
        column = expand_dims(d_loss, -1)
    return multiply(column, rows)


def _through_softmax(d_backprop, features):
    """The gradient of the rows softmax(features), which `backprop` holds."""
    if d_backprop is None:
        return None
    p = softmax(features)
    along = reduce_sum(multiply(d_backprop, p), -1, True)
    return multiply(subtract(d_backprop, along), p)


def _plus(a, b):
    return b if a is None else a if b is None else add(a, b)


def _dense_grad(d_loss, d_backprop, features, backprop):
    return _plus(_scaled(d_loss, backprop), _through_softmax(d_backprop, features))


def _features_grad(d_loss, d_backprop, features, backprop, shape_features):
    found = _dense_grad(d_loss, d_backprop, features, backprop)
    if type(shape_features) is not tuple:  # 1.12 never asks, and adds no nodes for it
        return found
    return unbroadcast(found, shape_features)


def _labels_grad(d_loss, d_backprop, features, shape_labels):
    found = _plus(
        None if d_loss is None else _scaled(d_loss, negative(log_softmax(features))),
        None if d_backprop is None else negative(d_backprop),
    )
    return unbroadcast(found, shape_labels)


SoftmaxCrossEntropyWithLogits = define(
    "SoftmaxCrossEntropyWithLogits",
    infer=_infer_dense,
    kernel=_dense_kernel,
    grad=[_features_grad, _labels_grad],
    none_ok=True,
)


def _ensure(name, sentinel, labels, logits):
    if sentinel is not None:
        raise ValueError(
            f"Only call `{name}` with named arguments (labels=..., logits=..., ...)"
        )
    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")


def softmax_cross_entropy_with_logits_v2(
    _sentinel: Any = None, labels: TensorValue | None = None,
    logits: TensorValue | None = None, dim: AxisValue = -1, name: str | None = None,
) -> Tensor:  # fmt: skip
    """-sum(labels * log(softmax(logits))) along one axis.

    Args:
        _sentinel: not to be used. labels: float[..., classes], each row a distribution.
        logits: float[..., classes]. dim: the axis of the classes.
        name: the name of the call.
    Returns:
        float of the shape of `logits` without the axis of the classes. Gradients go
        to the labels, too.
    Raises:
        ValueError: labels or logits is missing, or not given by name.
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        tf.nn.softmax_cross_entropy_with_logits_v2(
            labels=[1., 0.], logits=[0., 0.])  # 0.693
    """
    function = "softmax_cross_entropy_with_logits"
    _ensure(function, _sentinel, labels, logits)
    return _dense(labels, logits, dim, name or function, stop=False)


def softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: TensorValue | None = None,
    logits: TensorValue | None = None, dim: AxisValue = -1, name: str | None = None,
) -> Tensor:  # fmt: skip
    """As `softmax_cross_entropy_with_logits_v2`, with no gradient for the labels.

    Args:
        _sentinel: not to be used. labels: float[..., classes], each row a distribution.
        logits: float[..., classes]. dim: the axis of the classes.
        name: the name of the call.
    """
    function = "softmax_cross_entropy_with_logits"
    _ensure(function, _sentinel, labels, logits)
    return _dense(labels, logits, dim, name or f"{function}_sg", stop=True)


def _dense(labels, logits, axis, name, stop):
    mode = current_mode()
    with mode.name_scope(name) as scope:
        labels = convert_to_tensor(labels, name="labels")
        if stop:
            labels = stop_gradient(labels, "labels_stop_gradient")
        logits = convert_to_tensor(logits, name="logits")
        with mode.counted(31 if axis == -1 else 53):
            return _dense_loss(mode, labels, logits, axis, scope)


def _dense_loss(mode, labels, logits, axis, scope):
    wide = _widened(logits)
    labels = cast(labels, wide.dtype)
    if axis != -1:
        wide, labels = _classes_last(wide, axis), _classes_last(labels, axis)
    flat = mode.eager and len(wide._shape) == 2 == len(labels._shape)
    rows, marks = (wide, labels) if flat else (_rows(wide), _rows(labels))
    loss = apply(SoftmaxCrossEntropyWithLogits, (rows, marks), None, scope)[0]
    if not flat or loss._shape != wide._shape[:1]:  # logits are not broadcast
        loss = _unrowed(loss, wide)
    return cast(loss, logits.dtype)


def _widened(logits):
    """Halves are computed in float32."""
    small = logits.dtype in (dtypes.float16, dtypes.bfloat16)
    return cast(logits, dtypes.float32) if small else logits


def _classes_last(x, axis):
    n = len(x._shape)
    axis = axis + n if axis < 0 else axis
    return transpose(x, [*range(axis), *range(axis + 1, n), axis])


def _rows(x):
    """[..., classes] as [rows, classes]."""
    s = x._shape
    if s and s[-1] is not None:
        return reshape(x, (-1, s[-1]))
    last = shape(x)[-1:]
    return reshape(x, concat([constant([-1]), last], 0))


def _unrowed(loss, like):
    """A vector of losses in the shape of `like` without its last axis."""
    s = like._shape
    if s is not None and None not in s[:-1]:
        return reshape(loss, s[:-1])
    if s is not None and len(s) == 2:
        return reshape(loss, (-1,))
    return reshape(loss, shape(like)[:-1])


# ------------------------------------------------------------------ integer labels
def _infer_sparse(features, labels):
    f = ranked(features._shape, 2, "logits must be 2-D, but got shape {}")
    n = ranked(labels._shape, 1, "labels must be 1-D, but got shape {}")
    message = (
        "logits and labels must have the same first dimension, got logits shape {} "
        "and labels shape {}"
    )
    first = same_dim(f[0], n[0], message, f, n)
    return [(first,), (first, f[1])]


def _sparse_kernel(xp):
    if xp is not np:
        return lambda features, labels: _traced_sparse(xp, features, labels)

    def kernel(features, labels):
        if (found := cross_entropy(features, labels)) is not None:
            return found
        z = centred(features)
        e = np.exp(z)
        s = np.add.reduce(e, 1, None, None, True)
        e /= s
        places = (np.arange(labels.size), labels)
        loss = np.log(s[:, 0]) - z[places]
        e[places] -= e.dtype.type(1)
        return loss, e

    return kernel


def _traced_sparse(xp, features, labels):
    z = _lowered(xp, features)
    e = xp.exp(z)
    s = xp.sum(e, axis=1, keepdims=True)
    marks = labels[:, None] == xp.arange(features.shape[1], dtype=labels.dtype)
    picked = xp.sum(xp.where(marks, z, 0), axis=1)
    return xp.log(s[:, 0]) - picked, e / s - marks.astype(e.dtype)


def _guard_labels(xp):
    return lambda features, labels: xp.all((labels >= 0) & (labels < features.shape[1]))


def _check_labels(features, labels):
    """TensorFlow's words for a label that is no class, else None."""
    n = features.shape[1]
    # As unsigned numbers, negative labels are too large: one comparison finds both.
    if not labels.size or labels.view(f"u{labels.itemsize}").max() < n:
        return None
    low = int(labels.min())
    bad = low if low < 0 else int(labels.max())
    values = " ".join(str(v) for v in labels.tolist())
    return (
        f"Received a label value of {bad} which is outside the valid range of "
        f"[0, {n}).  Label values: {values}"
    )


SparseSoftmaxCrossEntropyWithLogits = define(
    "SparseSoftmaxCrossEntropyWithLogits",
    infer=_infer_sparse,
    kernel=_sparse_kernel,
    grad=[_dense_grad, None],
    grad_names="mul",
    guard=_guard_labels,
    check=_check_labels,
    none_ok=True,
)


def _bound_sparse():
    """The kernel with its check: the C module looks at labels by itself."""
    kernel = _sparse_kernel(np)

    def run(features, labels):
        if (found := cross_entropy(features, labels)) is not None:
            return found
        if message := _check_labels(features, labels):
            raise errors.InvalidArgumentError(None, None, message)
        return kernel(features, labels)

    return run


SparseSoftmaxCrossEntropyWithLogits.np.bound = _bound_sparse


def _sparse_now(labels, logits):
    """The loss of eager float32 matrices, if nobody but tapes looks on; or None."""
    observers = dispatch.observers
    tapes = () if observers is None else observers.tapes
    if tapes is None or type(labels) is not type(logits):
        return None
    if type(logits) is not dispatch.EagerTensor or labels._a.ndim != 1:
        return None
    found = cross_entropy(logits._a, labels._a)
    if found is None:
        return None
    outputs = [dispatch.wrap(a, logits.dtype) for a in found]
    if tapes:
        op = SparseSoftmaxCrossEntropyWithLogits
        record(op, tapes, [logits, labels], outputs, op.sig.attrs)
    return outputs[0]


def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: TensorValue | None = None,
    logits: TensorValue | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """-log(softmax(logits)[label]), one label per row.

    Args:
        _sentinel: not to be used. labels: int32 or int64[...], each in [0, classes).
        logits: float[..., classes]. name: the name of the call.
    Returns:
        a float tensor of the shape of `labels`
    Raises:
        ValueError: the shapes do not fit, or an argument is missing or not named.
        tf.errors.InvalidArgumentError: a label is out of range.
    Example:
        tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=[0], logits=[[0., 0.]])  # [0.693]
    """
    _ensure("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    if (found := _sparse_now(labels, logits)) is not None:
        return found
    default = "SparseSoftmaxCrossEntropyWithLogits"
    with current_mode().name_scope(name or default):
        current_mode().leave_ids(1)
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        _check_ranks(labels._shape, logits._shape)
        wide = _widened(logits)
        flat = wide._shape is not None and len(wide._shape) == 2
        with current_mode().counted(None if flat else _sparse_ids(labels, wide)):
            marks = labels if flat else reshape(labels, (-1,))
            rows = wide if flat else _rows(wide)
            op = SparseSoftmaxCrossEntropyWithLogits
            loss = apply(op, (rows, marks), None, name)[0]
            loss = loss if flat else reshape(loss, labels._shape_value())
            return cast(loss, logits.dtype)


def _sparse_ids(labels, logits):
    """The nodes of TensorFlow, which compares shapes that are not known."""
    known = labels.shape.is_fully_defined() and logits.shape[:-1].is_fully_defined()
    return 17 if known else 35


def _check_ranks(labels, logits):
    if logits == ():
        raise ValueError("Logits cannot be scalars - received shape ().")
    if logits is None or labels is None:
        return
    if len(labels) != len(logits) - 1:
        error = advised(
            ValueError,
            f"Rank mismatch: Rank of labels (received {len(labels)}) should equal rank "
            f"of logits minus 1 (received {len(logits)}).",
        )
        given = text(labels), text(logits)
        error.add_note("The labels have shape {}, the logits {}.".format(*given))
        raise error
    pairs = zip(labels, logits[:-1], strict=True)
    if any(None not in (a, b) and a != b for a, b in pairs):
        raise ValueError(
            f"Shape mismatch: The shape of labels (received {TensorShape(labels)}) "
            "should equal the shape of logits except for the last dimension (received "
            f"{TensorShape(logits)})."
        )
