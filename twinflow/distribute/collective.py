"""CollectiveAllReduceStrategy: towers in several processes, which train in step."""

from collections.abc import Callable
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.distribute import environment
from twinflow.distribute.cross_tower_ops import OF_FIRST, divided
from twinflow.distribute.datasets import SplitDataset
from twinflow.distribute.mirrored import MirroredStrategy
from twinflow.distribute.replicas import ReduceOp
from twinflow.distribute.values import by_device
from twinflow.distribute.variables import TowerLocalVariable, copies_of
from twinflow.graph.scopes import device
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import realdiv
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.math.process_values import (
    process_broadcast,
    process_gather,
    process_reduce,
)
from twinflow.ops.variables.creators import (
    VariableAggregation,
    VariableSynchronization,
)


class CollectiveAllReduceStrategy(MirroredStrategy):
    """Copies of the variables in all processes of a cluster, which stay the same.

    Each process computes with its part of the data on its own devices; gradients are
    added up over all towers of all processes, so that a step is that of one device with
    the whole batch. Variables begin with the values of the first process.

    The processes are those that `twinflow launch` starts, or the chief and workers of
    TF_CONFIG. A process that is alone trains as MirroredStrategy.

    Args:
        num_gpus_per_worker: how many GPUs each process has; 0 is the CPU.
    Raises:
        DeadlineExceededError: not all processes came.
        FailedPreconditionError: XLA runs already in this process.
    Example:
        strategy = tf.contrib.distribute.CollectiveAllReduceStrategy()
        strategy.num_towers  # 1
    """

    def __init__(self, num_gpus_per_worker: int = 0) -> None:
        super().__init__(num_gpus=num_gpus_per_worker)
        self._group = environment.join(environment.place_now())
        self.broadcasts_first = True  # whether initializers send the first values

    _size = property(lambda self: 1 if self._group is None else self._group.size)
    num_towers = property(
        lambda self: len(self._devices) * self._size, doc="How many, in all processes."
    )
    is_single_tower = property(
        lambda self: self.num_towers == 1, doc="Whether there is just one."
    )
    trains_in_step = property(
        lambda self: self._size > 1, doc="Whether there are other processes."
    )
    between_graph = property(lambda self: True, doc="Each process has its graph.")
    should_checkpoint = property(
        lambda self: self._is_first, doc="Whether this process saves: the first."
    )
    should_save_summary = property(
        lambda self: self._is_first, doc="Whether it writes events: the first."
    )

    @property
    def _is_first(self) -> bool:
        return self._group is None or self._group.rank == 0

    def configure(
        self, session_config: Any = None, cluster_spec: Any = None,
        task_type: Any = None, task_id: Any = None,
    ) -> None:  # fmt: skip
        """Join the processes of a cluster.

        Args:
            session_config: accepted. cluster_spec: the tf.train.ClusterSpec.
            task_type, task_id: which of its tasks this process is.
        """
        if self._group is None and cluster_spec:
            place = environment.place_of(cluster_spec, task_type, task_id)
            self._group = environment.join(place)

    # ------------------------------------------------------------------ variables
    def _made(self, creator: Callable, *args: Any, **kwargs: Any) -> Any:
        if self._size > 1 and self.broadcasts_first and "initial_value" in kwargs:
            kwargs["initial_value"] = _of_first(
                kwargs["initial_value"], kwargs.get("dtype")
            )
        if self._size > 1 and self._is_local(kwargs):
            aggregation = kwargs.pop("aggregation", None) or VariableAggregation.NONE
            make = lambda **options: creator(*args, **options)
            return copies_of(self, TowerLocalVariable, make, kwargs, aggregation)
        return super()._made(creator, *args, **kwargs)

    def _is_local(self, options: dict) -> bool:
        """Whether a variable is one that each tower writes alone, on one device."""
        on_read = options.get("synchronization") is VariableSynchronization.ON_READ
        return on_read and len(self._devices) == 1

    def first_values(self, arrays: list[Any]) -> list[Any]:
        """The arrays of the first process, in all of them."""
        return arrays if self._group is None else self._group.broadcast(arrays)

    # ------------------------------------------------------------------ data
    num_input_pipelines = property(lambda self: self._size, doc="One a process.")
    input_pipeline_id = property(
        lambda self: 0 if self._group is None else self._group.rank, doc="That of here."
    )
    first_tower = property(
        lambda self: self.input_pipeline_id * len(self._devices),
        doc="The number of the first tower of this process.",
    )

    def experimental_distribute_dataset(self, dataset: Any) -> Any:
        """A dataset whose batches are split; each process has the parts of its towers.

        Args:
            dataset: a tf.data.Dataset, the same in all processes, batched for all
                replicas together.
        """
        if self._size == 1:
            return super().experimental_distribute_dataset(dataset)
        places = self.worker_devices
        return SplitDataset(dataset, places, self.first_tower, self.num_towers)

    # ------------------------------------------------------------------ values
    def broadcast(self, tensor: Any, destinations: Any = None) -> Any:
        """A tensor of the first process on all devices of all processes."""
        if self._size > 1:
            (tensor,) = process_broadcast([convert_to_tensor(tensor)])
        return super().broadcast(tensor, destinations)

    def reduce(
        self, aggregation: Any, value: Any, destinations: Any = None, axis: Any = None
    ) -> Any:
        """One value of those of all towers; see MirroredStrategy."""
        if self._size == 1 or isinstance(aggregation, ReduceOp):
            return super().reduce(aggregation, value, destinations, axis)
        return self.batch_reduce(aggregation, [(value, destinations)])[0]

    def batch_reduce(self, aggregation: Any, value_destination_pairs: Any) -> list[Any]:
        """`reduce`, of several pairs of value and destination, as few messages."""
        pairs = list(value_destination_pairs)
        if self._size == 1 or aggregation == VariableAggregation.NONE:
            return super().batch_reduce(aggregation, pairs)
        here = aggregation if aggregation in OF_FIRST else VariableAggregation.SUM
        with device(self._devices[0]):
            totals = _over_processes(
                [self._one(here, value) for value, _ in pairs], aggregation in OF_FIRST
            )
            if aggregation == VariableAggregation.MEAN:
                totals = [divided(t, self.num_towers) for t in totals]
        if len(self._devices) == 1:
            return totals
        send = self._cross_tower_ops.broadcast
        return [
            send(total, self._places(where))
            for total, (_, where) in zip(totals, pairs, strict=True)
        ]

    def _reduce_replicas(self, op: ReduceOp, value: Any, axis: Any) -> Any:
        if self._size == 1:
            return super()._reduce_replicas(op, value, axis)
        (total,) = process_reduce([super()._reduce_replicas(ReduceOp.SUM, value, axis)])
        if op is ReduceOp.SUM:
            return total
        ones = [ones_like(convert_to_tensor(v)) for v in self.unwrap(value)]
        ones_of_all = by_device(self._devices, ones)
        here = super()._reduce_replicas(ReduceOp.SUM, ones_of_all, axis)
        return realdiv(total, process_reduce([here])[0])

    def _one(self, aggregation: Any, value: Any) -> Any:
        """The value of the towers of this process, on its first device."""
        return self.unwrap(super().reduce(aggregation, value, self._devices[0]))[0]


def _of_first(initial_value: Any, dtype: Any) -> Callable:
    """Gives the initial value of the first process; its shape stays known."""

    def first() -> Any:
        own = initial_value() if callable(initial_value) else initial_value
        own = convert_to_tensor(own, dtype=dtype)
        (sent,) = process_broadcast([own])
        if not current_mode().eager:
            sent.set_shape(own.shape)
        return sent

    return first


def _over_processes(values: list, of_first: bool) -> list:
    """Values of this process, with those of the others: summed, or of the first."""
    found = list(values)
    dense: dict = {}
    for i, value in enumerate(values):
        if isinstance(value, IndexedSlices):
            found[i] = _first_slices(value) if of_first else _all_slices(value)
        else:
            t = found[i] = convert_to_tensor(value)
            dense.setdefault(t.dtype, []).append(i)
    for places in dense.values():
        given = [found[i] for i in places]
        done = process_broadcast(given) if of_first else process_reduce(given)
        for i, total in zip(places, done, strict=True):
            found[i] = total
    return found


def _all_slices(value: IndexedSlices) -> IndexedSlices:
    return IndexedSlices(
        process_gather(value.values), process_gather(value.indices), value.dense_shape
    )


def _first_slices(value: IndexedSlices) -> IndexedSlices:
    (values,), (indices,) = (
        process_broadcast([value.values]), process_broadcast([value.indices]),
    )  # fmt: skip
    return IndexedSlices(values, indices, value.dense_shape)
