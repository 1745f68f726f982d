"""tensorflow.python.ops.linalg.linear_operator_util: batches of matrices and checks."""

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import shape
from twinflow.ops.debugging.checks import assert_equal
from twinflow.ops.linear_operator.batch import alike, assert_no_zeros
from twinflow.ops.linear_operator.dense import assert_real
from twinflow.ops.matrix.cholesky import cholesky_solve
from twinflow.ops.matrix.solve import matrix_solve, matrix_triangular_solve

COMPLEX = dtypes.complex64


def to_complex(x):
    """A tensor as complex64."""
    return cast(x, COMPLEX)


def assert_no_entries_with_modulus_zero(
    x, message=None, name="assert_no_entries_with_modulus_zero"
):
    """An op that fails where an entry is 0."""
    with dispatch.current_mode().name_scope(name):
        return assert_no_zeros(convert_to_tensor(x, name="x"), message)


def assert_zero_imag_part(x, message=None, name="assert_zero_imag_part"):
    """An op that fails where an imaginary part is not 0."""
    with dispatch.current_mode().name_scope(name):
        return assert_real(convert_to_tensor(x, name="x"), message)


def assert_compatible_matrix_dimensions(operator, x):
    """An op that fails where an operator cannot be applied to a matrix."""
    return assert_equal(
        shape(x)[-2],
        operator.domain_dimension_tensor(),
        message=(
            "Incompatible matrix dimensions.  shape[-2] of argument to be the same as "
            "this operator"
        ),
    )


def assert_is_batch_matrix(tensor):
    """Raises ValueError where a tensor has fewer than two axes."""
    s = tensor._shape
    if s is not None and len(s) < 2:
        raise ValueError(
            f"Expected [batch] matrix to have at least two dimensions.  Found: {tensor}"
        )


def shape_tensor(shape, name=None):
    """A shape as a tensor; Python's numbers as int32."""
    plain = isinstance(shape, tuple | list)
    dtype = dtypes.int32 if plain else None
    return convert_to_tensor(shape, dtype, name)


def broadcast_matrix_batch_dims(batch_matrices, name=None):
    """Tensors [..., m, n], repeated so that all have the same leading axes.

    Raises:
        ValueError: one has fewer than two axes, or the leading axes do not fit.
    """
    with dispatch.current_mode().name_scope(name or "broadcast_matrix_batch_dims"):
        found = [convert_to_tensor(m) for m in batch_matrices]
        for m in found:
            assert_is_batch_matrix(m)
        return alike(*found) if len(found) > 1 else found


def matmul_with_broadcast(
    a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False,
    a_is_sparse=False, b_is_sparse=False, name=None,
):  # fmt: skip
    """tf.matmul of matrices whose leading axes are repeated to fit."""
    with dispatch.current_mode().name_scope(name or "MatMulWithBroadcast"):
        a, b = broadcast_matrix_batch_dims([a, convert_to_tensor(b, _dtype(a))])
        return matmul(
            a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, a_is_sparse,
            b_is_sparse,
        )  # fmt: skip


def _dtype(x):
    return x.dtype if hasattr(x, "dtype") and not isinstance(x, np.ndarray) else None


def matrix_solve_with_broadcast(matrix, rhs, adjoint=False, name=None):
    """tf.matrix_solve of matrices whose leading axes are repeated to fit."""
    with dispatch.current_mode().name_scope(name or "MatrixSolveWithBroadcast"):
        matrix, rhs = broadcast_matrix_batch_dims([matrix, rhs])
        return matrix_solve(matrix, rhs, adjoint)


def cholesky_solve_with_broadcast(chol, rhs, name=None):
    """tf.cholesky_solve of matrices whose leading axes are repeated to fit."""
    with dispatch.current_mode().name_scope(name or "CholeskySolveWithBroadcast"):
        return cholesky_solve(*broadcast_matrix_batch_dims([chol, rhs]))


def matrix_triangular_solve_with_broadcast(
    matrix, rhs, lower=True, adjoint=False, name=None
):
    """tf.matrix_triangular_solve with leading axes that are repeated to fit."""
    with dispatch.current_mode().name_scope(name or "MatrixTriangularSolve"):
        matrix, rhs = broadcast_matrix_batch_dims([matrix, rhs])
        return matrix_triangular_solve(matrix, rhs, lower, adjoint)
