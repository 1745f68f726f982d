"""Shards: a function for each part of a batch, and what they sum up together.

Note [Shards]: where there are no TPUs, shards are towers (Note [Towers in turn]) that
have one set of variables together, and run wherever the session puts their nodes. The
optimizers of all shards hand over their gradients; these are averaged (or added), and
the variables updated once.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from twinflow.contrib.tpu.function import get_tpu_context, tpu_shard_context
from twinflow.distribute import contexts
from twinflow.distribute.contexts import TowerContext
from twinflow.distribute.strategy import DistributionStrategy, made_by_first
from twinflow.distribute.towers import run_towers
from twinflow.distribute.values import PerDevice
from twinflow.graph.scopes import device
from twinflow.losses.weighting import Reduction
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.index import IndexedSlices
from twinflow.train.optimizer import Optimizer


class _Shards(DistributionStrategy):
    """Towers with one set of variables, whose code does not know of the strategy."""

    def __init__(self, count: int) -> None:
        self._devices = tuple(f"/device:CPU:{i}" for i in range(count))

    num_towers = property(lambda self: len(self._devices))

    def creators_of_tower(self, tower: int, made: dict) -> AbstractContextManager:
        return made_by_first(tower, made)

    def at_work_in(self, tower: TowerContext) -> AbstractContextManager:
        return device(None)  # sessions need not have a device a shard


def over_shards(count: int, function: Callable) -> list:
    """What a function gives for each shard; shards may sum up with one another.

    Args:
        count: how many shards. function: of the number of a shard.
    """
    found: list = [None] * count
    if count == 1:
        with tpu_shard_context(1):
            return [function(0)]
    strategy = _Shards(count)
    numbers = PerDevice({d: i for i, d in enumerate(strategy.worker_devices)})

    def shard(i: int) -> None:
        found[i] = function(i)

    with tpu_shard_context(count):
        run_towers(strategy, shard, (numbers,), {})
    return found


def shard_count() -> int:
    """How many shards there are, of which this code is one."""
    return get_tpu_context().number_of_shards or 1 if contexts.meeting() else 1


def cross_replica_sum(
    x: Any, group_assignment: Any = None, name: str | None = None
) -> Any:
    """The sum of a tensor over all shards, in each of them.

    Args:
        x: a numeric tensor of the same shape in each shard.
        group_assignment: lists of the numbers of shards, each summed up by itself; one
            of all by default. name: of the result.
    Returns:
        A tensor of that shape. Outside of shards it is `x`.
    Raises:
        ValueError: the groups do not have each shard once.
    Example:
        double = lambda x: tf.contrib.tpu.cross_replica_sum(x)
        with tf.Graph().as_default():
            ys = tf.contrib.tpu.replicate(double, [[1.0], [2.0]])
        len(ys)  # 2
    """
    x, meet = convert_to_tensor(x), contexts.meeting()
    if shard_count() == 1 or meet is None:
        return identity(x, name=name)
    groups = group_assignment or [list(range(shard_count()))]
    if sorted(i for g in groups for i in g) != list(range(shard_count())):
        raise ValueError(
            f"group_assignment must have each of the {shard_count()} shards once, got "
            f"{group_assignment}"
        )

    def summed(strategy: Any, values: Any) -> Any:
        parts = values.values() if isinstance(values, PerDevice) else (
            [values] * strategy.num_towers
        )  # fmt: skip
        totals = {i: t for g in groups for i, t in _of_group(g, parts)}
        names = strategy.worker_devices
        return PerDevice({names[i]: totals[i] for i in range(len(names))})

    return identity(meet(summed, (x,), {}), name=name)


def _of_group(group: list, parts: list) -> list[tuple]:
    total = add_n([parts[i] for i in group])
    return [(i, total) for i in group]


class CrossShardOptimizer(Optimizer):
    """Updates variables with what the gradients of all shards come to.

    Args:
        opt: the optimizer that updates. reduction: Reduction.MEAN or SUM.
        name: its name. group_assignment: refused: all shards are one group.
    Raises:
        ValueError: another reduction, or groups.
    """

    def __init__(
        self, opt: Any, reduction: Any = Reduction.MEAN,
        name: str | None = "CrossShardOptimizer", group_assignment: Any = None,
    ) -> None:  # fmt: skip
        if reduction not in (Reduction.SUM, Reduction.MEAN):
            raise ValueError(f"Unsupported reduction: {reduction}.")
        if group_assignment:
            raise ValueError(
                "All shards are one group here; leave group_assignment out"
            )
        super().__init__(False, name)
        self._opt, self._reduction = opt, reduction

    def compute_gradients(self, loss: Any, var_list: Any = None, **kwargs: Any) -> Any:
        """As Optimizer.compute_gradients, of the part that this shard has in the loss.

        The mean over shards is that of the losses: each is divided by their number.
        """
        count = shard_count()
        if count > 1 and self._reduction == Reduction.MEAN:
            given = loss
            loss = (
                (lambda: given() / float(count))
                if callable(given)
                else given / float(count)
            )
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Update, once the gradients of all shards are there."""
        pairs = list(grads_and_vars)
        meet = contexts.meeting()
        if shard_count() == 1 or meet is None:
            return self._opt.apply_gradients(pairs, global_step, name)
        handed: list = [grad for grad, _ in pairs]
        variables = [variable for _, variable in pairs]

        def merged(strategy: Any, grads: list) -> Any:
            totals = [_total(_parts_of(g, strategy.num_towers)) for g in grads]
            given = zip(totals, variables, strict=True)
            return self._opt.apply_gradients(list(given), global_step, name)

        return meet(merged, (handed,), {})

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """As of the optimizer inside."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """As of the optimizer inside."""
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> Any:
        """Those of the optimizer inside."""
        return self._opt.variables()


def _parts_of(grad, count):
    """The gradients of all shards; one that is the same object counts for each."""
    return grad.values() if isinstance(grad, PerDevice) else [grad] * count


def _total(grads):
    """The sum of gradients, sparse ones made dense; None where there is none."""
    grads = [g for g in grads if g is not None]
    if not grads:
        return None
    dense = [g._as_tensor() if isinstance(g, IndexedSlices) else g for g in grads]
    return dense[0] if len(dense) == 1 else add_n(dense)
