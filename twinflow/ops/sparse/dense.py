"""Sparse tensors made dense, and added to dense ones."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import ShapeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.infer import ints, ranked, sizes, text
from twinflow.ops.sparse.rows import first_invalid, fit, increasing, inside
from twinflow.ops.sparse.tensor import sparse_input


# ------------------------------------------------------------------ to dense
def _infer_to_dense(sparse_indices, output_shape, *_, **__):
    message = "output_shape should be a vector, got shape {}"
    if output_shape is not None:
        ranked(np.shape(output_shape), 1, message)
    return sizes(output_shape)


def _matrix(indices):
    """Scalar or vector indices as rows."""
    return indices.reshape(-1, 1) if indices.ndim < 2 else indices


def _misfit(sparse_indices, output_shape, sparse_values, default_value):
    """What is wrong with the shapes of the inputs, or None."""
    limits, i, v = ints(output_shape), sparse_indices.shape, sparse_values.shape
    if len(i) > 2:
        return (
            f"sparse_indices should be a scalar, vector, or matrix, got shape {text(i)}"
        )
    depth, n = (i[1] if len(i) == 2 else 1), (i[0] if i else 1)
    if len(limits) != depth:
        return (
            f"output_shape has incorrect number of elements: {len(limits)} should be: "
            f"{depth}"
        )
    if v not in ((), (n,)):
        return f"sparse_values has incorrect shape {text(v)}, should be [] or [{n}]"
    return "default_value should be a scalar." if default_value.ndim else None


def _check_to_dense(sparse_indices, output_shape, *values, validate_indices):
    if found := _misfit(sparse_indices, output_shape, *values):
        return found
    indices, limits = _matrix(sparse_indices), ints(output_shape)
    if validate_indices:
        return first_invalid(indices, limits)
    if not np.all(inside(np, indices, limits)):
        return f"Indices are not valid (out of bounds).  Shape: {text(limits)}"
    return None


@bind_first
def _guard_to_dense(xp, sparse_indices, output_shape, *values, validate_indices):
    if _misfit(sparse_indices, output_shape, *values):
        return xp.zeros((), bool)
    indices = _matrix(sparse_indices)
    good = xp.all(inside(xp, indices, ints(output_shape)))
    return good & xp.all(increasing(xp, indices)) if validate_indices else good


@bind_first
def _to_dense_kernel(
    xp, sparse_indices, output_shape, sparse_values, default_value, validate_indices
):
    indices = _matrix(sparse_indices)
    at = tuple(indices[:, i] for i in range(indices.shape[1]))
    if not at and len(indices):  # there is one element
        return xp.asarray(sparse_values).reshape(-1)[-1]
    out = xp.full(ints(output_shape), default_value, sparse_values.dtype)
    if not at:
        return out
    if xp is not np:
        return out.at[at].set(sparse_values)
    out[at] = sparse_values
    return out


SparseToDense = define(
    "SparseToDense",
    on_host="output_shape",
    infer=_infer_to_dense,
    kernel=_to_dense_kernel,
    guard=_guard_to_dense,
    check=_check_to_dense,
)


def sparse_to_dense(
    sparse_indices: Any, output_shape: ShapeValue, sparse_values: Any,
    default_value: Any = 0, validate_indices: bool = True, name: str | None = None,
) -> Tensor:  # fmt: skip
    """A dense tensor with `sparse_values` at `sparse_indices`.

    Args:
        sparse_indices: int32 or int64[n, ndims]; int[n] for one axis, or a scalar.
        output_shape: int[ndims]. sparse_values: a tensor[n], or one value for all.
        default_value: the value of the other elements.
        validate_indices: refuse rows that are out of order or come twice; else the
            last of several counts.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError: an index is out of bounds, or not as it has to be.
    Example:
        tf.sparse_to_dense([1, 3], [4], 7)  # [0, 7, 0, 7]
    """
    sparse_values = convert_to_tensor(sparse_values, name="sparse_values")
    if type(sparse_indices) is not np.ndarray:
        sparse_indices = convert_to_tensor(sparse_indices, name="sparse_indices")
    default_value = _default(default_value, sparse_values.dtype)
    inputs = (sparse_indices, output_shape, sparse_values, default_value)
    return apply(SparseToDense, inputs, {"validate_indices": validate_indices}, name)


def _default(value, dtype):
    """The default in the dtype of the values; 0 stands for False."""
    if dtype is dtypes.bool and type(value) is int:
        value = bool(value)
    return convert_to_tensor(value, dtype, name="default_value")


def sparse_tensor_to_dense(
    sp_input: Any, default_value: TensorValue = 0, validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """A SparseTensor as a dense tensor.

    Args:
        sp_input: a SparseTensor; its rows in order, unless `validate_indices` is off.
        default_value, validate_indices, name: see tf.sparse_to_dense.
    Raises:
        TypeError: `sp_input` is not sparse. InvalidArgumentError: an index is bad.
    Example:
        tf.sparse_tensor_to_dense(tf.SparseTensor([[1]], [5], [3]))  # [0, 5, 0]
    """
    sp = sparse_input(sp_input)
    return sparse_to_dense(
        sp.indices, sp.dense_shape, sp.values, default_value, validate_indices, name
    )


# ------------------------------------------------------------------ sparse + dense
def _infer_add(a_indices, a_values, a_shape, b):
    fit(a_indices, a_values, a_shape)
    return b._shape


def _check_add(a_indices, a_values, a_shape, b):
    s = ints(a_shape)
    if len(s) != b.ndim:
        return f"Two operands have different ranks; received: {len(s)} and {b.ndim}"
    for i, (p, q) in enumerate(zip(s, b.shape, strict=True)):
        if p != q:
            return (
                f"Dimension {i} does not equal (no broadcasting is supported): sparse "
                f"side {p} vs dense side {q}"
            )
    bad = np.argwhere((a_indices < 0) | (a_indices >= np.array(s, np.int64)))
    if len(bad):
        return (
            f"Sparse tensor has some invalid index on dimension {bad[0, 1]}; dense "
            f"tensor shape: {text(s)}"
        )
    return None


@bind_first
def _guard_add(xp, a_indices, a_values, a_shape, b):
    if ints(a_shape) != b.shape:
        return xp.zeros((), bool)
    return xp.all(inside(xp, a_indices, b.shape))


@bind_first
def _add_kernel(xp, a_indices, a_values, a_shape, b):
    if not b.ndim:
        return b + a_values.sum(dtype=b.dtype)
    at = tuple(a_indices[:, i] for i in range(a_indices.shape[1]))
    if xp is not np:
        return b if len(at) != b.ndim else xp.asarray(b).at[at].add(a_values)
    out = b.copy()
    np.add.at(out, at, a_values)
    return out


SparseTensorDenseAdd = define(
    "SparseTensorDenseAdd",
    on_host="a_shape",
    infer=_infer_add,
    kernel=_add_kernel,
    grad=[None, lambda dy, a_indices: gather_nd(dy, a_indices), lambda dy: dy],
    guard=_guard_add,
    check=_check_add,
)
