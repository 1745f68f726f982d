"""Variables with a copy on each device."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from twinflow.base import dispatch
from twinflow.distribute import contexts
from twinflow.distribute.values import DistributedValues
from twinflow.graph.scopes import colocate_with, control_dependencies, device, group
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.constant import identity
from twinflow.ops.core.elementwise import realdiv
from twinflow.ops.math.process_values import process_reduce
from twinflow.ops.variables.creators import (
    VariableAggregation,
    collections_of,
    is_trainable,
)
from twinflow.ops.variables.kinds import ResourceVariable

# What the methods of a resource variable read of it: that of the copy that counts.
_OF_COPY = (
    "_handle", "_cell", "_shape", "dtype", "graph", "_snapshot",
    "_initial_value", "_cached", "_is_initialized_op", "constraint",
)  # fmt: skip


class DistributedVariable(DistributedValues, ResourceVariable):
    """A variable with a copy on each device.

    Code of a tower, or of an update, uses the copy of its device, other code that of
    the first. Checkpoints have it once.

    Args:
        index: {name of a device: its copy}. strategy: the DistributionStrategy.
        aggregation: the VariableAggregation of what towers write.
        trainable: whether optimizers update it by default.
    """

    def __init__(
        self, index: dict, strategy: Any, aggregation: Any, trainable: bool
    ) -> None:
        DistributedValues.__init__(self, index)
        self.trainable, self._name = trainable, self.values()[0]._name
        self._strategy, self._aggregation = strategy, aggregation
        self._initializers: Any = None
        for copy in self.values():
            copy._distributed_container = self

    aggregation = property(lambda self: self._aggregation, doc="Of what towers write.")

    @property
    def _initializer_op(self) -> Any:
        if self._initializers is None and self.graph is not None:
            with dispatch.entered(self.graph), self.graph.outside_regions():
                self._initializers = group(*(v.initializer for v in self.values()))
        return self._initializers

    def started_anew(self) -> list:
        """The copies, which are going to have other initializers (graph)."""
        self._initializers = None
        return self.values()

    def loads(self, value: Any) -> list[tuple]:
        """Pairs of (copy, array), which together give the variable a value."""
        return [(copy, value) for copy in self.values()]

    def is_initialized(self, name: str | None = None) -> Any:
        """Whether the copy that counts has a value."""
        return self.get().is_initialized(name)

    def _as_graph_element(self) -> Any:
        return self.get()._as_graph_element()

    def _written(self, how: str, value: Any, args: tuple, kwargs: dict) -> Any:
        raise NotImplementedError

    def assign(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Replace the value; see tf.Variable."""
        return self._written("assign", value, args, kwargs)

    def assign_add(self, delta: Any, *args: Any, **kwargs: Any) -> Any:
        """Add to the value; see tf.Variable."""
        return self._written("assign_add", delta, args, kwargs)

    def assign_sub(self, delta: Any, *args: Any, **kwargs: Any) -> Any:
        """Subtract from the value; see tf.Variable."""
        return self._written("assign_sub", delta, args, kwargs)

    def __repr__(self) -> str:
        copies = ", ".join(f"{d!r}: {v!r}" for d, v in self._index.items())
        return f"{type(self).__name__}:{{{copies}}}"

    __str__ = __repr__


def _of_copy(name: str) -> property:
    def read(self: DistributedVariable) -> Any:
        return getattr(self.get(), name)

    def write(self: DistributedVariable, value: Any) -> None:
        setattr(self.get(), name, value)

    return property(read, write)


for _name in _OF_COPY:
    setattr(DistributedVariable, _name, _of_copy(_name))


class MirroredVariable(DistributedVariable):
    """A variable whose copies are kept the same: what one gets, all get."""

    def _written(self, how: str, value: Any, args: tuple, kwargs: dict) -> Any:
        if contexts.get_update_device() is not None:
            return getattr(self.get(), how)(value, *args, **kwargs)
        if contexts.get_cross_tower_context() is None and contexts.current():
            return self._written_by_towers(how, value, args, kwargs)
        update = self._strategy.update
        node = update(self, lambda v, x: getattr(v, how)(x, *args, **kwargs), value)
        return self if node is None or self.graph is None else node

    def _written_by_towers(self, how: str, value: Any, args: tuple, kwargs: Any) -> Any:
        if self._aggregation == VariableAggregation.NONE:
            raise ValueError(
                "You must specify an aggregation method to update a MirroredVariable "
                f"in Tower Context: {self.name} has aggregation=NONE. Make it with "
                "aggregation=tf.VariableAggregation.MEAN, SUM or ONLY_FIRST_TOWER."
            )

        def merged(strategy: Any, all_values: Any) -> Any:
            total = strategy.reduce(self._aggregation, all_values, self)
            write = lambda v, x: getattr(v, how)(x, *args, **kwargs)
            return strategy.update(self, write, total)

        tower = contexts.of_several_towers()
        if tower is None:
            raise RuntimeError(
                f"{self.name} belongs to a strategy that is not at work."
            )
        return tower.merge_call(merged, value)


class TowerLocalVariable(DistributedVariable):
    """A variable whose copies each tower writes alone; outside, they are joined."""

    _element: Any = None  # the joined value in the graph

    def loads(self, value: Any) -> list[tuple]:
        """Pairs of (copy, array), which joined are the value."""
        if self._aggregation == VariableAggregation.SUM:
            value = value / len(self.values())
        return [(copy, value) for copy in self.values()]

    def _written(self, how: str, value: Any, args: tuple, kwargs: dict) -> Any:
        if contexts.place_of_values(len(self.values())) is None:
            return self._given(how, value, args, kwargs)
        return getattr(self.get(), how)(value, *args, **kwargs)

    def _given(self, how: str, value: Any, args: tuple, kwargs: dict) -> Any:
        """Written by code of all towers, as a checkpoint is restored."""
        if how != "assign":
            raise ValueError(
                f"{how} of a tower-local variable belongs to the code of a tower: "
                f"{self.name} is one for each of them."
            )
        copies = self.values()
        if self._aggregation == VariableAggregation.SUM:
            value = realdiv(value, float(len(copies)))
        done = []
        for name, copy in zip(self.devices, copies, strict=True):
            with device(name):
                done.append(copy.assign(value, *args, **kwargs))
        return None if self.graph is None else group(*done)

    def joined(self) -> Any:
        """The value of all copies, by the aggregation: that of the first, sum, mean."""
        copies = [identity(v._as_tensor()) for v in self.values()]
        if self._aggregation in (VariableAggregation.SUM, VariableAggregation.MEAN):
            total, count = add_n(copies), len(copies)
            if contexts.reads_over_processes():
                (total,), count = process_reduce([total]), self._strategy.num_towers
            mean = self._aggregation == VariableAggregation.MEAN
            return realdiv(total, float(count)) if mean else total
        return copies[0]

    @property
    def _graph_element(self) -> Any:
        if contexts.place_of_values(len(self.values())) is not None:
            return self.get()._graph_element
        if self._element is None:
            with dispatch.entered(self.graph), self.graph.outside_regions():
                self._element = self.joined()
        return self._element

    def _as_graph_element(self) -> Any:
        return self._graph_element

    def _as_tensor(self, dtype: Any = None, name: Any = None) -> Any:
        inside = contexts.place_of_values(len(self.values())) is not None
        return self.get()._as_tensor(dtype, name) if inside else self.joined()


def _as_first(first: Any, number: int) -> dict:
    """The arguments of a further copy, which begins with the value of the first."""
    ends = "" if first.graph is None else "/"  # in a graph: just this name
    return {
        "name": f"{first._name}/replica_{number}{ends}", "dtype": first.dtype,
        "initial_value": lambda: identity(first.initialized_value()),
    }  # fmt: skip


def copies_of(
    strategy: Any, kind: type, make: Callable, options: dict, aggregation: Any
) -> DistributedVariable:
    """A variable with a copy on each device of a strategy.

    Args:
        kind: MirroredVariable or TowerLocalVariable.
        make: makes one copy of the arguments of tf.Variable by name.
        options: these arguments. aggregation: of what towers write.
    """
    mode = dispatch.current_mode()
    given = {**options, "use_resource": True}
    trained = is_trainable(given.get("trainable"), given.get("synchronization"))
    collections = collections_of(trained, given.get("collections"))
    index: dict = {}
    for i, name in enumerate(strategy.worker_devices):
        if not mode.eager:  # the copies join none
            given["collections"], given["trainable"] = [], False
        if i:
            given.update(_as_first(next(iter(index.values())), i))
        beside = nullcontext() if mode.eager else colocate_with(None, True)
        with beside, device(name), control_dependencies(None):
            index[name] = make(**given)
    found = kind(index, strategy, aggregation, trained)
    if found.graph is not None:
        found.graph.add_to_collections(collections, found)
    return found
