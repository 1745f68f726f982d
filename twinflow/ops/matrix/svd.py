"""The decomposition into singular values and vectors."""

import functools
from typing import Any

import numpy as np

from twinflow.base import lapack
from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.ops.core.complex import real
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import add, multiply, reciprocal, square, subtract
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import shape
from twinflow.ops.matrix.diagonal import (
    adjoint,
    least,
    matrices,
    matrix_diag,
    matrix_diag_part,
)
from twinflow.ops.matrix.eigen import inverse_gaps, real_part, steady_signs


def _infer_svd(input, compute_uv, full_matrices):
    s = matrices(input)
    if s is None:
        return [None, None, None] if compute_uv else [None, (0,), (0,)]
    m, n = s[-2:]
    p = least(m, n)
    if not compute_uv:
        return [(*s[:-2], p), (0,), (0,)]
    sides = (m, n) if full_matrices else (p, p)
    return [(*s[:-2], p), (*s[:-2], m, sides[0]), (*s[:-2], n, sides[1])]


def _svd_kernel(xp):
    svd_of = functools.partial(_svd_of_any, xp)

    def kernel(input, compute_uv, full_matrices):
        if not compute_uv:
            none = xp.zeros(0, input.dtype)
            s = svd_of(input, full_matrices=False, compute_uv=False)
            return s.astype(input.dtype), none, none
        u, s, vh = svd_of(input, full_matrices=full_matrices)
        v = xp.swapaxes(vh, -1, -2)
        v = xp.conj(v) if v.dtype.kind == "c" else v
        signs = steady_signs(xp, u[..., : s.shape[-1]])
        u, v = _turned(xp, u, signs), _turned(xp, v, signs)
        return s.astype(input.dtype), u, v

    return kernel


def _turned(xp, u, signs):
    """`u` with these signs on its first columns."""
    rest = u.shape[-1] - signs.shape[-1]
    if rest:
        ones = xp.ones((*signs.shape[:-1], rest), signs.dtype)
        signs = xp.concatenate([signs, ones], -1)
    return u * signs


def _svd_of_any(xp, a, **options):
    """NaN for matrices that are not finite: LAPACK may never come back from those."""
    good = xp.isfinite(a).all((-2, -1))
    if xp is np and good.all():
        found = lapack.svd(a, **options)
        return np.linalg.svd(a, **options) if found is None else found
    found = xp.linalg.svd(xp.where(good[..., None, None], a, 0), **options)
    if not isinstance(found, tuple):
        return xp.where(good[..., None], found, np.nan)
    return [
        xp.where(
            good.reshape(good.shape + (1,) * (part.ndim - good.ndim)), part, np.nan
        )
        for part in found
    ]


def _svd_grad(d_s, d_u, d_v, input, s, u, v, compute_uv):
    if not compute_uv:
        _, u, v = _svd(input, True, False)
        return (matmul(u, matmul(matrix_diag(real_part(d_s)), v, adjoint_b=True)),)
    if d_u is None and d_v is None:
        k = _count(s)
        left, right = u[..., :k], v[..., :k]
        return (
            matmul(left, matmul(matrix_diag(real_part(d_s)), right, adjoint_b=True)),
        )
    given = ((d_s, s), (d_u, u), (d_v, v))
    return (_svd_grad_of_all(*[_or_zeros(d, y) for d, y in given], s, u, v),)


def _or_zeros(d, y):
    return zeros_like(y) if d is None else d


def _svd_grad_of_all(d_s, d_u, d_v, s, u, v):
    """U [(f o skew(U^H dU)) S + S (f o skew(V^H dV)) + dS] V^H and the rest outside.

    f_ij = 1 / (s_j^2 - s_i^2), and skew(x) = x - x^H. What dU and dV have outside the
    spaces of U and V, and what they have of the columns past min(m, n), adds to it.

    References: J. Townsend, Differentiating the singular value decomposition, 2016;
    Z.-Q. Wan and S.-X. Zhang, Automatic differentiation for complex valued SVD, 2019.
    """
    k = _count(s)
    u1, v1, d_u1, d_v1 = (t[..., :k] for t in (u, v, d_u, d_v))
    scale = matrix_diag(s)
    inner = matrix_diag(real_part(d_s))
    f = inverse_gaps(square(s))
    turn_u, turn_v = matmul(u1, d_u1, adjoint_a=True), matmul(v1, d_v1, adjoint_a=True)
    inner = add(inner, matmul(multiply(f, _skew(turn_u)), scale))
    inner = add(inner, matmul(scale, multiply(f, _skew(turn_v))))
    inverse = matrix_diag(reciprocal(s))
    if s.dtype.is_complex:
        phase = multiply(_skew(matrix_diag(matrix_diag_part(turn_u))), 0.5)
        inner = add(inner, matmul(phase, inverse))
    total = matmul(u1, matmul(inner, v1, adjoint_b=True))
    left = matmul(_outside(u, d_u, u1, d_u1, turn_u, k), inverse)
    right = matmul(_outside(v, d_v, v1, d_v1, turn_v, k), inverse)
    total = add(total, matmul(left, v1, adjoint_b=True))
    return add(total, matmul(u1, right, adjoint_b=True))


def _count(s):
    """How many singular values there are: an int where that is known."""
    known = None if s._shape is None else s._shape[-1]
    return shape(s)[-1] if known is None else known


def _outside(u, d_u, u1, d_u1, turn, k):
    """What du has outside the space of the first k columns, and what the rest has."""
    out = subtract(d_u1, matmul(u1, turn))
    if type(k) is int and u._shape[-1] == k:
        return out
    rest, d_rest = u[..., k:], d_u[..., k:]
    return subtract(out, matmul(rest, matmul(d_rest, u1, adjoint_a=True)))


def _skew(x):
    return subtract(x, adjoint(x))


Svd = define(
    "Svd", infer=_infer_svd, kernel=quiet(_svd_kernel), grad=_svd_grad, none_ok=True
)


def _svd(tensor, compute_uv, full_matrices, name=None):
    attrs = {"compute_uv": bool(compute_uv), "full_matrices": bool(full_matrices)}
    return apply(Svd, (tensor,), attrs, name)


def svd(
    tensor: TensorValue, full_matrices: bool = False, compute_uv: bool = True,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The decomposition tensor = u @ diag(s) @ v^H into singular values and vectors.

    Args:
        tensor: float or complex[..., m, n].
        full_matrices: give all m and n columns, not just p = min(m, n).
        compute_uv: whether to compute u and v at all.
        name: the name of the node in a graph.
    Returns:
        (s, u, v), or s alone: float[..., p] in falling order, tensors[..., m, p] and
        [..., n, p] of the dtype of `tensor`. The signs of the columns are free.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): fewer than two axes.
    Example:
        tf.svd([[3., 0.], [0., 2.]], compute_uv=False)  # [3., 2.]
    """
    s, u, v = _svd(tensor, compute_uv, full_matrices, name)
    return (real(s), u, v) if compute_uv else real(s)
