"""Adadelta."""

from typing import Any

from twinflow.ops.variables.training_adaptive import ADADELTA
from twinflow.ops.variables.training_forms import update
from twinflow.train.optimizer import Optimizer


class AdadeltaOptimizer(Optimizer):
    """Steps in the units of the weights: as large as the last ones have been.

    a <- rho * a + (1 - rho) * dw ** 2
    step = sqrt(u + epsilon) / sqrt(a + epsilon) * dw
    u <- rho * u + (1 - rho) * step ** 2
    w <- w - learning_rate * step

    Args:
        learning_rate, rho, epsilon: numbers, scalar tensors, or functions that give
            them; the paper has learning_rate 1.
        use_locking: accepted. name: the name of the train op and of the slots.
    Example:
        w = tfe.Variable(1.0)
        tf.train.AdadeltaOptimizer(1.0).minimize(lambda: w * w)
        w.numpy() < 1.0  # True
    Reference: Zeiler, ADADELTA: an adaptive learning rate method (2012), algorithm 1.
    """

    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: Any = 1e-8,
        use_locking: bool = False, name: str = "Adadelta",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._lr, self._rho, self._epsilon = learning_rate, rho, epsilon

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "accum", self._name)
            self._zeros_slot(v, "accum_update", self._name)

    def _prepare(self):
        self._lr_t = self._number(self._lr, "lr")
        self._rho_t = self._number(self._rho, "rho")
        self._epsilon_t = self._number(self._epsilon, "epsilon")

    def _update(self, grad, var, indices=None):
        slots = [self.get_slot(var, n) for n in ("accum", "accum_update")]
        inputs = [self._lr_t, self._rho_t, self._epsilon_t, grad]
        return update(ADADELTA, [var, *slots], inputs, indices, self._use_locking)
