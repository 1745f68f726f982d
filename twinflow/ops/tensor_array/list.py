"""tf.TensorArray in eager mode: a list.

Tapes go through its elements, which are tensors of their own.
"""

import operator

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.errors import invalid
from twinflow.base.shapes import TensorShape
from twinflow.ops.core import array
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.creation import zeros


class ListArray:
    """A list of tensors, which writing changes."""

    def __init__(
        self, dtype, size=None, dynamic_size=None, clear_after_read=None,
        tensor_array_name=None, handle=None, flow=None, infer_shape=True,
        element_shape=None, colocate_with_first_write_call=True, name=None,
    ):  # fmt: skip
        if handle is not None:
            raise ValueError(
                "TensorArray handles are not supported when eager execution is enabled."
            )
        if size is None:
            raise ValueError(
                "Size must be declared for TensorArrays when eager execution is "
                "enabled."
            )
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._handle, self._flow = None, constant(0)
        self._dynamic, self._infer_shape = bool(dynamic_size), infer_shape
        self._clear = clear_after_read is None or clear_after_read
        self._shape = None if element_shape is None else TensorShape(element_shape)
        self._read: set = set()
        self._list: list = [None] * operator.index(size)

    def identity(self):
        """This array."""
        return self

    def grad(self, source, flow=None, name=None):
        """Not here: tapes go through the elements."""
        raise NotImplementedError(
            "TensorArray.grad is not supported when executing eagerly; eager's "
            "gradient implementation does not use/need this function to compute "
            "gradients of operations that use TensorArrays."
        )

    def read(self, index, name=None):
        """The element at `index`."""
        index, size = operator.index(index), len(self._list)
        if index < 0:
            raise _out_of_range(
                f"Reading from negative indices (index {index}) is not allowed."
            )
        if index >= size:
            raise _out_of_range(
                f"Tried to read from index {index} but array size is: {size}"
            )
        if self._list[index] is None and index in self._read:
            raise invalid(
                f"Could not read index {index} twice because it was cleared after a "
                "previous read (perhaps try setting clear_after_read = false?)"
            )
        found = self._element(index)
        if self._clear:
            self._list[index] = None
            self._read.add(index)
        return found

    def _element(self, index):
        found = self._list[index]
        if found is None:
            dims = None if self._shape is None else self._shape.tuple
            if dims is None or None in dims:
                raise ValueError(
                    f"Attempt to read element {index} of a TensorArray, which was not "
                    "written, and whose shape is not known. Write it first, or give "
                    "the full element_shape to get zeros."
                )
            found = self._list[index] = zeros(dims, self._dtype)
        return found

    def write(self, index, value, name=None):
        """This array with `value` at `index`."""
        index, size = operator.index(index), len(self._list)
        if index < 0:
            raise _out_of_range(
                f"Writing to negative indices (index {index}) is not allowed."
            )
        if index >= size and not self._dynamic:
            raise _out_of_range(
                f"Tried to write to index {index} but array is not resizeable and "
                f"size is: {size}"
            )
        value = convert_to_tensor(value)
        self._check(value)
        self._list.extend([None] * (index - size + 1))
        self._list[index] = value
        return self

    def _check(self, value):
        if self._infer_shape:
            if self._shape is None:
                self._shape = value.shape
            elif not self._shape.is_compatible_with(value.shape):
                raise ValueError(
                    f"Incompatible shape for value ({value.shape.as_list()}), "
                    f"expected ({self._shape.as_list()})"
                )
        if value.dtype is not self._dtype:
            raise invalid(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write "
                f"dtype {value.dtype.name}"
            )

    def stack(self, name=None):
        """All elements as one tensor."""
        if not self._list:
            dims = None if self._shape is None else self._shape.tuple
            return zeros((0, *[d or 0 for d in dims or ()]), self._dtype)
        return array.stack([self._element(i) for i in np.arange(len(self._list))])

    def gather(self, indices, name=None):
        """The elements at `indices`, stacked."""
        return array.stack([self._element(i) for i in np.asarray(indices).tolist()])

    def concat(self, name=None):
        """The elements one after the other along their first axis."""
        found = [self._element(i) for i in np.arange(len(self._list))]
        for i, t in enumerate(found):
            if not t._shape:
                raise invalid(
                    f"Concat saw a scalar shape at index {i} but requires at least "
                    "vectors."
                )
        return array.concat(found, 0)

    def unstack(self, value, name=None):
        """This array with the rows of `value` as all its elements."""
        found = array.unstack(value)
        if len(found) > len(self._list) and not self._dynamic:
            raise ValueError(
                f"Cannot unstack {len(found)} tensors into a TensorArray of static "
                f"size {len(self._list)}"
            )
        self._list = found
        return self

    def scatter(self, indices, value, name=None):
        """This array with the rows of `value` at `indices`."""
        places = np.asarray(indices).tolist()
        for index, row in zip(places, array.unstack(value), strict=False):
            self.write(index, row)
        return self

    def split(self, value, lengths, name=None):
        """This array with the parts of `value` as all its elements."""
        value, lengths = convert_to_tensor(value), np.asarray(lengths)
        shape, size = value.shape.as_list(), len(self._list)
        if lengths.ndim != 1:
            raise invalid(
                "Expected lengths to be a vector, received shape: "
                f"{list(lengths.shape)}"
            )
        if not shape:
            raise invalid(
                f"Expected value to be at least a vector, but received shape: {shape}"
            )
        if lengths.sum() != shape[0]:
            raise invalid(
                "Expected sum of lengths to be equal to values.shape[0], but sum of "
                f"lengths is {lengths.sum()} and value's shape is: {shape} "
            )
        if not self._dynamic and len(lengths) != size:
            raise invalid(
                "TensorArray's size is not equal to the size of lengths "
                f"({size} vs. {len(lengths)}), and the TensorArray is not marked as "
                "dynamically resizeable"
            )
        self._list = array.split(value, lengths.tolist())
        return self

    def size(self, name=None):
        """How many elements there are."""
        return constant(len(self._list))

    def close(self, name=None):
        """Forget the elements."""
        self._list.clear()


def _out_of_range(message):
    return errors.OutOfRangeError(None, None, message)
