"""Linear systems with square and with triangular matrices."""

import numpy as np

from twinflow.base import lapack
from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.elementwise import negative
from twinflow.ops.core.infer import merge, same_dim
from twinflow.ops.core.product import matmul
from twinflow.ops.matrix.band import matrix_band_part
from twinflow.ops.matrix.diagonal import matrices
from twinflow.ops.matrix.inverse import (
    adjoint_of,
    guard_regular,
    or_refuse,
    square_as,
)

_RANKS = "All input tensors must have the same rank."


def _infer_solve(matrix, rhs, **_):
    a = square_as(matrix, "First input (lhs) must be a square matrix.")
    b = matrices(rhs, 2, _RANKS)
    if a is None or b is None:
        known = b if a is None else a
        return None if known is None else (None,) * len(known)
    batch = same_batch(a, b)
    rows = same_rows(a[-1], b[-2])
    return (*batch, rows, b[-1])


def same_batch(a, b):
    """The leading axes of two batches of matrices, which must be the same."""
    if len(a) != len(b):
        raise InferError(
            _RANKS,
            f"Shapes must be equal rank, but are {len(a) - 2} and {len(b) - 2}",
        )
    message = "All input tensors must have the same outer dimensions."
    return merge(a[:-2], b[:-2], message)


def same_rows(m, n):
    return same_dim(m, n, "Input matrix and rhs are incompatible.")


# ------------------------------------------------------------------ systems
def _solve_kernel(xp):
    if xp is np:
        return or_refuse(
            lapack.solve, np.linalg.solve, "Input matrix is not invertible."
        )

    def kernel(matrix, rhs, adjoint):
        return xp.linalg.solve(adjoint_of(xp, matrix) if adjoint else matrix, rhs)

    return kernel


def _outer_grad(d_rhs, output, adjoint):
    """The gradient of the matrix of a system from that of its right-hand side."""
    first, second = (output, d_rhs) if adjoint else (d_rhs, output)
    return negative(matmul(first, second, adjoint_b=True))


def _solve_grad(dy, matrix, output, adjoint):
    d_rhs = matrix_solve(matrix, dy, not adjoint)
    return _outer_grad(d_rhs, output, adjoint), d_rhs


MatrixSolve = define(
    "MatrixSolve",
    infer=_infer_solve,
    kernel=quiet(_solve_kernel),
    guard=guard_regular,
    grad=_solve_grad,
)


def matrix_solve(
    matrix: TensorValue, rhs: TensorValue, adjoint: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The x of matrix @ x = rhs.

    Args:
        matrix: float or complex[..., n, n]. rhs: the same dtype[..., n, k].
        adjoint: use the conjugate transpose of `matrix` instead.
        name: the name of the node in a graph.
    Returns:
        a tensor like `rhs`
    Raises:
        InvalidArgumentError: a matrix is singular, or (eager) the shapes do not fit.
        ValueError: (graph) the shapes do not fit.
    Example:
        tf.matrix_solve([[2., 0.], [0., 4.]], [[2.], [2.]])  # [[1.], [0.5]]
    """
    return apply(MatrixSolve, (matrix, rhs), {"adjoint": bool(adjoint)}, name)


# ------------------------------------------------------------------ triangles
_BLOCK = 32  # rows that LAPACK solves at once


def _back_substitution(u, b):
    """Solve u @ x = b for upper triangular u, by halves."""
    n = u.shape[-1]
    if n <= _BLOCK:
        return np.linalg.solve(np.triu(u), b)
    k = n // 2
    low = _back_substitution(u[..., k:, k:], b[..., k:, :])
    rest = b[..., :k, :] - u[..., :k, k:] @ low
    return np.concatenate([_back_substitution(u[..., :k, :k], rest), low], -2)


def _triangular_kernel(matrix, rhs, lower, adjoint):
    found = lapack.triangular(matrix, rhs, lower, adjoint)
    if found is not None:
        return found
    a = adjoint_of(np, matrix) if adjoint else matrix
    if lower == adjoint:
        return _back_substitution(a, rhs)
    turned = _back_substitution(a[..., ::-1, ::-1], rhs[..., ::-1, :])
    return np.ascontiguousarray(turned[..., ::-1, :])


def _has_no_zero(xp, matrix):
    return xp.all(xp.diagonal(matrix, 0, -2, -1) != 0)


def _check_triangular(matrix, rhs, lower, adjoint):
    if matrix.ndim < 2 or _has_no_zero(np, matrix):
        return None
    return "Input matrix is not invertible."


def _triangular_grad(dy, matrix, output, lower, adjoint):
    d_rhs = matrix_triangular_solve(matrix, dy, lower, not adjoint)
    d_matrix = _outer_grad(d_rhs, output, adjoint)
    band = (-1, 0) if lower else (0, -1)
    return matrix_band_part(d_matrix, *band), d_rhs


@bind_first
def _triangular_in_xla(jax, matrix, rhs, lower, adjoint):
    return jax.lax.linalg.triangular_solve(
        matrix, rhs, left_side=True, lower=lower, transpose_a=adjoint,
        conjugate_a=adjoint,
    )  # fmt: skip


MatrixTriangularSolve = define(
    "MatrixTriangularSolve",
    infer=_infer_solve,
    kernel=quiet(lambda xp: _triangular_kernel),
    lower=_triangular_in_xla,
    guard=lambda xp: lambda matrix, rhs, lower, adjoint: _has_no_zero(xp, matrix),
    check=_check_triangular,
    grad=_triangular_grad,
)


def matrix_triangular_solve(
    matrix: TensorValue, rhs: TensorValue, lower: bool = True, adjoint: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The x of matrix @ x = rhs for triangular matrices, by substitution.

    Args:
        matrix: float or complex[..., n, n]; only one triangle is read.
        rhs: the same dtype[..., n, k].
        lower: whether the lower triangle is read, else the upper one.
        adjoint: use the conjugate transpose of `matrix` instead.
        name: the name of the node in a graph.
    Returns:
        a tensor like `rhs`
    Raises:
        InvalidArgumentError: there is a zero on the diagonal, or (eager) the shapes do
            not fit.
        ValueError: (graph) the shapes do not fit.
    Example:
        tf.matrix_triangular_solve([[2., 0.], [1., 1.]], [[2.], [3.]])  # [[1.], [2.]]
    """
    attrs = {"lower": bool(lower), "adjoint": bool(adjoint)}
    return apply(MatrixTriangularSolve, (matrix, rhs), attrs, name)
