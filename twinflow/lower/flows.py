"""Flows of tensor arrays in XLA (Note [Tensor arrays]): buffers and what goes in.

A flow is a Flow: a buffer [size, *element] once the shape of the elements is known,
marks for what was written, and entries still to be added, so that the gradient of many
reads is added up in place instead of as many whole buffers.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


class Unfit(Exception):  # a message to the tiers, not an error
    """What an array is asked for is not known, or not regular, enough to compile."""


@jax.tree_util.register_pytree_node_class
class Flow:
    """The contents of an array at one point of a program.

    Attributes:
        size: how many elements; None where nothing is known (nothing is in it).
        buffer: dtype[size, *element], zero where nothing was written, or None.
        written: bool[size], or None in the array of a gradient.
        entries: (index, value) pairs to be added to the buffer.
    """

    def __init__(self, size=None, buffer=None, written=None, entries=()):
        self.size, self.buffer = size, buffer
        self.written, self.entries = written, tuple(entries)

    def tree_flatten(self):
        """For jax."""
        return (self.buffer, self.written, self.entries), self.size

    @classmethod
    def tree_unflatten(cls, size, parts):
        """For jax."""
        return cls(size, *parts)

    def settled(self):
        """The same without entries."""
        if not self.entries:
            return self
        buffer = self.buffer
        for index, value in self.entries:
            if buffer is None:
                rest = np.shape(value)[np.ndim(index) :]
                buffer = jnp.zeros((self.size, *rest), value.dtype)
            buffer = jnp.asarray(buffer).at[index].add(value)
        return Flow(self.size, buffer, self.written)

    def like(self, other):
        """The same, with a buffer if `other` (of shapes) has one."""
        if self.buffer is not None or other.buffer is None:
            return self
        zeros = jnp.zeros(other.buffer.shape, other.buffer.dtype)
        written = self.written
        if written is None and other.written is not None:
            written = jnp.zeros(other.written.shape, bool)
        return Flow(other.size, zeros, written, self.entries)

    def known(self):
        """The buffer of all elements.

        Raises:
            Unfit: the shape of the elements is not known yet.
        """
        found = self.settled()
        if found.buffer is None:
            raise Unfit("the shape of the elements is not known")
        return found.buffer


def settled(value):
    """What a loop or a branch takes in and gives: flows without entries."""
    return value.settled() if isinstance(value, Flow) else value


def alike(values, others):
    """`values`, with buffers where the flows among `others` (of shapes) have them."""
    return [
        v.like(o) if isinstance(v, Flow) else v
        for v, o in zip(values, others, strict=True)
    ]


def add(x, y):
    """The sum of two flows, element by element."""
    if y.buffer is not None:
        x, y = y, x
    if y.buffer is not None:
        x, y = x.settled(), y.settled()
        return Flow(x.size, x.buffer + y.buffer, x.written)
    size = y.size if x.size is None else x.size
    found = Flow(size, x.buffer, x.written, x.entries + y.entries)
    return found if x.buffer is None else found.settled()


def plain(op, args):
    """What an op that knows nothing of arrays gives for flows."""
    if op.type == "Add":
        return add(*args)
    if op.type == "AddN":
        return functools.reduce(add, args[0])
    return args[0]  # an identity of some kind


def new(handle):
    """The contents of a new array."""
    shape, n = handle.shape, handle.size
    buffer = None
    if shape is not None and None not in shape:
        buffer = jnp.zeros((n, *shape), handle.dtype.np)
    return Flow(n, buffer, None if handle.adds else jnp.zeros(n, bool))


def inside(index, size):
    """Whether all of `index` are places of the array."""
    return jnp.all((index >= 0) & (index < size))


def write(handle, index, value, flow, marks):
    """The flow with values at places (one or many), and whether they may be written."""
    value = jnp.asarray(value)
    if value.dtype != handle.dtype.np:
        raise Unfit("a value of another dtype")
    good = [inside(index, handle.size)]
    if handle.adds:
        return add(flow, Flow(handle.size, entries=[(index, value)])), good
    flow = flow.settled()
    rest = value.shape[np.ndim(index) :]
    buffer = flow.buffer
    if buffer is None:
        buffer = jnp.zeros((handle.size, *rest), value.dtype)
    if not handle.size:  # in the body of a loop that never runs
        return Flow(0, buffer, flow.written), good
    good.append(~jnp.any(flow.written[index] | marks[index]))
    if buffer.shape[1:] != rest:
        raise Unfit("elements of several shapes")
    if _is_all(index, handle.size):
        buffer = value
    elif np.ndim(index):
        buffer = buffer.at[index].set(value)
    else:
        buffer = lax.dynamic_update_index_in_dim(buffer, value, index, 0)
    return Flow(handle.size, buffer, flow.written.at[index].set(True)), good


def _is_all(index, size):
    """Whether `index` is known to be 0, 1, ... size - 1."""
    plain = isinstance(index, np.ndarray) and index.ndim == 1
    return plain and np.array_equal(index, np.arange(size))


def taken(index, buffer):
    """The elements of a buffer at places."""
    if _is_all(index, buffer.shape[0]):
        return buffer
    if not buffer.shape[0]:  # in the body of a loop that never runs
        return jnp.zeros((*np.shape(index), *buffer.shape[1:]), buffer.dtype)
    if np.ndim(index):
        return jnp.take(buffer, index, 0, mode="clip")
    return lax.dynamic_index_in_dim(buffer, index, 0, keepdims=False)


def read(handle, index, flow, marks):
    """The elements at places, and whether they may be read."""
    good = [inside(index, handle.size)]
    if handle.clear and marks is not None and handle.size:
        good.append(~jnp.any(marks[index]))
    shape = handle.shape
    full = shape is not None and None not in shape
    if not (full or handle.identical or handle.adds):
        good.append(jnp.all(flow.written[index]))
    return taken(index, flow.known()), good
