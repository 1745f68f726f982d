"""Walks over trees and graphs of entries that are deeper than Python's stack."""

from collections.abc import Callable, Iterable
from typing import Any


def fold(
    roots: Iterable,
    enter: Callable[[Any, Any, int], Iterable],
    leave: Callable[[Any, list], list],
    once: bool = False,
) -> list:
    """Walk depth first, and join what is found on the way back.

    Args:
        roots: entries. enter: what is below an entry, given the one above it (or None)
            and its depth, from 1. leave: what an entry becomes, given what those below
            it became. once: leave out entries that have been seen.
    """
    seen: set[str] = set()
    stack: list[tuple[Any, Any, list]] = [(None, iter(roots), [])]
    while True:
        entry, todo, found = stack[-1]
        child = next(todo, None)
        if child is None:
            stack.pop()
            if entry is None:
                return found
            stack[-1][2].extend(leave(entry, found))
        elif not once or child.name not in seen:
            seen.add(child.name)
            stack.append((child, iter(enter(child, entry, len(stack))), []))


def search(
    roots: Iterable, wanted: Callable[[Any], bool], below: Callable, once: bool = False
) -> list:
    """The first entries on each way down that are wanted."""

    def enter(entry: Any, above: Any, depth: int) -> Iterable:
        return () if wanted(entry) else below(entry)

    def leave(entry: Any, found: list) -> list:
        return [entry] if wanted(entry) else found

    return fold(roots, enter, leave, once)


def shown_in_order(root: Any) -> Iterable[tuple[Any, int]]:
    """(entry, depth from 0) of all that is shown, each before what is below it."""
    stack = [(root, 0)]
    while stack:
        entry, depth = stack.pop()
        yield entry, depth
        stack.extend((e, depth + 1) for e in reversed(entry.shown_below))


def tree_proto(root: Any, proto: Any) -> Any:
    """Fill in a message with an entry, and its children with those shown below it."""
    stack = [(root, proto)]
    while stack:
        entry, message = stack.pop()
        entry.fill(message)
        below = [(e, message.children.add()) for e in entry.shown_below]
        stack.extend(below)
    return proto
