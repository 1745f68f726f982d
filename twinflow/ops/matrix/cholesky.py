"""The Cholesky decomposition, and what it solves."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, lapack
from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.complex import real
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import add, log, multiply
from twinflow.ops.core.infer import merge
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.matrix.band import matrix_band_part
from twinflow.ops.matrix.diagonal import (
    adjoint,
    matrix_diag_part,
    matrix_set_diag,
)
from twinflow.ops.matrix.inverse import MATRIX, refuse, square
from twinflow.ops.matrix.solve import matrix_triangular_solve

_NOT_POSITIVE = (
    "Cholesky decomposition was not successful. The input might not be valid."
)


def _cholesky_numpy(input):
    try:
        found = lapack.cholesky(input)
        return np.linalg.cholesky(input) if found is None else found
    except np.linalg.LinAlgError:
        return _cholesky_of_nans(input)


def _cholesky_of_nans(input):
    """Where LAPACK gave up: NaN for matrices with NaN in them, or an error."""
    n = input.shape[-1]
    out = [_one_of_nans(a) for a in input.reshape(-1, n, n)]
    return np.stack(out).reshape(input.shape)


def _one_of_nans(a):
    if np.isnan(np.tril(a)).any():
        return np.tril(np.full_like(a, np.nan))
    try:
        return np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        raise refuse(_NOT_POSITIVE) from None


@bind_first
def _guard_cholesky(xp, input):
    root = xp.linalg.cholesky(input, symmetrize_input=False)
    good = ~xp.isnan(xp.diagonal(root, 0, -2, -1)).any(-1)
    return xp.all(good | xp.isnan(xp.tril(input)).any((-2, -1)))


@bind_first
def _cholesky_in_xla(jax, input):
    return jax.lax.linalg.cholesky(input, symmetrize_input=False)


# Of the input only the lower triangle is read, yet the gradient is symmetric, as in
# TensorFlow: the input is meant to be symmetric, and so are the steps it takes.
Cholesky = define(
    "Cholesky",
    infer=square,
    kernel=quiet(lambda xp: _cholesky_numpy),
    lower=_cholesky_in_xla,
    guard=_guard_cholesky,
    grad=[lambda dy, output: _through(output, dy)],
)


def _through(root, dy):
    """L^-H sym(phi(L^H dy)) L^-1, where phi is the lower half of a matrix.

    Reference: I. Murray, Differentiation of the Cholesky decomposition, 2016.
    """
    half = _lower_half(matmul(root, dy, adjoint_a=True))
    middle = multiply(add(half, adjoint(half)), 0.5)
    left = matrix_triangular_solve(root, middle, adjoint=True)
    return adjoint(matrix_triangular_solve(root, adjoint(left), adjoint=True))


def _lower_half(x):
    halved = matrix_set_diag(x, multiply(matrix_diag_part(x), 0.5))
    return matrix_band_part(halved, -1, 0)


def cholesky(input: TensorValue, name: str | None = None) -> Tensor:
    """The lower triangular L with L @ L^H = input, of positive definite matrices.

    Args:
        input: float or complex[..., n, n]; only the lower triangle is read.
        name: the name of the node in a graph.
    Returns:
        a tensor like `input`
    Raises:
        InvalidArgumentError: a matrix is not positive definite, or (eager) not square.
        ValueError: (graph) the matrices are not square.
    Example:
        tf.cholesky([[4., 2.], [2., 5.]])  # [[2., 0.], [1., 2.]]
    """
    return apply(Cholesky, (input,), None, name)


def _infer_cholesky_grad(l, grad):  # noqa: E741 - TensorFlow's name
    return merge(square(l), square(grad))


@bind_first
def _cholesky_grad_kernel(xp, l, grad):  # noqa: E741 - TensorFlow's name
    """As `_through`, on arrays."""
    root = xp.tril(l)
    conjugate = xp.conj(xp.swapaxes(root, -1, -2))
    half = xp.tril(conjugate @ grad)
    n = l.shape[-1]
    half = half * (1 - np.eye(n, dtype=l.dtype) / np.asarray(2, l.dtype))
    middle = half + xp.conj(xp.swapaxes(half, -1, -2))
    left = xp.linalg.solve(conjugate, middle * np.asarray(0.5, l.dtype))
    right = xp.linalg.solve(conjugate, xp.conj(xp.swapaxes(left, -1, -2)))
    return xp.conj(xp.swapaxes(right, -1, -2))


CholeskyGrad = define(
    "CholeskyGrad",
    infer=_infer_cholesky_grad,
    kernel=quiet(_cholesky_grad_kernel),
    types=MATRIX,
)


def cholesky_solve(chol: Any, rhs: TensorValue, name: str | None = None) -> Tensor:
    """The x of a @ x = rhs, from the Cholesky decomposition of a.

    Args:
        chol: float or complex[..., n, n], what `tf.cholesky(a)` gives.
        rhs: the same dtype[..., n, k]. name: the name of the scope in a graph.
    Returns:
        a tensor like `rhs`
    Raises:
        InvalidArgumentError: there is a zero on the diagonal, or (eager) the shapes do
            not fit.
        ValueError: (graph) the shapes do not fit.
    Example:
        tf.cholesky_solve(tf.cholesky([[4.]]), [[8.]])  # [[2.]]
    """
    with dispatch.current_mode().name_scope(name or "cholesky_solve"):
        y = matrix_triangular_solve(chol, rhs, lower=True)
        return matrix_triangular_solve(chol, y, lower=True, adjoint=True)


def logdet(matrix: TensorValue, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of positive definite matrices.

    Args:
        matrix: float or complex[..., n, n]. name: the name of the scope in a graph.
    Returns:
        float[...]
    Raises:
        InvalidArgumentError: a matrix is not positive definite.
    Example:
        tf.linalg.logdet([[4., 0.], [0., 1.]])  # 1.386
    """
    with dispatch.current_mode().name_scope(name or "logdet"):
        root = cholesky(convert_to_tensor(matrix))
        return multiply(reduce_sum(log(real(matrix_diag_part(root))), [-1]), 2.0)
