"""The operators of lists in converted code."""

from typing import Any

from twinflow.autograph.directives import UNSPECIFIED
from twinflow.autograph.staged_list import ListKind, StagedList, staged
from twinflow.base import dispatch, dtypes
from twinflow.ops.tensor_array.arrays import TensorArray


def element_type(items: Any, dtype: Any, shape: Any = UNSPECIFIED) -> Any:
    """What tf.contrib.autograph.set_element_type makes of an empty list in a graph."""
    if dispatch.current_mode().eager or type(items) is not list or items:
        return items
    known = None if shape is UNSPECIFIED else shape
    return staged((), ListKind(dtypes.as_dtype(dtype), known, free=True))


def list_append(items: Any, element: Any) -> Any:
    """The list with one more element."""
    if isinstance(items, TensorArray):
        return items.write(items.size(), element)
    items.append(element)
    return items


def list_pop(items: Any, *index: Any) -> tuple:
    """The list without an element, and the element."""
    element = items.pop(*index)
    return items, element


def set_item(items: Any, key: Any, value: Any) -> Any:
    """What a variable holds after `items[key] = value`."""
    if isinstance(items, StagedList):
        items.set(key, value)
    elif isinstance(items, TensorArray):
        return items.write(key, value)
    else:
        items[key] = value
    return items
