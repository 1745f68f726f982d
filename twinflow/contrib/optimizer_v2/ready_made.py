"""The optimizers of tf.train, of the second kind.

See Note [Optimizers of the second kind] in optimizer_v2.py.
"""

from contextlib import nullcontext
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.contrib.optimizer_v2.optimizer_v2 import OptimizerV2
from twinflow.ops.core.broadcast import broadcast_to
from twinflow.ops.variables.training import multiply_variable
from twinflow.train import adadelta, adagrad, adam, gradient_descent, momentum, rmsprop


class GradientDescentOptimizer(
    OptimizerV2, gradient_descent.GradientDescentOptimizer
):  # fmt: skip
    """Gradient descent; see tf.train.GradientDescentOptimizer.

    Args:
        learning_rate: a number, scalar tensor, or function of no arguments.
        use_locking: accepted. name: the name of the train op.
    Example:
        w = tfe.Variable(3.0)
        optimizer = tf.contrib.optimizer_v2.GradientDescentOptimizer(0.25)
        optimizer.minimize(lambda: w * w)
        w.numpy()  # 1.5
    """

    def __init__(
        self, learning_rate: Any, use_locking: bool = False,
        name: str = "GradientDescent",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._set_hyper("learning_rate", learning_rate)

    def _apply_sparse_duplicate_indices(self, grad, var, state):
        plain = gradient_descent.GradientDescentOptimizer
        return plain._apply_sparse_duplicate_indices(self, grad, var)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices, state):
        plain = gradient_descent.GradientDescentOptimizer
        return plain._resource_apply_sparse_duplicate_indices(
            self, grad, handle, indices
        )


class MomentumOptimizer(OptimizerV2, momentum.MomentumOptimizer):
    """Gradient descent with momentum; see tf.train.MomentumOptimizer.

    Args:
        learning_rate, momentum: numbers, scalar tensors, or functions that give them.
        use_locking, name, use_nesterov: see tf.train.MomentumOptimizer.
    Example:
        w = tfe.Variable(3.0)
        optimizer = tf.contrib.optimizer_v2.MomentumOptimizer(0.25, 0.9)
        optimizer.minimize(lambda: w * w)
        w.numpy()  # 1.5
    """

    def __init__(
        self, learning_rate: Any, momentum: Any, use_locking: bool = False,
        name: str = "Momentum", use_nesterov: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum = learning_rate, momentum
        self._use_nesterov = use_nesterov
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("momentum", momentum)


class AdagradOptimizer(OptimizerV2, adagrad.AdagradOptimizer):
    """Adagrad; see tf.train.AdagradOptimizer.

    Args:
        learning_rate: a number, scalar tensor, or function that gives one.
        initial_accumulator_value: what the accumulators start with, above 0.
        use_locking, name: see tf.train.AdagradOptimizer.
    Raises:
        ValueError: `initial_accumulator_value` is not above 0.
    Example:
        w = tfe.Variable(1.0)
        optimizer = tf.contrib.optimizer_v2.AdagradOptimizer(0.5, 12.0)
        optimizer.minimize(lambda: w * w)
        w.numpy()  # 0.75
    """

    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1,
        use_locking: bool = False, name: str = "Adagrad",
    ) -> None:  # fmt: skip
        adagrad.check_start(initial_accumulator_value)
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        self._set_hyper("learning_rate", learning_rate)


class AdadeltaOptimizer(OptimizerV2, adadelta.AdadeltaOptimizer):
    """Adadelta; see tf.train.AdadeltaOptimizer.

    Args:
        learning_rate, rho, epsilon: numbers, scalar tensors, or functions.
        use_locking, name: see tf.train.AdadeltaOptimizer.
    Example:
        w = tfe.Variable(1.0)
        tf.contrib.optimizer_v2.AdadeltaOptimizer(1.0).minimize(lambda: w * w)
        w.numpy() < 1.0  # True
    """

    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: Any = 1e-8,
        use_locking: bool = False, name: str = "Adadelta",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._lr, self._rho, self._epsilon = learning_rate, rho, epsilon
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("rho", rho)
        self._set_hyper("epsilon", epsilon)

    def _prepare(self, state):
        self._lr_t = state.get_hyper("learning_rate")
        self._rho_t = state.get_hyper("rho")
        self._epsilon_t = state.get_hyper("epsilon")


class RMSPropOptimizer(OptimizerV2, rmsprop.RMSPropOptimizer):
    """RMSProp whose means start with epsilon; see tf.train.RMSPropOptimizer.

    Args:
        learning_rate, decay, momentum, epsilon: numbers, scalar tensors, or functions.
        use_locking, centered, name: see tf.train.RMSPropOptimizer.
    Example:
        w = tfe.Variable(1.0)
        tf.contrib.optimizer_v2.RMSPropOptimizer(0.01).minimize(lambda: w * w)
        w.numpy() < 1.0  # True
    """

    def __init__(
        self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0,
        epsilon: Any = 1e-10, use_locking: bool = False, centered: bool = False,
        name: str = "RMSProp",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._learning_rate, self._decay = learning_rate, decay
        self._momentum, self._epsilon = momentum, epsilon
        self._centered = centered
        for key in self._settings:
            self._set_hyper(key, getattr(self, f"_{key}"))

    def _prepare(self, state):
        super()._prepare(state)
        self._epsilon_tensor = self._number(0.0, "epsilon")  # the means have it

    def _create_vars(self, var_list, state):
        for v in var_list:
            first = _filled(state.get_hyper("epsilon", v.dtype.base_dtype))
            state.create_slot_with_initializer(
                v, first, v.shape, v.dtype.base_dtype, "rms"
            )
            if self._centered:
                state.zeros_slot(v, "mg")
            state.zeros_slot(v, "momentum")


class AdamOptimizer(OptimizerV2, adam.AdamOptimizer):
    """Adam; see tf.train.AdamOptimizer.

    Args:
        learning_rate, beta1, beta2, epsilon: numbers, scalar tensors, or functions.
        use_locking, name: see tf.train.AdamOptimizer.
    Example:
        w = tfe.Variable(3.0)
        tf.contrib.optimizer_v2.AdamOptimizer(0.5).minimize(lambda: w * w)
        round(float(w.numpy()), 3)  # 2.5
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-8, use_locking: bool = False, name: str = "Adam",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._beta2 = learning_rate, beta1, beta2
        self._epsilon = epsilon
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("beta1", beta1)
        self._set_hyper("beta2", beta2)
        self._set_hyper("epsilon", epsilon)

    def _get_beta_accumulators(self, state=None):
        """The variables beta1 ** t and beta2 ** t."""
        return super()._get_beta_accumulators()

    def _finish(self, state):
        mode, powers = current_mode(), self._get_beta_accumulators()
        betas = (self._beta1_t, self._beta2_t)
        here = not mode.eager and powers[0].graph is mode
        with mode.colocate_with(powers[0]) if here else nullcontext():
            return [
                multiply_variable(power, beta, None if mode.eager else "Assign")
                for power, beta in zip(powers, betas, strict=True)
            ]


def _filled(value):
    """What fills a new slot with a number."""
    return lambda shape, dtype=None, **_: broadcast_to(value, shape)
