"""Lists of operations and tensors, control outputs, and placeholders of the editor."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.graph.graph import Graph
from twinflow.graph.node import GraphTensor, Node
from twinflow.graph.regions import captured
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.variables.collections import GraphKeys

PREFIX = "geph"


class ListView:
    """A list that cannot be changed.

    Args:
        list_: the list.
    Raises:
        TypeError: it is none.
    """

    def __init__(self, list_: list[Any]) -> None:
        if not isinstance(list_, list):
            raise TypeError(f"Expected a list, got: {type(list_)}.")
        self._list = list_

    def __iter__(self) -> Iterator:
        return iter(self._list)

    def __len__(self) -> int:
        return len(self._list)

    def __getitem__(self, i: Any) -> Any:
        return self._list[i]

    def __add__(self, other: Iterable) -> list:
        return [*self._list, *other]


# ------------------------------------------------------------------------ structures
def concatenate_unique(la: list[Any], lb: Iterable[Any]) -> list[Any]:
    """Add to `la` what `lb` has and it has not, and return it."""
    known = set(la)
    for element in lb:
        if element not in known:
            known.add(element)
            la.append(element)
    return la


def is_iterable(obj: Any) -> bool:
    """Whether something can be gone through; tensors and names are no lists."""
    if isinstance(obj, Tensor | str):
        return False
    try:
        iter(obj)
    except Exception:  # whatever it raises, it is none
        return False
    return True


def flatten_tree(tree: Any, leaves: list[Any] | None = None) -> list[Any]:
    """The leaves of a structure of whatever can be gone through, dicts by value."""
    found = [] if leaves is None else leaves
    if isinstance(tree, dict):
        tree = list(tree.values())
    if not is_iterable(tree):
        found.append(tree)
        return found
    for child in tree:
        flatten_tree(child, found)
    return found


def transform_tree(
    tree: Any, fn: Callable[..., Any], iterable_type: Any = tuple
) -> Any:
    """A structure of the same kind, with `fn(leaf)` for each leaf.

    Args:
        iterable_type: what becomes of things that are no dict, tuple or list.
    """
    if not is_iterable(tree):
        return fn(tree)
    kind = type(tree)
    if isinstance(tree, dict):
        return kind((k, transform_tree(v, fn)) for k, v in tree.items())
    found = [transform_tree(child, fn) for child in tree]
    if hasattr(tree, "_fields"):
        return kind(*found)
    return (kind if isinstance(tree, Sequence) else iterable_type)(found)


# ------------------------------------------------------------------------ elements
def check_graphs(*args: Any) -> None:
    """Hold that views are of one graph.

    Raises:
        ValueError: they are not.
    """
    graph = None
    for i, view in enumerate(args):
        if graph is not None and view.graph is not None and view.graph is not graph:
            raise ValueError(f"Argument[{i}]: Wrong graph!")
        graph = view.graph if graph is None else graph


def get_unique_graph(
    tops: Any, check_types: Any = None, none_if_empty: bool = False
) -> Graph | None:
    """The one graph of operations and tensors.

    Args:
        check_types: the types that are allowed; operations and tensors by default.
        none_if_empty: return None for an empty list.
    Raises:
        TypeError: one is of another type. ValueError: no graph, or several.
    """
    if isinstance(tops, Graph):
        return tops
    if not is_iterable(tops):
        raise TypeError(f"{type(tops)} is not iterable")
    types = (Node, GraphTensor) if check_types is None else check_types
    types = tuple(types) if is_iterable(types) else (types,)
    graph = None
    for op in tops:
        if not isinstance(op, types):
            listed = ", ".join(map(str, types))
            raise TypeError(f"Expected a type in ({listed}), got: {type(op)}")
        if graph is not None and op.graph is not graph:
            raise ValueError(f"Operation {op} does not belong to given graph")
        graph = op.graph
    if graph is None and not none_if_empty:
        raise ValueError("Can't find the unique graph of an empty list")
    return graph


def make_list_of_op(
    ops: Any, check_graph: bool = True, allow_graph: bool = True,
    ignore_ts: bool = False,
) -> list[Node]:  # fmt: skip
    """Operations as a list.

    Args:
        ops: an operation, some of them, or a graph.
        check_graph: hold that all are operations of one graph.
        allow_graph: whether it may be a graph. ignore_ts: leave out tensors.
    Raises:
        TypeError: it cannot be one. ValueError: they are of several graphs.
    Example:
        x = tf.placeholder(tf.float32)
        len(tf.contrib.graph_editor.make_list_of_op(x.op))  # 1
    """
    return _listed(ops, Node, check_graph, allow_graph, ignore_ts)


def make_list_of_t(
    ts: Any, check_graph: bool = True, allow_graph: bool = True,
    ignore_ops: bool = False,
) -> list[GraphTensor]:  # fmt: skip
    """Tensors as a list.

    Args:
        ts: a tensor, some of them, or a graph.
        check_graph: hold that all are tensors of one graph.
        allow_graph: whether it may be a graph. ignore_ops: leave out operations.
    Raises:
        TypeError: it cannot be one. ValueError: they are of several graphs.
    """
    return _listed(ts, GraphTensor, check_graph, allow_graph, ignore_ops)


def _listed(
    tops: Any, kind: type, check_graph: bool, allow_graph: bool, ignore: bool
) -> list:
    if isinstance(tops, Graph):
        if not allow_graph:
            raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
        return tops.get_operations() if kind is Node else get_tensors(tops)
    tops = list(tops) if is_iterable(tops) else [tops]
    if tops and check_graph:
        get_unique_graph(tops, None if ignore else kind)
    return [x for x in tops if isinstance(x, kind)]


def get_tensors(graph: Graph) -> list[GraphTensor]:
    """All outputs of the operations of a graph.

    Raises:
        TypeError: it is no graph.
    """
    if not isinstance(graph, Graph):
        raise TypeError(f"Expected a graph, got: {type(graph)}")
    return [t for op in graph.nodes for t in op.outputs]


def get_generating_ops(ts: Any) -> list[Node]:
    """The operations that compute tensors, one for each tensor."""
    return [t.op for t in make_list_of_t(ts, allow_graph=False)]


def get_consuming_ops(ts: Any) -> list[Node]:
    """The operations that use tensors, each once."""
    found: list = []
    for t in make_list_of_t(ts, allow_graph=False):
        concatenate_unique(found, t.consumers())
    return found


def inputs_of(op: Node) -> list[Any]:
    """The tensors that an operation uses, in its branches and loops too."""
    return concatenate_unique(list(op.inputs), captured(op))


def results_inside(op: Node) -> list[Any]:
    """The tensors that the branches and loops of an operation give it."""
    regions = getattr(op.extra, "regions", ())
    return [t for region in regions for t in region.results if t is not None]


class Users:
    """Who uses which tensor of a graph; the owner of a region uses what goes into it.

    Args:
        graph: a Graph, or None for none.
    """

    def __init__(self, graph: Any) -> None:
        self._users: dict[Any, Any] = {}
        for op in graph.nodes if graph is not None else ():
            for t in (*inputs_of(op), *results_inside(op)):
                users = self._users.setdefault(t, [])
                if op not in users:
                    users.append(op)

    def of(self, t: GraphTensor) -> list[Node]:
        """The operations that use a tensor."""
        return self._users.get(t, [])


class ControlOutputs:
    """Which operations wait for which, the other way round than `control_inputs`.

    Args:
        graph: a Graph.
    Raises:
        TypeError: it is none.
    Example:
        first = tf.placeholder(tf.float32).op
        with tf.control_dependencies([first]):
            second = tf.no_op()
        outputs = tf.contrib.graph_editor.ControlOutputs(tf.get_default_graph())
        outputs.get(first) == [second]  # True
    """

    def __init__(self, graph: Graph) -> None:
        if not isinstance(graph, Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
        self._graph = graph
        self._build()

    def _build(self) -> None:
        self._outputs: dict[Any, Any] = {}
        for op in self._graph.nodes:
            for earlier in op.control_inputs:
                self._outputs.setdefault(earlier, []).append(op)
        self._version = self._graph.version

    def update(self) -> "ControlOutputs":
        """Look at the graph again if it has grown."""
        if self._version != self._graph.version:
            self._build()
        return self

    def get_all(self) -> dict[Any, Any]:
        """{operation: the operations that wait for it}."""
        return self._outputs

    def get(self, op: Node) -> Any:
        """The operations that wait for one."""
        return self._outputs.get(op, ())

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self._graph


# ------------------------------------------------------------------------ names
def scope_finalize(scope: str) -> str:
    """A scope with a "/" at its end."""
    return scope if not scope or scope.endswith("/") else scope + "/"


def scope_dirname(scope: str) -> str:
    """What stands before the last part of a name, with its "/"."""
    return scope[: scope.rfind("/") + 1]


def scope_basename(scope: str) -> str:
    """The last part of a name."""
    return scope[scope.rfind("/") + 1 :]


def placeholder_name(
    t: Any = None, scope: str | None = None, prefix: str = PREFIX
) -> str:
    """The name that a placeholder of the editor gets.

    Args:
        t: the tensor that it stands for. scope: where it lies; beside `t` by default.
        prefix: what the name starts with.
    Raises:
        TypeError: `t` is no tensor.
    Example:
        x = tf.placeholder(tf.float32, name="a/x")
        tf.contrib.graph_editor.placeholder_name(x)  # "a/geph__x_0"
    """
    if t is None:
        return scope_finalize(scope or "") + prefix
    if not isinstance(t, GraphTensor):
        raise TypeError(f"Expected a tf.Tenfor, got: {type(t)}")
    where = scope_dirname(t.op.name) if scope is None else scope_finalize(scope)
    last = scope_basename(t.op.name)
    if last.startswith(f"{prefix}__"):
        return where + last
    return f"{where}{prefix}__{last}_{t.value_index}"


def make_placeholder_from_tensor(
    t: GraphTensor, scope: str | None = None, prefix: str = PREFIX
) -> GraphTensor:
    """A placeholder of the dtype and shape of a tensor; see `placeholder_name`."""
    return placeholder(t.dtype, t.shape, placeholder_name(t, scope, prefix))


def make_placeholder_from_dtype_and_shape(
    dtype: dtypes.DType, shape: Any = None, scope: str | None = None,
    prefix: str = PREFIX,
) -> GraphTensor:  # fmt: skip
    """A placeholder; see `placeholder_name` for its name."""
    return placeholder(dtype, shape, placeholder_name(scope=scope, prefix=prefix))


def get_predefined_collection_names() -> list[str]:
    """The names of the collections of tf.GraphKeys."""
    names = (n for n in dir(GraphKeys) if not n.startswith("__"))
    return [getattr(GraphKeys, n) for n in names]


# ------------------------------------------------------------------------ other graphs
def find_corresponding_elem(
    target: Any, dst_graph: Graph, dst_scope: str = "", src_scope: str = ""
) -> Any:
    """The operation or tensor of another graph that has the name of one.

    Args:
        dst_scope: what is put before the name. src_scope: what is taken off before.
    Raises:
        ValueError: the name does not start with `src_scope`.
        TypeError: it is neither. KeyError: there is none.
    """
    if not isinstance(target, Node | GraphTensor):
        raise TypeError(f"Expected tf.Tensor or tf.Operation, got: {type(target)}")
    start = scope_finalize(src_scope)
    if not target.name.startswith(start):
        raise ValueError(f"{target.name} does not start with {start}")
    name = scope_finalize(dst_scope) + target.name[len(start) :]
    if isinstance(target, Node):
        return dst_graph.get_operation_by_name(name)
    return dst_graph.get_tensor_by_name(name)


def find_corresponding(
    targets: Any, dst_graph: Graph, dst_scope: str = "", src_scope: str = ""
) -> Any:
    """The same of a structure of operations and tensors."""
    return transform_tree(
        targets, lambda t: find_corresponding_elem(t, dst_graph, dst_scope, src_scope)
    )
