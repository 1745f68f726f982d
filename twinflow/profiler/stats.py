"""All that a profile knows: the nodes of a graph, and what steps said of them."""

from typing import Any

from twinflow.formats.profile_protos import ProfileProto
from twinflow.profiler.nodes import (
    StatNode,
    has_accelerator_time,
    is_accelerator,
)

_NO_NODES = ("RecvTensor", "_SOURCE")
_NO_STREAM = (
    "\n\nFound accelerator operation but misses accelerator stream stats!\n\n"
    "It's likely a gpu tracing issue rather than tf-profiler issue.\n"
    "If you found your operation missing accelerator time, consider filing a bug to "
    "xprof-dev@!\n\n"
)


class Stats:
    """Nodes by name, with what RunMetadata and OpLogProto say of them.

    Attributes:
        nodes: {name: StatNode}. steps: a set. texts: {id: a file, function or line}.
        has_traces: whether lines of programs are known. lost_streams: whether an
            accelerator ran without times of its own.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, StatNode] = {}
        self.steps: set[int] = set()
        self.texts: dict[int, str] = {}
        self.has_traces = self.lost_streams = False
        self._covered: set[str] = set()

    def __len__(self) -> int:
        return len(self.nodes)

    def add_graph(self, graph_def: Any) -> None:
        """Add the nodes of a GraphDef that are not there yet."""
        new = [n for n in graph_def.node if n.name not in self.nodes]
        for node in new:
            number = len(self.nodes)
            self.nodes[node.name] = StatNode.of_node_def(node, number)
        for node in new:
            added = self.nodes[node.name]
            added.inputs = {i: _source(text) for i, text in enumerate(node.input)}
        for node in new:
            self._set_input_shapes(self.nodes[node.name])

    def _set_input_shapes(self, node: StatNode) -> None:
        output_of = dict(node.inputs.values())  # the last one of each node counts
        for i, (name, _) in node.inputs.items():
            source = self.nodes.get(name)
            if source is not None:
                shapes, output = source.proto.output_shapes, output_of[name]
                known = shapes[output].int64_values if output in shapes else ()
                node.input_shapes[i] = list(known)

    def add_log(self, log: Any) -> None:
        """Add the types, float operations and lines of an OpLogProto."""
        for number, text in log.id_to_string.items():
            self.texts.setdefault(number, text)
        for entry in log.log_entries:
            node = self.nodes.get(entry.name)
            if node is None:
                continue
            node.op_types.update(entry.types)
            if entry.float_ops:
                node.proto.float_ops = entry.float_ops
            if entry.HasField("code_def"):
                self.has_traces = True
                node.proto.trace.CopyFrom(entry.code_def)
            node._numbers.clear()

    def add_run(self, step: int, metadata: Any) -> None:
        """Add the times and the memory of a RunMetadata."""
        self.steps.add(step)
        devices = [d.device.lower() for d in metadata.step_stats.dev_stats]
        used = any(is_accelerator(d) for d in devices)
        self.lost_streams = used and not any(map(has_accelerator_time, devices))
        for device in metadata.step_stats.dev_stats:
            for stats in device.node_stats:
                node = self._node_of(stats.node_name)
                if node is not None:
                    self._covered.add(node.name)
                    node.add_step(step, device.device, stats)

    def _node_of(self, name: str) -> StatNode | None:
        """The node of step stats; one that no graph has becomes known."""
        name = name.partition(":")[0]
        if name not in self.nodes:
            if name in _NO_NODES or "MEMCPY" in name:
                return None
            self.nodes[name] = StatNode.of(name, name, len(self.nodes))
        return self.nodes[name]

    def coverage(self) -> float:
        """Which part of the nodes has run in a step, of 1."""
        return len(self._covered) / len(self.nodes) if self.nodes else 0.0

    def warning(self) -> str:
        """What a report begins with: that times are missing, or nothing."""
        return _NO_STREAM if self.lost_streams else ""

    def to_proto(self) -> Any:
        """All of it as a ProfileProto."""
        ids = {name: n.proto.id for name, n in self.nodes.items()}
        found = ProfileProto(
            has_trace=self.has_traces, miss_accelerator_stream=self.lost_streams,
            steps=sorted(self.steps), id_to_string=self.texts,
        )  # fmt: skip
        for node in self.nodes.values():
            found.nodes[node.proto.id].CopyFrom(node.to_proto(ids))
        return found

    @classmethod
    def from_proto(cls, proto: Any) -> "Stats":
        """What a ProfileProto holds."""
        found = cls()
        found.has_traces = proto.has_trace
        found.lost_streams = proto.miss_accelerator_stream
        found.steps, found.texts = set(proto.steps), dict(proto.id_to_string)
        names = {number: node.name for number, node in proto.nodes.items()}
        for number in sorted(proto.nodes):
            node = StatNode(proto.nodes[number])
            node.inputs = {
                i: (names[source], node.proto.src_output_index.get(source, 0))
                for i, source in node.proto.inputs.items()
                if source in names
            }
            found.nodes[node.name] = node
            if node.count_steps():
                found._covered.add(node.name)
        for node in found.nodes.values():
            found._set_input_shapes(node)
        return found


def _source(text: str) -> tuple[str, int]:
    """(name, index) of `name`, `name:1` or `^name`."""
    name, _, index = text.removeprefix("^").partition(":")
    return name, int(index or 0)
