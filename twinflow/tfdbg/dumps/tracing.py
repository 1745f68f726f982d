"""Walks from a node to what it is computed from."""

from collections.abc import Iterable

from twinflow.tfdbg.dumps.names import get_node_name


class GraphTracingReachedDestination(Exception):
    """A walk came to the node that it looks for."""


class DFSGraphTracer:
    """Walks up, depth first.

    Args:
        input_lists: dicts from a node to the names of its inputs.
        skip_node_names: where not to go.
        destination_node_name: where to stop, or None.
    """

    def __init__(
        self,
        input_lists: list[dict],
        skip_node_names: Iterable[str] | None = None,
        destination_node_name: str | None = None,
    ) -> None:
        self._input_lists = input_lists
        self._skipped = set(skip_node_names or ())
        self._destination = destination_node_name
        self._inputs: list[str] = []
        self._depths: list[int] = []
        self._seen: set[str] = set()

    def trace(self, graph_element_name: str) -> None:
        """Walk up from a node or tensor.

        Raises:
            GraphTracingReachedDestination: the walk came there.
        """
        start = get_node_name(graph_element_name)
        if start in self._skipped:
            return
        self._note(start, 0)
        waiting = [(0, iter(self._above(start)))]
        while waiting:
            depth, above = waiting[-1]
            name = next(above, None)
            if name is None:
                waiting.pop()
            elif name not in self._seen and name not in self._skipped:
                self._note(name, depth + 1)
                waiting.append((depth + 1, iter(self._above(name))))

    def _above(self, node: str) -> list[str]:
        return [get_node_name(n) for known in self._input_lists
                for n in known.get(node, ())]  # fmt: skip

    def _note(self, node: str, depth: int) -> None:
        self._seen.add(node)
        if depth:
            self._inputs.append(node)
            self._depths.append(depth)
        if node == self._destination:
            raise GraphTracingReachedDestination

    def inputs(self) -> list[str]:
        """The nodes that were met, in this order."""
        return self._inputs

    def depth_list(self) -> list[int]:
        """How far each of them is from the start."""
        return self._depths
