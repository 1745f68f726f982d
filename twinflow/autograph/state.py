"""The variables of the program that a loop or branch changes."""

from collections.abc import Callable
from typing import NamedTuple


class State(NamedTuple):
    """Them, as functions of the converted code.

    Attributes:
        get: gives their values, a tuple. set: gives them others. names: their names.
    """

    get: Callable[[], tuple]
    set: Callable[[tuple], None]
    names: tuple
