"""The variables of the program that a loop or branch changes."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple


class State(NamedTuple):
    """Them, as functions of the converted code.

    Attributes:
        get: gives their values, a tuple. set: gives them others. names: their names.
    """

    get: Callable[[], tuple]
    set: Callable[[tuple], None]
    names: tuple


_here = threading.local()


@contextlib.contextmanager
def deciding() -> Iterator[None]:
    """A block that traces a part of an expression which a tensor decides on."""
    before = unsure()
    _here.unsure = True
    try:
        yield
    finally:
        _here.unsure = before


def unsure() -> bool:
    """Whether such a part is being traced."""
    return getattr(_here, "unsure", False)
