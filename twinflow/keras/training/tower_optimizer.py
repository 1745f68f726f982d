"""Keras's optimizers in towers: their rules, with the gradients of all towers."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.graph.scopes import group
from twinflow.keras.optimizers.base import state_of
from twinflow.ops.variables import state
from twinflow.train.optimizer import Optimizer


class OfKeras(Optimizer):
    """An optimizer of tf.train that updates as one of Keras does.

    Args:
        optimizer: that of Keras, whose settings count. iterations: counts the steps.
    """

    def __init__(self, optimizer: Any, iterations: Any) -> None:
        super().__init__(False, type(optimizer).__name__)
        self._of_keras, self._iterations = optimizer, iterations

    @property
    def _kept(self) -> list[str]:
        """The names of what is kept for each variable."""
        kept = self._of_keras.slots
        return [n for n in kept if n != "vhat" or self._of_keras.amsgrad]

    def _create_slots(self, var_list):
        for v in var_list:
            for name in self._kept:
                self._zeros_slot(v, name, f"{self._name}/{name}")

    def _prepare(self):
        self._rate = self._of_keras._begin(state_of(self._iterations))
        self._extra, self._of_keras._extra = self._of_keras._extra, ()

    def _apply(self, grad, var):
        slots = [self._slots[name][var] for name in self._kept]
        spare = [None] * (len(self._of_keras.slots) - len(slots))
        grad = self._of_keras._clipped(grad)
        new, *others = self._of_keras._new(var, grad, self._rate, *slots, *spare)
        pairs = zip(slots, others, strict=True)
        done = [state.assign(slot, value) for slot, value in pairs]
        if var.constraint is not None:
            new = var.constraint(new)
        done.append(state.assign(var, new))
        return None if current_mode().eager else group(*done)

    def _finish(self, update_ops, name_scope):
        return super()._finish([*update_ops, *self._extra], name_scope)

    def beside(self, own: list, shared: list) -> list[tuple]:
        """Pairs of what the Keras optimizer keeps and what is kept here instead.

        Args:
            own: the variables of the model. shared: those of its copies.
        """
        self._of_keras.prepare_for(own)
        self._make_slots(current_mode(), shared)
        columns = zip(self._of_keras.slots, self._of_keras._kept, strict=True)
        found = [(self._of_keras.iterations, self._iterations)]
        for name, kept in columns:
            if name in self._kept:
                slots = [self.get_slot(v, name) for v in shared]
                found += zip(kept, slots, strict=True)
        return found
