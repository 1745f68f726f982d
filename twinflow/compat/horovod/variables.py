"""Variables with the values of one process, in all of them."""

from collections.abc import Iterable
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.compat.horovod.state import size
from twinflow.compat.horovod.values import check_root
from twinflow.graph.scopes import group
from twinflow.ops.core.constant import identity
from twinflow.ops.math.process_values import process_broadcast
from twinflow.ops.variables.collections import global_variables
from twinflow.train.session_run_hook import SessionRunHook


def broadcast_variables(variables: Iterable, root_rank: int) -> Any:
    """Give variables the values of one process.

    Args:
        variables: of the same shapes, in the same order, in all processes.
        root_rank: whose values.
    Returns:
        The op that does it (graph), or None (eager): it is done.
    Raises:
        ValueError: there is no such process.
    """
    check_root(root_rank)
    kinds: dict = {}
    for v in variables if size() > 1 else ():
        kinds.setdefault(v.dtype.base_dtype, []).append(v)
    done = []
    for some in kinds.values():
        sent = process_broadcast([identity(v.read_value()) for v in some], root_rank)
        done += [v.assign(t) for v, t in zip(some, sent, strict=True)]
    return None if current_mode().eager else group(*done)


def broadcast_global_variables(root_rank: int) -> Any:
    """`broadcast_variables` of all that the graph has.

    Raises:
        RuntimeError: eager mode has no list of them.
    """
    if current_mode().eager:
        raise RuntimeError(
            "hvd.broadcast_global_variables() does not support eager execution. "
            "Please use `hvd.broadcast_variables(<model/optimizer variables>)` instead."
        )
    return broadcast_variables(global_variables(), root_rank)


class BroadcastGlobalVariablesHook(SessionRunHook):
    """Gives all variables the values of one process when a session begins.

    Args:
        root_rank: whose values: of the process that restores a checkpoint.
        device: accepted.
    """

    def __init__(self, root_rank: int, device: str = "") -> None:
        self.root_rank, self.device = root_rank, device

    def begin(self) -> None:
        """Make the nodes."""
        self.bcast_op = broadcast_global_variables(self.root_rank)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Take the values."""
        session.run(self.bcast_op)
