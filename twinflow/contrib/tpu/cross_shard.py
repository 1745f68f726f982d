"""CrossShardOptimizer: one update from the gradients of several shards.

Note [Shards]: where a TPUEstimator simulates shards, its model function is called once
for each, on its part of the batch and on the same variables. The optimizers of all but
the last shard only hand over their gradients; that of the last one averages (or adds)
them all and updates the variables once.
"""

import contextlib
import threading
from typing import Any

from twinflow.losses.weighting import Reduction
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.no_op import no_op
from twinflow.train.optimizer import Optimizer


class _State(threading.local):
    count, index = 1, 0
    handed: dict = {}  # from the places of optimizers to the gradients of each shard
    place = 0


_state = _State()


@contextlib.contextmanager
def shards(count):
    """A block in which `count` shards are built; gives a function `shard(i)`."""
    before = _state.count, _state.index, _state.handed
    _state.count, _state.handed = count, {}

    @contextlib.contextmanager
    def shard(index):
        _state.index, _state.place = index, 0
        yield

    try:
        yield shard
    finally:
        _state.count, _state.index, _state.handed = before


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
        if _state.count > 1 and self._reduction == Reduction.MEAN:
            given = loss
            loss = (
                (lambda: given() / float(_state.count))
                if callable(given)
                else given / float(_state.count)
            )
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Update, once the gradients of all shards are there."""
        pairs = list(grads_and_vars)
        if _state.count == 1:
            return self._opt.apply_gradients(pairs, global_step, name)
        place, _state.place = _state.place, _state.place + 1
        handed = _state.handed.setdefault(place, [])
        handed.append(pairs)
        if _state.index < _state.count - 1:
            return no_op("shard_gradients")
        totals = [
            (_total([shard[k][0] for shard in handed]), variable)
            for k, (_, variable) in enumerate(pairs)
        ]
        return self._opt.apply_gradients(totals, global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """As of the optimizer inside."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """As of the optimizer inside."""
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> Any:
        """Those of the optimizer inside."""
        return self._opt.variables()


def _total(grads):
    """The sum of gradients, sparse ones made dense; None where there is none."""
    grads = [g for g in grads if g is not None]
    if not grads:
        return None
    dense = [g._as_tensor() if isinstance(g, IndexedSlices) else g for g in grads]
    return dense[0] if len(dense) == 1 else add_n(dense)
