"""Sparse tensors in another order or form: the same elements, other places."""

import math
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, nest
from twinflow.base.advice import advised
from twinflow.base.annotations import AxisValue, ShapeValue
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.base.shapes import TensorShape
from twinflow.ops.core import creation
from twinflow.ops.core.compare import less, where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.index import gather
from twinflow.ops.core.infer import ints, length, rank_of, ranked, same_dim
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import shape
from twinflow.ops.core.size import size
from twinflow.ops.core.slicing import slice
from twinflow.ops.core.transposing import invert_permutation
from twinflow.ops.sparse.rows import fit, order, strides_of
from twinflow.ops.sparse.tensor import SparseTensor, sparse_input


# ------------------------------------------------------------------ reorder
def _infer_reorder(input_indices, input_values, input_shape):
    fit(input_indices, input_values, input_shape)
    return [input_indices._shape, input_values._shape]


@bind_first
def _reorder_kernel(xp, input_indices, input_values, input_shape):
    perm = order(xp, input_indices)
    return [xp.asarray(v)[perm] for v in (input_indices, input_values)]


def _reorder_grad(d_output_values, input_indices, input_shape):
    places = creation.range(size(d_output_values, out_type=dtypes.int64))
    perm = apply(SparseReorder, (input_indices, places, input_shape))[1]
    return None, gather(d_output_values, invert_permutation(perm)), None


SparseReorder = define(
    "SparseReorder",
    infer=_infer_reorder,
    kernel=_reorder_kernel,
    grad=_reorder_grad,
    none_ok=True,
)


def sparse_reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """The same SparseTensor with its rows in ascending order (row-major).

    Args:
        sp_input: a SparseTensor. name: the name of the node in a graph.
    Example:
        tf.sparse_reorder(tf.SparseTensor([[2], [0]], [5, 6], [3])).values  # [6, 5]
    """
    sp = sparse_input(sp_input)
    dispatch.current_mode().leave_ids(1)
    indices, values = apply(SparseReorder, sp._components(), None, name)
    return sp._with((indices, values, sp.dense_shape))


# ------------------------------------------------------------------ reshape
def _infer_reshape(input_indices, input_shape, new_shape):
    s, n = rank_of(input_indices, 2, "input_indices"), length(new_shape)
    if isinstance(new_shape, np.ndarray):
        message = "Target shape should be a vector but received shape {}"
        ranked(new_shape.shape, 1, message)
    old = length(input_shape)
    same_dim(
        s[1], old, f"Input tensor rank must match input shape length: {s[1]} vs. {old}"
    )
    return [(s[0], n), (n,)]


def _resolved(old, new):
    """(the new shape without -1, None), or (None, what is wrong with it)."""
    total, known, wild = math.prod(old), 1, None
    for i, d in enumerate(new):
        if d == -1:
            if wild is not None:
                return None, (
                    f"only one output dimension may be -1, not both {wild} and {i}"
                )
            wild = i
        elif d < 0:
            return None, f"size {i} must be non-negative, not {d}"
        else:
            known *= d
    if wild is not None:
        if not known:
            return None, (
                "reshape cannot infer the missing input size for an empty tensor "
                "unless all specified input sizes are non-zero"
            )
        if total % known:
            return None, (
                f"Input to reshape is a SparseTensor with {total} dense values, but "
                f"the requested shape requires a multiple of {known}"
            )
        return new[:wild] + (total // known,) + new[wild + 1 :], None
    if known != total:
        return None, (
            f"Input to reshape is a tensor with {total} dense values, but the "
            f"requested shape has {known}"
        )
    return new, None


@bind_first
def _reshape_kernel(xp, input_indices, input_shape, new_shape):
    old = ints(input_shape)
    new = ints(new_shape)
    new = _resolved(old, new)[0] or new  # a bad one is guarded against
    n = input_indices.shape[0]
    flat = xp.zeros(n, np.int64)
    for i, stride in enumerate(strides_of(old)):
        flat = flat + input_indices[:, i] * stride
    columns = [
        flat // max(stride, 1) % max(d, 1)
        for d, stride in zip(new, strides_of(new), strict=True)
    ]
    rows = xp.stack(columns, 1) if columns else xp.zeros((n, 0), np.int64)
    return [rows, xp.asarray(np.array(new, np.int64))]


SparseReshape = define(
    "SparseReshape",
    on_host="input_shape new_shape",
    infer=_infer_reshape,
    kernel=_reshape_kernel,
    check=lambda input_indices, input_shape, new_shape: _resolved(
        ints(input_shape), ints(new_shape)
    )[1],
    guard=lambda xp: (
        lambda input_indices, input_shape, new_shape: (
            _resolved(ints(input_shape), ints(new_shape))[1] is None
        )
    ),
)


def sparse_reshape(sp_input: Any, shape: ShapeValue, name: str | None = None) -> Any:
    """A SparseTensor with the same elements in row-major order and another shape.

    Args:
        sp_input: a SparseTensor. shape: ints or an integer tensor; one may be -1.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError, or ValueError where it is known before the run: the
            number of elements differs.
    """
    sp = sparse_input(sp_input)
    mode = dispatch.current_mode()
    with mode.name_scope(name or "SparseReshape") as scope:
        if not is_tensor_like(shape):
            shape = shape.as_list() if isinstance(shape, TensorShape) else shape
        plain = not any(is_tensor_like(v) for v in nest.flatten(shape))
        shape = convert_to_tensor(shape, dtypes.int64 if plain else None)
        shape = cast(shape, dtypes.int64)
        known = None if mode.eager else _known_result(sp, shape)
        mode.leave_ids(2 if plain else int(known is None))
        inputs = (sp.indices, sp.dense_shape, shape)
        indices, dense_shape = apply(SparseReshape, inputs, None, scope or name)
        if known is not None:
            dense_shape = constant(np.array(known, np.int64))
    return sp._with((indices, sp.values, dense_shape))


def _known_result(sp, shape):
    """The new shape where it follows from what is known.

    Raises:
        ValueError: it cannot be.
    """
    new, total = shape._known_value(), sp.shape.num_elements()
    if total is None or not _written_out(shape):
        return None
    if new is None or np.ndim(new) != 1 or any(d is None for d in new):
        return None
    asked = [int(d) for d in new]
    if asked.count(-1) > 1:
        raise ValueError(
            "At most one dimension can be inferred (-1). Found: "
            f"{np.array(asked, np.int64)}"
        )
    rest = math.prod(d for d in asked if d != -1)
    found = [total // rest if d == -1 and rest else d for d in asked]
    if math.prod(found) != total:
        raise advised(
            ValueError,
            f"Cannot reshape a tensor with {total} elements to shape {asked} "
            f"({math.prod(found)} elements).",
        )
    return None if -1 in found else found


def _written_out(t):
    """Whether TensorFlow's Python knows the value, and not only its shape rules."""
    kind = t.op.type
    return kind == "Const" or (
        kind in _WRITTEN_OUT and all(_written_out(i) for i in t.op.inputs)
    )


_WRITTEN_OUT = {"Cast", "ConcatV2", "Fill", "Pack", "Range"}


# ------------------------------------------------------------------ transpose
def sparse_transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> Any:
    """A SparseTensor with its axes in another order, and its rows sorted.

    Args:
        sp_input: a SparseTensor. name: the name scope.
        perm: for each axis of the result its number in `sp_input`; by default reversed.
    """
    with dispatch.current_mode().name_scope(name or "SparseTranspose"):
        sp = sparse_input(sp_input)
        perm = convert_to_tensor(_reversed(sp) if perm is None else perm)
        perm.shape.with_rank(1)[0].merge_with(sp.dense_shape.shape.with_rank(1)[0])
        indices = gather(sp.indices, perm, axis=1)
        dense_shape = gather(sp.dense_shape, perm)
        return sparse_reorder(SparseTensor(indices, sp.values, dense_shape))


def _reversed(sp):
    n = sp.dense_shape._shape
    if n is None or n[0] is None:
        return creation.range(size(sp.dense_shape) - 1, -1, -1)
    return list(range(n[0] - 1, -1, -1))


# ------------------------------------------------------------------ expand_dims
def sparse_expand_dims(
    sp_input: Any, axis: AxisValue | None = None, name: str | None = None
) -> Any:
    """A SparseTensor with one more axis, of size 1.

    Args:
        sp_input: a SparseTensor. name: the name scope.
        axis: where it will be, in [-rank - 1, rank]; by default the last.
    Raises:
        InvalidArgumentError (or ValueError in a graph): there is no such place.
    """
    sp = sparse_input(sp_input)
    axis = -1 if axis is None else axis
    with dispatch.current_mode().name_scope(name or "expand_dims"):
        rank = sp.dense_shape._shape and sp.dense_shape._shape[0]
        rank = size(sp.dense_shape) if rank is None else rank
        if is_tensor_like(axis):
            axis = where(less(axis, 0), axis + rank + 1, axis)
        elif axis < 0:
            axis = axis + rank + 1
        n = shape(sp.indices)[0]
        column = creation.zeros([n, 1], dtypes.int64)
        before = slice(sp.indices, [0, 0], [-1, axis])
        after = slice(sp.indices, [0, axis], [-1, -1])
        indices = concat([before, column, after], 1)
        head, tail = (
            slice(sp.dense_shape, [0], [axis]),
            slice(sp.dense_shape, [axis], [-1]),
        )
        one = constant(np.ones(1, np.int64))
        return SparseTensor(indices, sp.values, concat([head, one, tail], 0))
