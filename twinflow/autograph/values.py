"""What a variable of the program holds: the tensors in it, and what stays Python."""

from typing import Any

import numpy as np

from twinflow.autograph.staged_list import StagedList
from twinflow.autograph.undefined import Undefined
from twinflow.base import nest
from twinflow.base.tensor import Composite, ResourceHandle, Tensor, TensorLike

NUMBERS = (bool, int, float, complex, np.ndarray, np.generic)


def is_staged(value: Any) -> bool:
    """Whether a value is a tensor of a graph, known when it runs."""
    return isinstance(value, Tensor) and value.symbolic


def copied(value: Any) -> Any:
    """The same value in lists of its own, for a branch or loop to change."""
    if isinstance(value, StagedList):
        return value.copy()
    if type(value) in (list, dict, set):
        return type(value)(value)
    return value


def parts(value: Any) -> list:
    """The leaves of a value: tensors, numbers, composite values, other objects."""
    try:
        return nest.flatten(value)
    except TypeError:  # a dict whose keys have no order
        return [value]


def alike(a: Any, b: Any) -> bool:
    """Whether two values have the same structure around their leaves."""
    try:
        nest.assert_same_structure(a, b, check_types=False)
    except (TypeError, ValueError):
        return False
    return True


def becomes_tensor(leaf: Any) -> bool:
    """Whether a leaf can go through a loop or branch as tensors."""
    if isinstance(leaf, NUMBERS):
        return not isinstance(leaf, np.ndarray | np.generic) or leaf.dtype != object
    return isinstance(leaf, Tensor | TensorLike | Composite)


def same_object(a: Any, b: Any) -> bool:
    """Whether two leaves are one Python value, which needs no tensor."""
    if a is b:
        return True
    if isinstance(a, Undefined) and isinstance(b, Undefined):
        return True
    plain = type(a) is type(b) and isinstance(a, bool | int | float | str | bytes)
    return plain and a == b and repr(a) == repr(b)


def settled(value: Any) -> Any:
    """A value whose variables are read now."""
    leaves = parts(value)
    if not any(isinstance(x, ResourceHandle) for x in leaves):
        return value
    read = [x._as_tensor() if isinstance(x, ResourceHandle) else x for x in leaves]
    return nest.pack_sequence_as(value, read)


def kind_of(value: Any) -> str:
    """What a value is, for errors: `a float32 tensor of shape (2,)`, `None`."""
    if isinstance(value, Undefined):
        return "no value"
    if isinstance(value, StagedList):
        return "a list of tensors"
    if isinstance(value, Tensor):
        return f"a {value.dtype.name} tensor of shape {value.shape}"
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)
    if nest.is_sequence(value):
        return f"a {type(value).__name__} of {len(value)}"
    return f"an object of {type(value).__name__}"
