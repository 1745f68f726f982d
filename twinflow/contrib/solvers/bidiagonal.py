"""Lanczos vectors of a matrix: A V = U B, B lower bidiagonal."""

from collections import namedtuple
from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.solvers.operators import column, l2normalize
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import greater, where
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros, zeros_like
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import shape
from twinflow.ops.random.draws import random_normal

_State = namedtuple("LanczosBidiagState", ["u", "v", "alpha", "beta"])


def lanczos_bidiag(
    operator: Any, k: int, orthogonalize: bool = True, starting_vector: Any = None,
    name: str = "lanczos_bidiag",
) -> Any:  # fmt: skip
    """The Lanczos vectors of a matrix: A V = U B, U and V with orthogonal columns.

    Args:
        operator: with `shape`, `dtype`, `apply` and `apply_adjoint`.
        k: how many steps.
        orthogonalize: make each vector orthogonal to all before.
        starting_vector: float[m]; by chance if None. name: the scope of the ops.
    Returns:
        u: float[m, k + 1]; v: float[n, k]; alpha: float[k], the diagonal of B; beta:
        float[k], what stands below it.
    Reference: Golub, Kahan: Calculating the singular values (1965).
    Example:
        a = tf.contrib.solvers.util.create_operator(tf.constant([[3., 0.], [0., 2.]]))
        found = tf.contrib.solvers.lanczos.lanczos_bidiag(a, 1, True, [1., 0.])
        found.alpha  # [3.]
    """
    with name_scope(name):
        rows = operator.shape[0]
        if starting_vector is None:
            start = random_normal([rows], dtype=operator.dtype)
        else:
            start = convert_to_tensor(starting_vector, operator.dtype)
        u = [column(l2normalize(start)[0])]
        v: list = []
        alpha: list = []
        beta: list = []
        for i in range(k):
            next_v = operator.apply_adjoint(u[i])
            if i:
                next_v = next_v - beta[-1] * v[-1]
            unit_v, a = l2normalize(_cleaned(next_v, v, orthogonalize))
            next_u = operator.apply(unit_v) - a * u[i]
            unit_u, b = l2normalize(_cleaned(next_u, u, orthogonalize))
            if i:  # where nothing is left, the last vectors stand for all others
                alive = greater(a, _least(operator.dtype) * alpha[0])
                unit_v, unit_u = (
                    where(alive, unit_v, v[-1]),
                    where(alive, unit_u, u[-1]),
                )
                a, b = where(alive, a, zeros_like(a)), where(alive, b, beta[-1])
            v.append(unit_v)
            u.append(unit_u)
            alpha.append(a)
            beta.append(b)
        return _State(concat(u, 1), concat(v, 1), stack(alpha), stack(beta))


def _least(dtype):
    """The length, as a part of the first one, that is taken for 0."""
    return 1e-12 if dtype.base_dtype.size == 8 else 1e-5


def _cleaned(x, others, orthogonalize):
    """A column without its parts along others; twice, which takes rounding away too."""
    if orthogonalize and others:
        basis = concat(others, 1)
        for _ in range(2):
            x = x - matmul(basis, matmul(basis, x, transpose_a=True))
    return x


def bidiag_matmul(
    matrix: TensorValue, alpha: TensorValue, beta: TensorValue,
    adjoint_b: bool = False, name: str = "bidiag_matmul",
) -> Tensor:  # fmt: skip
    """A matrix times the lower bidiagonal one of `lanczos_bidiag`.

    Args:
        matrix: float[m, k + 1], or [m, k] if adjoint_b.
        alpha: float[k], the diagonal. beta: float[k], what stands below it.
        adjoint_b: take the transposed one. name: the scope of the ops.
    Returns:
        float[m, k], or [m, k + 1] if adjoint_b
    """
    with name_scope(name):
        matrix = convert_to_tensor(matrix)
        alpha = convert_to_tensor(alpha, matrix.dtype)
        beta = convert_to_tensor(beta, matrix.dtype)
        if not adjoint_b:
            return alpha * matrix[:, :-1] + beta * matrix[:, 1:]
        none = zeros([shape(matrix)[0], 1], matrix.dtype)
        return concat([alpha * matrix, none], 1) + concat([none, beta * matrix], 1)
