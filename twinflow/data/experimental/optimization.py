"""Transforms that say how others are to be rewritten: Note [Rewriting]."""

from collections.abc import Callable
from typing import Any


def assert_next(transformations: Any) -> Callable:
    """A function that claims which transforms follow, by their names.

    Args:
        transformations: the names, as ["Map", "Batch"].
    Raises:
        InvalidArgumentError (at the start of an iterator): others do.
    """
    names = [n.decode() if isinstance(n, bytes) else n for n in transformations]
    return _passing("AssertNextDataset", transformations=names)


def optimize(optimizations: Any = None) -> Callable:
    """A function that lets the transforms before be rewritten.

    Args:
        optimizations: names, as ["map_fusion"]; see tf.data.Options.
    """
    return _passing("OptimizeDataset", rewrites=list(optimizations or ()))


def model() -> Callable:
    """A function that changes nothing: threads are not tuned by a model here."""
    return _passing("ModelDataset")


def _passing(kind, **facts):
    """A function to a dataset of the same elements."""
    same = lambda env, source: source
    return lambda dataset: dataset._then(kind, same, **facts)
