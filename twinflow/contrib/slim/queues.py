"""tf.contrib.slim.queues: the threads of queues, as long as a block runs."""

import contextlib
from collections.abc import Iterator
from typing import Any

from twinflow.train.coordinator import Coordinator
from twinflow.train.queue_runner import start_queue_runners


class NestedQueueRunnerError(Exception):
    """A block with queue runners stands in another one."""


_sessions: list = []


@contextlib.contextmanager
def QueueRunners(session: Any) -> Iterator[None]:
    """A block in which the threads of all queue runners of a graph run.

    Args:
        session: a Session of the graph.
    Raises:
        NestedQueueRunnerError: there is such a block around this one.
    """
    if _sessions:
        raise NestedQueueRunnerError("You cannot nest QueueRunners.")
    coordinator = Coordinator()
    threads = start_queue_runners(session, coordinator)
    _sessions.append(session)
    try:
        yield
    finally:
        _sessions.remove(session)
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=120)
