"""Tensor arrays, as sequences: an element that is not written yet has no elements."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.interchange.onnx.library import onnx


def _made(w: Any, node: Any) -> list:
    """A sequence of as many empty tensors as the array has places."""
    size = w.known(node.inputs[0])
    dtype = node.attrs["dtype"]
    number = w.element_type(dtype)
    if node.attrs["dynamic_size"] and (size is None or int(size)):
        w.refuse("tensor arrays that grow are written only if they begin empty")
    empty = w.op("SequenceEmpty", dtype=number)
    if size is not None and not int(size):
        return [None, empty]
    count = w.op("Reshape", w.sizes(node.inputs[0]), w.ints([]))
    make = onnx.helper.make_tensor_type_proto
    kind = onnx.helper.make_sequence_type_proto(make(number, None))
    with w.body(f"{node.name}/places") as block:
        names = [w.unique(n) for n in ("turn", "going", "list")]
        types = make(onnx.TensorProto.INT64, ()), make(onnx.TensorProto.BOOL, ()), kind
        nothing = w.constant(np.zeros(0, dtype.np))
        longer = w.op("SequenceInsert", names[2], nothing)
        going = w.op("Identity", names[1])
        block.inputs = list(zip(names, types))
        block.outputs = [(going, types[1]), (longer, kind)]
    return [None, w.op("Loop", count, "", empty, body=block)]


def _write(w: Any, node: Any) -> str:
    handle, index, value, flow = node.inputs
    names = w.value(flow), w.value(index), w.value(value)
    if _grows(w, handle):
        return _put(w, node, *names)
    shorter = w.op("SequenceErase", *names[:2])
    return w.op("SequenceInsert", shorter, names[2], names[1])


def _grows(w: Any, handle: Any) -> bool:
    source = w.scope.program.resolve(handle).op
    return bool(source.attrs.get("dynamic_size"))


def _put(w: Any, node: Any, flow: str, index: str, value: str) -> str:
    """Put at a place that is there, or behind the last one."""
    place = w.cast(index, dtypes.int64)
    there = w.op("Less", place, w.op("SequenceLength", flow))
    kind = w.type_of(node.outputs[0])
    with w.body(f"{node.name}/there") as then:
        shorter = w.op("SequenceErase", flow, place)
        then.outputs = [(w.op("SequenceInsert", shorter, value, place), kind)]
    with w.body(f"{node.name}/behind") as orelse:
        orelse.outputs = [(w.op("SequenceInsert", flow, value), kind)]
    return w.op("If", there, then_branch=then, else_branch=orelse)


def _read(w: Any, node: Any) -> str:
    _, index, flow = node.inputs
    return w.op("SequenceAt", w.value(flow), w.value(index))


def _gathered(w: Any, node: Any) -> str:
    _, indices, flow = node.inputs
    name = w.op("ConcatFromSequence", w.value(flow), axis=0, new_axis=1)
    return name if _counts(w, indices) else w.op("Gather", name, w.value(indices))


def _scattered(w: Any, node: Any) -> str:
    _, indices, value, _ = node.inputs
    if not _counts(w, indices):
        w.refuse("the places that are written have to be 0, 1, 2 ...")
    return w.op("SplitToSequence", w.value(value), axis=0, keepdims=0)


def _counts(w: Any, indices: Any) -> bool:
    """Whether indices are 0, 1, 2 ..."""
    found = w.known(indices)
    if found is not None:
        return np.array_equal(found, np.arange(len(found)))
    node = w.scope.program.resolve(indices).op
    if node.type != "Range":
        return False
    ends = [w.known(t) for t in (node.inputs[0], node.inputs[2])]
    return None not in ends and [int(v) for v in ends] == [0, 1]


def _size(w: Any, node: Any) -> str:
    count = w.op("SequenceLength", w.value(node.inputs[1]))
    return w.cast(count, dtypes.int32)


def _joined(w: Any, node: Any) -> list:
    name = w.value(node.inputs[1])
    return [w.op("ConcatFromSequence", name, axis=0, new_axis=0), None]


def _split(w: Any, node: Any) -> str:
    _, value, lengths, _ = node.inputs
    return w.op("SplitToSequence", w.value(value), w.sizes(lengths), axis=0)


WRITERS = {
    "TensorArrayV3": _made, "TensorArrayWriteV3": _write, "TensorArrayReadV3": _read,
    "TensorArrayGatherV3": _gathered, "TensorArrayScatterV3": _scattered,
    "TensorArraySizeV3": _size, "TensorArrayConcatV3": _joined,
    "TensorArraySplitV3": _split,
}  # fmt: skip
