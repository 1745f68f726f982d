"""RMSProp."""

from typing import Any

from twinflow.ops.core.creation import ones, ones_like
from twinflow.ops.variables.training_adaptive import CENTERED_RMS_PROP, RMS_PROP
from twinflow.ops.variables.training_forms import update
from twinflow.train.optimizer import Optimizer


class RMSPropOptimizer(Optimizer):
    """Gradients divided by a running mean of their size.

    s <- decay * s + (1 - decay) * dw ** 2
    d <- momentum * d + learning_rate * dw / sqrt(s + epsilon)
    w <- w - d

    Variant: `centered` divides by sqrt(s - g ** 2 + epsilon), with the running mean
    g <- decay * g + (1 - decay) * dw. `s` starts with 1.

    Args:
        learning_rate, decay, momentum, epsilon: numbers, scalar tensors, or functions
            that give them.
        use_locking: accepted. centered: see above.
        name: the name of the train op and of the slots.
    Example:
        w = tfe.Variable(1.0)
        tf.train.RMSPropOptimizer(0.01).minimize(lambda: w * w)
        w.numpy() < 1.0  # True
    Reference: Tieleman and Hinton, Neural networks for machine learning, lecture 6.5
    (2012); centered: Graves, Generating sequences with recurrent neural networks
    (2013), equations 38 to 45.
    """

    _settings = ("learning_rate", "decay", "momentum", "epsilon")

    def __init__(
        self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0,
        epsilon: Any = 1e-10, use_locking: bool = False, centered: bool = False,
        name: str = "RMSProp",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._learning_rate, self._decay = learning_rate, decay
        self._momentum, self._epsilon = momentum, epsilon
        self._centered = centered

    def _create_slots(self, var_list):
        for v in var_list:
            first = ones if v.shape.is_fully_defined() else ones_like(v)
            self._get_or_make_slot_with_initializer(
                v, first, v.shape, v.dtype.base_dtype, "rms", self._name
            )
            if self._centered:
                self._zeros_slot(v, "mg", self._name)
            self._zeros_slot(v, "momentum", self._name)

    def _update(self, grad, var, indices=None):
        names = ("mg", "rms", "momentum") if self._centered else ("rms", "momentum")
        cells = [var, *(self.get_slot(var, n) for n in names)]
        inputs = [
            self._learning_rate_tensor, self._decay_tensor, self._momentum_tensor,
            self._epsilon_tensor, grad,
        ]  # fmt: skip
        family = CENTERED_RMS_PROP if self._centered else RMS_PROP
        return update(family, cells, inputs, indices, self._use_locking)
