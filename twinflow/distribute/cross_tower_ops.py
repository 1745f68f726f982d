"""How the values of towers become one: sums and means across devices."""

from typing import Any, NamedTuple

from twinflow.distribute.values import DistributedValues, Mirrored
from twinflow.graph.scopes import device
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.elementwise import realdiv
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.indexed_slices import joined
from twinflow.ops.variables.creators import VariableAggregation

OF_FIRST = (
    VariableAggregation.ONLY_FIRST_TOWER,
    VariableAggregation.ONLY_FIRST_REPLICA,
)


class CrossTowerOps:
    """The base of what reduces and broadcasts; a subclass has `_reduced`."""

    def reduce(self, aggregation: Any, per_device_value: Any, destinations: Any) -> Any:
        """One value of those of the towers, on each destination.

        Args:
            aggregation: SUM, MEAN or ONLY_FIRST_TOWER of tf.VariableAggregation.
            per_device_value: a PerDevice of tensors or IndexedSlices.
            destinations: names of devices.
        Raises:
            ValueError: these are other kinds of arguments.
        """
        if not isinstance(per_device_value, DistributedValues):
            raise ValueError(
                "`per_device_value` must be a PerDevice, with a value for each tower; "
                f"got {per_device_value!r}."
            )
        if aggregation == VariableAggregation.NONE or aggregation is None:
            raise ValueError(
                "A value of several towers needs an aggregation: "
                "tf.VariableAggregation.SUM, MEAN or ONLY_FIRST_TOWER, got NONE."
            )
        places = _names(destinations)
        values = per_device_value.values()
        if aggregation in OF_FIRST:
            return self.broadcast(values[0], places)
        with device(places[0]):
            total = self._reduced(values)
            if aggregation == VariableAggregation.MEAN:
                total = divided(total, len(values))
        return self.broadcast(total, places)

    def batch_reduce(self, aggregation: Any, value_destination_pairs: Any) -> list[Any]:
        """`reduce`, of several pairs of value and destinations.

        Raises:
            ValueError: see `reduce`.
        """
        return [self.reduce(aggregation, v, d) for v, d in value_destination_pairs]

    def broadcast(self, tensor: Any, destinations: Any) -> Mirrored:
        """A tensor on each destination."""
        index = {}
        for name in _names(destinations):
            with device(name):
                index[name] = _copied(tensor)
        return Mirrored(index)

    def _reduced(self, values: list) -> Any:
        raise NotImplementedError("a subclass says how values are added up")


class ReductionToOneDeviceCrossTowerOps(CrossTowerOps):
    """Values are added up on one device, and copied from there.

    Args:
        reduce_to_device: its name; the first destination by default.
        accumulation_fn: adds up a list of tensors; tf.add_n by default.
    Example:
        ops = tf.contrib.distribute.ReductionToOneDeviceCrossTowerOps()
    """

    def __init__(
        self, reduce_to_device: Any = None, accumulation_fn: Any = None
    ) -> None:
        self.reduce_to_device, self.accumulation_fn = reduce_to_device, accumulation_fn

    def _reduced(self, values: list) -> Any:
        if any(isinstance(v, IndexedSlices) for v in values):
            return joined(values)
        add = self.accumulation_fn or add_n
        if self.reduce_to_device is None:
            return add([convert_to_tensor(v) for v in values])
        with device(self.reduce_to_device):
            return add([convert_to_tensor(v) for v in values])


class AllReduceCrossTowerOps(ReductionToOneDeviceCrossTowerOps):
    """The same sums as a collective of all devices: the partitioner makes it one.

    Args:
        all_reduce_alg: "nccl" or "hierarchical_copy"; the sums are the same.
        num_packs: into how many parts gradients are packed; accepted.
        agg_small_grads_max_bytes, agg_small_grads_max_group: accepted.
    Example:
        ops = tf.contrib.distribute.AllReduceCrossTowerOps("nccl")
    """

    def __init__(
        self, all_reduce_alg: str = "nccl", num_packs: int = 1,
        agg_small_grads_max_bytes: int = 0, agg_small_grads_max_group: int = 10,
    ) -> None:  # fmt: skip
        super().__init__()
        self._all_reduce_alg, self._num_packs = all_reduce_alg, num_packs
        self._agg_small_grads_max_bytes = agg_small_grads_max_bytes
        self._agg_small_grads_max_group = agg_small_grads_max_group


class NcclAllReduce(AllReduceCrossTowerOps):
    """AllReduceCrossTowerOps by its name of TensorFlow 1.14.

    Args:
        num_packs: accepted.
    Example:
        ops = tf.distribute.NcclAllReduce()
    """

    def __init__(self, num_packs: int = 1) -> None:
        super().__init__("nccl", num_packs)


class HierarchicalCopyAllReduce(AllReduceCrossTowerOps):
    """AllReduceCrossTowerOps("hierarchical_copy") by its name of TensorFlow 1.14.

    Args:
        num_packs: accepted.
    Example:
        ops = tf.distribute.HierarchicalCopyAllReduce()
    """

    def __init__(self, num_packs: int = 1) -> None:
        super().__init__("hierarchical_copy", num_packs)


class AllReduceSpecTuple(NamedTuple):
    """How gradients up to `limit` bytes are added up: `alg`, in so many `shards`."""

    alg: str
    shards: int = 1
    limit: int = -1


class MultiWorkerAllReduce(AllReduceCrossTowerOps):
    """Sums over the devices of all workers, in one graph of one process.

    Args:
        worker_devices: names of the workers. num_gpus_per_worker: int.
        all_reduce_spec: the name of an algorithm, (name, shards, limit), or a list of
            such tuples; whichever it is, the sums are the same.
        num_packs, agg_small_grads_max_bytes, agg_small_grads_max_group: accepted.
    Raises:
        ValueError: a spec is none.
    """

    def __init__(
        self, worker_devices: list[str], num_gpus_per_worker: int,
        all_reduce_spec: Any = ("pscpu/pscpu", 2, -1), num_packs: int = 0,
        agg_small_grads_max_bytes: int = 0, agg_small_grads_max_group: int = 10,
    ) -> None:  # fmt: skip
        super().__init__(
            "", num_packs, agg_small_grads_max_bytes, agg_small_grads_max_group
        )
        self._worker_devices = worker_devices
        self._num_gpus_per_worker = num_gpus_per_worker
        is_list = isinstance(all_reduce_spec, list)
        listed = all_reduce_spec if is_list else [all_reduce_spec]
        self._all_reduce_spec = [_spec(one, all_reduce_spec) for one in listed]


def _spec(spec: Any, whole: Any) -> AllReduceSpecTuple:
    if isinstance(spec, str) and spec is whole:
        spec = (spec,)
    if not isinstance(spec, tuple):
        raise ValueError(f"A tuple is expected for all-reduce spec: {whole!r}")
    if not 0 < len(spec) <= 3:
        raise ValueError(f"Too many elements in the all-reduce spec tuple: {spec!r}")
    return AllReduceSpecTuple(*spec)


def _names(destinations: Any) -> list[str]:
    if isinstance(destinations, DistributedValues):
        return destinations.devices
    return [destinations] if isinstance(destinations, str) else list(destinations)


def _copied(value: Any) -> Any:
    if isinstance(value, IndexedSlices):
        return IndexedSlices(
            identity(value.values), identity(value.indices), value.dense_shape
        )
    return identity(value)


def divided(value: Any, count: int) -> Any:
    if isinstance(value, IndexedSlices):
        return IndexedSlices(
            divided(value.values, count), value.indices, value.dense_shape
        )
    return realdiv(value, convert_to_tensor(count, dtype=value.dtype))
