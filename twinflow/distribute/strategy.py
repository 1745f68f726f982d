"""Strategies that say where variables are and how often a step is computed.

Here there is one tower, so that a value of each tower is a plain value; those of
several are in `mirrored`.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any

from twinflow.base import nest
from twinflow.base.dispatch import current_mode
from twinflow.distribute import contexts
from twinflow.distribute.contexts import TowerContext, UpdateContext
from twinflow.distribute.replicas import HasReplicas, ReduceOp
from twinflow.graph.scopes import colocate_with, control_dependencies, device, group
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.constant import constant, identity
from twinflow.ops.variables.creators import (
    VariableAggregation,
    variable_creator_scope,
)


class DistributionStrategy(HasReplicas):
    """The base of strategies: one tower, wherever the program puts it."""

    _devices: tuple[Any, ...] = ()

    # ------------------------------------------------------------------ facts
    num_towers = property(lambda self: 1, doc="How many towers there are.")
    is_single_tower = property(lambda self: True, doc="Whether there is just one.")
    worker_devices = property(
        lambda self: list(self._devices), doc="The devices of the towers."
    )
    parameter_devices = property(
        lambda self: list(self._devices), doc="The devices of the variables."
    )
    between_graph = property(lambda self: False, doc="Whether workers have graphs.")
    should_init = property(lambda self: True, doc="Whether this worker initialises.")
    should_checkpoint = property(lambda self: True, doc="Whether this worker saves.")
    should_save_summary = property(lambda self: True, doc="Whether it writes events.")

    # ------------------------------------------------------------------ blocks
    @contextmanager
    def scope(self) -> Iterator["DistributionStrategy"]:
        """A block in which the strategy is at work and makes the variables.

        Raises:
            RuntimeError: another strategy is at work.
        """
        if contexts.has_distribution_strategy():
            if contexts.get_cross_tower_context() is not self:
                raise RuntimeError(
                    "Cannot nest DistributionStrategy scopes: "
                    f"{get_distribution_strategy()} is at work, got {self}."
                )
            yield self
            return
        inside = contexts.entered(self, None)
        with variable_creator_scope(self._made), self._placed(), inside:
            yield self

    def _made(self, creator: Callable, *args: Any, **kwargs: Any) -> Any:
        kwargs["use_resource"] = True
        return creator(*args, **kwargs)

    def _placed(self) -> AbstractContextManager:
        if not self._devices or current_mode().eager:
            return nullcontext()
        return device(self._devices[0])

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """A block that makes variables where another one is."""
        if current_mode().eager:
            return nullcontext()
        return colocate_with(colocate_with_variable)

    def at_work_in(self, tower: TowerContext) -> AbstractContextManager[Any]:
        """A block of the code of one of several towers."""
        return contexts.entered(self, tower)

    def creators_of_tower(self, tower: int, made: dict[Any, Any]) -> Any:
        """A block in which the code of a tower makes variables.

        Args:
            tower: its number. made: {name: what the first tower made}, shared by all.
        """
        return nullcontext()

    def __deepcopy__(self, memo: dict) -> "DistributionStrategy":
        return self  # settings are copied, what they speak of is one

    # ------------------------------------------------------------------ data
    def distribute_dataset(self, dataset_fn: Callable[..., Any]) -> Any:
        """The dataset of a tower.

        Args:
            dataset_fn: a function that gives a tf.data.Dataset.
        """
        return dataset_fn()

    def run_steps_on_dataset(
        self, fn: Callable[..., Any], iterator: Any, iterations: Any = 1,
        initial_loop_values: Any = None,
    ) -> "MultiStepContext":  # fmt: skip
        """Run a step several times, in one node.

        Args:
            fn: takes a MultiStepContext, then the next element; gives nodes to run.
            iterator: of the dataset. iterations: how many times.
            initial_loop_values: what the outputs of the last step are before it.
        Returns:
            The MultiStepContext: its `run_op` runs the steps.
        """
        values = {} if initial_loop_values is None else initial_loop_values
        context = MultiStepContext()

        def body(i: Any, *_: Any) -> list:
            inputs = iterator.get_next()
            inputs = inputs if isinstance(inputs, tuple) else (inputs,)
            done = fn(context, *inputs)
            outputs = nest.flatten(context.last_step_outputs)
            waits = [] if done is None else nest.flatten(done)
            with control_dependencies([x for x in waits if x is not None]):
                return [i + 1, *[identity(x) for x in outputs]]

        first = [constant(0), *nest.flatten(values)]
        with self._placed():
            ends = while_loop(
                lambda i, *_: i < iterations, body, first, parallel_iterations=1
            )
        ends = list(ends) if isinstance(ends, list | tuple) else [ends]
        context.run_op = group(*ends)
        if values:
            context._last_step_outputs = nest.pack_sequence_as(values, ends[1:])
        return context

    # ------------------------------------------------------------------ towers
    def call_for_each_tower(
        self, fn: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call a function as the code of each tower.

        Returns:
            What it returns.
        """
        kwargs.pop("run_concurrently", None)
        tower = TowerContext(self, 0)
        with self._placed(), contexts.entered(self, tower):
            return fn(*args, **kwargs)

    def map(
        self, map_over: Any, fn: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call a function for each of some values, spread over the devices."""
        with self._placed():
            return [fn(m, *args, **kwargs) for m in map_over]

    def broadcast(self, tensor: Any, destinations: Any = None) -> Any:
        """A tensor on all devices."""
        return tensor

    def reduce(
        self, aggregation: Any, value: Any, destinations: Any = None, axis: Any = None
    ) -> Any:
        """One value of those of the towers.

        Args:
            aggregation: a tf.VariableAggregation but NONE, or a tf.distribute.ReduceOp;
                then the result is one tensor, and the third argument is the axis.
            value: of each tower. destinations: where it is wanted.
            axis: of each tower's tensor, to be reduced too; only for a ReduceOp.
        """
        if isinstance(aggregation, ReduceOp):
            axis = destinations if axis is None else axis
            return self._reduce_replicas(aggregation, value, axis)
        if aggregation == VariableAggregation.NONE:
            raise ValueError("a value of towers needs an aggregation")
        return value

    def batch_reduce(self, aggregation: Any, value_destination_pairs: Any) -> list[Any]:
        """`reduce`, of several pairs of value and destination."""
        return [self.reduce(aggregation, v, d) for v, d in value_destination_pairs]

    def unwrap(self, value: Any) -> list[Any]:
        """The values of the towers in a list."""
        return [value]

    def group(self, value: Any, name: str | None = None) -> Any:
        """A node that runs the nodes of the towers."""
        if name is None:
            return getattr(value, "op", value)
        return group(value, name=name)

    # ------------------------------------------------------------------ variables
    def update(
        self, var: Any, fn: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call a function on a variable where it is, in code of all towers.

        Args:
            fn: takes the variable, then the rest.
            grouped: whether a node is wanted, rather than a list; True by default.
        """
        grouped = kwargs.pop("grouped", True)
        with self.colocate_vars_with(var), UpdateContext(self._devices[:1]):
            found = fn(var, *args, **kwargs)
        return found if grouped else [found]

    def update_non_slot(
        self, colocate_with: Any, fn: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call a function that updates variables of an optimizer as a whole."""
        grouped = kwargs.pop("grouped", True)
        with self._placed(), UpdateContext(colocate_with):
            found = fn(*args, **kwargs)
        return found if grouped else [found]

    def non_slot_devices(self, var_list: Any) -> Any:
        """Where the variables of an optimizer as a whole are."""
        if self._devices:
            return list(self._devices)
        return min(var_list, key=lambda v: v.name)

    def read_var(self, v: Any) -> Any:
        """The value of a variable."""
        return identity(v)

    def value_container(self, value: Any) -> Any:
        """What holds the values of a variable in all towers."""
        return value

    def first_values(self, arrays: list[Any]) -> list[Any]:
        """Arrays of this process, or those of the first of several."""
        return arrays

    # ------------------------------------------------------------------ programs
    def initialize(self) -> list[Any]:
        """The nodes to run first."""
        return []

    def finalize(self) -> list[Any]:
        """The nodes to run last."""
        return []

    def configure(
        self, session_config: Any = None, cluster_spec: Any = None,
        task_type: Any = None, task_id: Any = None,
    ) -> None:  # fmt: skip
        """Accepted: there is one process."""


@contextmanager
def made_by_first(tower: int, made: dict) -> Iterator[None]:
    """A block in which a tower gets the variables that the first one makes.

    Args:
        tower: its number. made: {name: what the first tower made}, shared by all.
    """
    seen: dict[str, int] = {}

    def create(creator: Callable, *args: Any, **kwargs: Any) -> Any:
        name = _plain(kwargs.get("name") or "Variable")
        alike = made.setdefault(name, [])
        if tower == 0:
            alike.append(creator(*args, **kwargs))
            return alike[-1]
        place = seen[name] = seen.get(name, -1) + 1
        if place >= len(alike):
            raise RuntimeError(
                f"Tower {tower} makes a variable {kwargs.get('name')!r} that the "
                "first tower did not make: all towers must make the same ones."
            )
        return alike[place]

    with variable_creator_scope(create):
        yield


def _plain(name: str) -> str:
    """A name without the numbers that make it unique, and without its tower."""
    parts = [p for p in name.split("/") if not re.fullmatch(r"tower_\d+", p)]
    return "/".join(re.sub(r"_\d+$", "", part) for part in parts)


class MultiStepContext:
    """What the steps of `run_steps_on_dataset` share.

    Attributes:
        run_op: the node that runs them.
    """

    def __init__(self) -> None:
        self.run_op: Any = None
        self._last_step_outputs: dict[Any, Any] = {}
        self._non_tensor_outputs: dict[Any, Any] = {}

    last_step_outputs = property(
        lambda self: self._last_step_outputs, doc="{name: tensor} of the last step."
    )
    non_tensor_outputs = property(
        lambda self: self._non_tensor_outputs, doc="{name: value} of the last step."
    )

    def set_last_step_output(
        self, name: str, output: Any, aggregation: Any = VariableAggregation.NONE
    ) -> None:
        """Note a tensor of the step.

        Args:
            aggregation: how the towers' become one; there is one.
        """
        self._last_step_outputs[name] = output

    def set_non_tensor_output(self, name: str, output: Any) -> None:
        """Note another value of the step."""
        self._non_tensor_outputs[name] = output


class OneDeviceStrategy(DistributionStrategy):
    """All on one device.

    Args:
        device: its name. prefetch_on_device: accepted.
    Example:
        strategy = tf.contrib.distribute.OneDeviceStrategy("/cpu:0")
        with strategy.scope():
            v = tf.get_variable("v", initializer=1.0)
        strategy.unwrap(strategy.call_for_each_tower(lambda: 3))  # [3]
    """

    def __init__(self, device: str, prefetch_on_device: Any = None) -> None:
        self._devices = (device,)

    def read_var(self, tower_local_var: Any) -> Any:
        """The value of a variable."""
        return identity(tower_local_var)


_entered, _set = ExitStack(), 0  # the scope that was set, and whether there is one


def experimental_set_strategy(strategy: DistributionStrategy | None) -> None:
    """Let a strategy be at work from here on, as `strategy.scope()` does in a block.

    Args:
        strategy: the strategy; None: that none is.
    Raises:
        RuntimeError: this is inside the `scope()` of a strategy.
    Example:
        strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
        tf.distribute.experimental_set_strategy(strategy)
        tf.distribute.has_strategy()  # True
        tf.distribute.experimental_set_strategy(None)
        tf.distribute.has_strategy()  # False
    """
    global _entered, _set
    if len(contexts.stack_now()) > _set:
        raise RuntimeError(
            "Must not be called inside a `tf.distribute.Strategy` scope."
        )
    _entered.close()
    _entered, _set = ExitStack(), 0
    if strategy is not None:
        _entered.enter_context(strategy.scope())
        _set = 1


_OUTSIDE = TowerContext(DistributionStrategy(), 0)  # of all scopes


def get_distribution_strategy() -> DistributionStrategy:
    """The strategy that is at work; one that changes nothing if there is none."""
    now = contexts.current()
    return _OUTSIDE.distribution_strategy if now is None else now[0]


def get_tower_context() -> TowerContext | None:
    """What the tower knows whose code this is; None in code of all towers.

    Example:
        tf.contrib.distribute.get_tower_context().tower_id  # 0
    """
    now = contexts.current()
    return _OUTSIDE if now is None else now[1]
