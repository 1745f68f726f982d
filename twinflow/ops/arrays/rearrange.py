"""The same elements in other places: parts turned round, rolled, and flat indices."""

from typing import Any

import numpy as np

from twinflow.base import movement
from twinflow.base.annotations import AxisValue
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.elementwise import negative
from twinflow.ops.core.infer import (
    at_least,
    host_rank,
    host_ranked,
    host_shape,
    ints,
    length,
    ranked,
    same_dim,
    static_value,
    text,
)
from twinflow.ops.core.shape import renamed

_PIXEL = 4  # numbers in a row that are one thing


# ------------------------------------------------------------------ reverse
def _infer_reverse(tensor, axis):
    s = tensor._shape
    host_ranked(axis, 1, f"'dims' must be 1-dimension, not {host_rank(axis)}")
    if s is None or axis is None or None in (axes := ints(axis)):
        return s
    seen = set()
    for i, a in enumerate(axes):
        if not -len(s) <= a < len(s):
            raise InferError(
                f"'axis'[{i}] = {a} is out of valid range [0, {len(s) - 1}"
            )
        if a % len(s) in seen:
            raise InferError(f"axis {a % len(s)} specified more than once.")
        seen.add(a % len(s))
    return s


def _reverse_kernel(xp):
    def kernel(tensor, axis):
        axes = ints(axis)
        if not axes:
            return tensor
        found = xp.flip(tensor, axes)
        # pixels lie in short runs: what reads such a view is slower than a copy
        short = xp is np and found.ndim > 2 and found.shape[-1] <= _PIXEL
        return movement.laid_out(found) if short else found

    return kernel


ReverseV2 = define(
    "ReverseV2",
    on_host="axis",
    infer=_infer_reverse,
    kernel=_reverse_kernel,
    grad=[lambda dy, axis: reverse(dy, axis)],
)


def reverse(tensor: TensorValue, axis: AxisValue, name: str | None = None) -> Tensor:
    """`tensor` with the order along some axes turned round.

    Args:
        tensor: a tensor. axis: int[n], which axes, each once.
        name: the name of the node in a graph.
    Example:
        tf.reverse([1, 2, 3], [0])  # [3, 2, 1]
    """
    return apply(ReverseV2, (tensor, axis), None, name)


reverse_v2 = reverse


# ------------------------------------------------------------------ reverse_sequence
def _infer_reverse_sequence(input, seq_lengths, seq_dim, batch_dim):
    s, n = input._shape, seq_lengths._shape
    ranked(n, 1, lambda n: f"seq_lens input must be 1-dim, not {len(n)}")
    if batch_dim == seq_dim:
        raise InferError(f"batch_dim == seq_dim == {seq_dim}", later=True)
    if s is None:
        return None
    for name, axis in (("seq_dim", seq_dim), ("batch_dim", batch_dim)):
        if not 0 <= axis < len(s):
            raise InferError(
                f"{name} must be < input.dims()( {axis} vs. {len(s)})",
                f"{name} must be < input rank: {axis} vs. {len(s)}",
            )
    if n is None:
        return s
    pair = f"({n[0]} vs. {s[batch_dim]})"
    message = f"len(seq_lens) != input.dims({batch_dim}), {pair}"
    known = same_dim(n[0], s[batch_dim], message)
    return s[:batch_dim] + (known,) + s[batch_dim + 1 :]


def _check_lengths(input, seq_lengths, seq_dim, batch_dim):
    long = np.flatnonzero(seq_lengths > input.shape[seq_dim])
    short = np.flatnonzero(seq_lengths < 0)
    if len(short) and (not len(long) or short[0] < long[0]):
        return f"seq_lens({short[0]}) < 0"
    return f"seq_lens({long[0]}) > input.dims({seq_dim})" if len(long) else None


@bind_first
def _reverse_sequence_kernel(xp, input, seq_lengths, seq_dim, batch_dim):
    along = [1] * input.ndim
    along[seq_dim] = input.shape[seq_dim]
    places = xp.arange(along[seq_dim], dtype=seq_lengths.dtype).reshape(along)
    along = [1] * input.ndim
    along[batch_dim] = input.shape[batch_dim]
    n = seq_lengths.reshape(along)
    places = xp.where(places < n, n - 1 - places, places)
    return xp.take_along_axis(input, places, seq_dim)


ReverseSequence = define(
    "ReverseSequence",
    infer=_infer_reverse_sequence,
    kernel=_reverse_sequence_kernel,
    grad=[
        lambda dy, seq_lengths, seq_dim, batch_dim: reverse_sequence(
            dy, seq_lengths, seq_dim, batch_dim
        )
    ],
    guard=lambda xp: (
        lambda input, seq_lengths, seq_dim, batch_dim: xp.all(
            (seq_lengths >= 0) & (seq_lengths <= input.shape[seq_dim])
        )
    ),
    check=_check_lengths,
)


def reverse_sequence(
    input: TensorValue, seq_lengths: TensorValue, seq_axis: Any = None,
    batch_axis: Any = None, name: str | None = None, seq_dim: Any = None,
    batch_dim: Any = None,
) -> Tensor:  # fmt: skip
    """The first elements of each sequence of a batch in the opposite order.

    Args:
        input: a tensor.
        seq_lengths: int32 or int64[batch], how many elements to turn round in each.
        seq_axis: the axis of the sequences. seq_dim: its older name.
        batch_axis: the axis of the batch, 0 by default. batch_dim: its older name.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError: a length is negative or larger than the axis.
        TypeError: no axis is given.
    Example:
        tf.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], 1)  # [[2, 1, 3], [6, 5, 4]]
    """
    seq_axis = renamed("seq_axis", seq_axis, "seq_dim", seq_dim)
    batch_axis = renamed("batch_axis", batch_axis, "batch_dim", batch_dim)
    if seq_axis is None:
        raise TypeError("Expected int for argument 'seq_dim' not None.")
    (seq_axis,), (batch_axis,) = ints(seq_axis), ints(batch_axis or 0)
    attrs = {"seq_dim": seq_axis, "batch_dim": batch_axis}
    return apply(ReverseSequence, (input, seq_lengths), attrs, name)


# ------------------------------------------------------------------ roll
def _infer_roll(input, shift, axis):
    s = input._shape
    at_least(s, 1, "input must be 1-D or higher")
    for name, value in (("shift", shift), ("axis", axis)):
        if (host_rank(value) or 0) > 1:
            raise InferError(
                f"{name} must be a scalar or a 1-D vector. Found: {host_shape(value)}",
                f"Shape must be at most rank 1 but is rank {host_rank(value)}",
            )
    sizes = length(shift), length(axis)
    if None not in sizes and sizes[0] != sizes[1]:
        raise InferError("shift and axis must have the same size")
    for a in ints(axis) if axis is not None and s is not None else ():
        if a is not None and not -len(s) <= a < len(s):
            bad = a + len(s) if a < 0 else a
            raise InferError(f"axis {bad} is out of range", later=True)
    return s


def _roll_grad(dy, shift, axis):
    known = static_value(shift)
    back = negative(shift) if known is None else tuple(-n for n in ints(known))
    return apply(Roll, (dy, back, axis))


Roll = define(
    "Roll",
    on_host="shift axis",
    infer=_infer_roll,
    kernel=lambda xp: (
        lambda input, shift, axis: xp.roll(input, ints(shift), ints(axis))
    ),
    grad=[_roll_grad],
)


def roll(input: TensorValue, shift: Any, axis: AxisValue) -> Tensor:
    """`input` moved along some axes; what leaves at one end comes in at the other.

    Args:
        input: a tensor of at least one axis.
        shift: an int or int[n], by how much.
        axis: an int or int[n], along which; one that comes twice is moved by the sum.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.roll([1, 2, 3], 1, 0)  # [3, 1, 2]
    """
    return apply(Roll, (input, shift, axis))


# ------------------------------------------------------------------ unravel_index
def _infer_unravel(indices, dims):
    i = indices._shape
    if i is not None and len(i) > 1:
        raise InferError(
            f'The indices can only be scalar or vector, got "{text(i)}"',
            "The indices can only be scalar or vector.",
        )
    if host_rank(dims):
        host_ranked(dims, 1, 'The indices can only be 1-D, got "{}"')
    if dims is not None and 0 in ints(dims):
        raise InferError(f"dims cannot contain a dim of zero: {text(ints(dims))}")
    return None if i is None else (length(dims), *i)


def _like(indices, n):
    return np.array(n, indices.dtype)


@bind_first
def _unravel_kernel(xp, indices, dims):
    """Whole quotients and remainders as in C: towards zero."""
    if indices.ndim > 1:
        raise ValueError("a scalar or vector is wanted")  # infer says it better
    parts, stride, sizes = [], 1, ints(dims)
    for n in sizes[::-1]:
        whole = xp.fmod(indices, _like(indices, stride * n))
        rest = xp.fmod(whole, _like(indices, stride))
        parts.append((whole - rest) // _like(indices, stride))
        stride *= n
    return xp.stack(parts[::-1]).astype(indices.dtype)


UnravelIndex = define(
    "UnravelIndex", on_host="dims", infer=_infer_unravel, kernel=_unravel_kernel
)


def unravel_index(indices: TensorValue, dims: Any, name: str | None = None) -> Tensor:
    """Flat indices as coordinates in an array of shape `dims`.

    Args:
        indices: int32 or int64 scalar or [n]. dims: int[k].
        name: the name of the node in a graph.
    Returns:
        An int tensor[k] or [k, n], a row for each axis.
    Example:
        tf.unravel_index([5], [3, 3])  # [[1], [2]]
    """
    return apply(UnravelIndex, (indices, dims), None, name)
