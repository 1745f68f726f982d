"""Rows chosen by index tensors, and the way back: segment sums and IndexedSlices."""

import math
import warnings
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from twinflow.base import dispatch, movement, native
from twinflow.base.annotations import AxisValue, ShapeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import (
    Composite,
    ResourceHandle,
    Tensor,
    TensorLike,
    loop_shape,
)
from twinflow.ops.core import part_cards
from twinflow.ops.core.compare import greater_equal
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import maximum, multiply, negative
from twinflow.ops.core.infer import (
    check_scalar,
    merge,
    not_negative,
    one_int,
    product,
    static_value,
    text,
)
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import Prod
from twinflow.ops.core.shape import dense_size, expand_dims, rank, reshape, shape
from twinflow.ops.core.transposing import transpose


def first_bad(indices, good, show):
    """The text for the first index that is not good, or None."""
    good = np.asarray(good)
    if good.all():
        return None
    place = tuple(np.argwhere(~good)[0].tolist())
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
    return first_bad(
        indices,
        (indices >= 0) & (indices < n),
        lambda label, i: f"indices{label} = {i} is not in [0, {n})",
    )


@bind_first
def _guard_gather(xp, params, indices, axis):
    return xp.all((indices >= 0) & (indices < params.shape[one_int(axis)]))


def taken(xp, x, indices, axis):
    """xp.take; jax returns the array itself where there is nothing to take from."""
    if xp is not np and not x.shape[axis]:
        axis %= x.ndim
        shape = x.shape[:axis] + np.shape(indices) + x.shape[axis + 1 :]
        return xp.zeros(shape, x.dtype)
    if xp is np:
        found = movement.taken(x, indices, axis)
        if found is not None:
            return found
    return xp.take(x, indices, axis=axis, mode="clip")


@bind_first
def _gather_kernel(xp, params, indices, axis):
    out = taken(xp, params, indices, one_int(axis))
    return out if hasattr(out, "dtype") else np.array(out, object)  # a string


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
    rows = reshape(dy, [outer, dense_size(indices), inner])
    total = unsorted_segment_sum(transpose(rows, (1, 0, 2)), reshape(indices, [-1]), n)
    return reshape(transpose(total, (1, 0, 2)), shape_params)


def _block(sizes, axis):
    """The numbers of elements before an axis, along it and behind it."""
    if type(sizes) is tuple and type(axis) is int:
        return product(sizes[:axis]), sizes[axis], product(sizes[axis + 1 :])
    if type(sizes) is tuple:
        sizes = convert_to_tensor(sizes)
    behind = sizes[axis:]
    outer = apply(Prod, (sizes[:axis], (0,)))
    return outer, behind[0], apply(Prod, (behind[1:], (0,)))


def row_slices(dy, shape_params, indices):
    """The incoming gradient as rows of `params` (Note [Sparse gradients])."""
    if ndim(indices) != 1:
        rest = shape_params[1:]
        if isinstance(rest, tuple) and 0 not in rest:
            dy = reshape(dy, (-1, *rest))
        else:
            dy = reshape(dy, concat([[dense_size(indices)], rest], 0))
        indices = reshape(indices, (-1,))
    return IndexedSlices(convert_to_tensor(dy), indices, shape_params)


def ndim(t):
    return None if t._shape is None else len(t._shape)


GatherV2 = define(
    "GatherV2",
    on_host="axis",
    infer=_infer_gather,
    kernel=_gather_kernel,
    grad=[_gather_grad],
    guard=_guard_gather,
    check=_check_gather,
    quick=getattr(native.fast, "picked", None),
)


def gather(
    params: TensorValue, indices: TensorValue, validate_indices: Any = None,
    name: str | None = None, axis: AxisValue = 0,
) -> Tensor:  # fmt: skip
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


# ------------------------------------------------------------------ segment sums
def infer_segments(data, segment_ids, num_segments):
    check_scalar(num_segments, "num_segments")
    d, i, n = data._shape, segment_ids._shape, one_int(num_segments)
    not_negative(n, 2, f"Input num_segments == {n} must not be negative.")
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
    return first_bad(
        segment_ids,
        segment_ids < n,
        lambda label, i: f"segment_ids{label} = {i} is out of range [0, {n})",
    )


def _counted(out, ids, data):
    """Integers added at their ids, unless these are negative."""
    kept = ids >= 0
    if not kept.all():
        ids, data = ids[kept], data[kept]
    np.add.at(out, ids, data)
    return out


def segment_kernel(xp):
    """Sorting and np.add.reduceat are 20 times as fast as np.add.at on rows."""

    def numpy_kernel(data, segment_ids, num_segments):
        rest = data.shape[segment_ids.ndim :]
        ids, n = segment_ids.reshape(-1), one_int(num_segments)
        data = data.reshape((ids.size, *rest))
        found = movement.summed(data, ids, n)
        if found is not None:
            return found
        out = np.full((n, *rest), b"" if data.dtype == object else 0, data.dtype)
        if data.ndim == 1 and data.dtype.kind in "iu":
            return _counted(out, ids, data)
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
    if type(segment_ids) is dispatch.EagerTensor and np.all(segment_ids._a >= 0):
        return rows
    kept = cast(greater_equal(segment_ids, 0), dy.dtype)
    return multiply(rows, with_axes_of(kept, rows))


def with_axes_of(t, other):
    """`t` with axes of size 1 at its end until it has as many as `other`."""
    n, k = ndim(other), ndim(t)
    if n is None or k is None:
        tail = ones_like(shape(other))[rank(t) :]
        return reshape(t, concat([shape(t), tail], 0))
    for _ in range(n - k):
        t = expand_dims(t, -1)
    return t


UnsortedSegmentSum = define(
    "UnsortedSegmentSum",
    on_host="num_segments",
    infer=infer_segments,
    kernel=segment_kernel,
    grad=[_segment_grad],
    grad_names="Select",
    guard=lambda xp: (
        lambda data, segment_ids, num_segments: xp.all(
            segment_ids < one_int(num_segments)
        )
    ),
    check=check_segments,
)


def unsorted_segment_sum(
    data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue,
    name: str | None = None,
) -> Tensor:  # fmt: skip
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


# ------------------------------------------------------------------ some rows
class IndexedSlicesValue(NamedTuple):
    """The arrays of an IndexedSlices, as a Session returns them."""

    values: np.ndarray
    indices: np.ndarray
    dense_shape: np.ndarray | None


_LARGE = 100_000_000  # elements


def _warn_of_size(dense_shape):
    """Warn in a graph where the dense form is large, or may be."""
    known = () if dispatch.current_mode().eager else dense_shape._known_value()
    if known is None or None in tuple(known):
        size = "of unknown shape"
    elif (count := math.prod(int(d) for d in known)) >= _LARGE:
        size = f"with {count} elements"
    else:
        return
    warnings.warn(
        f"Converting sparse IndexedSlices to a dense Tensor {size}. This may consume "
        "a large amount of memory.",
        stacklevel=3,
    )


class IndexedSlices(TensorLike, Composite):
    """The tensor ``x`` with ``x[indices[i]] += values[i]``, zero elsewhere.

    The gradient of tf.gather, and so of embeddings; taken as a tensor it becomes dense.

    Args:
        values: a tensor[n, ...], the rows.
        indices: int32 or int64[n], where they belong; the same place may come twice.
        dense_shape: the shape of the whole, int[ndims], where it is known.
    Example:
        x = tf.IndexedSlices([[1., 2.]], [1], [3, 2])
        tf.convert_to_tensor(x)  # [[0., 0.], [1., 2.], [0., 0.]]
    """

    __slots__ = ("_dense_shape", "_indices", "_values")
    _value = IndexedSlicesValue

    def __init__(
        self, values: TensorValue, indices: TensorValue,
        dense_shape: ShapeValue | None = None,
    ) -> None:  # fmt: skip
        self._values, self._indices = values, indices
        self._dense_shape = dense_shape

    def _repr_html_(self) -> str:
        return part_cards.of_parts(self)

    @property
    def values(self) -> Tensor:
        """The rows."""
        if not isinstance(self._values, Tensor):
            self._values = convert_to_tensor(self._values)
        return self._values

    @property
    def indices(self) -> Tensor:
        """Which rows they are."""
        if not isinstance(self._indices, Tensor):
            self._indices = convert_to_tensor(self._indices)
        return self._indices

    @property
    def dense_shape(self) -> Any:
        """The shape of the whole, a tensor, or None."""
        if self._dense_shape is not None and not isinstance(self._dense_shape, Tensor):
            self._dense_shape = convert_to_tensor(self._dense_shape)
        return self._dense_shape

    dtype = property(attrgetter("values.dtype"), doc="The DType of the values.")

    @property
    def _shape(self):
        """What is known of the shape of the whole."""
        if isinstance(self._dense_shape, tuple):
            return self._dense_shape
        rest = self.values._shape
        return None if rest is None else (None, *rest[1:])

    def _shape_value(self):
        shape = self._dense_shape
        return self._as_tensor()._shape_value() if shape is None else shape

    @property
    def shape(self) -> Any:
        """What is known of the shape of the whole, a TensorShape."""
        return TensorShape(self._shape)

    name = property(
        attrgetter("values.name"), doc="The name of the values (graph mode)."
    )
    op = property(attrgetter("values.op"), doc="The node of the values (graph mode).")
    graph = property(attrgetter("values.graph"), doc="The graph (graph mode).")
    device = property(attrgetter("values.device"), doc="Where the values are.")

    def _as_tensor(self, dtype=None, name=None):
        if self._dense_shape is None:
            raise ValueError(
                "Tensor conversion requested for IndexedSlices without dense_shape: "
                f"{self}"
            )
        _warn_of_size(self.dense_shape)
        inputs = (self.values, self.indices, self._dense_shape[0])
        return apply(UnsortedSegmentSum, inputs, None, name)

    def _components(self):
        return self.values, self.indices, self.dense_shape

    def _with(self, components):
        return IndexedSlices(*components)

    def _loop_shapes(self, invariant=None):
        """`invariant` is the shape of `values`."""
        part = "values tensor of this IndexedSlices"
        rows = loop_shape(self.values, invariant, part)
        if invariant is None:
            return super()._loop_shapes()
        indices = None if rows is None else rows[:1]
        dense = () if self._dense_shape is None else (rows and (len(rows),),)
        return [rows, indices, *dense]

    def __neg__(self):
        return IndexedSlices(negative(self.values), self.indices, self._dense_shape)

    def __str__(self):
        end = "" if self._dense_shape is None else f", dense_shape={self.dense_shape!s}"
        return f"IndexedSlices(indices={self.indices!s}, values={self.values!s}{end})"
