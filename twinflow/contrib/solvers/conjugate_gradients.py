"""Conjugate gradients: linear systems, and least squares."""

from collections import namedtuple
from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.contrib.solvers.operators import (
    column,
    dot,
    l2norm,
    l2norm_squared,
    vector,
)
from twinflow.graph.scopes import name_scope
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.compare import greater, less, logical_and
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.creation import zeros

_LinearState = namedtuple("CGState", ["i", "x", "r", "p", "gamma"])
_LeastState = namedtuple("CGLSState", ["i", "x", "r", "p", "gamma"])


def conjugate_gradient(
    operator: Any, rhs: TensorValue, preconditioner: Any = None, x: Any = None,
    tol: float = 1e-4, max_iter: int = 20, name: str = "conjugate_gradient",
) -> Any:  # fmt: skip
    """Solve A x = b, A symmetric and positive.

    Args:
        operator: with `shape`, `dtype` and `apply`, as of util.create_operator.
        rhs: float[n], b. preconditioner: an operator, nearly the inverse of A.
        x: float[n], where to begin; 0 if None.
        tol: stop where |b - A x| is this part of that at the beginning.
        max_iter: how many steps at most. name: the scope of the ops.
    Returns:
        i: the number of steps; x; r = b - A x; p, the last direction; gamma = r M r.
    Reference: Hestenes, Stiefel: Methods of conjugate gradients (1952).
    Example:
        two = tf.contrib.solvers.util.create_operator(tf.constant([[2., 0.], [0., 4.]]))
        solved = tf.contrib.solvers.linear_equations.conjugate_gradient(two, [2., 4.])
        solved.x  # [1., 1.]
    """
    inverse = preconditioner.apply if preconditioner is not None else lambda v: v

    with name_scope(name):
        rhs = column(convert_to_tensor(rhs, operator.dtype))
        if x is None:
            x, r = zeros([operator.shape[1], 1], rhs.dtype), rhs
        else:
            x = column(convert_to_tensor(x, operator.dtype))
            r = rhs - operator.apply(x)
        z = inverse(r)
        limit = tol * l2norm(r)
        first = _LinearState(constant(0), x, r, z, dot(r, z))

        def more(s: Any) -> Any:
            return logical_and(less(s.i, max_iter), greater(l2norm(s.r), limit))

        def step(s: Any) -> Any:
            image = operator.apply(s.p)
            alpha = s.gamma / dot(s.p, image)
            x, r = s.x + alpha * s.p, s.r - alpha * image
            z = inverse(r)
            gamma = dot(r, z)
            return [_LinearState(s.i + 1, x, r, z + gamma / s.gamma * s.p, gamma)]

        return _as_vectors(while_loop(more, step, [first]))


def cgls(
    operator: Any, rhs: TensorValue, tol: float = 1e-6, max_iter: int = 20,
    name: str = "cgls",
) -> Any:  # fmt: skip
    """Find the x with the smallest |b - A x|.

    Args:
        operator: with `shape`, `dtype`, `apply` and `apply_adjoint`.
        rhs: float[m], b.
        tol: stop where |A^T (b - A x)| is this part of that at the beginning.
        max_iter: how many steps at most. name: the scope of the ops.
    Returns:
        i: the number of steps; x; r = b - A x; p, the last direction;
        gamma = |A^T r|^2.
    Reference: Björck: Numerical methods for least squares problems (1996), 7.4.
    Example:
        a = tf.contrib.solvers.util.create_operator(tf.constant([[1.], [1.]]))
        tf.contrib.solvers.least_squares.cgls(a, tf.constant([1., 3.])).x  # [2.]
    """
    with name_scope(name):
        rhs = column(convert_to_tensor(rhs, operator.dtype))
        s0 = operator.apply_adjoint(rhs)
        gamma0 = l2norm_squared(s0)
        limit = tol * tol * gamma0
        size = operator.shape[1]
        x = zeros([size, 1], rhs.dtype)
        first = _LeastState(constant(0), x, rhs, s0, gamma0)

        def more(s: Any) -> Any:
            return logical_and(less(s.i, max_iter), greater(s.gamma, limit))

        def step(s: Any) -> Any:
            image = operator.apply(s.p)
            alpha = s.gamma / l2norm_squared(image)
            x, r = s.x + alpha * s.p, s.r - alpha * image
            slope = operator.apply_adjoint(r)
            gamma = l2norm_squared(slope)
            p = slope + gamma / s.gamma * s.p
            return [_LeastState(s.i + 1, x, r, p, gamma)]

        return _as_vectors(while_loop(more, step, [first]))


def _as_vectors(state):
    state = state[0] if isinstance(state, list) else state
    return state._replace(x=vector(state.x), r=vector(state.r), p=vector(state.p))
