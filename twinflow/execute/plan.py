"""A plan: a program cut into clusters that XLA can compile and host steps between.

A plan runs at once in the interpreter; its clusters are compiled when they are hot (see
execute.tiers).
"""

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from twinflow.base import dtypes
from twinflow.base.state import Cell
from twinflow.base.watching import WATCHERS, Again, path
from twinflow.execute import (  # noqa: F401 - they fill special_steps
    collectives,
    control_flow,
)
from twinflow.execute.dead_tensors import check_alive, dying
from twinflow.execute.interpreter import Assembler, Step, execute, is_known
from twinflow.execute.lifetimes import set_frees
from twinflow.execute.tiers import INTERPRET, Cluster
from twinflow.execute.tokens import Tokens
from twinflow.execute.update_steps import joined
from twinflow.execute.watched import WatchedAssembler, entered
from twinflow.graph.program import has_effects, has_frames, regions

if TYPE_CHECKING:
    from twinflow.execute.tiers import Policy
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.program import Program


class Plan:
    """How to get the fetches of a program from its feeds.

    Args:
        program: the Program after its passes.
        cell_of: from the cells of the graph to those of this run (a session's own).
        policy: when clusters are compiled (execute.tiers.Policy).
        owner: the mode whose seed counts, or None.
        assembler: the kind of Assembler that makes its steps.
    """

    def __init__(
        self, program: "Program", cell_of: Any, policy: "Policy", owner: Any = None,
        assembler: type[Assembler] = Assembler,
    ) -> None:  # fmt: skip
        self.program, self.cell_of, self.policy = program, cell_of, policy
        self.owner, self.building = owner, threading.RLock()
        self.assembler = assembler
        self.watched: Plan | None = None
        self.hosts: set = set()  # nodes that turned out not to compile
        self.given: set = set()  # fetches that are feeds
        self.refused: Any = None  # see Session._known
        self._build()

    def _build(self) -> None:
        program = self.program
        asm = self.assembler(self.cell_of)
        feeds = [asm.slot(t, program) for t in program.feeds]
        self.clusters: list = []
        self.may_die = has_frames(program) or bool(dying(program))
        if has_frames(program):
            self.steps = [Step(Tokens(asm, program).run, program.nodes[0], [])]
        else:
            groups = [self._group(asm, *g) for g in cut_whole(program, self.hosts)]
            self.steps = [s for g in groups for s in g]
        asm.locking = True
        fetches, reads = asm.results(program.fetches, program)
        self.steps += reads
        self._connect()
        set_frees(self.steps, asm.values, [i for i in fetches if i is not None])
        self._ready = asm.values, feeds, self.steps, fetches

    def _group(self, asm: Assembler, host: bool, nodes: "list[Node]") -> list[Step]:
        asm.locking = host
        steps = asm.assemble(nodes, self.program)
        if host or not steps:
            return steps
        steps = joined(steps, asm, self.program) if asm.joining else steps
        cluster = Cluster(nodes, self.program, asm, steps, self)
        self.clusters.append(cluster)
        return [cluster.step]

    @property
    def seeded(self) -> bool:
        """Whether the program is to be reproducible (Note [Tiers])."""
        return getattr(self.owner, "seed", None) is not None

    def split(self, nodes: "list[Node]") -> bool:
        """Run `nodes` on the host from the next run on: they cannot be compiled.

        Returns:
            Whether there was anything to change.
        """
        found = {self._own(n) for n in nodes} - {None}
        with self.building:
            if found <= self.hosts:
                return False
            self.hosts |= found
            self._build()
        return True

    def _own(self, node: Any) -> "Node":
        """The node of this program that `node` is, or is inside of."""
        while node is not None and node not in self.program.nodes:
            node = node.region.owner if node.region is not None else None
        return node

    def _connect(self) -> None:
        """Tell each cluster which of its tensors others use."""
        program = self.program
        for c in self.clusters:
            own = set(c.spec.nodes)
            inside = {t for n in own for t in n.outputs}
            outside = {program.resolve(t) for t in program.fetches}
            for n in program.nodes:
                if n not in own:
                    outside.update(used_by(n, program))
            c.connect(
                [t for n in c.spec.nodes for t in n.outputs if t in inside & outside]
            )

    def run(self, feeds: Sequence) -> list:
        """The values of the fetches for the values of the feeds."""
        return self.use_up(list(feeds))

    def use_up(self, feeds: list) -> list:
        """As `run`; empties the list `feeds`, so that nobody else holds its values."""
        if WATCHERS:
            return self._run_watched(feeds)
        return self._use_up(feeds)

    def _run_watched(self, feeds: list) -> list:
        """Run the program as it was before the passes, node by node."""
        plan = self.watched
        if plan is None:
            plan = self.watched = Plan(
                self.program.unchanged(), self.cell_of, INTERPRET, self.owner,
                WatchedAssembler,
            )  # fmt: skip
        outermost = not path()
        with entered(self, feeds):
            while outermost:
                with contextlib.suppress(Again):
                    return plan._use_up(list(feeds))
            return plan._use_up(feeds)

    def _use_up(self, feeds: list) -> list:
        blank, ins, steps, outs = self._ready  # a split may replace them all
        v = blank.copy()
        for slot, value in zip(ins, feeds, strict=True):
            v[slot] = value
        value = None
        feeds.clear()
        execute(steps, v)
        values = [v[i] for i in outs]
        if self.may_die:
            check_alive(values)
        return values


def used_by(node: "Node", program: "Program") -> "Iterator[GraphTensor]":
    """The tensors that a node uses, those that its regions capture included."""
    yield from (program.resolve(t) for t in node.inputs)
    if program.groups:
        yield from program.of_group(node)
    for r in regions(node):
        yield from program.bodies[r].outer_inputs()


def cut_whole(program: "Program", hosts: set) -> list[tuple]:
    """As `cut`; no cluster takes or gives a tensor array (Note [Tensor arrays])."""
    hosts = set(hosts)
    while True:
        groups = cut(program, hosts)
        torn = _torn(program, groups) - hosts
        if not torn:
            return groups
        hosts |= torn


_ARRAYS = (dtypes.flow, dtypes.array_handle)


def _torn(program: "Program", groups: list[tuple]) -> set:
    """The nodes that make or use an array of another group, or of another program."""
    home = {n: place for place, (_, nodes) in enumerate(groups) for n in nodes}
    found = {program.resolve(t).op for t in program.fetches if _is_array(t)}
    for node, place in home.items():
        for t in used_by(node, program):
            if _is_array(t) and home.get(t.op) != place:
                found |= {node, t.op}
    return found.intersection(home)


def _is_array(t: "GraphTensor") -> bool:
    return any(t.dtype is d for d in _ARRAYS)


def cut(program: Any, hosts: Any = ()) -> list[tuple]:
    """The nodes in groups of (on the host?, nodes), in an order that keeps effects.

    `hosts` are further nodes to run on the host. Each node gets a stage: even ones are
    clusters, odd ones host steps; it is not before the stages of its inputs, and
    effects keep their order.
    """
    stage: dict = {}
    last_effect, seen = 0, _Touched()
    groups: dict = {}
    for node in program.nodes:
        if is_known(node, program):
            continue
        host = node in hosts or on_host(node, program)
        least = max((stage.get(n, 0) for n in _before(node, program)), default=0)
        effects = has_effects(node)
        if effects:
            least = max(least, last_effect)
        cells = program.touched(node)
        least = max(least, seen.before(*cells))
        place = least + (least % 2 != host)
        stage[node] = place
        seen.note(place, *cells)
        if effects:
            last_effect = place
        groups.setdefault(place, []).append(node)
    return [(place % 2 == 1, groups[place]) for place in sorted(groups)]


class _Touched:
    """Where the variables of a program were read and written (Note [References])."""

    def __init__(self) -> None:
        self.read: dict = {}
        self.written: dict = {}

    def before(self, read: dict, taken: dict[Cell, None]) -> int:
        """The stage before which a node that touches these cells may not come."""
        places = [self.written.get(cell, 0) for cell in (*read, *taken)]
        return max([0, *places, *(self.read.get(cell, 0) for cell in taken)])

    def note(self, place: int, read: dict, taken: dict[Cell, None]) -> None:
        """A node that touches these cells is in the stage `place`."""
        self.read.update(dict.fromkeys(read, place))
        self.written.update(dict.fromkeys(taken, place))


def _before(node: "Node", program: "Program") -> "Iterator[Node]":
    yield from (t.op for t in used_by(node, program))
    yield from program.controls(node)


_HOST_TYPES = frozenset((dtypes.string, dtypes.variant))


def _is_text(t: "GraphTensor", node: "Node", program: "Program") -> bool:
    """Whether an input keeps `node` on the host; constant texts of a guard do not."""
    if t.dtype not in _HOST_TYPES:
        return False
    return not node.opdef.guard or program.const(program.resolve(t)) is None


def on_host(node: "Node", program: "Program") -> bool:
    """Whether `node` can only run on the host: it or something in its regions."""
    if (
        node.opdef.host
        or node in dying(program)
        or program.is_fed(node)
        or any(t.dtype in _HOST_TYPES for t in node.outputs)
        or any(_is_text(t, node, program) for t in node.inputs)
    ):
        return True
    if hasattr(node.extra, "program"):
        inner = node.extra.program(node)
        return any(on_host(n, inner) for n in inner.nodes)
    return any(
        on_host(n, program.bodies[r])
        for r in regions(node)
        for n in program.bodies[r].nodes
        if not is_known(n, program.bodies[r])
    )
