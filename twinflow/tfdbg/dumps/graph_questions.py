"""What a person asks of the graph of dumps: inputs, outputs, paths, devices."""

from typing import Any

from twinflow.tfdbg.dumps import names, tracing
from twinflow.tfdbg.dumps.debug_graph import DebugGraph

_NO_GRAPHS = "No partition graphs have been loaded."


class GraphQuestions:
    """Answers about the graphs of dumps, which a class derived from it loads."""

    _debug_graphs: dict[str, DebugGraph]
    _partition_graphs: list[Any]
    _device_names: list[str]
    _data: dict[str, list]

    def _graph_of(
        self, node_name: str, device_name: str | None, what: str
    ) -> DebugGraph:
        if not self._debug_graphs:
            raise LookupError(what)
        device = self._infer_device_name(device_name, node_name)
        return self._debug_graphs[device]

    def _infer_device_name(self, device_name: str | None, node_name: str) -> str:
        """The device of a node.

        Raises:
            ValueError: no device, or several have it.
        """
        if device_name is not None:
            return device_name
        if not self._debug_graphs:
            having = [
                device for device, data in self._data.items()
                if any(d.node_name == node_name for d in data)
            ] or self._device_names[:1]  # fmt: skip
        else:
            having = [d for d, g in self._debug_graphs.items()
                      if node_name in g.node_inputs]  # fmt: skip
        if len(having) > 1:
            raise ValueError(
                f"There are multiple ({len(having)}) devices with nodes named "
                f"'{node_name}' but device_name is not specified."
            )
        if not having:
            raise ValueError(
                f"None of the {len(self._debug_graphs)} device(s) has a node named "
                f"'{node_name}'."
            )
        return having[0]

    def loaded_partition_graphs(self) -> bool:
        return bool(self._debug_graphs)

    def partition_graphs(self) -> list[Any]:
        """The GraphDefs of the run.

        Raises:
            LookupError: none is known.
        """
        self._needs_graphs()
        return [g.debug_graph_def for g in self._debug_graphs.values()]

    def reconstructed_non_debug_partition_graphs(self) -> dict[str, Any]:
        """{device: GraphDef} without the nodes of a debugger.

        Raises:
            LookupError: none is known.
        """
        self._needs_graphs()
        return {d: g.non_debug_graph_def for d, g in self._debug_graphs.items()}

    def _needs_graphs(self) -> None:
        if not self._debug_graphs:
            raise LookupError(_NO_GRAPHS)

    def devices(self) -> list[str]:
        return self._device_names

    def nodes(self, device_name: str | None = None) -> list[str]:
        """The names of all nodes, or of those of a device.

        Raises:
            LookupError: no graph is known. ValueError: there is no such device.
        """
        self._needs_graphs()
        if device_name is None:
            return [n for g in self._debug_graphs.values() for n in g.node_inputs]
        if device_name not in self._debug_graphs:
            raise ValueError(f"Invalid device name: {device_name}")
        return list(self._debug_graphs[device_name].node_inputs)

    def node_exists(self, node_name: str, device_name: str | None = None) -> bool:
        """Whether there is a node of this name.

        Raises:
            LookupError: no graph is known. ValueError: there is no such device.
        """
        if not self._debug_graphs:
            raise LookupError("Nodes have not been loaded from partition graphs yet.")
        if device_name is not None and device_name not in self._debug_graphs:
            raise ValueError(
                f"The specified device_name '{device_name}' cannot be found."
            )
        return any(
            node_name in graph.node_inputs
            for device, graph in self._debug_graphs.items()
            if device_name in (None, device)
        )

    def node_device(self, node_name: str) -> Any:
        """The device of a node, or the list of them.

        Raises:
            LookupError: no graph is known. ValueError: there is no such node.
        """
        if not self._debug_graphs:
            raise LookupError("Node devices are not loaded from partition graphs yet.")
        found = sorted(
            {d for g in self._debug_graphs.values()
             for d in g.node_devices.get(node_name, ())}
        )  # fmt: skip
        if not found:
            raise ValueError(f"Node '{node_name}' does not exist in partition graphs.")
        return found[0] if len(found) == 1 else found

    def node_attributes(self, node_name: str, device_name: str | None = None) -> Any:
        """The attributes of a node, as its NodeDef has them.

        Raises:
            LookupError: no graph is known. ValueError: there is no such node.
        """
        what = _NO_GRAPHS
        return self._graph_of(node_name, device_name, what).node_attributes[node_name]

    def node_op_type(self, node_name: str, device_name: str | None = None) -> str:
        """The op type of a node; see `node_attributes` for what it raises."""
        what = "Node op types are not loaded from partition graphs yet."
        return self._graph_of(node_name, device_name, what).node_op_types[node_name]

    def node_inputs(
        self,
        node_name: str,
        is_control: bool = False,
        device_name: str | None = None,
    ) -> list[str]:
        """The inputs of a node, or its control inputs."""
        what = "Node inputs are not loaded from partition graphs yet."
        graph = self._graph_of(node_name, device_name, what)
        known = graph.node_ctrl_inputs if is_control else graph.node_inputs
        return known[node_name]

    def node_recipients(
        self,
        node_name: str,
        is_control: bool = False,
        device_name: str | None = None,
    ) -> list[str]:
        """The nodes that take a node's outputs, or that wait for it."""
        what = "Node recipients are not loaded from partition graphs yet."
        graph = self._graph_of(node_name, device_name, what)
        known = graph.node_ctrl_recipients if is_control else graph.node_recipients
        return known[node_name]

    def _above(
        self, graph: DebugGraph, control: bool, reversed_refs: bool
    ) -> list[dict[str, list[str]]]:
        lists = [graph.node_inputs]
        if control:
            lists.append(graph.node_ctrl_inputs)
        if reversed_refs:
            lists.append(graph.node_reversed_ref_inputs)
        return lists

    def transitive_inputs(
        self,
        node_name: str,
        include_control: bool = True,
        include_reversed_ref: bool = False,
        device_name: str | None = None,
    ) -> list[str]:
        """All nodes that a node depends on.

        Args:
            include_control: whether control inputs count.
            include_reversed_ref: whether what changes a variable counts.
        """
        what = "Node inputs are not loaded from partition graphs yet."
        graph = self._graph_of(node_name, device_name, what)
        lists = self._above(graph, include_control, include_reversed_ref)
        tracer = tracing.DFSGraphTracer(lists, skip_node_names=self._merges(graph))
        tracer.trace(node_name)
        return tracer.inputs()

    def _merges(self, graph: DebugGraph) -> list[str]:
        return [n for n, kind in graph.node_op_types.items() if kind == "Merge"]

    def find_some_path(
        self,
        src_node_name: str,
        dst_node_name: str,
        include_control: bool = True,
        include_reversed_ref: bool = False,
        device_name: str | None = None,
    ) -> list[str] | None:
        """Nodes from one to another that depends on it, or None.

        Raises:
            ValueError: they are on different devices.
        """
        source = names.get_node_name(src_node_name)
        target = names.get_node_name(dst_node_name)
        device = self._infer_device_name(device_name, source)
        other = self._infer_device_name(device_name, target)
        if device != other:
            raise ValueError(
                f"Source ({source}) and destination ({target}) are not on the same "
                f"device: {device} vs. {other}"
            )
        graph = self._debug_graphs[device]
        lists = self._above(graph, include_control, include_reversed_ref)
        tracer = tracing.DFSGraphTracer(
            lists, skip_node_names=self._merges(graph), destination_node_name=source
        )
        if source == target:
            return [source]
        try:
            tracer.trace(target)
        except tracing.GraphTracingReachedDestination:
            path, depth = [], float("inf")
            walked = list(zip(tracer.inputs(), tracer.depth_list()))
            for node, at in reversed(walked):
                if at < depth:
                    path.append(node)
                    depth = at
            return [*path, target]
        return None
