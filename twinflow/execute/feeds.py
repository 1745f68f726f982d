"""Feeds: the values that a run takes in place of what the graph computes."""

import reprlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.base import frames, nest
from twinflow.base.advice import advised, say_fix
from twinflow.base.annotations import Array
from twinflow.base.convert import to_array
from twinflow.base.errors import with_notes_of
from twinflow.base.tensor import Composite, ResourceHandle
from twinflow.execute.fetches import CONVERSIONS, conversion_of
from twinflow.graph.node import GraphTensor


def pairs(feed_dict: dict) -> Iterator[tuple]:
    """(key, value) for each single thing that is fed.

    Raises:
        TypeError: it is no dict.
        ValueError: a structure of keys has other parts than its value.
    """
    if not isinstance(feed_dict, dict):
        error = TypeError("input must be a dictionary")
        kind = type(feed_dict).__name__
        say_fix(error, f"feed_dict is {{placeholder: value, ...}}, received a {kind}.")
        raise error
    for key, value in feed_dict.items():
        if isinstance(key, tuple | list):
            keys, values = nest.flatten(key), nest.flatten(value)
            if len(keys) != len(values):
                raise ValueError(
                    f"Could not flatten dictionary. Key had {len(keys)} elements, but "
                    f"value had {len(values)} elements. Key: {keys}, value: {values}."
                )
            for k, v in zip(keys, values):
                yield from _parts(k, v)
        else:
            yield from _parts(key, value)


def _parts(key: GraphTensor | str, value: Any) -> Iterator[tuple]:
    """The pairs of one key: a sparse one has several tensors."""
    found = conversion_of(key) if CONVERSIONS else None
    if found:
        yield from found.feed(key, value)
    elif isinstance(key, Composite):
        components = key._components()
        if not isinstance(value, tuple | list):
            raise TypeError(
                f"Cannot feed {_shown(value)} for the {type(key).__name__} of the "
                f"placeholders {[t.name for t in components if t is not None]}. Feed a "
                f"tf.{type(key).__name__}Value, or a tuple of their values."
            )
        parts = zip(components, value, strict=False)  # a shape may be known
        yield from (pair for pair in parts if pair[0] is not None)
    else:
        yield key, value


def fed(graph: Any, key: Any) -> Any:
    """The tensor that a key stands for.

    Raises:
        TypeError: it stands for none. ValueError: it may not be fed.
    """
    try:
        name = key.decode() if isinstance(key, bytes) else key
        found = graph.as_graph_element(name, allow_operation=False)
    except (TypeError, ValueError, KeyError) as error:
        reason = error.args[0] if error.args else error
        text = f"Cannot interpret feed_dict key as Tensor: {reason}"
        raise with_notes_of(error, TypeError(text)) from None
    if not graph.is_feedable(found):
        raise ValueError(f"Tensor {found} may not be fed.")
    return found


def array_of(t: GraphTensor, value: Any) -> Array:
    """The array that stands for `value`, fed to the tensor `t`.

    Raises:
        TypeError, ValueError: it is a tensor, or has another dtype or shape.
    """
    kind = t.dtype.np
    if type(value) is np.ndarray and value.shape == t._shape and value.dtype is kind:
        return np.array(value)
    if isinstance(value, GraphTensor | ResourceHandle):
        raise advised(
            TypeError,
            "The value of a feed cannot be a tf.Tensor object. Acceptable feed values "
            "include Python scalars, strings, lists, numpy ndarrays, or TensorHandles."
            f"For reference, the tensor object was {value} which was passed to the "
            f"feed with key {t}.",
        )
    if hasattr(value, "_fed_array"):
        return value._fed_array(t)
    try:
        array = _cast(t, value)
    except (ValueError, TypeError) as error:
        raise _named(error, t, value) from None
    if not _fits(t._shape, array.shape):
        text = (
            f"Cannot feed value of shape {array.shape!r} for Tensor {t.name!r}, which "
            f"has shape '{t.shape}'"
        )
        raise _placed(advised(ValueError, text), t)
    return array


def _cast(t: GraphTensor, value: Any) -> Array:
    """The value in the dtype of `t`: as NumPy converts it."""
    kind = t.dtype.np
    if kind is not None and isinstance(value, int) and _is_lost(kind, value):
        raise _loss(t, value)
    if value is None or kind is None or kind.kind == "O":
        return to_array(value, t.dtype)[0]
    try:
        return np.array(value, kind)
    except OverflowError:
        raise _loss(t, value) from None


def _named(error: Exception, t: GraphTensor, value: Any) -> Exception:
    """An error of a conversion, with the tensor that was fed and what it was fed."""
    if t.name in str(error):
        return error
    text = (
        f"{error}\nCannot feed {_shown(value)} for Tensor {t.name!r}, which has dtype "
        f"{t.dtype.base_dtype.name} and shape '{t.shape}'. {_advice(value)}"
    )
    return _placed(type(error)(text), t)


def _placed(error: Exception, t: GraphTensor) -> Exception:
    """The error, with a note on where the tensor was made that was fed."""
    if t.op.frames:
        where = frames.format_frame(t.op.frames[0])
        error.add_note(f"{t.op.name!r} was made at {where}.")
    return error


def _shown(value: Any) -> str:
    text = reprlib.repr(value)
    if isinstance(value, np.ndarray):
        text = f"of dtype {value.dtype} and shape {value.shape}"
    return "None" if value is None else f"a value of type {type(value).__name__} {text}"


def _advice(value: Any) -> str:
    if value is None:
        return "It may come from a function without a return, or was never set."
    lengths = {len(v) if isinstance(v, _ROWS) else -1 for v in _rows_of(value)}
    if len(lengths) > 1:
        return "Its rows differ in length: pad them to one, or feed them one at a time."
    return "Feed an array of that dtype, or what NumPy makes one of."


_ROWS = list | tuple | np.ndarray


def _rows_of(value: Any) -> Any:
    """The rows, at the first level at which there is more than one."""
    while isinstance(value, _ROWS) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, list | tuple) else ()


def _is_lost(kind: np.dtype, value: Any) -> bool | np.generic:
    """Whether an integer is not what it was in a NumPy dtype."""
    try:
        return kind.kind == "O" or kind.type(value) != value
    except OverflowError:
        return True


def _loss(t: GraphTensor, value: Any) -> Any:
    return TypeError(
        f"Type of feed value {value} with type {type(value)} is not compatible with"
        f" Tensor type {t.dtype.as_numpy_dtype}. Try explicitly setting the type of"
        f" the feed tensor to a larger type (e.g. int64).\nIt is fed to {t.name!r}, "
        f"which has shape '{t.shape}'."
    )


def _fits(shape: tuple | None, found: tuple[int, ...]) -> bool:
    if shape is None:
        return True
    sizes = zip(shape, found, strict=False)
    return len(shape) == len(found) and all(d is None or d == n for d, n in sizes)
