"""Operators by their entries: full, lower triangular and diagonal matrices."""

from operator import attrgetter
from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.ops.core.complex import conj, imag, real
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import abs as abs_of
from twinflow.ops.core.elementwise import add, log, multiply, realdiv
from twinflow.ops.core.joining import concat
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_prod, reduce_sum
from twinflow.ops.core.shape import expand_dims, shape
from twinflow.ops.debugging.checks import assert_equal, assert_positive
from twinflow.ops.linear_operator.base import LinearOperator
from twinflow.ops.linear_operator.batch import alike, assert_no_zeros, check_argument
from twinflow.ops.matrix.band import matrix_band_part
from twinflow.ops.matrix.diagonal import (
    adjoint as adjoint_of,
)
from twinflow.ops.matrix.diagonal import (
    matrix_diag,
    matrix_diag_part,
    matrix_set_diag,
)
from twinflow.ops.matrix.solve import matrix_triangular_solve

_ZEROS = "Singular operator:  Diagonal contained zero values."


class _Matrix(LinearOperator):
    """What full and triangular matrices share: their entries."""

    def _shape(self):
        return self._matrix.shape

    def _shape_tensor(self):
        return shape(self._matrix)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return product(self._matrix, x, adjoint, adjoint_arg)

    def _to_dense(self):
        return self._matrix


class _Diagonal(LinearOperator):
    """What triangular and diagonal matrices share: determinants by the diagonal."""

    def _determinant(self):
        return reduce_prod(self._diag, [-1])

    def _log_abs_determinant(self):
        return cast(reduce_sum(log(abs_of(self._diag)), [-1]), self.dtype)

    def _assert_non_singular(self):
        return assert_no_zeros(self._diag, _ZEROS)


class LinearOperatorFullMatrix(_Matrix):
    """The operator of a dense matrix.

    Args:
        matrix: float or complex[..., M, N].
        is_non_singular, is_self_adjoint, is_positive_definite, is_square, name: see
            LinearOperator.
    Raises:
        TypeError, ValueError: another dtype, or fewer than two axes.
    Example:
        operator = tf.linalg.LinearOperatorFullMatrix([[1., 2.], [3., 4.]])
        operator.matvec([1., 0.])  # [1., 3.]
    """

    def __init__(
        self, matrix: TensorValue, is_non_singular: Any = None,
        is_self_adjoint: Any = None, is_positive_definite: Any = None,
        is_square: Any = None, name: str | None = "LinearOperatorFullMatrix",
    ) -> None:  # fmt: skip
        self._matrix = convert_to_tensor(matrix, name="matrix")
        check_argument(self._matrix, "matrix", 2)
        super().__init__(
            self._matrix.dtype, [self._matrix], is_non_singular, is_self_adjoint,
            is_positive_definite, is_square, name,
        )  # fmt: skip


def product(a, b, adjoint_a=False, adjoint_b=False):
    """The matrix product, where the leading axes are broadcast."""
    if None in (a._shape, b._shape):
        a, b = alike(a, b)
    return matmul(a, b, adjoint_a=adjoint_a, adjoint_b=adjoint_b)


class LinearOperatorLowerTriangular(_Diagonal, _Matrix):
    """The operator of a lower triangular matrix.

    Args:
        tril: float or complex[..., N, N]; what is above the diagonal is ignored.
        is_non_singular, is_self_adjoint, is_positive_definite, is_square, name: see
            LinearOperator.
    Raises:
        TypeError, ValueError: another dtype, fewer than two axes, or is_square=False.
    Example:
        operator = tf.linalg.LinearOperatorLowerTriangular([[2., 0.], [1., 4.]])
        operator.determinant()  # 8.0
    """

    def __init__(
        self, tril: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None,
        name: str | None = "LinearOperatorLowerTriangular",
    ) -> None:  # fmt: skip
        if is_square is False:
            raise ValueError(
                "Only square lower triangular operators supported at this time."
            )
        tril = convert_to_tensor(tril, name="tril")
        check_argument(tril, "tril", 2)
        self._matrix = matrix_band_part(tril, -1, 0)
        self._diag = matrix_diag_part(self._matrix)
        super().__init__(
            self._matrix.dtype, [self._matrix], is_non_singular, is_self_adjoint,
            is_positive_definite, True, name,
        )  # fmt: skip

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = adjoint_of(rhs) if adjoint_arg else rhs
        return matrix_triangular_solve(*alike(self._matrix, rhs), adjoint=adjoint)


class LinearOperatorDiag(_Diagonal):
    """The operator of a diagonal matrix.

    Args:
        diag: float or complex[..., N].
        is_non_singular, is_self_adjoint, is_positive_definite, is_square, name: see
            LinearOperator.
    Raises:
        TypeError: another dtype.
        ValueError: a scalar, is_square=False, or a real one that is_self_adjoint=False.
    Example:
        tf.linalg.LinearOperatorDiag([1., 2.]).solvevec([1., 1.])  # [1., 0.5]
    """

    def __init__(
        self, diag: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None,
        name: str | None = "LinearOperatorDiag",
    ) -> None:  # fmt: skip
        self._diag = convert_to_tensor(diag, name="diag")
        check_argument(self._diag, "diag", 1)
        if not self._diag.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("Only square diagonal operators currently supported.")
        super().__init__(
            self._diag.dtype, [self._diag], is_non_singular, is_self_adjoint,
            is_positive_definite, True, name,
        )  # fmt: skip

    diag = property(attrgetter("_diag"), doc="The diagonal, a tensor[..., N].")

    def _shape(self):
        s = self._diag.shape
        return s.concatenate(s[-1:])

    def _shape_tensor(self):
        s = shape(self._diag)
        return concat([s, s[-1:]], 0)

    def _assert_positive_definite(self):
        what = (
            "Diagonal operator had diagonal entries with non-positive real part"
            if self.dtype.is_complex
            else "Real diagonal operator had non-positive diagonal entries"
        )
        message = f"{what}, thus was not positive definite."
        return assert_positive(real(self._diag), message=message)

    def _assert_self_adjoint(self):
        return assert_real(
            self._diag,
            "This diagonal operator contained non-zero imaginary values.   Thus it was "
            "not self-adjoint.",
        )

    def _column(self, adjoint):
        return expand_dims(conj(self._diag) if adjoint else self._diag, -1)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = adjoint_of(x) if adjoint_arg else x
        return multiply(self._column(adjoint), x)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = adjoint_of(rhs) if adjoint_arg else rhs
        return realdiv(rhs, self._column(adjoint))

    def _to_dense(self):
        return matrix_diag(self._diag)

    def _diag_part(self):
        return self._diag

    def _add_to_tensor(self, x):
        x, _ = alike(x, expand_dims(self._diag, -1))
        return matrix_set_diag(x, add(self._diag, matrix_diag_part(x)))


def assert_real(t, message):
    """An op that fails where an imaginary part is not 0."""
    if not t.dtype.is_complex:
        return no_op()
    part = imag(t)
    return assert_equal(zeros_like(part), part, message=message)
