"""tensorflow.python.framework.common_shapes and tensor_util: arithmetic of shapes."""

from typing import Any

import numpy as np

from twinflow.base import dispatch
from twinflow.base.dimension import Dimension
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.formats import protos
from twinflow.formats.attr_values import shape_of
from twinflow.graph.static import constant_value as value_of
from twinflow.graph.static import partial_value
from twinflow.ops.core.shape_arithmetic import broadcast_static_shape

_KNOWN = ("Fill", "Cast", "ConcatV2", "Pack", "Equal", "NotEqual", "Range")


def constant_value(tensor: Any, partial: bool = False) -> Any:
    """The value of a tensor as an array, where it can be known; else None.

    Args:
        partial: give of a stack what is known: a list, with None for the rest.
    Raises:
        TypeError: it is no tensor.
    """
    if isinstance(tensor, dispatch.EagerTensor):
        return tensor.numpy()
    if not isinstance(tensor, Tensor):
        raise TypeError("tensor is not a Tensor")
    if partial and tensor.op.type == "Pack" and tensor.op.attrs.get("axis", 0) == 0:
        return np.array([constant_value(t) for t in tensor.op.inputs], object)
    found = value_of(tensor)
    node = tensor.op
    if found is not None or node.type not in _KNOWN:
        return found
    args = [_constants(a) for a in node.args()]
    if any(a is None for a in args):
        return None
    if node.opdef.type == "Fill":
        return np.full(tuple(args[0]), args[1])
    return np.asarray(node.opdef.np(*args, **node.attrs), tensor.dtype.np)


def _constants(arg):
    if type(arg) is not list:
        return constant_value(arg)
    values = [constant_value(a) for a in arg]
    return None if any(v is None for v in values) else values


def has_fully_defined_shape(tensor):
    """Whether every size of a tensor is known."""
    return tensor.get_shape().is_fully_defined()


def broadcast_shape(shape_x, shape_y):
    """The shape that two broadcast to; unknown where one has an unknown rank.

    Raises:
        ValueError: they do not fit.
    """
    if shape_x.ndims is None or shape_y.ndims is None:
        return TensorShape(None)
    return broadcast_static_shape(shape_x, shape_y)


def is_broadcast_compatible(shape_x, shape_y):
    """Whether two shapes broadcast to each other; not where a rank is unknown."""
    if shape_x.ndims is None or shape_y.ndims is None:
        return False
    try:
        broadcast_static_shape(shape_x, shape_y)
    except ValueError:
        return False
    return True


def scalar_shape(op):
    """The shapes of an op whose output is a scalar."""
    return [TensorShape([])]


def unknown_shape(op):
    """The shapes of an op of which nothing is known."""
    return [TensorShape(None) for _ in op.outputs]


def no_outputs(op):
    """The shapes of an op without outputs."""
    return []


def unchanged_shape(op):
    """The shapes of an op whose output is like its first input."""
    return [op.inputs[0].get_shape()]


def unchanged_shape_with_rank(rank):
    """A function as `unchanged_shape`, for inputs of one rank."""
    return lambda op: [op.inputs[0].get_shape().with_rank(rank)]


def unchanged_shape_with_rank_at_least(rank):
    """A function as `unchanged_shape`, for inputs of a rank or more."""
    return lambda op: [op.inputs[0].get_shape().with_rank_at_least(rank)]


def unchanged_shape_with_rank_at_most(rank):
    """A function as `unchanged_shape`, for inputs of a rank or less."""
    return lambda op: [op.inputs[0].get_shape().with_rank_at_most(rank)]


def get_conv_output_size(input_size, filter_size, strides, padding_type):
    """The sizes that a convolution gives.

    Args:
        input_size, filter_size: ints, Dimensions or None. strides: ints.
        padding_type: b"SAME" or b"VALID".
    Returns:
        A tuple of ints or None.
    """
    same = padding_type in (b"SAME", "SAME")
    sizes = zip(map(_size, input_size), map(_size, filter_size), strides)
    return tuple(
        None
        if n is None or (f is None and not same)
        else -(-n // s)
        if same
        else -(-(n - f + 1) // s)
        for n, f, s in sizes
    )


def get2d_conv_output_size(
    input_height, input_width, filter_height, filter_width, row_stride, col_stride,
    padding_type,
):  # fmt: skip
    """`get_conv_output_size` of an image."""
    sizes = (input_height, input_width), (filter_height, filter_width)
    return get_conv_output_size(*sizes, (row_stride, col_stride), padding_type)


def _size(value):
    return value.value if isinstance(value, Dimension) else value


def constant_value_as_shape(tensor):
    """The TensorShape that an int vector means, as far as it is known.

    Raises:
        ValueError: a size is less than -1.
    """
    eager = not tensor.symbolic
    known = tensor.numpy() if eager else value_of(tensor)
    if known is None:
        known = partial_value(tensor)
    if known is None:
        length = tensor.get_shape().with_rank(1)[0].value
        return TensorShape(None if length is None else [None] * length)
    if getattr(known, "ndim", 1) == 0:
        if known != -1:
            text = "Received a scalar with value '%s' as shape; require a statically "
            raise ValueError(text % known + "known scalar with value '-1' to describe "
                             "an unknown shape.")  # fmt: skip
        return TensorShape(None)
    sizes = [None if d is None or d == -1 else int(d) for d in known]
    return TensorShape(sizes)


def tensor_shape_proto_to_list(shape):
    """The sizes of a TensorShapeProto, -1 where one is unknown."""
    return [dim.size for dim in shape.dim]


def shape_equals(tensor_proto, shape):
    """Whether a TensorProto has a shape.

    Raises:
        TypeError: an argument is of another kind.
    """
    if not isinstance(tensor_proto, protos.TensorProto):
        raise TypeError("tensor_proto is not a tensor_pb2.TensorProto object")
    if isinstance(shape, protos.TensorShapeProto):
        shape = shape_of(shape)
    elif not isinstance(shape, list | tuple):
        raise TypeError("shape is not a list or tuple")
    return list(shape_of(tensor_proto.tensor_shape)) == list(shape)


def call_cpp_shape_fn(op, require_shape_fn=True):
    """What the shape rule of a node says; nodes are made with it.

    Returns:
        A dict with a TensorShapeProto for each output as "shapes".
    """
    return {"shapes": [t.shape.as_proto() for t in op.outputs], "handle_data": None}


def inferred_shapes(op):
    """The shapes of the outputs of a node, which its op's rule has inferred."""
    return [tensor.get_shape() for tensor in op.outputs]
