"""MirroredStrategy: a tower for each device, each with a copy of the variables."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from twinflow.base import devices as device_names
from twinflow.base.dispatch import current_mode
from twinflow.distribute.contexts import UpdateContext
from twinflow.distribute.cross_tower_ops import (
    CrossTowerOps,
    ReductionToOneDeviceCrossTowerOps,
)
from twinflow.distribute.datasets import PerDeviceDataset
from twinflow.distribute.replicas import ReduceOp
from twinflow.distribute.strategy import DistributionStrategy, made_by_first
from twinflow.distribute.towers import run_towers
from twinflow.distribute.values import (
    DistributedValues,
    Mirrored,
    PerDevice,
    canonical,
    regroup,
    select_device,
)
from twinflow.distribute.variables import (
    DistributedVariable,
    MirroredVariable,
    TowerLocalVariable,
    copies_of,
)
from twinflow.graph.scopes import device, group
from twinflow.ops.core.constant import identity
from twinflow.ops.variables.creators import (
    VariableAggregation,
    VariableSynchronization,
)


class MirroredStrategy(DistributionStrategy):
    """A tower for each device, with copies of the variables that stay the same.

    Each tower computes with its part of the data; optimizers add up the gradients of
    all towers, so that a step is that of one device with the whole batch.

    Args:
        devices: a list of names, or None for all GPUs, else the CPU.
        num_gpus, num_gpus_per_worker: so many GPUs in place of `devices`; 0 is the CPU.
        cross_tower_ops, cross_device_ops: how values of towers become one, a
            CrossTowerOps.
        prefetch_on_device: accepted. auto_shard_dataset: accepted, there is one worker.
    Raises:
        ValueError: several of the first three are given, or a device twice.
    Example:
        strategy = tf.contrib.distribute.MirroredStrategy(devices=["/cpu:0", "/cpu:1"])
        with tf.Graph().as_default(), strategy.scope():
            v = tf.get_variable("v", initializer=1.0)
        len(strategy.unwrap(v))  # 2
    """

    def __init__(
        self, devices: Any = None, num_gpus: int | None = None,
        num_gpus_per_worker: int | None = None, cross_tower_ops: Any = None,
        prefetch_on_device: Any = None, auto_shard_dataset: bool = False,
        cross_device_ops: Any = None,
    ) -> None:  # fmt: skip
        cross_tower_ops = cross_tower_ops or cross_device_ops
        if num_gpus is not None and num_gpus_per_worker is not None:
            raise ValueError(
                "You cannot specify both `num_gpus` and `num_gpus_per_worker`."
            )
        count = num_gpus if num_gpus is not None else num_gpus_per_worker
        if devices is not None and count is not None:
            raise ValueError("Must only specify one of `devices` and `num_gpus`.")
        if devices is None:
            devices = _all_devices(count)
        self._devices = tuple(map(canonical, devices))
        if not self._devices:
            raise ValueError("Must specify at least one device.")
        if len(set(self._devices)) != len(self._devices):
            raise ValueError(
                f"No duplicates allowed in `devices` argument: {[*devices]}"
            )
        if cross_tower_ops is None:
            cross_tower_ops = ReductionToOneDeviceCrossTowerOps()
        elif not isinstance(cross_tower_ops, CrossTowerOps):
            raise ValueError(
                "cross_tower_ops must be a tf.contrib.distribute.CrossTowerOps, got "
                f"{cross_tower_ops!r}."
            )
        self._cross_tower_ops = cross_tower_ops

    num_towers = property(lambda self: len(self._devices), doc="How many towers.")
    is_single_tower = property(
        lambda self: len(self._devices) == 1, doc="Whether there is just one."
    )

    def _placed(self) -> AbstractContextManager:
        return super()._placed() if len(self._devices) == 1 else nullcontext()

    # ------------------------------------------------------------------ variables
    def _made(self, creator: Callable, *args: Any, **kwargs: Any) -> Any:
        kwargs["use_resource"] = True
        if len(self._devices) == 1:
            return creator(*args, **kwargs)
        aggregation = kwargs.pop("aggregation", None) or VariableAggregation.NONE
        on_read = kwargs.get("synchronization") is VariableSynchronization.ON_READ
        kind = TowerLocalVariable if on_read else MirroredVariable
        make = lambda **options: creator(*args, **options)
        return copies_of(self, kind, make, kwargs, aggregation)

    def creators_of_tower(
        self, tower: int, made: dict[Any, Any]
    ) -> AbstractContextManager[Any]:
        """A block in which a tower makes variables: the first for all of them."""
        return made_by_first(tower, made)

    def read_var(self, tower_local_var: Any) -> Any:
        """The value of a variable; of a tower-local one that of all towers."""
        if isinstance(tower_local_var, TowerLocalVariable):
            return tower_local_var.joined()
        if isinstance(tower_local_var, DistributedVariable):
            return identity(tower_local_var.get()._as_tensor())
        return identity(tower_local_var)

    def value_container(self, val: Any) -> Any:
        """The variable of all towers that a copy belongs to."""
        return getattr(val, "_distributed_container", val)

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """A block that makes variables where another one is: on all devices."""
        return device(None)

    def non_slot_devices(self, var_list: Any) -> Any:
        """Where the variables of an optimizer as a whole are."""
        return list(self._devices)

    # ------------------------------------------------------------------ data
    def distribute_dataset(self, dataset_fn: Callable[..., Any]) -> Any:
        """A dataset that gives each tower an element at each step.

        Args:
            dataset_fn: a function that gives a tf.data.Dataset.
        """
        if len(self._devices) == 1:
            return dataset_fn()
        return PerDeviceDataset(dataset_fn(), self._devices)

    # ------------------------------------------------------------------ towers
    def call_for_each_tower(
        self, fn: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call a function as the code of each tower.

        Args:
            fn: the function. args, kwargs: its arguments; of values by device each
                tower gets its own.
        Returns:
            What it returned, by device.
        """
        if len(self._devices) == 1:
            return super().call_for_each_tower(fn, *args, **kwargs)
        kwargs.pop("run_concurrently", None)
        return run_towers(self, fn, args, kwargs)

    def map(
        self, map_over: Any, fn: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call a function for each of some values, spread over the devices."""
        index: dict = {d: [] for d in self._devices}
        for i, m in enumerate(map_over):
            name = self._devices[i % len(self._devices)]
            with device(name):
                index[name].append(fn(m, *args, **select_device(name, kwargs)))
        if len(self._devices) == 1:
            return index[self._devices[0]]
        return PerDevice({d: v for d, v in index.items() if v})

    def broadcast(self, tensor: Any, destinations: Any = None) -> Any:
        """A tensor on all devices."""
        if len(self._devices) == 1:
            return tensor
        return self._cross_tower_ops.broadcast(tensor, destinations or self._devices)

    def reduce(
        self, aggregation: Any, value: Any, destinations: Any = None, axis: Any = None
    ) -> Any:
        """One value of those of the towers.

        Args:
            aggregation: a tf.VariableAggregation but NONE, or a tf.distribute.ReduceOp;
                then the result is one tensor, and the third argument is the axis.
            value: by device. axis: see DistributionStrategy.reduce.
            destinations: where it is wanted: a device, several, or a variable.
        """
        if len(self._devices) == 1 or isinstance(aggregation, ReduceOp):
            return super().reduce(aggregation, value, destinations, axis)
        return self._cross_tower_ops.reduce(
            aggregation, self._by_device(value), self._places(destinations)
        )

    def batch_reduce(self, aggregation: Any, value_destination_pairs: Any) -> list[Any]:
        """`reduce`, of several pairs of value and destination."""
        if len(self._devices) == 1:
            return super().batch_reduce(aggregation, value_destination_pairs)
        pairs = [
            (self._by_device(v), self._places(d)) for v, d in value_destination_pairs
        ]
        return self._cross_tower_ops.batch_reduce(aggregation, pairs)

    def _by_device(self, value: Any) -> Any:
        """The value of each tower, where it is the same object in all."""
        if isinstance(value, DistributedValues):
            return value
        return PerDevice(dict.fromkeys(self._devices, value))

    def _places(self, destinations: Any) -> list[str]:
        if isinstance(destinations, DistributedValues):
            return destinations.devices
        if destinations is None:
            return list(self._devices)
        if isinstance(destinations, str):
            return [canonical(destinations)]
        if isinstance(destinations, list | tuple):
            return [canonical(d) for d in destinations]
        return [canonical(destinations.device or self._devices[0])]

    def unwrap(self, value: Any) -> list[Any]:
        """The values of the towers in a list."""
        return value.values() if isinstance(value, DistributedValues) else [value]

    def group(self, value: Any, name: str | None = None) -> Any:
        """A node that runs the nodes of the towers."""
        if not isinstance(value, DistributedValues):
            return super().group(value, name)
        return group(*value.values(), name=name or "group_deps")

    # ------------------------------------------------------------------ updates
    def update(
        self, var: Any, fn: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call a function on each copy of a variable, in code of all towers.

        Args:
            fn: takes the copy, then the rest; of values by device each gets its own.
            grouped: whether a node is wanted, rather than a list; True by default.
        """
        if len(self._devices) == 1:
            return super().update(var, fn, *args, **kwargs)
        if not isinstance(var, DistributedVariable):
            raise ValueError(
                f"{var!r} has no copies on the devices of the strategy. Make it by "
                "tf.Variable or tf.get_variable inside `strategy.scope()`."
            )
        return self._updated(
            lambda name, a, k: fn(var.get(name), *a, **k), args, kwargs
        )

    def update_non_slot(
        self, colocate_with: Any, fn: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call a function that updates variables of an optimizer as a whole."""
        if len(self._devices) == 1:
            return super().update_non_slot(colocate_with, fn, *args, **kwargs)
        return self._updated(lambda _, a, k: fn(*a, **k), args, kwargs)

    def _updated(self, call: Callable, args: tuple, kwargs: dict) -> Any:
        grouped = kwargs.pop("grouped", True)
        mode, done = current_mode(), []
        for i, name in enumerate(self._devices):
            inside = mode.name_scope(f"update_{i}")
            with device(name), UpdateContext(name, i), inside:
                found = call(name, select_device(name, args), _of(name, kwargs))
            done.append((name, found))
        if not grouped:
            return [found for _, found in done]
        if mode.eager:
            return regroup(done, Mirrored)
        return group(*(found for _, found in done if found is not None))


def _of(name: str, kwargs: dict) -> dict:
    return {key: select_device(name, value) for key, value in kwargs.items()}


def _all_devices(count: int | None) -> list[str]:
    found = device_names.num_gpus() if count is None else count
    if not found:
        return ["/device:CPU:0"]
    return [f"/device:GPU:{i}" for i in range(found)]
