"""Why a function was traced again: which argument is of another kind than before."""

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from twinflow.base import logging
from twinflow.base.tensor import Composite, ResourceHandle, Tensor
from twinflow.ops.core.constant import constant

MANY = 8  # traces of one function, after which the log says so once


def kinds(function: Any, args: tuple, kwargs: dict) -> dict[str, str]:
    """What a trace depends on, by argument: dict from labels to texts.

    Args:
        function: the Python function. args, kwargs: of one call.
    """
    found: dict = {}
    try:
        bound = inspect.signature(function).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        bound = {**{f"argument {i}": a for i, a in enumerate(args)}, **kwargs}
    for name, value in bound.items():
        _describe(name, value, found)
    return found


def _describe(label: str, value: Any, found: dict[str, str]) -> None:
    if isinstance(value, Composite):
        for i, part in enumerate(value._components()):
            _describe(f"{label}.{i}", part, found)
    elif isinstance(value, Tensor):
        found[label] = f"{value.dtype.name}{value.shape}"
    elif isinstance(value, ResourceHandle):
        found[label] = f"variable {getattr(value, 'name', '')} (id {id(value):#x})"
    elif isinstance(value, np.ndarray | np.generic):
        _describe(label, constant(value), found)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            _describe(f"{label}[{key!r}]", item, found)
    elif isinstance(value, list | tuple):
        found[label] = f"{type(value).__name__} of {len(value)}"
        for i, item in enumerate(value):
            _describe(f"{label}[{i}]", item, found)
    else:
        text = repr(value)
        found[label] = text if len(text) <= 60 else text[:57] + "..."


def reason(new: dict[str, str], others: list[dict[str, str]]) -> str:
    """How the kinds `new` differ from the most similar of `others`, as text."""
    if not others:
        return "the first call"
    options = [_differences(old, new) for old in others]
    best = min(options, key=len)
    return "; ".join(best) or "another graph, or the same object made anew"


def _differences(old: dict[str, str], new: dict[str, str]) -> list[str]:
    labels = [*new, *(label for label in old if label not in new)]
    return [
        f"{label}: {old.get(label, 'not there')} became {new.get(label, 'not there')}"
        for label in labels
        if old.get(label) != new.get(label)
    ]


def warn(name: str, count: int, why: str) -> None:
    """Say in the log, once for a function, that it is traced again and again."""
    if count == MANY:
        logging.warning(
            f"The function {name} was traced {count} times; the last time because of "
            f"{why}. Each trace costs time: pass numbers that change as tensors, or "
            "give an input_signature with None for the dimensions that change."
        )
