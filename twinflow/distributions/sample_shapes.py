"""Shapes of samples: what was asked for as a vector, what is known of the result."""

import numpy as np

from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.distributions.known import constant_value, pick_vector
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.reduction import reduce_prod
from twinflow.ops.core.shape import rank, reshape, shape


def as_vector(x, name):
    """(a scalar or vector as a vector, the product of its elements).

    Raises:
        ValueError: it is neither.
    """
    known, ndims = constant_value(x), x.shape.ndims
    if known is None:
        product = reduce_prod(x)
    else:
        product = np.prod(known, dtype=x.dtype.as_numpy_dtype)
    if ndims is None:
        to = pick_vector(equal(rank(x), 0), np.array([1], np.int32), shape(x))
        x = reshape(x, to)
    elif ndims == 0:
        if known is not None:
            x = convert_to_tensor(np.array([known], x.dtype.np), name=name)
        else:
            x = reshape(x, [1])
    elif ndims != 1:
        raise ValueError("Input is neither scalar nor vector.")
    return x, product


def set_known(x, sample_shape, batch_shape, event_shape):
    """A graph's samples, with the sizes that are known of their shape."""
    if not x.symbolic:
        return x
    known = constant_value(sample_shape)
    sample = TensorShape(None if known is None else [int(d) for d in known])
    if sample.ndims is None and sample_shape.shape.is_fully_defined():
        sample = TensorShape([None] * sample_shape.shape[0].value)
    parts = [sample, batch_shape, event_shape]
    lengths = [p.ndims for p in parts]
    total = x.shape.ndims
    if None not in lengths:
        total = sum(lengths)
    elif total is not None and lengths.count(None) == 1:
        i = lengths.index(None)
        parts[i] = TensorShape([None] * (total - sum(n for n in lengths if n)))
    if total is None:
        return x
    front, back = [], []
    for p in parts:
        if p.ndims is None:
            break
        front += p.as_list()
    for p in reversed(parts):
        if p.ndims is None:
            break
        back = p.as_list() + back
    unknown = [None] * total
    x.set_shape((front + unknown)[:total])
    x.set_shape((unknown + back)[-total:] if total else [])
    return x


def as_event(value, dtype):
    """A value as a tensor, of `dtype` where that loses nothing: fractions of counts
    stay, also where programs of their time have them cut off."""
    mode = current_mode()
    if mode.eager and (dtype.is_integer or dtype.is_bool):
        found = convert_to_tensor(value, name="value")
        if found.dtype.is_floating:
            return found
    return convert_to_tensor(value, name="value", preferred_dtype=dtype)
