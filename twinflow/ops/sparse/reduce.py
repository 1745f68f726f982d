"""Reductions of sparse tensors, to dense and to sparse ones."""

from typing import Any

import numpy as np

from twinflow.base.annotations import AxisValue
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.ops.core import creation
from twinflow.ops.core.broadcast import kept_shape
from twinflow.ops.core.describe import published
from twinflow.ops.core.index import UnsortedSegmentSum
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.infer import ints, sizes
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.size import size as vector_size
from twinflow.ops.sparse.rows import fit, keys, order, places_in, strides_of
from twinflow.ops.sparse.tensor import is_sparse, sparse_input


def _kept(rank, axes):
    """The axes that stay."""
    gone = {a % rank for a in ints(axes)} if rank else set()
    return [i for i in range(rank) if i not in gone]


def _check(input_indices, input_values, input_shape, reduction_axes, keep_dims):
    rank = len(ints(input_shape))
    for axis in ints(reduction_axes):
        if not -rank <= axis < rank:
            return (
                f"Invalid reduction dimension {axis}, for input with {rank} dimensions."
            )
    return None


def _result_shape(shape, axes, keep_dims):
    kept = _kept(len(shape), axes)
    if keep_dims:
        return tuple(d if i in kept else 1 for i, d in enumerate(shape))
    return tuple(shape[i] for i in kept)


def _infer_dense(input_indices, input_values, input_shape, reduction_axes, keep_dims):
    fit(input_indices, input_values, input_shape)
    if input_shape is None or reduction_axes is None:
        return None
    shape, axes = sizes(input_shape), ints(reduction_axes)
    if None in axes or any(not -len(shape) <= a < len(shape) for a in axes):
        return None
    return _result_shape(shape, axes, keep_dims)


def _groups(xp, indices, shape, axes):
    """(group of each row or -1 where it lies outside, number of groups)."""
    kept = _kept(len(shape), axes)
    dims = [shape[i] for i in kept]
    group = xp.zeros(indices.shape[0], np.int64)
    good = xp.ones(indices.shape[0], bool)
    for i, d, stride in zip(kept, dims, strides_of(dims), strict=True):
        group = group + indices[:, i] * stride
        good = good & (indices[:, i] >= 0) & (indices[:, i] < d)
    return xp.where(good, group, -1), int(np.prod(dims, dtype=np.int64))


@bind_first
def _axes_fit(xp, input_indices, input_values, input_shape, reduction_axes, keep_dims):
    rank = len(ints(input_shape))
    return all(-rank <= a < rank for a in ints(reduction_axes))


def _sum_kernel(xp):
    add_groups = UnsortedSegmentSum.kernel(xp)

    def kernel(input_indices, input_values, input_shape, reduction_axes, keep_dims):
        shape = ints(input_shape)
        group, n = _groups(xp, input_indices, shape, reduction_axes)
        out = add_groups(input_values, group, n)
        return out.reshape(_result_shape(shape, reduction_axes, keep_dims))

    return kernel


def _sum_grad(dy, input_indices, input_shape, reduction_axes):
    whole = kept_shape(_as_tuple(input_shape), reduction_axes)
    dy = reshape(dy, whole)
    return gather_nd(dy, places_in(input_indices, input_shape, whole))


def _as_tuple(shape):
    known = shape if isinstance(shape, tuple | list | np.ndarray) else None
    return shape if known is None else ints(known)


SparseReduceSum = define(
    "SparseReduceSum",
    on_host="input_shape reduction_axes",
    infer=_infer_dense,
    kernel=_sum_kernel,
    grad=[None, _sum_grad],
    check=_check,
    guard=_axes_fit,
)


def _max_kernel(input_indices, input_values, input_shape, reduction_axes, keep_dims):
    shape = ints(input_shape)
    group, n = _groups(np, input_indices, shape, reduction_axes)
    there = group >= 0
    group, values = group[there], input_values[there]
    by_group = np.argsort(group, kind="stable")
    group, values = group[by_group], values[by_group]
    out = np.zeros(n, input_values.dtype)
    if len(group):
        starts = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
        out[group[starts]] = np.maximum.reduceat(values, starts)
    return out.reshape(_result_shape(shape, reduction_axes, keep_dims))


SparseReduceMax = define(
    "SparseReduceMax",
    on_host="input_shape reduction_axes",
    infer=_infer_dense,
    host=_max_kernel,
    check=_check,
)


def _reduce_sparse(ufunc):
    def kernel(input_indices, input_values, input_shape, reduction_axes, keep_dims):
        shape = ints(input_shape)
        kept = _kept(len(shape), reduction_axes)
        rows = input_indices.copy() if keep_dims else input_indices[:, kept]
        if keep_dims:
            rows[:, [i for i in range(len(shape)) if i not in kept]] = 0
        perm = order(np, rows)
        rows, values = rows[perm], input_values[perm]
        (key,) = keys(rows)
        starts = np.flatnonzero(np.append(True, key[1:] != key[:-1])[: len(key)])
        found = ufunc.reduceat(values, starts) if len(starts) else values[:0]
        result = np.array(_result_shape(shape, reduction_axes, keep_dims), np.int64)
        return [rows[starts], found.astype(input_values.dtype, copy=False), result]

    return kernel


def _infer_sparse(input_indices, input_values, input_shape, *_, **__):
    fit(input_indices, input_values, input_shape)
    return [None, None, None]


def _define_sparse(kind, ufunc):
    return define(
        f"SparseReduce{kind}Sparse",
        on_host="input_shape reduction_axes",
        infer=_infer_sparse,
        host=_reduce_sparse(ufunc),
        check=_check,
    )


SparseReduceSumSparse = _define_sparse("Sum", np.add)
SparseReduceMaxSparse = _define_sparse("Max", np.maximum)


# ------------------------------------------------------------------ public
def _reduced(op, sp_input, axis, keepdims, reduction_axes, keep_dims):
    if axis is not None and reduction_axes is not None:
        raise ValueError("Can't specify both axis' and 'reduction_indices'.")
    if keepdims is not None and keep_dims is not None:
        raise ValueError("Cannot specify both 'keepdims' and 'keep_dims'")
    axis = reduction_axes if axis is None else axis
    keep = bool(keep_dims if keepdims is None else keepdims)
    sp = sparse_input(sp_input) if is_sparse(sp_input) else sp_input
    inputs = (sp.indices, sp.values, sp.dense_shape, _axes(sp, axis))
    return sp, apply(op, inputs, {"keep_dims": keep})


def _axes(sp, axis):
    if axis is not None:
        return axis
    size = sp.dense_shape._shape
    if size is None or size[0] is None:
        return creation.range(vector_size(sp.dense_shape))
    return tuple(range(size[0]))


_DOC = """{what} of the elements along axes.

    Args:
        sp_input: a SparseTensor of numbers, rows in order.
        axis: an int, a list of them, or None for all; in [-rank, rank).
        keepdims: keep the axes, with size 1.
        reduction_axes, keep_dims: the old names of `axis` and `keepdims`.
    Returns:
        {gives}
    Raises:
        InvalidArgumentError: there is no such axis.
    """


def _public(name, op, what):
    sparse = op.type.endswith("Sparse")

    def reduce(
        sp_input: Any, axis: AxisValue | None = None, keepdims: bool | None = None,
        reduction_axes: Any = None, keep_dims: bool | None = None,
    ) -> Any:  # fmt: skip
        sp, found = _reduced(op, sp_input, axis, keepdims, reduction_axes, keep_dims)
        return sp._with(found) if sparse else found

    gives = "A SparseTensor." if sparse else "A dense tensor; 0 where nothing is."
    return published(reduce, name, _DOC.format(what=what, gives=gives))


sparse_reduce_sum = _public("sparse_reduce_sum", SparseReduceSum, "The sum")
sparse_reduce_max = _public("sparse_reduce_max", SparseReduceMax, "The largest")
sparse_reduce_sum_sparse = _public(
    "sparse_reduce_sum_sparse", SparseReduceSumSparse, "The sum"
)
sparse_reduce_max_sparse = _public(
    "sparse_reduce_max_sparse", SparseReduceMaxSparse, "The largest"
)
