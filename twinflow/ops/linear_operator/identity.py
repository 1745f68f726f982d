"""Operators of which little is stored: identities, their multiples, and zeros."""

from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.convert import is_tensor_like
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.core.complex import conj, imag, real
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import ones, zeros, zeros_like
from twinflow.ops.core.elementwise import abs as abs_of
from twinflow.ops.core.elementwise import add, log, minimum, multiply, pow, realdiv
from twinflow.ops.core.infer import static_value
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.shape import expand_dims, shape
from twinflow.ops.debugging.checks import (
    assert_equal,
    assert_non_negative,
    assert_positive,
)
from twinflow.ops.debugging.static import assert_rank, with_dependencies
from twinflow.ops.linear_operator.base import LinearOperator
from twinflow.ops.linear_operator.batch import alike
from twinflow.ops.matrix.diagonal import adjoint as adjoint_of
from twinflow.ops.matrix.diagonal import matrix_diag_part, matrix_set_diag


def _size_argument(value, name, rank):
    """A size, or the leading axes: a tensor, and its value where that is known."""
    if isinstance(value, TensorShape):
        value = value.as_list()
    none = not is_tensor_like(value) and np.size(value) == 0
    t = constant(value, dtypes.int32) if none else convert_to_tensor(value)
    if not t.dtype.is_integer:
        raise TypeError(f"Argument {name} must be integer type.  Found: {t}")
    found = static_value(t)
    if found is not None:
        if np.ndim(found) != rank:
            raise ValueError(f"Argument {name} must be a {rank}-D Tensor.  Found: {t}")
        if np.any(np.asarray(found) < 0):
            raise ValueError(f"Argument {name} must be non-negative.  Found: {t}")
    return t, found


def _asserted(t, name, rank):
    """The size, once it is of its rank and not negative."""
    whole = f"Argument {name} must be a {rank}-D Tensor."
    checks = [
        assert_rank(t, rank, message=whole),
        assert_non_negative(t, message=f"Argument {name} must be non-negative."),
    ]
    return with_dependencies(checks, t)


class Sized(LinearOperator):
    """What identities and zeros share: sizes that the caller gives."""

    _assert_proper_shapes = False

    def _set_sizes(self, num_rows, num_columns, batch_shape):
        self._rows, rows = _size_argument(num_rows, "num_rows", 0)
        self._columns, columns = self._rows, rows
        if num_columns is not None:
            self._columns, columns = _size_argument(num_columns, "num_columns", 0)
        self._lead, batch = None, ()
        if batch_shape is not None:
            self._lead, batch = _size_argument(batch_shape, "batch_shape", 1)
        if self._assert_proper_shapes:
            self._assert_sizes(rows, columns, batch)
        n = [None if v is None else int(v) for v in (rows, columns)]
        lead = None if batch is None else [int(v) for v in batch]
        self._known = TensorShape(lead).concatenate(n)

    def _assert_sizes(self, rows, columns, batch):
        """Let the sizes that are not known be looked at when they are."""
        if rows is None:
            self._rows = _asserted(self._rows, "num_rows", 0)
        if columns is None:
            self._columns = _asserted(self._columns, "num_columns", 0)
        if batch is None:
            self._lead = _asserted(self._lead, "batch_shape", 1)

    def _shape(self):
        return self._known

    def _shape_tensor(self):
        matrix = stack([self._rows, self._columns])
        return matrix if self._lead is None else concat([self._lead, matrix], 0)

    def _spread(self, x):
        """`x`, repeated over the leading axes of the operator."""
        if self._lead is None:
            return x
        if self.batch_shape.is_fully_defined():
            lead = zeros([*self.batch_shape.as_list(), 1, 1], self.dtype)
        else:
            lead = zeros(concat([self.batch_shape_tensor(), [1, 1]], 0), self.dtype)
        return alike(x, lead)[0]

    def _fitting(self, x, adjoint=False, adjoint_arg=False):
        """The argument of a product, its size asserted if the caller wants that."""
        x = adjoint_of(x) if adjoint_arg else x
        if not self._assert_proper_shapes:
            return x
        check = assert_equal(
            shape(x)[-2], self._size(-2 if adjoint else -1),
            message="Incompatible matrix dimensions.  shape[-2] of argument to be the "
            "same as this operator",
        )  # fmt: skip
        return with_dependencies([check], x)

    def _diagonal_shape(self):
        m, n = self._size(-2), self._size(-1)
        whole = type(m) is int and type(n) is int
        least = min(m, n) if whole else minimum(m, n)
        lead = self._batch()
        if isinstance(lead, list) and whole:
            return [*lead, least]
        return concat([lead, stack([least])], 0)


class LinearOperatorIdentity(Sized):
    """The operator of the identity matrix.

    Args:
        num_rows: N, an int or an integer scalar.
        batch_shape: leading axes, ints or an integer vector. dtype: float32 if None.
        is_non_singular, is_self_adjoint, is_positive_definite, is_square: True.
        assert_proper_shapes: check sizes when it runs where they are not known before.
        name: see LinearOperator.
    Raises:
        ValueError: a promise is False, or a size is negative or not a scalar.
        TypeError: a size is not an integer.
    Example:
        tf.linalg.LinearOperatorIdentity(2).matvec([1., 2.])  # [1., 2.]
    """

    def __init__(
        self, num_rows: Any, batch_shape: Any = None, dtype: DTypeValue | None = None,
        is_non_singular: bool = True, is_self_adjoint: bool = True,
        is_positive_definite: bool = True, is_square: bool = True,
        assert_proper_shapes: bool = False, name: str | None = "LinearOperatorIdentity",
    ) -> None:  # fmt: skip
        for promise, what in (
            (is_self_adjoint, "self adjoint"), (is_non_singular, "non-singular"),
            (is_positive_definite, "positive-definite"), (is_square, "square"),
        ):  # fmt: skip
            if not promise:
                raise ValueError(f"An identity operator is always {what}.")
        super().__init__(
            dtype or dtypes.float32, None, is_non_singular, is_self_adjoint,
            is_positive_definite, is_square, name,
        )  # fmt: skip
        self._assert_proper_shapes = assert_proper_shapes
        self._set_sizes(num_rows, None, batch_shape)

    def _assert_non_singular(self):
        return no_op("assert_non_singular")

    def _assert_positive_definite(self):
        return no_op("assert_positive_definite")

    def _assert_self_adjoint(self):
        return no_op("assert_self_adjoint")

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._spread(self._fitting(x, adjoint, adjoint_arg))

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _determinant(self):
        return ones(self._batch(), self.dtype)

    def _log_abs_determinant(self):
        return zeros(self._batch(), self.dtype)

    def _trace(self):
        n = cast(self._size(-1), self.dtype)
        return multiply(ones(self._batch(), self.dtype), n)

    def _diag_part(self):
        return ones(self._diagonal_shape(), self.dtype)

    def add_to_tensor(self, mat: Any, name: str | None = "add_to_tensor") -> Tensor:
        """A + mat; see LinearOperator."""
        with self._name_scope(name):
            mat = self._spread(self._argument(mat, "mat", None, None))
            return matrix_set_diag(mat, add(matrix_diag_part(mat), 1.0))


class LinearOperatorScaledIdentity(Sized):
    """The operator of c times the identity matrix.

    Args:
        num_rows: N, an int or an integer scalar.
        multiplier: c, float or complex[...].
        is_non_singular, is_self_adjoint, is_positive_definite, is_square, name: see
            LinearOperator; square.
        assert_proper_shapes: check sizes when it runs where they are not known before.
    Raises:
        ValueError: is_square is False, or a size is negative or not a scalar.
        TypeError: a size is not an integer.
    Example:
        tf.linalg.LinearOperatorScaledIdentity(2, 3.).to_dense()  # [[3., 0.], [0., 3.]]
    """

    def __init__(
        self, num_rows: Any, multiplier: Any, is_non_singular: Any = None,
        is_self_adjoint: Any = None, is_positive_definite: Any = None,
        is_square: bool = True, assert_proper_shapes: bool = False,
        name: str | None = "LinearOperatorScaledIdentity",
    ) -> None:  # fmt: skip
        if not is_square:
            raise ValueError("A ScaledIdentity operator is always square.")
        self._multiplier = convert_to_tensor(multiplier, name="multiplier")
        super().__init__(
            self._multiplier.dtype, None, is_non_singular, is_self_adjoint,
            is_positive_definite, is_square, name,
        )  # fmt: skip
        self._assert_proper_shapes = assert_proper_shapes
        self._set_sizes(num_rows, None, None)

    multiplier = property(attrgetter("_multiplier"), doc="c, a tensor[...].")

    def _shape(self):
        return self._multiplier.shape.concatenate(self._known)

    def _shape_tensor(self):
        return concat([shape(self._multiplier), super()._shape_tensor()], 0)

    def _assert_non_singular(self):
        size = abs_of(self._multiplier)
        return assert_positive(size, message="LinearOperator was singular")

    def _assert_positive_definite(self):
        message = "LinearOperator was not positive definite."
        return assert_positive(real(self._multiplier), message=message)

    def _assert_self_adjoint(self):
        part = imag(self._multiplier)
        message = "LinearOperator was not self-adjoint"
        return assert_equal(zeros_like(part), part, message=message)

    def _factor(self, adjoint):
        c = conj(self._multiplier) if adjoint else self._multiplier
        return expand_dims(expand_dims(c, -1), -1)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = self._fitting(x, adjoint, adjoint_arg)
        return multiply(x, self._factor(adjoint))

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = self._fitting(rhs, adjoint, adjoint_arg)
        return realdiv(rhs, self._factor(adjoint))

    def _determinant(self):
        return pow(self._multiplier, cast(self._size(-1), self.dtype))

    def _log_abs_determinant(self):
        size = log(abs_of(self._multiplier))
        return multiply(size, cast(self._size(-1), size.dtype))

    def _trace(self):
        return multiply(self._multiplier, cast(self._size(-1), self.dtype))

    def _diag_part(self):
        one = ones(stack([self._size(-1)]), self.dtype)
        return multiply(expand_dims(self._multiplier, -1), one)

    def add_to_tensor(self, mat: Any, name: str | None = "add_to_tensor") -> Tensor:
        """A + mat; see LinearOperator."""
        with self._name_scope(name):
            mat = self._argument(mat, "mat", None, None)
            mat, _ = alike(mat, self._factor(False))
            more = expand_dims(self._multiplier, -1)
            return matrix_set_diag(mat, add(matrix_diag_part(mat), more))
