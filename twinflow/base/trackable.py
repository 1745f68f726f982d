"""Objects whose parts have names: layers, models, optimizers.

Parts are variables, other trackables, and lists, tuples and dicts of these. They are
named by the attribute or the place that holds them, in order of creation, so that the
same program finds the same parts again (checkpoints).
"""

from collections.abc import Iterator
from typing import Any

from twinflow.base.tensor import ResourceHandle

# Restorations that wait for objects still to be made: functions of an object that has
# got a part (checkpoint.restoration).
pending: list = []


class Trackable:
    """Something with named parts; a subclass says which by `_children`."""

    def _children(self) -> list:
        """Pairs of (name, part) in order of creation."""
        return []


def changed(obj: Any) -> None:
    """Say that `obj` has got a part: a checkpoint may have a value for it."""
    for restoration in tuple(pending):
        restoration(obj)


def is_part(value: Any) -> bool:
    """Whether `value` is a part, or a container that may hold some."""
    if isinstance(value, Trackable | ResourceHandle):
        return True
    if isinstance(value, list | dict):
        return True
    try:
        return isinstance(value, tuple) and any(is_part(v) for v in value)
    except RecursionError:
        return False  # whatever lies so deep, no checkpoint could name it


def children(value: Any) -> list[tuple]:
    """Pairs of (name, part) of a trackable or container, in order of creation."""
    if isinstance(value, Trackable):
        return list(value._children())
    if isinstance(value, list | tuple):
        value = dict(enumerate(value))
    pairs = value.items() if isinstance(value, dict) else ()
    return [(str(k), v) for k, v in pairs if is_part(v)]


def leaves(value: Any) -> Iterator[Any]:
    """The variables and trackables in a container (or `value` itself), in order."""
    if isinstance(value, Trackable | ResourceHandle):
        yield value
    else:
        for _, part in children(value):
            yield from leaves(part)
