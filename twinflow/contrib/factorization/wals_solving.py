"""The step of weighted alternating least squares: the best factors of some rows.

With weights w_ij (w_0 where nothing is observed), factors u of rows and v of columns:

    loss = sum_ij w_ij (x_ij - u_i v_j)^2 + c (sum_i |u_i|^2 + sum_j |v_j|^2)

Reference: Hu, Koren, Volinsky: Collaborative filtering for implicit feedback (2008).
"""

from typing import Any, NamedTuple

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.unique import unique
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import ones
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import stack
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, shape, squeeze
from twinflow.ops.core.transposing import transpose
from twinflow.ops.math.factorization import MaskedMatmul, WALSComputePartialLhsAndRhs
from twinflow.ops.matrix.diagonal import eye, trace
from twinflow.ops.matrix.solve import matrix_solve
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.ops.sparse.matmul import sparse_tensor_dense_matmul
from twinflow.ops.sparse.tensor import SparseTensor


class Entries(NamedTuple):
    """What is observed of some rows: in the order in which rows and columns come.

    Args:
        rows, columns: int64, the numbers of those that have entries.
        at: int64[entries, 2], the places in these. values: float32[entries].
    """

    rows: Tensor
    columns: Tensor
    at: Tensor
    values: Tensor


class Solved(NamedTuple):
    """What a step finds: new factors of the rows, and the loss, as if of all rows."""

    rows: Tensor
    values: Tensor
    loss: Tensor
    regularization: Tensor
    weights: Tensor


class Other(NamedTuple):
    """The side that stays: its factors, weights (None: all alike) and gramian."""

    factors: list
    weights: list | None
    gramian: Any


def entries_of(sparse: SparseTensor, rows_first: bool) -> Entries:
    """The entries of a matrix whose rows are those that are solved for, or columns."""
    first, second = (0, 1) if rows_first else (1, 0)
    rows, row = unique(sparse.indices[:, first])
    columns, column = unique(sparse.indices[:, second])
    at = cast(stack([row, column], 1), dtypes.int64)
    return Entries(rows, columns, at, sparse.values)


def looked_up(parts: list, rows: Tensor) -> Tensor:
    """The rows of what is cut into shards."""
    return embedding_lookup(parts, rows, partition_strategy="div")


def for_each(given: Any, rows: Tensor) -> Tensor:
    """float32[rows], of a number or of weights."""
    given = cast(convert_to_tensor(given), dtypes.float32)
    return given * ones([shape(rows)[0]]) if not given.shape.ndims else given


def solve(
    entries: Entries, weights: Any, other: Other, count: int, unobserved: Any,
    regularization: Any,
) -> Solved:  # fmt: skip
    """The step of some rows.

    Args:
        entries: what is observed. weights: float32[rows], or None.
        other: the side that stays. count: how many rows there are in all.
        unobserved: w_0. regularization: c, or None.
    """
    factors = looked_up(other.factors, entries.columns)
    if other.weights is None or weights is None:
        values, extra = _alike(entries, factors, other, unobserved, regularization)
    else:
        columns = looked_up(other.weights, entries.columns)
        values = _weighted(
            entries, factors, weights, columns, other, unobserved, regularization
        )
        extra = gather(weights, entries.at[:, 0]) * gather(columns, entries.at[:, 1])
    share = count / cast(shape(entries.rows)[0], dtypes.float32)
    loss, total = _loss(entries, values, factors, extra, other, unobserved)
    penalty = constant(0.0)
    if regularization is not None:
        others = trace(other.gramian)
        penalty = regularization * (share * reduce_sum(values * values) + others)
    return Solved(entries.rows, values, share * loss, penalty, share * total)


def _left(other, unobserved, regularization):
    left = unobserved * other.gramian
    if regularization is None:
        return left
    return left + regularization * eye(other.factors[0].shape[1].value)


def _alike(entries, factors, other, unobserved, regularization):
    """All weights are w_0, so all rows have one system of equations."""
    sizes = stack([shape(entries.rows)[0], shape(entries.columns)[0]])
    matrix = SparseTensor(entries.at, entries.values, cast(sizes, dtypes.int64))
    right = unobserved * sparse_tensor_dense_matmul(matrix, factors)
    left = _left(other, unobserved, regularization)
    return transpose(matrix_solve(left, transpose(right))), 0.0


def _weighted(entries, factors, own, columns, other, unobserved, regularization):
    args = (
        factors, columns, unobserved, own, entries.at, entries.values,
        constant([], dtypes.float32), cast(shape(entries.rows)[0], dtypes.int64), False,
    )  # fmt: skip
    left, right = apply(WALSComputePartialLhsAndRhs, args)
    left = left + _left(other, unobserved, regularization)
    return squeeze(matrix_solve(left, expand_dims(right, 2)), [2])


def _loss(entries, values, factors, extra, other, unobserved):
    """The loss of these rows, and the sum of their weights."""
    found = apply(MaskedMatmul, (values, factors, entries.at, False, True))
    error = (unobserved + extra) * (entries.values - found) ** 2
    everywhere = reduce_sum(matmul(values, values, transpose_a=True) * other.gramian)
    loss = reduce_sum(error) + unobserved * (everywhere - reduce_sum(found * found))
    columns = sum(cast(shape(v)[0], dtypes.float32) for v in other.factors)
    cells = columns * cast(shape(entries.rows)[0], dtypes.float32)
    total = unobserved * cells + reduce_sum(extra + 0.0)
    return loss, reshape(total, [])
