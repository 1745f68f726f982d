"""Gradient descent with momentum."""

from twinflow.ops.variables.training import apply_momentum
from twinflow.ops.variables.training_sparse import sparse_apply_momentum
from twinflow.train.optimizer import Optimizer


class MomentumOptimizer(Optimizer):
    """Gradient descent that keeps its direction.

    a <- momentum * a + dw
    w <- w - learning_rate * a

    Variant: with `use_nesterov`, w <- w - learning_rate * (dw + momentum * a), which
    takes the gradient at the place that is looked ahead to.

    Args:
        learning_rate, momentum: numbers, scalar tensors, or functions that give them.
        use_locking: accepted. name: the name of the train op.
        use_nesterov: see above.
    Example:
        tf.train.MomentumOptimizer(0.1, 0.9).minimize(lambda: w * w)
    Reference: Sutskever et al., On the importance of initialization and momentum in
    deep learning (ICML 2013), section 2.
    """

    slots = {"momentum": "Momentum"}

    def __init__(
        self, learning_rate, momentum, use_locking=False, name="Momentum",
        use_nesterov=False,
    ):  # fmt: skip
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum = learning_rate, momentum
        self._use_nesterov = use_nesterov
        self.slots = {"momentum": self._name}

    def _prepare(self):
        self._lr_t = self._number(self._learning_rate, "learning_rate")
        self._momentum_t = self._number(self._momentum, "momentum")

    def _resource_apply_dense(self, grad, var):
        accum = self._slots["momentum"][var]
        return apply_momentum(
            var, accum, self._lr_t, grad, self._momentum_t, self._use_nesterov
        )

    def _resource_apply_sparse(self, grad, var):
        accum = self._slots["momentum"][var]
        return sparse_apply_momentum(
            var, accum, self._lr_t, grad, self._momentum_t, self._use_nesterov
        )
