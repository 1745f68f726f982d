"""AdaMax: Adam with the greatest gradient in place of the mean of squares."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.graph.scopes import group
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.index import IndexedSlices, gather
from twinflow.ops.core.magnitude import abs as magnitude
from twinflow.ops.variables.training import multiply_variable
from twinflow.ops.variables.training_adaptive import ADA_MAX
from twinflow.ops.variables.training_forms import as_number, update
from twinflow.train.adam import AdamOptimizer
from twinflow.train.optimizer import Optimizer


class AdaMaxOptimizer(AdamOptimizer):
    """Adam whose steps are divided by the greatest gradient of late.

    m <- beta1 * m + (1 - beta1) * dw
    v <- max(beta2 * v, |dw|)
    w <- w - learning_rate / (1 - beta1 ** t) * m / (v + epsilon)

    A sparse gradient changes the moments of its own rows alone.

    Args:
        learning_rate, beta1, beta2, epsilon, use_locking, name: see AdamOptimizer.
    Example:
        w = tfe.Variable(3.0)
        tf.contrib.opt.AdaMaxOptimizer(0.5).minimize(lambda: w * w)
        w.numpy()  # 2.5
    Reference: Kingma and Ba, Adam: a method for stochastic optimization (ICLR 2015),
    section 7.1.
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-08, use_locking: bool = False, name: str = "AdaMax",
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _get_beta_accumulators(self):
        """The variable beta1 ** t."""
        owner = current_mode().variable_owner()
        graph = None if owner.eager else owner
        return self._get_non_slot_variable("beta1_power", graph)

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda v: v.name)
        beta = self._call_if_callable(self._beta1)
        self._create_non_slot_variable(beta, "beta1_power", first)
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _prepare(self):
        self._lr_t = self._number(self._lr, "learning_rate")
        self._beta1_t = self._number(self._beta1, "beta1")
        self._beta2_t = self._number(self._beta2, "beta2")
        self._epsilon_t = self._number(self._epsilon, "epsilon")
        self._power_t = self._number(self._get_beta_accumulators(), None)

    def _numbers(self):
        rates = self._lr_t, self._beta1_t, self._beta2_t
        return self._power_t, *rates, self._epsilon_t

    def _update(self, grad, var, indices=None):
        m, v = self._slots["m"][var], self._slots["v"][var]
        if indices is None:
            inputs = [*self._numbers(), grad]
            return update(ADA_MAX, [var, m, v], inputs, None, self._use_locking)
        return self._update_rows(grad, var, m, v, indices)

    _resource_apply_dense = _update

    def _update_rows(self, grad, var, m, v, indices):
        dtype = var.dtype.base_dtype
        numbers = [as_number(n, dtype) for n in self._numbers()]
        power, rate, beta1, beta2, epsilon = numbers
        m_t = gather(m, indices) * beta1 + grad * (1 - beta1)
        v_t = maximum(gather(v, indices) * beta2, magnitude(grad))
        step = rate / (1 - power) * (m_t / (v_t + epsilon))
        with current_mode().control_dependencies([step]):
            return group(
                m.scatter_update(IndexedSlices(m_t, indices)),
                v.scatter_update(IndexedSlices(v_t, indices)),
                var.scatter_sub(IndexedSlices(step, indices)),
            )

    def _finish(self, update_ops, name_scope):
        mode, power = current_mode(), self._get_beta_accumulators()
        if mode.eager:
            multiply_variable(power, self._beta1_t)
            return None
        with mode.control_dependencies(update_ops), mode.colocate_with(power):
            end = multiply_variable(power, self._beta1_t, "Assign")
        return Optimizer._finish(self, [*update_ops, end], name_scope)
