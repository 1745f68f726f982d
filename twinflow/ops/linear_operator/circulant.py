"""Operators of circulant matrices, which Fourier transforms make diagonal."""

import math
from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.core.complex import conj, imag, real
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import ones
from twinflow.ops.core.elementwise import abs as abs_of
from twinflow.ops.core.elementwise import log, multiply, realdiv
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import reduce_prod, reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.transposing import matrix_transpose
from twinflow.ops.debugging.checks import assert_less, assert_positive
from twinflow.ops.linear_operator.base import LinearOperator, shape_of
from twinflow.ops.linear_operator.batch import assert_no_zeros
from twinflow.ops.linear_operator.dense import assert_real
from twinflow.ops.matrix.diagonal import adjoint as adjoint_of
from twinflow.ops.signal.fourier import fft, fft2d, fft3d, ifft, ifft2d, ifft3d

_FORWARD = {1: fft, 2: fft2d, 3: fft3d}
_BACKWARD = {1: ifft, 2: ifft2d, 3: ifft3d}
_ALLOWED = (dtypes.float32, dtypes.complex64)

_DOC = """The operator of a {what} matrix A = F^H diag(spectrum) F.

    Args:
        spectrum: float32 or complex64[..., {sizes}], the Fourier transform of the
            first column of A{shaped}.
        input_output_dtype: the dtype of A; a float dtype takes the real part.
        is_non_singular, is_self_adjoint, is_positive_definite, name: see
            LinearOperator; a real spectrum makes A self-adjoint.
        is_square: True.
    Raises:
        TypeError: another dtype. ValueError: too few axes, or a wrong promise.
    Example:
        tf.linalg.{name}({example}
    """


class _Circulant(LinearOperator):
    block_depth = 1

    def __init__(
        self, spectrum: Any, input_output_dtype: Any = dtypes.complex64,
        is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: bool = True,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self._spectrum = spectrum = self._checked(spectrum)
        if not spectrum.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError(
                    "A real spectrum always corresponds to a self-adjoint operator."
                )
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("A [[nested] block] circulant operator is always square.")
        super().__init__(
            input_output_dtype, [spectrum], is_non_singular, is_self_adjoint,
            is_positive_definite, True, name or type(self).__name__,
        )  # fmt: skip
        self._complex = cast(spectrum, dtypes.complex64)

    def _checked(self, spectrum):
        spectrum = convert_to_tensor(spectrum, name="spectrum")
        if spectrum.dtype not in _ALLOWED:
            names = [d.name for d in _ALLOWED]
            raise TypeError(
                f"Argument spectrum must have dtype in {names}.  Found: "
                f"{spectrum.dtype.name}"
            )
        s = spectrum._shape
        if s is not None and len(s) < self.block_depth:
            raise ValueError(
                f"Argument spectrum must have at least {self.block_depth} dimensions. "
                f" Found: {spectrum}"
            )
        return spectrum

    # ------------------------------------------------------------------ shapes
    spectrum = property(
        attrgetter("_spectrum"), doc="The eigenvalues, a tensor[..., *block_shape]."
    )

    @property
    def block_shape(self) -> TensorShape:
        """The TensorShape of the axes that are transformed."""
        return self._spectrum.shape[-self.block_depth :]

    def block_shape_tensor(self) -> Tensor:
        """The same as an int32 vector."""
        return shape(self._spectrum)[-self.block_depth :]

    def _shape(self):
        s = self._spectrum._shape
        if s is None:
            return shape_of(None)
        block = s[-self.block_depth :]
        n = None if None in block else math.prod(block)
        return shape_of((*s[: -self.block_depth], n, n))

    def _shape_tensor(self):
        s = shape(self._spectrum)
        n = reduce_prod(s[-self.block_depth :])
        return concat([s[: -self.block_depth], stack([n, n])], 0)

    def _axes(self):
        return list(range(-self.block_depth, 0))

    # ------------------------------------------------------------------ products
    def _filtered(self, x, function):
        """Transform the columns of `x`, apply `function`, and transform back."""
        rows = cast(matrix_transpose(x), dtypes.complex64)
        block = self.block_shape
        whole = x.shape.is_fully_defined() and block.is_fully_defined()
        if whole:
            lead = rows._shape[:-1]
            blocks = reshape(rows, [*lead, *block.as_list()])
        else:
            lead = shape(rows)[:-1]
            blocks = reshape(rows, concat([lead, self.block_shape_tensor()], 0))
        depth = self.block_depth
        y = _BACKWARD[depth](function(_FORWARD[depth](blocks)))
        if whole:
            flat = reshape(y, [*y._shape[:-depth], math.prod(block.as_list())])
        else:
            n = stack([self._size(-1)])
            flat = reshape(y, concat([shape(y)[:-depth], n], 0))
        return cast(matrix_transpose(flat), self.dtype)

    def _factor(self, adjoint):
        """The spectrum, with an axis for the columns of an argument."""
        values = conj(self._complex) if adjoint else self._complex
        return expand_dims(values, -self.block_depth - 1)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = adjoint_of(x) if adjoint_arg else x
        return self._filtered(x, lambda z: multiply(z, self._factor(adjoint)))

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = adjoint_of(rhs) if adjoint_arg else rhs
        return self._filtered(rhs, lambda z: realdiv(z, self._factor(adjoint)))

    def convolution_kernel(self, name: str | None = "convolution_kernel") -> Any:
        """The first column of A, in the form of the spectrum."""
        with self._name_scope(name):
            return cast(_BACKWARD[self.block_depth](self._complex), self.dtype)

    # ------------------------------------------------------------------ numbers
    def _determinant(self):
        return cast(reduce_prod(self._spectrum, self._axes()), self.dtype)

    def _log_abs_determinant(self):
        total = reduce_sum(log(abs_of(self._spectrum)), self._axes())
        return cast(total, self.dtype)

    def _trace(self):
        values = self._spectrum
        if values.dtype.is_complex and not self.dtype.is_complex:
            values = real(values)
        return cast(reduce_sum(values, self._axes()), self.dtype)

    def _diag_part(self):
        n = self._size(-1)
        mean = realdiv(self.trace(), cast(n, self.dtype))
        one = ones(stack([n]), self.dtype)
        return multiply(expand_dims(mean, -1), one)

    # ------------------------------------------------------------------ checks
    def assert_hermitian_spectrum(
        self, name: str | None = "assert_hermitian_spectrum"
    ) -> Any:
        """An op that fails where the matrix is not real up to rounding."""
        with self._name_scope(name):
            kernel = _BACKWARD[self.block_depth](self._complex)
            size = abs_of(imag(kernel))
            eps = float(np.finfo(np.float32).eps)
            limit = multiply(cast(self._size(-1), dtypes.float32), constant(eps))
            return assert_less(size, limit, message="Spectrum was not Hermitian")

    def _assert_non_singular(self):
        return assert_no_zeros(
            self._spectrum, "Singular operator:  Spectrum contained zero values."
        )

    def _assert_positive_definite(self):
        return assert_positive(
            real(self._spectrum),
            message="Not positive definite:  Real part of spectrum was not all "
            "positive.",
        )

    def _assert_self_adjoint(self):
        return assert_real(
            self._spectrum,
            "Not self-adjoint:  The spectrum contained non-zero imaginary part.",
        )


def _kind(name, depth, what, sizes, shaped, example):
    doc = _DOC.format(what=what, sizes=sizes, shaped=shaped, name=name, example=example)
    return type(
        name, (_Circulant,),
        {"block_depth": depth, "__doc__": doc, "__module__": __name__},
    )  # fmt: skip


LinearOperatorCirculant = _kind(
    "LinearOperatorCirculant",
    1,
    "circulant",
    "N",
    "",
    "[1., 2., 3.]).trace()  # 6+0j",
)
LinearOperatorCirculant2D = _kind(
    "LinearOperatorCirculant2D", 2, "block circulant", "M, N",
    " in rows of N", "tf.ones([2, 2])).trace()  # 4+0j",
)  # fmt: skip
LinearOperatorCirculant3D = _kind(
    "LinearOperatorCirculant3D", 3, "nested block circulant", "L, M, N",
    " in blocks of rows of N", "tf.ones([2, 2, 2])).trace()  # 8+0j",
)  # fmt: skip
