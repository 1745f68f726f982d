"""The exponential and the logarithm of square matrices."""

import math

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import shape
from twinflow.ops.matrix.diagonal import adjoint
from twinflow.ops.matrix.inverse import MATRIX, square

# The coefficients of the Pade approximant of order 13, highest power first, and the
# 1-norm up to which it is exact in float64.
_PADE = (
    1.0, 182.0, 16380.0, 960960.0, 40840800.0, 1323241920.0, 33522128640.0,
    670442572800.0, 10559470521600.0, 129060195264000.0, 1187353796428800.0,
    7771770303897600.0, 32382376266240000.0, 64764752532480000.0,
)  # fmt: skip
_LARGEST_NORM = 5.371920351148152


# ------------------------------------------------------------------ exponential
def pade(xp, a):
    """exp(a / 2^k) for each matrix, and k, so that the approximant is exact.

    Reference: Higham, The scaling and squaring method for the matrix exponential
    revisited, 2005.
    """
    norm = xp.abs(a).sum(-2).max(-1, initial=0)
    norm = xp.where(norm > _LARGEST_NORM, norm, _LARGEST_NORM)
    squarings = xp.ceil(xp.log2(norm / _LARGEST_NORM))
    squarings = xp.where(xp.isfinite(squarings), squarings, 0)
    b = a * xp.exp2(-squarings).astype(a.dtype)[..., None, None]
    return _rational(xp, b), squarings.astype(np.int32)


def _rational(xp, b):
    """p(-b)^-1 p(b): the odd powers are in u, the even ones in v."""
    c = [np.asarray(x / _PADE[-1], b.dtype) for x in reversed(_PADE)]
    one = np.eye(b.shape[-1], dtype=b.dtype)
    b2 = b @ b
    b4 = b2 @ b2
    b6 = b4 @ b2
    u = b6 @ (c[13] * b6 + c[11] * b4 + c[9] * b2)
    u = b @ (u + c[7] * b6 + c[5] * b4 + c[3] * b2 + c[1] * one)
    v = b6 @ (c[12] * b6 + c[10] * b4 + c[8] * b2)
    v = v + c[6] * b6 + c[4] * b4 + c[2] * b2 + c[0] * one
    return xp.linalg.solve(v - u, v + u)


def _exponential(input):
    y, squarings = pade(np, input)
    for i in range(int(squarings.max(initial=0))):
        y = np.where((i < squarings)[..., None, None], y @ y, y)
    return y


@bind_first
def _exponential_in_xla(jax, input):
    jnp = jax.numpy
    y, squarings = pade(jnp, input)

    def step(state):
        i, y = state
        return i + 1, jnp.where((i < squarings)[..., None, None], y @ y, y)

    most = squarings.max(initial=0)
    return jax.lax.while_loop(lambda state: state[0] < most, step, (0, y))[1]


def _of_block(op, a, d):
    """The derivative of a matrix function at a^H in the direction d.

    f([[x, d], [0, x]]) = [[f(x), f'(x) d], [0, f(x)]]
    """
    x = adjoint(a)
    top, bottom = concat([x, d], -1), concat([zeros_like(x), x], -1)
    n = a._shape[-1] if a._shape is not None else None
    n = shape(a)[-1] if n is None else n
    return apply(op, (concat([top, bottom], -2),))[..., :n, n:]


MatrixExponential = define(
    "MatrixExponential",
    infer=square,
    kernel=quiet(lambda xp: _exponential),
    lower=_exponential_in_xla,
    grad=[lambda dy, input: _of_block(MatrixExponential, input, dy)],
)


def matrix_exponential(input: TensorValue, name: str | None = None) -> Tensor:
    """exp(A) = sum over n of A^n / n!, for square matrices.

    Args:
        input: float or complex[..., n, n]. name: the name of the node in a graph.
    Returns:
        a tensor like `input`
    Raises:
        ValueError: another dtype, or (graph) not square.
        InvalidArgumentError: (eager) not square.
    Example:
        tf.linalg.expm([[0., 1.], [0., 0.]])  # [[1., 1.], [0., 1.]]
    """
    matrix = convert_to_tensor(input, name="input")
    if matrix.dtype not in MATRIX:
        raise ValueError(
            f"tf.linalg.expm does not support matrices of type {matrix.dtype!r}"
        )
    return apply(MatrixExponential, (matrix,), None, name)


# ------------------------------------------------------------------ logarithm
_ROOTS = 60  # square roots taken at most; each halves the logarithm
_CLOSE = 0.2  # how near the identity the quadrature wants its matrix
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


def _square_root(a):
    """The principal square root by the product form of Denman and Beavers.

    Reference: Higham, Functions of matrices, 2008, equation 6.29.
    """
    m, x = a, a
    one = np.eye(a.shape[-1], dtype=a.dtype)
    for _ in range(50):
        if np.abs(m - one).sum(-1).max() <= 4 * len(a) * np.finfo(a.dtype).eps:
            break
        inverse = np.linalg.inv(m)
        x = x @ (one + inverse) / 2
        m = (one + (m + inverse) / 2) / 2
    return x


def _one_logarithm(a):
    """2^k log(a^(1/2^k)), by Gauss's quadrature of the integral of log."""
    one = np.eye(len(a), dtype=a.dtype)
    k = 0
    while k < _ROOTS and np.abs(a - one).sum(0).max(initial=0) > _CLOSE:
        a, k = _square_root(a), k + 1
    x = a - one
    parts = [
        w / 2 * np.linalg.solve(one + (t + 1) / 2 * x, x)
        for t, w in zip(_NODES, _WEIGHTS, strict=True)
    ]
    return sum(parts) * 2**k


def _logarithm(input):
    n = input.shape[-1]
    out = np.empty_like(input)
    many = math.prod(input.shape[:-2])
    flat, found = (a.reshape(many, n, n) for a in (input, out))
    for i, a in enumerate(flat):
        try:
            found[i] = _one_logarithm(a.astype(np.complex128))
        except np.linalg.LinAlgError:
            found[i] = complex(np.nan, np.nan)
    return out


MatrixLogarithm = define(
    "MatrixLogarithm",
    infer=square,
    host=_logarithm,
    grad=[lambda dy, input: _of_block(MatrixLogarithm, input, dy)],
)


def matrix_logarithm(input: TensorValue, name: str | None = None) -> Tensor:
    """The principal logarithm of square matrices: exp(log(A)) = A.

    Args:
        input: complex[..., n, n] without eigenvalues on the negative real axis.
        name: the name of the node in a graph.
    Returns:
        a tensor like `input`, NaN for singular matrices
    Raises:
        TypeError: the input is not complex.
        InvalidArgumentError (eager) or ValueError (graph): not square.
    Example:
        tf.linalg.logm(tf.constant([[1.0 + 0j]]))  # [[0j]]
    """
    return apply(MatrixLogarithm, (input,), None, name)
