"""The operator of zeros."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.errors import invalid
from twinflow.base.tensor import Tensor
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.shape import shape
from twinflow.ops.linear_operator.identity import Sized


class LinearOperatorZeros(Sized):
    """The operator of a matrix of zeros.

    Args:
        num_rows: M, an int or an integer scalar. num_columns: N; M if None.
        batch_shape: leading axes, ints or an integer vector. dtype: float32 if None.
        is_non_singular, is_positive_definite: False.
        is_self_adjoint: True if it is square. is_square: False for M != N.
        assert_proper_shapes: check sizes when it runs where they are not known before.
        name: see LinearOperator.
    Raises:
        ValueError: a promise is not kept, or a size is negative or not a scalar.
        TypeError: a size is not an integer.
    Example:
        tf.linalg.LinearOperatorZeros(2).matvec([1., 2.])  # [0., 0.]
    """

    def __init__(
        self, num_rows: Any, num_columns: Any = None, batch_shape: Any = None,
        dtype: DTypeValue | None = None, is_non_singular: bool = False,
        is_self_adjoint: bool = True, is_positive_definite: bool = False,
        is_square: bool = True, assert_proper_shapes: bool = False,
        name: str | None = "LinearOperatorZeros",
    ) -> None:  # fmt: skip
        if not is_self_adjoint and is_square:
            raise ValueError("A zero operator is always self adjoint.")
        if is_non_singular:
            raise ValueError("A zero operator is always singular.")
        if is_positive_definite:
            raise ValueError("A zero operator is always not positive-definite.")
        super().__init__(
            dtype or dtypes.float32, None, is_non_singular, is_self_adjoint,
            is_positive_definite, is_square, name,
        )  # fmt: skip
        self._assert_proper_shapes = assert_proper_shapes
        self._set_sizes(num_rows, num_columns, batch_shape)
        m, n = (self._known[i].value for i in (-2, -1))
        if is_square and None not in (m, n) and m != n:
            raise ValueError(
                "LinearOperatorZeros initialized as is_square=True, but got "
                f"num_rows({m}) != num_columns({n})"
            )

    def _assert_non_singular(self):
        raise invalid("Zero operators are always non-invertible.")

    def _assert_positive_definite(self):
        raise invalid("Zero operators are always non-positive definite.")

    def _assert_self_adjoint(self):
        return no_op("assert_self_adjoint")

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = self._fitting(x, adjoint, adjoint_arg)
        rows = self._size(-1 if adjoint else -2)
        s = x._shape
        if type(rows) is int and s is not None and None not in s:
            return self._spread(zeros([*s[:-2], rows, s[-1]], x.dtype))
        sizes = shape(x)
        parts = [sizes[:-2], stack([rows]), sizes[-1:]]
        return self._spread(zeros(concat(parts, 0), x.dtype))

    def _determinant(self):
        return zeros(self._batch(), self.dtype)

    def _trace(self):
        return zeros(self._batch(), self.dtype)

    def _diag_part(self):
        return zeros(self._diagonal_shape(), self.dtype)

    def add_to_tensor(self, mat: Any, name: str | None = "add_to_tensor") -> Tensor:
        """A + mat; see LinearOperator."""
        with self._name_scope(name):
            return self._spread(self._argument(mat, "mat", None, None))
