"""Inverses and determinants of square matrices."""

from typing import Any, NamedTuple

import numpy as np

from twinflow.base import dtypes, lapack
from twinflow.base.dispatch import apply
from twinflow.base.errors import InvalidArgumentError
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.complex import conjugated
from twinflow.ops.core.elementwise import multiply, negative
from twinflow.ops.core.infer import same_dim
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.matrix.diagonal import matrices

MATRIX = frozenset(
    (dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128)
)


# ------------------------------------------------------------------ shapes
def square(input, **_):
    """The shape of square matrices, one unknown side filled in by the other."""
    return square_as(input, "Input matrix must be square.")


def square_as(x, message):
    s = matrices(x)
    if s is None:
        return None
    return (*s[:-2], *(same_dim(*s[-2:], message),) * 2)


# ------------------------------------------------------------------ inverse
def adjoint_of(xp, a):
    """The conjugate transpose of an array of matrices."""
    a = xp.swapaxes(a, -1, -2)
    return xp.conj(a) if a.dtype.kind == "c" else a


def refuse(message):
    """The error of a kernel that finds out itself that its input is not valid."""
    return InvalidArgumentError(None, None, message)


def _is_regular(xp, a):
    """Whether no matrix has a zero (or NaN) pivot."""
    return xp.all(xp.abs(xp.linalg.slogdet(a)[0]) > 0)


def or_refuse(ours, function, message):
    """A NumPy kernel that refuses singular matrices and NaNs as TensorFlow does."""

    def kernel(a, *rest, adjoint):
        try:
            y = ours(a, *rest, adjoint)
            if y is None:
                y = function(adjoint_of(np, a) if adjoint else a, *rest)
        except np.linalg.LinAlgError:
            raise refuse(message) from None
        if np.isnan(y).any() and np.isnan(a).any():
            raise refuse(message)
        return y

    return kernel


def _inverse_kernel(xp):
    if xp is np:
        return or_refuse(lapack.inverse, np.linalg.inv, "Input is not invertible.")

    def kernel(input, adjoint):
        return xp.linalg.inv(adjoint_of(xp, input) if adjoint else input)

    return kernel


@bind_first
def guard_regular(xp, a, *_, adjoint):
    return _is_regular(xp, adjoint_of(xp, a) if adjoint else a)


def _inverse_grad(dy, output, adjoint):
    if adjoint:
        return negative(matmul(output, matmul(dy, output, adjoint_a=True)))
    return negative(matmul(output, matmul(dy, output, adjoint_b=True), adjoint_a=True))


MatrixInverse = define(
    "MatrixInverse",
    infer=square,
    kernel=quiet(_inverse_kernel),
    guard=guard_regular,
    grad=[_inverse_grad],
)


def matrix_inverse(
    input: TensorValue, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """The inverses of square matrices.

    Args:
        input: float or complex[..., n, n].
        adjoint: invert the conjugate transpose instead.
        name: the name of the node in a graph.
    Returns:
        a tensor like `input`
    Raises:
        InvalidArgumentError: a matrix is singular, or (eager) not square.
        ValueError: (graph) the matrices are not square.
    Example:
        tf.matrix_inverse([[2., 0.], [0., 4.]])  # [[0.5, 0.], [0., 0.25]]
    """
    return apply(MatrixInverse, (input,), {"adjoint": bool(adjoint)}, name)


# ------------------------------------------------------------------ determinants
def _scaled_inverse(factor, input):
    """`factor`, one number a matrix, times the adjoint of the inverses."""
    factor = expand_dims(expand_dims(factor, -1), -1)
    return multiply(factor, matrix_inverse(input, adjoint=True))


def _infer_determinant(input):
    s = square_as(input, "Input matrix must be square.")
    return None if s is None else s[:-2]


@bind_first
def _determinant_kernel(xp, input):
    found = lapack.determinants(input) if xp is np else None
    return xp.linalg.det(input) if found is None else found[0]


MatrixDeterminant = define(
    "MatrixDeterminant",
    infer=_infer_determinant,
    kernel=quiet(_determinant_kernel),
    grad=[
        lambda dy, input, output: _scaled_inverse(
            multiply(dy, conjugated(output)), input
        )
    ],
)


def matrix_determinant(input: TensorValue, name: str | None = None) -> Tensor:
    """The determinants of square matrices.

    Args:
        input: float or complex[..., n, n]. name: the name of the node in a graph.
    Returns:
        a tensor[...] of the dtype of `input`
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): not square.
    Example:
        tf.matrix_determinant([[2., 0.], [0., 3.]])  # 6.
    """
    return apply(MatrixDeterminant, (input,), None, name)


@bind_first
def _slogdet_kernel(xp, input):
    found = lapack.determinants(input) if xp is np else None
    if found is not None:
        return found[1:]
    sign, size = xp.linalg.slogdet(input)
    return sign, size.astype(input.dtype)


LogMatrixDeterminant = define(
    "LogMatrixDeterminant",
    infer=lambda input: [_infer_determinant(input)] * 2,
    kernel=quiet(_slogdet_kernel),
    grad=[
        lambda d_log_abs_determinant, input: _scaled_inverse(
            d_log_abs_determinant, input
        )
    ],
)


class LogDeterminant(NamedTuple):
    """What `slogdet` gives."""

    sign: Any
    log_abs_determinant: Any


def slogdet(input: TensorValue, name: str | None = None) -> LogDeterminant:
    """The signs of determinants, and the logarithms of their sizes.

    determinant = sign * exp(log_abs_determinant)

    Args:
        input: float or complex[..., n, n]. name: the name of the node in a graph.
    Returns:
        (sign, log_abs_determinant), tensors[...] of the dtype of `input`; 0 and -inf
        for singular matrices. The sign has no gradient.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): not square.
    Example:
        tf.linalg.slogdet([[0., 1.], [1., 0.]])  # -1., 0.
    """
    return LogDeterminant(*apply(LogMatrixDeterminant, (input,), None, name))
