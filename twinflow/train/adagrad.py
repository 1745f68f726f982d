"""Adagrad."""

from typing import Any

from twinflow.ops.core.constant import cast, constant
from twinflow.ops.core.creation import fill
from twinflow.ops.core.shape import shape
from twinflow.ops.variables.training_adaptive import ADAGRAD
from twinflow.ops.variables.training_forms import update
from twinflow.train.optimizer import Optimizer


class AdagradOptimizer(Optimizer):
    """Steps that get smaller in directions that have been moved along much.

    a <- a + dw ** 2
    w <- w - learning_rate * dw / sqrt(a)

    Args:
        learning_rate: a number, scalar tensor, or function that gives one.
        initial_accumulator_value: what `a` starts with, above 0.
        use_locking: accepted. name: the name of the train op and of the slot.
    Raises:
        ValueError: `initial_accumulator_value` is not above 0.
    Example:
        w = tfe.Variable(1.0)
        optimizer = tf.train.AdagradOptimizer(0.5, initial_accumulator_value=12.0)
        optimizer.minimize(lambda: w * w)
        w.numpy()  # 0.75
    Reference: Duchi, Hazan and Singer, Adaptive subgradient methods for online learning
    and stochastic optimization (JMLR 2011), equation 1.
    """

    _settings = ("learning_rate",)

    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1,
        use_locking: bool = False, name: str = "Adagrad",
    ) -> None:  # fmt: skip
        check_start(initial_accumulator_value)
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value

    def _create_slots(self, var_list):
        for v in var_list:
            dtype = v.dtype.base_dtype
            self._get_or_make_slot_with_initializer(
                v, self._first(v, dtype), v.shape, dtype, "accumulator", self._name
            )

    def _first(self, var, dtype):
        """What makes the first value of the slot of a variable."""
        start = self._initial_accumulator_value
        if var.shape.is_fully_defined():
            return lambda shape, dtype: constant(start, dtype, shape)
        return cast(fill(shape(var), start), dtype)

    def _update(self, grad, var, indices=None):
        cells = [var, self.get_slot(var, "accumulator")]
        inputs = [self._learning_rate_tensor, grad]
        return update(ADAGRAD, cells, inputs, indices, self._use_locking)


def check_start(value):
    """Refuse an accumulator that starts with 0 or less."""
    if value <= 0.0:
        raise ValueError(f"initial_accumulator_value must be positive: {value}")
