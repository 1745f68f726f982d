"""Joining, splitting and repeating tensors."""

import builtins
import itertools
from typing import Any

import numpy as np

from twinflow.base import dispatch, movement
from twinflow.base.advice import advised
from twinflow.base.annotations import AxisValue
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.broadcast import Sum
from twinflow.ops.core.constant import (
    constant,
    convert_to_tensor,
    has_tensor,
    identity,
)
from twinflow.ops.core.creation import range
from twinflow.ops.core.infer import (
    attr_at_least,
    dim_is,
    divisible,
    host_rank,
    host_ranked,
    ints,
    merge,
    one_int,
    static_value,
    text,
)
from twinflow.ops.core.shape import (
    dense_size,
    reshape,
)

_AXES = tuple(builtins.range(64))


# ------------------------------------------------------------------ concat
def _infer_concat(values, axis):
    known = [v._shape for v in values if v._shape is not None]
    host_ranked(axis, 0, "axis tensor should be a scalar integer, but got shape {}")
    axis = one_int(axis)
    if not known:
        return None
    n = len(known[0])
    for i, s in enumerate(known):
        if len(s) != n:
            raise InferError(
                "ConcatOp : Ranks of all input tensors should match: shape[0] = "
                f"{text(known[0])} vs. shape[{i}] = {text(s)}",
                f"Shape must be rank {n} but is rank {len(s)}",
            )
    if axis is None and n:
        return (None,) * n
    if not n or not -n <= axis < n:
        raise InferError(
            f"ConcatOp : Expected concatenating dimensions in the range [{-n}, {n}), "
            f"but got {axis}",
            f"Shape must be at least rank {axis + 1 if axis >= 0 else -axis} "
            f"but is rank {n}"
            if n
            else "Can't concatenate scalars (use tf.stack instead)",
        )
    axis %= n
    before, after = (None,) * axis, (None,) * (n - axis - 1)
    for i, s in enumerate(known):
        message = (
            "ConcatOp : Dimensions of inputs should match: shape[0] = "
            f"{text(known[0])} vs. shape[{i}] = {text(s)}"
        )
        before = merge(before, s[:axis], message)
        after = merge(after, s[axis + 1 :], message)
    sizes = [s[axis] for s in known]
    whole = None if None in sizes or len(known) != len(values) else sum(sizes)
    return (*before, whole, *after)


def _concat_grad(dy, shapes_values, axis):
    known = static_value(axis)
    if known is None:
        sizes = stack([convert_to_tensor(s)[axis] for s in shapes_values])
        return split(dy, sizes, axis, num=len(shapes_values))
    axis = one_int(known)
    return split(dy, [s[axis] for s in shapes_values], axis)


def _static_concat(node, value):
    (whole,) = node.outputs
    if whole._shape is None or len(whole._shape) != 1 or not whole.dtype.is_integer:
        return NotImplemented
    entries: list = []
    for t in node.inputs[:-1]:
        part = value(t)
        if part is None:
            return None
        entries.extend(None if p is None else int(p) for p in part)
    return tuple(entries)


@bind_first
def _concat_kernel(xp, values, axis):
    axis = axis if type(axis) is int else one_int(axis)
    found = movement.joined(values, axis) if xp is np else None
    return xp.concatenate(values, axis) if found is None else found


ConcatV2 = define(
    "ConcatV2",
    on_host="axis",
    infer=_infer_concat,
    kernel=_concat_kernel,
    grad=[_concat_grad],
    static=_static_concat,
)


def concat(values: TensorValue, axis: AxisValue, name: str | None = "concat") -> Tensor:
    """Join tensors along an axis that they have.

    Args:
        values: a list of tensors of one dtype, and of one shape except along `axis`.
        axis: which, in [-rank, rank). name: the name of the node in a graph.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.concat([[1, 2], [3]], 0)  # [1, 2, 3]
    """
    if not isinstance(values, list | tuple):
        values = [values]
    if len(values) == 1:
        dispatch.current_mode().leave_ids(0 if is_tensor_like(axis) else 1)
        return identity(values[0], name)
    return apply(ConcatV2, (list(values), axis), None, name)


# ------------------------------------------------------------------ stack
def _infer_pack(values, axis):
    out = values[0]._shape
    for i, v in enumerate(values):
        try:
            out = merge(out, v._shape)
        except InferError as error:
            raise InferError(
                "Shapes of all inputs must match: values[0].shape = "
                f"{text(values[0]._shape)} != values[{i}].shape = {text(v._shape)}",
                f"{error.graph_message}\n\tFrom merging shape {i - 1} with other "
                "shapes.",
            ) from None
    if out is None:
        return None
    axis %= len(out) + 1
    return out[:axis] + (len(values),) + out[axis:]


def _static_pack(node, value):
    if any(t._shape not in ((), None) for t in node.inputs):
        return None  # what has no known shape is a number wherever this is a shape
    parts = [value(t) for t in node.inputs]
    if all(p is not None for p in parts):
        return np.array(parts, node.outputs[0].dtype.np)
    return tuple(None if p is None else int(p) for p in parts)


@bind_first
def _pack_kernel(xp, values, axis):
    if xp is np and values[0].size * len(values) >= movement.LARGE:
        found = movement.joined([np.expand_dims(v, axis) for v in values], axis)
        if found is not None:
            return found
    return xp.stack(values, axis)


Pack = define(
    "Pack",
    infer=_infer_pack,
    kernel=_pack_kernel,
    grad=[lambda dy, num_values, axis: unstack(dy, num_values, axis)],
    static=_static_pack,
)


def stack(
    values: TensorValue, axis: AxisValue = 0, name: str | None = "stack"
) -> Tensor:
    """Join tensors of one shape along a new axis.

    Args:
        values: a list of tensors of one dtype and shape.
        axis: where the new axis will be, in [-rank - 1, rank].
        name: the name of the node in a graph.
    Raises:
        ValueError: there is no such axis.
        InvalidArgumentError (eager) or ValueError (graph): the shapes differ.
    Example:
        tf.stack([[1, 2], [3, 4]], axis=1)  # [[1, 3], [2, 4]]
    """
    if axis == 0 and not is_tensor_like(values) and not has_tensor(list(values)):
        try:
            return constant(values, name=name)
        except ValueError:
            pass  # a ragged list: the op says what is wrong
    values = list(values)
    first = next((v for v in values if is_tensor_like(v)), None)
    shape = convert_to_tensor(values[0])._shape if first is None else first._shape
    if shape is not None and not -len(shape) - 1 <= axis <= len(shape):
        n = len(shape) + 1
        raise ValueError(f"axis = {axis} not in [{-n}, {n})")
    return apply(Pack, (values,), {"axis": axis}, name)


def _infer_unpack(value, num, axis):
    attr_at_least(0, "Unpack", "num", num)
    s = value._shape
    if s is None:
        return [None] * num
    axis %= len(s)
    message = f"Input shape axis {axis} must equal {num}, got shape {{}}"
    dim_is(s[axis], num, message, s)
    return [s[:axis] + s[axis + 1 :]] * num


@bind_first
def _unpack_kernel(xp, value, num, axis):
    parts = list(xp.moveaxis(value, axis, 0))
    if len(parts) != num:
        raise ValueError(f"{len(parts)} slices, not {num}")  # infer says it better
    return parts


Unpack = define(
    "Unpack",
    attrs={"num": 0},
    infer=_infer_unpack,
    kernel=_unpack_kernel,
    grad=lambda dy, axis: (stack(dy, axis),),
)


def unstack(
    value: TensorValue, num: Any = None, axis: AxisValue = 0,
    name: str | None = "unstack",
) -> Any:  # fmt: skip
    """The slices of a tensor along an axis, without that axis.

    Args:
        value: a tensor of at least one axis.
        num: how many slices, where the shape does not say it.
        axis: which, in [-rank, rank). name: the name of the node in a graph.
    Returns:
        A list of tensors.
    Raises:
        ValueError: there is no such axis, or its size is not known.
    Example:
        a, b = tf.unstack([[1, 2], [3, 4]])  # [1, 2], [3, 4]
    """
    value = convert_to_tensor(value, name="value")
    s = value._shape
    if s is not None and not -len(s) <= axis < len(s):
        raise ValueError(f"axis = {axis} not in [{-len(s)}, {len(s)})")
    if num is None:
        num = None if s is None else s[axis]
    if num is None:
        raise advised(ValueError, f"Cannot infer num from shape {value.shape}")
    return apply(Unpack, (value,), {"num": num, "axis": axis}, name)


# ------------------------------------------------------------------ split
def _one_axis(split_dim, message):
    """The axis if it is known; it must be one int."""
    rank = host_rank(split_dim)
    if rank:
        raise InferError(message, f"Input must be scalar but has rank {rank}")
    return one_int(split_dim)


def _split_axis(s, split_dim):
    if not -len(s) <= split_dim < len(s):
        raise InferError(
            f"-input rank(-{len(s)}) <= split_dim < input rank ({len(s)}), but got "
            f"{split_dim}"
        )
    return split_dim % len(s)


def _infer_split(split_dim, value, num_split):
    message = f"split_dim must be a scalar but has rank {host_rank(split_dim)}"
    s, axis = value._shape, _one_axis(split_dim, message)
    attr_at_least(1, "Split", "num_split", num_split)
    if s is None or axis is None:
        return [None if s is None else (None,) * len(s)] * num_split
    axis = _split_axis(s, axis)
    what = "Number of ways to split should evenly divide the split dimension"
    found = f"split_dim {axis} (size = {s[axis]}) and num_split {num_split}"
    try:
        part = divisible(s[axis], num_split, f"{what}, but got {found}")
    except InferError as error:
        raise InferError(str(error), f"{error.graph_message}\n\t{what}") from None
    return [s[:axis] + (part,) + s[axis + 1 :]] * num_split


Split = define(
    "Split",
    on_host="split_dim",
    attrs={"num_split": 1},
    infer=_infer_split,
    kernel=lambda xp: (
        lambda split_dim, value, num_split: _cut(
            value, num_split, one_int(split_dim), xp
        )
    ),
    grad=lambda dy, split_dim: (concat(dy, split_dim),),
)


def _cut(value, parts, axis, xp):
    """Views of equal parts, or of the sizes of a list."""
    if not isinstance(parts, list):
        size, rest = divmod(value.shape[axis], parts)
        if rest:
            raise ValueError("split does not result in an equal division")
        parts = [size] * parts
    if xp is not np:
        return xp.split(value, list(itertools.accumulate(parts[:-1])), axis)
    ends = itertools.accumulate(parts)
    before = (slice(None),) * (axis if axis >= 0 else axis + value.ndim)
    return [
        value[(*before, slice(end - size, end))]
        for size, end in zip(parts, ends, strict=True)
    ]


def _infer_splitv(value, size_splits, split_dim, num_split):
    message = "split_dim_tensor must have exactly one element."
    s, axis = value._shape, _one_axis(split_dim, message)
    attr_at_least(1, "SplitV", "num_split", num_split)
    if s is None or axis is None:
        return [None if s is None else (None,) * len(s)] * num_split
    axis = _split_axis(s, axis)
    sizes = (None,) * num_split if size_splits is None else ints(size_splits)
    if len(sizes) != num_split:
        raise InferError(
            "size of the split_tensor must be 1-D and have the same elements as outputs"
            f" got 1 -D and {len(sizes)} elements",
            "Length of size_splits should be equal to num_outputs",
        )
    if sizes.count(-1) > 1:
        raise InferError("There can only be one -1 in the input.")
    for i, n in enumerate(sizes):
        if n is not None and n < -1:
            message = f"Split size at index {i} must be >= 0. Got: {n}"
            raise InferError(message, later=True)
    sizes = _whole_sizes(sizes, s[axis])
    return [s[:axis] + (n,) + s[axis + 1 :] for n in sizes]


def _whole_sizes(sizes, total):
    """The sizes of the parts, with -1 replaced by the rest."""
    if None in sizes or total is None:
        return tuple(None if n == -1 else n for n in sizes)
    given = sum(n for n in sizes if n != -1)
    if given > total or (-1 not in sizes and given != total):
        shown = ",".join(map(str, sizes))
        raise InferError(
            "Determined shape must either match input shape along split_dim exactly if "
            "fully specified, or be less than the size of the input along split_dim if "
            f"not fully specified.  Got: {given}",
            f"can't split axis of size {total} into pieces of size [{shown}]",
        )
    return tuple(total - given if n == -1 else n for n in sizes)


@bind_first
def _splitv_kernel(xp, value, size_splits, split_dim, num_split):
    axis = one_int(split_dim)
    sizes = _whole_sizes(ints(size_splits), value.shape[axis])
    return _cut(value, list(sizes), axis, xp)


SplitV = define(
    "SplitV",
    on_host="size_splits split_dim",
    attrs={"num_split": 1},
    infer=_infer_splitv,
    kernel=_splitv_kernel,
    grad=lambda dy, split_dim: (concat(dy, split_dim),),
)


def split(
    value: Any, num_or_size_splits: TensorValue, axis: AxisValue = 0, num: Any = None,
    name: str | None = "split",
) -> Any:  # fmt: skip
    """Cut a tensor along an axis.

    Args:
        value: a tensor.
        num_or_size_splits: the number of equal parts, or the size of each part, of
            which one may be -1: the rest.
        axis: which, in [-rank, rank).
        num: the number of parts where the sizes are a tensor of unknown length.
        name: the name of the node in a graph.
    Returns:
        A list of tensors.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the sizes do not fit.
    Example:
        a, b = tf.split([1, 2, 3], [1, 2], 0)  # [1], [2, 3]
    """
    sizes = num_or_size_splits
    if not dispatch.current_mode().eager:
        made = convert_to_tensor(sizes)  # of a number, too: it uses up a name
        sizes = made if made._shape != () else sizes
    if not isinstance(sizes, list | tuple | np.ndarray) and not is_tensor_like(sizes):
        return apply(Split, (axis, value), {"num_split": one_int(sizes)}, name)
    if is_tensor_like(sizes) and sizes._shape == ():
        raise TypeError(
            "tf.split got a scalar tensor as the number of parts; give a Python int, "
            "or the sizes of the parts."
        )
    if num is None:
        found = sizes._shape if is_tensor_like(sizes) else (len(sizes),)
        num = None if found is None else found[0]
    if num is None:
        raise advised(ValueError, f"Cannot infer num from shape {sizes}")
    return apply(SplitV, (value, sizes, axis), {"num_split": num}, name)


# ------------------------------------------------------------------ tile
def _infer_tile(input, multiples):
    s = input._shape
    if multiples is None:
        return None if s is None else (None,) * len(s)
    host_ranked(multiples, 1, "Expected multiples to be 1-D, but got shape {}")
    m = ints(multiples)
    if s is not None and len(s) != len(m):
        raise InferError(
            f"Expected multiples argument to be a vector of length {len(s)} but got "
            f"length {len(m)}",
            f"Shape must be rank {len(s)} but is rank {len(m)}",
        )
    for i, n in enumerate(m):
        if n is not None and n < 0:
            raise InferError(f"Expected multiples[{i}] >= 0, but got {n}", later=True)
    s = (None,) * len(m) if s is None else s
    return tuple(None if None in (d, n) else d * n for d, n in zip(s, m, strict=True))


@bind_first
def _tile_kernel(xp, input, multiples):
    times = ints(multiples)
    if len(times) != input.ndim:
        raise ValueError("not one multiple for each axis")  # infer says it better
    return (movement.tiled if xp is np else xp.tile)(input, times)


def _tile_grad(dy, shape_input, multiples):
    """Cut every axis into (copies, size) and sum over the copies."""
    known = static_value(multiples)
    if type(shape_input) is tuple and known is not None:
        pairs = zip(ints(known), shape_input, strict=True)
        parts = tuple(n for pair in pairs for n in pair)
        axes = _AXES[: len(parts) : 2]
    else:
        parts = reshape(stack([multiples, shape_input], 1), [-1])
        axes = range(0, dense_size(parts), 2)
    return apply(Sum, (reshape(dy, parts), axes))


Tile = define(
    "Tile",
    on_host="multiples",
    infer=_infer_tile,
    kernel=_tile_kernel,
    grad=[_tile_grad],
)


def tile(input: TensorValue, multiples: TensorValue, name: str | None = None) -> Tensor:
    """`input` repeated along each of its axes.

    Args:
        input: a tensor. multiples: int[rank], how often along each axis.
        name: the name of the node in a graph.
    Example:
        tf.tile([1, 2], [2])  # [1, 2, 1, 2]
    """
    return apply(Tile, (input, multiples), None, name)
