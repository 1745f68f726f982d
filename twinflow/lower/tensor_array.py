"""Tensor arrays in XLA; see lower.flows for what stands for their contents."""

import jax.numpy as jnp
import numpy as np

from twinflow.lower import flows
from twinflow.lower.flows import Flow, Unfit
from twinflow.lower.lowering import NeedsValue, known
from twinflow.lower.tables import special
from twinflow.ops.core.infer import one_int
from twinflow.ops.tensor_array.elements import ArrayHandle
from twinflow.ops.tensor_array.ops import origin_of


def _rule(function):
    """A rule that gives up its node where an array is not regular enough."""

    def lowered(low, node, program):
        try:
            return function(low, node, *low.args(node, program))
        except Unfit:
            raise NeedsValue(node) from None

    return lowered


def _new(low, node, size):
    if not known(size) or node.attrs["dynamic_size"]:
        raise Unfit
    a = node.attrs
    handle = ArrayHandle(
        a["dtype"], one_int(size), False, a["clear_after_read"],
        a["identical_element_shapes"], a["element_shape"], a["tensor_array_name"],
    )  # fmt: skip
    handle.origin = origin_of(node)
    low.states[handle] = jnp.zeros(handle.size, bool)  # the elements that were read
    return handle, flows.new(handle)


def _gradient(low, node, handle, flow):
    found = handle.gradient()
    found.origin = handle.origin
    return found, Flow(handle.size)


def _write(low, node, handle, index, value, flow):
    flow, good = flows.write(handle, index, value, flow, low.states.get(handle))
    low.ok += good
    if flow.buffer is not None:
        low.elements[handle.origin] = flow.buffer.shape[1:]
    return (flow,)


def _read(low, node, handle, index, flow):
    if node.attrs["dtype"] is not handle.dtype:
        raise Unfit
    marks = low.states.get(handle)
    value, good = flows.read(handle, index, flow, marks)
    low.ok += good
    if marks is not None and handle.size:
        low.states[handle] = marks.at[index].set(True)
    return (value,)


def _concat(low, node, handle, flow):
    (value,) = _read(low, node, handle, np.arange(handle.size), flow)
    if value.ndim < 2:
        raise Unfit
    n = value.shape[1]
    lengths = np.full(handle.size, n, np.int64)
    return value.reshape(handle.size * n, *value.shape[2:]), lengths


def _rows(handle, lengths, value):
    """`value` as the elements it is to be split into, which must be of one length."""
    if not known(lengths) or len({*np.asarray(lengths).tolist()}) != 1:
        raise Unfit
    if len(lengths) != handle.size or sum(lengths) != value.shape[0]:
        raise Unfit
    n = len(value) // max(handle.size, 1)
    return value.reshape(handle.size, n, *value.shape[1:])


def _split(low, node, handle, value, lengths, flow):
    rows = _rows(handle, lengths, value)
    return _write(low, node, handle, np.arange(handle.size), rows, flow)


def _size(low, node, handle, flow):
    return (np.int32(handle.size),)


def _nothing(low, node):
    return (Flow(),)


def _entries(low, node, handle, index, value):
    return (Flow(handle.size, entries=[(index, value)]),)


def _taken(low, node, handle, index, flow):
    found = flow.settled()
    if found.buffer is not None:
        return (flows.taken(index, found.buffer),)
    return (_zeros(low, handle, node.attrs["shape"], np.shape(index)),)


def _zeros(low, handle, shape, leading=()):
    """Zeros for elements that no gradient has reached."""
    if shape is None or None in shape:
        one = low.elements.get(handle.origin, handle.shape)
        if one is None or None in one:
            raise Unfit
        shape = (*leading, *one)
    return jnp.zeros(shape, handle.dtype.np)


def _parts(low, node, handle, lengths, value):
    return _entries(
        low, node, handle, np.arange(handle.size), _rows(handle, lengths, value)
    )


def _joined(low, node, handle, lengths, flow):
    found = flow.settled()
    if found.buffer is None:
        value = _zeros(low, handle, None, (handle.size,))
    else:
        value = found.buffer
    rows = value.shape[0] * value.shape[1]
    return (value.reshape(rows, *value.shape[2:]),)


special.update({
    name: _rule(function)
    for name, function in {
        "TensorArrayV3": _new, "TensorArrayGradV3": _gradient,
        "TensorArrayWriteV3": _write, "TensorArrayScatterV3": _write,
        "TensorArrayReadV3": _read, "TensorArrayGatherV3": _read,
        "TensorArrayConcatV3": _concat, "TensorArraySplitV3": _split,
        "TensorArraySizeV3": _size,
        "TensorArrayCloseV3": lambda low, node, handle: (),
        "TwinArrayNothing": _nothing, "TwinArrayEntries": _entries,
        "TwinArrayTaken": _taken, "TwinArrayParts": _parts,
        "TwinArrayJoined": _joined,
    }.items()
})  # fmt: skip
