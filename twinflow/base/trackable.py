"""Objects whose parts have names: layers, models, optimizers.

Parts are variables, other trackables, and lists, tuples and dicts of these. They are
named by the attribute or the place that holds them, in order of creation, so that the
same program finds the same parts again (checkpoints).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from twinflow.base.tensor import ResourceHandle

# Restorations that wait for objects still to be made: functions of an object that has
# got a part (checkpoint.restoration).
pending: list = []


class CheckpointableReference(NamedTuple):
    """A part.

    Args:
        name: what its owner calls it. ref: itself.
    """

    name: str
    ref: Any


class Trackable:
    """Something with named parts; a subclass says which by `_children`.

    `_track_checkpointable` adds parts to these.
    """

    def _children(self) -> list:
        """Pairs of (name, part) in order of creation."""
        return []

    @property
    def _checkpoint_dependencies(self) -> list[CheckpointableReference]:
        """The parts, as programs that read checkpoints ask for them."""
        return [CheckpointableReference(*pair) for pair in children(self)]

    @property
    def _unconditional_checkpoint_dependencies(self) -> list[CheckpointableReference]:
        return self._checkpoint_dependencies

    @property
    def _unconditional_dependency_names(self) -> dict:
        return dict(children(self))

    def _gather_saveables_for_checkpoint(self) -> dict:
        """Functions of a key that give a SaveableObject, by what they save of it."""
        return {}

    def _lookup_dependency(self, name: str) -> Any:
        """The part of a name, or None."""
        return dict(children(self)).get(name)

    def _track_checkpointable(
        self, checkpointable: Any, name: str, overwrite: bool = False
    ) -> Any:
        """Take a part.

        Returns:
            The part.
        Raises:
            TypeError: it is none. ValueError: the name belongs to another one.
        """
        if not is_part(checkpointable):
            raise TypeError(
                "Checkpointable._track_checkpointable() passed type "
                f"{type(checkpointable)}, not a Checkpointable."
            )
        known = self._lookup_dependency(name)
        if known is not None and known is not checkpointable and not overwrite:
            raise ValueError(
                "Called Checkpointable._track_checkpointable() with name="
                f"'{name}', but a Checkpointable with this name is already declared as "
                "a dependency. Names must be unique (or overwrite=True)."
            )
        self.__dict__.setdefault(TRACKED, {})[name] = checkpointable
        changed(self)
        return checkpointable


class NotCheckpointable:
    """Marks a class whose objects cannot be saved, whatever it inherits from."""


TRACKED = "_tracked_parts"  # of __dict__: what _track_checkpointable was given


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
    if isinstance(value, NotCheckpointable):
        raise NotImplementedError(f"{type(value).__name__} cannot be saved.")
    if isinstance(value, Trackable):
        found = list(value._children())
        tracked = getattr(value, "__dict__", {}).get(TRACKED)
        return list({**dict(found), **tracked}.items()) if tracked else found
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
