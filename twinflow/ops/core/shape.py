"""Ops that ask for a shape or give another one to the same values."""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, movement, native
from twinflow.base.annotations import AxisValue, DTypeValue, ShapeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast, tensor_in
from twinflow.ops.core.infer import (
    host_ranked,
    ints,
    length,
    one_int,
    product,
    text,
)
from twinflow.ops.core.sparse_values import dense_shape_of


def _asked(op, t, value, out_type, name):
    """A Const where a graph knows the answer already, as TensorFlow does it."""
    mode = dispatch.current_mode()
    if value is None or mode.eager:
        attrs = {"out_type": out_type} if op.sig.attrs else None
        return apply(op, (t,), attrs, name)
    return mode.make_constant(np.array(value, out_type.np), out_type, name or op.type)


def _static_shape(node, value):
    s = node.inputs[0]._shape
    if s is None or None in s:
        return s
    return np.array(s, node.attrs["out_type"].np)


Shape = define(
    "Shape",
    infer=lambda input, out_type: (
        None if input._shape is None else len(input._shape),
    ),
    kernel=lambda xp: lambda input, out_type: np.array(np.shape(input), out_type.np),
    static=_static_shape,
    strict=True,
)


def shape(
    input: TensorValue, name: str | None = None, out_type: DTypeValue = dtypes.int32
) -> Tensor:
    """The shape of `input`.

    Args:
        input: a tensor of any dtype, or a SparseTensor.
        name: the name of the node in a graph. out_type: int32 or int64.
    Returns:
        `out_type[rank]`.
    Example:
        tf.shape([[1, 2, 3]])  # [1, 3]
    """
    out_type = dtypes.as_dtype(out_type)
    if (sparse := dense_shape_of(input)) is not None:
        return cast(sparse, out_type, name)
    t, name = tensor_in(input, name or "Shape")
    s = t._shape
    return _asked(Shape, t, None if s is None or None in s else s, out_type, name)


Size = define(
    "Size",
    infer=lambda input, out_type: (),
    kernel=lambda xp: lambda input, out_type: np.array(np.size(input), out_type.np),
    strict=True,
)


def dense_size(input, name=None, out_type=dtypes.int32):
    """tf.size of a tensor that is not sparse."""
    out_type = dtypes.as_dtype(out_type)
    t, name = tensor_in(input, name or "Size")
    return _asked(Size, t, product(t._shape), out_type, name)


Rank = define(
    "Rank",
    infer=lambda input: (),
    kernel=lambda xp: lambda input: np.array(np.ndim(input), np.int32),
    strict=True,
)


def rank(input: TensorValue, name: str | None = None) -> Tensor:
    """The number of axes of `input`, an int32 scalar."""
    if (sparse := dense_shape_of(input)) is not None:
        return dense_size(sparse, name)
    t, name = tensor_in(input, name or "Rank")
    known = None if t._shape is None else len(t._shape)
    return _asked(Rank, t, known, dtypes.int32, name)


def _infer_reshape(tensor, shape):
    if shape is None:
        return None
    if type(shape) is not tuple:
        host_ranked(shape, 1, "sizes input must be 1-D, not {}")
    s = ints(shape)
    wild = [i for i, d in enumerate(s) if d == -1]
    if len(wild) > 1:
        raise InferError(
            f"Only one input size may be -1, not both {wild[0]} and {wild[1]}",
            later=True,
        )
    for i, d in enumerate(s):
        if d is not None and d < -1:
            raise InferError(f"Size {i} must be non-negative, not {d}")
    before = tensor._shape
    total = 0 if before and 0 in before else product(before)
    if total and not wild and s.count(None) == 1:
        rest = product([d for d in s if d is not None])
        return s if not rest or total % rest else _filled(s, total // rest)
    _check_unknown(tensor._shape, s)
    if None in s or total is None:
        return tuple(None if d == -1 else d for d in s)
    rest = product([d for d in s if d != -1])
    if not wild:
        if rest != total:
            raise _bad_reshape(s, total, rest)
        return s
    if rest == 0 or total % rest:
        raise _bad_wild(total, rest)
    return tuple(total // rest if d == -1 else d for d in s)


def _filled(s, size):
    return tuple(size if d is None else d for d in s)


def _check_unknown(before, after):
    """One unknown size must come out whole."""
    if before is None or before.count(None) != 1 or None in after or -1 in after:
        return
    known, wanted = product([d for d in before if d is not None]), product(after)
    if known and wanted % known:
        raise _bad_wild(wanted, known)


def _bad_reshape(s, total, rest):
    return InferError(
        f"Input to reshape is a tensor with {total} values, but the requested "
        f"shape has {rest}",
        f"Cannot reshape a tensor with {total} elements to shape {text(s)} "
        f"({rest} elements)",
    )


def _bad_wild(total, rest):
    if rest == 0:
        return InferError(
            "reshape cannot infer the missing input size for an empty tensor unless "
            "all specified input sizes are non-zero",
            later=True,
        )
    return InferError(
        f"Input to reshape is a tensor with {total} values, but the requested shape "
        f"requires a multiple of {rest}",
        f"Dimension size must be evenly divisible by {rest} but is {total}",
    )


def _reshaped(tensor, shape):
    if tensor.size < movement.LARGE:
        return tensor.reshape(shape if type(shape) is tuple else ints(shape))
    return movement.reshaped(tensor, ints(shape))


def _reshape_kernel(xp):
    return _reshaped if xp is np else lambda t, shape: t.reshape(ints(shape))


Reshape = define(
    "Reshape",
    on_host="shape",
    infer=_infer_reshape,
    kernel=_reshape_kernel,
    grad=[lambda dy, shape_tensor: reshape(dy, shape_tensor)],
    quick=getattr(native.fast, "reshaped", None),
)


def reshape(tensor: TensorValue, shape: ShapeValue, name: str | None = None) -> Tensor:
    """`tensor` with another shape, the elements in the same (row-major) order.

    Args:
        tensor: a tensor of any dtype.
        shape: ints or an integer tensor; one entry may be -1, which is computed.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the sizes do not agree.
    Example:
        tf.reshape([1, 2, 3, 4], [2, -1])  # [[1, 2], [3, 4]]
    """
    return apply(Reshape, (tensor, shape), None, name)


def _infer_expand(input, dim):
    if type(dim) is not int and (length(dim) or 1) != 1:
        message = "'dim' must be a tensor with a single value"
        raise InferError(message, "'dim' input must be a tensor with a single value")
    s, dim = input._shape, one_int(dim)
    if s is None or dim is None:
        return None
    if not -len(s) - 1 <= dim <= len(s):
        raise InferError(
            f"Tried to expand dim index {dim} for tensor with {len(s)} dimensions.",
            f"dim {dim} not in the interval [{-len(s) - 1}, {len(s)}].",
        )
    dim %= len(s) + 1
    return s[:dim] + (1,) + s[dim:]


def _single(dim):
    (axis,) = ints(dim)
    return axis


def _expanded(input, dim):
    s, axis = input.shape, _single(dim)
    if not -len(s) - 1 <= axis <= len(s):
        raise ValueError("no such axis")  # infer says it better
    axis %= len(s) + 1
    return input.reshape(s[:axis] + (1,) + s[axis:])


ExpandDims = define(
    "ExpandDims",
    on_host="dim",
    infer=_infer_expand,
    kernel=lambda xp: (
        _expanded if xp is np else lambda x, dim: xp.expand_dims(x, _single(dim))
    ),
    grad=[lambda dy, shape_input: reshape(dy, shape_input)],
    strict=True,
    quick=getattr(native.fast, "expanded", None),
)


def expand_dims(
    input: TensorValue, axis: AxisValue | None = None, name: str | None = None,
    dim: AxisValue | None = None,
) -> Tensor:  # fmt: skip
    """`input` with a new axis of size 1 at `axis`.

    Args:
        input: a tensor of any dtype and shape.
        axis: where the new axis will be, in [-rank - 1, rank]. dim: its older name.
        name: the name of the node in a graph.
    Example:
        tf.expand_dims([1, 2], 0)  # [[1, 2]]
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return apply(ExpandDims, (input, axis), None, name)


def renamed(new_name, new, old_name, old):
    """The value of an argument with an older name; ValueError if both are given."""
    if old is not None:
        if new is not None:
            raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
        return old
    return new


def _infer_squeeze(input, squeeze_dims):
    s = input._shape
    if s is None:
        return None
    if not squeeze_dims:
        return None if None in s else tuple(d for d in s if d != 1)
    gone = set()
    for i, axis in enumerate(squeeze_dims):
        if not -len(s) <= axis < len(s):
            raise InferError(
                f"Tried to squeeze dim index {axis} for tensor with {len(s)} "
                "dimensions.",
                f"squeeze_dims[{i}] not in [{-len(s)},{len(s)}).",
            )
        axis %= len(s)
        if s[axis] not in (1, None):
            raise InferError(
                f"Can not squeeze dim[{axis}], expected a dimension of 1, got {s[axis]}"
            )
        gone.add(axis)
    return tuple(d for i, d in enumerate(s) if i not in gone)


@bind_first
def _squeeze_kernel(xp, input, squeeze_dims):
    if len(squeeze_dims) > 1:  # an axis may come twice
        squeeze_dims = tuple({axis % input.ndim for axis in squeeze_dims})
    return xp.squeeze(input, squeeze_dims or None)


Squeeze = define(
    "Squeeze",
    infer=_infer_squeeze,
    kernel=_squeeze_kernel,
    grad=[lambda dy, shape_input: reshape(dy, shape_input)],
    strict=True,
)


def squeeze(
    input: TensorValue, axis: AxisValue | None = None, name: str | None = None,
    squeeze_dims: Any = None,
) -> Tensor:  # fmt: skip
    """`input` without axes of size 1.

    Args:
        input: a tensor of any dtype.
        axis: the axes to drop, each of size 1; by default all that are.
        name: the name of the node in a graph. squeeze_dims: the older name of `axis`.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): an axis is not of size 1.
    Example:
        tf.squeeze([[1, 2]])  # [1, 2]
    """
    axis = renamed("axis", axis, "squeeze_dims", squeeze_dims)
    axes = () if axis is None else ints(axis)
    return apply(Squeeze, (input,), {"squeeze_dims": axes}, name)
