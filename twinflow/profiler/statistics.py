"""Numbers that functions of a program, or of this package, give of nodes."""

from collections.abc import Callable
from typing import Any

from twinflow.graph.registry import Registry

_stats_registry = Registry("statistical functions")


class OpStats:
    """A number that says something of a node, such as how many operations it takes.

    Args:
        statistic_type: what it says. value: the number, or None.
    """

    def __init__(self, statistic_type: str, value: Any = None) -> None:
        self.statistic_type, self.value = statistic_type, value

    def __iadd__(self, other: "OpStats") -> "OpStats":
        if other.statistic_type != self.statistic_type:
            raise ValueError(
                f"Can't add an OpStat of type {self.statistic_type} to one of "
                f"{other.statistic_type}."
            )
        if self.value is None:
            self.value = other.value
        elif other.value is not None:
            self.value += other.value
        return self


class RegisterStatistics:
    """A decorator: a function of a graph and a NodeDef gives a statistic of op types.

    Args:
        op_type: of the nodes. statistic_type: what it gives, as "flops".
    """

    def __init__(self, op_type: str, statistic_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string.")
        for name, text in (("op_type", op_type), ("statistic_type", statistic_type)):
            if "," in text:
                raise TypeError(f"{name} must not contain a comma.")
        self._key = f"{op_type},{statistic_type}"

    def __call__(self, f: Callable) -> Callable:
        _stats_registry.register(f, self._key)
        return f


def get_stats_for_node_def(graph: Any, node: Any, statistic_type: str) -> OpStats:
    """The OpStats of a NodeDef; without a value where no function gives one."""
    try:
        function = _stats_registry.lookup(f"{node.op},{statistic_type}")
    except LookupError:
        return OpStats(statistic_type)
    return function(graph, node)
