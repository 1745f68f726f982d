"""Eigenvalues and eigenvectors of self-adjoint matrices."""

from typing import Any

import numpy as np

from twinflow.base import lapack
from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.complex import real, with_zero_imag
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import add, multiply, reciprocal, subtract
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.matrix.band import matrix_band_part
from twinflow.ops.matrix.diagonal import (
    adjoint,
    matrix_diag,
    matrix_diag_part,
    matrix_set_diag,
)
from twinflow.ops.matrix.inverse import MATRIX, refuse, square

_NO_EIGENVALUES = (
    "Self-adjoint eigen decomposition was not successful. The input might not be valid."
)


def _infer_eigh(input, compute_v):
    s = square(input)
    if s is None:
        return [None, None if compute_v else (0,)]
    return [s[:-1], s if compute_v else (0,)]


def steady_signs(xp, v):
    """1 or -1 for each column of v, which change with v's own sign.

    LAPACK's signs hang on rounding: of random float32 matrices 3 in 100 came out
    otherwise in XLA than in NumPy. These are those of a sum with weights that no matrix
    is likely to be orthogonal to.
    """
    weights = 0.5 + np.arange(1, v.shape[-2] + 1) * 0.6180339887 % 1
    of_complex = v.dtype.kind == "c"
    parts = v.real + v.imag * 0.75487766 if of_complex else v
    total = weights.astype(parts.dtype) @ parts
    return xp.where(total < 0, -1, 1).astype(v.dtype)[..., None, :]


def _eigh_kernel(xp):
    eigh, eigvalsh = (_eigh_checked, _eigvalsh_checked) if xp is np else (
        lambda a: xp.linalg.eigh(a, symmetrize_input=False),
        lambda a: xp.linalg.eigvalsh(a, symmetrize_input=False),
    )  # fmt: skip

    def kernel(input, compute_v):
        if not compute_v:
            return eigvalsh(input).astype(input.dtype), xp.zeros(0, input.dtype)
        e, v = eigh(input)
        return e.astype(input.dtype), v * steady_signs(xp, v)

    return kernel


def _eigh_checked(a):
    return _checked(np.linalg.eigh, a, True)


def _eigvalsh_checked(a):
    return _checked(np.linalg.eigvalsh, a, False)


def _checked(function, a, vectors):
    """Give LAPACK what it may take: of NaN it makes numbers."""
    if not np.isfinite(a).all() and not np.isfinite(np.tril(a)).all():
        raise refuse(_NO_EIGENVALUES)
    try:
        found = lapack.eigh(a, vectors)
        return function(a) if found is None else found
    except np.linalg.LinAlgError:
        raise refuse(_NO_EIGENVALUES) from None


def _guard_eigh(xp):
    return lambda input, compute_v: xp.all(xp.isfinite(xp.tril(input)))


def inverse_gaps(x):
    """1 / (x_j - x_i), and 0 on the diagonal."""
    gaps = subtract(expand_dims(x, -2), expand_dims(x, -1))
    ones_there = matrix_set_diag(gaps, add(zeros_like(x), 1.0))
    return matrix_set_diag(reciprocal(ones_there), zeros_like(x))


def real_part(x):
    """The real part in the dtype of `x`: what is real takes only real steps."""
    return with_zero_imag(real(x)) if x.dtype.is_complex else x


def _eigh_grad(d_e, d_v, input, e, v, compute_v):
    """V (dE + f o V^H dV) V^H with f_ij = 1 / (e_j - e_i), of the lower triangle.

    Reference: Giles, An extended collection of matrix derivative results, 2008, 3.1.
    """
    if not compute_v:
        v = _eigh(input, True)[1]
    inner = zeros_like(v) if d_e is None else matrix_diag(real_part(d_e))
    if compute_v and d_v is not None:
        turn = matmul(v, d_v, adjoint_a=True)
        inner = add(inner, multiply(inverse_gaps(e), turn))
    total = matmul(v, matmul(inner, v, adjoint_b=True))
    low = matrix_band_part(add(total, adjoint(total)), -1, 0)
    return (matrix_set_diag(low, multiply(matrix_diag_part(low), 0.5)),)


SelfAdjointEigV2 = define(
    "SelfAdjointEigV2",
    infer=_infer_eigh,
    kernel=quiet(_eigh_kernel),
    guard=_guard_eigh,
    grad=_eigh_grad,
    none_ok=True,
)


def _eigh(tensor, compute_v, name=None):
    return apply(SelfAdjointEigV2, (tensor,), {"compute_v": compute_v}, name)


def self_adjoint_eig(tensor: TensorValue, name: str | None = None) -> tuple[Any, ...]:
    """The eigenvalues and eigenvectors of self-adjoint matrices.

    tensor @ v = v @ diag(e)

    Args:
        tensor: float or complex[..., n, n]; only the lower triangle is read.
        name: the name of the node in a graph.
    Returns:
        (e, v): tensors[..., n] in rising order and [..., n, n] of the dtype of
        `tensor`; the eigenvectors are the columns of v, their signs are free.
    Raises:
        InvalidArgumentError: the input has NaN or inf in it, or (eager) is not square.
        ValueError: (graph) the matrices are not square.
    Example:
        e, v = tf.self_adjoint_eig([[2., 0.], [0., 1.]])
        e  # [1., 2.]
    """
    return tuple(_eigh(tensor, True, name))


def self_adjoint_eigvals(tensor: TensorValue, name: str | None = None) -> Tensor:
    """The eigenvalues of self-adjoint matrices; see `self_adjoint_eig`."""
    return _eigh(tensor, False, name)[0]


# ------------------------------------------------------------------ the older form
def _infer_eig(input):
    s = square(input)
    if s is None:
        return None
    n = s[-1]
    return (*s[:-2], None if n is None else n + 1, n)


def _eig_kernel(xp):
    eigh = _eigh_kernel(xp)

    def kernel(input):
        e, v = eigh(input, True)
        return xp.concatenate([e[..., None, :], v], -2)

    return kernel


SelfAdjointEig = define(
    "SelfAdjointEig",
    infer=_infer_eig,
    kernel=quiet(_eig_kernel),
    types=MATRIX,
    guard=lambda xp: lambda input: xp.all(xp.isfinite(xp.tril(input))),
)
