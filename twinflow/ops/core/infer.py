"""Shape rules that many ops share, and the reading of host inputs.

A shape is a tuple of int or None (unknown), or None where the rank is unknown. Host
inputs arrive as Python values, arrays, tuples with None for unknown entries, or None.
"""

import operator

import numpy as np

from twinflow.base import shapes
from twinflow.base.op import InferError
from twinflow.base.tensor import Tensor


def refuses_nothing(rule):
    """Mark a rule that takes all inputs: see strict in base.op."""
    rule.refuses_nothing = True
    return rule


def arithmetic(rule):
    """Mark a rule of ops that compute numbers: Note [Rewrites of XLA] in lower."""
    rule.arithmetic = True
    return rule


@arithmetic
@refuses_nothing
def same(x, *_, **__):
    """The shape of the first input."""
    return x._shape


@refuses_nothing
def unchanged(x, *_, **__):
    """The shape of the first input, whose elements are copied or moved."""
    return x._shape


@arithmetic
def same_pair(a, b, **_):
    """The one shape of two inputs: a gradient op's."""
    p, q = a._shape, b._shape
    if p == q or q is None:
        return p
    if p is None:
        return q
    if len(p) != len(q) or any(None not in d and d[0] != d[1] for d in zip(p, q)):
        raise InferError(
            f"Inputs to operation must have the same size and shape.  Input 0: "
            f"{text(p)} != input 1: {text(q)}"
        )
    return tuple(e if d is None else d for d, e in zip(p, q))


@refuses_nothing
def scalar(*_, **__):
    """The shape of a single number."""
    return ()


@arithmetic
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
    ndim = max(len(a), len(b))
    for p, q in zip((1,) * (ndim - len(a)) + a, (1,) * (ndim - len(b)) + b):
        if p != q and 1 not in (p, q) and None not in (p, q):
            return f"Dimensions must be equal, but are {p} and {q}"
    return "Shapes must be equal"


def merge(a, b, message=None):
    """What two descriptions of one shape say together.

    Args:
        a, b: shapes. message: the eager text of the InferError if they clash.
    """
    try:
        return shapes.merge(a, b)
    except ValueError:
        eager = message or f"Shapes must be equal: {text(a)} vs. {text(b)}"
        raise InferError(eager, _clash(a, b)) from None


def _clash(a, b):
    if len(a) != len(b):
        return f"Shapes must be equal rank, but are {len(a)} and {len(b)}"
    pairs = enumerate(zip(a, b, strict=True))
    i, (p, q) = next((i, d) for i, d in pairs if d[0] != d[1] and None not in d)
    return (
        f"Dimension {i} in both shapes must be equal, but are {p} and {q}. "
        f"Shapes are {text(a)} and {text(b)}."
    )


class Shaped:
    """What a shape rule wants to see of a tensor that is not there."""

    __slots__ = ("_shape",)

    def __init__(self, shape):
        self._shape = shape


def ranked(shape, rank, message=None, later=False):
    """`shape`, of sizes that are not known where it is not; it must have `rank` axes.

    The InferError says `message` (a text with {} for the shape, or a function of the
    shape); in a graph, and without a message, TensorFlow's usual words. `later`: a
    graph takes the call, and its run says the message.
    """
    if shape is None:
        return (None,) * rank
    if len(shape) != rank:
        usual = f"Shape must be rank {rank} but is rank {len(shape)}"
        error = _misfit(message, usual, shape)
        error.later = later
        raise error
    return shape


def size_is(found, wanted, message):
    """InferError of a run where sizes are known and not alike; `found` has its name."""
    if None not in (found, wanted) and found != wanted:
        raise InferError(f"{message}: {found} vs. {wanted}", later=True)


def at_least(shape, rank, message=None):
    """`shape`; InferError where it has fewer axes than `rank`."""
    if shape is not None and len(shape) < rank:
        usual = f"Shape must be at least rank {rank} but is rank {len(shape)}"
        raise _misfit(message, usual, shape)
    return shape


def _misfit(message, usual, *shapes):
    if callable(message):
        return InferError(message(*shapes), usual)
    message = message or usual
    for shape in shapes:
        message = message.replace("{}", text(shape), 1)
    return InferError(message, usual)


def rank_of(x, wanted, what):
    """The shape of `x`, which must have `wanted` axes (or unknown rank)."""
    return ranked(x._shape, wanted, f"{what} must be {wanted}-dimensional: {{}}")


def same_dim(p, q, message=None, *shapes):
    """One size from two that must agree; `message` may have {} for each of `shapes`."""
    if None not in (p, q) and p != q:
        usual = f"Dimensions must be equal, but are {p} and {q}"
        raise _misfit(message, usual, *shapes)
    return q if p is None else p


def dim_is(size, wanted, message=None, *shapes):
    """InferError where a size is known and not as it must be; see `same_dim`."""
    if size not in (None, wanted):
        raise _misfit(message, f"Dimension must be {wanted} but is {size}", *shapes)


def divisible(size, by, message=None):
    """`size` divided by `by`; None where one is not known, InferError with a rest."""
    if None in (size, by):
        return None
    if size % by:
        usual = f"Dimension size must be evenly divisible by {by} but is {size}"
        raise _misfit(message, usual)
    return size // by


def not_negative(size, place, message=None):
    """InferError where a size is below 0 that the scalar input at `place` gives."""
    if size is not None and size < 0:
        usual = f"Dimension size, given by scalar input {place}, must be non-negative"
        raise _misfit(message, f"{usual} but is {size}")


def sizes(value, message=None):
    """`ints` of a host value that is a shape, or None; InferError for a size below 0.

    A graph takes -1 for a size that is not known, unless it has a message of its own.
    """
    if value is None:
        return None
    out = ints(value)
    for d in out:
        if d is not None and d < 0:
            later = d == -1 and not message
            message = message or f"Invalid value in tensor used for shape: {d}"
            raise InferError(f"Dimension {d} must be >= 0", message, later)
    return out


def one_of(op, attr, value, allowed):
    """Raise InferError unless `value` is among `allowed`."""
    if value not in allowed:
        listed = ", ".join(f'"{a}"' for a in allowed)
        raise InferError(
            f"Value for attr '{attr}' of \"{value}\" is not in the list of allowed "
            f"values: {listed}",
            f"Attr '{attr}' of '{op}' Op passed string '{value}' not in: {listed}.",
        )


def attr_at_least(minimum, kind, attr, value):
    """InferError where an attribute of the op `kind` is less than `minimum`."""
    if value < minimum:
        raise InferError(
            f"Value for attr '{attr}' of {value} must be at least minimum {minimum}",
            f"Attr '{attr}' of '{kind}' Op passed {value} less than minimum {minimum}.",
        )


def fits(wanted, found):
    """Whether `found` is as `wanted` says, where None may be anything."""
    if wanted is None:
        return True
    if found is None or len(found) != len(wanted):
        return False
    return all(w is None or w == f for w, f in zip(wanted, found, strict=True))


def text(shape):
    """`[2,3]`, with ? for what is unknown."""
    if shape is None:
        return "<unknown>"
    return "[" + ",".join("?" if d is None else str(d) for d in shape) + "]"


def _whole(value):
    """An entry as an int; a symbol of jax.export stays (lower.pure)."""
    if type(value).__name__ == "_DimExpr":
        return value
    return operator.index(value)


class OpenSizes(tuple):
    """A vector of sizes, some of which are symbols (lower.pure).

    Attributes:
        dtype, shape: those of an array in its place.
    """

    dtype = np.dtype(np.int32)

    @property
    def shape(self):
        return (len(self),)

    def tolist(self):
        return list(self)


def ints(value):
    """A host value as a tuple of ints (a scalar gives one); None entries stay.

    Raises:
        TypeError: an entry is not a whole number.
    """
    kind = type(value)
    if kind is int:
        return (value,)
    if kind is OpenSizes:
        return tuple(value)
    if kind is not tuple and kind is not list:
        value = _entries(value)
    return tuple([v if v is None or type(v) is int else _whole(v) for v in value])


def _entries(value):
    if isinstance(value, shapes.TensorShape):
        return value.as_list()
    if isinstance(value, np.ndarray):
        return value.ravel().tolist()
    return [value]


def one_int(value):
    """A host scalar as an int, or None where it is unknown."""
    return None if value is None else ints(value)[0]


def host_rank(value):
    """The number of axes of a host value, or None where it is not known."""
    if value is None or type(value) is int:
        return None if value is None else 0
    if type(value) is tuple and not (value and isinstance(value[0], tuple | list)):
        return 1
    return 1 if isinstance(value, shapes.TensorShape) else np.ndim(value)


def host_ranked(value, rank, message=None):
    """InferError where a host value is known and has not `rank` axes."""
    found = host_rank(value)
    if found not in (None, rank):
        usual = f"Shape must be rank {rank} but is rank {found}"
        raise _misfit(message, usual, np.shape(value))


def check_scalar(value, name):
    """InferError unless a host value is a scalar (or unknown)."""
    if host_rank(value):
        host_ranked(value, 0, f"{name} should be a scalar, not shape {{}}")


def host_shape(value):
    """The shape of a host value, as text."""
    return text(np.shape(value))


def length(value):
    """The number of entries of a host vector, or None."""
    return None if value is None else len(ints(value))


def rows(value, width=2):
    """A host matrix as a list of tuples of ints, or None where it is not known."""
    if value is None or (type(value) is tuple and None in value):
        return None
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return [ints(row) for row in value] if len(value) else []


def static_value(value):
    """A host value that is known without running anything, else None.

    Args:
        value: what a gradient rule gets for a host input or a shape: a Python value, an
            array, or a tensor.
    """
    if not isinstance(value, Tensor):
        return value
    if hasattr(value, "_a"):
        return value._a
    node = getattr(value, "op", None)
    return node.attrs["value"] if node is not None and node.type == "Const" else None


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


@arithmetic
def reduced(x, axes, keep_dims=False, **_):
    """The shape after reducing `axes`."""
    s = x._shape
    if s is None:
        return None
    if axes is None or (type(axes) is tuple and None in axes):
        return (None,) * len(s) if keep_dims else None
    if host_rank(axes) > 1:
        raise InferError(f"Shape must be at most rank 1 but is rank {host_rank(axes)}")
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
