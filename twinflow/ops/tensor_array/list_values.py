"""The values of lists of tensors, and what can be done with one.

Note [Tensor lists]: a list is an object that nothing changes, the one element of an
array of objects (a batch of lists has more). Each op makes a new list; the arrays in it
are shared.
"""

import numpy as np

from twinflow.base import dtypes
from twinflow.base.errors import invalid
from twinflow.ops.core.creation import zeros_of
from twinflow.ops.core.infer import fits, text


class TensorList:
    """A list of arrays of one dtype.

    Attributes:
        dtype: the DType. shape: of an element; None = unknown. items: the arrays, or
            None for an element that is reserved and not set.
    """

    __slots__ = ("dtype", "items", "shape")

    def __init__(self, dtype, shape, items):
        self.dtype, self.shape, self.items = dtype, shape, items

    def __add__(self, other):
        """The sums of the elements of two lists, for AddN."""
        if self.dtype is not other.dtype:
            raise invalid("Trying to add two lists of tensors of different dtypes.")
        if len(self.items) != len(other.items):
            raise invalid(
                "Trying to add two lists of tensors with different lengths. One is "
                f"{len(self.items)} and the other is {len(other.items)}"
            )
        return self.with_items(map(_sum, self.items, other.items))

    def zeros(self):
        """A list of zeros like this one, for ZerosLike."""
        return self.with_items(i if i is None else zeros_of(i) for i in self.items)

    def with_items(self, items):
        """A list like this one of other elements."""
        return TensorList(self.dtype, self.shape, tuple(items))

    def pushed(self, item, where=""):
        """This list with one more element.

        Args:
            item: the array. where: what errors add to say which list it is.
        """
        if not fits(self.shape, np.shape(item)):
            raise invalid(
                f"Tried to append a tensor with incompatible shape to a list{where}. "
                f"Op element shape: {text(np.shape(item))} list shape: "
                f"{text(self.shape)}"
            )
        return self.with_items((*self.items, item))

    def check_dtype(self, dtype):
        """Raises InvalidArgumentError where it is another than that of the elements."""
        if dtype is not self.dtype:
            raise invalid(
                "Invalid data types; op elements "
                f"{dtypes.cpp_name(dtype)} but list elements "
                f"{dtypes.cpp_name(self.dtype)}"
            )

    def filled(self, item):
        """An element, or the zeros that one is before it is set."""
        if item is not None:
            return item
        shapes = [self.shape, *(np.shape(i) for i in self.items if i is not None)]
        known = next((s for s in shapes if s is not None and None not in s), None)
        if known is None:
            raise invalid(
                "Trying to read an uninitialized tensor but element_shape is not fully "
                f"defined: {text(self.shape)}"
            )
        return np.zeros(known, numpy_type(self.dtype))

    def stacked(self, items):
        """Elements as one array."""
        items = [self.filled(item) for item in items]
        if not items:
            dims = [d or 0 for d in self.shape or ()]
            return np.zeros((0, *dims), numpy_type(self.dtype))
        first = np.shape(items[0])
        for i, item in enumerate(items):
            if np.shape(item) != first:
                raise invalid(
                    "Tried to stack elements from a list with different shapes: "
                    f"element {i} has shape {text(np.shape(item))}, "
                    f"element 0 {text(first)}"
                )
        out = np.empty((len(items), *first), numpy_type(self.dtype))
        for i, item in enumerate(items):
            out[i] = item if first else np.asarray(item)[()]
        return out


def _sum(a, b):
    """The sum of two elements; None, which is not set, adds nothing."""
    return b if a is None else a if b is None else np.add(a, b)


def numpy_type(dtype):
    """The NumPy type of elements; lists in lists are objects."""
    return np.dtype(object) if dtype is dtypes.variant else dtype.np


def dtype_of(array):
    """The DType of an array of numbers, strings or lists."""
    if array.dtype != object:
        return dtypes.from_numpy(array.dtype)
    first = next(iter(array.ravel()), b"")
    return dtypes.variant if isinstance(first, TensorList) else dtypes.string


def boxed(value):
    """One list as an array without axes."""
    out = np.empty((), object)
    out[()] = value
    return out


def batch_of(values, shape):
    """Several lists as an array of that shape."""
    out = np.empty(len(values), object)
    for i, value in enumerate(values):
        out[i] = value
    return out.reshape(shape)


def opened(handle):
    """The one list in an array.

    Raises:
        InvalidArgumentError: it is none.
    """
    found = handle[()] if isinstance(handle, np.ndarray) else handle
    if type(found) is not TensorList:
        raise invalid("Input handle is not a list. Saw: '<unknown>'")
    return found


def opened_batch(handles):
    """All lists in an array, in one Python list."""
    return [opened(boxed(x)) for x in np.asarray(handles, object).ravel()]


def element_shape(given):
    """The shape of elements that an input names: a tuple, or None."""
    a = np.asarray(given)
    if a.ndim == 0 and a.size:
        return None
    return tuple(None if d < 0 else int(d) for d in a.ravel())
