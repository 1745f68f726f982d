"""What the gradient of a loop reads of each iteration, in the interpreter."""

from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import Array
from twinflow.graph.while_node import capacity_for

if TYPE_CHECKING:
    from twinflow.execute.py_func import Played
    from twinflow.graph.node import GraphTensor


class Blank(np.ndarray):
    """What a branch that was not taken gives for a value of the other one."""


class Stack:
    """A value of each iteration, as one array with zeros up to its capacity.

    Entries of one shape go into the array at once, so that each is in memory only once.
    Stacks of inner loops, and blanks of branches not taken, are padded with zeros;
    other entries of different shapes stay what they are, in an array of objects.

    Args:
        t: the tensor in the body of the loop. room: how many entries to expect.
    """

    def __init__(self, t: "GraphTensor", room: int) -> None:
        self.t, self.room = t, room
        self.count = 0
        self.blanks: set = set()  # the places of what no branch computed
        self.array: Any = None
        self.entries: list | None = [] if t.dtype is dtypes.variant else None

    def push(self, value: Array | np.generic) -> None:
        """Add the value of an iteration."""
        if isinstance(value, Blank):
            self.blanks.add(self.count if self.entries is None else len(self.entries))
        if self.entries is None and self._put(value):
            return
        if self.entries is None:
            self.entries = [] if self.array is None else list(self.array[: self.count])
            self.array = None
        self.entries.append(value)

    def _put(self, value: Array | np.generic) -> bool:
        """Put a value into the array; returns whether its shape allows that."""
        shape, n = np.shape(value), self.count
        if _is_uneven(value, self.t):
            return False
        if self.array is None:
            self.array = np.zeros((self.room, *shape), self.t.dtype.np)
        elif self.array.shape[1:] != shape:
            return False
        if n == len(self.array):
            longer = np.zeros((2 * n, *shape), self.array.dtype)
            longer[:n] = self.array
            self.array = longer
        self.array[n] = value
        self.count = n + 1
        return True

    def whole(self) -> Array:
        """The entries as one array."""
        if self.entries is None and self.array is not None:
            return self._fitted()
        return _padded(self.entries or [], self.t, self.blanks)

    def _fitted(self) -> Array:
        capacity = capacity_for(self.count)
        if len(self.array) == capacity:
            return self.array
        if len(self.array) > capacity:
            return self.array[:capacity]
        longer = np.zeros((capacity, *self.array.shape[1:]), self.array.dtype)
        longer[: self.count] = self.array[: self.count]
        return longer


def _padded(entries: Any, t: "GraphTensor", blanks: set) -> Array:
    """The entries as one array, where their shapes differ or there are none."""
    capacity = capacity_for(len(entries))
    if t.dtype is dtypes.variant:
        return _objects(entries, capacity)
    if not entries:
        shape = [d or 0 for d in t._shape or ()]
        return np.zeros((capacity, *shape), t.dtype.np)
    taken = {i: e for i, e in enumerate(entries) if i not in blanks}
    if len({np.shape(e) for e in taken.values()}) > 1 and not _is_stack(t):
        return _objects(entries, capacity)
    uneven = any(_is_uneven(e, t) for e in taken.values())
    if uneven:
        taken = {i: _objects(list(e), len(e)) for i, e in taken.items()}
    shapes = [np.shape(e) for e in taken.values()] or [np.shape(entries[0])]
    shape = np.max(shapes, axis=0).astype(int)
    out = np.zeros((capacity, *shape), object if uneven else t.dtype.np)
    for i, e in taken.items():
        place: tuple = (i, *map(slice, np.shape(e)))
        out[place] = e
    return out


def _is_uneven(value: Array | np.generic, t: "GraphTensor") -> bool:
    """Whether this is the stack of an inner loop whose entries differ in shape."""
    return value.dtype.kind == "O" and t.dtype is not dtypes.string


def _objects(entries: "list[Played]", capacity: int) -> Array:
    """The entries as an array of objects."""
    found = np.empty(capacity, object)
    for i, e in enumerate(entries):
        found[i] = e
    return found


def _is_stack(t: Any) -> Any:
    """Whether `t` is the stack of an inner loop, perhaps from inside a branch."""
    extra = t.op.extra
    if t.op.type == "While":
        return t.value_index > len(extra.body.params)
    if t.op.type == "If":
        found = [r.results[t.value_index] for r in extra.regions]
        return any(r is not None and _is_stack(r) for r in found)
    return False
