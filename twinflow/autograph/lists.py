"""The operators of lists in converted code."""

from typing import Any

from twinflow.autograph import state
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


def list_extend(items: Any, elements: Any) -> Any:
    """The list with more elements."""
    if isinstance(items, StagedList):
        return list_plus(items, elements)
    items.extend(elements)
    return items


def list_plus(items: Any, elements: list) -> Any:
    """What a variable holds after `items += [...]`."""
    if not isinstance(items, StagedList):
        items += elements
        return items
    for element in elements:
        items.append(element)
    return items


def pop_where_sure(name: str, items: Any, *index: Any) -> Any:
    """`items.pop()` inside an expression.

    Raises:
        ValueError: a graph decides whether it is computed.
    """
    if isinstance(items, StagedList) or (isinstance(items, list) and state.unsure()):
        raise ValueError(
            f"{name}.pop() stands in an expression that a tensor decides on, or in the "
            "condition of a loop: `and`, `or`, `a if c else b`, `while`. Give what it "
            "pops to a variable in a statement of its own."
        )
    return items.pop(*index)


def set_item(items: Any, key: Any, value: Any) -> Any:
    """What a variable holds after `items[key] = value`."""
    if isinstance(items, StagedList):
        items.set(key, value)
    elif isinstance(items, TensorArray):
        return items.write(key, value)
    else:
        items[key] = value
    return items
