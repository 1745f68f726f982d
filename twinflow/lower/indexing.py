"""Indexing in XLA: in x[i] only the run may know i; the bounds of slices are ints."""

import jax.numpy as jnp

from twinflow.lower.lowering import NeedsValue, known
from twinflow.lower.tables import special
from twinflow.ops.arrays.slicing import index_items
from twinflow.ops.infer import ints


def _strided_slice(low, node, program):
    args = low.args(node, program)
    if all(map(known, args)):
        return low.plain(node, args)
    x = jnp.asarray(args[0])
    items = _items(low, node, node.inputs[1:], program)
    low.ok += _guards(items, x.shape)
    return [x[items]]


def _strided_slice_grad(low, node, program):
    shape, dy = (low.value(node.inputs[i], program) for i in (0, -1))
    if not known(shape):
        raise NeedsValue(node)
    items = _items(low, node, node.inputs[1:-1], program)
    low.ok += _guards(items, ints(shape))
    return [jnp.zeros(ints(shape), dy.dtype).at[items].set(dy)]


def _slice_assign(low, node, program):
    cell, value = (low.value(node.inputs[i], program) for i in (0, -1))
    state = jnp.asarray(low.states[cell])
    items = _items(low, node, node.inputs[1:-1], program)
    low.ok += _guards(items, state.shape)
    fits = state[items].shape == jnp.shape(value)
    low.ok.append(jnp.bool_(fits))  # if not, the host says what is wrong
    low.states[cell] = new = state.at[items].set(value) if fits else state
    return [new] if node.opdef.single else []


def _items(low, node, bounds, program):
    """The index in NumPy's form, where ints may be traced."""
    begin, end, strides = (_entries(low, t, program) for t in bounds)
    masks = [v for k, v in node.attrs.items() if k.endswith("_mask")]
    items = index_items(begin, end, strides, masks)
    for k in items:
        if isinstance(k, slice) and not known([k.start, k.stop, k.step]):
            raise NeedsValue(node)
    return tuple(items)


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


def _guards(items, shape):
    """Whether each int lies inside its axis, for those of which it is not certain."""
    return [ok for ok in _inside(items, shape) if ok is not True]


def _inside(items, shape):
    axis, used = 0, sum(1 for k in items if k is not None and k is not ...)
    for k in items:
        if k is ...:
            axis += len(shape) - used
        elif k is not None:
            if not isinstance(k, slice):
                yield (k >= -shape[axis]) & (k < shape[axis])
            axis += 1


special.update(
    {
        "StridedSlice": _strided_slice,
        "StridedSliceGrad": _strided_slice_grad,
        "StridedSliceAssign": _slice_assign,
        "ResourceStridedSliceAssign": _slice_assign,
    }
)
