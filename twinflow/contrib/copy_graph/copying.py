"""Variables copied with their values, and operations with all that they need."""

from typing import Any

from twinflow.base.tensor import ResourceHandle
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.copying import Copies, copied_node, copied_regions
from twinflow.graph.node import GraphTensor, Node
from twinflow.graph.regions import captured
from twinflow.ops.variables.kinds import Variable


def _renamed(scope: str, name: str) -> str:
    return f"{scope}/{name}" if scope else name


def copy_variable_to_graph(org_instance: Any, to_graph: Graph, scope: str = "") -> Any:
    """A variable of another graph that begins with the initial value of one.

    Args:
        org_instance: a variable. to_graph: the graph. scope: what its name starts with.
    Raises:
        TypeError: it is no variable.
    Example:
        v = tf.Variable(2., name="v")
        other = tf.Graph()
        copy = tf.contrib.copy_graph.copy_variable_to_graph(v, other, "new")
        copy.name  # "new/v:0"
    """
    if not isinstance(org_instance, ResourceHandle):
        raise TypeError(f"{org_instance} is not a Variable")
    collections = [
        _renamed(scope, name) if scope and not _is_known(name) else name
        for name, elements in org_instance.graph.collections.items()
        if any(e is org_instance for e in elements)
    ]
    with org_instance.graph.as_default(), Session() as session:
        value = session.run(org_instance.initialized_value())
    trainable = any(e is org_instance for e in _trainable(org_instance.graph))
    with to_graph.as_default():
        return Variable(
            value, trainable=trainable, validate_shape=False,
            name=_renamed(scope, org_instance.op.name), collections=collections,
        )  # fmt: skip


def _trainable(graph: Graph) -> list:
    return graph.get_collection("trainable_variables")


def _is_known(name: str) -> bool:
    return name in ("variables", "trainable_variables", "local_variables")


def copy_op_to_graph(
    org_instance: Any, to_graph: Graph, variables: Any, scope: str = ""
) -> Any:
    """An operation or tensor, with all that it needs, in another graph.

    Args:
        org_instance: the operation or tensor. to_graph: the graph.
        variables: the copies of the variables it needs, see `copy_variable_to_graph`.
        scope: what the names of copies start with.
    Returns:
        The copy, or what has its name there already.
    Raises:
        TypeError: it is neither.
    Example:
        y = tf.square(tf.constant(3.), name="y")
        tf.contrib.copy_graph.copy_op_to_graph(y, tf.Graph(), []).name  # "y:0"
    """
    if isinstance(org_instance, ResourceHandle):
        org_instance = org_instance._as_graph_element()
    if not isinstance(org_instance, Node | GraphTensor):
        raise TypeError(f"Could not copy instance: {org_instance}")
    known = {v.op.name: v for v in variables}
    copy = _Copying(to_graph, known, scope)
    if isinstance(org_instance, Node):
        return copy.node(org_instance)
    return copy.tensor(org_instance)


class _Copying:
    """One copy: the graph it goes to, the variables there, and the scope."""

    def __init__(self, graph: Graph, variables: dict, scope: str) -> None:
        self.graph, self.variables, self.scope = graph, variables, scope
        self.copies = Copies({}, {})

    def tensor(self, t: GraphTensor) -> GraphTensor:
        found = self.copies.tensors.get(t)
        return self.node(t.op).outputs[t.value_index] if found is None else found

    def node(self, node: Node) -> Node:
        """The copy of a node outside all regions; what it needs goes first."""
        found = self._there(node)
        todo = [] if found else [node]
        while todo:  # no recursion: graphs are deeper than Python's stack
            last = todo[-1]
            needed = [t.op for t in (*last.inputs, *captured(last))] + [*last.after]
            missing = [n for n in dict.fromkeys(needed) if not self._there(n)]
            todo += missing
            if not missing:
                self._copy(todo.pop())
        return self._there(node)

    def _there(self, node: Node) -> Any:
        found = self.variables.get(_renamed(self.scope, node.name))
        if found is not None:
            return found.op
        return self.graph.by_name.get(_renamed(self.scope, node.name))

    def _copy(self, node: Node) -> None:
        if self._there(node) is not None:
            return
        for t in captured(node):
            if t.op.region is None:
                self.copies.tensors[t] = self.tensor(t)
        copied_regions(node, self.graph, self.copies, self._copy)
        inputs = [self.tensor(t) for t in node.inputs]
        name = _renamed(self.scope, node.name)
        self.graph.used_names.setdefault(name.lower(), 1)
        made = copied_node(node, self.graph, name, inputs, self.copies)
        made._add_control_inputs([self._there(n) for n in node.after])
        pairs = zip(node.outputs, made.outputs, strict=True)
        self.copies.tensors.update(pairs)


def get_copied_op(org_instance: Any, graph: Graph, scope: str = "") -> Any:
    """What has the name of a copy in a graph.

    Args:
        org_instance: an operation, tensor or variable of another graph.
        graph: where the copy is. scope: what its name starts with.
    Raises:
        KeyError: there is none.
    """
    return graph.as_graph_element(_renamed(scope, org_instance.name))
