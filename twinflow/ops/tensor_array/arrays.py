"""tf.TensorArray: a list of tensors that loops can fill and read.

See Note [Tensor arrays] in ops.tensor_array.ops.
"""

from collections.abc import Callable
from contextlib import nullcontext
from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Composite, Tensor
from twinflow.ops.core import array
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import range
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.tensor_array import ops
from twinflow.ops.tensor_array.list import ListArray


class TensorArray:
    """An array of tensors of one dtype.

    Writing gives the array to go on with: `ta = ta.write(i, value)`. In a graph each
    element is written once, and read once unless `clear_after_read=False`.

    Args:
        dtype: the DType of the elements.
        size: int32[], how many elements there are.
        dynamic_size: whether writing past the end adds elements.
        clear_after_read: whether reading an element takes it out; True if not given.
        tensor_array_name: a name for errors.
        handle, flow: those of another array, to look at it (graphs only).
        infer_shape: whether all elements must have one shape.
        element_shape: that shape as far as it is known.
        colocate_with_first_write_call: whether the array asks for no device.
        name: the name scope.
    Raises:
        ValueError: there is neither a size nor a handle, or there are both.
    Example:
        ta = tf.TensorArray(tf.float32, size=2)
        ta.write(0, [1.]).write(1, [2.]).stack()  # [[1.], [2.]]
    """

    _dtype: Any
    _flow: Any
    _handle: Any
    read: Callable[..., Any]
    write: Callable[..., Any]
    stack: Callable[..., Any]
    unstack: Callable[..., Any]
    concat: Callable[..., Any]
    gather: Callable[..., Any]
    scatter: Callable[..., Any]
    split: Callable[..., Any]
    size: Callable[..., Any]
    identity: Callable[..., Any]
    grad: Callable[..., Any]
    close: Callable[..., Any]

    def __new__(cls, *args: Any, **kwargs: Any):
        if cls is TensorArray:
            cls = EagerArray if dispatch.current_mode().eager else GraphArray
        return object.__new__(cls)

    dtype = property(attrgetter("_dtype"), doc="The DType of the elements.")
    flow = property(attrgetter("_flow"), doc="The tensor that stands for the contents.")
    handle = property(
        attrgetter("_handle"),
        doc="The tensor that stands for the array; None in eager mode.",
    )


class GraphArray(TensorArray, Composite):
    """A tensor array of a graph: a view of a handle and a flow."""

    def __init__(
        self, dtype, size=None, dynamic_size=None, clear_after_read=None,
        tensor_array_name=None, handle=None, flow=None, infer_shape=True,
        element_shape=None, colocate_with_first_write_call=True, name=None,
    ):  # fmt: skip
        options = {
            "size": size, "element_shape": element_shape,
            "dynamic_size": dynamic_size, "clear_after_read": clear_after_read,
        }  # fmt: skip
        _check_options(handle, flow, tensor_array_name, options)
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._infer_shape = infer_shape or element_shape is not None
        self._element_shape: list = []  # holds the shape; shared by all views
        if handle is not None:
            self._handle, self._flow = handle, flow
            return
        shape = TensorShape(element_shape)
        if element_shape is not None:
            self._element_shape.append(shape)
        attrs = {
            "dtype": self._dtype, "element_shape": shape.tuple,
            "dynamic_size": bool(dynamic_size),
            "clear_after_read": clear_after_read is None or bool(clear_after_read),
            "identical_element_shapes": bool(infer_shape),
            "tensor_array_name": tensor_array_name or "",
        }  # fmt: skip
        mode = dispatch.current_mode()
        where = mode.device(None) if colocate_with_first_write_call else nullcontext()
        with where, mode.name_scope(name or "TensorArray") as scope:
            made = dispatch.apply(ops.TensorArrayV3, (_size(size),), attrs, scope)
        self._handle, self._flow = made
        shapes = mode.state.setdefault("array_shapes", {})
        shapes[self._handle] = self._element_shape

    # ------------------------------------------------------------------ views
    def _view(self, flow, handle=None):
        """This array with other contents."""
        handle = self._handle if handle is None else handle
        found = GraphArray(self._dtype, handle=handle, flow=flow)
        found._infer_shape = self._infer_shape
        found._element_shape = self._element_shape
        return found

    def _components(self):
        return (self._flow,)

    def _with(self, components):
        (flow,) = components
        home, graph = self._handle.graph, getattr(flow, "graph", None)
        while graph is not None and graph is not home:
            graph = getattr(graph, "outer", None)
        if graph is None:
            raise TypeError(
                "A TensorArray cannot leave the function that it was made in. Return "
                "its elements: `ta.stack()`."
            )
        return self._view(flow)

    def _merge(self, shape):
        """Refine the shape of the elements by that of another one."""
        known = self._element_shape
        shape = TensorShape(shape)
        if not known:
            known.append(shape)
            return
        if not shape.is_compatible_with(known[0]):
            raise advised(
                ValueError,
                f"Inconsistent shapes: saw {shape} but expected {known[0]} "
                "(and infer_shape=True)",
            )
        known[0] = known[0].merge_with(shape)

    def _dims(self):
        """The shape of the elements as a tuple, or None."""
        return self._element_shape[0].tuple if self._element_shape else None

    def _call(self, op, inputs, name, **attrs):
        return dispatch.apply(op, (self._handle, *inputs), attrs, name)

    def _written(self, scope, name, op, inputs):
        """The array after a write."""
        return self._view(self._call(op, (*inputs, self._flow), name))

    # ------------------------------------------------------------------ elements
    def identity(self):
        """The same array, with a flow of its own."""
        return self._view(array.identity(self._flow))

    def grad(self, source, flow=None, name=None):
        """An array of the same kind, in which writing adds to what is there."""
        with dispatch.current_mode().name_scope(name or "TensorArrayGrad"):
            handle, flow = self._call(
                ops.TensorArrayGradV3,
                (self._flow if flow is None else flow,),
                None,
                source=source,
            )
        return self._view(flow, handle)

    def read(self, index, name=None):
        """The element at `index` (int32[])."""
        value = self._call(
            ops.TensorArrayReadV3, (index, self._flow), name, dtype=self._dtype
        )
        if self._element_shape:
            value.set_shape(self._element_shape[0])
        return value

    def write(self, index, value, name=None):
        """The array with `value` at `index` (int32[])."""
        with dispatch.current_mode().name_scope(name or "TensorArrayWrite"):
            value = convert_to_tensor(value, name="value")
            if self._infer_shape:
                self._merge(value.shape)
            inputs = (index, value, self._flow)
            return self._view(self._call(ops.TensorArrayWriteV3, inputs, None))

    def stack(self, name=None):
        """All elements as one tensor, dtype[size, ...]."""
        with dispatch.current_mode().name_scope(name or "TensorArrayStack"):
            return self.gather(range(0, self.size()))

    def gather(self, indices, name=None):
        """The elements at `indices` (int32[n]), dtype[n, ...]."""
        dims = self._dims()
        value = self._call(
            ops.TensorArrayGatherV3, (indices, self._flow), name,
            dtype=self._dtype, element_shape=dims,
        )  # fmt: skip
        if dims is not None:
            value.set_shape((None, *dims))
        return value

    def concat(self, name=None):
        """The elements one after the other along their first axis."""
        dims = self._dims()
        rest = None if dims is None else dims[1:]
        value, _ = self._call(
            ops.TensorArrayConcatV3, (self._flow,), name,
            dtype=self._dtype, element_shape_except0=rest,
        )  # fmt: skip
        return value

    def unstack(self, value, name=None):
        """The array with the rows of `value` as its elements."""
        with dispatch.current_mode().name_scope(name or "TensorArrayUnstack"):
            value = convert_to_tensor(value, name="value")
            return self.scatter(range(0, shape_of(value)[0]), value)

    def scatter(self, indices, value, name=None):
        """The array with the rows of `value` at `indices` (int32[n])."""
        with dispatch.current_mode().name_scope(name or "TensorArrayScatter"):
            value = convert_to_tensor(value, name="value")
            if self._infer_shape:
                self._merge(value.shape[1:])
            inputs = (indices, value, self._flow)
            return self._view(self._call(ops.TensorArrayScatterV3, inputs, None))

    def split(self, value, lengths, name=None):
        """The array with the parts of `value` as its elements, `lengths` long."""
        with dispatch.current_mode().name_scope(name or "TensorArraySplit"):
            value = convert_to_tensor(value, name="value")
            lengths = cast(lengths, dtypes.int64)
            known = lengths._host_value()
            alike = known is not lengths and len(np.unique(known)) == 1
            if self._infer_shape and alike and value.shape.ndims:
                self._merge([int(known.flat[0]), *value.shape[1:]])
            inputs = (value, lengths, self._flow)
            return self._view(self._call(ops.TensorArraySplitV3, inputs, None))

    def size(self, name=None):
        """How many elements there are, int32[]."""
        return self._call(ops.TensorArraySizeV3, (self._flow,), name)

    def close(self, name=None):
        """An op that has nothing to do here: contents are values."""
        return self._call(ops.TensorArrayCloseV3, (), name)


def _check_options(handle, flow, name, options):
    if handle is None:
        if options["size"] is None:
            raise ValueError("Size must be provided if handle is not provided")
        return
    if name:
        raise ValueError("Cannot construct with both handle and tensor_array_name")
    if not isinstance(handle, Tensor):
        raise TypeError("Handle must be a Tensor")
    for key, value in options.items():
        if value is not None:
            raise ValueError(f"Cannot provide both a handle and {key} at the same time")
    if flow is None:
        raise ValueError("flow must not be None if handle is not None.")


def _size(size):
    if isinstance(size, float):
        raise TypeError(
            f"Expected int32 passed to parameter 'size' of op 'TensorArrayV3', got "
            f"{size} of type 'float' instead."
        )
    return size


class EagerArray(ListArray, TensorArray):
    """A tensor array in eager mode."""
