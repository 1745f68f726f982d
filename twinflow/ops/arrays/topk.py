"""The largest entries along the last axis."""

from typing import NamedTuple

import numpy as np

from twinflow.base.dispatch import apply, current_mode
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays import ordered
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import range
from twinflow.ops.core.elementwise import add, multiply
from twinflow.ops.core.index_vectors import scatter_nd
from twinflow.ops.core.infer import (
    at_least,
    not_negative,
    one_int,
    product,
    ranked,
    same_dim,
)
from twinflow.ops.core.joining import concat
from twinflow.ops.core.magnitude import without_nan
from twinflow.ops.core.reduction import reduce_prod
from twinflow.ops.core.shape import reshape


class TopKV2(NamedTuple):
    """The largest entries and where they were."""

    values: Tensor
    indices: Tensor


def _infer_top(input, k, sorted):
    s, k = input._shape, one_int(k)
    at_least(s, 1, "input must be >= 1-D, got shape {}")
    not_negative(k, 1, f"Need k >= 0, got {k}")
    if s is None:
        return [None, None]
    if None not in (k, s[-1]) and s[-1] < k:
        raise InferError(
            f"input must have at least k columns. Had {s[-1]}, needed {k}",
            f"input must have last dimension >= k = {k} but is {s[-1]}",
        )
    return [s[:-1] + (k,)] * 2


def _top_kernel(input, k, sorted):
    n, k = input.shape[-1], one_int(k)
    if not 0 <= k <= n:
        raise ValueError(f"no {k} of {n} columns")  # infer says it better
    found = ordered.largest(input, k)
    if found is not None:
        return found
    keys = input.astype(np.float32) if input.dtype.kind == "V" else input  # sorts nan
    if k == 1 and n:  # passes over nan, as TensorFlow
        places = np.argmax(without_nan(np, keys, "argmax"), -1)[..., None]
    else:  # from behind, so that of equal entries the first one comes first
        order = np.argsort(keys[..., ::-1], axis=-1, kind="stable")
        places = n - 1 - order[..., ::-1][..., :k]
    return np.take_along_axis(input, places, -1), places.astype(np.int32)


@bind_first
def _top_in_xla(jax, input, k, sorted):
    """XLA orders -0 below 0; as they are equal, the first of them comes first. And nan
    is the largest, whatever its sign.
    """
    jnp = jax.numpy
    x = jnp.where(input == 0, np.zeros((), input.dtype), input)
    if jnp.issubdtype(x.dtype, np.floating):
        x = jnp.where(jnp.isnan(x), jnp.asarray(np.nan, x.dtype), x)
    if one_int(k) != 1 or not x.shape[-1]:
        return jax.lax.top_k(x, one_int(k))
    places = jnp.argmax(without_nan(jnp, x, "argmax"), -1)[..., None]
    return jnp.take_along_axis(input, places, -1), places.astype(np.int32)


def _top_grad(d_values, indices, shape_input):
    """d_values put back at their places among zeros."""
    known = type(shape_input) is tuple
    n = shape_input[-1]
    rows = product(shape_input[:-1]) if known else reduce_prod(shape_input[:-1])
    if known:
        column = (*shape_input[:-1], 1)
        starts = constant(np.arange(rows, dtype=np.int32) * n)
    else:
        column = concat([shape_input[:-1], [1]], 0)
        starts = multiply(range(rows), n)
    places = add(indices, reshape(starts, column))
    size = rows * n if known else multiply(rows, n)
    flat = scatter_nd(reshape(places, (-1, 1)), reshape(d_values, (-1,)), [size])
    return reshape(flat, shape_input)


TopK = define(
    "TopKV2",
    on_host="k",
    infer=_infer_top,
    kernel=lambda xp: _top_kernel,
    lower=_top_in_xla,
    grad=[_top_grad],
    grad_names="Reshape_3",
    none_ok=True,
)


def top_k(
    input: TensorValue, k: TensorValue = 1, sorted: bool = True, name: str | None = None
) -> TopKV2:
    """The k largest entries along the last axis; of equal ones the first come first.

    Args:
        input: a real tensor, not a scalar. k: an int, up to the size of the last axis.
        sorted: has no effect, the entries are always sorted.
        name: the name of the call.
    Returns:
        (values, indices), a tensor like `input` and int32, [..., k] both
    Raises:
        tf.errors.InvalidArgumentError: the last axis has fewer than k entries.
    Example:
        tf.nn.top_k([1, 4, 3], 2).indices  # [1, 2]
    """
    return TopKV2(*apply(TopK, (input, k), {"sorted": sorted}, name))


def _infer_in_top(predictions, targets, k):
    n, _ = ranked(predictions._shape, 2, "predictions must be 2-dimensional")
    (m,) = ranked(targets._shape, 1, "targets must be 1-dimensional")
    message = f"First dimension of predictions {n} must match length of targets {m}"
    return (same_dim(n, m, message),)


@bind_first
def _in_top_kernel(xp, predictions, targets, k):
    if xp is np:
        found = ordered.in_top(predictions, targets, one_int(k))
        if found is not None:
            return found
    own = xp.take_along_axis(predictions, targets[:, None], 1)
    above = xp.sum(predictions > own, axis=1)
    return (above < one_int(k)) & xp.all(xp.isfinite(predictions), axis=1)


def _check_targets(predictions, targets, k):
    """TensorFlow's words for a target that is no class, else None."""
    bad = (targets < 0) | (targets >= predictions.shape[1])
    return f"targets[{int(np.argmax(bad))}] is out of range" if bad.any() else None


def _define_in_top(kind, **facts):
    return define(
        kind,
        infer=_infer_in_top,
        kernel=_in_top_kernel,
        guard=lambda xp: (
            lambda predictions, targets, k: xp.all(
                (targets >= 0) & (targets < predictions.shape[1])
            )
        ),
        check=_check_targets,
        **facts,
    )


InTopK = _define_in_top("InTopKV2", on_host="k")
InTopKOld = _define_in_top("InTopK")


def in_top_k(
    predictions: TensorValue, targets: TensorValue, k: TensorValue,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Whether the prediction of the target is among the k largest.

    Entries as large as the k-th count as among them; a row with an entry that is not
    finite gives False.

    Args:
        predictions: float32[batch, classes]. targets: int32 or int64[batch].
        k: an int. name: the name of the call.
    Returns:
        bool[batch]
    Raises:
        tf.errors.InvalidArgumentError: a target is out of range, or the shapes differ.
    Example:
        tf.nn.in_top_k([[0.1, 0.9]], [1], 1)  # [True]
    """
    with current_mode().name_scope(name or "in_top_k"):
        return apply(InTopK, (predictions, targets, k))
