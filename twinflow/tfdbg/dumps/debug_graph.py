"""The graph of a run, with and without the nodes of the debugger."""

from typing import Any

from twinflow.base import op_defs
from twinflow.formats.protos import GraphDef
from twinflow.tfdbg.dumps import names

_INNER = ("_Send", "_Retval")  # what the runtime of TensorFlow puts in


def _infer_device_name(graph_def: Any) -> str:
    """The device of a GraphDef's nodes.

    Raises:
        ValueError: none of them names one.
    """
    for node in graph_def.node:
        if node.device:
            return node.device
    raise ValueError(
        "Failed to infer device name from partition GraphDef: none of the nodes of the "
        "GraphDef has a non-empty device name."
    )


def _ref_inputs(node: Any) -> list[str]:
    """The inputs of a NodeDef that are references to variables."""
    found: list[str] = []
    definition = op_defs.find(node.op)
    if definition is None:
        return found
    for i, argument in enumerate(definition.inputs):
        if argument.is_ref and i < len(node.input):
            found.append(node.input[i])
    return found


def _plain(name: str) -> str:
    """An input's name as GraphDefs write it: without a :0."""
    return name.removesuffix(":0")


class DebugGraph:
    """The nodes of one device, and how they hang together.

    Args:
        debug_graph_def: GraphDef; it may have Copy and Debug nodes of TensorFlow.
        device_name: None to look for it.
    Raises:
        ValueError: two nodes have one name.
    """

    def __init__(self, debug_graph_def: Any, device_name: str | None = None) -> None:
        self._debug_graph_def = debug_graph_def
        self._non_debug_graph_def: Any = None
        self._device_name = device_name or _infer_device_name(debug_graph_def)
        self._node_attributes: dict[str, Any] = {}
        self._node_inputs: dict[str, list[str]] = {}
        self._node_ctrl_inputs: dict[str, list[str]] = {}
        self._node_reversed_ref_inputs: dict[str, list[str]] = {}
        self._node_op_types: dict[str, str] = {}
        self._node_devices: dict[str, set[str]] = {}
        self._copied: dict[str, str] = {}  # {Copy node: the tensor it copies}
        self._watches: list[tuple[str, int, str]] = []
        for node in debug_graph_def.node:
            self._take(node)
        self._node_recipients = self._reversed(self._node_inputs)
        self._node_ctrl_recipients = self._reversed(self._node_ctrl_inputs)

    def _take(self, node: Any) -> None:
        if names.is_debug_node(node.name):
            watched, slot, _, op = names.parse_debug_node_name(node.name)
            self._watches.append((watched, slot, op))
            return
        if names.is_copy_node(node.name):
            self._copied[node.name] = node.input[0]
            return
        if node.name in self._node_inputs:
            raise ValueError(
                f"Duplicate node name on device {self._device_name}: '{node.name}'"
            )
        self._node_attributes[node.name] = node.attr
        self._node_op_types[node.name] = node.op
        self._node_devices.setdefault(node.name, set()).add(
            node.device or self._device_name
        )
        plain = [n for n in node.input if not n.startswith("^")]
        control = sorted(n[1:] for n in node.input if n.startswith("^"))
        self._node_inputs[node.name] = [self._original(n) for n in plain]
        self._node_ctrl_inputs[node.name] = [
            n for n in control if not names.is_debug_node(n)
        ]
        for name in _ref_inputs(node):
            source = names.get_node_name(self._original(name))
            self._node_reversed_ref_inputs.setdefault(source, []).append(node.name)

    def _original(self, name: str) -> str:
        """The tensor that an input is, where it is a copy of it."""
        node = names.get_node_name(name)
        if not names.is_copy_node(node):
            return name
        copied = self._copied.get(node)
        if copied is None:  # the Copy node comes later
            tensor, _, slot = node.removeprefix(names.COPY_PREFIX).rpartition("_")
            copied = f"{tensor}:{slot}"
        return _plain(copied)

    def _reversed(self, inputs: dict[str, list[str]]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {name: [] for name in self._node_inputs}
        for node, sources in inputs.items():
            if self._node_op_types[node] in _INNER:
                continue
            for source in map(names.get_node_name, sources):
                found.setdefault(source, []).append(node)
        return found

    def _reconstructed(self) -> Any:
        graph = GraphDef()
        graph.versions.CopyFrom(self._debug_graph_def.versions)
        graph.library.CopyFrom(self._debug_graph_def.library)
        for node in self._debug_graph_def.node:
            if names.is_copy_node(node.name) or names.is_debug_node(node.name):
                continue
            new = graph.node.add()
            new.CopyFrom(node)
            del new.input[:]
            plain = self._node_inputs[node.name]
            new.input.extend(plain)
            new.input.extend("^" + n for n in self._node_ctrl_inputs[node.name])
        return graph

    @property
    def device_name(self) -> str:
        return self._device_name

    @property
    def debug_graph_def(self) -> Any:
        return self._debug_graph_def

    @property
    def non_debug_graph_def(self) -> Any:
        """The GraphDef without Copy and Debug nodes."""
        if self._non_debug_graph_def is None:
            self._non_debug_graph_def = self._reconstructed()
        return self._non_debug_graph_def

    @property
    def watches(self) -> list[tuple[str, int, str]]:
        """(node, slot, debug op) of its Debug nodes."""
        return self._watches

    @property
    def node_devices(self) -> dict[str, set[str]]:
        return self._node_devices

    @property
    def node_op_types(self) -> dict[str, str]:
        return self._node_op_types

    @property
    def node_attributes(self) -> dict[str, Any]:
        return self._node_attributes

    @property
    def node_inputs(self) -> dict[str, list[str]]:
        return self._node_inputs

    @property
    def node_ctrl_inputs(self) -> dict[str, list[str]]:
        return self._node_ctrl_inputs

    @property
    def node_reversed_ref_inputs(self) -> dict[str, list[str]]:
        return self._node_reversed_ref_inputs

    @property
    def node_recipients(self) -> dict[str, list[str]]:
        return self._node_recipients

    @property
    def node_ctrl_recipients(self) -> dict[str, list[str]]:
        return self._node_ctrl_recipients


def reconstruct_non_debug_graph_def(debug_graph_def: Any) -> Any:
    """A GraphDef without the nodes that TensorFlow's debugger put in.

    Args:
        debug_graph_def: a partition graph of a debugged run.
    """
    return DebugGraph(debug_graph_def, device_name="N/A").non_debug_graph_def
