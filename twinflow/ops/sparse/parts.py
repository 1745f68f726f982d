"""Sparse tensors joined, cut, and filled."""

import itertools
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import AxisValue
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import add
from twinflow.ops.core.infer import (
    attr_at_least,
    ints,
    length,
    merge,
    one_int,
    rank_of,
    text,
)
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import reduce_max
from twinflow.ops.sparse.math import picked
from twinflow.ops.sparse.rows import fit, fit_all, keys, match, order
from twinflow.ops.sparse.tensor import sparse_input, sparse_inputs


def _depth(t):
    """The number of columns of indices, or entries of a shape, as far as known."""
    return t._shape[-1] if t._shape else None


# ------------------------------------------------------------------ concat
def _infer_concat(indices, values, shapes, concat_dim):
    fit_all(indices, values, shapes)
    depth = (None,)
    for t in (*indices, *shapes):
        depth = merge(depth, (_depth(t),), _ranks_differ(indices))
    counts = [v._shape[0] if v._shape else None for v in values]
    n = None if None in counts else sum(c for c in counts if c)
    return [(n, *depth), (n,), depth]


def _ranks_differ(indices):
    found = [_depth(i) for i in indices]
    places = [i for i, d in enumerate(found) if d != found[0]]
    if not places:
        return None
    return (
        f"Ranks of all input tensors must match: expected {found[0]} but got "
        f"{found[places[0]]} at position {places[0]}"
    )


def _check_concat(indices, values, shapes, concat_dim):
    rank = len(shapes[0])
    if not -rank <= concat_dim < rank:
        return f"Concat dimension must be in range [{-rank}, {rank}), got {concat_dim}"
    for i, s in enumerate(shapes):
        for axis in range(rank):
            if axis != concat_dim % rank and s[axis] != shapes[0][axis]:
                return (
                    f"Input shapes must match: expected {shapes[0][axis]} for "
                    f"dimension {axis} but got {s[axis]} at position {i}"
                )
    return None


def _concat(indices, values, shapes, concat_dim):
    axis = concat_dim % len(shapes[0])
    starts = np.cumsum([0] + [int(s[axis]) for s in shapes])
    moved = [i.copy() for i in indices]
    for rows, start in zip(moved, starts, strict=False):
        rows[:, axis] += start
    rows = np.concatenate(moved)
    perm = order(np, rows)
    whole = shapes[0].copy()
    whole[axis] = starts[-1]
    return [rows[perm], np.concatenate(values)[perm], whole]


SparseConcat = define(
    "SparseConcat", infer=_infer_concat, host=_concat, check=_check_concat
)


def sparse_concat(
    axis: AxisValue, sp_inputs: Any, name: str | None = None,
    expand_nonconcat_dim: Any = False, concat_dim: Any = None,
) -> Any:  # fmt: skip
    """Join SparseTensors along an axis; the rows of the result are in order.

    Args:
        axis: which, in [-rank, rank). sp_inputs: a list of SparseTensors of one dtype.
        name: the name of the node in a graph. concat_dim: the old name of `axis`.
        expand_nonconcat_dim: let the other axes be as long as the longest of each.
    Raises:
        TypeError: `sp_inputs` is no list of SparseTensors.
        InvalidArgumentError: the shapes do not fit.
    """
    if concat_dim is not None:
        if axis is not None:
            raise ValueError("Cannot specify both 'axis' and 'concat_dim'")
        axis = concat_dim
    sps = sparse_inputs(sp_inputs)
    if len(sps) == 1:
        return sps[0]
    if not sps:
        raise ValueError(
            "List argument 'indices' to 'SparseConcat' Op with length 0 shorter than "
            "minimum length 2."
        )
    shapes = [sp.dense_shape for sp in sps]
    if expand_nonconcat_dim:
        shapes = _expanded(shapes, axis)
    inputs = ([sp.indices for sp in sps], [sp.values for sp in sps], shapes)
    return sps[0]._with(apply(SparseConcat, inputs, {"concat_dim": axis}, name))


def _expanded(shapes, axis):
    """The shapes with the longest of each but the joined axis."""
    longest = reduce_max(stack(shapes), 0)
    end = axis + 1 if axis != -1 else None
    after = [] if end is None else [longest[end:]]
    return [concat([longest[:axis], s[axis:end], *after], 0) for s in shapes]


# ------------------------------------------------------------------ split
def _check_split(split_dim, indices, values, shape, num_split):
    axis, dims = one_int(split_dim), ints(shape)
    if axis < 0:
        return f"num_dim must be in the interval [0, {len(dims)})"
    if axis >= len(dims):
        return f"Input split_dim should be between 0 and rank ({len(dims)}), got {axis}"
    if not 1 <= num_split <= dims[axis]:
        return (
            "Input num_split should be between 1 and the splitting dimension size "
            f"({dims[axis]}), got {num_split}"
        )
    return None


def _split(split_dim, indices, values, shape, num_split):
    axis, dims = one_int(split_dim), ints(shape)
    each, more = divmod(dims[axis], num_split)
    bounds = np.cumsum([0] + [each + (i < more) for i in range(num_split)])
    parts: list = [[], [], []]
    for low, high in itertools.pairwise(bounds):
        here = (indices[:, axis] >= low) & (indices[:, axis] < high)
        rows, whole = indices[here], np.array(dims, np.int64)
        rows[:, axis] -= low
        whole[axis] = high - low
        for out, part in zip(parts, (rows, values[here], whole), strict=True):
            out.append(part)
    return parts[0] + parts[1] + parts[2]


def _infer_split(split_dim, indices, values, shape, num_split):
    fit(indices, values, shape)
    attr_at_least(1, "SparseSplit", "num_split", num_split)
    d = length(shape)
    return [(None, d)] * num_split + [(None,)] * num_split + [(d,)] * num_split


SparseSplit = define(
    "SparseSplit",
    on_host="split_dim shape",
    attrs={"num_split": 1},
    infer=_infer_split,
    host=_split,
    check=_check_split,
)


class KeywordRequired:
    """Stands where no positional argument may be."""

    def __repr__(self):
        return "KeywordRequired()"


_KEYWORDS: Any = KeywordRequired()


def sparse_split(
    keyword_required: Any = _KEYWORDS, sp_input: Any = None, num_split: Any = None,
    axis: AxisValue | None = None, name: str | None = None, split_dim: Any = None,
) -> list[Any]:  # fmt: skip
    """Cut a SparseTensor into parts along an axis; the first parts are the longer ones.

    Args:
        keyword_required: nothing may be given by position.
        sp_input: a SparseTensor. num_split: how many parts.
        axis: which, not negative. name: the name of the node in a graph.
        split_dim: the old name of `axis`.
    Returns:
        A list of SparseTensors.
    Raises:
        ValueError: an argument is missing, or given by position.
        InvalidArgumentError: the axis is too short, or there is none.
    """
    if not isinstance(keyword_required, KeywordRequired):
        raise ValueError("Keyword arguments are required for this function.")
    axis = split_dim if axis is None else axis
    for value, what in ((sp_input, "sp_input"), (num_split, "num_split"),
                        (axis, "axis")):  # fmt: skip
        if value is None:
            raise ValueError(f"{what} is required")
    sp, n = sparse_input(sp_input), num_split
    inputs = (axis, sp.indices, sp.values, sp.dense_shape)
    out = apply(SparseSplit, inputs, {"num_split": n}, name)
    return [sp._with(out[i::n]) for i in range(n)]


# ------------------------------------------------------------------ slice
def _check_slice(indices, values, shape, start, size):
    for name, vector in (("start", start), ("size", size)):
        if vector.shape != shape.shape:
            return (
                f"Expected {name} to be a vector of length {len(shape)} but got "
                f"length {vector.size}"
            )
    if np.any(size < 0):
        return f"Expected size to be non-negative, got {text(size.tolist())}"
    return None


def _slice(indices, values, shape, start, size):
    dims = np.maximum(np.minimum(size, shape - start), 0)
    here = np.all((indices >= start) & (indices < start + dims), axis=1)
    return [indices[here] - start, values[here], dims]


def _infer_slice(indices, values, shape, start, size):
    fit(indices, values, shape)
    return [(None, _depth(shape)), (None,), (_depth(shape),)]


def _slice_grad(d_output_values, indices, start, output_indices):
    inputs = (d_output_values, indices, start, output_indices)
    return None, apply(SparseSliceGrad, inputs), None, None, None


SparseSlice = define(
    "SparseSlice",
    infer=_infer_slice,
    host=_slice,
    grad=_slice_grad,
    none_ok=True,
    check=_check_slice,
)  # fmt: skip


def _from_slice(backprop_val_grad, input_indices, input_start, output_indices):
    moved, rows = keys(input_indices - input_start, output_indices)
    places = {k: i for i, k in enumerate(rows.tolist())}
    at = np.array([places.get(k, -1) for k in moved.tolist()], int)
    out = np.zeros(len(at), backprop_val_grad.dtype)
    out[at >= 0] = backprop_val_grad[at[at >= 0]]
    return out


def _infer_slice_grad(backprop_val_grad, input_indices, input_start, output_indices):
    fit(output_indices, backprop_val_grad, input_start)
    n, _ = rank_of(input_indices, 2, "input_indices")
    merge(input_indices._shape, (None, _depth(output_indices)), "Index ranks differ")
    return (n,)


def _slice_grad_grad(dy, input_indices, input_start, output_indices):
    rows = add(output_indices, input_start)
    return picked(dy, match(rows, input_indices)), None, None, None


SparseSliceGrad = define(
    "SparseSliceGrad", infer=_infer_slice_grad, host=_from_slice, grad=_slice_grad_grad
)


def sparse_slice(
    sp_input: Any, start: TensorValue, size: TensorValue, name: str | None = None
) -> Any:
    """The part of a SparseTensor that begins at `start`.

    Args:
        sp_input: a SparseTensor. start, size: int64[ndims]; it is cut off at the end.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError: `start` or `size` has another length.
    """
    sp = sparse_input(sp_input)
    start, size = (convert_to_tensor(v, dtypes.int64) for v in (start, size))
    inputs = (*sp._components(), start, size)
    return sp._with(apply(SparseSlice, inputs, None, name or "SparseSlice"))
