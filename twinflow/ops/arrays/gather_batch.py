"""Gathering per batch, masks of sequences, and adding at index vectors."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import less
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import range
from twinflow.ops.core.elementwise import add, maximum, multiply
from twinflow.ops.core.index import gather
from twinflow.ops.core.index_vectors import ScatterNd, gather_nd
from twinflow.ops.core.infer import one_int, product, static_value
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_max, reduce_prod
from twinflow.ops.core.shape import expand_dims, reshape, shape


def batch_gather(
    params: TensorValue, indices: TensorValue, name: str | None = None
) -> Tensor:
    """Gather along the last axis of the indices, the axes before it side by side.

    out[b..., i, ...] = params[b..., indices[b..., i], ...]

    Args:
        params: a tensor[batch..., n, ...].
        indices: int32 or int64[batch..., k], each in [0, n).
        name: the name scope in a graph.
    Returns:
        A tensor[batch..., k, ...].
    Raises:
        ValueError: the rank of the indices is not known, or 0.
        InvalidArgumentError: an index lies outside of all.
    Example:
        tf.batch_gather([[1, 2], [3, 4]], [[1], [0]])  # [[2], [3]]
    """
    with dispatch.current_mode().name_scope(name or "BatchGather"):
        indices = convert_to_tensor(indices, name="indices")
        params = convert_to_tensor(params, name="params")
        if indices._shape is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        n = len(indices._shape)
        if n == 0:
            raise ValueError("batch_gather needs indices of at least one axis, got ().")
        if n == 1:
            return gather(params, indices)
        return _gathered(params, indices, n)


def _gathered(params, indices, n):
    """Number the rows of all batches through, and take them from there."""
    sizes = shape(params, out_type=indices.dtype)
    rows = sizes[n - 1]
    batch = _product(params, sizes, n - 1)
    starts = multiply(range(batch, dtype=indices.dtype), rows)
    start_shape = concat([shape(indices)[:-1], [1]], 0)
    flat = add(indices, reshape(starts, start_shape))
    whole = concat([[-1], shape(params)[n:]], 0)
    found = gather(reshape(params, whole), reshape(flat, [-1]))
    found = reshape(found, concat([shape(indices), shape(params)[n:]], 0))
    if found.symbolic and params._shape is not None:
        lead = TensorShape(indices._shape[:-1]).merge_with(params._shape[: n - 1])
        found.set_shape(lead.concatenate((indices._shape[-1], *params._shape[n:])))
    return found


def _product(t, sizes, n):
    """The number of elements of the first `n` axes."""
    known = None if t._shape is None else product(t._shape[:n])
    return reduce_prod(sizes[:n]) if known is None else constant(known, sizes.dtype)


def sequence_mask(
    lengths: TensorValue, maxlen: Any = None, dtype: DTypeValue = dtypes.bool,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Whether a place lies inside a sequence: mask[..., j] = j < lengths[...].

    Args:
        lengths: an int tensor of any shape.
        maxlen: the length of the mask, an int scalar; the largest length if not given.
        dtype: the dtype of the mask. name: the name scope in a graph.
    Returns:
        dtype[..., maxlen]
    Raises:
        ValueError: maxlen is not a scalar.
    Example:
        tf.sequence_mask([1, 2], 3)  # [[True, False, False], [True, True, False]]
    """
    mode = dispatch.current_mode()
    with mode.name_scope(name or "SequenceMask"):
        lengths = convert_to_tensor(lengths)
        if maxlen is None:
            with mode.counted(2):
                maxlen = maximum(reduce_max(reshape(lengths, [-1])), 0)
        else:
            maxlen = convert_to_tensor(maxlen)
        if maxlen._shape is not None and len(maxlen._shape):
            raise ValueError("maxlen must be scalar for sequence_mask")
        known = one_int(static_value(maxlen))
        with mode.counted(7):
            number = maxlen if known is None else known
            places = range(number, dtype=_place_type(lengths))
            mask = less(cast(places, lengths.dtype), expand_dims(lengths, -1))
        return cast(mask, dtype)


def _place_type(lengths):
    return dtypes.int64 if lengths.dtype is dtypes.int64 else dtypes.int32


# ------------------------------------------------------------------ adding
def _infer_non_aliasing(input, indices, updates):
    ScatterNd.infer(indices, updates, input._shape)
    return input._shape


def _add_kernel(xp):
    scatter = ScatterNd.kernel(xp)

    def kernel(input, indices, updates):
        if input.dtype == bool:
            found = scatter(indices, updates.astype(np.int32), input.shape)
            return input | (found > 0)
        return input + scatter(indices, updates, input.shape)

    return kernel


ScatterNdNonAliasingAdd = define(
    "ScatterNdNonAliasingAdd",
    infer=_infer_non_aliasing,
    kernel=_add_kernel,
    grad=[lambda dy: dy, None, lambda dy, indices: gather_nd(dy, indices)],
    guard=lambda xp: (
        lambda input, indices, updates: ScatterNd.guard(xp)(
            indices, updates, input.shape
        )
    ),
    check=lambda input, indices, updates: ScatterNd.check(
        indices, updates, input.shape
    ),
)
