"""The group of processes that this one belongs to (Note [Processes] in
execute.processes); ops ask for it when they run."""

from typing import Any

from twinflow.base.errors import UnavailableError

_now: Any = None


def current() -> Any:
    """The execute.processes.Group of this process, or None if it is alone."""
    return _now


def begin(group: Any) -> None:
    """Belong to a group from now on; None: to none."""
    global _now
    _now = group


def size() -> int:
    """How many processes compute together; 1 for one that is alone."""
    return 1 if _now is None else _now.size


def rank() -> int:
    """The number of this process, from 0."""
    return 0 if _now is None else _now.rank


def joined() -> Any:
    """The group of this process.

    Raises:
        UnavailableError: it is alone.
    """
    if _now is None:
        raise UnavailableError(
            None, None,
            "This process is alone, and an op asks for what others compute. Start the "
            "program by `twinflow launch -n COUNT`, or with TF_CONFIG and a strategy.",
        )  # fmt: skip
    return _now


def is_broken() -> bool:
    """Whether the processes cannot go on together: one has died or did not come."""
    return _now is not None and _now.broken is not None
