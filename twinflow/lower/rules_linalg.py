"""Rules where XLA needs another form than the kernel: matrices."""

import jax.numpy as jnp
from jax import lax

from twinflow.ops.matrix.exponential import pade


def _cholesky(input):
    return lax.linalg.cholesky(input, symmetrize_input=False)


def _triangular_solve(matrix, rhs, lower, adjoint):
    return lax.linalg.triangular_solve(
        matrix, rhs, left_side=True, lower=lower, transpose_a=adjoint,
        conjugate_a=adjoint,
    )  # fmt: skip


def _exponential(input):
    y, squarings = pade(jnp, input)

    def step(state):
        i, y = state
        return i + 1, jnp.where((i < squarings)[..., None, None], y @ y, y)

    most = squarings.max(initial=0)
    return lax.while_loop(lambda state: state[0] < most, step, (0, y))[1]


rules: dict = {
    "Cholesky": _cholesky,
    "BatchCholesky": _cholesky,
    "MatrixTriangularSolve": _triangular_solve,
    "BatchMatrixTriangularSolve": _triangular_solve,
    "MatrixExponential": _exponential,
}
