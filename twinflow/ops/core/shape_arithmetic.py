"""Shapes as values: of several tensors at once, and the broadcast of two."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, shapes
from twinflow.base.advice import advised
from twinflow.base.annotations import DTypeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import (
    broadcast_shapes,
    host_ranked,
    ints,
    length,
    merge,
    one_int,
    rank_of,
)
from twinflow.ops.core.shape import expand_dims

# ------------------------------------------------------------------ shape_n
ShapeN = define(
    "ShapeN",
    infer=lambda input, out_type: [
        (None if x._shape is None else len(x._shape),) for x in input
    ],
    kernel=lambda xp: (
        lambda input, out_type: [np.array(np.shape(x), out_type.np) for x in input]
    ),
)


def shape_n(
    input: TensorValue, out_type: DTypeValue = dtypes.int32, name: str | None = None
) -> Any:
    """The shapes of several tensors of one dtype.

    Args:
        input: a list of tensors. out_type: int32 or int64. name: for a graph.
    Returns:
        A list of `out_type[rank]`.
    Example:
        tf.shape_n([[1, 2], [3]])  # [[2], [1]]
    """
    return apply(ShapeN, (list(input),), {"out_type": dtypes.as_dtype(out_type)}, name)


# ------------------------------------------------------------------ broadcasting
def _infer_args(s0, s1, T):
    for i, s in enumerate((s0, s1)):
        host_ranked(s, 1, f"In[{i}] must be a vector.{{}}")
    lengths = length(s0), length(s1)
    if s0 is not None and s1 is not None and None not in ints(s0) + ints(s1):
        broadcast_shapes(ints(s0), ints(s1))
    return (None if None in lengths else max(lengths),)


def _args_kernel(s0, s1, T):
    return np.array(broadcast_shapes(ints(s0), ints(s1)), T.np)


BroadcastArgs = define(
    "BroadcastArgs",
    on_host="s0 s1",
    attrs={"T": dtypes.int32},
    infer=_infer_args,
    kernel=lambda xp: _args_kernel,
)


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape of the broadcast of two shapes.

    Args:
        shape_x, shape_y: int32[rank] or int64[rank], of one dtype.
    Returns:
        An int tensor.
    Raises:
        InvalidArgumentError: they cannot be broadcast.
    Example:
        tf.broadcast_dynamic_shape([2, 1], [3])  # [2, 3]
    """
    shape_x = convert_to_tensor(shape_x)
    shape_y = convert_to_tensor(shape_y, shape_x.dtype)
    return apply(BroadcastArgs, (shape_x, shape_y), {"T": shape_x.dtype.base_dtype})


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> shapes.TensorShape:
    """The TensorShape of the broadcast of two TensorShapes, as far as it is known.

    Raises:
        ValueError: they cannot be broadcast.
    Example:
        a, b = tf.TensorShape([2, 1]), tf.TensorShape([3])
        tf.broadcast_static_shape(a, b)  # (2, 3)
    """
    x, y = shapes.as_shape(shape_x), shapes.as_shape(shape_y)
    try:
        return shapes.TensorShape(shapes.broadcast(x.tuple, y.tuple))
    except ValueError:
        raise advised(
            ValueError, f"Incompatible shapes for broadcasting: {x} and {y}"
        ) from None


# ------------------------------------------------------------------ joining
def _infer_parallel(values, shape):
    if None in shape:
        raise InferError("shape attr must be fully defined.")
    for v in values:
        merge(v._shape, (1, *shape[1:]))
    return shape


ParallelConcat = define(
    "ParallelConcat",
    infer=_infer_parallel,
    kernel=lambda xp: lambda values, shape: xp.concatenate(values, 0),
)


def parallel_stack(values: TensorValue, name: str | None = "parallel_stack") -> Tensor:
    """As tf.stack along a first axis, for tensors whose shapes are known.

    Args:
        values: a list of tensors of one dtype and of one fully known shape.
        name: the name scope in a graph.
    Raises:
        ValueError: a shape is not known.
    Example:
        tf.parallel_stack([[1, 2], [3, 4]])  # [[1, 2], [3, 4]]
    """
    with dispatch.current_mode().name_scope(name) as scope:
        values = [convert_to_tensor(v) for v in values]
        first = (None,) if values[0]._shape is None else values[0]._shape
        rows = [expand_dims(v, 0) for v in values]
        return apply(ParallelConcat, (rows,), {"shape": (len(values), *first)}, scope)


def _spaced(sizes):
    return f"[{' '.join(map(str, sizes))}]"


def _check_offset(concat_dim, shape):
    n = len(shape[0])
    axis = int(concat_dim)
    if not -n <= axis < n:
        return f"Concat dim is out of range: {axis} vs. {n}"
    for i, s in enumerate(shape):
        if len(s) != n:
            return f"input {i} should contain {n} elements, but got {len(s)}"
        for at in range(n):
            if at != axis % n and s[at] != shape[0][at]:
                return (
                    f"All dimensions except {axis} must match. Input {i} has shape "
                    f"{_spaced(s)} and doesn't match input 0 with shape "
                    f"{_spaced(shape[0])}."
                )
    return None


def _infer_offset(concat_dim, shape):
    rank_of(concat_dim, 0, "concat_dim")
    for i, s in enumerate(shape):
        rank_of(s, 1, f"input {i}")
    return [s._shape for s in shape]


def _offset_kernel(concat_dim, shape):
    axis, at, out = one_int(concat_dim), 0, []
    for s in shape:
        offset = np.zeros(len(s), np.int32)
        offset[axis] = at
        at += int(s[axis])
        out.append(offset)
    return out


ConcatOffset = define(
    "ConcatOffset", infer=_infer_offset, host=_offset_kernel, check=_check_offset
)
