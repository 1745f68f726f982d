"""Periodic resampling: numbers of one axis spread over the others, and back.

The result has a given size along all axes but one, which gets what is left.
Along an axis that grows by the factor f = ceil(new / old), place i comes from i // f
of the old axis; the remainders i % f, as the digits of a number, say which part of the
adjusted axis they are taken from.
"""

import functools
import math
from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, Op, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.core import creation
from twinflow.ops.core.index import unsorted_segment_sum
from twinflow.ops.core.infer import merge, sizes, text
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.core.size import size


def _adjusted(old, desired):
    """(place of the adjusted axis, the new shape), of known shapes."""
    if len(desired) != len(old):
        raise InferError(
            f"periodic_resample expects the rank of the input tensor, {len(old)}, to be"
            f" the same as the length of the desired shape, {len(desired)}."
        )
    open_axes = [i for i, d in enumerate(desired) if d is None or d < 0]
    if len(open_axes) != 1:
        what = "only one index" if open_axes else "at least one index"
        raise InferError(
            f"periodic_resample expects {what} to be marked as adjustable."
        )
    (axis,) = open_axes
    given = math.prod(d for i, d in enumerate(desired) if i != axis)
    size = None if None in old else math.prod(old) // max(given, 1)
    return axis, (*desired[:axis], size, *desired[axis + 1 :])


def _infer(values, shape):
    old = values._shape
    if old is None:
        return tuple(None if d is None or d < 0 else d for d in shape)
    return _adjusted(old, shape)[1]


@functools.lru_cache(maxsize=4)
def _places(old, desired):
    """For each place of the result, the flat place of its value."""
    axis, new = _adjusted(old, desired)
    if 0 in new or 0 in old:
        if 0 not in new:
            raise InferError("periodic_resample: there are no values.")
        return np.zeros(new, np.int64)
    at = np.indices(new, sparse=True)
    sources, part, digit = list(at), 0, 1
    for i, (before, after) in enumerate(zip(old, new, strict=True)):
        if i != axis:
            factor = -(-after // before)
            sources[i] = at[i] // factor
            part = part + at[i] % factor * digit
            digit *= factor
    sources[axis] = at[axis] + part * new[axis]
    for source, most in zip(sources, old, strict=True):
        if source.size and source.max() >= most:
            raise InferError("periodic_resample: the desired shape asks for too much.")
    found = np.ravel_multi_index(np.broadcast_arrays(*sources), old)
    found.flags.writeable = False  # it is kept
    return found


@bind_first
def _resampled(xp, values, shape):
    places = _places(tuple(values.shape), tuple(shape))
    return xp.take(values.reshape(-1), places).reshape(places.shape)


@bind_first
def _back(xp, grad, original_shape, desired_shape):
    places = _places(tuple(original_shape), tuple(desired_shape)).reshape(-1)
    flat = xp.zeros(math.prod(original_shape), grad.dtype)
    if xp is np:
        np.add.at(flat, places, grad.reshape(-1))
    else:
        flat = flat.at[places].add(grad.reshape(-1))
    return flat.reshape(original_shape)


def _rule(dy, values, shape):
    if values._shape is None or None in values._shape:
        return _summed(dy, values, shape)
    attrs = {"original_shape": values._shape, "desired_shape": shape}
    return apply(PeriodicResampleOpGrad, (dy,), attrs)


def _infer_back(grad, original_shape, desired_shape):
    old = sizes(original_shape)
    if old is None or None in old:
        raise InferError(f"Shape {text(old)} is not fully defined")
    merge(grad._shape, _adjusted(old, tuple(desired_shape))[1])
    return old


def _summed(dy, values, shape):
    """The gradient where only a run knows the shape: each number back to its place."""
    count = size(values)
    numbers = reshape(creation.range(count), shape_of(values))
    places = reshape(apply(PeriodicResample, (numbers,), {"shape": shape}), [-1])
    flat = unsorted_segment_sum(reshape(dy, [-1]), places, count)
    return reshape(flat, shape_of(values))


PeriodicResampleOpGrad: Op = define(
    "PeriodicResampleOpGrad",
    infer=_infer_back,
    kernel=_back,
    grad=[lambda dy, desired_shape: periodic_resample(dy, desired_shape)],
)
PeriodicResample: Op = define(
    "PeriodicResample", infer=_infer, kernel=_resampled, grad=[_rule]
)


def periodic_resample(
    values: TensorValue, shape: Any, name: str | None = None
) -> Tensor:
    """The numbers of one axis spread over the others, as sub-pixels over an image.

    Args:
        values: T[...]. shape: the new size of each axis, and None for the one that
            gives; the factors of all others are whole numbers, rounded up.
        name: the name of the node in a graph.
    Returns:
        T of that shape; what does not fit is dropped.
    Raises:
        tf.errors.InvalidArgumentError: not one None, or not as many axes.
    Example:
        x = tf.reshape(tf.range(4), [1, 1, 4])
        y = tf.contrib.periodic_resample.periodic_resample(x, [2, 2, None])
        y[:, :, 0]  # [[0, 2], [1, 3]]
    """
    attrs = {"shape": TensorShape(shape).tuple}
    return apply(PeriodicResample, (values,), attrs, name)
