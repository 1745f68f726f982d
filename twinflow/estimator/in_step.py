"""What an Estimator does differently as one of several processes that train in step.

Each process has its graph, its session and its variables, which stay the same as those
of the others; only the first saves and writes summaries. All restore the last
checkpoint, or initialise, each for itself; then all take the values of the first one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from twinflow.estimator.tf_config import TaskType
from twinflow.graph.scopes import group
from twinflow.ops.core.constant import identity
from twinflow.ops.math.process_values import process_broadcast
from twinflow.ops.variables.collections import global_variables
from twinflow.train.session_run_hook import SessionRunHook
from twinflow.train.worker_context import WorkerContext


def is_in_step(strategy: Any) -> bool:
    """Whether a strategy trains in several processes, each with its graph."""
    return getattr(strategy, "trains_in_step", False)


def joined(config: Any, strategy: Any) -> Any:
    """The RunConfig of a process that trains in step with those of its cluster.

    Args:
        config: the RunConfig. strategy: the DistributionStrategy, or None; it joins the
            others here, if it has not yet.
    """
    if not hasattr(strategy, "trains_in_step"):
        return config
    if config.cluster_spec and config.task_type != TaskType.EVALUATOR:
        strategy.configure(None, config.cluster_spec, config.task_type, config.task_id)
    if not is_in_step(strategy):
        return config
    found = config.replace()
    found._master, found._is_chief = "", strategy.should_checkpoint
    found._session_config = None
    return found


@contextmanager
def worker(strategy: Any) -> Iterator[None]:
    """A block that trains as this process: its sessions initialise or restore alone."""
    if not is_in_step(strategy):
        yield
        return
    strategy.broadcasts_first = False  # initializers that only some would run
    try:
        with WorkerContext(strategy, None, None, None):
            yield
    finally:
        strategy.broadcasts_first = True


def hooks(strategy: Any) -> list[SessionRunHook]:
    """What such a training needs besides."""
    return [FirstValuesHook()] if is_in_step(strategy) else []


class FirstValuesHook(SessionRunHook):
    """Gives all processes the values of the first one when a session begins."""

    def begin(self) -> None:
        """Make the nodes."""
        kinds: dict = {}
        for v in global_variables():
            kinds.setdefault(v.dtype.base_dtype, []).append(v)
        done = []
        for variables in kinds.values():
            sent = process_broadcast([identity(v.read_value()) for v in variables])
            done += [v.assign(t) for v, t in zip(variables, sent, strict=True)]
        self._take = group(*done)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Take them."""
        session.run(self._take)
