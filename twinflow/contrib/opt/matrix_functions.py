"""Roots of symmetric positive definite matrices by iteration.

Both are Newton's iterations in the coupled form, which is stable: Higham, Functions of
matrices (SIAM 2008), chapters 6 and 7. A small multiple of the identity comes first.
"""

from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.elementwise import pow as power
from twinflow.ops.core.magnitude import abs as magnitude
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_max
from twinflow.ops.matrix.diagonal import eye
from twinflow.ops.matrix.norm import norm


def _with_ridge(matrix, size, epsilon):
    """A matrix plus epsilon times its norm on the diagonal."""
    matrix = convert_to_tensor(matrix)
    return matrix + epsilon * norm(matrix) * eye(size, dtype=matrix.dtype)


def matrix_square_root(
    mat_a: Any, mat_a_size: int, iter_count: int = 100, ridge_epsilon: float = 1e-4
) -> Tensor:
    """The square root of a matrix.

    Args:
        mat_a: float[n, n], symmetric and positive definite. mat_a_size: n.
        iter_count: steps at most. ridge_epsilon: what the diagonal gets, over the norm.
    Example:
        from tensorflow.contrib.opt.python.training.matrix_functions import *
        matrix_square_root(4.0 * tf.eye(2), 2, ridge_epsilon=0.0)
        # [[2.0, 0.0], [0.0, 2.0]]
    """
    a = _with_ridge(mat_a, mat_a_size, ridge_epsilon)
    one, size = eye(mat_a_size, dtype=a.dtype), norm(a)

    def holds(i: Any, _: Any, __: Any, change: Any) -> Any:
        return (i < iter_count) & (change > 1e-7)

    def step(i: Any, y: Any, z: Any, _: Any) -> list:
        t = 1.5 * one - 0.5 * matmul(z, y)
        new = matmul(y, t)
        return [i + 1, new, matmul(t, z), reduce_max(magnitude(new - y))]

    first = [constant(0), a / size, one, constant(1.0, a.dtype)]
    return while_loop(holds, step, first)[1] * size**0.5


def matrix_inverse_pth_root(
    mat_g: Any, mat_g_size: int, alpha: float, iter_count: int = 100,
    epsilon: float = 1e-6, ridge_epsilon: float = 1e-6,
) -> Tensor:  # fmt: skip
    """A matrix to the power of ``alpha``, which is below 0: -1/p for the p-th root.

    Args:
        mat_g: float[n, n], symmetric and positive definite. mat_g_size: n.
        alpha: the power. iter_count: steps at most.
        epsilon: stop where the iteration is that close to its end.
        ridge_epsilon: what the diagonal gets, over the norm.
    Example:
        from tensorflow.contrib.opt.python.training.matrix_functions import *
        matrix_inverse_pth_root(4.0 * tf.eye(2), 2, -0.5, ridge_epsilon=0.0)
        # [[0.5, 0.0], [0.0, 0.5]]
    """
    g = _with_ridge(mat_g, mat_g_size, ridge_epsilon)
    one, p = eye(mat_g_size, dtype=g.dtype), round(-1 / alpha)
    scale = (1 + p) / (2 * norm(g))

    def holds(i: Any, _: Any, __: Any, error: Any) -> Any:
        return (i < iter_count) & (error > epsilon)

    def step(i: Any, m: Any, h: Any, _: Any) -> list:
        t = (1 - alpha) * one + alpha * m
        powered = t
        for _ in range(p - 1):
            powered = matmul(powered, t)
        new = matmul(powered, m)
        return [i + 1, new, matmul(h, t), reduce_max(magnitude(new - one))]

    start = power(scale, maximum(-alpha, 0.0)) * one
    first = [constant(0), g * scale, start, constant(1.0, g.dtype)]
    return while_loop(holds, step, first)[2]
