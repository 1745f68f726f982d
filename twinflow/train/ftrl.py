"""Follow the regularized leader."""

from typing import Any

from twinflow.ops.variables.training_forms import update
from twinflow.ops.variables.training_proximal import FTRL, FTRL_V2
from twinflow.train.optimizer import Optimizer


class FtrlOptimizer(Optimizer):
    """Follow the regularized leader: weights that are exactly 0 where they may be.

    a' = a + dw ** 2
    z <- z + dw + 2 * shrinkage * w - (a' ** -p - a ** -p) / learning_rate * w
    w <- (sign(z) * l1 - z) / (a' ** -p / learning_rate + 2 * l2) if |z| > l1 else 0
    a <- a'

    with p = learning_rate_power.

    Args:
        learning_rate: a number, scalar tensor, or function that gives one.
        learning_rate_power: p <= 0; 0 is a fixed learning rate.
        initial_accumulator_value: what `a` starts with, at least 0.
        l1_regularization_strength, l2_regularization_strength: numbers >= 0.
        use_locking: accepted. name: the name of the train op.
        accum_name, linear_name: the names of the slots; made from `name` by default.
        l2_shrinkage_regularization_strength: `shrinkage` >= 0, a weight decay that is
            part of the gradient.
    Raises:
        ValueError: a number is out of range.
    Example:
        w = tfe.Variable(1.0)
        optimizer = tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01)
        optimizer.minimize(lambda: w * w)
        w.numpy() < 1.0  # True
    Reference: McMahan et al., Ad click prediction: a view from the trenches (KDD 2013),
    algorithm 1.
    """

    _settings = (
        "learning_rate", "l1_regularization_strength", "l2_regularization_strength",
        "l2_shrinkage_regularization_strength", "learning_rate_power",
    )  # fmt: skip

    def __init__(
        self, learning_rate: Any, learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1, l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0, use_locking: bool = False,
        name: str = "Ftrl", accum_name: Any = None, linear_name: Any = None,
        l2_shrinkage_regularization_strength: float = 0.0,
    ) -> None:  # fmt: skip
        given = locals().copy()
        super().__init__(use_locking, name)
        _at_least(0.0, initial_accumulator_value=initial_accumulator_value)
        if learning_rate_power > 0.0:
            raise ValueError(
                f"learning_rate_power {learning_rate_power:f} needs to be negative or "
                "zero"
            )
        _at_least(
            0.0,
            l1_regularization_strength=l1_regularization_strength,
            l2_regularization_strength=l2_regularization_strength,
            l2_shrinkage_regularization_strength=l2_shrinkage_regularization_strength,
        )
        for setting in (*self._settings, "initial_accumulator_value"):
            setattr(self, f"_{setting}", given[setting])
        self._accum_name, self._linear_name = accum_name, linear_name

    def _create_slots(self, var_list):
        start, name = self._initial_accumulator_value, self._accum_name or self._name
        for v in var_list:
            self._constant_slot(v, start, "accum", name)
            self._zeros_slot(v, "linear", self._linear_name or self._name)

    def _shrinks(self):
        return self._l2_shrinkage_regularization_strength > 0

    def _update(self, grad, var, indices=None):
        cells = [var, self.get_slot(var, "accum"), self.get_slot(var, "linear")]
        inputs = [
            grad, self._learning_rate_tensor, self._l1_regularization_strength_tensor,
            self._l2_regularization_strength_tensor, self._learning_rate_power_tensor,
        ]  # fmt: skip
        if not self._shrinks():
            return update(FTRL, cells, inputs, indices, self._use_locking)
        inputs.insert(4, self._l2_shrinkage_regularization_strength_tensor)
        return update(FTRL_V2, cells, inputs, indices, self._use_locking)


def _at_least(limit, **numbers):
    for name, value in numbers.items():
        if value < limit:
            raise ValueError(f"{name} {value:f} needs to be positive or zero")
