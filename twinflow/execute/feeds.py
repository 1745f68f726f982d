"""Feeds: the values that a run takes in place of what the graph computes."""

import numpy as np

from twinflow.base import nest
from twinflow.base.convert import to_array
from twinflow.base.tensor import Composite, ResourceHandle
from twinflow.execute.fetches import CONVERSIONS, conversion_of
from twinflow.graph.node import GraphTensor


def pairs(feed_dict):
    """(key, value) for each single thing that is fed.

    Raises:
        TypeError: it is no dict.
        ValueError: a structure of keys has other parts than its value.
    """
    if not isinstance(feed_dict, dict):
        raise TypeError("input must be a dictionary")
    for key, value in feed_dict.items():
        if isinstance(key, tuple | list):
            keys, values = nest.flatten(key), nest.flatten(value)
            for k, v in zip(keys, values, strict=True):
                yield from _parts(k, v)
        else:
            yield from _parts(key, value)


def _parts(key, value):
    """The pairs of one key: a sparse one has several tensors."""
    found = conversion_of(key) if CONVERSIONS else None
    if found:
        yield from found.feed(key, value)
    elif isinstance(key, Composite):
        parts = zip(key._components(), value, strict=False)  # a shape may be known
        yield from (pair for pair in parts if pair[0] is not None)
    else:
        yield key, value


def fed(graph, key):
    """The tensor that a key stands for.

    Raises:
        TypeError: it stands for none. ValueError: it may not be fed.
    """
    try:
        name = key.decode() if isinstance(key, bytes) else key
        found = graph.as_graph_element(name, allow_operation=False)
    except (TypeError, ValueError, KeyError) as error:
        reason = error.args[0] if error.args else error
        raise TypeError(f"Cannot interpret feed_dict key as Tensor: {reason}") from None
    if not graph.is_feedable(found):
        raise ValueError(f"Tensor {found} may not be fed.")
    return found


def array_of(t, value):
    """The array that stands for `value`, fed to the tensor `t`.

    Raises:
        TypeError, ValueError: it is a tensor, or has another dtype or shape.
    """
    if isinstance(value, GraphTensor | ResourceHandle):
        raise TypeError(
            "The value of a feed cannot be a tf.Tensor object. Acceptable feed values "
            "include Python scalars, strings, lists, numpy ndarrays, or TensorHandles."
            f"For reference, the tensor object was {value} which was passed to the "
            f"feed with key {t}."
        )
    if hasattr(value, "_fed_array"):
        return value._fed_array(t)
    array = _cast(t, value)
    if not _fits(t._shape, array.shape):
        raise ValueError(
            f"Cannot feed value of shape {array.shape!r} for Tensor {t.name!r}, which "
            f"has shape '{t.shape}'"
        )
    return array


def _cast(t, value):
    """The value in the dtype of `t`: as NumPy converts it."""
    kind = t.dtype.np
    if isinstance(value, int) and _is_lost(kind, value):
        raise _loss(t, value)
    if value is None or kind is None or kind.kind == "O":
        return to_array(value, t.dtype)[0]
    try:
        return np.array(value, kind)
    except OverflowError:
        raise _loss(t, value) from None


def _is_lost(kind, value):
    """Whether an integer is not what it was in a NumPy dtype (None: no number)."""
    try:
        return kind is None or kind.kind == "O" or kind.type(value) != value
    except OverflowError:
        return True


def _loss(t, value):
    return TypeError(
        f"Type of feed value {value} with type {type(value)} is not compatible with"
        f" Tensor type {t.dtype.as_numpy_dtype}. Try explicitly setting the type of"
        " the feed tensor to a larger type (e.g. int64)."
    )


def _fits(shape, found):
    if shape is None:
        return True
    sizes = zip(shape, found, strict=False)
    return len(shape) == len(found) and all(d is None or d == n for d, n in sizes)
