"""tensorflow.python.framework.ops: statistics of nodes, by functions of the program."""

from twinflow.compat.door.graphs import Registry
from twinflow.formats import protos

_stats_registry = Registry("statistical functions")


class OpStats:
    """A number that says something of a node, such as how many operations it takes.

    Args:
        statistic_type: what it says. value: the number, or None.
    """

    def __init__(self, statistic_type, value=None):
        self.statistic_type, self.value = statistic_type, value

    def __iadd__(self, other):
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

    def __init__(self, op_type, statistic_type):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string.")
        for name, text in (("op_type", op_type), ("statistic_type", statistic_type)):
            if "," in text:
                raise TypeError(f"{name} must not contain a comma.")
        self._key = f"{op_type},{statistic_type}"

    def __call__(self, f):
        _stats_registry.register(f, self._key)
        return f


def get_stats_for_node_def(graph, node, statistic_type):
    """The OpStats of a NodeDef; without a value where no function gives one."""
    try:
        function = _stats_registry.lookup(f"{node.op},{statistic_type}")
    except LookupError:
        return OpStats(statistic_type)
    return function(graph, node)


def _NodeDef(op_type, name, device=None, attrs=None):
    node = protos.NodeDef(op=op_type, name=name, device=device or "")
    for key, value in (attrs or {}).items():
        node.attr[key].CopyFrom(value)
    return node
