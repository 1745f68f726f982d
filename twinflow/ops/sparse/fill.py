"""Sparse tensors with an element in every row."""

from typing import Any

import numpy as np

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import define
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import add, multiply, subtract
from twinflow.ops.core.index import unsorted_segment_sum
from twinflow.ops.core.infer import ints, length, rank_of, ranked
from twinflow.ops.core.size import size
from twinflow.ops.sparse.rows import fit
from twinflow.ops.sparse.tensor import sparse_input


def _infer_fill(indices, values, dense_shape, default_value):
    ranked(default_value._shape, 0, "default_value must be a scalar, saw: {}")
    fit(indices, values, dense_shape)
    n = indices._shape[0] if indices._shape else None
    rows = None if dense_shape is None else ints(dense_shape)[0]
    return [(None, length(dense_shape)), (None,), (rows,), (n,)]


def _check_fill(indices, values, dense_shape, default_value):
    n = ints(dense_shape)[0]
    if not n and len(indices):
        return (
            "Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = "
            f"{len(indices)}"
        )
    bad = np.flatnonzero((indices[:, 0] < 0) | (indices[:, 0] >= n))
    if len(bad):
        return f"indices({bad[0]}, 0) is invalid: {indices[bad[0], 0]} >= {n}"
    return None


def _fill(indices, values, dense_shape, default_value):
    dims = ints(dense_shape)
    empty = np.ones(dims[0], bool)
    empty[indices[:, 0]] = False
    new = np.zeros((int(empty.sum()), len(dims)), np.int64)
    new[:, 0] = np.flatnonzero(empty)
    rows = np.concatenate([indices, new])
    perm = np.argsort(rows[:, 0], kind="stable")
    filled = np.concatenate([values, np.full(len(new), default_value, values.dtype)])
    back = np.argsort(perm, kind="stable")[: len(indices)]
    return [rows[perm], filled[perm], empty, back.astype(np.int64)]


def _fill_grad(d_output_values, reverse_index_map):
    found = apply(SparseFillEmptyRowsGrad, (reverse_index_map, d_output_values))
    return None, found[0], found[1]


SparseFillEmptyRows = define(
    "SparseFillEmptyRows",
    on_host="dense_shape",
    infer=_infer_fill,
    host=_fill,
    grad=_fill_grad,
    none_ok=True,
    check=_check_fill,
)


def _from_filled(reverse_index_map, grad_values):
    values = grad_values[reverse_index_map]
    rest = np.ones(len(grad_values), bool)
    rest[reverse_index_map] = False
    return [values, grad_values[rest].sum(dtype=grad_values.dtype)]


def _infer_from_filled(reverse_index_map, grad_values):
    rank_of(grad_values, 1, "grad_values")
    return [rank_of(reverse_index_map, 1, "reverse_index_map"), ()]


def _check_from_filled(reverse_index_map, grad_values):
    n = len(grad_values)
    bad = reverse_index_map[(reverse_index_map < 0) | (reverse_index_map >= n)]
    return (
        f"Elements in reverse index must be in [0, {n}) but got {bad[0]}"
        if len(bad)
        else None
    )


def _from_filled_grad(d_d_values, d_d_default_value, reverse_index_map, grad_values):
    n = size(grad_values)
    kept = unsorted_segment_sum(d_d_values, reverse_index_map, n)
    taken = unsorted_segment_sum(ones_like(d_d_values), reverse_index_map, n)
    rest = multiply(subtract(ones_like(taken), taken), d_d_default_value)
    return None, add(kept, rest)


SparseFillEmptyRowsGrad = define(
    "SparseFillEmptyRowsGrad",
    infer=_infer_from_filled,
    kernel=quiet(lambda xp: _from_filled),
    check=_check_from_filled,
    grad=_from_filled_grad,
    host=True,
)


def sparse_fill_empty_rows(
    sp_input: Any, default_value: Any, name: str | None = None
) -> tuple[Any, ...]:
    """A SparseTensor in which every row of the first axis has an element.

    Args:
        sp_input: a SparseTensor of at least one axis.
        default_value: what empty rows get, at [row, 0, ...]. name: the name scope.
    Returns:
        (the SparseTensor, rows in order; bool[rows]: which ones were empty)
    Raises:
        InvalidArgumentError: an index lies outside the first axis.
    """
    sp = sparse_input(sp_input)
    with dispatch.current_mode().name_scope(name or "SparseFillEmptyRows"):
        default = convert_to_tensor(default_value, sp.dtype)
        inputs = (*sp._components(), default)
        indices, values, empty, _ = apply(SparseFillEmptyRows, inputs)
        return sp._with((indices, values, sp.dense_shape)), empty
