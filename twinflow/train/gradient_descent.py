"""Gradient descent."""

from typing import Any

from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.variables.training import GRADIENT_DESCENT
from twinflow.ops.variables.training_forms import as_number, update
from twinflow.ops.variables.training_lists import DESCEND, floats, together
from twinflow.train.optimizer import Optimizer, add_rows


class GradientDescentOptimizer(Optimizer):
    """Gradient descent.

    w <- w - learning_rate * dw

    Args:
        learning_rate: a number, scalar tensor, or function of no arguments.
        use_locking: accepted. name: the name of the train op.
    Example:
        w = tfe.Variable(3.0)
        tf.train.GradientDescentOptimizer(0.25).minimize(lambda: w * w)
        w.numpy()  # 1.5
    Reference: Cauchy, Méthode générale pour la résolution des systèmes d'équations
    simultanées (1847).
    """

    def __init__(
        self, learning_rate: Any, use_locking: bool = False,
        name: str = "GradientDescent",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._learning_rate_tensor: Any = None

    def _prepare(self):
        self._learning_rate_tensor = self._number(self._learning_rate, "learning_rate")

    def _rate(self, var):
        return as_number(self._learning_rate_tensor, var.dtype.base_dtype)

    def _update(self, grad, var, indices=None):
        rate, locks = self._learning_rate_tensor, self._use_locking
        return update(GRADIENT_DESCENT, [var], [rate, grad], None, locks)

    _resource_apply_dense = _update  # saves a call

    def _update_all(self, pairs):
        rates = floats(self._learning_rate_tensor)
        return together(DESCEND, lambda dtype: rates, pairs, ())

    def _apply_sparse_duplicate_indices(self, grad, var):
        rows = IndexedSlices(grad.values * self._rate(var), grad.indices)
        return var.scatter_sub(rows, use_locking=self._use_locking)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices):
        rate = self._learning_rate
        rate = rate if isinstance(rate, float) else self._rate(handle)
        return add_rows(handle, indices, -grad * rate)
