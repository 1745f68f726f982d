"""What a function of tf.function(autograph=True) gives while it is traced."""

from typing import Any

from twinflow.autograph.calls import called, is_artifact
from twinflow.autograph.convert import is_users, underlying
from twinflow.autograph.staged_list import StagedList
from twinflow.base import nest


def run(function: Any, args: tuple, kwargs: dict) -> Any:
    """What a Python function gives, its control flow converted.

    Args:
        function: of the program; one of a library runs as it is. args, kwargs: its
            arguments.
    Returns:
        Its result; lists that a graph fills are stacked.
    """
    inner = underlying(function)
    own = inner is None or is_artifact(inner) or not is_users(inner.__code__)
    if own and not _is_partial(function):
        return function(*args, **kwargs)
    found = called(function, args, kwargs)
    return nest.map_structure(_left, found)


def _is_partial(function: Any) -> bool:
    return hasattr(function, "func") and hasattr(function, "keywords")


def _left(leaf: Any) -> Any:
    return leaf.stack() if isinstance(leaf, StagedList) else leaf
