"""Shape rules that many ops share.

A shape is a tuple of int or None (unknown), or None where the rank is unknown. Host
inputs arrive as arrays, tuples with None for unknown entries, or None.
"""

import numpy as np

from twinflow.base import shapes
from twinflow.base.op import InferError


def same(x, *_, **__):
    """The shape of the first input."""
    return x._shape


def broadcast(x, y, **_):
    """The NumPy broadcast of two inputs."""
    return broadcast_shapes(x._shape, y._shape)


def broadcast_shapes(a, b):
    """Broadcast two shapes; InferError names both."""
    if a == b:
        return a
    try:
        return shapes.broadcast(a, b)
    except ValueError:
        raise InferError(
            f"Incompatible shapes: {text(a)} vs. {text(b)}", _unequal(a, b)
        ) from None


def _unequal(a, b):
    for p, q in zip(reversed(a), reversed(b), strict=False):
        if p != q and 1 not in (p, q) and None not in (p, q):
            return f"Dimensions must be equal, but are {p} and {q}"
    return "Shapes must be equal"


def merge(a, b):
    """What two descriptions of one shape say together; InferError if they clash."""
    try:
        return shapes.merge(a, b)
    except ValueError:
        raise InferError(
            f"Shapes must be equal: {text(a)} vs. {text(b)}",
            f"Shapes must be equal, but are {text(a)} and {text(b)}",
        ) from None


def rank_of(x, wanted, what):
    """The shape of `x`, which must have `wanted` axes (or unknown rank)."""
    s = x._shape
    if s is None:
        return (None,) * wanted
    if len(s) != wanted:
        raise InferError(
            f"{what} must be {wanted}-dimensional: {text(s)}",
            f"Shape must be rank {wanted} but is rank {len(s)}",
        )
    return s


def text(shape):
    """`[2,3]`, with ? for what is unknown."""
    if shape is None:
        return "<unknown>"
    return "[" + ",".join("?" if d is None else str(d) for d in shape) + "]"


def ints(value):
    """A host value as a tuple of ints (a scalar gives one); None entries stay."""
    if type(value) is tuple:
        return tuple(None if v is None else int(v) for v in value)
    return tuple(int(v) for v in np.atleast_1d(np.asarray(value)).tolist())


def axes_of(value, ndim):
    """Axes as sorted non-negative ints; InferError where one is out of range."""
    out = set()
    for axis in ints(value):
        if not -ndim <= axis < ndim:
            raise InferError(
                f"Invalid reduction dimension ({axis} for input with {ndim} "
                "dimension(s)",
                f"Invalid reduction dimension {axis} for input with {ndim} dimensions.",
            )
        out.add(axis % ndim)
    return tuple(sorted(out))


def reduced(x, axes, keep_dims=False, **_):
    """The shape after reducing `axes`."""
    s = x._shape
    if s is None:
        return None
    if axes is None or (type(axes) is tuple and None in axes):
        return (None,) * len(s) if keep_dims else None
    gone = axes_of(axes, len(s))
    if keep_dims:
        return tuple(1 if i in gone else d for i, d in enumerate(s))
    return tuple(d for i, d in enumerate(s) if i not in gone)


def product(dims):
    """The number of elements, or None."""
    if dims is None or None in dims:
        return None
    total = 1
    for d in dims:
        total *= d
    return total
