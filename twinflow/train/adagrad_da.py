"""Adagrad with dual averaging."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.ops.core.constant import identity
from twinflow.ops.variables.training_forms import update
from twinflow.ops.variables.training_proximal import ADAGRAD_DA
from twinflow.train.optimizer import Optimizer


class AdagradDAOptimizer(Optimizer):
    """Adagrad from the sums of all gradients, for sparse linear models.

    g <- g + dw;  s <- s + dw ** 2;  t = global_step + 1
    w <- -learning_rate * sign(g) * max(|g| - l1 * t, 0)
         / (l2 * t * learning_rate + sqrt(s))

    Weights are computed anew at each step: what they start with is forgotten.

    Args:
        learning_rate: a number, scalar tensor, or function that gives one.
        global_step: a variable that counts the steps.
        initial_gradient_squared_accumulator_value: what `s` starts with, above 0.
        l1_regularization_strength, l2_regularization_strength: numbers >= 0.
        use_locking: accepted. name: the name of the train op and of the slots.
    Raises:
        ValueError: `initial_gradient_squared_accumulator_value` is not above 0.
    Example:
        w = tf.get_variable("w", initializer=1.0)
        step = tf.train.get_or_create_global_step()
        optimizer = tf.train.AdagradDAOptimizer(0.1, step)
        train_op = optimizer.minimize(w * w, global_step=step)
        sess = tf.Session()
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
    Reference: Duchi, Hazan and Singer, Adaptive subgradient methods for online learning
    and stochastic optimization (JMLR 2011), equation 3.
    """

    _settings = ("learning_rate",)

    def __init__(
        self, learning_rate: Any, global_step: Any,
        initial_gradient_squared_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0, use_locking: bool = False,
        name: str = "AdagradDA",
    ) -> None:  # fmt: skip
        start = initial_gradient_squared_accumulator_value
        if start <= 0.0:
            raise ValueError(
                f"initial_gradient_squared_accumulator_value must be positive: {start}"
            )
        super().__init__(use_locking, name)
        self._learning_rate, self._global_step = learning_rate, global_step
        self._initial_gradient_squared_accumulator_value = start
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength

    def _create_slots(self, var_list):
        start = self._initial_gradient_squared_accumulator_value
        for v in var_list:
            self._constant_slot(v, 0.0, "gradient_accumulator", self._name)
            self._constant_slot(v, start, "gradient_squared_accumulator", self._name)

    def _prepare(self):
        super()._prepare()
        with current_mode().control_dependencies([]):
            self._global_step_on_worker = identity(self._global_step) + 1

    def _update(self, grad, var, indices=None):
        names = ("gradient_accumulator", "gradient_squared_accumulator")
        cells = [var, *(self.get_slot(var, n) for n in names)]
        step = identity(self._global_step_on_worker)
        inputs = [
            grad, self._learning_rate_tensor, self._l1_regularization_strength,
            self._l2_regularization_strength, step,
        ]  # fmt: skip
        return update(ADAGRAD_DA, cells, inputs, indices, self._use_locking)
