"""Gradient descent."""

from twinflow.ops.variables.training import apply_gradient_descent
from twinflow.train.optimizer import Optimizer


class GradientDescentOptimizer(Optimizer):
    """Gradient descent.

    w <- w - learning_rate * dw

    Args:
        learning_rate: a number, scalar tensor, or function of no arguments.
        use_locking: accepted. name: the name of the train op.
    Example:
        tf.train.GradientDescentOptimizer(0.1).minimize(lambda: w * w)
    Reference: Cauchy, Méthode générale pour la résolution des systèmes d'équations
    simultanées (1847).
    """

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate

    def _prepare(self):
        self._lr_t = self._number(self._learning_rate, "learning_rate")

    def _resource_apply_dense(self, grad, var):
        return apply_gradient_descent(var, self._lr_t, grad)
