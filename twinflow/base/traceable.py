"""Objects with the line of the program where they came from."""

import contextlib
from typing import Any

from twinflow.base import frames


class TraceableObject:
    """An object, with the file and line of the user's program that brought it.

    Args:
        obj: the object. filename, lineno: where it came from, if that is known.
    """

    SUCCESS, HEURISTIC_USED, FAILURE = range(3)

    def __init__(
        self, obj: Any, filename: str | None = None, lineno: int | None = None
    ) -> None:
        self.obj, self.filename, self.lineno = obj, filename, lineno

    def set_filename_and_line_from_caller(self, offset: int = 0) -> int:
        """Note the line of the user's program that called this.

        Args:
            offset: how many of the user's frames further out.
        Returns:
            SUCCESS, or HEURISTIC_USED where there are not so many frames.
        """
        found = frames.user_frames(offset + 1)
        if not found:
            return self.FAILURE
        code, _ = found[-1]
        self.filename, self.lineno = code.co_filename, frames.line_number(found[-1])
        return self.SUCCESS if len(found) > offset else self.HEURISTIC_USED

    def copy_metadata(self) -> "TraceableObject":
        """One without an object, of the same line."""
        return TraceableObject(None, self.filename, self.lineno)


def here(obj: Any) -> TraceableObject:
    """An object with the innermost line of the user's program, for `with` blocks."""
    for pair in frames.user_frames(3):
        if pair[0].co_filename != contextlib.__file__:
            name = pair[0].co_filename
            return TraceableObject(obj, name, frames.line_number(pair))
    return TraceableObject(obj)


class TraceableStack:
    """A stack of TraceableObjects.

    Args:
        existing_stack: what it starts with, a list of them.
    """

    def __init__(self, existing_stack: list | None = None) -> None:
        self._stack = list(existing_stack or ())

    def push_obj(self, obj: Any, offset: int = 0) -> int:
        """Put an object on top; returns what set_filename_and_line_from_caller says."""
        found = TraceableObject(obj)
        self._stack.append(found)
        return found.set_filename_and_line_from_caller(offset)

    def pop_obj(self) -> Any:
        """Take the object on top away."""
        return self._stack.pop().obj

    def peek_objs(self) -> list:
        """The objects, the top one first."""
        return [t.obj for t in reversed(self._stack)]

    def peek_traceable_objs(self) -> list:
        """The TraceableObjects, the top one first."""
        return list(reversed(self._stack))

    def __len__(self) -> int:
        return len(self._stack)

    def copy(self) -> "TraceableStack":
        """A stack of the same objects."""
        return TraceableStack(self._stack)
