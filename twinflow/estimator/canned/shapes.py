"""What heads are given, checked: the shapes of logits, labels, weights and losses."""

import inspect

from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.losses.weighting import Reduction
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import convert_to_tensor, identity, to_float
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import reduce_all, reduce_any
from twinflow.ops.core.shape import expand_dims, shape
from twinflow.ops.debugging.checks import (
    Assert,
    assert_less_equal,
    assert_non_negative,
)
from twinflow.ops.debugging.static import assert_rank_at_least
from twinflow.ops.sparse.tensor import (
    SparseTensor,
    convert_to_tensor_or_sparse_tensor,
)

_LOGITS = "logits shape must be [D0, D1, ... DN, logits_dimension]"
_NO_LABELS = (
    "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: "
    "Check that your data contain your label feature. Check that your input_fn properly "
    "parses and returns labels."
)
_SPARSE_LABELS = (
    "SparseTensor labels are not supported. labels must be a Tensor of shape [D0, D1, "
    "..., DN, {0}], e.g. [batch_size, {0}]. Suggested Fix (1): Check the label feature "
    "in your data. Each example must contain {0} value(s). If not, your choice of label "
    "was probably incorrect. Suggested Fix (2): In your input_fn, use "
    "tf.sparse_tensor_to_dense() to turn labels into a Tensor."
)
_RANK_OF_LABELS = (
    "labels shape must be [D0, D1, ... DN, {}]. Suggested Fix: check your n_classes "
    "argument to the estimator and/or the shape of your label."
)
_OTHER_LABELS = (
    "Mismatched label shape. Expected labels dimension={}.  Received {}. Suggested Fix:"
    "If your classifier expects one-hot encoding label,check your n_classes argument to "
    "the estimator and/or the shape of your label. Otherwise, check the shape of your "
    "label."
)
_WEIGHTS = (
    "weights shape must be [D0, D1, ... DN], [D0, D1, ... DN, 1] or [D0, D1, ... DN, "
    "logits_dimension]"
)
_ARGS = ("labels", "logits", "features", "loss_reduction")


def checked_reduction(reduction):
    """The reduction; raises ValueError for none of them, and for NONE."""
    if reduction not in Reduction.all() or reduction == Reduction.NONE:
        raise ValueError(f"Invalid loss_reduction: {reduction}")
    return reduction


def check_logits_final_dim(logits, expected_logits_dimension):
    """The logits as floats of at least two dimensions, of which the last is known."""
    with name_scope(None, "logits", (logits,)):
        logits = to_float(logits)
        sizes = shape(logits)
        ranked = assert_rank_at_least(logits, 2, data=[sizes], message=_LOGITS)
        with control_dependencies([ranked]):
            static = logits.shape
            if static.ndims is None or static[-1].value is None:
                same = equal(expected_logits_dimension, sizes[-1])
                with control_dependencies([Assert(same, [_LOGITS, sizes])]):
                    return identity(logits)
            if static[-1].value != expected_logits_dimension:
                raise ValueError(f"{_LOGITS}, got {static}.")
            return logits


def no_labels():
    """The error of labels that are not given."""
    return ValueError(_NO_LABELS)


def check_dense_labels_match_logits_and_reshape(
    labels, logits, expected_labels_dimension
):
    """The labels, with a last dimension where there was none; their shape is checked."""
    if labels is None:
        raise no_labels()
    with name_scope(None, "labels", (labels, logits)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            raise ValueError(_SPARSE_LABELS.format(expected_labels_dimension))
        if _is_one_shorter(labels, logits):
            labels = expand_dims(labels, -1)
        return _checked_labels(labels, logits, expected_labels_dimension, scope)


def _assert_same(x, y, data):
    """The op that fails with the data where two shapes differ."""
    return Assert(reduce_all(equal(x, y)), data)


def _is_one_shorter(tensor, logits):
    ndims, of_logits = tensor.shape.ndims, logits.shape.ndims
    return None not in (ndims, of_logits) and ndims == of_logits - 1


def _checked_labels(labels, logits, dimension, scope):
    message = _RANK_OF_LABELS.format(dimension)
    sizes = shape(labels)
    with control_dependencies([assert_rank_at_least(labels, 2, message=message)]):
        static = labels.shape
        if static.ndims is not None:
            last = static[-1].value
            if last is not None and last != dimension:
                raise ValueError(_OTHER_LABELS.format(dimension, last))
        expected = concat([shape(logits)[:-1], [dimension]], axis=0)
        same = _assert_same(
            expected, sizes,
            ["expected_labels_shape: ", expected, "labels_shape: ", sizes],
        )  # fmt: skip
        with control_dependencies([same]):
            return identity(labels, name=scope)


def check_weights(weights, logits, allow_per_logit_weights):
    """Weights as floats that fit the logits, or one logit of each row."""
    weights = to_float(weights, name="weights")
    sizes = shape(weights, name="weights_shape")
    of_logits = shape(logits, name="logits_shape")
    data = ["logits_shape: ", of_logits, "weights_shape: ", sizes]
    shorter = _is_one_shorter(weights, logits)
    expected = of_logits[:-1] if shorter else concat([of_logits[:-1], [1]], axis=0)
    if allow_per_logit_weights and not shorter:
        same = [reduce_all(equal(s, sizes)) for s in (of_logits, expected)]
        fits = Assert(reduce_any(stack(same)), [_WEIGHTS, *data])
    else:
        fits = _assert_same(expected, sizes, data)
    with control_dependencies([fits]):
        return expand_dims(weights, -1) if shorter else identity(weights)


def check_label_range(labels, n_classes, message=None):
    """The labels, checked to be in [0, n_classes) when they are used."""
    with name_scope(None, "assert_range", (labels,)):
        most = convert_to_tensor(n_classes - 1, dtype=labels.dtype)
        less = assert_less_equal(
            labels, most, message=message or "Labels must <= n_classes - 1"
        )
        positive = assert_non_negative(labels, message=message or "Labels must >= 0")
        with control_dependencies([less, positive]):
            return identity(labels)


def validate_loss_fn_args(loss_fn):
    """Raise ValueError unless a loss function takes labels and logits, and no more."""
    names = tuple(n for n in inspect.signature(loss_fn).parameters if n != "self")
    for name in _ARGS[:2]:
        if name not in names:
            raise ValueError(
                f"loss_fn must contain argument: {name}. Given arguments: {names}"
            )
    unknown = [name for name in names if name not in _ARGS]
    if unknown:
        raise ValueError(f"loss_fn has unexpected args: {unknown}")


def call_loss_fn(loss_fn, labels, logits, features, expected_loss_dim=1):
    """The losses that a function of the user gives, their shape checked."""
    kwargs = {}
    if "features" in inspect.signature(loss_fn).parameters:
        kwargs["features"] = features
    with name_scope(None, "call_loss_fn", [labels, logits]):
        losses = loss_fn(labels=labels, logits=logits, **kwargs)
        of_logits, sizes = shape(logits, name="logits_shape"), shape(losses)
        expected = concat([of_logits[:-1], [expected_loss_dim]], axis=0)
        same = _assert_same(
            expected, sizes,
            ["loss_fn must return Tensor of shape [D0, D1, ... DN, "
                  f"{expected_loss_dim}]. ", "logits_shape: ", of_logits,
                  "loss_shape: ", sizes],
        )  # fmt: skip
        with control_dependencies([same]):
            return identity(losses)
