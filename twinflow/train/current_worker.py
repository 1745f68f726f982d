"""Which worker this thread is: what run_distribute_coordinator says to sessions."""

import threading
from typing import Any

_local = threading.local()


def get_current_worker_context() -> Any:
    """The WorkerContext of this thread, or None."""
    return getattr(_local, "current", None)


def set_current_worker_context(context: Any) -> None:
    """Make this the WorkerContext of this thread; None: there is none."""
    _local.current = context
