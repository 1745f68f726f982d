"""Adam."""

from twinflow.base.dispatch import current_mode
from twinflow.ops.variables.training import apply_adam, multiply_variable
from twinflow.train.optimizer import Optimizer


class AdamOptimizer(Optimizer):
    """Adaptive moments: steps of about learning_rate in every direction.

    m <- beta1 * m + (1 - beta1) * dw
    v <- beta2 * v + (1 - beta2) * dw ** 2
    w <- w - learning_rate * sqrt(1 - beta2 ** t) / (1 - beta1 ** t)
             * m / (sqrt(v) + epsilon)

    Variant: epsilon is the paper's epsilon-hat, added before the bias correction of v.

    Args:
        learning_rate: a number, scalar tensor, or function that gives one.
        beta1, beta2: the decay rates of the moments. epsilon: keeps from dividing by 0.
        use_locking: accepted. name: the name of the train op.
    Example:
        tf.train.AdamOptimizer(0.001).minimize(lambda: w * w)
    Reference: Kingma and Ba, Adam: a method for stochastic optimization (ICLR 2015),
    algorithm 1 with the reordering at the end of section 2.
    """

    def __init__(
        self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08,
        use_locking=False, name="Adam",
    ):  # fmt: skip
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._beta2 = learning_rate, beta1, beta2
        self._epsilon = epsilon
        self.slots = {"m": self._name, "v": self._name}

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda v: v.name)
        for name, beta in (("beta1_power", self._beta1), ("beta2_power", self._beta2)):
            self._create_non_slot_variable(self._call_if_callable(beta), name, first)
        for v in var_list:
            for slot_name, op_name in self.slots.items():
                self._zeros_slot(v, slot_name, op_name)

    def _get_beta_accumulators(self):
        """The variables beta1 ** t and beta2 ** t."""
        owner = current_mode().variable_owner()
        graph = None if owner.eager else owner
        names = ("beta1_power", "beta2_power")
        return tuple(self._non_slots[n, graph] for n in names)

    def _prepare(self):
        self._numbers = [
            self._number(value, name)
            for value, name in (
                (self._lr, "learning_rate"),
                (self._beta1, "beta1"),
                (self._beta2, "beta2"),
                (self._epsilon, "epsilon"),
            )
        ]
        self._powers_t = [self._number(p, None) for p in self._get_beta_accumulators()]

    def _resource_apply_dense(self, grad, var):
        m, v = self._slots["m"][var], self._slots["v"][var]
        return apply_adam(var, m, v, *self._powers_t, *self._numbers, grad)

    def _finish(self, update_ops, name_scope):
        mode = current_mode()
        betas = self._numbers[1:3]
        if mode.eager:
            for power, beta in zip(self._get_beta_accumulators(), betas, strict=True):
                multiply_variable(power, beta)
            return None
        with mode.control_dependencies(update_ops):
            ends = [
                multiply_variable(power, beta, "Assign")
                for power, beta in zip(
                    self._get_beta_accumulators(), betas, strict=True
                )
            ]
        return super()._finish([*update_ops, *ends], name_scope)
