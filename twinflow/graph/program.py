"""Program: what is left of a graph for given feeds and fetches; passes work on it.

Note [References]: a tensor of a `_ref` dtype is the handle of a variable, whose cell
every op finds that takes it as `ref`. To any other op it is the value that the variable
has when this op runs, and an Identity of it is one more name of it, as in TensorFlow,
where both share one buffer: `v/read` is a name, not a snapshot. So every reference and
name of a variable stands for the output of the node that makes it, the run knows its
cell from the start, and ops that read a cell stay in order with those that write it.

A program never changes the user's nodes. It holds the nodes to run in order, and what
the passes found out: `alias` (a tensor that equals another) and `consts` (a tensor
whose value is known). The body of each control-flow node is a program of its own.
"""

import functools
import heapq
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from twinflow.base import errors
from twinflow.base.annotations import Array
from twinflow.base.tensor import Tensor
from twinflow.graph.puts_first import puts_first

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor, Node, Region


class Program:
    """Nodes to run, in order.

    Attributes:
        feeds: tensors given from outside. fetches: tensors to give back. fed: the feeds
        of this program and of those around it.
        nodes: the nodes to run. alias: dict tensor -> tensor. consts: dict tensor ->
        array. bodies: dict Region -> Program.
        graph: the Graph. region: the Region whose body it is, or None. unchanged: makes
        the program as it was before the passes.
    """

    graph: Any = None
    region: "Region | None" = None
    unchanged: "Callable[[], Program]"

    def __init__(
        self, nodes: Sequence, feeds: Sequence, fetches: Sequence, bodies: dict,
        parent: Any = None,
    ) -> None:  # fmt: skip
        self.nodes, self.feeds, self.fetches = nodes, list(feeds), list(fetches)
        self.bodies, self.parent = bodies, parent
        self.fed = set(self.feeds)
        self.targets: frozenset = frozenset()  # nodes to run, whoever needs them
        self.alias: dict = {}
        self.consts: dict = {}
        self.waited: set = set()  # the nodes that have to run, and not for their values
        self.dying: set | None = None  # what may not run: see execute.dead_tensors
        self.groups: dict = {}  # {member of a collective op: all of them}

    def resolve(self, t: "GraphTensor") -> "GraphTensor":
        """The tensor that `t` stands for after the passes."""
        program = self
        while program is not None:
            while t in program.alias:
                t = program.alias[t]
            program = program.parent
        return t

    def const(self, t: "GraphTensor") -> Array | None:
        """The known value of a resolved tensor, or None."""
        if t in self.fed:
            return None
        program = self
        while program is not None:
            if t in program.consts:
                return program.consts[t]
            program = program.parent
        return t.op.attrs["value"] if t.op.type == "Const" else None

    def reference(self, t: Any) -> "GraphTensor | None":
        """The handle of the variable whose value `t` is (Note [References]); None."""
        t = self.resolve(t)
        if not t.dtype._is_ref_dtype or t in self.fed:
            return None
        return t if t.op.opdef.home is not None else None

    def touched(self, node: "Node") -> tuple[dict, ...]:
        """The cells (as the graph has them) of the variables that `node`, or what is in
        its regions, reads as plain values; and of those whose references it takes. Both
        in order of use: what is compiled must be the same text in the next process."""
        read: dict = {}
        taken: dict = {}
        if node.opdef.refs or node.extra is not None:
            self._touched(node, read, taken)
            return read, taken
        for t in node.inputs:  # nearly all nodes: this is called for each of a plan
            handle = self.reference(t)
            if handle is not None:
                read[handle.op.attrs["cell"]] = None
        return read, taken

    def _touched(self, node: "Node", read: dict, taken: dict) -> None:
        for tensors, cells in (plain_inputs(node), read), (ref_inputs(node), taken):
            found = (self.reference(t) for t in tensors)
            cells.update((t.op.attrs["cell"], None) for t in found if t is not None)
        for r in regions(node):
            body = self.bodies[r]
            for n in body.nodes:
                body._touched(n, read, taken)
            found = (body.reference(t) for t in body.fetches if t is not None)
            read.update((t.op.attrs["cell"], None) for t in found if t is not None)

    def is_fed(self, node: "Node") -> bool:
        """Whether the run replaces an output of `node`, which passes must not touch."""
        return not self.fed.isdisjoint(node.outputs)

    def of_group(self, node: "Node") -> "Iterator[GraphTensor]":
        """The inputs of all members of a node's collective op, its own included."""
        for member in self.groups.get(node, ()):
            yield from (self.resolve(t) for t in member.inputs)

    def controls(self, node: "Node") -> Iterator[Any]:
        """The nodes that run before `node`, or before something in its regions."""
        yield from node.after
        for r in regions(node):
            for n in self.bodies[r].nodes:
                yield from self.bodies[r].controls(n)

    def args(self, node: "Node") -> list:
        """The resolved inputs of `node`, list inputs as lists."""
        return [
            [self.resolve(t) for t in a] if type(a) is list else self.resolve(a)
            for a in node.args()
        ]

    def outer_inputs(self) -> list[Tensor]:
        """Tensors from outside that the nodes and fetches use, in order of use."""
        own = {t for n in self.nodes for t in n.outputs} | set(self.feeds)
        own.update(self.consts)  # also those whose nodes were dropped
        used: dict = {}
        for n in self.nodes:
            for t in (*n.inputs, *self._captured(n)):
                t = self.resolve(t)
                if t not in own:
                    used[t] = None
        for t in self.fetches:
            if t is not None and self.resolve(t) not in own:
                used[self.resolve(t)] = None
        return list(used)

    def _captured(self, node: "Node") -> "Iterator[GraphTensor]":
        for region in regions(node):
            body = self.bodies.get(region)
            if body is not None:
                yield from body.outer_inputs()


def regions(node: "Node") -> tuple:
    """The regions that `node` owns."""
    extra = node.extra
    return extra.regions if extra is not None and hasattr(extra, "regions") else ()


def ref_inputs(node: "Node") -> Any:
    """The inputs of `node` that have to be references of variables."""
    if not node.opdef.refs:
        return ()
    return [t for t, is_ref in marked_inputs(node) if is_ref]


def plain_inputs(node: "Node") -> Sequence:
    """The inputs of `node` that it takes as values."""
    if not node.opdef.refs:
        return node.inputs
    return [t for t, is_ref in marked_inputs(node) if not is_ref]


def marked_inputs(node: "Node") -> Any:
    """The inputs of `node`, each with whether it has to be a reference."""
    args = node.opdef.sig.inputs
    counts = node.counts or [None] * len(args)
    marks = [a.ref for a, n in zip(args, counts) for _ in range(1 if n is None else n)]
    return zip(node.inputs, marks, strict=True)


def is_handle(t: "GraphTensor", program: Program) -> bool:
    """Whether `t` is the handle of a cell that is known before the run."""
    return t.op.opdef.home is not None and t not in program.fed


def is_known(node: "Node", program: Program) -> bool:
    """Whether nothing is left to do for `node` at run time."""
    op = node.opdef
    if op.type in ("Const", "NoOp") or (op.home is not None and op.step is None):
        return True
    outputs = node.outputs
    if node.type == "Identity" and program.reference(outputs[0]) is not None:
        return node not in program.waited
    return bool(outputs) and all(program.const(t) is not None for t in outputs)


def has_frames(program: Program) -> bool:
    """Whether a program, its bodies left out, has loops in parts (Note [Frames] in
    ops.arrays.frames)."""
    return any(n.type in _FRAMES for n in program.nodes)


# What runs as one op with the others of its group (ops.math.collective).
COLLECTIVE = frozenset((
    "CollectiveReduce", "CollectiveBcastSend", "CollectiveBcastRecv"
))  # fmt: skip
_FRAMES = ("Enter", "RefEnter", "NextIteration", "RefNextIteration")


def has_effects(node: "Node") -> bool:
    """Whether `node` or something in its regions is stateful."""
    if node.opdef.stateful:
        return True
    graph = node.graph
    return any(
        n.opdef.stateful for r in regions(node) for n in graph.nodes[r.first : r.last]
    )


def build(
    graph: Any, fetches: Sequence, targets: Sequence = (), feeds: Sequence = (),
    keep_effects: bool = False, region: "Region | None" = None, around: Any = (),
) -> Program:  # fmt: skip
    """The program for `fetches`.

    Args:
        graph: the Graph.
        fetches: tensors wanted. targets: nodes to run.
        feeds: tensors whose values are given.
        keep_effects: run every stateful node (functions), not only those needed.
        region: the region to cut out; None = outside all regions. around: the feeds of
        the program around it.
    """
    program = Program((), feeds, fetches, {})
    program.graph, program.region = graph, region
    program.unchanged = functools.partial(
        build, graph, fetches, targets, feeds, keep_effects
    )
    program.targets = frozenset(targets)
    fed, bodies = program.fed, program.bodies
    fed.update(around)
    used = {t for t in fetches if t is not None and t not in fed}
    whole = set(targets)
    if keep_effects:
        effects = [n for n in graph.nodes if n.region is region and has_effects(n)]
    else:
        effects = []
    visit = _Visit(region, fed)
    visit.add(t.op for t in used)
    visit.add([*targets, *effects])
    for node in visit:
        inputs = [t for t in node.inputs if t not in fed]
        all_of_it = node in whole or (keep_effects and has_effects(node))
        taken = None if all_of_it else used
        for r in regions(node):
            wanted = node.extra.fetches(r, node, taken)
            body = bodies[r] = build(graph, wanted, (), r.params, keep_effects, r, fed)
            body.parent = program
            inputs += [t for t in body.outer_inputs() if t not in fed]
        used.update(inputs)
        visit.add(t.op for t in inputs)
        before: list = list(program.controls(node))
        whole.update(before)
        visit.add(before)
        visit.needs[node] = [*(t.op for t in inputs), *before]
    program.groups = visit.meet()
    nodes = visit.seen()
    program.nodes = nodes if keep_effects else puts_first(nodes, visit.needs)
    program.waited = whole
    _name_references(program)
    return program


def _name_references(program: Program) -> None:
    """Let every reference and name of a variable stand for its handle."""
    for node in program.nodes:
        if node.type == "Identity" or (node.opdef.refs and node.inputs):
            for t in node.outputs:
                found = source(t, program.fed)
                if found is not None and found is not t:
                    program.alias[t] = found


def source(t: Any, fed: Any = ()) -> "GraphTensor | None":
    """The output of the node that makes the variable whose reference or name `t` is, or
    None (Note [References])."""
    while t not in fed:
        node = t.op
        if node.opdef.home is not None:
            return t if t.dtype._is_ref_dtype else None
        if node.type != "Identity" and not (t.dtype._is_ref_dtype and node.opdef.refs):
            return None
        t = node.inputs[0]
    return None


class _Visit:
    """The nodes of a region from the last to the first: users before what they use."""

    def __init__(self, region: "Region | None", fed: set[Tensor]) -> None:
        self.region, self.fed = region, fed
        self._waiting: list = []
        self._seen: dict = {}
        self.needs: dict = {}  # the nodes that come before a node
        self._meeting = False

    def add(self, nodes: "Iterator | list[Node]") -> None:
        """Have `nodes` visited once, unless the run gives them."""
        for node in nodes:
            if node in self._seen or node.region is not self.region:
                continue
            if node.type in _GIVEN and not self.fed.isdisjoint(node.outputs):
                continue
            self._seen[node] = None
            heapq.heappush(self._waiting, (-node.index, node))

    def __iter__(self) -> "Iterator[Node]":
        while self._waiting:
            yield heapq.heappop(self._waiting)[1]

    def meet(self) -> dict:
        """The groups of collective ops; each member needs what all of them need."""
        groups: dict = {}
        for node in self._seen:
            if node.type in COLLECTIVE:
                key = node.attrs["group_key"], node.attrs["instance_key"]
                groups.setdefault(key, []).append(node)
        found = {n: members for members in groups.values() for n in members}
        needs = {n: [x for m in found[n] for x in self.needs[m]] for n in found}
        self.needs.update(needs)
        self._meeting = bool(found)
        return found

    def seen(self) -> "list[Node]":
        """All that were visited, in the order of creation; nodes that were told later
        to wait for others come after those."""
        found = sorted(self._seen, key=lambda n: n.index)
        if self._meeting or any(
            n.index > node.index for node in found for n in _late(node)
        ):
            return _waited(found, self.needs)
        return found


def _late(node: "Node") -> tuple:
    """The nodes before a node that may be younger than it."""
    if not node.graph.state.get("rewired"):
        return node.after
    return (*node.after, *(t.op for t in node.inputs))


def _waited(nodes: "list[Node]", needs: "dict[Node, list]") -> "list[Node]":
    """Nodes in a stable order in which each comes after what it needs.

    Raises:
        InvalidArgumentError: some wait for each other.
    """
    known, begun = set(nodes), set()
    done: dict = {}
    path: dict = {}  # those whose needs are being looked at, in order
    for first in nodes:
        stack = [first]
        while stack:
            node = stack[-1]
            missing = [n for n in needs[node] if n in known and n not in begun]
            if node not in begun:
                _refuse_cycle(node, path, needs[node])
            if node in begun or not missing:
                done[stack.pop()] = None
                begun.add(node)
                path.pop(node, None)
            else:
                begun.add(node)
                path[node] = None
                stack += sorted(missing, key=lambda n: -n.index)
    return list(done)


_LOOPS = ("NextIteration", "RefNextIteration")  # where a loop goes back


def _refuse_cycle(node: "Node", path: "dict[Node, None]", needs: list) -> None:
    again = [n for n in needs if n in path or n is node]
    if not again:
        return
    nodes = [*path, node]
    nodes = nodes[nodes.index(again[0]) :]
    if any(n.type in _LOOPS for n in nodes):
        return
    names = sorted(n.name for n in nodes)
    raise errors.InvalidArgumentError(
        None, None, f"Graph is invalid, contains a cycle with {len(names)} nodes, "
        f"including: {', '.join(names[:3])}",
    )  # fmt: skip


_GIVEN = ("Placeholder", "TwinParam")


def walk(program: Any) -> Iterator[Any]:
    """The program and all bodies in it."""
    yield program
    for body in program.bodies.values():
        yield from walk(body)
