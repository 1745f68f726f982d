"""ParameterServerStrategy: towers on some devices, each variable once on another."""

import itertools
from collections.abc import Callable
from typing import Any

from twinflow.base import logging, nest
from twinflow.base.devices import DeviceSpec
from twinflow.base.dispatch import current_mode
from twinflow.distribute.contexts import UpdateContext
from twinflow.distribute.cross_tower_ops import ReductionToOneDeviceCrossTowerOps
from twinflow.distribute.datasets import PerDeviceDataset
from twinflow.distribute.mirrored import MirroredStrategy
from twinflow.distribute.replicas import ReduceOp
from twinflow.distribute.strategy import DistributionStrategy
from twinflow.distribute.towers import run_towers
from twinflow.distribute.values import DistributedValues, PerDevice, canonical
from twinflow.distribute.variables import MirroredVariable
from twinflow.graph.scopes import colocate_with, device, group
from twinflow.ops.variables.creators import (
    VariableAggregation,
    collections_of,
    is_trainable,
)

_CPU = "/device:CPU:0"
_AGGREGATIONS = (
    VariableAggregation.NONE, VariableAggregation.SUM, VariableAggregation.MEAN,
    VariableAggregation.ONLY_FIRST_TOWER,
)  # fmt: skip


class AggregatingVariable(MirroredVariable):
    """One variable that several towers write: what they give becomes one value."""

    def get(self, device: Any = None) -> Any:
        """The variable itself, wherever it is asked for."""
        return next(iter(self._index.values()))


class ParameterServerStrategy(DistributionStrategy):
    """Variables once, on the CPU or with parameter servers; towers on other devices.

    In one process the variables are on the CPU, or on the only GPU. In a cluster, which
    `configure` or an Estimator's TF_CONFIG says, they are with the tasks of the job
    "ps" in turn; each worker has a graph of its own and updates them as it goes, with
    the sum of the gradients of its own towers.

    Args:
        num_gpus_per_worker: so many towers, each on a GPU; 0: one on the CPU.
    Example:
        strategy = tf.contrib.distribute.ParameterServerStrategy()
        with tf.Graph().as_default(), strategy.scope():
            v = tf.get_variable("v", initializer=1.0)
        strategy.parameter_devices  # ["/device:CPU:0"]
    """

    def __init__(self, num_gpus_per_worker: int = 0) -> None:
        self._num_gpus_per_worker = num_gpus_per_worker
        self._cross_tower_ops = ReductionToOneDeviceCrossTowerOps(_CPU)
        self._cluster: dict[Any, Any] = {}
        self._task: tuple[Any, ...] = None, None
        self._chief = True
        alone = num_gpus_per_worker == 1
        self._parameters = ["/device:GPU:0" if alone else _CPU]
        self._variable_device: Any = self._parameters[0]
        self._devices = self._compute_devices("")
        logging.info(
            "ParameterServerStrategy with compute_devices = %r, variable_device = %r",
            list(self._devices), self._variable_device,
        )  # fmt: skip

    def _compute_devices(self, worker: str) -> tuple:
        gpus = range(self._num_gpus_per_worker)
        names = [f"{worker}/device:GPU:{i}" for i in gpus] or [worker + _CPU]
        return tuple(map(canonical, names))

    # ------------------------------------------------------------------ facts
    num_towers = property(lambda self: len(self._devices), doc="How many towers.")
    is_single_tower = property(
        lambda self: len(self._devices) == 1, doc="Whether there is just one."
    )
    parameter_devices = property(
        lambda self: list(self._parameters), doc="The devices of the variables."
    )
    between_graph = property(lambda self: True, doc="Each worker has a graph.")
    should_init = property(lambda self: self._chief, doc="Whether this is the chief.")
    should_checkpoint = property(lambda self: self._chief, doc="Whether it saves.")
    should_save_summary = property(
        lambda self: self._chief, doc="Whether it writes events."
    )

    def configure(
        self, session_config: Any = None, cluster_spec: Any = None,
        task_type: Any = None, task_id: Any = None,
    ) -> None:  # fmt: skip
        """Let this be the strategy of one task of a cluster.

        Args:
            session_config: a tf.ConfigProto, whose sessions see this task and the
                parameter servers from now on.
            cluster_spec: a dict, ClusterDef or ClusterSpec.
            task_type, task_id: the task.
        Raises:
            ValueError: the task is not said, or the cluster has no job "ps".
        """
        if cluster_spec and not self._cluster:
            if task_type is None or task_id is None:
                raise ValueError(
                    "When `cluster_spec` is given, must also specify `task_type` and "
                    "`task_id`."
                )
            self._join(_jobs(cluster_spec), task_type, task_id)
        if session_config is None or not self._cluster:
            return
        session_config.isolate_session_state = False
        job, index = self._task
        if job in ("chief", "worker"):
            del session_config.device_filters[:]
            session_config.device_filters.extend(
                [f"/job:{job}/task:{index}", "/job:ps"]
            )

    def _join(self, jobs: dict, task_type: str, task_id: int) -> None:
        servers = len(jobs.get("ps", ()))
        if not servers:
            raise ValueError("The cluster spec needs to have `ps` jobs.")
        self._cluster, self._task = jobs, (task_type, task_id)
        worker = f"/job:{task_type}/task:{task_id}"
        self._devices = self._compute_devices(worker)
        self._parameters = [f"/job:ps/task:{i}" for i in range(servers)]
        self._variable_device = _in_turn(self._parameters, worker)
        first = task_type == "worker" and task_id == 0 and "chief" not in jobs
        self._chief = task_type == "chief" or first
        logging.info(
            "Multi-worker ParameterServerStrategy with cluster_spec = %r, task_type = "
            "%r, task_id = %r, num_ps_replicas = %r, is_chief = %r, compute_devices = "
            "%r", jobs, task_type, task_id, servers, self._chief, list(self._devices),
        )  # fmt: skip

    def __deepcopy__(self, memo: dict) -> "ParameterServerStrategy":
        if self._cluster:
            return self
        return type(self)(self._num_gpus_per_worker)  # each worker configures its own

    # ------------------------------------------------------------------ variables
    def _made(self, creator: Callable, *args: Any, **kwargs: Any) -> Any:
        kwargs["use_resource"] = True
        mode = current_mode()
        if mode.eager or any(kind == "colocate" for kind, _ in mode.blocks):
            return self._joined(creator, args, kwargs)  # beside another one
        with colocate_with(None, True), device(self._variable_device):
            return self._joined(creator, args, kwargs)

    def _joined(self, creator: Callable, args: tuple, kwargs: dict) -> Any:
        """A variable; of several towers one that makes one value of theirs."""
        if len(self._devices) == 1:
            return creator(*args, **kwargs)
        aggregation = kwargs.pop("aggregation", None) or VariableAggregation.NONE
        if aggregation not in _AGGREGATIONS:
            raise ValueError(
                f"Invalid variable aggregation mode: {aggregation} for variable: "
                f"{kwargs.get('name')}"
            )
        trained = is_trainable(kwargs.get("trainable"), kwargs.get("synchronization"))
        collections = collections_of(trained, kwargs.get("collections"))
        if not current_mode().eager:  # the wrapper joins them
            kwargs["collections"], kwargs["trainable"] = [], False
        made = creator(*args, **kwargs)
        place = made.device or self._parameters[0]
        found = AggregatingVariable({place: made}, self, aggregation, trained)
        if found.graph is not None:
            found.graph.add_to_collections(collections, found)
        return found

    creators_of_tower = MirroredStrategy.creators_of_tower

    def value_container(self, val: Any) -> Any:
        """The variable of all towers that a variable belongs to."""
        return getattr(val, "_distributed_container", val)

    # ------------------------------------------------------------------ towers
    def distribute_dataset(self, dataset_fn: Callable[..., Any]) -> Any:
        """A dataset that gives each tower an element at each step.

        Args:
            dataset_fn: a function that gives a tf.data.Dataset.
        """
        if len(self._devices) == 1:
            return dataset_fn()
        return PerDeviceDataset(dataset_fn(), self._devices)

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

    def broadcast(self, tensor: Any, destinations: Any = None) -> Any:
        """A tensor on other devices: those of the towers, if none are named."""
        return self._cross_tower_ops.broadcast(tensor, self._places(destinations))

    def reduce(
        self, aggregation: Any, value: Any, destinations: Any = None, axis: Any = None
    ) -> Any:
        """One value of those of the towers.

        Args:
            aggregation: a tf.VariableAggregation but NONE, or a tf.distribute.ReduceOp.
            value: by device. axis: see DistributionStrategy.reduce.
            destinations: where it is wanted: a device, several, or a variable.
        Raises:
            ValueError: that is another worker.
        """
        if isinstance(aggregation, ReduceOp):
            return super().reduce(aggregation, value, destinations, axis)
        self._check(destinations)
        if len(self._devices) == 1:
            return super().reduce(aggregation, value, destinations)
        if not isinstance(value, DistributedValues):
            value = PerDevice(dict.fromkeys(self._devices, value))
        places = self._places(destinations)
        return self._cross_tower_ops.reduce(aggregation, value, places)

    def _places(self, destinations: Any) -> list[str]:
        if destinations is None:
            return list(self._devices)
        if isinstance(destinations, DistributedValues):
            return destinations.devices
        some = (
            destinations if isinstance(destinations, list | tuple) else [destinations]
        )
        return [d if isinstance(d, str) else d.device for d in some]

    def _check(self, destinations: Any) -> None:
        job, index = self._task
        for name in self._places(destinations) if self._cluster else ():
            asked = DeviceSpec.from_string(name)
            if asked.job == job and asked.task != index:
                raise ValueError(
                    f"Cannot reduce to another worker: {name!r}, current worker is "
                    f"'/job:{job}/task:{index}'"
                )

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
        """Call a function on a variable where it is, in code of all towers.

        Args:
            fn: takes the variable, then the rest: single values.
            grouped: whether a node is wanted, rather than a list; True by default.
        Raises:
            ValueError: a value is one of several towers.
        """
        grouped = kwargs.pop("grouped", True)
        own = var.get() if isinstance(var, AggregatingVariable) else var
        with colocate_with(own), UpdateContext(own.device, 0):
            found = fn(own, *_single(args), **_single(kwargs))
        return found if grouped else [found]

    def update_non_slot(
        self, colocate_with: Any, fn: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call a function that updates variables of an optimizer as a whole."""
        grouped = kwargs.pop("grouped", True)
        with device(colocate_with.device or None), UpdateContext(colocate_with, 0):
            found = fn(*args, **kwargs)
        return found if grouped else [found]

    def non_slot_devices(self, var_list: Any) -> Any:
        """The variable that those of an optimizer as a whole are beside."""
        return min(var_list, key=lambda v: v.name)


def _single(structure: Any) -> Any:
    """A nest with the value itself where there is one device."""

    def pick(value: Any) -> Any:
        if not isinstance(value, DistributedValues):
            return value
        if isinstance(value, PerDevice) or len(value.devices) > 1:
            raise ValueError(
                f"You cannot update a variable with {value!r}, which has a value for "
                "each device. Make it one by `strategy.reduce` before."
            )
        return value.values()[0]

    return nest.map_structure(pick, structure)


def _jobs(cluster: Any) -> dict:
    """{job: its tasks} of what ClusterSpec takes."""
    if hasattr(cluster, "as_dict"):
        return cluster.as_dict()
    if isinstance(cluster, dict):
        return cluster
    return {job.name: dict(job.tasks) for job in cluster.job}


def _in_turn(servers: list, worker: str) -> Callable:
    """A device function: variables with one server after the other."""
    turns = itertools.cycle(servers)

    def place(node: Any) -> str:
        if node.device:
            return node.device
        handle = node.type in ("VarHandleOp", "Variable", "VariableV2")
        return next(turns) if handle else worker

    return place
