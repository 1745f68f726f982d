"""What a profile knows of one node: its place in the graph, its types, its steps."""

import math
import re
from typing import Any, NamedTuple

from twinflow.formats.profile_protos import ExecProfile, ProfileNode

_ON_A_CPU = re.compile(r".*/(device:gpu|gpu|device:cpu|cpu|device:sycl):\d+", re.I)


class Numbers(NamedTuple):
    """What is counted of a node, under the names that GraphNodeProto has for them."""

    exec_micros: int = 0
    accelerator_exec_micros: int = 0
    cpu_exec_micros: int = 0
    requested_bytes: int = 0
    peak_bytes: int = 0
    residual_bytes: int = 0
    output_bytes: int = 0
    parameters: int = 0
    float_ops: int = 0

    def plus(self, other: "Numbers") -> "Numbers":
        """The sum, one by one."""
        return Numbers(*(a + b for a, b in zip(self, other, strict=True)))


class StatNode:
    """A node of a graph with its statistics.

    Args:
        proto: a ProfileNode; inputs are given by ids.
    Attributes:
        inputs: {index: (name of a node, index of its output)}. op_types: a set.
    """

    def __init__(self, proto: Any) -> None:
        self.proto = proto
        self.name, self.op = proto.name, proto.op
        self.op_types = {self.op} | set(proto.op_types)
        self.inputs: dict[int, tuple[str, int]] = {}
        self.input_shapes: dict[int, list[int]] = {}
        self._numbers: dict[int, Numbers] = {}

    @classmethod
    def of(cls, name: str, op: str, number: int) -> "StatNode":
        """A node without attributes."""
        return cls(ProfileNode(name=name, op=op, id=number))

    @classmethod
    def of_node_def(cls, node_def: Any, number: int) -> "StatNode":
        """The node that a NodeDef describes; its inputs are not set."""
        proto = ProfileNode(name=node_def.name, op=node_def.op, id=number)
        own = node_def.op.startswith("Twin")  # of this package; holds no parameters
        for key, value in node_def.attr.items():
            if key == "shape" and value.HasField("shape") and not own:
                proto.shape[:] = dims_of(value.shape)
            if key == "_output_shapes":
                for i, shape in enumerate(value.list.shape):
                    proto.output_shapes[i].int64_values[:] = dims_of(shape)
            proto.attrs[key].CopyFrom(value)
        return cls(proto)

    @property
    def shape(self) -> list[int]:
        """That of a variable or a placeholder; a scalar has [1], others nothing."""
        return list(self.proto.shape)

    @property
    def device(self) -> str:
        """Where it ran, in small letters; empty if it did not."""
        return self.proto.canonical_device

    def count_steps(self) -> int:
        """How many steps it took part in."""
        return len(self.proto.execs)

    def steps(self, step: int) -> list:
        """The ExecProfiles of a step, of all of them if it is negative."""
        execs = self.proto.execs
        if step < 0:
            return list(execs.values())
        return [execs[step]] if step in execs else []

    def run_count(self, step: int) -> int:
        """How often it ran in a step; on average if the step is negative."""
        found = self.steps(step)
        return sum(e.run_count for e in found) // max(1, len(found))

    def numbers(self, step: int) -> Numbers:
        """What is counted in a step; on average if the step is negative."""
        if step not in self._numbers:
            self._numbers[step] = self._count(step)
        return self._numbers[step]

    def _count(self, step: int) -> Numbers:
        shape, float_ops = self.shape, self.proto.float_ops
        params = math.prod(shape) if shape and min(shape) >= 0 else 0
        found = self.steps(step)
        if self.count_steps():
            float_ops *= self.run_count(step)
        taken = [_counted(e) for e in found]
        sums = (sum(column) // len(found) for column in zip(*taken, strict=True))
        counted = list(sums) or [0] * 7
        return Numbers._make((*counted, params, float_ops))

    def add_step(self, step: int, device: str, stats: Any) -> None:
        """Add the NodeExecStats of a run on a device."""
        known, device = self.proto.canonical_device, device.lower()
        if is_place(device):
            if known and known != device:
                return  # a node that appears on several devices counts on the first
            self.proto.canonical_device = device
            self.proto.host_device = re.sub(r"gpu:\d+", "cpu:0", device)
            self.op_types.add(device)
        run = self.proto.execs[step]
        _add_times(run, device, stats)
        if self.device:
            _add_memory(run, self.device, stats)
        self._numbers.clear()

    def to_proto(self, ids: dict[str, int]) -> Any:
        """The ProfileNode, with the inputs by the ids of their nodes."""
        proto = self.proto
        proto.op_types[:] = sorted(self.op_types)
        for i, (name, output) in self.inputs.items():
            if name in ids:
                proto.inputs[i] = ids[name]
                proto.src_output_index[ids[name]] = output
        for i, shape in self.input_shapes.items():
            proto.input_shapes[i].int64_values[:] = shape
        return proto


def dims_of(shape: Any) -> list[int]:
    """The sizes of a TensorShapeProto; [1] for a scalar."""
    if not shape.dim and not shape.unknown_rank:
        return [1]
    return [d.size for d in shape.dim]


def is_place(device: str) -> bool:
    """Whether a device of step stats is one that ops run on, not a stream of it."""
    return _ON_A_CPU.fullmatch(device) is not None


def is_accelerator(device: str) -> bool:
    """Whether a device is no CPU."""
    return "gpu" in device or "sycl" in device


def has_accelerator_time(device: str) -> bool:
    """Whether the times of a device are those of kernels on an accelerator."""
    return "stream:all" in device


def _counted(run: Any) -> tuple[int, ...]:
    on_accelerator, on_cpu = (
        sum(t.int64_values[1] for execs in of.values() for t in execs.times)
        for of in (run.accelerator_execs, run.cpu_execs)
    )
    memory = (
        sum(getattr(m, name) for m in run.memory_execs)
        for name in ("requested_bytes", "peak_bytes", "residual_bytes", "output_bytes")
    )
    return on_accelerator + on_cpu, on_accelerator, on_cpu, *memory


def _add_times(run: Any, device: str, stats: Any) -> None:
    if device not in run.devices:
        run.devices[:] = sorted([*run.devices, device])
    start = stats.all_start_micros
    if start <= 0:
        return
    run.all_start_micros = min(run.all_start_micros or start, start)
    taken = stats.op_end_rel_micros or 1  # what is quick takes a microsecond, too
    run.latest_end_micros = max(run.latest_end_micros, start + taken)
    if has_accelerator_time(device):
        run.accelerator_execs[device].times.add(int64_values=(start, taken))
    elif is_place(device):
        run.cpu_execs[device].times.add(int64_values=(start, taken))
        run.run_count += 1


def _add_memory(run: Any, device: str, stats: Any) -> None:
    found = ExecProfile().memory_execs.add(memory_micros=stats.all_start_micros)
    for used in stats.memory:
        found.residual_bytes += used.live_bytes
        found.requested_bytes += used.total_bytes
        found.peak_bytes += used.peak_bytes
        if "GPU" in used.allocator_name:
            held = max(found.allocator_bytes_in_use, used.allocator_bytes_in_use)
            found.allocator_bytes_in_use = held
            run.allocations.extend(used.allocation_records)
    _add_outputs(found, stats)
    memory = stats.memory_stats
    kept, passing = memory.persistent_memory_size, memory.temp_memory_size
    if "cpu" in device:
        found.host_temp_bytes, found.host_persistent_bytes = passing, kept
    else:
        found.accelerator_temp_bytes = passing + memory.device_temp_memory_size
        found.accelerator_persistent_bytes = kept + memory.device_persistent_memory_size
    found.residual_bytes += kept
    found.requested_bytes += kept + passing
    found.peak_bytes += kept + passing
    run.memory_execs.append(found)


def _add_outputs(found: Any, stats: Any) -> None:
    for output in stats.output:
        tensor = output.tensor_description
        if output.HasField("tensor_description") and tensor.HasField(
            "allocation_description"
        ):
            about = tensor.allocation_description
            size = max(about.allocated_bytes, about.requested_bytes)
            found.output_bytes += size
            held = found.output_memory[output.slot]
            held.bytes, held.ptr = size, about.ptr
