"""Shampoo: a preconditioner for each dimension of a variable."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base.dispatch import current_mode
from twinflow.contrib.opt.matrix_functions import matrix_inverse_pth_root
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.division import mod
from twinflow.ops.core.index import IndexedSlices, gather
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.transposing import transpose
from twinflow.ops.matrix.contraction import tensordot
from twinflow.ops.matrix.diagonal import eye
from twinflow.ops.matrix.svd import svd
from twinflow.ops.variables import state
from twinflow.train.optimizer import Optimizer


def GetParam(var: Any, timestep: Any) -> Any:
    """A setting at a step: a number, or what a function of the step gives."""
    return var(timestep) if callable(var) else var


class ShampooOptimizer(Optimizer):
    """Multiplies the gradient by a power of the covariance along each dimension.

    gbar <- gbar_decay * gbar + gbar_weight * dw
    G_i <- mat_gbar_decay * G_i + mat_gbar_weight * (dw along dimension i times itself)
    w <- w - learning_rate * gbar * (G_i / size_i + epsilon) ** (-alpha / n) for each i

    Of dimensions above `max_matrix_size` only the diagonal is kept.

    Args:
        global_step: the number of the step, a tensor or variable.
        max_matrix_size: the largest dimension that gets a matrix.
        gbar_decay, gbar_weight, mat_gbar_decay, mat_gbar_weight, learning_rate: numbers
            or functions of the step.
        svd_interval: every how many steps the powers are computed.
        precond_update_interval: every how many steps the matrices are.
        epsilon: keeps the matrices from being singular. alpha: the power, all in all.
        use_iterative_root: iterate for the powers, without eigenvectors.
        use_locking: accepted. name: the name of the train op and of the slots.
    Example:
        w = tf.get_variable("w", initializer=[4.0])
        train_op = tf.contrib.opt.ShampooOptimizer(epsilon=0.0).minimize(w * w)
        with tf.Session() as sess:
            sess.run(w.initializer)
            sess.run(tf.global_variables_initializer())
            sess.run(train_op)
            sess.run(w).round(3)  # [3.0]
    Reference: Gupta, Koren and Singer, Shampoo: preconditioned stochastic tensor
    optimization (ICML 2018), algorithm 2.
    """

    def __init__(
        self, global_step: Any = 0, max_matrix_size: int = 768, gbar_decay: Any = 0.0,
        gbar_weight: Any = 1.0, mat_gbar_decay: Any = 1.0, mat_gbar_weight: Any = 1.0,
        learning_rate: Any = 1.0, svd_interval: int = 1,
        precond_update_interval: int = 1, epsilon: float = 1e-4, alpha: float = 0.5,
        use_iterative_root: bool = False, use_locking: bool = False,
        name: str = "Shampoo",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._global_step = cast(convert_to_tensor(global_step), "float32")
        self._max_matrix_size = max_matrix_size
        self._gbar_decay, self._gbar_weight = gbar_decay, gbar_weight
        self._mat_gbar_decay, self._mat_gbar_weight = mat_gbar_decay, mat_gbar_weight
        self._learning_rate, self._svd_interval = learning_rate, svd_interval
        self._precond_update_interval = precond_update_interval
        self._epsilon, self._alpha = epsilon, alpha
        self._use_iterative_root = use_iterative_root

    def _create_slots(self, var_list):
        for v in var_list:
            dtype = v.dtype.base_dtype
            self._zeros_slot(v, "gbar", self._name)
            for i, size in enumerate(v.shape.as_list()):
                whole = size <= self._max_matrix_size
                if whole and self._svd_interval > 1:
                    first = eye(size, dtype=dtype)
                    self._get_or_make_slot(v, first, f"H_{i}", self._name)
                shape = [size, size] if whole else [size]
                first = convert_to_tensor(np.zeros(shape, dtype.np))
                self._get_or_make_slot(v, first, f"Gbar_{i}", self._name)

    def _update(self, grad, var, indices=None):
        dtype = var.dtype.base_dtype
        slope = grad
        if indices is not None:
            rows = IndexedSlices(grad, indices, var.shape.as_list())
            slope = convert_to_tensor(rows)
        step = self._global_step

        def setting(value: Any) -> Any:
            return cast(convert_to_tensor(GetParam(value, step)), dtype)

        mean, done = slope, []
        if callable(self._gbar_decay) or self._gbar_decay != 0:
            gbar = self.get_slot(var, "gbar")
            weighed = setting(self._gbar_weight) * slope
            mean = state.assign(gbar, setting(self._gbar_decay) * gbar + weighed)
            done.append(mean)
        for i in range(var.shape.ndims):
            power = self._power(var, i, slope, setting, indices is not None)
            if power.shape.ndims == 2:  # the next dimension comes to the front
                mean = tensordot(mean, power, axes=([0], [0]))
            else:
                last = transpose(mean, [*range(1, var.shape.ndims), 0])
                mean = last * power
        move = setting(self._learning_rate) * mean
        if indices is None:
            done.append(state.assign_sub(var, move, use_locking=self._use_locking))
        else:
            rows = IndexedSlices(gather(move, indices), indices)
            done.append(var.scatter_sub(rows, use_locking=self._use_locking))
        return group(*done) if not current_mode().eager else []

    _resource_apply_dense = _update

    def _power(self, var, i, slope, setting, sparse):
        """The preconditioner of dimension i: a matrix, or its diagonal."""
        matrix = self.get_slot(var, f"Gbar_{i}")
        divisor = (
            1.0 if sparse or len(var.shape) == 1 else float(var.shape.as_list()[i])
        )
        others = [k for k in range(var.shape.ndims) if k != i]
        every = self._precond_update_interval

        def renewed() -> Any:
            if matrix.shape.ndims == 1:
                square = reduce_sum(slope * slope, axis=others) / divisor
            else:
                square = tensordot(slope, slope, axes=(others, others))
            weight = setting(self._mat_gbar_weight) * every
            old = setting(self._mat_gbar_decay) * matrix
            return identity(state.assign(matrix, old + weight * square))

        kept = self._at(every, renewed, matrix)
        exponent = -self._alpha / var.shape.ndims
        if matrix.shape.ndims == 1:
            return (kept + self._epsilon) ** exponent
        cache = self.get_slot(var, f"H_{i}")
        if cache is None:
            return self._raised(kept, exponent)
        with control_dependencies([] if current_mode().eager else [kept]):
            return self._at(
                self._svd_interval,
                lambda: identity(state.assign(cache, self._raised(kept, exponent))),
                cache,
            )

    def _at(self, interval: int, compute: Callable, otherwise: Any) -> Any:
        """What is computed every some steps, and kept in between."""
        if interval == 1:
            return compute()
        due = equal(mod(self._global_step + 1.0, float(interval)), 0.0)
        return cond(due, compute, lambda: identity(otherwise))

    def _raised(self, matrix, exponent):
        """A matrix to a power below 0."""
        size = matrix.shape.as_list()[0]
        matrix = matrix / float(size)
        if self._use_iterative_root:
            return matrix_inverse_pth_root(
                matrix, size, exponent, ridge_epsilon=self._epsilon
            )
        damped = matrix + self._epsilon * eye(size, dtype=matrix.dtype)
        sigma, u, v = svd(damped)
        return matmul(u * sigma**exponent, v, transpose_b=True)
