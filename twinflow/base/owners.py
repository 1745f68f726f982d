"""How many references a value has that nobody else holds.

Values of cells are changed in place, and buffers given away, only if no one else reads
them, which sys.getrefcount tells. What it counts of a call itself differs: from Python
3.14 on a call borrows the references of local names. So the number is measured.
"""

import sys


class _Home:
    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = object()


def _measured() -> int:
    home = _Home()
    value = home.value
    return sys.getrefcount(value)


# `getrefcount(value)` of a value that one attribute and one local name hold
ALONE = _measured()
