"""The variables of optimizers: slots beside variables, and those of the whole."""

import functools
from contextlib import contextmanager, nullcontext
from typing import Any

from twinflow.base import dispatch
from twinflow.base.dispatch import current_mode
from twinflow.base.trackable import Trackable, changed
from twinflow.ops.core.constant import constant
from twinflow.ops.variables.kinds import Variable
from twinflow.train.slot_creator import (
    create_slot,
    create_slot_with_initializer,
    create_zeros_slot,
)


class WithSlots(Trackable):
    """What an optimizer does with its own variables."""

    _slots: dict[Any, Any]
    _non_slots: dict[Any, Any]

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot `name` of `var`; None if it has not got one."""
        slots = self._slots.get(name, {})
        return slots.get(var, slots.get(_whole(var)))

    def get_slot_names(self) -> list[str]:
        """The names of the slots there are, sorted."""
        return sorted(self._slots)

    def _slot_dict(self, slot_name):
        """The slots of one name: {variable: slot}."""
        return self._slots.setdefault(slot_name, _OfVariables())

    def _zeros_slot(self, var, slot_name, op_name):
        """The slot `slot_name` of `var`, made with zeros if there is none."""
        return self._slot(var, slot_name, lambda: create_zeros_slot(var, op_name))

    def _constant_slot(self, var, number, slot_name, op_name):
        """The slot `slot_name` of `var`, made with one number if there is none."""
        value = constant(number, var.dtype.base_dtype, var.shape.as_list())
        return self._get_or_make_slot(var, value, slot_name, op_name)

    def _get_or_make_slot(self, var, val, slot_name, op_name):
        """The slot `slot_name` of `var`, made with the value `val` if there is none."""
        return self._slot(var, slot_name, lambda: create_slot(var, val, op_name))

    def _get_or_make_slot_with_initializer(
        self, var, initializer, shape, dtype, slot_name, op_name
    ):
        """The slot `slot_name` of `var`; see create_slot_with_initializer."""
        make = functools.partial(
            create_slot_with_initializer, var, initializer, shape, dtype, op_name
        )
        return self._slot(var, slot_name, make)

    def _slot(self, var, slot_name, make):
        slot = self._slot_dict(slot_name)
        var = _whole(var)
        if var not in slot:
            slot[var] = make()
            changed(self)
        return slot[var]

    def _create_non_slot_variable(self, initial_value, name, colocate_with=None):
        """A variable of the optimizer as a whole, one in each graph.

        Args:
            initial_value: see tf.Variable. name: its name.
            colocate_with: in a graph, the variable whose device it shares.
        """
        owner = current_mode().variable_owner()
        key = (name, None if owner.eager else owner)
        if key not in self._non_slots:
            beside = nullcontext()
            if colocate_with is not None and not owner.eager:
                beside = owner.colocate_with(colocate_with)
            with outside(current_mode(), current_mode().scope), beside:
                self._non_slots[key] = Variable(
                    initial_value, trainable=False, name=name
                )
            changed(self)
        return self._non_slots[key]

    def _get_non_slot_variable(self, name: Any, graph: Any = None) -> Any:
        """The variable made by `_create_non_slot_variable`, or None.

        Args:
            graph: the Graph it is in; None, or any in eager mode, for that of no graph.
        """
        found = self._non_slots.get((name, graph))
        if found is None and current_mode().variable_owner().eager:
            found = self._non_slots.get((name, None))
        return found

    def _non_slot_variables(self):
        """All variables of the optimizer as a whole."""
        return self._non_slots.values()


class _OfVariables(dict):
    """{variable: slot}; a copy of a variable has the slot of the variable."""

    def __missing__(self, var: Any) -> Any:
        if _whole(var) is var:
            raise KeyError(var)
        return self[_whole(var)]


def _whole(var: Any) -> Any:
    """The variable of all towers that a copy belongs to; others as they are."""
    return getattr(var, "_distributed_container", var)


@contextmanager
def outside(mode, scope=""):
    """Where variables live that outlast a function or branch."""
    owner = mode.variable_owner()
    alone = owner.control_dependencies(None)
    with dispatch.entered(owner), owner.name_scope(scope), alone:
        yield owner
