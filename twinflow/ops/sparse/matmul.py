"""Products of a sparse and a dense matrix."""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply, current_mode
from twinflow.base.op import NUMBER, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.complex import conjugated
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.index import UnsortedSegmentSum, gather
from twinflow.ops.core.infer import dim_is, ints, ranked, same_dim, sizes, text
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.transposing import transpose
from twinflow.ops.sparse.rows import inside
from twinflow.ops.sparse.tensor import sparse_input


def _infer(a_indices, a_values, a_shape, b, adjoint_a, adjoint_b):
    s = ranked(b._shape, 2, "Tensor 'b' is not a matrix")
    (count,) = ranked(a_values._shape, 1, "Tensor 'a_values' is not a vector")
    rows, columns = ranked(a_indices._shape, 2, "Tensor 'a_indices' is not a matrix")
    m, k = _outer_inner(sizes(a_shape), adjoint_a)
    inner, n = (s[1], s[0]) if adjoint_b else s
    if None not in (k, inner):
        same_dim(k, inner, _unequal(k, inner, a_shape, s))
    dim_is(columns, 2, f"Tensor 'a_indices' must have 2 columns, got {columns}")
    same_dim(
        rows,
        count,
        "Number of rows of a_indices does not match number of entries in a_values: "
        f"{rows} vs. {count}",
    )
    return m, n


def _unequal(k, inner, a_shape, s):
    return (
        "Cannot multiply A and B because inner dimension does not match: "
        f"{k} vs. {inner}.  Did you forget a transpose?  Dimensions of A: "
        f"{text(ints(a_shape))[:-1].replace(',', ', ')}).  Dimensions of B: {text(s)}"
    )


def _outer_inner(a_shape, adjoint_a):
    """The rows of the product, and how many rows of B it takes."""
    if a_shape is None:
        return None, None
    s = ranked(ints(a_shape), 2, "Tensor 'a_shape' must have 2 elements")
    return s[::-1] if adjoint_a else s


def _bounds(a_shape, adjoint_a, b, adjoint_b):
    """How far the columns of `a_indices` may go."""
    m, k = ints(a_shape)[1 if adjoint_a else 0], b.shape[1 if adjoint_b else 0]
    return (k, m) if adjoint_a else (m, k)


def _check(a_indices, a_values, a_shape, b, adjoint_a, adjoint_b):
    k, inner = _outer_inner(a_shape, adjoint_a)[1], b.shape[1 if adjoint_b else 0]
    if k != inner:
        return _unequal(k, inner, a_shape, b.shape)
    limits = _bounds(a_shape, adjoint_a, b, adjoint_b)
    bad = np.flatnonzero(~inside(np, a_indices, limits))
    if not len(bad):
        return None
    i = int(bad[0])
    inner = 0 if adjoint_a else 1
    column = inner if not 0 <= a_indices[i, inner] < limits[inner] else 1 - inner
    name = "k" if column == inner else "m"
    return (
        f"{name} ({a_indices[i, column]}) from index[{i},{column}] out of bounds "
        f"(>={limits[column]})"
    )


@bind_first
def _guard(xp, a_indices, a_values, a_shape, b, adjoint_a, adjoint_b):
    limits = _bounds(a_shape, adjoint_a, b, adjoint_b)
    if _outer_inner(a_shape, adjoint_a)[1] != limits[1 - int(adjoint_a)]:
        return xp.zeros((), bool)
    return xp.all(inside(xp, a_indices, limits))


def _kernel(xp):
    add_rows = UnsortedSegmentSum.kernel(xp)

    def kernel(a_indices, a_values, a_shape, b, adjoint_a, adjoint_b):
        b = xp.asarray(b.T.conj() if adjoint_b else b)
        rows, columns = a_indices[:, int(adjoint_a)], a_indices[:, 1 - int(adjoint_a)]
        m = ints(a_shape)[1 if adjoint_a else 0]
        return add_rows(a_values[:, None] * b[columns], rows, m)

    return kernel


def _values_grad(dy, a_indices, b, adjoint_a, adjoint_b):
    b = _adjoint(b) if adjoint_b else b
    rows, columns = a_indices[:, int(adjoint_a)], a_indices[:, 1 - int(adjoint_a)]
    return reduce_sum(multiply(gather(dy, rows), conjugated(gather(b, columns))), 1)


def _dense_grad(dy, a_indices, a_values, a_shape, adjoint_a, adjoint_b):
    inputs = (a_indices, conjugated(a_values), a_shape, dy)
    db = apply(SparseTensorDenseMatMul, inputs, {"adjoint_a": not adjoint_a})
    return _adjoint(db) if adjoint_b else db


def _adjoint(x):
    return transpose(x, (1, 0), conjugate=x.dtype.is_complex)


SparseTensorDenseMatMul = define(
    "SparseTensorDenseMatMul",
    on_host="a_shape",
    infer=_infer,
    kernel=_kernel,
    types=NUMBER,
    grad=[None, _values_grad, _dense_grad],
    guard=_guard,
    check=_check,
)


def sparse_tensor_dense_matmul(
    sp_a: Any, b: TensorValue, adjoint_a: bool = False, adjoint_b: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The matrix product of a sparse and a dense matrix: A B.

    Args:
        sp_a: a SparseTensor number[m, k]; an index may come twice, in any order.
        b: number[k, n] of the same dtype.
        adjoint_a, adjoint_b: take the transpose of that matrix; B is conjugated then,
            A is not.
        name: the name of the call.
    Returns:
        number[m, n]
    Raises:
        TypeError: `sp_a` is not sparse.
        InvalidArgumentError: the sizes do not fit, or an index is out of bounds.
    Example:
        a = tf.SparseTensor([[0, 0], [1, 1]], [2., 3.], [2, 2])
        tf.sparse_tensor_dense_matmul(a, [[1., 1.], [1., 1.]])  # [[2, 2], [3, 3]]
    """
    sp_a = sparse_input(sp_a)
    with current_mode().name_scope(name or "SparseTensorDenseMatMul"):
        b = convert_to_tensor(b, name="b")
        attrs = {"adjoint_a": adjoint_a, "adjoint_b": adjoint_b}
        inputs = (sp_a.indices, sp_a.values, sp_a.dense_shape, b)
        return apply(SparseTensorDenseMatMul, inputs, attrs)
