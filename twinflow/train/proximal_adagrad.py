"""Proximal Adagrad."""

from typing import Any

from twinflow.ops.variables.training_forms import update
from twinflow.ops.variables.training_proximal import PROXIMAL_ADAGRAD
from twinflow.train.adagrad import check_start
from twinflow.train.optimizer import Optimizer


class ProximalAdagradOptimizer(Optimizer):
    """Adagrad followed by a step towards 0.

    a <- a + dw ** 2;  rate = learning_rate / sqrt(a)
    p = w - rate * dw
    w <- sign(p) * max(|p| - rate * l1, 0) / (1 + rate * l2)

    Args:
        learning_rate: a number, scalar tensor, or function that gives one.
        initial_accumulator_value: what `a` starts with, above 0.
        l1_regularization_strength, l2_regularization_strength: numbers >= 0.
        use_locking: accepted. name: the name of the train op and of the slot.
    Raises:
        ValueError: `initial_accumulator_value` is not above 0.
    Example:
        w = tfe.Variable(1.0)
        optimizer = tf.train.ProximalAdagradOptimizer(
            0.5, initial_accumulator_value=12.0)
        optimizer.minimize(lambda: w * w)
        w.numpy()  # 0.75
    Reference: Duchi, Hazan and Singer, Adaptive subgradient methods for online learning
    and stochastic optimization (JMLR 2011), equation 4; Duchi and Singer, Efficient
    learning using forward-backward splitting (NIPS 2009).
    """

    _settings = (
        "learning_rate", "l1_regularization_strength", "l2_regularization_strength",
    )  # fmt: skip

    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0, use_locking: bool = False,
        name: str = "ProximalAdagrad",
    ) -> None:  # fmt: skip
        check_start(initial_accumulator_value)
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength

    def _create_slots(self, var_list):
        start = self._initial_accumulator_value
        for v in var_list:
            self._constant_slot(v, start, "accumulator", self._name)

    def _update(self, grad, var, indices=None):
        cells = [var, self.get_slot(var, "accumulator")]
        inputs = [
            self._learning_rate_tensor, self._l1_regularization_strength_tensor,
            self._l2_regularization_strength_tensor, grad,
        ]  # fmt: skip
        return update(PROXIMAL_ADAGRAD, cells, inputs, indices, self._use_locking)
