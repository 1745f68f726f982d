"""Programs from plain data: graphs as they were, checked part by part."""

from typing import Any, NamedTuple

from twinflow.base import bind
from twinflow.base.damage import located
from twinflow.base.dtypes import DType
from twinflow.base.op import Op
from twinflow.base.op_lookup import known_op
from twinflow.base.tensor import Tensor
from twinflow.capsules.lines import Texts
from twinflow.capsules.outside import as_given, needs_given
from twinflow.capsules.values import Unpacker
from twinflow.execute.call import CallExtra
from twinflow.graph.cond import CondExtra
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.graph import Graph
from twinflow.graph.node import GraphTensor, Node, Region
from twinflow.graph.while_node import WhileExtra

_CALL = "PartitionedCall"
_OWNERS = {"If": CondExtra, "While": WhileExtra}


class Arguments(NamedTuple):
    """What graph.program.build takes."""

    graph: Graph
    fetches: list
    targets: list
    feeds: list
    effects: bool


class _Origin:
    """In place of the node that another is the gradient of: its lines."""

    _original_op = None
    traceback = None

    def __init__(self, frames: tuple) -> None:
        self.frames = frames


class ProgramReader:
    """Makes graphs.

    Args:
        told: what a ProgramWriter told of them. unpacker: makes values. texts: makes
            frames.
    Attributes:
        graphs: the Graphs. given: the nodes that reach outside.
    Raises:
        ValueError: they are no graphs that twinflow writes.
    """

    def __init__(self, told: list, unpacker: Unpacker, texts: Texts) -> None:
        self.unpacker, self.texts = unpacker, texts
        self.given: set = set()
        self.graphs: list = [_new_graph(g) for g in told]
        for graph, entry in zip(self.graphs, told, strict=True):
            self._make(graph, entry)
        for graph, entry in zip(self.graphs, told, strict=True):
            for node, part in zip(graph.nodes, entry["nodes"], strict=True):
                with located(f"the node {node.name!r}"):
                    self._link(node, part)
            self._own(graph, entry)
        for graph, entry in zip(self.graphs, told, strict=True):
            for node, part in zip(graph.nodes, entry["nodes"], strict=True):
                with located(f"the node {node.name!r}"):
                    self._finish(node, part)
        self._refuse_recursion()

    # ------------------------------------------------------------------ making
    def _make(self, graph: Graph, entry: dict) -> None:
        for r in entry["regions"]:
            region = Region(None, str(r["label"]))
            graph.state["regions"].append(region)
        for part in entry["nodes"]:
            with located(f"the node {str(part.get('name'))[:80]!r}"):
                self._node(graph, part)

    def _node(self, graph: Graph, part: dict) -> None:
        node = Node()
        node.name, node.graph = _text(part["name"]), graph
        node.opdef = _op(part)
        value = self.unpacker.value
        node.attrs = {_text(k): value(v) for k, v in part.get("attrs", {}).items()}
        node.types = {_text(k): value(v) for k, v in part.get("types", {}).items()}
        if part.get("stub"):
            node.attrs = {"dtype": value(part["out"][0][0]), "shape": None}
        node.counts, node.inputs = part.get("counts"), ()
        node.after, node.implied = (), frozenset()
        node.device, node.marks = _text(part.get("device", "")), None
        node.frames = self.texts.pairs(part["frames"])
        node.index, node.static, node.extra = len(graph.nodes), None, None
        if "forward" in part:
            node.original = _Origin(self.texts.pairs(part["forward"]))
        place = part.get("region")
        node.region = None if place is None else _at(graph.state["regions"], place)
        node.outputs = []
        for i, (dtype, shape) in enumerate(part["out"]):
            dtype, shape = value(dtype), value(shape)
            if not isinstance(dtype, DType) or not _is_shape(shape):
                raise ValueError(f"its output {i} has no dtype and shape")
            node.outputs.append(GraphTensor(node, i, dtype, shape))
        if node.name in graph.by_name:
            raise ValueError("the name is there twice")
        graph.nodes.append(node)
        graph.by_name[node.name] = node

    def _link(self, node: Node, part: dict) -> None:
        graph = node.graph
        node.inputs = tuple([self.tensor(graph, t) for t in part.get("inputs", ())])
        node.after = tuple([_at(graph.nodes, n) for n in part.get("after", ())])
        implied = part.get("implied", ())
        node.implied = frozenset([_at(graph.nodes, n) for n in implied])
        if not part.get("stub"):
            _check_inputs(node)

    def _own(self, graph: Graph, entry: dict) -> None:
        regions = graph.state.pop("regions")
        for region, told in zip(regions, entry["regions"], strict=True):
            parent = told["parent"]
            region.parent = None if parent is None else _at(regions, parent)
            region.owner = _at(graph.nodes, told["owner"])
            region.params = [self.tensor(graph, t) for t in told["params"]]
            region.results = [
                None if t is None else self.tensor(graph, t) for t in told["results"]
            ]
            region.first, region.last = _count(told["first"]), _count(told["last"])
        self._check_nesting(regions)
        for node, part in zip(graph.nodes, entry["nodes"], strict=True):
            extra = part.get("extra") or {}
            kind = _OWNERS.get(node.type)
            if (kind is not None) != ("regions" in extra):
                raise ValueError(f"the node {node.name!r} has no such regions")
            if kind is not None:
                pair = [_at(regions, r) for r in extra["regions"]]
                if len(pair) != 2 or any(r.owner is not node for r in pair):
                    raise ValueError(f"the regions of {node.name!r} are not its own")
                node.extra = kind(*pair)

    def _check_nesting(self, regions: list) -> None:
        for region in regions:
            seen, r = set(), region
            while r is not None:
                if id(r) in seen:
                    raise ValueError("regions lie in each other")
                seen.add(id(r))
                r = r.parent
            if region.owner.region is not region.parent:
                raise ValueError("a region lies elsewhere than its node")

    def _finish(self, node: Node, part: dict) -> None:
        extra = part.get("extra") or {}
        if node.type == "While":
            node.extra.saved = [self.tensor(node.graph, t) for t in extra["saved"]]
            trips = extra["trips"]
            node.extra.trips = None if trips is None else _at(node.outputs, trips)
            node.extra.capacity = min(_count(extra["capacity"]), 1 << 20)
        elif node.opdef.engine == _CALL:
            self._call(node, extra.get("call"))
        elif not part.get("stub") and needs_given(node):
            node.opdef = as_given(node.opdef)
            self.given.add(node)

    def _call(self, node: Node, called: Any) -> None:
        if called is None:
            raise ValueError("the function that it calls is not there")
        graph = _at(self.graphs, called["graph"])
        inputs = [self.tensor(graph, t) for t in called["inputs"]]
        if not graph.is_function or len(inputs) != len(node.inputs):
            raise ValueError("it calls what is no function for its inputs")
        outputs = [self.tensor(graph, t) for t in called["outputs"]]
        if graph.inputs and graph.inputs != inputs:
            raise ValueError("a function has other inputs than before")
        graph.inputs = inputs
        node.attrs = {**node.attrs, "f": graph, "outputs": outputs}
        node.extra = CallExtra()

    def _refuse_recursion(self) -> None:
        """A function that calls itself would never end."""
        called = {
            g: {n.attrs["f"] for n in g.nodes if isinstance(n.extra, CallExtra)}
            for g in self.graphs
        }
        while called:
            ready = [g for g in called if called.keys().isdisjoint(called[g])]
            if not ready:
                raise ValueError("a function calls itself")
            for g in ready:
                del called[g]

    # ------------------------------------------------------------------ looking
    def tensor(self, graph: Graph, place: Any) -> GraphTensor:
        """The tensor at [node, output]."""
        if not isinstance(place, list) or len(place) != 2:
            raise ValueError(f"{place!r} is no place of a tensor")
        return _at(_at(graph.nodes, place[0]).outputs, place[1])

    def node(self, place: Any) -> Node:
        """The node at [graph, number]."""
        if not isinstance(place, list) or len(place) != 2:
            raise ValueError(f"{place!r} is no place of a node")
        return _at(_at(self.graphs, place[0]).nodes, place[1])

    def arguments(self, told: dict) -> Arguments:
        """The arguments of a program."""
        graph = _at(self.graphs, told["graph"])
        fetches = [
            None if t is None else self.tensor(graph, t) for t in told["fetches"]
        ]
        feeds = [self.tensor(graph, t) for t in told["feeds"]]
        targets = [_at(graph.nodes, n) for n in told["targets"]]
        if graph.is_function:
            graph.inputs = graph.inputs or feeds
        return Arguments(graph, fetches, targets, feeds, bool(told["effects"]))


def _new_graph(told: dict) -> Graph:
    name = _text(told["name"])
    graph: Any = FuncGraph(name) if told["function"] else Graph()
    if told["rewired"]:
        graph.state["rewired"] = True
    graph.state["regions"] = []
    return graph


def _op(part: dict) -> Op:
    kind, engine = _text(part["op"]), _text(part.get("engine", part["op"]))
    op = known_op(engine)
    if op is None:
        raise ValueError(f"this twinflow has no op {kind!r}")
    return op if engine == kind else op.renamed(kind)


def _at(table: Any, place: Any) -> Any:
    if type(place) is not int or not 0 <= place < len(table):
        raise ValueError(f"there is no place {place!r} of {len(table)}")
    return table[place]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{str(value)[:60]} where a text is wanted")
    return value


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{str(value)[:60]} where a number is wanted")
    return value


def _is_shape(shape: Any) -> bool:
    if shape is None:
        return True
    return isinstance(shape, tuple) and all(
        d is None or (type(d) is int and d >= 0) for d in shape
    )


def _check_inputs(node: Node) -> None:
    """Refuse a node whose inputs or outputs are not those of its op."""
    sig, counts = node.opdef.sig, node.counts
    if counts is not None:
        whole = all(c is None or (type(c) is int and c >= 0) for c in counts)
        total = sum(1 if c is None else c for c in counts) if whole else -1
        if total != len(node.inputs):
            raise ValueError("its inputs are not as many as they say")
    args = node.args()
    if len(args) != len(sig.inputs):
        raise ValueError(f"it has {len(args)} inputs in place of {len(sig.inputs)}")
    for spec, arg in zip(sig.inputs, args, strict=True):
        if spec.is_list != isinstance(arg, list):
            raise ValueError(f"its input {spec.name!r} has another form")
        if not spec.is_list or not spec.mixed:
            _check_types(node, spec, arg if isinstance(arg, list) else [arg])
    if node.opdef.infer is not None and not node.opdef.type.startswith("Twin"):
        _check_outputs(node)


def _check_types(node: Node, spec: Any, tensors: list[Tensor]) -> None:
    wanted = spec.dtype or node.types.get(spec.type_attr)
    for t in tensors:
        if isinstance(wanted, DType) and t.dtype.base_dtype is not wanted.base_dtype:
            raise ValueError(
                f"its input {spec.name!r} is {t.dtype.name} in place of {wanted.name}"
            )
        if spec.ref and not t.dtype._is_ref_dtype:
            raise ValueError(f"its input {spec.name!r} is no variable")


def _check_outputs(node: Node) -> None:
    found = bind.output_dtypes(node.opdef, _types(node), len(node.outputs))
    own = [t.dtype.base_dtype for t in node.outputs]
    if [d.base_dtype for d in found] != own[: len(found)]:
        raise ValueError("its outputs have other dtypes than its op gives")


def _types(node: Node) -> dict:
    """The dtypes that the type attributes of a node stand for."""
    return {**node.attrs, **node.types}
