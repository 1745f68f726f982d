"""What a process that twinflow starts does first; see data.processes.mapping."""

from collections.abc import Callable

first: list[Callable[[], object]] = []  # functions at the top of importable modules


def call_first(function: Callable) -> None:
    """Let every process that is started from now on call `function` at once."""
    if function not in first:
        first.append(function)


def call_no_more(function: Callable) -> None:
    """Undo `call_first`."""
    if function in first:
        first.remove(function)
