"""What control-flow nodes share: their regions, and values that leave them.

Note [Exports]: the gradient of a control-flow node reads values from inside its
regions. When a tensor of a region that is not around the current place is used while
`graph.exporting`, its owner gets one more output (`extra.export`), and that is used
instead. Outside gradients a tensor of a loop is the user's error; one of a branch is
dead when the other branch runs (Note [Dead tensors] in ops.arrays.switch).
"""

import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch, dtypes, frames
from twinflow.base.advice import advised
from twinflow.base.tensor import Tensor, TensorLike
from twinflow.ops.arrays.switch import Switch
from twinflow.ops.core import array
from twinflow.ops.tensor_array.ops import made_again, nothing
from twinflow.ops.variables.state import ReadVariableOp

if TYPE_CHECKING:
    from twinflow.graph.func_graph import FuncGraph
    from twinflow.graph.graph import Graph
    from twinflow.graph.node import GraphTensor, Node, Region


def carries_slope(dtype: dtypes.DType) -> bool:
    """Whether gradients go through a region by values of a dtype: numbers, and lists
    of tensors."""
    return dtype.is_inexact or dtype is dtypes.variant


class Recorded:
    """A node that tapes record as a whole, and that may get more outputs later.

    An output that is added for a first gradient is on the tapes that recorded the node,
    so that a second gradient passes through it.
    """

    def __init__(self) -> None:
        self._taped: list = []

    def put(
        self, node: "Node", tapes: tuple, inputs: Sequence, make_vjp: Callable
    ) -> None:
        """Put the node on those `tapes` that watch some of its `inputs`.

        Args:
            make_vjp: from the list of watched inputs to the Vjp of the record.
        """
        for tape in tapes:
            wanted = list(dict.fromkeys(t for t in inputs if t._id in tape.watched))
            self._put(node, tape, wanted, lambda: make_vjp(wanted))  # noqa: B023

    def put_each(
        self, node: "Node", tapes: tuple, inputs: Sequence, make_vjp: Callable
    ) -> None:
        """The same, with each use of a tensor among the inputs on its own.

        Args:
            make_vjp: from the places of the watched inputs to the Vjp of the record.
        """
        for tape in tapes:
            places = [i for i, t in enumerate(inputs) if t._id in tape.watched]
            wanted = [inputs[i] for i in places]
            self._put(node, tape, wanted, lambda: make_vjp(places))  # noqa: B023

    def _put(self, node: "Node", tape: Any, wanted: list, make: Callable) -> None:
        slopes = {t._id for t in node.outputs if carries_slope(t.dtype)}
        if not wanted or not slopes:
            return
        tape.watched |= slopes
        outs = [t._id for t in node.outputs]
        ids = tuple(t._id for t in wanted)
        tape.records.append((make(), ids, outs, None, None))
        self._taped.append((weakref.ref(tape), outs))

    def add_output(
        self, node: "Node", dtype: dtypes.DType, shape: tuple | None
    ) -> "GraphTensor":
        """One more output of `node`."""
        t = node.graph.append_output(node, dtype, shape)
        for ref, outs in self._taped:
            outs.append(t._id)
            tape = ref()
            if tape is not None and carries_slope(dtype):
                tape.watched.add(t._id)
        return t


def captured(node: "Node") -> list[Tensor]:
    """The tensors from outside that the regions of `node` use, in order of use."""
    extra = node.extra
    if extra is None or not hasattr(extra, "regions"):
        return []
    used: dict = {}
    for region in extra.regions:
        for n in nodes_of(node.graph, region):
            for t in (*n.inputs, *captured(n)):
                if not _within(t, region):
                    used[t] = None
        for t in region.results:
            if t is not None and not _within(t, region):
                used[t] = None
    return list(used)


def _within(t: "GraphTensor", region: "Region") -> bool:
    r = t.op.region
    return r is not None and r.inside(region)


def nodes_of(graph: "FuncGraph | Graph", region: "Region") -> "list[Node]":
    """The nodes directly in `region`, in order of creation."""
    return [n for n in graph.nodes[region.first : region.last] if n.region is region]


def params_behind(region: "Region", tensors: list[Tensor]) -> set[int]:
    """The places of the params of `region` from which its `tensors` are computed."""
    places = {p: i for i, p in enumerate(region.params)}
    found = {places[t] for t in tensors if t in places}
    stack, seen = [t.op for t in tensors if t not in places], set()
    while stack:
        node = stack.pop()
        if node in seen or node.region is not region:
            continue
        seen.add(node)
        for t in (*node.inputs, *captured(node)):
            if t in places:
                found.add(places[t])
            else:
                stack.append(t.op)
        stack += _waited_for(node)
    return found


def _waited_for(node: "Node") -> Iterator[Any]:
    """The nodes that run before `node`, or before something in its regions."""
    yield from node.after
    for region in getattr(node.extra, "regions", ()):
        for n in node.graph.nodes[region.first : region.last]:
            yield from n.after


def traced(graph: Any, region: "Region", function: Callable, *args: Any) -> Any:
    """Call `function` with the nodes it makes put into `region`."""
    region.first = len(graph.nodes)
    try:
        with dispatch.entered(graph), graph.in_region(region):
            return function(*args)
    finally:
        region.last = len(graph.nodes)


def visible(t: "GraphTensor", region: "Region") -> bool:
    """Whether a tensor can be used by nodes of `region` (None = outside all)."""
    home = t.op.region
    return home is None or (region is not None and region.inside(home))


def lifted(t: "GraphTensor", graph: Any) -> "GraphTensor":
    """A tensor with the value of `t` that can be used at the current place of `graph`.

    Raises:
        ValueError: `t` is inside a loop that is left, or a branch whose conditional is
            not there yet, and no gradient is being made.
    """
    region = t.op.region
    if t.op.graph is graph and visible(t, graph.region):
        return t
    if region is None:
        return graph.capture(t)
    if not graph.exporting:
        if region.owner is not None and _of_branch(t.op, graph):
            return _alive(t, graph)
        error = advised(ValueError, _misplaced(t, graph))
        for pair in t.op.frames[:1]:
            text = frames.source_line(pair)
            error.add_note(f"it is computed at {frames.format_frame(pair)}: {text}")
        raise error
    made = remade(t, graph)
    if made is not None:
        return made
    owner = region.owner
    outer = lifted(owner.extra.export(owner, region, t), graph)
    index = _mirror_index(graph.region, region)
    return outer if index is None else owner.extra.read(outer, lifted(index, graph))


def _of_branch(node: Any, graph: Any) -> bool:
    """Whether `node` is in no loop that is not around the current place."""
    loop = node.region.GetWhileContext()
    here = graph.region and graph.region.GetWhileContext()
    return loop is None or (here is not None and here.inside(loop))


def _alive(t: Any, graph: Any) -> Any:
    """What `t`, of a branch, is outside it: dead when the other branch runs, and then
    loops that use it do not begin."""
    owner = t.op.region.owner
    place = region = graph.region
    while region is not None and region is not owner.region:
        place = region.parent if region.IsWhileContext() else place
        region = region.parent
    with graph.in_region(place):
        value = lifted(owner.extra.export(owner, t.op.region, t), graph)
        pred = lifted(owner.inputs[0], graph)
        side = owner.extra.regions[0] is t.op.region
        return dispatch.apply(Switch, (value, pred))[side]


def waited_for(node: Any, graph: Any) -> "Iterator[Node]":
    """Where control edges to the current place of `graph` start: for a region that is
    not around it at its owner, but for what a branch computes at a node that runs if
    that does."""
    region, here = node.region, graph.region
    around = region is None or (here is not None and here.inside(region))
    if around or region.owner is None:
        yield node
    elif graph.exporting or not _of_branch(node, graph):
        yield from waited_for(region.owner, graph)
    elif node.type == "NoOp" and node.after:
        for n in node.after:
            yield from waited_for(n, graph)
    else:
        out: Any = next(iter(node.outputs), None)
        if out is None or out.dtype is dtypes.resource:
            with graph.in_region(region), graph.control_dependencies([node]):
                out = array.identity(array.constant(True))
        yield array.identity(lifted(out, graph)).op


def _misplaced(t: Any, graph: Any) -> str:
    """Why a tensor cannot be used at the current place."""
    if _of_branch(t.op, graph):
        return (
            f"{t} is computed inside {t.op.region.label!r} and has no value outside. "
            "Return it from there instead."
        )
    user, used = graph.scope.removesuffix("/"), t.op.name
    if graph.region is None or graph.region.GetWhileContext() is None:
        why = f"'{used}' as input to '{user}' because '{used}' is in a while loop"
    else:  # where TensorFlow says it the other way round
        why = f"'{user}' as input to '{used}' because they are in different while loops"
    return f"Cannot use {why}. See info log for more details."


_MAKE_HANDLES = ("TensorArrayV3", "TensorArrayGradV3")


def remade(t: "GraphTensor", graph: Any) -> Any:
    """`t` made anew in `graph` where that beats keeping its value, else None.

    Constants stay known, and so do the known ones among the entries of an index; what
    a tensor array is does not depend on what is in it.
    """
    node, parts = t.op, t.op.inputs
    if t.dtype is dtypes.array_handle and node.type in _MAKE_HANDLES:
        inputs = [graph.tensor(p) for p in parts if p.dtype is not dtypes.flow]
        return made_again(node, inputs)
    if node.type == "Const":
        return graph.make_constant(node.attrs["value"], t.dtype, "Const")
    if node.type == "Pack" and t.dtype.is_integer and len(t._shape or ()) == 1:
        entries = [graph.tensor(p) for p in parts]
        return dispatch.apply(node.opdef, (entries,), node.attrs)
    return None


def _mirror_index(place: Any, region: "Region") -> "GraphTensor | None":
    """The loop counter of the gradient loop around `place` that mirrors `region`."""
    while place is not None:
        if place.mirror is not None and place.mirror[0] is region:
            return place.mirror[1]
        place = place.parent
    return None


def watch_variables(regions: "tuple[Region, ...]", tapes: tuple) -> None:
    """Tell `tapes` about the variables that are read inside."""
    for region in regions:
        for variable in region.variables:
            for tape in tapes:
                if hasattr(tape, "accessed"):
                    tape.accessed(variable, variable.handle_id())


def no_gradient(t: "GraphTensor") -> Tensor:
    """Zeros like `t`, which need not be kept for that."""
    graph, shape = dispatch.current_mode(), t._shape
    if t.dtype is dtypes.flow:
        return nothing()
    if t.dtype is dtypes.variant:  # zeros like each element of a list
        return array.zeros_like(graph.tensor(t))
    if shape is not None and None not in shape:
        return array.zeros(shape, t.dtype.base_dtype)
    if t.op.graph is graph and visible(t, graph.region):
        return array.zeros_like(t)
    return array.zeros(t._shape_value(), t.dtype.base_dtype)


_READING = ("ReadVariableOp", "ResourceGather")


def zero_gradient(t: Any, node: "Node") -> Tensor:
    """Zeros for a captured tensor of `node`, or for a captured variable's value."""
    if t.dtype is not dtypes.resource:
        return no_gradient(t)
    for region in node.extra.regions:
        for n in node.graph.nodes[region.first : region.last]:
            if n.type in _READING and n.inputs[0] is t:
                attrs = {k: n.attrs[k] for k in ("dtype", "shape")}
                shape = attrs["shape"]
                if shape is None or None in shape:
                    value = dispatch.apply(ReadVariableOp, (t,), attrs)
                    return array.zeros_like(value)
                return array.zeros(shape, attrs["dtype"])
    raise ValueError(f"{t} is not read inside {node.name!r}.")


def dense(dx: Any) -> "GraphTensor | None":
    """A gradient as a tensor; None stays."""
    return dx._as_tensor() if isinstance(dx, TensorLike) else dx
