"""Batches of matrices that are made to have the same leading axes."""

import functools

from twinflow.base import dtypes, shapes
from twinflow.base.shapes import TensorShape
from twinflow.ops.core.broadcast import broadcast_to
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import abs as abs_of
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import shape
from twinflow.ops.core.shape_arithmetic import broadcast_dynamic_shape
from twinflow.ops.debugging.checks import assert_less

ALLOWED = (
    dtypes.float16,
    dtypes.float32,
    dtypes.float64,
    dtypes.complex64,
    dtypes.complex128,
)


def alike(*matrices):
    """Tensors [..., m, n], repeated so that all have the same leading axes."""
    known = [t._shape for t in matrices]
    if all(s is not None and None not in s[:-2] for s in known):
        batch = functools.reduce(shapes.broadcast, [s[:-2] for s in known])
        return [_repeated(t, batch) for t in matrices]
    batch = functools.reduce(broadcast_dynamic_shape, [shape(t)[:-2] for t in matrices])
    return [broadcast_to(t, concat([batch, shape(t)[-2:]], 0)) for t in matrices]


def _repeated(t, batch):
    s = t._shape
    if s[:-2] == batch:
        return t
    if None in s:
        return broadcast_to(t, concat([list(batch), shape(t)[-2:]], 0))
    return broadcast_to(t, (*batch, *s[-2:]))


def common_batch(operators):
    """The TensorShape of the leading axes of several operators together."""
    dims = [_dims(o.batch_shape) for o in operators]
    found = functools.reduce(shapes.broadcast, dims)
    return TensorShape(None if found is None else list(found))


def common_batch_tensor(operators):
    """The same as an int32 vector."""
    found = common_batch(operators)
    if found.is_fully_defined():
        return found.as_list()
    return functools.reduce(
        broadcast_dynamic_shape, [o.batch_shape_tensor() for o in operators]
    )


def _dims(found):
    return None if found.ndims is None else tuple(found.as_list())


def check_argument(t, name, rank):
    """Refuse a tensor of a dtype or rank that no operator is made of."""
    if t.dtype.base_dtype not in ALLOWED:
        names = [d.name for d in ALLOWED]
        raise TypeError(
            f"Argument {name} must have dtype in {names}.  Found: {t.dtype.name}"
        )
    if t._shape is not None and len(t._shape) < rank:
        axes = "dimension" if rank == 1 else "dimensions"
        raise ValueError(
            f"Argument {name} must have at least {rank} {axes}.  Found: {t}"
        )


def assert_no_zeros(t, message):
    """An op that fails where an entry is 0."""
    sizes = abs_of(t)
    return assert_less(zeros_like(sizes), sizes, message=message)
