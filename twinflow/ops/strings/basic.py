"""Strings joined, cut, stripped and measured."""

import math
from typing import Any

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.annotations import AxisValue
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core import creation
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import (
    broadcast_shapes,
    ints,
    merge,
    one_of,
    reduced,
    same,
    text,
)
from twinflow.ops.core.shape import rank as rank_tensor
from twinflow.ops.strings.arrays import as_bytes, filled, flat, mapped


def _infer_join(inputs, separator):
    out = ()
    for x in inputs:
        if x._shape == ():
            continue
        clash = f"Input shapes do not match: {text(out)} vs. {text(x._shape)}"
        out = x._shape if out == () else merge(out, x._shape, clash)
    return out


def _join_kernel(inputs, separator):
    shapes = [np.shape(x) for x in inputs if np.ndim(x)]
    shape = shapes[0] if shapes else ()
    for s in shapes:
        if s != shape:
            raise invalid(f"Input shapes do not match: {text(shape)} vs. {text(s)}")
    full = [flat(np.broadcast_to(np.asarray(x, object), shape)) for x in inputs]
    return filled(map(as_bytes(separator).join, zip(*full)), shape)


StringJoin = define("StringJoin", infer=_infer_join, host=_join_kernel)


def string_join(
    inputs: TensorValue, separator: str = "", name: str | None = None
) -> Tensor:
    """The strings of several tensors put together, element by element.

    Args:
        inputs: a list of string tensors of one shape; scalars go with every element.
        separator: what stands between two. name: the name of the node in a graph.
    Returns:
        A string tensor of that shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes differ.
    Example:
        tf.strings.join([["a", "b"], "c"], "-")  # [b"a-c", b"b-c"]
    """
    if not len(inputs):
        raise ValueError("tf.strings.join takes a list of at least 1 tensor, got none.")
    return apply(StringJoin, (inputs,), {"separator": separator}, name)


StringStrip = define("StringStrip", infer=same, host=mapped(bytes.strip))


def string_strip(input: TensorValue, name: str | None = None) -> Tensor:
    """The strings without the white space at both ends.

    Args:
        input: a string tensor. name: the name of the node in a graph.
    Example:
        tf.strings.strip([" a b "])  # [b"a b"]
    """
    return apply(StringStrip, (input,), None, name)


# ---------------------------------------------------------------------- parts
def _infer_substr(input, pos, len):
    merge(pos._shape, len._shape, "pos and len should have the same shape")
    if input._shape is None or pos._shape is None:
        return None
    return broadcast_shapes(input._shape, pos._shape)


def _substr_kernel(input, pos, len):
    if np.shape(pos) != np.shape(len):
        raise invalid("pos and len should have the same shape")
    s, p, n = np.broadcast_arrays(np.asarray(input, object), pos, len)
    triples = enumerate(zip(flat(s), p.ravel().tolist(), n.ravel().tolist()))
    return filled([_cut(i, *t) for i, t in triples], s.shape)


def _cut(index, value, pos, count):
    size = len(value)
    if not -size <= pos <= size:
        shown = value.decode("utf-8", "backslashreplace")
        raise invalid(f"pos {pos} out of range for stringb'{shown}' at index {index}")
    start = pos if pos >= 0 else pos + size
    return value[start:] if count < 0 else value[start : start + count]


Substr = define("Substr", infer=_infer_substr, host=_substr_kernel)


def substr(input: TensorValue, pos: Any, len: Any, name: str | None = None) -> Tensor:
    """The `len` bytes of each string from `pos` on.

    Args:
        input: a string tensor.
        pos: int32 or int64, from the end where negative; len: of the same shape. All
            broadcast to each other.
        name: the name of the node in a graph.
    Returns:
        A string tensor; shorter strings where they end before.
    Raises:
        InvalidArgumentError: `pos` lies outside of a string.
    Example:
        tf.strings.substr(["hello", "world"], 1, 3)  # [b"ell", b"orl"]
    """
    return apply(Substr, (input, pos, len), None, name)


# ---------------------------------------------------------------------- length
def _characters(value):
    """How many characters begin in UTF-8: bytes that do not continue one."""
    return sum(byte & 0xC0 != 0x80 for byte in value)


_UNITS = {"BYTE": len, "UTF8_CHAR": _characters}


def _length_kernel(input, unit):
    counts = [_UNITS[unit](v) for v in flat(input)]
    return np.array(counts, np.int32).reshape(np.shape(input))


def _infer_length(input, unit):
    one_of("StringLength", "unit", unit, tuple(_UNITS))
    return input._shape


StringLength = define("StringLength", infer=_infer_length, host=_length_kernel)


def string_length(
    input: TensorValue, name: str | None = None, unit: str = "BYTE"
) -> Tensor:
    """The length of each string.

    Args:
        input: a string tensor. name: the name of the node in a graph.
        unit: "BYTE" or "UTF8_CHAR", what is counted.
    Returns:
        int32 of the same shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): another unit.
    Example:
        tf.strings.length("ü"), tf.strings.length("ü", unit="UTF8_CHAR")  # 2, 1
    """
    return apply(StringLength, (input,), {"unit": unit}, name)


# ---------------------------------------------------------------------- reducing
def _axes(value, ndim):
    """The axes in their order; they may not repeat."""
    found = []
    for axis in ints(value):
        if not -ndim <= axis < ndim:
            raise errors.OutOfRangeError(
                None, None,
                f"Invalid reduction dimension {axis} for input with {ndim} "
                "dimension(s)",
            )  # fmt: skip
        if axis % ndim in found:
            raise invalid(f"Duplicate reduction dimension {axis % ndim}")
        found.append(axis % ndim)
    return found


def _infer_reduce_join(inputs, reduction_indices, keep_dims, separator):
    s, axes = inputs._shape, reduction_indices
    known = not (axes is None or (type(axes) is tuple and None in axes))
    for axis in ints(axes) if known and s is not None else ():
        if not -len(s) <= axis < len(s):
            raise InferError(
                f"Invalid reduction dimension {axis} for input with {len(s)} "
                "dimension(s)",
                f"Invalid reduction dimension {axis} for input with {len(s)} "
                "dimensions.",
            )
    return reduced(inputs, axes, keep_dims)


def _reduce_join_kernel(inputs, reduction_indices, keep_dims, separator):
    a = np.asarray(inputs, object)
    axes = _axes(reduction_indices, a.ndim)
    kept = [i for i in range(a.ndim) if i not in axes]
    shape = tuple(a.shape[i] for i in kept)
    count = math.prod(a.shape[i] for i in axes)
    rows = a.transpose(kept + axes[::-1]).reshape(math.prod(shape), count)
    joined = map(as_bytes(separator).join, rows)
    if keep_dims:
        shape = tuple(1 if i in axes else d for i, d in enumerate(a.shape))
    return filled(joined, shape)


ReduceJoin = define(
    "ReduceJoin",
    on_host="reduction_indices",
    infer=_infer_reduce_join,
    host=_reduce_join_kernel,
    strict=True,
)


def reduce_join(
    inputs: TensorValue, axis: AxisValue | None = None, keep_dims: bool | None = False,
    separator: str = "", name: str | None = None,
    reduction_indices: AxisValue | None = None,
) -> Tensor:  # fmt: skip
    """The strings along some axes joined into one.

    Args:
        inputs: a string tensor.
        axis: the axes to join; the first one of the list changes fastest. None = all
            of them, in row-major order.
        keep_dims: keep the axes with length 1.
        separator: what stands between two strings. name: for a graph.
        reduction_indices: the older name of `axis`.
    Returns:
        A string tensor without these axes.
    Raises:
        ValueError: both names of the axis are given.
        OutOfRangeError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.strings.reduce_join([["a", "b"], ["c", "d"]], [0, 1])  # b"acbd"
    """
    if reduction_indices is not None:
        if axis is not None:
            raise ValueError("Can't specify both 'axis' and 'reduction_indices'.")
        axis = reduction_indices
    inputs = convert_to_tensor(inputs)
    if axis is None:
        axis = _all_axes(inputs)
    attrs = {"keep_dims": keep_dims, "separator": separator}
    return apply(ReduceJoin, (inputs, axis), attrs, name)


def _all_axes(t):
    if t._shape is not None:
        return np.arange(len(t._shape) - 1, -1, -1, dtype=dtypes.int32.np)
    return creation.range(rank_tensor(t) - 1, -1, -1)
