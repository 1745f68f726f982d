"""Proximal gradient descent."""

from typing import Any

from twinflow.ops.variables.training_forms import update
from twinflow.ops.variables.training_proximal import PROXIMAL_GRADIENT_DESCENT
from twinflow.train.optimizer import Optimizer


class ProximalGradientDescentOptimizer(Optimizer):
    """Gradient descent followed by a step towards 0.

    p = w - learning_rate * dw
    w <- sign(p) * max(|p| - learning_rate * l1, 0) / (1 + learning_rate * l2)

    Args:
        learning_rate: a number, scalar tensor, or function that gives one.
        l1_regularization_strength, l2_regularization_strength: numbers >= 0.
        use_locking: accepted. name: the name of the train op.
    Example:
        w = tfe.Variable(1.0)
        tf.train.ProximalGradientDescentOptimizer(0.25, 1.0).minimize(lambda: w * w)
        w.numpy()  # 0.25
    Reference: Duchi and Singer, Efficient learning using forward-backward splitting
    (NIPS 2009), equation 4.
    """

    _settings = (
        "learning_rate", "l1_regularization_strength", "l2_regularization_strength",
    )  # fmt: skip

    def __init__(
        self, learning_rate: Any, l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0, use_locking: bool = False,
        name: str = "ProximalGradientDescent",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength

    def _update(self, grad, var, indices=None):
        inputs = [
            self._learning_rate_tensor, self._l1_regularization_strength_tensor,
            self._l2_regularization_strength_tensor, grad,
        ]  # fmt: skip
        return update(
            PROXIMAL_GRADIENT_DESCENT, [var], inputs, indices, self._use_locking
        )
