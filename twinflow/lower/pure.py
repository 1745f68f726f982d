"""Programs as pure functions of jax: what they take, what they give, nothing kept.

Sizes may be symbols of jax.export, which no array of NumPy holds: shape arithmetic on
them is that of Python's objects (`_OF_SIZES`), and becomes a value of XLA only where
something else than a shape takes it.
"""

import functools
import math
import warnings

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

from twinflow.base.portable import portable
from twinflow.lower import (  # noqa: F401 - some fill lower.tables
    control_flow,
    indexing,
    tensor_array,
)
from twinflow.lower.lowering import Lowering, known
from twinflow.ops.core.infer import OpenSizes

flatten = jax.tree.flatten
unflatten = jax.tree.unflatten


_OPEN = (
    jax.errors.InconclusiveDimensionOperation, jax.errors.TracerIntegerConversionError,
    jax.errors.TracerArrayConversionError,
)  # fmt: skip


class NeedsNumber(Exception):  # a message to who exports, not an error
    """`node` needs a size that is open to be a number."""

    def __init__(self, node, error):
        super().__init__(str(error).partition("\n")[0])
        self.node = node


def function_of(program, cell_of):
    """A function of (the values of the feeds) that gives those of the fetches.

    Guards are left out: what a kernel would refuse gives what XLA makes of it.

    Args:
        program: the Program, without host steps. cell_of: from the cells of its graph
            to those that the feeds hold. A value may be a Cell in a dict {"cell",
            "value"} of lists: see `given`.
    """

    def run(arrays, states):
        low = Symbolic(cell_of)
        low.states.update(states)
        low.env.update(zip(program.feeds, arrays, strict=True))
        with (
            portable(),
            warnings.catch_warnings(),
        ):  # 64 bits are 32 where jax is set so
            warnings.filterwarnings("ignore", "Explicitly requested dtype")
            low.run(program.nodes, program)
            return [_value(low, t, program) for t in program.fetches]

    return run


def _value(low, t, program):
    found = _traced(low.value(t, program))
    return jnp.asarray(found, t.dtype.np)


class Symbolic(Lowering):
    """A lowering in which sizes may be symbols."""

    def run(self, nodes, program):
        """See `Lowering.run`.

        Raises:
            NeedsNumber: of a node.
        """
        for node in nodes:
            try:
                super().run([node], program)
            except _OPEN as error:
                raise NeedsNumber(node, error) from error

    def plain(self, node, args):
        """See `Lowering.plain`."""
        op = node.opdef
        rule = _OF_SIZES.get(op.type)
        if rule is not None and (_has_sizes(args) or op.type in _ASKING):
            found = rule(node.attrs, *args)
            if found is not None:
                return (found,) if op.single else found
        pairs = zip(op.sig.inputs, args, strict=True)
        args = [_host(a) if spec.host else _traced(a) for spec, a in pairs]
        return super().plain(node, args)

    def is_here(self, op, args):
        """See `Lowering.is_here`."""
        open_ = any(type(a) is OpenSizes or is_symbol(a) for a in args)
        return not open_ and super().is_here(op, args)

    def entering(self, t, program):
        """See `Lowering.entering`."""
        self.env[program.resolve(t)] = _traced(self.value(t, program))
        return super().entering(t, program)


def is_symbol(value):
    """Whether a size is a symbol of jax.export."""
    return export.is_symbolic_dim(value)


def _is_sizes(a):
    return isinstance(a, np.ndarray) and a.dtype == object and a.size > 0


def _has_sizes(args):
    return any(_has_sizes(a) if type(a) is list else _is_sizes(a) for a in args)


def _traced(a):
    """Symbols as a value of XLA."""
    if type(a) is list:
        return [_traced(b) for b in a]
    if not _is_sizes(a) or isinstance(a.flat[0], bytes | str):
        return a
    made = [jnp.asarray(n, np.int32) for n in a.flat]
    return jnp.stack(made).reshape(a.shape)


def _host(a):
    """Symbols as a kernel takes them where it wants numbers."""
    if type(a) is list:
        return [_host(b) for b in a]
    if not _is_sizes(a):
        return a
    return OpenSizes(a.tolist()) if a.ndim else a.item()


# ---------------------------------------------------------------- arithmetic of sizes
def _sizes_of(shape, attrs):
    if all(type(n) is int for n in shape):
        return np.array(shape, attrs["out_type"].np)
    return _objects(list(shape), (len(shape),))


def _objects(values, shape):
    made = np.empty(len(values), object)
    made[:] = values
    return made.reshape(shape)


def _size(attrs, x):
    found = math.prod(np.shape(x))
    if type(found) is int:
        return np.array(found, attrs["out_type"].np)
    return _objects([found], ())


def _all_known(rule):
    """A rule for where every argument is known."""

    @functools.wraps(rule)
    def checked(attrs, *args):
        return rule(attrs, *args) if all(known(a) for a in args) else None

    return checked


def _pairs(function):
    return _all_known(lambda attrs, x, y: _as_objects(function(_object(x), _object(y))))


def _object(a):
    return np.asarray(a, object) if not isinstance(a, np.ndarray) else _plain(a)


def _plain(a):
    """Ints of Python in place of NumPy's, which symbols do not know."""
    return a if a.dtype == object else _objects(a.reshape(-1).tolist(), a.shape)


def _as_objects(value):
    if isinstance(value, np.ndarray):
        return value
    return _objects([value], ())


def _reduced(function):
    def rule(attrs, x, axes):
        axes = np.asarray(axes).reshape(-1).tolist()
        if _object(x).ndim == 0 or not axes:
            return _object(x)
        kept = attrs.get("keep_dims", attrs.get("keepdims", False))
        return _as_objects(function(_object(x), axis=tuple(axes), keepdims=kept))

    return _all_known(rule)


def _strided(attrs, x, begin, end, strides):
    index = []
    at = zip(np.asarray(begin).tolist(), np.asarray(end).tolist(),
             np.asarray(strides).tolist())  # fmt: skip
    if attrs.get("ellipsis_mask") or attrs.get("new_axis_mask"):
        return None
    for i, (b, e, s) in enumerate(at):
        if attrs.get("shrink_axis_mask", 0) >> i & 1:
            index.append(b)
            continue
        first = None if attrs.get("begin_mask", 0) >> i & 1 else b
        last = None if attrs.get("end_mask", 0) >> i & 1 else e
        index.append(slice(first, last, s))
    return _as_objects(_object(x)[tuple(index)])


def _slice(attrs, x, begin, size):
    at = zip(np.asarray(begin).tolist(), np.asarray(size).tolist(), strict=True)
    cut = tuple(slice(b, None if n == -1 else b + n) for b, n in at)
    return _as_objects(_object(x)[cut])


def _squeezed(attrs, x):
    x = _object(x)
    axes = {axis % x.ndim for axis in attrs.get("squeeze_dims") or ()}
    return _as_objects(np.squeeze(x, tuple(axes) or None))


def _cast(attrs, x):
    kind = attrs["DstT"]
    return x if kind.is_integer else None


def _broadcast_args(attrs, s0, s1):
    sizes = jnp.broadcast_shapes(tuple(_object(s0)), tuple(_object(s1)))
    return _objects(list(sizes), (len(sizes),))


def _gradient_args(attrs, s0, s1):
    """The axes over which the gradients of two broadcast values are summed."""
    a, b = list(_object(s0)), list(_object(s1))
    n = max(len(a), len(b))
    a, b = [1] * (n - len(a)) + a, [1] * (n - len(b)) + b
    pick = lambda u, v: [i for i in range(n) if _is_one(u[i]) and not _is_one(v[i])]
    both = [i for i in range(n) if _is_one(a[i]) and _is_one(b[i])]
    return [np.array(sorted(pick(*p) + both), np.int32) for p in ((a, b), (b, a))]


def _range(attrs, start, limit, delta):
    ends = [np.asarray(a, object).item() for a in (start, limit, delta)]
    return jnp.arange(*ends, dtype=attrs["Tidx"].np)


def _reduced_shape(attrs, shape, axes):
    sizes = list(_object(shape))
    for axis in np.asarray(axes).reshape(-1).tolist():
        sizes[axis] = 1
    return _objects(sizes, (len(sizes),))


def _reduced_first(attrs, shape, axes):
    sizes = list(_object(shape))
    gone = sorted({a % len(sizes) for a in np.asarray(axes).reshape(-1).tolist()})
    kept = [i for i in range(len(sizes)) if i not in gone]
    groups = [math.prod(sizes[i] for i in part) for part in (gone, kept)]
    return [np.array([*gone, *kept], np.int32), _objects(groups, (2,))]


def _is_one(n):
    return type(n) is int and n == 1


def _reshaped(attrs, x, shape):
    if not _is_sizes(x):
        return None
    return _object(x).reshape(np.asarray(shape).reshape(-1).tolist())


_ASKING = ("Shape", "ShapeN", "Size")
_OF_SIZES = {
    "Shape": lambda attrs, x: _sizes_of(np.shape(x), attrs),
    "ShapeN": lambda attrs, xs: [_sizes_of(np.shape(x), attrs) for x in xs],
    "Size": _size,
    "Identity": lambda attrs, x: x,
    "StopGradient": lambda attrs, x: x,
    "Cast": _cast,
    "Pack": lambda attrs, xs: (
        np.stack([_object(x) for x in xs], attrs["axis"]) if known(xs) else None
    ),
    "ConcatV2": lambda attrs, xs, axis: (
        np.concatenate([_object(x) for x in xs], int(axis)) if known(xs) else None
    ),
    "StridedSlice": _all_known(_strided),
    "Slice": _all_known(_slice),
    "Squeeze": _squeezed,
    "ExpandDims": lambda attrs, x, axis: np.expand_dims(_object(x), int(axis)),
    "Reshape": _reshaped,
    "GatherV2": _all_known(
        lambda attrs, x, at, axis: _as_objects(np.take(_object(x), at, int(axis)))
    ),
    "Add": _pairs(lambda x, y: x + y),
    "AddV2": _pairs(lambda x, y: x + y),
    "Sub": _pairs(lambda x, y: x - y),
    "Mul": _pairs(lambda x, y: x * y),
    "FloorDiv": _pairs(lambda x, y: x // y),
    "FloorMod": _pairs(lambda x, y: x % y),
    "Maximum": _pairs(
        np.frompyfunc(lambda x, y: jax.core.max_dim(x, y), 2, 1)
    ),
    "Minimum": _pairs(
        np.frompyfunc(lambda x, y: jax.core.min_dim(x, y), 2, 1)
    ),
    "Prod": _reduced(np.prod),
    "Sum": _reduced(np.sum),
    "Range": _all_known(_range),
    "TwinReducedShape": _all_known(_reduced_shape),
    "TwinReducedFirst": _all_known(_reduced_first),
    "BroadcastArgs": _all_known(_broadcast_args),
    "BroadcastGradientArgs": _all_known(_gradient_args),
}  # fmt: skip


def differentiable(run, back):
    """`run(*arrays)` as a function whose gradient is `back(arrays, dys)`."""

    @jax.custom_vjp
    def called(*arrays):
        return run(*arrays)

    def forward(*arrays):
        return run(*arrays), arrays

    called.defvjp(forward, lambda kept, dys: tuple(back(kept, dys)))
    return called


def is_inexact(dtype):
    """Whether an array of this dtype has a gradient."""
    return jnp.issubdtype(dtype, jnp.inexact)


def open_shape(array):
    """The shape of an array of jax, None for each symbol."""
    return tuple(n if type(n) is int else None for n in array.shape)


def as_array(value):
    """A value as jax sees it: an array of it, or of NumPy.

    Raises:
        TypeError: it is none.
    """
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return value
    return jnp.asarray(value)
