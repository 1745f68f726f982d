"""LARS: momentum with a rate of its own for each layer."""

from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import greater, where
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.matrix.norm import norm
from twinflow.ops.variables.training import MOMENTUM
from twinflow.ops.variables.training_forms import update
from twinflow.train.optimizer import Optimizer


class LARSOptimizer(Optimizer):
    """Momentum whose rate for a variable goes with its norm over that of its gradient.

    rate = learning_rate * eeta * |w| / (|dw| + weight_decay * |w| + epsilon)
    a <- momentum * a + dw
    w <- w - rate * a

    Variant: the weights themselves do not decay, and the rate is outside of `a`.

    Args:
        learning_rate: a number, scalar tensor, or function that gives one.
        momentum, weight_decay, eeta, epsilon: numbers.
        name: the name of the train op and of the slot.
        skip_list: parts of the names of variables that keep the plain learning rate.
        use_nesterov: see MomentumOptimizer.
    Raises:
        ValueError: `momentum` or `weight_decay` is below 0.
    Example:
        w = tfe.Variable([3.0, 4.0])
        optimizer = tf.contrib.opt.LARSOptimizer(0.5, weight_decay=0.0, eeta=1.0)
        optimizer.minimize(lambda: tf.reduce_sum(w * w))
        w.numpy()  # [1.5, 2.0]
    Reference: You, Gitman and Ginsburg, Large batch training of convolutional networks
    (2017).
    """

    _settings = ("learning_rate", "momentum")

    def __init__(
        self, learning_rate: Any, momentum: float = 0.9, weight_decay: float = 0.0001,
        eeta: float = 0.001, epsilon: float = 0.0, name: str = "LARSOptimizer",
        skip_list: Any = None, use_nesterov: bool = False,
    ) -> None:  # fmt: skip
        if momentum < 0.0:
            raise ValueError(f"momentum should be positive: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"weight_decay should be positive: {weight_decay}")
        super().__init__(use_locking=False, name=name)
        self._learning_rate, self._momentum = learning_rate, momentum
        self._weight_decay, self._eeta, self._epsilon = weight_decay, eeta, epsilon
        self._skip_list, self._use_nesterov = skip_list, use_nesterov

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "momentum", self._name)

    def compute_lr(self, grad: Any, var: Any) -> Tensor:
        """The rate for a variable.

        Args:
            grad: float[...], its gradient. var: the variable.
        """
        rate = self._learning_rate
        rate = rate() if callable(rate) else rate
        if self._skip_list is not None and any(s in var.name for s in self._skip_list):
            return rate
        size, slope = norm(var, ord=2), norm(grad, ord=2)
        total = slope + self._weight_decay * size + self._epsilon
        one = size * 0 + 1
        trust = where(greater(slope, 0), self._eeta * size / total, one)
        return rate * where(greater(size, 0), trust, one)

    def _update(self, grad, var, indices=None):
        a = self.get_slot(var, "momentum")
        rate = self._learning_rate_tensor
        if indices is None:
            rate = convert_to_tensor(self.compute_lr(grad, var))
        return update(
            MOMENTUM, [var, a], [rate, grad, self._momentum_tensor], indices,
            self._use_locking, {"use_nesterov": self._use_nesterov},
        )  # fmt: skip

    _resource_apply_dense = _update
