"""Gradient descent with momentum."""

from typing import Any

from twinflow.ops.variables.training import MOMENTUM
from twinflow.ops.variables.training_forms import update
from twinflow.ops.variables.training_lists import LOOK_AHEAD, ROLL, floats, together
from twinflow.train.optimizer import Optimizer


class MomentumOptimizer(Optimizer):
    """Gradient descent that keeps its direction.

    a <- momentum * a + dw
    w <- w - learning_rate * a

    Variant: with `use_nesterov`, w <- w - learning_rate * (dw + momentum * a), which
    takes the gradient at the place that is looked ahead to.

    Args:
        learning_rate, momentum: numbers, scalar tensors, or functions that give them.
        use_locking: accepted. name: the name of the train op and of the slot.
        use_nesterov: see above.
    Example:
        w = tfe.Variable(3.0)
        tf.train.MomentumOptimizer(0.25, 0.9).minimize(lambda: w * w)
        w.numpy()  # 1.5
    Reference: Sutskever et al., On the importance of initialization and momentum in
    deep learning (ICML 2013), section 2.
    """

    _settings = ("learning_rate", "momentum")

    def __init__(
        self, learning_rate: Any, momentum: Any, use_locking: bool = False,
        name: str = "Momentum", use_nesterov: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum = learning_rate, momentum
        self._use_nesterov = use_nesterov

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "momentum", self._name)

    def _update(self, grad, var, indices=None):
        accum, rate = self.get_slot(var, "momentum"), self._learning_rate_tensor
        return update(
            MOMENTUM, [var, accum], [rate, grad, self._momentum_tensor], indices,
            self._use_locking, {"use_nesterov": self._use_nesterov},
        )  # fmt: skip

    _resource_apply_dense = _update  # saves a call

    def _update_all(self, pairs):
        rule = LOOK_AHEAD if self._use_nesterov else ROLL
        numbers = floats(self._learning_rate_tensor, self._momentum_tensor)
        return together(rule, lambda dtype: numbers, pairs, [self._slots["momentum"]])
