"""Indexing in XLA: in x[i] and x[i : i + n] only the run may know i, but n is an int.

Note [Windows]: an axis whose slice begins at a traced place is cut first, by a window
of known size that must lie inside the axis (a guard); what is left is plain indexing.
"""

import jax.numpy as jnp
from jax import lax

from twinflow.lower.linear import distance, kept_at
from twinflow.lower.lowering import NeedsValue, known
from twinflow.lower.tables import special
from twinflow.ops.core.infer import ints
from twinflow.ops.core.slicing import index_items


def _strided_slice(low, node, program):
    args = low.args(node, program)
    if all(map(known, args)):
        return low.plain(node, args)
    x = jnp.asarray(args[0])
    index = _Index(low, node, node.inputs[1:], program, x.shape)
    return [index.cut(x)[index.items]]


def _strided_slice_grad(low, node, program):
    shape, dy = (low.value(node.inputs[i], program) for i in (0, -1))
    if not known(shape):
        raise NeedsValue(node)
    index = _Index(low, node, node.inputs[1:-1], program, ints(shape))
    part = jnp.zeros(index.cut_shape(), dy.dtype).at[index.items].set(dy)
    return [index.put(jnp.zeros(ints(shape), dy.dtype), part)]


def _slice_assign(low, node, program):
    value = low.value(node.inputs[-1], program)
    ref = low.cell if node.opdef.refs else low.value
    cell = ref(node.inputs[0], program)
    state = jnp.asarray(low.states[cell])
    index = _Index(low, node, node.inputs[1:-1], program, state.shape)
    part = index.cut(state)
    fits = part[index.items].shape == jnp.shape(value)
    low.ok.append(jnp.bool_(fits))  # if not, the host says what is wrong
    if fits:
        low.states[cell] = index.put(state, part.at[index.items].set(value))
    return []


class _Index:
    """An index of an array of some shape (Note [Windows]); it adds its guards.

    Attributes:
        items: the index in NumPy's form, where ints may be traced, of what is left.
        windows: list of (axis, start, size).
    """

    def __init__(self, low, node, bounds, program, shape):
        begin, end, strides = (_entries(low, t, program) for t in bounds)
        masks = [v for k, v in node.attrs.items() if k.endswith("_mask")]
        items = index_items(begin, end, strides, masks)
        self.shape, self.windows = tuple(shape), []
        for i, axis in _axes(items, len(shape)):
            k = items[i]
            if not isinstance(k, slice) or known([k.start, k.stop, k.step]):
                continue
            size = _size(low, bounds, i, program) if _is_plain(k) else None
            if size is None or not 0 <= size <= shape[axis]:
                raise NeedsValue(node)
            low.ok.append((k.start >= 0) & (k.start + size <= shape[axis]))
            self.windows.append((axis, k.start, size))
            items[i] = slice(None)
        self.items = tuple(items)
        low.ok += [ok for ok in _inside(items, shape) if ok is not True]

    def cut(self, x):
        """The part of `x` inside the windows."""
        for axis, start, size in self.windows:
            x = lax.dynamic_slice_in_dim(x, start, size, axis)
        return x

    def cut_shape(self):
        """The shape of that part."""
        sizes = {axis: size for axis, _, size in self.windows}
        return tuple(sizes.get(axis, d) for axis, d in enumerate(self.shape))

    def put(self, x, part):
        """`x` with another part inside the windows."""
        if not self.windows:
            return part
        starts: list = [jnp.int32(0)] * len(self.shape)
        for axis, start, _ in self.windows:
            starts[axis] = jnp.asarray(start, jnp.int32)
        return lax.dynamic_update_slice(x, part, starts)


def _is_plain(k):
    return known(k.step) and k.step in (None, 1) and None not in (k.start, k.stop)


def _size(low, bounds, i, program):
    """How far apart entry `i` of begin and end are, if they are packed of scalars."""
    ends = [program.resolve(t) for t in bounds[:2]]
    kept = [kept_at(program, t) for t in ends]
    if None not in kept and kept[0][2] is kept[1][2]:
        program, ends = kept[0][0], [inner for _, inner, _ in kept]
    if any(t.op.type != "Pack" or t in program.fed for t in ends):
        return None
    begin, end = (t.op.inputs[i] for t in ends)
    return distance(low, program, begin, end)


def _entries(low, t, program):
    """The entries of a host vector: ints, or traced scalars."""
    value, t = low.value(t, program), program.resolve(t)
    if known(value):
        return ints(value)
    entries = list(value)
    if t.op.type == "Pack" and t not in program.fed:
        for i, part in enumerate(map(program.resolve, t.op.inputs)):
            found = low.env.get(part, program.const(part))
            if found is not None and known(found):
                entries[i] = int(found)
    return entries


def _axes(items, n):
    """(place, axis) of each item that takes an axis of an array of `n` axes."""
    axis, used = 0, sum(1 for k in items if k is not None and k is not ...)
    for i, k in enumerate(items):
        if k is ...:
            axis += n - used
        elif k is not None:
            yield i, axis
            axis += 1


def _inside(items, shape):
    """Whether each int lies inside its axis."""
    for i, axis in _axes(items, len(shape)):
        k = items[i]
        if not isinstance(k, slice):
            yield (k >= -shape[axis]) & (k < shape[axis])


special.update(
    {
        "StridedSlice": _strided_slice,
        "StridedSliceGrad": _strided_slice_grad,
        "StridedSliceAssign": _slice_assign,
        "ResourceStridedSliceAssign": _slice_assign,
    }
)
