"""Adam."""

from contextlib import nullcontext
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.graph.scopes import group
from twinflow.ops.core.elementwise import sqrt
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.variables import state
from twinflow.ops.variables.training import adam_rates, apply_adam, multiply_variable
from twinflow.ops.variables.training_forms import as_number
from twinflow.ops.variables.training_lists import ADAPT, together
from twinflow.train.optimizer import Optimizer, add_rows


class AdamOptimizer(Optimizer):
    """Adaptive moments: steps of about learning_rate in every direction.

    m <- beta1 * m + (1 - beta1) * dw
    v <- beta2 * v + (1 - beta2) * dw ** 2
    w <- w - learning_rate * sqrt(1 - beta2 ** t) / (1 - beta1 ** t)
             * m / (sqrt(v) + epsilon)

    Variant: epsilon is the paper's epsilon-hat, added before the bias correction of v.
    Sparse gradients change the moments of all rows, as if the others were 0.

    Args:
        learning_rate: a number, scalar tensor, or function that gives one.
        beta1, beta2: the decay rates of the moments. epsilon: keeps from dividing by 0.
        use_locking: accepted. name: the name of the train op and of the slots.
    Example:
        w = tfe.Variable(3.0)
        tf.train.AdamOptimizer(0.5).minimize(lambda: w * w)
        round(float(w.numpy()), 3)  # 2.5
    Reference: Kingma and Ba, Adam: a method for stochastic optimization (ICLR 2015),
    algorithm 1 with the reordering at the end of section 2.
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-08, use_locking: bool = False, name: str = "Adam",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._beta2 = learning_rate, beta1, beta2
        self._epsilon = epsilon

    def _get_beta_accumulators(self):
        """The variables beta1 ** t and beta2 ** t."""
        owner = current_mode().variable_owner()
        graph = None if owner.eager else owner
        names = ("beta1_power", "beta2_power")
        return tuple(self._get_non_slot_variable(n, graph) for n in names)

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda v: v.name)
        for name, beta in (("beta1_power", self._beta1), ("beta2_power", self._beta2)):
            self._create_non_slot_variable(self._call_if_callable(beta), name, first)
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _prepare(self):
        self._lr_t = self._number(self._lr, "learning_rate")
        self._beta1_t = self._number(self._beta1, "beta1")
        self._beta2_t = self._number(self._beta2, "beta2")
        self._epsilon_t = self._number(self._epsilon, "epsilon")
        self._powers_t = [self._number(p, None) for p in self._get_beta_accumulators()]

    def _numbers(self):
        power1, power2 = self._powers_t
        rates = self._lr_t, self._beta1_t, self._beta2_t
        return power1, power2, *rates, self._epsilon_t

    def _update(self, grad, var, indices=None):
        m, v = self._slots["m"][var], self._slots["v"][var]
        if indices is None:
            inputs = *self._numbers(), grad
            return apply_adam(var, m, v, *inputs, use_locking=self._use_locking)
        return self._update_rows(grad, var, m, v, indices)

    _resource_apply_dense = _update  # saves a call

    def _update_all(self, pairs):
        numbers, slots = self._numbers(), [self._slots["m"], self._slots["v"]]
        return together(ADAPT, lambda dtype: adam_rates(numbers, dtype), pairs, slots)

    def _update_rows(self, grad, var, m, v, indices):
        dtype = var.dtype.base_dtype
        numbers = [as_number(n, dtype) for n in self._numbers()]
        power1, power2, rate, beta1, beta2, epsilon = numbers
        rate = rate * sqrt(1 - power2) / (1 - power1)
        m_t = self._decayed(m, beta1, grad * (1 - beta1), indices)
        v_t = self._decayed(v, beta2, (grad * grad) * (1 - beta2), indices)
        size = sqrt(v_t)
        done = state.assign_sub(
            var, rate * m_t / (size + epsilon), use_locking=self._use_locking
        )
        return group(done, m_t, v_t)

    def _decayed(self, slot, beta, rows, indices):
        """slot <- slot * beta, and the rows added to it."""
        whole = state.assign(slot, slot * beta, use_locking=self._use_locking)
        mode, rows = current_mode(), IndexedSlices(rows, indices)
        with mode.control_dependencies([whole]):
            if slot.dtype._is_ref_dtype:
                return slot.scatter_add(rows, use_locking=self._use_locking)
            return self._resource_scatter_add(slot, indices, rows.values)

    def _resource_scatter_add(self, x, i, v):
        """Add `v` to the rows `i` of the variable `x`; returns the value then."""
        done = add_rows(x, i, v)
        if current_mode().eager:
            return x.value()
        with current_mode().control_dependencies([done]):
            return x.value()

    def _finish(self, update_ops, name_scope):
        mode = current_mode()
        betas, powers = (self._beta1_t, self._beta2_t), self._get_beta_accumulators()
        if mode.eager:
            for power, beta in zip(powers, betas, strict=True):
                multiply_variable(power, beta)
            return None
        here = powers[0].graph is mode
        beside = mode.colocate_with(powers[0]) if here else nullcontext()
        with mode.control_dependencies(update_ops), beside:
            ends = [
                multiply_variable(power, beta, "Assign")
                for power, beta in zip(powers, betas, strict=True)
            ]
        return super()._finish([*update_ops, *ends], name_scope)
