"""What a run tells of itself: the time of each node, the graph, its costs."""

import functools
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import devices
from twinflow.base.annotations import Array
from twinflow.base.tensor import Tensor
from twinflow.execute import debug_dumps
from twinflow.execute.interpreter import execute
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET
from twinflow.execute.update_steps import Updates
from twinflow.formats import protos
from twinflow.formats.attr_values import shape_proto
from twinflow.graph.program import regions

if TYPE_CHECKING:
    from twinflow.execute.interpreter import Step
    from twinflow.execute.session import Session
    from twinflow.graph.node import GraphTensor, Node


class Recorder:
    """Notes when the nodes of one run start and end.

    Attributes:
        times: list of (Node, start, end, thread, values), in ns since 1970.
    """

    def __init__(self) -> None:
        self.times: list = []

    def watch(self, steps: "list[Step]", slots: Callable) -> None:
        """Let steps note themselves; `slots` are those of their nodes' outputs.

        In the place of control flow are the nodes that it runs, without values: a loop
        would keep those of all its iterations.
        """
        for step in steps:
            parts = getattr(step.run, "parts", ())
            for part in parts:
                self.watch(part.steps, lambda node: ())
            if parts:
                continue
            if type(step.run) is Updates:
                self.watch(step.run.steps, slots)
                step.run = functools.partial(execute, step.run.steps)
                continue
            step.run = self._timed(step.run, step.node, slots(step.node))

    def _timed(self, run: Callable, node: "Node", slots: list[int]) -> Callable:
        def timed_run(v: list[Array | None]) -> None:
            start = time.time_ns()
            run(v)
            values = [v[i] for i in slots]
            entry = (node, start, time.time_ns(), threading.get_ident(), values)
            self.times.append(entry)

        return timed_run


def observed(
    session: "Session", plan: Plan, arrays: list, options: Any, metadata: Any
) -> list:
    """Run a plan and fill in a RunMetadata.

    Args:
        session: the Session. plan: its Plan. arrays: the values of the feeds.
        options: the RunOptions, or None. metadata: the RunMetadata, or None.
    Returns:
        The values of the fetches.
    """
    if not isinstance(plan, Plan):  # of another process, in parts or all of it
        return plan.observed(arrays, options, metadata)
    dumps = debug_dumps.wanted(options)
    if metadata is None:
        run = debug_dumps.dumped_run
        return run(session, plan, arrays, options) if dumps else plan.run(arrays)
    metadata.ParseFromString(b"")
    level = 0 if options is None else options.trace_level
    if dumps:
        values = debug_dumps.dumped_run(session, plan, arrays, options)
    elif level == protos.RunOptions.NO_TRACE:
        values = plan.run(arrays)
    else:
        values = _traced(session, plan, arrays, metadata)
    if options is not None and options.output_partition_graphs:
        metadata.partition_graphs.add().CopyFrom(session.graph.as_graph_def())
    wanted = getattr(session.config, "graph_options", None)
    if wanted is not None and wanted.build_cost_model:
        _put_costs(metadata, plan)
    return values


def _traced(session: "Session", plan: Plan, arrays: list, metadata: Any) -> list[Array]:
    """Run in the interpreter, node by node."""
    recorder, slow = Recorder(), Plan(plan.program, plan.cell_of, INTERPRET, plan.owner)
    own = {c.steps[0].node: c for c in slow.clusters}
    for step in slow.steps:
        cluster = own.get(step.node)
        if cluster is None:
            recorder.watch([step], lambda n: ())
        else:
            known = cluster.asm.slots
            recorder.watch(cluster.steps, functools.partial(_slots, known))
    values = slow.run(arrays)
    found: dict = {}  # {the name of a device: its stats}
    ready = _ready(plan, recorder)
    kept = {_address(value) for *_, values in ready for value in values}
    for entry in recorder.times + ready:
        place = session._device_of(entry[0])
        if place not in found:
            found[place] = metadata.step_stats.dev_stats.add(device=place)
        _put_node(found[place], entry, kept)
    if not found:
        metadata.step_stats.dev_stats.add(device=devices.CPU)
    return values


def _slots(known: dict[Tensor, int], node: "Node") -> list[int]:
    """Where the outputs of a node are."""
    return [known[t] for t in node.outputs if t in known]


def _ready(plan: Plan, recorder: Recorder) -> list[tuple]:
    """Entries for the nodes that had nothing left to do."""
    program = plan.program
    seen, now = {entry[0] for entry in recorder.times}, time.time_ns()
    nodes = [*program.nodes, *(t.op for t in program.fetches if t is not None)]
    return [
        (n, now, now, 0, [_value(t, plan) for t in n.outputs])
        for n in dict.fromkeys(nodes)
        if n not in seen and not regions(n)
    ]


def _value(t: "GraphTensor", plan: Plan) -> Any:
    """The value of a constant, or of the variable whose handle `t` is."""
    t = plan.program.resolve(t)
    if t.op.opdef.home is None:
        return plan.program.const(t)
    cell = plan.cell_of(t.op.attrs["cell"])
    return cell.read() if cell.initialized else None


def _put_node(stats: Any, entry: tuple, known: set[int]) -> None:
    """Add an entry of a Recorder; `known` has the addresses of values so far."""
    node, start, end, thread, values = entry
    found = stats.node_stats.add(
        node_name=node.name, all_start_micros=start // 1000, op_start_rel_micros=0,
        op_end_rel_micros=(end - start + 999) // 1000, thread_id=thread & 0x7FFFFFFF,
        all_end_rel_micros=max(1, (end - start + 999) // 1000),
        scheduled_micros=start // 1000, timeline_label=_label(node),
    )  # fmt: skip
    for slot, value in enumerate(values):
        if isinstance(value, np.ndarray | np.generic) and slot < len(node.outputs):
            _put_output(found.output.add(slot=slot), node.outputs[slot], value)
            if not thread:  # a constant or a variable, there before the run
                found.memory_stats.persistent_memory_size += value.nbytes
            elif _address(value) not in known:
                known.add(_address(value))
                found.memory.add(
                    allocator_name="cpu", total_bytes=value.nbytes,
                    peak_bytes=value.nbytes, live_bytes=value.nbytes,
                )  # fmt: skip


def _address(value: Any) -> int:
    """Where the elements of an array lie; what has none has an address of its own."""
    if isinstance(value, np.ndarray):
        return value.__array_interface__["data"][0]
    return id(value)


def _put_output(output: Any, t: "GraphTensor", value: Any) -> None:
    tensor = output.tensor_description
    tensor.dtype = t.dtype.base_dtype.as_datatype_enum
    tensor.shape.CopyFrom(shape_proto(np.shape(value)))
    allocated = tensor.allocation_description
    allocated.requested_bytes = allocated.allocated_bytes = value.nbytes
    allocated.allocator_name, allocated.ptr = "cpu", _address(value)


def _label(node: "Node") -> str:
    """`mul = Mul(x, y)`"""
    names = [
        t.op.name + (f":{t.value_index}" if t.value_index else "") for t in node.inputs
    ]
    return f"{node.name} = {node.type}({', '.join(names)})"


def _put_costs(metadata: Any, plan: Any) -> None:
    """A CostGraphDef with the nodes of the run and the sizes of their outputs."""
    ids = {n: i for i, n in enumerate(plan.program.nodes)}
    for node, i in ids.items():
        found = metadata.cost_graph.node.add(name=node.name, id=i, device=devices.CPU)
        for t in node.inputs:
            if t.op in ids:
                found.input_info.add(
                    preceding_node=ids[t.op], preceding_port=t.value_index
                )
        for t in node.outputs:
            out = found.output_info.add(alias_input_port=-1)
            out.dtype = t.dtype.base_dtype.as_datatype_enum
            out.shape.CopyFrom(shape_proto(t._shape))
