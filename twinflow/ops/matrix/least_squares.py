"""Linear least squares."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import add, multiply, negative, subtract
from twinflow.ops.core.infer import product, ranked
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import shape
from twinflow.ops.matrix.cholesky import cholesky, cholesky_solve
from twinflow.ops.matrix.diagonal import adjoint, eye, matrices
from twinflow.ops.matrix.inverse import adjoint_of, refuse
from twinflow.ops.matrix.solve import same_batch, same_rows

_DEFICIENT = (
    "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or "
    "provide a larger l2_regularizer > 0."
)
_CACHE = 256000  # bytes: TensorFlow solves larger batches of small matrices in one op


# ------------------------------------------------------------------ the op
def _infer_ls(matrix, rhs, l2_regularizer, fast):
    a, b = matrices(matrix), matrices(rhs)
    ranked(l2_regularizer._shape, 0, "l2_regularizer must be scalar.")
    if a is None or b is None:
        known = b if a is None else a
        return None if known is None else (None,) * len(known)
    batch = same_batch(a, b)
    same_rows(a[-2], b[-2])
    return (*batch, a[-1], b[-1])


def _gram(xp, a, l2):
    """a^H a + l2, or a a^H + l2 where that is smaller, and whether it is the first."""
    conjugate = adjoint_of(xp, a)
    first = a.shape[-2] >= a.shape[-1]
    gram = conjugate @ a if first else a @ conjugate
    return gram + l2 * np.eye(gram.shape[-1], dtype=a.dtype), first


def _by_gram(xp, a, b, l2):
    gram, first = _gram(xp, a, l2)
    conjugate = adjoint_of(xp, a)
    if first:
        return xp.linalg.solve(gram, conjugate @ b)
    return conjugate @ xp.linalg.solve(gram, b)


def _ls_kernel(xp):
    def kernel(matrix, rhs, l2_regularizer, fast):
        if not fast:
            return xp.linalg.pinv(_finite(xp, matrix), _cutoff(matrix)) @ rhs
        return _by_gram(xp, matrix, rhs, l2_regularizer.astype(matrix.dtype))

    def numpy_kernel(matrix, rhs, l2_regularizer, fast):
        if fast and not _is_definite(np, matrix, l2_regularizer):
            raise refuse(_DEFICIENT)
        return kernel(matrix, rhs, l2_regularizer, fast)

    return numpy_kernel if xp is np else kernel


def _finite(xp, a):
    """0 for matrices that are not finite: LAPACK may never come back from those."""
    good = xp.isfinite(a).all((-2, -1))
    return a if xp is np and good.all() else xp.where(good[..., None, None], a, 0)


def _cutoff(a):
    """The ratio below which a singular value counts as 0."""
    return float(np.finfo(a.dtype).eps) * min(a.shape[-2:])


def _is_definite(xp, a, l2):
    """Whether the Gram matrices have a Cholesky decomposition."""
    gram, _ = _gram(xp, a, l2.astype(a.dtype))
    if xp is not np:
        root = xp.linalg.cholesky(gram, symmetrize_input=False)
        return ~xp.isnan(xp.diagonal(root, 0, -2, -1)).any()
    try:
        np.linalg.cholesky(gram)
    except np.linalg.LinAlgError:
        return False
    return True


@bind_first
def _guard_ls(xp, matrix, rhs, l2_regularizer, fast):
    fits = l2_regularizer >= 0
    return fits & _is_definite(xp, matrix, l2_regularizer) if fast else fits


def _check_ls(matrix, rhs, l2_regularizer, fast):
    return None if l2_regularizer >= 0 else "l2_regularizer must be >= 0."


def _ls_grad(dy, matrix, rhs, l2_regularizer, output, fast):
    if not fast:
        raise ValueError("Gradient not defined for fast=False")
    s = matrix._shape
    args = dy, matrix, rhs, cast(l2_regularizer, matrix.dtype), output
    if s is not None and None not in s[-2:]:
        grad = _tall_grad if s[-2] >= s[-1] else _wide_grad
        return (*grad(*args), None)
    m, n = (shape(matrix)[i] for i in (-2, -1))
    grads = dispatch.current_mode().cond(
        m >= n, lambda: _tall_grad(*args), lambda: _wide_grad(*args)
    )
    return (*grads, None)


def _tall_grad(dy, a, b, l2, x):
    """Of x = (a^H a + l2)^-1 a^H b."""
    z = cholesky_solve(_gram_root(a, l2, True), dy)
    xz = matmul(x, z, adjoint_b=True)
    d_a = subtract(matmul(b, z, adjoint_b=True), matmul(a, add(xz, adjoint(xz))))
    return d_a, matmul(a, z)


def _wide_grad(dy, a, b, l2, x):
    """Of x = a^H (a a^H + l2)^-1 b."""
    root = _gram_root(a, l2, False)
    d_b = cholesky_solve(root, matmul(a, dy))
    y = cholesky_solve(root, b)
    rest = subtract(dy, matmul(a, d_b, adjoint_a=True))
    back = matmul(d_b, matmul(y, a, adjoint_a=True))
    return add(negative(back), matmul(y, rest, adjoint_b=True)), d_b


MatrixSolveLs = define(
    "MatrixSolveLs",
    infer=_infer_ls,
    kernel=_ls_kernel,
    guard=_guard_ls,
    check=_check_ls,
    grad=_ls_grad,
)


# ------------------------------------------------------------------ by Cholesky
def _gram_root(a, l2, first):
    """The Cholesky decomposition of a^H a + l2 (first), or of a a^H + l2."""
    gram = matmul(a, a, adjoint_a=first, adjoint_b=not first)
    if is_tensor_like(l2) or l2 != 0:
        s = gram._shape
        known = s is not None and None not in s
        side, batch = (s[-1], s[:-2]) if known else _sizes(gram)
        gram = add(gram, multiply(eye(side, None, batch, a.dtype), l2))
    return cholesky(gram)


def _sizes(gram):
    s = shape(gram)
    return s[-1], s[:-2]


def matrix_solve_ls(
    matrix: TensorValue, rhs: TensorValue, l2_regularizer: Any = 0.0, fast: bool = True,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The x that makes |matrix @ x - rhs|^2 + l2_regularizer |x|^2 smallest.

    Args:
        matrix: float or complex[..., m, n]. rhs: the same dtype[..., m, k].
        l2_regularizer: a number >= 0; with 0 and m < n, |x| is the smallest possible.
        fast: solve the normal equations, which is less exact and needs full rank; else
            take the singular values, without l2_regularizer and gradients.
        name: the name of the call.
    Returns:
        a tensor[..., n, k] of the dtype of `matrix`
    Raises:
        InvalidArgumentError: fast, and the rank is too small; or (eager) the shapes do
            not fit.
        ValueError: (graph) the shapes do not fit.
        NotImplementedError: complex128 with l2_regularizer, as in TensorFlow.
    Example:
        tf.matrix_solve_ls([[1.], [1.]], [[1.], [3.]])  # [[2.]]
    """
    matrix = convert_to_tensor(matrix, name="matrix")
    if matrix.dtype is dtypes.complex128 and _is_given(l2_regularizer):
        raise NotImplementedError(
            "matrix_solve_ls is currently disabled for complex128 and "
            "l2_regularizer != 0 due to poor accuracy."
        )
    if not (fast and _fits_cache(matrix)):
        inputs = (matrix, rhs, convert_to_tensor(l2_regularizer, dtypes.float64))
        return apply(MatrixSolveLs, inputs, {"fast": bool(fast)}, name)
    with dispatch.current_mode().name_scope(name or "matrix_solve_ls"):
        m, n = matrix._shape[-2:]
        l2 = _like(l2_regularizer, matrix)
        if m >= n:
            root = _gram_root(matrix, l2, True)
            return cholesky_solve(root, matmul(matrix, rhs, adjoint_a=True))
        root = _gram_root(matrix, l2, False)
        return matmul(matrix, cholesky_solve(root, rhs), adjoint_a=True)


def _is_given(l2):
    return is_tensor_like(l2) or l2 != 0


def _like(l2, matrix):
    return cast(l2, matrix.dtype) if is_tensor_like(l2) else l2


def _fits_cache(matrix):
    """Whether to compose the solution of other ops, as TensorFlow decides it."""
    s = matrix._shape
    if s is None or None in s[-2:]:
        return False
    if None in s:
        return True
    large = product(s) * matrix.dtype.size > _CACHE
    return not (large and product(s[:-2]) > min(s[-2:]))
