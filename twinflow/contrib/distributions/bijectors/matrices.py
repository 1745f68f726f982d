"""Bijectors of matrices: of triangles, their products and their diagonals."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.contrib.distributions.bijectors.affine import AffineScalar
from twinflow.contrib.distributions.bijectors.composing import Chain
from twinflow.contrib.distributions.bijectors.squashing import Softplus
from twinflow.distributions.arrays import fill_triangular, fill_triangular_inverse
from twinflow.distributions.bijector import Bijector
from twinflow.ops.core.constant import cast, constant
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import log, sqrt
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.debugging.checks import (
    assert_equal,
    assert_none_equal,
    assert_positive,
)
from twinflow.ops.debugging.static import assert_rank_at_least, with_dependencies
from twinflow.ops.matrix.band import matrix_band_part
from twinflow.ops.matrix.cholesky import cholesky
from twinflow.ops.matrix.diagonal import eye, matrix_diag_part, matrix_set_diag
from twinflow.ops.matrix.solve import matrix_triangular_solve


class CholeskyOuterProduct(Bijector):
    """Y = X X^T, for lower triangular X of positive diagonal.

    Args:
        validate_args: whether to check matrices. name: the scope of its ops.
    Example:
        bijector = tf.contrib.distributions.bijectors.CholeskyOuterProduct()
        bijector.forward([[1., 0.], [2., 1.]])  # [[1., 2.], [2., 5.]]
    """

    def __init__(
        self, validate_args: bool = False, name: str = "cholesky_outer_product"
    ) -> None:
        super().__init__(
            forward_min_event_ndims=2, validate_args=validate_args, name=name
        )

    def _forward(self, x):
        if self.validate_args:
            x = with_dependencies(
                [
                    assert_rank_at_least(
                        x, 2, message="Input must be a (batch of) matrix."
                    ),
                    assert_equal(
                        shape(x)[-2], shape(x)[-1],
                        message="Input must be a (batch of) square matrix.",
                    ),
                ],
                x,
            )  # fmt: skip
        lower = matrix_band_part(x, -1, 0)
        return matmul(lower, lower, adjoint_b=True)

    def _inverse(self, y):
        return cholesky(y)

    def _forward_log_det_jacobian(self, x):
        """n log 2 + sum_j (n - j) log x_jj, j counted from 0."""
        diag = matrix_diag_part(x)
        diag.set_shape(x.shape[:-1])
        if self.validate_args:
            text = "Input must be positive definite."
            diag = with_dependencies([assert_positive(diag, message=text)], diag)
        n = cast(shape(diag)[-1], diag.dtype)
        exponents = n - cast(range_of(shape(diag)[-1]), diag.dtype)
        found = n * np.log(2.0) + reduce_sum(exponents * log(diag), axis=-1)
        found.set_shape(x.shape[:-2])
        return found


class MatrixInverseTriL(Bijector):
    """Y = X^-1, for lower triangular X.

    Args:
        validate_args: whether to check matrices. name: the scope of its ops.
    """

    def __init__(
        self, validate_args: bool = False, name: str = "matrix_inverse_tril"
    ) -> None:
        super().__init__(
            forward_min_event_ndims=2, validate_args=validate_args, name=name
        )

    def _forward(self, x):
        x = self._checked(x)
        one = eye(num_rows=shape(x)[-1], batch_shape=shape(x)[:-2], dtype=x.dtype)
        return matrix_triangular_solve(x, one, lower=True)

    def _inverse(self, y):
        return self._forward(y)

    def _forward_log_det_jacobian(self, x):
        """-2 n sum(log |x_ii|), that of all matrices, as TensorFlow 1.12 has it."""
        x = self._checked(x)
        n = cast(shape(x)[-1], x.dtype)
        logs = log(absolute(matrix_diag_part(x)))
        return -2.0 * n * reduce_sum(logs, axis=-1)

    def _checked(self, x):
        if x.shape.ndims is not None and x.shape.ndims < 2:
            raise ValueError("Input must have rank at least 2.")
        if not self.validate_args:
            return x
        diag = matrix_diag_part(x)
        checks = [
            assert_rank_at_least(x, 2, message="Input must have rank at least 2."),
            assert_equal(
                shape(x)[-2], shape(x)[-1], message="Input must be a square matrix."
            ),
            assert_equal(
                matrix_band_part(x, -1, 0), x,
                message="Input must be lower triangular.",
            ),
            assert_none_equal(
                diag, zeros_like(diag),
                message="Input must have all diagonal entries nonzero.",
            ),
        ]  # fmt: skip
        return with_dependencies(checks, x)


class TransformDiagonal(Bijector):
    """Matrices whose diagonals go through another bijector.

    Args:
        diag_bijector: a Bijector of numbers or vectors.
        validate_args: whether to check values. name: the scope of its ops.
    """

    def __init__(
        self, diag_bijector: Any, validate_args: bool = False,
        name: str = "transform_diagonal",
    ) -> None:  # fmt: skip
        self._diag_bijector = diag_bijector
        super().__init__(
            forward_min_event_ndims=2, inverse_min_event_ndims=2,
            validate_args=validate_args, name=name,
        )  # fmt: skip

    def _forward(self, x):
        diag = self._diag_bijector.forward(matrix_diag_part(x))
        return matrix_set_diag(x, diag)

    def _inverse(self, y):
        diag = self._diag_bijector.inverse(matrix_diag_part(y))
        return matrix_set_diag(y, diag)

    def _forward_log_det_jacobian(self, x):
        return self._diag_bijector.forward_log_det_jacobian(
            matrix_diag_part(x), event_ndims=1
        )

    def _inverse_log_det_jacobian(self, y):
        return self._diag_bijector.inverse_log_det_jacobian(
            matrix_diag_part(y), event_ndims=1
        )


class FillTriangular(Bijector):
    """Triangular matrices from vectors; see tf.contrib.distributions.fill_triangular.

    Args:
        upper: whether the upper triangle is filled.
        validate_args: whether to check sizes. name: the scope of its ops.
    """

    def __init__(
        self, upper: bool = False, validate_args: bool = False,
        name: str = "fill_triangular",
    ) -> None:  # fmt: skip
        self._upper = upper
        super().__init__(
            forward_min_event_ndims=1, inverse_min_event_ndims=2,
            is_constant_jacobian=True, validate_args=validate_args, name=name,
        )  # fmt: skip

    def _forward(self, x):
        return fill_triangular(x, upper=self._upper)

    def _inverse(self, y):
        return fill_triangular_inverse(y, upper=self._upper)

    def _forward_log_det_jacobian(self, x):
        return constant(0.0, dtype=x.dtype)

    def _inverse_log_det_jacobian(self, y):
        return constant(0.0, dtype=y.dtype)

    def _forward_event_shape(self, input_shape):
        lead, d = input_shape[:-1], input_shape[-1].value
        n = None if d is None else _side(d)
        return lead.concatenate([n, n])

    def _inverse_event_shape(self, output_shape):
        lead = output_shape[:-2]
        n, m = output_shape[-1].value, output_shape[-2].value
        if None in (n, m):
            return lead.concatenate([None])
        if n != m:
            raise ValueError(f"Matrix must be square. (saw [{m}, {n}])")
        return lead.concatenate([n * (n + 1) // 2])

    def _forward_event_shape_tensor(self, input_shape):
        lead, d = input_shape[:-1], input_shape[-1]
        root = sqrt(cast(8 * d + 1, dtypes.float64))
        n = cast((root - 1.0) / 2.0, d.dtype)
        if self.validate_args:
            text = "Vector length is not a triangular number"
            n = with_dependencies([assert_equal(n * (n + 1), 2 * d, message=text)], n)
        return concat([lead, [n, n]], axis=0)

    def _inverse_event_shape_tensor(self, output_shape):
        lead, n = output_shape[:-2], output_shape[-1]
        if self.validate_args:
            text = "Matrix must be square."
            check = assert_equal(output_shape[-2], n, message=text)
            n = with_dependencies([check], n)
        return concat([lead, [n * (n + 1) // 2]], axis=0)


def _side(d):
    n = int((np.sqrt(8 * d + 1) - 1) / 2)
    if n * (n + 1) != 2 * d:
        raise ValueError("Vector length is not a triangular number.")
    return n


class ScaleTriL(Chain):
    """Lower triangular matrices of positive diagonal from vectors.

    Args:
        diag_bijector: what the diagonals go through, Softplus if None.
        diag_shift: float, added to the diagonals; None adds nothing.
        validate_args: whether to check values. name: the scope of its ops.
    """

    def __init__(
        self, diag_bijector: Any = None, diag_shift: float | None = 1e-5,
        validate_args: bool = False, name: str = "scale_tril",
    ) -> None:  # fmt: skip
        if diag_bijector is None:
            diag_bijector = Softplus(validate_args=validate_args)
        if diag_shift is not None:
            shift = AffineScalar(shift=diag_shift)
            diag_bijector = Chain([shift, diag_bijector])
        super().__init__(
            [
                TransformDiagonal(diag_bijector=diag_bijector),
                FillTriangular(validate_args=validate_args),
            ],
            validate_args=validate_args,
            name=name,
        )
