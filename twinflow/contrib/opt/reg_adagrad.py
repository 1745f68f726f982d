"""Adagrad that can take steps without learning from them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from twinflow.ops.variables.training_adaptive import ADAGRAD
from twinflow.ops.variables.training_forms import update
from twinflow.train.adagrad import AdagradOptimizer


class RegAdagradOptimizer(AdagradOptimizer):
    """AdagradOptimizer whose accumulators can be left alone, for regularizers.

    Args:
        learning_rate, initial_accumulator_value, use_locking, name: see
            AdagradOptimizer.
    Example:
        w = tfe.Variable(1.0)
        optimizer = tf.contrib.opt.RegAdagradOptimizer(0.5, 16.0)
        with optimizer.avoid_updating_slots():
            optimizer.minimize(lambda: w * w)
        w.numpy(), optimizer.get_slot(w, "accumulator").numpy()  # (0.75, 16.0)
    """

    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1,
        use_locking: bool = False, name: str = "RegAdagrad",
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, initial_accumulator_value, use_locking, name)
        self._should_update_slots = True

    @contextmanager
    def avoid_updating_slots(self) -> Iterator[None]:
        """Within it, steps do not change the accumulators."""
        before, self._should_update_slots = self._should_update_slots, False
        try:
            yield
        finally:
            self._should_update_slots = before

    def _update(self, grad, var, indices=None):
        cells = [var, self.get_slot(var, "accumulator")]
        attrs = {"update_slots": self._should_update_slots}
        inputs = [self._learning_rate_tensor, grad]
        return update(ADAGRAD, cells, inputs, indices, self._use_locking, attrs)
