"""Softmax over the elements of a sparse tensor that are there."""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.ops.core.elementwise import multiply, subtract
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.infer import ints, sizes
from twinflow.ops.sparse.reduce import SparseReduceSum
from twinflow.ops.sparse.rows import fit, order, places_in
from twinflow.ops.sparse.tensor import sparse_input


def _infer_softmax(sp_indices, sp_values, sp_shape):
    fit(sp_indices, sp_values, sp_shape)
    sizes(sp_shape)
    return sp_values._shape


def _check_softmax(sp_indices, sp_values, sp_shape):
    s = ints(sp_shape)
    if len(s) >= 2:
        return None
    dims = " ".join(map(str, s))
    return f"Input should have rank >= 2, but received shape: {dims}"


@bind_first
def _softmax_kernel(xp, sp_indices, sp_values, sp_shape):
    n = sp_values.shape[0]
    if n == 0:
        return sp_values + 0
    group = _groups(xp, sp_indices[:, :-1])
    top = _largest(xp, sp_values, group, n)
    e = xp.exp(sp_values - top[group])
    return (e / _added(xp, e, group, n)[group]).astype(sp_values.dtype)


def _groups(xp, rows):
    """Numbers for the rows: equal rows have the same, in any order."""
    perm = order(xp, rows)
    rows = xp.asarray(rows)[perm]
    new = xp.any(rows[1:] != rows[:-1], axis=1).astype(np.int64)
    group = xp.concatenate([xp.zeros(1, np.int64), xp.cumsum(new)])
    return group[xp.argsort(perm)]


def _largest(xp, x, group, n):
    out = xp.full(n, -np.inf, x.dtype)
    if xp is not np:
        return out.at[group].max(x)
    np.maximum.at(out, group, x)
    return out


def _added(xp, x, group, n):
    out = xp.zeros(n, x.dtype)
    if xp is not np:
        return out.at[group].add(x)
    np.add.at(out, group, x)
    return out


def _softmax_grad(dy, sp_indices, output, sp_shape):
    products = (sp_indices, multiply(dy, output), sp_shape, [-1])
    along = apply(SparseReduceSum, products, {"keep_dims": True})
    places = places_in(sp_indices, sp_shape, along._shape_value())
    return multiply(subtract(dy, gather_nd(along, places)), output)


SparseSoftmax = define(
    "SparseSoftmax",
    on_host="sp_shape",
    infer=_infer_softmax,
    kernel=_softmax_kernel,
    grad=[None, _softmax_grad],
    check=_check_softmax,
    guard=lambda xp: lambda sp_indices, sp_values, sp_shape: len(ints(sp_shape)) > 1,
)


def sparse_softmax(sp_input: Any, name: str | None = None) -> Any:
    """The softmax along the last axis, over the elements that are there.

    Args:
        sp_input: a SparseTensor of floats of at least two axes, rows in order.
        name: the name of the node in a graph.
    Returns:
        A SparseTensor at the same places.
    Raises:
        InvalidArgumentError: there are fewer axes.
    """
    sp = sparse_input(sp_input)
    out = apply(SparseSoftmax, sp._components(), None, name)
    return sp._with((sp.indices, out, sp.dense_shape))
