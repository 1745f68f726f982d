"""The values behind tensor arrays in the interpreter: what one is, and what is in it.

See Note [Tensor arrays] in ops.tensor_array.ops.
"""

import itertools
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dtypes import cpp_name
from twinflow.base.errors import UnimplementedError, invalid
from twinflow.ops.core.flow import Elements
from twinflow.ops.core.infer import fits, text

_number = itertools.count().__next__


class ArrayHandle:
    """What a tensor array is, apart from its contents.

    Attributes:
        dtype: the DType of the elements. size: how many there were at first.
        dynamic: whether writing may add some. clear: whether reading takes them out.
        identical: whether all have one shape. shape: that shape as far as it is known.
        adds: whether writing adds to what is there (the array of a gradient).
        read: the indices that were read. shapes: the shapes written, by index.
    """

    def __init__(self, dtype, size, dynamic, clear, identical, shape, name):
        if size < 0:
            raise invalid("Size should be >= 0.")
        self.dtype, self.size, self.dynamic, self.clear = dtype, size, dynamic, clear
        self.identical, self.shape, self.adds = identical, shape, False
        self.name = f"{name or 'TensorArray'}_{_number()}"
        self.read: set = set()
        self.shapes: dict = {}
        self.origin: Any = None  # the node that made it, for the compiler

    def gradient(self):
        """The handle of an array that gradients of this one are added up in."""
        found = ArrayHandle(
            self.dtype, self.size, True, False, self.identical, self.shape, self.name
        )
        found.adds, found.shapes = True, self.shapes
        return found

    def error(self, message):
        """An error of this array."""
        return invalid(f"TensorArray {self.name}: {message}")

    def shape_of(self, index):
        """The shape of an element, or None where nothing tells."""
        if index in self.shapes:
            return self.shapes[index]
        if self.identical and self.shapes:
            return next(iter(self.shapes.values()))
        return None if self.shape is None or None in self.shape else self.shape

    def check_value(self, value):
        """Refuse an array that cannot be an element."""
        if value.dtype != self.dtype.np:
            found = dtypes.from_numpy(value.dtype)
            raise invalid(
                f"TensorArray dtype is {cpp_name(self.dtype)} but Op "
                f"is trying to write dtype {cpp_name(found)}."
            )

    def note(self, index, value):
        """Remember the shape of a new element; refuse another than the known one."""
        wanted = self.shape_of(index) if self.identical else self.shape
        same = wanted is None or wanted == value.shape
        if not (same or fits(wanted, value.shape)):
            raise self.error(
                f"Could not write to TensorArray index {index} because the value shape "
                f"is {text(value.shape)} which is incompatible with the TensorArray's "
                f"inferred element shape: {text(wanted)} (consider setting "
                "infer_shape=False)."
            )
        self.shapes[index] = value.shape

    def missing(self, index):
        """The error of an element that was never written."""
        shape = text(self.shape)
        return self.error(
            f"Could not read from TensorArray index {index}.  Furthermore, the element "
            f"shape is not fully defined: {shape}.  It is possible you are working with"
            " a resizeable TensorArray and stop_gradients is not allowing the gradients"
            " to be written.  If you set the full element_shape property on the forward"
            " TensorArray, the proper all-zeros tensor will be returned instead of "
            "incurring this error."
        )

    def empty(self, rest=None):
        """The stack of no elements."""
        shape = self.shape if rest is None else rest
        if shape is None or None in shape:
            raise UnimplementedError(
                None,
                None,
                f"TensorArray has size zero, but element shape {text(shape)} is not "
                "fully defined. Currently only static shapes are supported when "
                "packing zero-size TensorArrays.",
            )
        return np.zeros((0, *shape), self.dtype.np)


# ---------------------------------------------------------------- writing and reading
def write(handle, index, value, flow):
    """`flow` with `value` at `index`."""
    index = int(index)
    value = np.asarray(value)
    handle.check_value(value)
    return _put(handle, flow, {index: value})


def _put(handle, flow, more):
    size = flow.size or 0
    last = max(more, default=-1)
    for index, value in more.items():
        if index < 0 or (index >= size and not handle.dynamic):
            raise handle.error(
                f"Tried to write to index {index} but array is not resizeable and size "
                f"is: {size}"
            )
        handle.note(index, value)
    if handle.adds:
        more = {i: flow.items[i] + v if i in flow.items else v for i, v in more.items()}
    else:
        _check_unused(handle, flow, more)
    return flow.with_items(more, max(size, last + 1))


def _check_unused(handle, flow, indices):
    kinds = (("read", handle.read), ("written to", flow.items))
    for index in indices:
        for what, seen in kinds:
            if index in seen:
                raise handle.error(
                    f"Could not write to TensorArray index {index} because it has "
                    f"already been {what}."
                )


def read(handle, index, flow, dtype=None):
    """The element at `index`."""
    if dtype is not None and dtype is not handle.dtype:
        raise invalid(
            f"TensorArray dtype is {cpp_name(handle.dtype)} but Op "
            f"requested dtype {cpp_name(dtype)}."
        )
    index, size = int(index), flow.size or 0
    if not 0 <= index < size:
        raise invalid(f"Tried to read from index {index} but array size is: {size}")
    if handle.clear and index in handle.read:
        raise handle.error(
            f"Could not read index {index} twice because it was cleared after a "
            "previous read (perhaps try setting clear_after_read = false?)."
        )
    handle.read.add(index)
    return _element(handle, index, flow)


def _element(handle, index, flow):
    found = flow.items.get(index)
    if found is None:
        shape = handle.shape_of(index)
        if shape is None:
            raise handle.missing(index)
        found = np.zeros(shape, handle.dtype.np)
    return found


def gather(handle, indices, flow, dtype=None, element_shape=None):
    """The elements at `indices`, stacked."""
    found = [read(handle, i, flow, dtype) for i in np.asarray(indices).tolist()]
    if not found:
        return handle.empty(element_shape)
    _check_alike(found, 0)
    shape = found[0].shape
    joined = np.concatenate(found) if shape else np.stack(found)
    return joined.reshape(len(found), *shape)


def _check_alike(parts, first):
    """Refuse elements whose shapes differ after axis `first`."""
    wanted = parts[0].shape[first:]
    for i, part in enumerate(parts):
        if part.shape[first:] != wanted:
            words = " (excepting dimension 0)" if first else ""
            raise invalid(
                f"TensorArray has inconsistent shapes.  Index 0 has{words} shape: "
                f"{text(wanted)} but index {i} has{words} shape: "
                f"{text(part.shape[first:])}"
            )


def scatter(handle, indices, value, flow):
    """`flow` with the rows of `value` at `indices`."""
    indices, value = np.asarray(indices), np.asarray(value)
    handle.check_value(value)
    if value.ndim < 1:
        raise invalid("Input value must be at least a vector but received shape: []")
    if len(indices) != len(value):
        raise invalid(
            "Expected len(indices) == values.shape[0], but saw: "
            f"{len(indices)} vs. {len(value)}"
        )
    size = flow.size or 0
    last = int(indices.max()) if len(indices) else -1
    if last >= size and not handle.dynamic:
        raise invalid(f"Max scatter index must be < array size ({last} vs. {size})")
    rows: dict = {}
    for i, index in enumerate(indices.tolist()):
        row = value[i, ...]  # strings stay arrays
        if index in rows and not handle.adds:
            raise handle.error(
                f"Could not write to TensorArray index {index} because it has already "
                "been written to."
            )
        rows[index] = rows[index] + row if index in rows else row
    return _put(handle, flow, rows)


def concat(handle, flow, rest=None):
    """The elements one after the other, and their lengths; `rest` is what is known of
    the shape of an element without its first axis."""
    size = flow.size or 0
    parts = [read(handle, i, flow) for i in range(size)]
    for i, part in enumerate(parts):
        if part.ndim == 0:
            raise invalid(
                f"Concat saw a scalar shape at index {i} but requires at least "
                "vectors.  Did you mean to call pack?"
            )
    if not parts:
        if rest is None and handle.shape is not None:
            rest = handle.shape[1:]
        return handle.empty(rest), np.zeros(0, np.int64)
    _check_alike(parts, 1)
    return np.concatenate(parts), np.array([len(p) for p in parts], np.int64)


def split(handle, value, lengths, flow):
    """`flow` with the parts of `value`, as long as `lengths` says."""
    value, lengths = np.asarray(value), np.asarray(lengths)
    handle.check_value(value)
    if value.ndim < 1:
        raise invalid("Expected value to be at least a vector, but received shape: []")
    if lengths.ndim != 1:
        shape = text(lengths.shape)
        raise invalid(f"Expected lengths to be a vector, received shape: {shape}")
    total, size = int(lengths.sum()), flow.size or 0
    if total != len(value):
        raise invalid(
            "Expected sum of lengths to be equal to values.shape[0], but sum of lengths"
            f" is {total} and value's shape is: {text(value.shape)}"
        )
    if size != len(lengths) and not handle.dynamic:
        raise invalid(
            "TensorArray's size is not equal to the size of lengths "
            f"({size} vs. {len(lengths)}), and the TensorArray is not marked as "
            "dynamically resizeable"
        )
    return _put(handle, flow, dict(enumerate(parts_of(value, lengths))))


def parts_of(value, lengths):
    """The parts of `value` along its first axis."""
    return np.split(value, np.cumsum(lengths)[:-1]) if len(lengths) else []


# ------------------------------------------------------------------------- gradients
def entries(handle, index, value):
    """Elements of which only those at `index` are something: `value`, or its rows."""
    index = np.asarray(index)
    if index.ndim == 0:
        return Elements({int(index): value})
    out: dict = {}
    for i, v in zip(index.tolist(), value, strict=True):
        out[i] = out[i] + v if i in out else v
    return Elements(out)


def taken(handle, index, flow, dtype, shape):
    """The elements at `index`, with zeros for those that are nothing."""
    index = np.asarray(index)
    if index.ndim == 0:
        return _or_zeros(handle, int(index), flow, shape)
    rest = None if shape is None else shape[1:]
    found = [_or_zeros(handle, i, flow, rest) for i in index.tolist()]
    if found:
        return np.stack(found)
    return handle.empty(rest)


def _or_zeros(handle, index, flow, shape):
    found = flow.items.get(index)
    if found is not None:
        return found
    if shape is None or None in shape:
        shape = handle.shape_of(index)
    if shape is None and handle.identical and flow.items:
        shape = next(iter(flow.items.values())).shape
    if shape is None:
        raise handle.missing(index)
    return np.zeros(shape, handle.dtype.np)


def joined(handle, lengths, flow, dtype, shape):
    """What `split` was given, from the elements it made."""
    rest = None if shape is None else shape[1:]
    parts = [
        _or_zeros(handle, i, flow, None if rest is None else (n, *rest))
        for i, n in enumerate(np.asarray(lengths).tolist())
    ]
    return np.concatenate(parts) if parts else handle.empty(rest)
