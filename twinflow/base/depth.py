"""Structures nested deeper than Python's recursion limit lets functions follow."""

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from twinflow.base.annotations import Array


def too_deep(error: RecursionError, *structures: Any) -> Exception:
    """The error for a structure that is too deep; `error` itself where none is."""
    limit = sys.getrecursionlimit() // 8
    level = list(structures)
    for _ in range(limit):
        level = [part for value in level for part in _parts(value)][:1000]
        if not level:
            return error
    return ValueError(
        f"A structure is nested more than {limit} levels deep, too deep for Python's "
        f"recursion limit ({sys.getrecursionlimit()}): flatten it."
    )


def _parts(value: Any) -> list:
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return []
    return [v for v in value if isinstance(v, Mapping | list | tuple)]


def followed(function: Callable) -> Callable:
    """`function` of structures, with an error of its own for those too deep."""

    @functools.wraps(function)
    def run(*args: Any, **options: Any) -> Array | Sequence | None:
        try:
            return function(*args, **options)
        except RecursionError as error:
            raise too_deep(error, *args) from None

    return run
