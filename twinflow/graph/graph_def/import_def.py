"""tf.import_graph_def: NodeDefs become nodes through the registered op of their type.

Note [Importing control flow]: the NodeDefs of a GraphDef that holds types of
CONTROL_FLOW, or functions, go through `recover(node_defs)` of graph.v1.recover first.
It returns a list of units in their place: NodeDefs that are to be taken as they are,
and objects that stand for several of them, with

    names: the names of the NodeDefs that it stands for
    inputs: what it takes from outside, written as the inputs of a NodeDef
    build(importer): makes the nodes of ours, and says by `importer.put(name, tensors)`
        what the names that others use (Switch, Merge, Exit ...) stand for now

Units are built in topological order, otherwise in the order of the list. See Importer
for what `build` may call: `add`, `tensor`, `node`, `put`, `graph`.
"""

import contextlib
import gc
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch
from twinflow.base.damage import located
from twinflow.base.tensor import Tensor
from twinflow.formats import protos
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph_def.importer import Importer
from twinflow.graph.node import GraphTensor
from twinflow.graph.scopes import name_scope
from twinflow.graph.v1.all_reduce import joined
from twinflow.graph.v1.recover import recover

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph
    from twinflow.graph.v1.recover import Whole

CONTROL_FLOW = frozenset(
    prefix + kind
    for prefix in ("", "Ref")
    for kind in ("Switch", "Merge", "Enter", "Exit", "NextIteration")
) | {"LoopCond"}


def import_graph_def(
    graph_def: Any, input_map: Any = None, return_elements: Any = None,
    name: Any = None, op_dict: Any = None, producer_op_list: Any = None,
) -> Any:  # fmt: skip
    """Add the nodes of a GraphDef to the current graph.

    Args:
        graph_def: a GraphDef.
        input_map: dict from names of tensors in it (or "^node") to the tensors that are
            used in their place.
        return_elements: names of operations and tensors in it to be returned.
        name: a prefix of the names; "import" by default, "" for none.
        op_dict: ignored. producer_op_list: an OpList of the program that wrote it:
            attributes that this version does not know and that have the default there
            are dropped.
    Returns:
        The list of operations and tensors, or None if none were asked for.
    Raises:
        TypeError, ValueError: an argument or the GraphDef is not valid.
        tf.errors.NotFoundError: it holds an op that nobody has registered.
    Example:
        with tf.Graph().as_default() as graph:
            tf.square(tf.placeholder(tf.float32, name="x"), name="y")
        x = {"x:0": tf.constant(3.)}
        y, = tf.import_graph_def(graph.as_graph_def(), x, ["y:0"], name="")
        with tf.Session() as sess: sess.run(y)  # 9.0
    """
    graph_def = _checked_def(graph_def)
    input_map = _checked_map(input_map)
    return_elements = _checked_elements(return_elements)
    graph = get_default_graph()
    values = list(input_map.values())
    with dispatch.entered(graph), name_scope(name, "import", values) as scope:
        mapped = _tensors(graph, input_map, name)
        with _all_or_nothing(graph), _without_collections():
            importer = Importer(graph, graph_def, mapped, scope, producer_op_list)
            with located(lambda: f"Node '{importer.current}'", keeps_texts=True):
                importer.run(_units(graph_def))
            wanted = [importer.element(e) for e in return_elements or ()]
    if unused := importer.unused():
        raise ValueError(
            "Attempted to map inputs that were not found in graph_def: "
            f"[{', '.join(unused)}]"
        )
    return None if return_elements is None else wanted


def _units(graph_def: Any) -> "list[Whole]":
    """The NodeDefs; control flow is put together (Note [Importing control flow])."""
    found = joined(list(graph_def.node))
    plain = CONTROL_FLOW.isdisjoint(n.op for n in found)
    if plain and not graph_def.library.function:
        return found
    return recover(found)


@contextlib.contextmanager
def _without_collections() -> Iterator[None]:
    """A block that makes many objects that stay: looking for garbage among them would
    take a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextlib.contextmanager
def _all_or_nothing(graph: "Graph") -> Iterator[None]:
    """Take back the nodes of the block if it fails."""
    count, names = len(graph.nodes), dict(graph.used_names)
    versions = graph.state.get("versions")
    try:
        yield
    except Exception:
        for node in graph.nodes[count:]:
            del graph.by_name[node.name]
        del graph.nodes[count:]
        graph.used_names, graph.state["versions"] = names, versions
        raise


def _checked_def(graph_def: Any) -> Any:
    if isinstance(graph_def, protos.GraphDef):
        return graph_def
    try:
        return protos.GraphDef.FromString(graph_def.SerializeToString())
    except (AttributeError, ValueError):
        raise TypeError("graph_def must be a GraphDef proto.") from None


def _checked_map(input_map: dict[str, Tensor] | None) -> dict[str, Tensor]:
    if input_map is None:
        return {}
    if not isinstance(input_map, dict) or not all(map(_is_text, input_map)):
        raise TypeError(
            "input_map must be a dictionary mapping strings to Tensor objects."
        )
    return {_text(k): v for k, v in input_map.items()}


def _checked_elements(elements: Iterable[str] | None) -> tuple[str, ...] | None:
    if elements is None:
        return None
    if not all(map(_is_text, elements)):
        raise TypeError("return_elements must be a list of strings.")
    return tuple(_text(e) for e in elements)


def _is_text(value: str) -> bool:
    return isinstance(value, str | bytes)


def _text(value: str) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _tensors(graph: Any, input_map: Any, name: str | None) -> dict[str, Tensor]:
    """The values of the input map as tensors: {(name, index): tensor}."""
    if not all(isinstance(v, GraphTensor) for v in input_map.values()):
        if name == "":
            raise ValueError(
                "tf.import_graph_def() requires a non-empty `name` if `input_map` "
                "contains non-Tensor values. Try calling tf.convert_to_tensor() on "
                "`input_map` values before calling tf.import_graph_def()."
            )
        with graph.name_scope("_inputs"):
            input_map = {k: graph.tensor(v) for k, v in input_map.items()}
    return input_map
