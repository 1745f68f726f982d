"""tf.gradients: the nodes between xs and ys become records, and are walked back."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twinflow.autodiff.backprop import _step, backprop
from twinflow.base import dispatch, nest
from twinflow.base.advice import advised
from twinflow.base.collecting import no_full_collection
from twinflow.base.tape_record import record
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.graph.backward import Backward, note_origin
from twinflow.graph.node import Node
from twinflow.graph.regions import captured
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import fill
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.shape import shape

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph
    from twinflow.graph.node import GraphTensor


class AggregationMethod:
    """How gradients of one tensor are added up in TensorFlow; here one way."""

    ADD_N = DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


class Watch:
    """What records are made for: the ids that lead to the sources."""

    __slots__ = ("__weakref__", "records", "watched")

    def __init__(self, watched: Any) -> None:
        self.watched = set(watched)
        self.records: list[Any] = []


def records_by_node(nodes: list[Node], watched: list, stopped: Any = ()) -> list[tuple]:
    """The records of `nodes`, those that depend on the ids in `watched`, as pairs of
    (Node, record)."""
    tape, found = Watch(watched), []
    for node in nodes:
        if stopped and any(t._id in stopped for t in node.outputs):
            continue
        done = len(tape.records)
        if node.extra is not None:
            node.extra.record(node, (tape,))
        else:
            record(node.opdef, (tape,), node.args(), node.outputs, node.attrs)
        found += [(node, r) for r in tape.records[done:]]
    return found


def walked_back(pairs: list[tuple], grads: dict, sources: list) -> dict:
    """As `backprop`, for the graph at hand: the nodes know of what they are gradients.

    Args:
        pairs: of (Node, record), in the order of execution. grads, sources: see there.
    """
    graph, wanted = dispatch.current_mode(), set(sources)
    found: dict = {}
    for node, made in reversed(pairs):
        start = len(graph.nodes)
        _step(grads, wanted, found, made)
        note_origin(graph.nodes[start:], node)
    found.update(backprop([], grads, sources))
    return found


def ancestors(tensors: Any) -> list[Node]:
    """The nodes that `tensors` are computed from, in order of creation; in a graph that
    was rewired, each after what it needs."""
    seen: dict = {}
    stack = [t.op for t in tensors]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        needs = [t.op for t in (*node.inputs, *captured(node))]
        if node.type == "Placeholder" and node.graph.is_function:
            needs.extend(t.op for t in _outside(node))
        seen[node] = needs
        stack.extend(needs)
    found = sorted(seen, key=lambda n: (n.graph.depth, n.index))
    if any(graph.state.get("rewired") for graph in {n.graph for n in found}):
        return _after_needs(found, seen)
    return found


def _after_needs(nodes: list[Node], needs: dict[Node, list]) -> list[Node]:
    """Nodes in a stable order in which each comes after what it needs."""
    done: dict = {}
    begun: set = set()
    stack = list(reversed(nodes))
    while stack:
        node = stack[-1]
        missing = [] if node in begun else [n for n in needs[node] if n not in begun]
        begun.add(node)
        if missing:
            stack.extend(missing)
        else:
            done.setdefault(stack.pop())
    return list(done)


def _outside(node: Node) -> "Iterator[GraphTensor]":
    """The tensor around a function that an input of it stands for (Note [Captures])."""
    for outer, inner in node.graph.captures.items():
        if inner is node.outputs[0] and outer.symbolic:
            yield outer


def gradients(
    ys: Any, xs: Any, grad_ys: Any = None, name: str | None = "gradients",
    colocate_gradients_with_ops: bool = False, gate_gradients: bool = False,
    aggregation_method: Any = None, stop_gradients: Any = None,
) -> list[Any]:  # fmt: skip
    """Symbolic derivatives of the sum of `ys` with respect to each of `xs`.

    Args:
        ys: a tensor or list of tensors. xs: a tensor or variable, or a list of them.
        grad_ys: the incoming gradient of each y; ones by default.
        name: the name scope of the new nodes.
        colocate_gradients_with_ops: ask for the device of each node for its gradient.
        gate_gradients: name the gradients of a node as one tuple.
        aggregation_method: one of tf.AggregationMethod; accepted.
        stop_gradients: tensors to treat as constants.
    Returns:
        A list with one tensor (or IndexedSlices) per x, None where no y depends on it.
    Raises:
        RuntimeError: eager execution is enabled.
        ValueError: there are not as many grad_ys as ys.
            Or, in the body of a loop, a y depends on an x through a first value.
        TypeError: a y is complex and has no grad_ys.
    Example:
        x = tf.constant(3.)
        slopes = tf.gradients(x ** 2, [x])
        with tf.Session() as sess: sess.run(slopes)  # [6.0]
    """
    graph = dispatch.current_mode()
    if graph.eager:
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. "
            "Use tf.GradientTape instead."
        )
    ys, xs = listed(ys), listed(xs)
    grad_ys = [None] * len(ys) if grad_ys is None else listed(grad_ys)
    if len(grad_ys) != len(ys):
        raise advised(ValueError, f"Passed {len(grad_ys)} grad_ys for {len(ys)} ys")
    if aggregation_method not in (None, *range(3)):
        raise ValueError(f"Invalid aggregation_method specified {aggregation_method}.")
    ids = [_id(x) for x in xs]
    stopped = {_id(s) for s in listed(stop_gradients)}
    with (
        graph.name_scope(name), graph.exports(), dispatch.tapes_paused(),
        no_full_collection(),
    ):  # fmt: skip
        ys = [graph.tensor(y) for y in ys]
        _check_first_values(graph, ys, xs, stopped)
        records = records_by_node(ancestors(ys), ids, stopped)
        dys = [_incoming(graph, *p, i) for i, p in enumerate(zip(ys, grad_ys))]
        gate, colocate = gate_gradients, colocate_gradients_with_ops
        found = Backward(graph, records, ids, gate, colocate).run(ys, dys)
    return [found.get(i) for i in ids]


def _check_first_values(graph: Any, ys: list, xs: list, stopped: set) -> None:
    """ValueError for slopes in a loop that would have to leave it the way it began."""
    region = graph.region
    while region is not None:
        for param, first in zip(region.params, region.firsts):
            for x in xs if _depends(ys, _id(param), stopped) else ():
                if _depends([first], _id(x), stopped):
                    raise advised(
                        ValueError,
                        "Cannot compute gradient inside while loop with respect to op "
                        f"'{x.op.name}'. We do not support taking the gradient wrt or "
                        "through the initial value of a loop variable. Gradients can "
                        "be computed through loop invariants or wrt the input "
                        "parameters to the loop body.",
                    )
        region = region.parent


def _depends(ys: list, source: int, stopped: set) -> bool:
    """Whether slopes of `ys` reach the tensor with the id `source`."""
    pairs = records_by_node(ancestors(ys), [source], stopped)
    reached = {source}.union(t._id for node, _ in pairs for t in node.outputs)
    return any(y._id in reached for y in ys)


def _incoming(graph: "Graph", y: "GraphTensor", dy: Any, place: int) -> Any:
    if isinstance(dy, IndexedSlices):
        return dy
    if dy is not None:
        return graph.tensor(dy, y.dtype)
    if y.dtype.is_complex:
        raise TypeError(
            f"Gradients of complex tensors must set grad_ys (y.dtype = {y.dtype!r})"
        )
    size = shape(y)
    return fill(size, constant(1, y.dtype.base_dtype, name=f"grad_ys_{place}"))


def listed(value: Any) -> list:
    """`value` as a list; None is an empty one."""
    if value is None:
        return []
    if isinstance(value, Tensor | ResourceHandle | Node):
        return [value]
    return list(value) if isinstance(value, list | tuple) else nest.flatten(value)


def _id(x: Any) -> int:
    if hasattr(x, "_ref"):
        return x._ref()._id
    return x.handle_id() if isinstance(x, ResourceHandle) else x._id
