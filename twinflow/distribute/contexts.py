"""Which strategy is at work, and whether this is code of one tower or of all."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from twinflow.base import nest
from twinflow.base.dispatch import current_mode, local
from twinflow.ops.core.constant import constant
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.variables.creators import VariableAggregation

if TYPE_CHECKING:
    from twinflow.base.tensor import Tensor
    from twinflow.distribute.strategy import DistributionStrategy

_local = threading.local()


def _stack() -> list:
    """(strategy, context of a tower or None) of the blocks of this thread."""
    if not hasattr(_local, "stack"):
        _local.stack = []
    return _local.stack


def stack_now() -> list:
    """The blocks of this thread, for one that goes on for it."""
    return list(_stack())


def begin_with(stack: list) -> None:
    """Begin a thread inside the blocks of another one."""
    _local.stack = list(stack)


@contextmanager
def outside() -> Iterator[None]:
    """A block that no strategy is at work in, as in a graph of its own."""
    creators = getattr(local, "variable_creators", ())
    before, _local.stack, local.variable_creators = stack_now(), [], ()
    try:
        yield
    finally:
        _local.stack, local.variable_creators = before, creators


@contextmanager
def entered(strategy: Any, tower: Any) -> Iterator[Any]:
    """A block of a strategy: of all its towers (`tower` is None), or of one."""
    _stack().append((strategy, tower))
    try:
        yield strategy
    finally:
        _stack().pop()


class TowerContext:
    """What the code of one tower knows.

    Args:
        distribution_strategy: the DistributionStrategy. tower_id: which tower, from 0.
    """

    def __init__(
        self, distribution_strategy: "DistributionStrategy", tower_id: int
    ) -> None:
        self._distribution_strategy = distribution_strategy
        self._tower_id = tower_id

    distribution_strategy = property(
        lambda self: self._distribution_strategy, doc="The DistributionStrategy."
    )
    tower_id = property(lambda self: self._tower_id, doc="Which tower, from 0.")
    num_towers = property(
        lambda self: self._distribution_strategy.num_towers, doc="How many there are."
    )
    is_single_tower = property(
        lambda self: self._distribution_strategy.is_single_tower,
        doc="Whether there is just one.",
    )

    @property
    def device(self) -> str:
        """The device of the tower."""
        devices = self._distribution_strategy.worker_devices
        return devices[self._tower_id] if devices else ""

    # The words of TensorFlow 1.14, where a tower is called a replica:
    strategy = property(lambda self: self._distribution_strategy, doc="The strategy.")
    replica_id_in_sync_group = property(
        lambda self: self._tower_id, doc="Which replica, from 0."
    )
    num_replicas_in_sync = property(
        lambda self: self._distribution_strategy.num_towers, doc="How many there are."
    )
    devices = property(lambda self: (self.device,), doc="The device of the replica.")

    def all_reduce(self, reduce_op: Any, value: Any) -> Any:
        """The sum or mean of what all replicas give, in each of them.

        Args:
            reduce_op: a tf.distribute.ReduceOp. value: a nest of tensors.
        """
        how = reduce_op.as_aggregation()

        def merged(strategy: Any, *parts: Any) -> list:
            return [strategy.reduce(how, p, strategy.worker_devices) for p in parts]

        return nest.pack_sequence_as(
            value, self.merge_call(merged, *nest.flatten(value))
        )

    def merge_call(
        self, merge_fn: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call a function once for all towers.

        Args:
            merge_fn: takes the strategy, then the rest; where there are several towers
                each value of the rest is that of all, by device.
        Returns:
            What it returns for this tower.
        """
        require_tower_context(self)
        meet = meeting()
        if meet is not None:
            return meet(merge_fn, args, kwargs)
        with entered(self._distribution_strategy, None):
            return merge_fn(self._distribution_strategy, *args, **kwargs)


def meeting() -> Callable | None:
    """What `set_meeting` said of this thread: None where it runs no tower."""
    return getattr(_local, "meet", None)


def set_meeting(meet: Callable | None) -> None:
    """Say how this thread, which runs a tower, gets what all towers computed.

    Args:
        meet: takes a function, its positional and its named arguments.
    """
    _local.meet = meet


@contextmanager
def over_processes() -> Iterator[None]:
    """A block in which tower-local variables read as those of all processes.

    All processes must come to it; a checkpoint, which one of them writes, does not.
    """
    before, _local.over_processes = reads_over_processes(), True
    try:
        yield
    finally:
        _local.over_processes = before


def reads_over_processes() -> bool:
    """Whether this is in a block of `over_processes`."""
    return getattr(_local, "over_processes", False)


class UpdateContext:
    """A block in which a strategy updates variables.

    Args:
        device: where they are. place: which of the copies of a variable it is.
    """

    def __init__(self, device: Any, place: int | None = None) -> None:
        self._now = device, place

    def __enter__(self) -> None:
        self._before = getattr(_local, "update", (None, None))
        _local.update = self._now

    def __exit__(self, *_: Any) -> None:
        _local.update = self._before


def get_update_device() -> Any:
    """The device of the UpdateContext that this is in, or None."""
    return getattr(_local, "update", (None, None))[0]


def place_of_values(count: int) -> int | None:
    """Which of `count` values by device counts here; None: this is code of all towers.

    It is that of the copy that is updated, or of the tower whose code this is.
    """
    place = getattr(_local, "update", (None, None))[1]
    if place is None and _stack() and _stack()[-1][1] is not None:
        place = _stack()[-1][1].tower_id
    return place if place is not None and place < count else None


def current() -> tuple | None:
    """(strategy, context of a tower or None) of this code; None outside of scopes."""
    return _stack()[-1] if _stack() else None


def has_distribution_strategy() -> bool:
    """Whether a strategy is at work: whether this is in its scope.

    Example:
        tf.contrib.distribute.has_distribution_strategy()  # False
    """
    return bool(_stack())


def get_cross_tower_context() -> "DistributionStrategy | None":
    """The strategy, in code of all its towers; None in code of one."""
    return _stack()[-1][0] if _stack() and _stack()[-1][1] is None else None


def in_cross_replica_context() -> bool:
    """Whether this is the code of all replicas of a strategy, not of one.

    Example:
        tf.distribute.in_cross_replica_context()  # False
    """
    return get_cross_tower_context() is not None


def require_tower_context(tower_ctx: TowerContext) -> None:
    """Check that this is the code of a tower.

    Args:
        tower_ctx: what that tower knows.
    Raises:
        RuntimeError: it is other code.
    """
    if _stack() and _stack()[-1][1] is not tower_ctx:
        raise RuntimeError(
            "Need to be inside `call_for_each_tower()`"
            if _stack()[-1][1] is None
            else "Mismatching tower context."
        )


def get_loss_reduction() -> VariableAggregation:
    """How the losses of towers become one: as the last loss did with its elements."""
    last = current_mode().variable_owner().state.get("last loss reduction")
    return (
        VariableAggregation.SUM if last == "weighted_sum" else VariableAggregation.MEAN
    )


def share_of_tower(loss: Any) -> Any:
    """The part of a loss that is one tower's, where their gradients are added up."""
    count = num_towers()
    is_mean = get_loss_reduction() == VariableAggregation.MEAN
    return multiply(loss, 1.0 / count) if count > 1 and is_mean else loss


def of_several_towers() -> TowerContext | None:
    """What the tower knows whose code this is, if it is one of several."""
    if not _stack() or _stack()[-1][1] is None:
        return None
    strategy, tower = _stack()[-1]
    return None if strategy.num_towers == 1 else tower


def num_towers() -> int:
    """How many towers the strategy at work has; 1 if none is."""
    return _stack()[-1][0].num_towers if _stack() else 1


def increment_var(v: Any, amount: Any = 1) -> "Tensor":
    """Add to a variable, in each tower.

    Args:
        v: the variable. amount: what to add.
    """
    return v.assign_add(constant(amount, v.dtype.base_dtype))
