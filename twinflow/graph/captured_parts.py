"""Variables made in a variable scope, as parts of the object that it belongs to."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from twinflow.base.dispatch import local
from twinflow.base.trackable import Trackable
from twinflow.ops.variables.creators import variable_creator_scope


@contextlib.contextmanager
def capture_dependencies(template: Trackable) -> Iterator[None]:
    """A block whose variables become parts of an object, by their names in its scope.

    A block inside of it takes its own ones, and its object becomes a part.

    Args:
        template: the object, with a `variable_scope`.
    """
    outer = getattr(local, "captured_parts", ())
    local.captured_parts = (*outer, template)

    def creator(next_creator: Callable, **kwargs: Any) -> Any:
        made = next_creator(**kwargs)
        _take(template, made)
        return made

    try:
        with variable_creator_scope(creator):
            yield
    finally:
        local.captured_parts = outer


def _take(template: Any, made: Any) -> None:
    """Track what was made, or the object of the block inside that has made it."""
    blocks = getattr(local, "captured_parts", ())
    inside = blocks[[*map(id, blocks)].index(id(template)) + 1 :]
    for other in inside:
        if _place(other, made):
            place = _place(template, other.variable_scope)
            if place:
                template._track_checkpointable(other, place, overwrite=True)
            return
    place = _place(template, made)
    if place:
        template._track_checkpointable(made, place)


def _place(template: Any, made: Any) -> str:
    """The name of a variable or a scope inside of an object's scope; "" outside."""
    start = f"{template.variable_scope.name}/"
    name = made.name.removesuffix(":0")
    return name.removeprefix(start) if name.startswith(start) else ""
