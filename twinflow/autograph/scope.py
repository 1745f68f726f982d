"""The scope of a converted function: what it gives back, and what must have run."""

import threading
from collections.abc import Callable
from typing import Any

from twinflow.autograph.undefined import Undefined
from twinflow.autograph.values import is_staged
from twinflow.base import dispatch, nest
from twinflow.graph.graph import Graph
from twinflow.ops.core import array

_EFFECTS = ("Assert", "Print", "PyFunc", "EagerPyFunc", "Assign", "Scatter", "Resource")
_local = threading.local()  # .graph: the graph of the outermost scope of this thread


class FunctionScope:
    """The body of a converted function.

    In a graph that no function traces, what the outermost function gives back waits for
    its assertions, prints and assignments: a Session runs only what it needs.

    Args:
        function_name: accepted. scope_name: accepted. options: how it is converted.
    """

    def __init__(self, function_name: str, scope_name: str, options: Any) -> None:
        self.callopts = options
        self.graph: Any = None

    def __enter__(self) -> "FunctionScope":
        mode = dispatch.current_mode()
        plain = isinstance(mode, Graph) and not mode.is_function
        if plain and getattr(_local, "graph", None) is not mode:
            self.graph, self.before = mode, getattr(_local, "graph", None)
            self.first = len(mode.nodes)
            _local.graph = mode
        return self

    def __exit__(self, *exc: Any) -> None:
        if self.graph is not None:
            _local.graph = self.before

    def ret(self, value: Any, did_return: Any) -> Any:
        """What the function gives back."""
        if isinstance(value, Undefined):
            value = None
        if self.graph is None or value is None:
            return value
        effects = self._effects()
        if not effects:
            return value
        with self.graph.control_dependencies(effects):
            return nest.map_structure(_again, value)

    def _effects(self) -> list:
        graph = self.graph
        found = [
            n
            for n in graph.nodes[self.first :]
            if n.region is graph.region and any(map(_has_effect, _inside(n)))
        ]
        if not found:
            return []
        variables = graph.collections.get("variables", [])
        starts = {getattr(v, "initializer", None) for v in variables}
        return [n for n in found if n not in starts]


def _inside(node: Any) -> list:
    """A node, and those of its branches or body."""
    regions = getattr(node.extra, "regions", ())
    inner = [n for r in regions for n in node.graph.nodes[r.first : r.last]]
    return [node, *inner]


def _has_effect(node: Any) -> bool:
    return node.type.startswith(_EFFECTS) and node.opdef.stateful


def _again(leaf: Any) -> Any:
    return array.identity(leaf) if is_staged(leaf) else leaf


def with_function_scope(run: Callable, scope_name: str, options: Any) -> Any:
    """What a converted lambda gives."""
    with FunctionScope("lambda", scope_name, options) as scope:
        return scope.ret(run(scope), True)
