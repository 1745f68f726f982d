"""Names with an underscore that TensorFlow's own code and tests ask of a graph."""

from typing import Any

from twinflow.base.advice import advised
from twinflow.graph.node import Node


class OlderNames:
    """Views of a graph; see Graph for what is behind them."""

    by_name: dict[str, Node]
    nodes: list[Node]
    used_names: dict[Any, Any]
    collections: dict[Any, Any]
    control: tuple[Any, ...]
    finalized: bool
    is_function: bool
    region: Any
    scope: str
    seed: Any
    state: dict[Any, Any]
    not_feedable: set[Any]
    not_fetchable: set[Any]

    @property
    def building_function(self) -> Any:
        """Whether this is the graph of a function that is being traced."""
        return self.is_function

    _building_function = building_function

    @property
    def _nodes_by_name(self) -> Any:
        return self.by_name

    @property
    def _nodes_by_id(self) -> dict:
        return {node._id: node for node in self.nodes}

    @property
    def _names_in_use(self) -> Any:
        return self.used_names

    @property
    def _collections(self) -> Any:
        return self.collections

    @property
    def _finalized(self) -> Any:
        return self.finalized

    @property
    def _seed(self) -> Any:
        return self.seed

    @property
    def _version(self) -> int:
        return len(self.nodes)

    @property
    def _graph_key(self) -> str:
        return f"grap-key-{id(self)}/"

    @property
    def _name_stack(self) -> Any:
        return self.scope.removesuffix("/")

    @_name_stack.setter
    def _name_stack(self, name: str) -> None:
        self.scope = f"{name}/" if name else ""

    @property
    def _unfeedable_tensors(self) -> Any:
        return self.not_feedable

    @property
    def _unfetchable_ops(self) -> Any:
        return self.not_fetchable

    @property
    def _device_functions_outer_to_inner(self) -> list:
        return list(reversed(getattr(self, "device_scopes", ())))

    @property
    def _gradient_override_map(self) -> Any:
        return getattr(self, "overrides", {})

    def _next_id(self) -> Any:
        return len(self.nodes) + 1

    def _check_not_finalized(self) -> None:
        """Refuse a graph that may not grow.

        Raises:
            RuntimeError: it is finalized.
        """
        if self.finalized:
            raise advised(RuntimeError, "Graph is finalized and cannot be modified.")

    def _unsafe_unfinalize(self) -> None:
        self.finalized = False

    def _current_control_dependencies(self) -> set:
        return {n for scope in self.control for n in getattr(scope, "nodes", ())}

    def _get_control_flow_context(self) -> Any:
        return self.state.get("control flow context") or self.region

    def _set_control_flow_context(self, ctx: Any) -> None:
        self.state["control flow context"] = ctx

    _control_flow_context = property(
        _get_control_flow_context, _set_control_flow_context
    )

    def _is_function(self, name: str) -> bool:
        return name in self._functions

    def _get_function(self, name: str) -> Any:
        return self._functions.get(name)

    @property
    def _functions(self) -> Any:
        return self.state.setdefault("functions", {})

    def _get_operation_by_name_unsafe(self, name: str) -> Any:
        return self.by_name[name]
