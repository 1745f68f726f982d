"""Rows of tables, looked up by number."""

import builtins
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.base.dtypes import int32
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.ops.arrays.partition import dynamic_partition, parallel_dynamic_stitch
from twinflow.ops.core.compare import less, where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.creation import range
from twinflow.ops.core.division import floordiv, floormod
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.partitioned import parts_of
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import rank, reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.math.clip import clip_by_norm


def looked_up_and_transformed(
    params, ids, partition_strategy="mod", name=None, max_norm=None, transform_fn=None
):
    """tf.nn.embedding_lookup, whose rows go through `transform_fn`."""
    found = embedding_lookup(params, ids, partition_strategy, name, max_norm=max_norm)
    if transform_fn is None:
        return found
    flat = transform_fn(reshape(found, concat([[-1], shape(found)[rank(ids) :]], 0)))
    whole = reshape(flat, concat([shape(ids), shape(flat)[1:]], 0))
    known = convert_to_tensor(ids)._shape
    if known is not None and flat._shape is not None:
        whole.set_shape([*known, *flat._shape[1:]])
    return whole


def embedding_lookup(
    params: TensorValue, ids: TensorValue, partition_strategy: str = "mod",
    name: str | None = None, validate_indices: bool = True, max_norm: Any = None,
) -> Tensor:  # fmt: skip
    """The rows of `params` named by `ids`.

    Args:
        params: a tensor or variable number[rows, ...], or a list of its parts (a list
            of rows counts as a list of parts).
        ids: int32 or int64[...], each in [0, rows).
        partition_strategy: how rows are dealt out to the parts, "mod" (in turn) or
            "div" (in blocks).
        name: the name of the call. validate_indices: has no effect.
        max_norm: clip each row to this L2 norm.
    Returns:
        number[shape of ids, shape of a row]
    Raises:
        tf.errors.InvalidArgumentError: an id is out of range.
        ValueError: `params` is empty, or the strategy is unknown.
    Example:
        table = tf.constant([[1., 2.], [3., 4.]])
        tf.nn.embedding_lookup(table, [1, 0])  # [[3., 4.], [1., 2.]]
    """
    if params is None or (isinstance(params, list | tuple) and not params):
        raise ValueError("Need at least one param")
    params = parts_of(params)
    parts = params if isinstance(params, list) else [params]
    with current_mode().name_scope(name or "embedding_lookup") as scope:
        if len(parts) == 1:
            rows = _looked_up(parts[0], ids, scope)
            return identity(clipped(rows, ids, max_norm), "Identity")
        rows = _joined(parts, convert_to_tensor(ids), partition_strategy, scope)
        return clipped(rows, ids, max_norm)


def _looked_up(params, ids, scope):
    if hasattr(params, "sparse_read"):
        current_mode().leave_ids(2)
        return params.sparse_read(ids, name=scope)
    return gather(params, ids, name=scope)


def _joined(parts, ids, strategy, scope):
    """The rows of `ids` from several parts, each of which gives its own."""
    if strategy not in _DEALT:
        raise ValueError(f"Unrecognized partition strategy: {strategy}")
    parts = [
        p if isinstance(p, ResourceHandle) else convert_to_tensor(p) for p in parts
    ]
    flat = reshape(ids, [-1])
    order = range(size(flat))
    owners, places = _DEALT[strategy](parts, flat)
    owners = cast(owners, int32)
    wanted = dynamic_partition(places, owners, len(parts))
    order = dynamic_partition(order, owners, len(parts))
    found = [_looked_up(p, i, None) for p, i in zip(parts, wanted)]
    rows = parallel_dynamic_stitch(order, found, scope)
    return _shaped(rows, ids, parts)


def _mod(parts, ids):
    """(the part of each row, its place there): rows dealt out in turn."""
    return floormod(ids, len(parts)), floordiv(ids, len(parts))


def _div(parts, ids):
    """(the part of each row, its place there): rows dealt out in blocks."""
    total = _number_of_rows(parts, ids.dtype)
    few, rest = floordiv(total, len(parts)), floormod(total, len(parts))
    owners = maximum(floordiv(ids, few + 1), floordiv(ids - rest, few))
    places = floormod(ids, few + 1), floormod(ids - rest, few)
    return owners, where(less(owners, rest), *places)


_DEALT = {"mod": _mod, "div": _div}


def _number_of_rows(parts, dtype):
    known = [p.shape[0].value if p.shape.ndims else None for p in parts]
    if None not in known:
        return constant(sum(known), dtype)
    sizes = [shape(p)[0] for p in parts]
    return reduce_sum(cast(stack(sizes), dtype))


def _shaped(rows, ids, parts):
    """The rows with the axes of `ids` first."""
    row = TensorShape(None)
    for part in parts:
        row = row.merge_with(part.shape[1:])
    sizes = row if row.is_fully_defined() else shape(parts[0])[1:]
    whole = reshape(rows, concat([shape(ids), sizes], 0))
    whole.set_shape(ids.shape.concatenate(row))
    return whole


def clipped(rows, ids, max_norm):
    """Rows of at most this L2 norm; as they are where it is None."""
    if max_norm is None:
        return rows
    first, last = convert_to_tensor(ids)._shape, rows._shape
    if first is None or last is None:
        axes = range(rank(ids), rank(rows))
    else:
        axes = [*builtins.range(len(first), len(last))]
    return clip_by_norm(rows, max_norm, axes=axes)
