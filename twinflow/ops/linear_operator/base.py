"""Matrices that are known by what they do: the class that all of them derive from."""

import contextlib
from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.dimension import Dimension
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor, TensorLike
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.elementwise import add, exp, log, realdiv
from twinflow.ops.core.reduction import reduce_max, reduce_min, reduce_sum
from twinflow.ops.core.shape import expand_dims, squeeze
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import assert_equal, assert_less, assert_positive
from twinflow.ops.linear_operator.batch import alike
from twinflow.ops.matrix.cholesky import cholesky, cholesky_solve
from twinflow.ops.matrix.diagonal import adjoint as adjoint_of
from twinflow.ops.matrix.diagonal import eye, matrix_diag_part
from twinflow.ops.matrix.inverse import matrix_determinant, slogdet
from twinflow.ops.matrix.solve import matrix_solve
from twinflow.ops.matrix.svd import svd

_NOT_SQUARE = "{} not implemented for an operator that is expected to not be square."


class LinearOperator:
    """A batch of matrices A of shape [..., M, N].

    A subclass says `_shape()`, `_shape_tensor()` and `_matmul(x, adjoint, adjoint_arg)`
    and overrides whatever it can do better than by its dense matrix. Batch axes of
    operators and arguments are broadcast.

    Args:
        dtype: the DType of the matrix, and of all arguments.
        graph_parents: the tensors that it is made of.
        is_non_singular, is_self_adjoint, is_positive_definite, is_square: what the
            caller promises; None promises nothing. Positive definite implies
            non-singular, and both that and self-adjoint imply square.
        name: the scope of the operator's ops.
    Raises:
        ValueError: the promises contradict each other, or a parent is not a tensor.
    """

    def __init__(
        self, dtype: DTypeValue, graph_parents: Any = None, is_non_singular: Any = None,
        is_self_adjoint: Any = None, is_positive_definite: Any = None,
        is_square: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        for kind, hint in ("non-singular", is_non_singular), (
            "self-adjoint", is_self_adjoint,
        ):  # fmt: skip
            if hint and is_square is False:
                raise ValueError(f"A {kind} matrix is always square.")
            is_square = True if hint else is_square
        graph_parents = list(graph_parents or [])
        for i, t in enumerate(graph_parents):
            if not isinstance(t, Tensor | TensorLike):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {t}.")
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._graph_parents = graph_parents
        self._is_non_singular, self._is_self_adjoint = is_non_singular, is_self_adjoint
        self._is_positive_definite = is_positive_definite
        self._square_hint = is_square
        self._name = name or type(self).__name__

    @contextlib.contextmanager
    def _name_scope(self, name=None):
        mode = dispatch.current_mode()
        with mode.name_scope(self.name), mode.name_scope(name) as scope:
            yield scope

    # ------------------------------------------------------------------ facts
    dtype = property(attrgetter("_dtype"), doc="The DType of the matrix.")
    name = property(attrgetter("_name"), doc="The scope of the operator's ops.")
    graph_parents = property(
        attrgetter("_graph_parents"), doc="The tensors that it is made of."
    )
    is_non_singular = property(
        attrgetter("_is_non_singular"),
        doc="Whether the matrices have inverses; None if that is not known.",
    )
    is_self_adjoint = property(
        attrgetter("_is_self_adjoint"),
        doc="Whether A^H = A; None if that is not known.",
    )
    is_positive_definite = property(
        attrgetter("_is_positive_definite"),
        doc="Whether x^H A x > 0 for all x but 0; None if that is not known.",
    )

    @property
    def is_square(self) -> bool:
        """Whether M = N; None if that is not known."""
        same = self.domain_dimension == self.range_dimension
        if self._square_hint is False and same:
            raise ValueError(
                "User set is_square hint to False, but the operator was square."
            )
        return same if self._square_hint is None else self._square_hint

    # ------------------------------------------------------------------ shapes
    @property
    def shape(self) -> TensorShape:
        """The TensorShape [..., M, N], as far as it is known."""
        return self._shape()

    def shape_tensor(self, name: str | None = "shape_tensor") -> Tensor:
        """The shape as int32[rank]."""
        with self._name_scope(name):
            if self.shape.is_fully_defined():
                return constant(self.shape.as_list(), dtypes.int32)
            return self._shape_tensor()

    @property
    def batch_shape(self) -> TensorShape:
        """The TensorShape of the leading axes."""
        return self.shape[:-2]

    def batch_shape_tensor(self, name: str | None = "batch_shape_tensor") -> Tensor:
        """The leading axes as int32[rank - 2]."""
        with self._name_scope(name):
            if self.batch_shape.is_fully_defined():
                return constant(self.batch_shape.as_list(), dtypes.int32)
            return self.shape_tensor()[:-2]

    tensor_rank = property(
        attrgetter("shape.ndims"),
        doc="The number of axes of the matrix, None if it is not known.",
    )

    def tensor_rank_tensor(self, name: str | None = "tensor_rank_tensor") -> Tensor:
        """The number of axes of the matrix as an int32 scalar."""
        with self._name_scope(name):
            if self.tensor_rank is not None:
                return constant(self.tensor_rank)
            return size(self.shape_tensor())

    @property
    def domain_dimension(self) -> Dimension:
        """The Dimension N."""
        return self.shape[-1]

    def domain_dimension_tensor(
        self, name: str | None = "domain_dimension_tensor"
    ) -> Tensor:
        """N as an int32 scalar."""
        with self._name_scope(name):
            return constant(self._size(-1)) if known(self, -1) else self._size(-1)

    @property
    def range_dimension(self) -> Dimension:
        """The Dimension M."""
        return self.shape[-2]

    def range_dimension_tensor(
        self, name: str | None = "range_dimension_tensor"
    ) -> Tensor:
        """M as an int32 scalar."""
        with self._name_scope(name):
            return constant(self._size(-2)) if known(self, -2) else self._size(-2)

    def _size(self, axis):
        """A size: an int where it is known, else a scalar tensor."""
        found = self.shape[axis].value
        return self.shape_tensor()[axis] if found is None else found

    def _batch(self):
        """The leading axes: ints where all are known, else a tensor."""
        found = self.batch_shape
        if found.is_fully_defined():
            return found.as_list()
        return self.batch_shape_tensor()

    # ------------------------------------------------------------------ products
    def _argument(self, x, name, own, axis):
        """An argument as a tensor whose `axis` fits the size `own` of the operator."""
        x = convert_to_tensor(x, name=name)
        if x.dtype.base_dtype is not self.dtype:
            raise TypeError(
                f"Expected argument to have dtype {self.dtype!r}.  Found: {x.dtype!r} "
                f"in tensor {x}"
            )
        if axis is not None and x.shape.ndims is not None:
            self.shape[own].assert_is_compatible_with(x.shape[axis])
        return x

    def matmul(
        self, x: TensorValue, adjoint: bool = False, adjoint_arg: bool = False,
        name: str | None = "matmul",
    ) -> Tensor:  # fmt: skip
        """A @ x, for x: dtype[..., N, k].

        Args:
            x: a tensor. adjoint: use A^H instead of A.
            adjoint_arg: use x^H instead of x. name: the scope of the ops.
        Returns:
            dtype[..., M, k]
        Raises:
            TypeError: another dtype. ValueError: the sizes do not fit.
        """
        with self._name_scope(name):
            own, axis = -2 if adjoint else -1, -1 if adjoint_arg else -2
            x = self._argument(x, "x", own, axis)
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def matvec(
        self, x: TensorValue, adjoint: bool = False, name: str | None = "matvec"
    ) -> Tensor:
        """A @ x for vectors x: dtype[..., N]; see `matmul`."""
        with self._name_scope(name):
            x = self._argument(x, "x", -2 if adjoint else -1, -1)
            return self._matvec(x, adjoint=adjoint)

    def _matvec(self, x, adjoint=False):
        return squeeze(self.matmul(expand_dims(x, -1), adjoint=adjoint), [-1])

    # ------------------------------------------------------------------ systems
    def solve(
        self, rhs: TensorValue, adjoint: bool = False, adjoint_arg: bool = False,
        name: str | None = "solve",
    ) -> Tensor:  # fmt: skip
        """The x of A @ x = rhs, for rhs: dtype[..., M, k].

        Args:
            rhs: a tensor. adjoint: use A^H instead of A.
            adjoint_arg: use rhs^H instead of rhs. name: the scope of the ops.
        Returns:
            dtype[..., N, k]
        Raises:
            NotImplementedError: A is said to be singular, or is not square.
            TypeError: another dtype. ValueError: the sizes do not fit.
            InvalidArgumentError: A is singular.
        """
        if self.is_non_singular is False:
            raise NotImplementedError(
                "Exact solve not implemented for an operator that is expected to be "
                "singular."
            )
        if self.is_square is False:
            raise NotImplementedError(_NOT_SQUARE.format("Exact solve"))
        with self._name_scope(name):
            own, axis = -1 if adjoint else -2, -1 if adjoint_arg else -2
            rhs = self._argument(rhs, "rhs", own, axis)
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = adjoint_of(rhs) if adjoint_arg else rhs
        if self._can_use_cholesky():
            return cholesky_solve(*alike(cholesky(self.to_dense()), rhs))
        return matrix_solve(*alike(self.to_dense(), rhs), adjoint=adjoint)

    def solvevec(
        self, rhs: TensorValue, adjoint: bool = False, name: str | None = "solve"
    ) -> Tensor:
        """The x of A @ x = rhs for vectors rhs: dtype[..., M]; see `solve`."""
        with self._name_scope(name):
            rhs = self._argument(rhs, "rhs", -1 if adjoint else -2, -1)
            return self._solvevec(rhs, adjoint=adjoint)

    def _solvevec(self, rhs, adjoint=False):
        return squeeze(self.solve(expand_dims(rhs, -1), adjoint=adjoint), [-1])

    # ------------------------------------------------------------------ numbers
    def determinant(self, name: str | None = "det") -> Tensor:
        """The determinants, dtype[...].

        Raises:
            NotImplementedError: A is not square.
        """
        if self.is_square is False:
            raise NotImplementedError(_NOT_SQUARE.format("Determinant"))
        with self._name_scope(name):
            return self._determinant()

    def _determinant(self):
        if self._can_use_cholesky():
            return exp(self.log_abs_determinant())
        return matrix_determinant(self.to_dense())

    def log_abs_determinant(self, name: str | None = "log_abs_det") -> Tensor:
        """log |det A|, dtype[...].

        Raises:
            NotImplementedError: A is not square.
        """
        if self.is_square is False:
            raise NotImplementedError(_NOT_SQUARE.format("Determinant"))
        with self._name_scope(name):
            return self._log_abs_determinant()

    def _log_abs_determinant(self):
        if self._can_use_cholesky():
            root = matrix_diag_part(cholesky(self.to_dense()))
            return reduce_sum(log(root), [-1]) * 2.0
        return slogdet(self.to_dense()).log_abs_determinant

    def trace(self, name: str | None = "trace") -> Tensor:
        """The sums of the diagonals, dtype[...]."""
        with self._name_scope(name):
            return self._trace()

    def _trace(self):
        return reduce_sum(self.diag_part(), [-1])

    # ------------------------------------------------------------------ entries
    def to_dense(self, name: str | None = "to_dense") -> Tensor:
        """The matrices, dtype[..., M, N]."""
        with self._name_scope(name):
            return self._to_dense()

    def _to_dense(self):
        return self.matmul(eye(self._size(-1), None, self._batch(), self.dtype))

    def diag_part(self, name: str | None = "diag_part") -> Tensor:
        """The diagonals, dtype[..., min(M, N)]."""
        with self._name_scope(name):
            return self._diag_part()

    def _diag_part(self):
        return matrix_diag_part(self.to_dense())

    def add_to_tensor(
        self, x: TensorValue, name: str | None = "add_to_tensor"
    ) -> Tensor:
        """A + x, for x: dtype[..., M, N].

        Raises:
            TypeError: another dtype.
        """
        with self._name_scope(name):
            return self._add_to_tensor(self._argument(x, "x", None, None))

    def _add_to_tensor(self, x):
        return add(self.to_dense(), x)

    # ------------------------------------------------------------------ checks
    def assert_non_singular(self, name: str | None = "assert_non_singular") -> Any:
        """An op that fails where A is singular up to rounding.

        The condition number must be less than 1 / (max(100, M, N) eps).
        """
        with self._name_scope(name):
            return self._assert_non_singular()

    def _assert_non_singular(self):
        if self._can_use_cholesky():
            return self.assert_positive_definite()
        s = svd(self.to_dense(), compute_uv=False)
        eps = float(np.finfo(self.dtype.np).eps)
        sizes = [n for n in (self.shape[-1].value, self.shape[-2].value) if n]
        limit = constant(1.0 / (max(100, *sizes) * eps), s.dtype)
        return assert_less(
            realdiv(reduce_max(s, -1), reduce_min(s, -1)), limit,
            message="Singular matrix up to precision epsilon.",
        )  # fmt: skip

    def assert_positive_definite(
        self, name: str | None = "assert_positive_definite"
    ) -> Any:
        """An op that fails where A is not positive definite.

        Raises:
            NotImplementedError: A is not said to be self-adjoint.
        """
        with self._name_scope(name):
            return self._assert_positive_definite()

    def _assert_positive_definite(self):
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite is not implemented.")
        return assert_positive(
            matrix_diag_part(cholesky(self.to_dense())),
            message="Matrix was not positive definite.",
        )

    def assert_self_adjoint(self, name: str | None = "assert_self_adjoint") -> Any:
        """An op that fails where A is not exactly its adjoint."""
        with self._name_scope(name):
            return self._assert_self_adjoint()

    def _assert_self_adjoint(self):
        dense = self.to_dense()
        message = "Matrix was not equal to its adjoint."
        return assert_equal(dense, adjoint_of(dense), message=message)

    def _can_use_cholesky(self):
        real = not self.dtype.is_complex
        return real and self.is_self_adjoint and self.is_positive_definite


def known(operator, axis):
    """Whether a size of the operator is known."""
    return operator.shape[axis].value is not None


def shape_of(dims):
    """A TensorShape from a tuple of sizes, or None."""
    return TensorShape(None if dims is None else list(dims))
