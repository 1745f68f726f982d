"""Loops as TensorFlow 1 writes them, and what they keep for their gradients.

A stack (graph.while_node) becomes a TensorArray that the body writes at the number of
the iteration. What reads one entry reads that array; what takes the stack as a whole
takes its entries as one tensor.
"""

from typing import Any

import numpy as np

from twinflow.base import dtypes


def prepare(writer: Any, node: Any, frame: Any) -> None:
    """Choose the names around a loop."""
    scope, (test, body) = frame.scope, node.extra.regions
    for p in (*test.params, *body.params):
        writer.refs[p] = p.op.name
    frame.cond = writer.name(f"{scope}LoopCond")
    frame.switches = [writer.name(f"{scope}Switch") for _ in test.params]
    frame.name = _frame_name(writer, f"{scope}while_context")
    extra, n = node.extra, len(node.inputs)
    if extra.trips is not None:
        frame.trips = _Names(writer, f"{scope}trips")
        writer.refs[extra.trips] = frame.trips.end
    for t, out in zip(extra.saved, node.outputs[n + 1 :], strict=True):
        writer.stacks[out] = Stack(writer, node, t)


def _frame_name(writer: Any, name: str) -> Any:
    """`name`, numbered where another loop has it."""
    known = {f.name for f in writer.frames.values()}
    found, count = name, 0
    while found in known:
        count += 1
        found = f"{name}_{count}"
    return found


class _Names:
    """The names of a variable that only the GraphDef has."""

    def __init__(self, writer: Any, scope: Any) -> None:
        self.merge = writer.name(f"{scope}/Merge")
        self.switch = writer.name(f"{scope}/Switch")
        self.inner = writer.name(f"{scope}/Identity")
        self.end = writer.name(f"{scope}/Exit")

    def all(self) -> tuple:
        """In the order in which `_variable` wants them."""
        return self.merge, self.switch, self.inner, self.end


class Made:
    """In place of a tensor: one that only the GraphDef has."""

    type = "Made"

    def __init__(self, writer: Any, name: str, region: Any, dtype: Any) -> None:
        self.op, self.region, self.dtype = self, region, dtype
        writer.refs[self] = name


class Stack:
    """What a loop keeps of one tensor of its body.

    Attributes:
        node: the loop. t: the tensor. handle, flow: of the TensorArray, after the loop.
    """

    def __init__(self, writer: Any, node: Any, t: Any) -> None:
        self.node, self.t = node, t
        self.scope = writer.name(f"{writer.frames[node].scope}stack")
        self.names = _Names(writer, self.scope)
        self.array = writer.name(f"{self.scope}/TensorArrayV3")
        region = node.region
        self.handle = Made(writer, self.array, region, dtypes.resource)
        self.flow = Made(writer, self.names.end, region, dtypes.float32)


def write(writer: Any, node: Any) -> None:
    """The NodeDefs of a loop."""
    frame, extra = writer.frames[node], node.extra
    test, body = extra.regions
    waits = writer.waits(node)
    go = writer.ref(test.results[0], test, frame.user)
    writer.add(frame.cond, "LoopCond", [go])
    for i, first in enumerate(node.inputs):
        source = writer.ref(first, node.region, frame.user)
        following = writer.ref(body.results[i], body, frame.user)
        merge, inner = writer.refs[test.params[i]], writer.refs[body.params[i]]
        names = merge, frame.switches[i], inner, frame.ends[i]
        _variable(writer, node, names, source, following, first.dtype, waits)
    if extra.trips is not None:
        _count(writer, node, waits)
    for out in node.outputs[len(node.inputs) + 1 :]:
        _keep(writer, writer.stacks[out], waits)


def _variable(
    writer: Any, node: Any, names: Any, source: Any, following: Any, dtype: Any,
    waits: Any,
) -> None:  # fmt: skip
    """Enter, Merge, Switch, Identity, NextIteration and Exit of a variable."""
    frame = writer.frames[node]
    merge, switch, inner, end = names
    enter = writer.name(f"{frame.scope}Enter")
    writer.enter(enter, "Enter", source, frame, dtype, False, waits)
    back = writer.name(f"{frame.scope}NextIteration")
    writer.add(merge, "Merge", [enter, back], T=dtype).attr["N"].i = 2
    writer.add(switch, "Switch", [merge, frame.cond], T=dtype)
    writer.add(inner, "Identity", [f"{switch}:1"], T=dtype)
    writer.add(back, "NextIteration", [following], T=dtype)
    writer.add(end, "Exit", [switch], T=dtype)


def _count(writer: Any, node: Any, waits: Any) -> None:
    """The number of iterations."""
    frame, kind = writer.frames[node], dtypes.int32
    body, scope = node.extra.body, f"{frame.scope}trips"
    zero = writer.constant(f"{scope}/zero", np.int32(0), kind, node.region)
    one = writer.constant(f"{scope}/one", np.int32(1), kind, body)
    add = writer.name(f"{scope}/add")
    writer.add(add, "Add", [frame.trips.inner, one], T=kind)
    _variable(writer, node, frame.trips.all(), zero, add, kind, waits)


def _keep(writer: Any, stack: Any, waits: Any) -> None:
    """The TensorArray of a stack, and its flow through the loop."""
    node, scope, t = stack.node, stack.scope, stack.t
    frame, body = writer.frames[node], node.extra.body
    size = writer.constant(f"{scope}/size", np.int32(0), dtypes.int32, node.region)
    proto = writer.add(stack.array, "TensorArrayV3", [size], dtype=t.dtype)
    proto.attr["dynamic_size"].b = True
    proto.attr["clear_after_read"].b = False
    proto.attr["element_shape"].shape.unknown_rank = True
    handle = writer.ref(stack.handle, body, scope)
    inputs = [handle, frame.trips.inner, writer.ref(t, body, scope), stack.names.inner]
    put = writer.name(f"{scope}/TensorArrayWriteV3")
    writer.add(put, "TensorArrayWriteV3", inputs, T=t.dtype)
    names, flow = stack.names.all(), f"{stack.array}:1"
    _variable(writer, node, names, flow, put, dtypes.float32, waits)


def whole_stack(writer: Any, stack: Any) -> Any:
    """All entries as one tensor; its name."""
    node, scope = stack.node, stack.scope
    region, trips = node.region, node.extra.trips
    ends = [
        writer.constant(f"{scope}/start", np.int32(0), dtypes.int32, region),
        writer.ref(trips, region, scope),
        writer.constant(f"{scope}/delta", np.int32(1), dtypes.int32, region),
    ]
    places = writer.name(f"{scope}/range")
    writer.add(places, "Range", ends, Tidx=dtypes.int32)
    name = writer.name(f"{scope}/TensorArrayGatherV3")
    inputs = [stack.array, places, stack.names.end]
    proto = writer.add(name, "TensorArrayGatherV3", inputs, dtype=stack.t.dtype)
    shape = proto.attr["element_shape"].shape
    shape.SetInParent()  # that of a scalar has no parts
    if stack.t._shape is None:
        shape.unknown_rank = True
    else:
        for d in stack.t._shape:
            shape.dim.add(size=-1 if d is None else d)
    return name


def read_stack(writer: Any, node: Any) -> None:
    """The NodeDef of what reads one entry of a stack."""
    source, index = node.inputs
    place, name = node.region, node.name
    at = writer.ref(index, place, name)
    stack = writer.stacks.get(source)
    if stack is not None:
        handle, flow = (writer.ref(x, place, name) for x in (stack.handle, stack.flow))
        kind = source.dtype
        writer.add(name, "TensorArrayReadV3", [handle, at, flow], dtype=kind)
        return
    axis = writer.constant(f"{name}/axis", np.int32(0), dtypes.int32, place)
    inputs = [writer.ref(source, place, name), at, axis]
    kinds = {"Tparams": source.dtype, "Tindices": dtypes.int32, "Taxis": dtypes.int32}
    writer.add(name, "GatherV2", inputs, **kinds)
