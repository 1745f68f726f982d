"""Elements chosen by index tensors, and the way back: scattering and segment sums."""

import numpy as np

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.base.op import INDEX, NUMBER, InferError, define, registry
from twinflow.base.tensor import ResourceHandle
from twinflow.ops.core.compare import greater_equal
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import maximum, multiply
from twinflow.ops.core.indexed_slices import IndexedSlices
from twinflow.ops.core.infer import (
    check_scalar,
    ints,
    merge,
    one_int,
    product,
    static_value,
    text,
)
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import (
    expand_dims,
    rank,
    reshape,
    shape,
    size,
    transpose,
)


def _first_bad(indices, good, show):
    """The text for the first index that is not good, or None."""
    bad = np.argwhere(~np.asarray(good))
    if not len(bad):
        return None
    place = tuple(bad[0].tolist())
    label = f"[{','.join(map(str, place))}]" if place else ""
    return show(label, np.asarray(indices)[place])


# ------------------------------------------------------------------ gather
def _infer_gather(params, indices, axis):
    p, i, axis = params._shape, indices._shape, one_int(axis)
    if p is None or i is None:
        return None
    n = len(p)
    if n == 0:
        raise InferError(
            "params must be at least 1 dimensional",
            "Shape must be at least rank 1 but is rank 0",
            places=(),
        )
    if axis is None:
        return (None,) * (n + len(i) - 1)
    if not -n <= axis < n:
        raise InferError(
            f"Expected axis in the range [{-n}, {n}), but got {axis}",
            f"Shape must be at least rank {axis + 1 if axis >= 0 else -axis} "
            f"but is rank {n}",
        )
    axis %= n
    return p[:axis] + i + p[axis + 1 :]


def _check_gather(params, indices, axis):
    n = params.shape[one_int(axis)]
    return _first_bad(
        indices,
        (indices >= 0) & (indices < n),
        lambda label, i: f"indices{label} = {i} is not in [0, {n})",
    )


def _guard_gather(xp):
    def guard(params, indices, axis):
        return xp.all((indices >= 0) & (indices < params.shape[one_int(axis)]))

    return guard


def taken(xp, x, indices, axis):
    """xp.take; jax returns the array itself where there is nothing to take from."""
    if xp is not np and not x.shape[axis]:
        axis %= x.ndim
        shape = x.shape[:axis] + np.shape(indices) + x.shape[axis + 1 :]
        return xp.zeros(shape, x.dtype)
    return xp.take(x, indices, axis=axis, mode="clip")


def _gather_kernel(xp):
    def kernel(params, indices, axis):
        out = taken(xp, params, indices, one_int(axis))
        return out if hasattr(out, "dtype") else np.array(out, object)  # a string

    return kernel


def _gather_grad(dy, shape_params, indices, axis):
    """Sum `dy` over the places each slice went to.

    The axes before and behind the gathered one are taken as one each.
    """
    known = one_int(static_value(axis))
    if known == 0:
        return row_slices(dy, shape_params, indices)
    axis = axis if known is None else known
    if known is not None and known < 0:
        axis = len(shape_params) + known if type(shape_params) is tuple else known
    outer, n, inner = _block(shape_params, axis)
    rows = reshape(dy, [outer, size(indices), inner])
    total = unsorted_segment_sum(transpose(rows, (1, 0, 2)), reshape(indices, [-1]), n)
    return reshape(transpose(total, (1, 0, 2)), shape_params)


def _block(sizes, axis):
    """The numbers of elements before an axis, along it and behind it."""
    if type(sizes) is tuple and type(axis) is int:
        return product(sizes[:axis]), sizes[axis], product(sizes[axis + 1 :])
    if type(sizes) is tuple:
        sizes = convert_to_tensor(sizes)
    behind = sizes[axis:]
    outer = apply(registry["Prod"], (sizes[:axis], (0,)))
    return outer, behind[0], apply(registry["Prod"], (behind[1:], (0,)))


def row_slices(dy, shape_params, indices):
    """The incoming gradient as rows of `params` (Note [Sparse gradients])."""
    if _ndim(indices) != 1:
        rest = shape_params[1:]
        if isinstance(rest, tuple) and 0 not in rest:
            dy = reshape(dy, (-1, *rest))
        else:
            dy = reshape(dy, concat([[size(indices)], rest], 0))
        indices = reshape(indices, (-1,))
    return IndexedSlices(convert_to_tensor(dy), indices, shape_params)


def _ndim(t):
    return None if t._shape is None else len(t._shape)


GatherV2 = define(
    "GatherV2(params: Tparams, indices: Tindices, axis: host Taxis)"
    " -> (output: Tparams)",
    infer=_infer_gather,
    kernel=_gather_kernel,
    types={"Tindices": INDEX},
    grad=[_gather_grad],
    guard=_guard_gather,
    check=_check_gather,
)


def gather(params, indices, validate_indices=None, name=None, axis=0):
    """The slices of `params` at `indices` along an axis.

    Args:
        params: a tensor of at least one axis.
        indices: int32 or int64 tensor of any shape, each in [0, params.shape[axis]).
        validate_indices: not used; indices are always checked.
        name: the name of the node in a graph. axis: which, in [-rank, rank).
    Returns:
        A tensor[params.shape[:axis] + indices.shape + params.shape[axis + 1:]].
    Raises:
        InvalidArgumentError: an index is out of range.
    Example:
        tf.gather([10, 20, 30], [2, 0])  # [30, 10]
    """
    if isinstance(params, ResourceHandle) and type(axis) is int and axis == 0:
        later = not dispatch.current_mode().eager
        if later and hasattr(params, "sparse_read"):
            return params.sparse_read(indices, name=name)
    return apply(GatherV2, (params, indices, axis), None, name)


# ------------------------------------------------------------------ gather_nd
def _infer_gather_nd(params, indices):
    p, i = params._shape, indices._shape
    if i == ():
        raise InferError(
            "indices must be at least a vector",
            "Shape must be at least rank 1 but is rank 0",
        )
    if p is None or i is None or i[-1] is None:
        return None
    if i[-1] > len(p):
        raise InferError(
            "index innermost dimension length must be <= params rank; saw: "
            f"{i[-1]} vs. {len(p)}",
            "indices.shape[-1] must be <= params.rank, but saw indices shape: "
            f"{text(i)} and params shape: {text(p)}",
        )
    return i[:-1] + p[i[-1] :]


def _inside(xp, indices, limits):
    """Which index vectors lie inside a block of shape `limits`."""
    limits = xp.asarray(limits, indices.dtype)
    return xp.all((indices >= 0) & (indices < limits), axis=-1)


def _check_at(indices, limits, what):
    """The text for the first index vector outside of a block, or None."""
    return _first_bad(
        indices,
        _inside(np, indices, limits[: indices.shape[-1]]),
        lambda label, i: (
            f"indices{label} = [{', '.join(map(str, i.tolist()))}] does not index "
            f"into {what} {text(limits)}"
        ),
    )


def _gather_nd_kernel(xp):
    def kernel(params, indices):
        depth = indices.shape[-1]
        if depth == 0:
            return xp.broadcast_to(params, indices.shape[:-1] + params.shape)
        places = tuple(indices[..., i] for i in range(depth))
        return xp.asarray(params)[(*places, ...)]

    return kernel


def _check_params(params, indices):
    if not params.size and product(indices.shape[:-1]):
        return (
            "Requested more than 0 entries, but params is empty.  Params shape: "
            f"{text(params.shape)}"
        )
    return _check_at(indices, params.shape, "param shape")


def _gather_nd_grad(dy, shape_params, indices):
    """Where an index names a row, the gradient is sparse as that of gather."""
    if _ndim(indices) == 2 and indices._shape[1] == 1:
        return row_slices(dy, shape_params, reshape(indices, [-1]))
    return scatter_nd(indices, dy, shape_params)


GatherNd = define(
    "GatherNd(params: Tparams, indices: Tindices) -> (output: Tparams)",
    infer=_infer_gather_nd,
    kernel=_gather_nd_kernel,
    types={"Tindices": INDEX},
    grad=[_gather_nd_grad],
    guard=lambda xp: (
        lambda params, indices: xp.all(
            _inside(xp, indices, params.shape[: indices.shape[-1]])
        )
    ),
    check=_check_params,
)


def gather_nd(params, indices, name=None):
    """The elements or slices of `params` at index vectors.

    Args:
        params: a tensor.
        indices: int32 or int64[..., n]; each vector of n says where to look along the
            first n axes.
        name: the name of the node in a graph.
    Returns:
        A tensor[indices.shape[:-1] + params.shape[n:]].
    Raises:
        InvalidArgumentError: an index is out of range.
    Example:
        tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]])  # [2, 3]
    """
    return apply(GatherNd, (params, indices), None, name)


# ------------------------------------------------------------------ segment sums
def infer_segments(data, segment_ids, num_segments):
    check_scalar(num_segments, "num_segments")
    d, i, n = data._shape, segment_ids._shape, one_int(num_segments)
    if n is not None and n < 0:
        raise InferError(
            f"Input num_segments == {n} must not be negative.",
            f"Dimension size, given by scalar input 2, must be non-negative but is {n}",
        )
    if d is None or i is None:
        return None
    try:
        merge(d[: len(i)], i)
    except InferError as error:
        pair = next((p for p in zip(d, i) if p[0] != p[1] and None not in p), None)
        raise InferError(
            f"data.shape = {text(d)} does not start with segment_ids.shape = {text(i)}",
            f"Dimensions must be equal, but are {pair[0]} and {pair[1]}"
            if pair
            else error.graph_message,
        ) from None
    return (n, *d[len(i) :])


def check_segments(data, segment_ids, num_segments):
    n = one_int(num_segments)
    return _first_bad(
        segment_ids,
        segment_ids < n,
        lambda label, i: f"segment_ids{label} = {i} is out of range [0, {n})",
    )


def _segment_kernel(xp):
    """Sorting and np.add.reduceat are 20 times as fast as np.add.at on rows."""

    def numpy_kernel(data, segment_ids, num_segments):
        rest = data.shape[segment_ids.ndim :]
        ids, n = segment_ids.reshape(-1), one_int(num_segments)
        data = data.reshape((ids.size, *rest))
        out = np.full((n, *rest), b"" if data.dtype == object else 0, data.dtype)
        order = np.argsort(ids, kind="stable")
        order = order[ids[order] >= 0]
        if order.size:
            ids = ids[order]
            starts = np.flatnonzero(np.append(True, ids[1:] != ids[:-1]))
            out[ids[starts]] = np.add.reduceat(data[order], starts, axis=0)
        return out

    def kernel(data, segment_ids, num_segments):
        rest = data.shape[segment_ids.ndim :]
        ids, n = segment_ids.reshape(-1), one_int(num_segments)
        ids = xp.where(ids < 0, n, ids)
        out = xp.zeros((n, *rest), data.dtype)
        return out.at[ids].add(data.reshape((ids.size, *rest)), mode="drop")

    return numpy_kernel if xp is np else kernel


def _segment_grad(dy, segment_ids):
    """Each row gets its segment's gradient; rows of negative segments get none."""
    rows = gather(dy, maximum(segment_ids, 0))
    kept = cast(greater_equal(segment_ids, 0), dy.dtype)
    return multiply(rows, with_axes_of(kept, rows))


def with_axes_of(t, other):
    """`t` with axes of size 1 at its end until it has as many as `other`."""
    n, k = _ndim(other), _ndim(t)
    if n is None or k is None:
        tail = ones_like(shape(other))[rank(t) :]
        return reshape(t, concat([shape(t), tail], 0))
    for _ in range(n - k):
        t = expand_dims(t, -1)
    return t


UnsortedSegmentSum = define(
    "UnsortedSegmentSum(data: T, segment_ids: Tindices,"
    " num_segments: host Tnumsegments) -> (output: T)",
    infer=infer_segments,
    kernel=_segment_kernel,
    types={"T": NUMBER, "Tindices": INDEX},
    grad=[_segment_grad],
    guard=lambda xp: (
        lambda data, segment_ids, num_segments: xp.all(
            segment_ids < one_int(num_segments)
        )
    ),
    check=check_segments,
)


def unsorted_segment_sum(data, segment_ids, num_segments, name=None):
    """out[i] is the sum of the rows of `data` whose segment is i.

    Args:
        data: a numeric tensor. num_segments: how many segments there are.
        segment_ids: int32 or int64 tensor whose shape begins that of `data`, each below
            num_segments; rows with a negative one are left out.
        name: the name of the node in a graph.
    Returns:
        A tensor[(num_segments,) + data.shape[segment_ids.ndim:]].
    Raises:
        InvalidArgumentError: a segment is out of range.
    Example:
        tf.unsorted_segment_sum([1, 2, 3], [0, 1, 0], 2)  # [4, 2]
    """
    inputs = (data, segment_ids, num_segments)
    return apply(UnsortedSegmentSum, inputs, None, name)


# ------------------------------------------------------------------ scatter_nd
def _infer_scatter_nd(indices, updates, shape):
    i, u = indices._shape, updates._shape
    if shape is None:
        return None
    s = ints(shape)
    if i is None or u is None or i[-1] is None:
        return s
    if 0 in s and not (0 in i or 0 in u):
        raise InferError("Indices and updates specified for empty output shape")
    if i[-1] > len(s):
        raise InferError(
            "The last dimension of indices must be at most the rank of the output: "
            f"{text(i)} vs. {text(s)}"
        )
    n, message = (
        len(i) - 1,
        (
            "Outer dimensions of indices and update must match. Indices shape: "
            f"{text(i)}, updates shape:{text(u)}"
        ),
    )
    outer = ("outer", f"indices.shape={text(i)}", i[:-1], u[:n])
    inner = ("inner", f"output.shape={text(s)}", s[i[-1] :], u[n:])
    for which, what, wanted, found in (outer, inner):
        try:
            merge(wanted, found)
        except InferError as error:
            start = f"The {which} {len(wanted)} dimensions of"
            raise InferError(
                message,
                f"{start} {what} must match the {which} {len(found)} dimensions of "
                f"updates.shape={text(u)}: {error.graph_message}",
            ) from None
    return s


def _scatter_nd_kernel(xp):
    add_segments = _segment_kernel(xp)

    def kernel(indices, updates, shape):
        s, depth = ints(shape), indices.shape[-1]
        strides = [product(s[i + 1 : depth]) for i in range(depth)]
        flat = (indices * xp.asarray(strides, indices.dtype)).sum(axis=-1).reshape(-1)
        rest = s[depth:]
        rows = updates.reshape((flat.size, *rest))
        return add_segments(rows, flat, product(s[:depth])).reshape(s)

    return kernel


ScatterNd = define(
    "ScatterNd(indices: Tindices, updates: T, shape: host Tindices) -> (output: T)",
    infer=_infer_scatter_nd,
    kernel=_scatter_nd_kernel,
    types={"Tindices": INDEX},
    grad=[None, lambda dy, indices: gather_nd(dy, indices)],
    guard=lambda xp: (
        lambda indices, updates, shape: xp.all(
            _inside(xp, indices, ints(shape)[: indices.shape[-1]])
        )
    ),
    check=lambda indices, updates, shape: _check_at(indices, ints(shape), "shape"),
)


def scatter_nd(indices, updates, shape, name=None):
    """Zeros of `shape` to which `updates` are added at index vectors.

    Args:
        indices: int32 or int64[..., n]; each vector says where along the first n axes.
        updates: a numeric tensor[indices.shape[:-1] + shape[n:]].
        shape: ints or an integer tensor. name: the name of the node in a graph.
    Raises:
        InvalidArgumentError: an index is out of range.
    Example:
        tf.scatter_nd([[0], [2]], [5, 7], [3])  # [5, 0, 7]
    """
    if dispatch.current_mode().eager:
        indices = convert_to_tensor(indices)
    return apply(ScatterNd, (indices, updates, shape), None, name)
