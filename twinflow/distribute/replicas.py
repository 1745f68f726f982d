"""The words of TensorFlow 1.14's tf.distribute for what 1.12 calls towers."""

import enum
from collections.abc import Callable
from typing import Any

from twinflow.base import nest
from twinflow.base.dispatch import current_mode
from twinflow.distribute import contexts
from twinflow.distribute.datasets import SplitDataset
from twinflow.distribute.values import DistributedValues
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import realdiv
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.size import size
from twinflow.ops.variables.creators import VariableAggregation


class ReduceOp(enum.Enum):
    """How the values of replicas become one: `SUM` or `MEAN`.

    Example:
        tf.distribute.ReduceOp.SUM.name  # "SUM"
    """

    SUM = "SUM"
    MEAN = "MEAN"

    def as_aggregation(self) -> VariableAggregation:
        """The tf.VariableAggregation that means the same."""
        return VariableAggregation[self.name]


def last_loss_reduction() -> ReduceOp:
    """How the losses of replicas become one: as the last loss did with its elements.

    Example:
        tf.distribute.get_loss_reduction()  # ReduceOp.MEAN
    """
    return ReduceOp[contexts.get_loss_reduction().name]


def reduced(op: ReduceOp, values: list, axis: int | None) -> Any:
    """One tensor of those of the replicas.

    Args:
        op: a ReduceOp. values: a tensor for each replica.
        axis: of these, to be reduced as well; None: none.
    """
    parts = [convert_to_tensor(v) for v in values]
    count: Any = len(parts)
    if axis is not None:
        each = [reduce_sum(p, axis) for p in parts]
        number = [cast(size(p), p.dtype) for p in parts]
        rows = [cast(size(e), e.dtype) for e in each]
        count, parts = realdiv(add_n(number), rows[0]), each
    total = add_n(parts)
    if op is ReduceOp.SUM:
        return total
    return realdiv(total, cast(convert_to_tensor(count), total.dtype))


class HasReplicas:
    """What strategies have of TensorFlow 1.14, where a tower is called a replica."""

    num_towers: int
    scope: Callable[..., Any]
    unwrap: Callable[..., Any]
    call_for_each_tower: Callable[..., Any]
    distribute_dataset: Callable[..., Any]
    worker_devices: list[Any]

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are: `num_towers`."""
        return self.num_towers

    @property
    def extended(self) -> Any:
        """The strategy itself: it has the methods of a tf.distribute.StrategyExtended.

        These are `call_for_each_replica`, `update`, `worker_devices` and so on.
        """
        return self

    def experimental_run_v2(
        self, fn: Callable[..., Any], args: Any = (), kwargs: Any = None
    ) -> Any:
        """Call a function as the code of each replica.

        Args:
            fn: the function. args, kwargs: its arguments; of values by device each
                replica gets its own.
        Returns:
            What it returned, by device.
        Example:
            strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
            strategy.experimental_run_v2(lambda x: x + 1, (2,))  # 3
        """
        with self.scope():
            return self.call_for_each_tower(fn, *args, **(kwargs or {}))

    def experimental_run(
        self, fn: Callable[..., Any], input_iterator: Any = None
    ) -> Any:
        """Call a function as the code of each replica, with the next elements.

        Args:
            fn: the function. input_iterator: see `make_dataset_iterator`.
        """
        args = () if input_iterator is None else (input_iterator.get_next(),)
        return self.experimental_run_v2(fn, args)

    def call_for_each_replica(
        self, fn: Callable[..., Any], args: Any = (), kwargs: Any = None
    ) -> Any:
        """The same as `experimental_run_v2`, inside `scope()`."""
        return self.call_for_each_tower(fn, *args, **(kwargs or {}))

    def experimental_distribute_dataset(self, dataset: Any) -> Any:
        """A dataset whose batches are split, so that each replica gets a part.

        Args:
            dataset: a tf.data.Dataset, batched for all replicas together.
        """
        if self.num_towers == 1:
            return dataset
        return SplitDataset(dataset, self.worker_devices)

    def make_dataset_iterator(self, dataset: Any) -> Any:
        """An iterator whose batches are split; see `experimental_distribute_dataset`.

        In a graph its `initializer` begins it.
        """
        found = self.experimental_distribute_dataset(dataset)
        if current_mode().eager:
            return found.make_one_shot_iterator()
        return found.make_initializable_iterator()

    def make_input_fn_iterator(self, input_fn: Callable[..., Any]) -> Any:
        """An iterator of the batches of replicas, each its own.

        Args:
            input_fn: gives a tf.data.Dataset, of one argument: an InputContext, here
                the strategy.
        """
        found = self.distribute_dataset(lambda: input_fn(self))
        if current_mode().eager:
            return found.make_one_shot_iterator()
        return found.make_initializable_iterator()

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of the replicas.

        Args:
            value: by device, as `experimental_run_v2` gives them.
        """
        return tuple(self.unwrap(value))

    # What an InputContext tells: there is one pipeline for all replicas.
    num_input_pipelines: Any = 1
    input_pipeline_id: Any = 0
    first_tower: Any = 0

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The size of the part of a batch that a replica gets.

        Raises:
            ValueError: the parts would not be alike.
        """
        if global_batch_size % self.num_towers:
            raise ValueError(
                f"The global_batch_size {global_batch_size} is not divisible by "
                f"num_replicas_in_sync {self.num_towers}."
            )
        return global_batch_size // self.num_towers

    def _reduce_replicas(self, op: ReduceOp, value: Any, axis: Any) -> Any:
        """`reduce` as TensorFlow 1.14 has it."""
        if isinstance(value, DistributedValues):
            return reduced(op, self.unwrap(value), axis)
        return nest.map_structure(
            lambda v: reduced(op, [v] * self.num_towers, axis), value
        )
