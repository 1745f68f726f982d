"""Sorting that leaves equal entries where std::sort of GNU's C++ library does.

TensorFlow's reports are sorted by it. It is not stable: without the same steps, lines
with equal numbers would stand in another order.
"""

from collections.abc import Callable
from typing import Any

_FEW = 16  # what remains of a part is sorted by insertion


def std_sorted(items: list, before: Callable[[Any, Any], bool]) -> list:
    """A sorted copy.

    Args:
        items: what is sorted. before: whether one stands before another; false both
            ways where they are equal.
    """
    found = list(items)
    if found:
        _split(found, 0, len(found), 2 * (len(found).bit_length() - 1), before)
        _insert_all(found, before)
    return found


def _split(a: list, first: int, last: int, left: int, before: Callable) -> None:
    """Quicksort down to parts of few."""
    while last - first > _FEW:
        if not left:
            _heap_sort(a, first, last, before)
            return
        left -= 1
        cut = _partition(a, first, last, before)
        _split(a, cut, last, left, before)
        last = cut


def _partition(a: list, first: int, last: int, before: Callable) -> int:
    _median_first(a, first, first + 1, first + (last - first) // 2, last - 1, before)
    pivot, low, high = a[first], first + 1, last
    while True:
        while before(a[low], pivot):
            low += 1
        high -= 1
        while before(pivot, a[high]):
            high -= 1
        if low >= high:
            return low
        a[low], a[high] = a[high], a[low]
        low += 1


def _median_first(
    a: list, to: int, x: int, y: int, z: int, before: Callable
) -> None:  # fmt: skip
    """Swap the median of three places to one."""
    if before(a[x], a[y]):
        found = y if before(a[y], a[z]) else z if before(a[x], a[z]) else x
    else:
        found = x if before(a[x], a[z]) else z if before(a[y], a[z]) else y
    a[to], a[found] = a[found], a[to]


def _insert_all(a: list, before: Callable) -> None:
    for i in range(1, len(a)):
        item, j = a[i], i
        if i < _FEW and before(item, a[0]):
            a[1 : i + 1] = a[:i]
            j = 0
        else:
            while before(item, a[j - 1]):
                a[j] = a[j - 1]
                j -= 1
        a[j] = item


def _heap_sort(a: list, first: int, last: int, before: Callable) -> None:
    size = last - first
    for parent in range(size // 2 - 1, -1, -1):
        _sift(a, first, parent, size, a[first + parent], before)
    for end in range(size - 1, 0, -1):
        item = a[first + end]
        a[first + end] = a[first]
        _sift(a, first, 0, end, item, before)


def _sift(a: list, at: int, hole: int, size: int, item: Any, before: Callable) -> None:
    """Let the larger children move up to a hole, then the item up from below."""
    top = hole
    while 2 * hole + 2 < size:
        child = 2 * hole + 2
        if before(a[at + child], a[at + child - 1]):
            child -= 1
        a[at + hole] = a[at + child]
        hole = child
    if 2 * hole + 2 == size:
        a[at + hole] = a[at + size - 1]
        hole = size - 1
    while hole > top and before(a[at + (hole - 1) // 2], item):
        a[at + hole] = a[at + (hole - 1) // 2]
        hole = (hole - 1) // 2
    a[at + hole] = item
