"""A plan: a program cut into clusters that XLA can compile and host steps between.

A plan runs at once in the interpreter; its clusters are compiled when they are hot (see
execute.tiers).
"""

import contextlib
import itertools
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from twinflow.base.watching import WATCHERS, Again, path
from twinflow.execute import (  # noqa: F401 - they fill special_steps
    collectives,
    control_flow,
)
from twinflow.execute.cutting import cut_whole, used_by
from twinflow.execute.dead_tensors import check_alive, dying
from twinflow.execute.in_step import given_by_processes, is_in_step
from twinflow.execute.interpreter import Assembler, Step, execute
from twinflow.execute.lifetimes import set_frees
from twinflow.execute.meshes import Mesh, cut_meshes
from twinflow.execute.places import HOST, Places, to_host
from twinflow.execute.side_by_side import SideBySide
from twinflow.execute.tiers import INTERPRET, Cluster
from twinflow.execute.tokens import Tokens
from twinflow.execute.update_steps import joined
from twinflow.execute.watched import WatchedAssembler, entered
from twinflow.graph.program import has_frames

if TYPE_CHECKING:
    from twinflow.execute.tiers import Policy
    from twinflow.graph.node import Node
    from twinflow.graph.program import Program


class Plan:
    """How to get the fetches of a program from its feeds.

    Args:
        program: the Program after its passes.
        cell_of: from the cells of the graph to those of this run (a session's own).
        policy: when clusters are compiled (execute.tiers.Policy).
        owner: the mode whose seed counts, or None.
        assembler: the kind of Assembler that makes its steps.
        places: on which devices (Note [Accelerators]); None = the CPU, but for nodes
            that ask for others.
    """

    def __init__(
        self, program: "Program", cell_of: Any, policy: "Policy", owner: Any = None,
        assembler: type[Assembler] = Assembler, places: Places | None = None,
    ) -> None:  # fmt: skip
        self.program, self.cell_of, self.policy = program, cell_of, policy
        self.owner, self.building = owner, threading.RLock()
        self.assembler = assembler
        self.places = Places() if places is None else places
        self.watched: Plan | None = None
        self.joined = self.policy.enabled  # whether accelerators may have one program
        self.hosts: set = set()  # nodes that turned out not to compile
        self.given: set = set()  # fetches that are feeds
        self.refused: Any = None  # see Session._known
        self._build()

    def _build(self) -> None:
        program = self.program
        asm = self.assembler(self.cell_of)
        feeds = [asm.slot(t, program) for t in program.feeds]
        self.clusters: list = []
        self.given_by_processes = given_by_processes(program)
        self.beside: list[SideBySide] = []
        self.may_die = has_frames(program) or bool(dying(program))
        if has_frames(program):
            self.steps = [Step(Tokens(asm, program).run, program.nodes[0], [])]
        else:
            self.steps = []
            for _, groups in itertools.groupby(self._cut(), lambda g: g[2]):
                self.steps += self._stage(asm, [g[:2] for g in groups])
        asm.locking = True
        fetches, reads = asm.results(program.fetches, program)
        self.steps += reads
        self._connect()
        for beside in self.beside:
            beside.connect()
        set_frees(self.steps, asm.values, [i for i in fetches if i is not None])
        self._on_host = self._read_here(asm, fetches) if self.places.there else None
        self._ready = asm.values, feeds, self.steps, fetches

    def _cut(self) -> list:
        """The nodes in groups of (home, nodes, stage): see `cut`."""
        if self.places.there > 1 and self.joined:
            found = cut_meshes(self.program, self.hosts, self.places)
            if found is not None:
                return found
        return cut_whole(self.program, self.hosts, self.places)

    def part(self) -> None:
        """Let each accelerator have programs of its own (Note [Meshes])."""
        with self.building:
            if self.joined:
                self.joined = False
                self._build()

    def _stage(self, asm: Assembler, groups: list) -> list[Step]:
        """The steps of groups that do not depend on each other."""
        before = len(self.clusters)
        steps = [s for g in groups for s in self._group(asm, *g)]
        found = self.clusters[before:]
        if len(found) < 2 or len(found) < len(steps) or not asm.joining:
            return steps
        beside = SideBySide(found)
        self.beside.append(beside)
        return [beside.step]

    def _group(self, asm: Assembler, home: Any, nodes: "list[Node]") -> list[Step]:
        asm.locking = host = home == HOST
        steps = asm.assemble(nodes, self.program)
        if host or not steps:
            return steps
        steps = joined(steps, asm, self.program) if asm.joining else steps
        cluster = Cluster(nodes, self.program, asm, steps, self)
        if isinstance(home, Mesh):
            cluster.spec.mesh, home = home, home.places[0]
        cluster.spec.place = home
        given = self.given_by_processes
        cluster.in_step = is_in_step(nodes, cluster.spec.inputs, given)
        cluster.spec.asked = self.places.is_asked(nodes, self.program)
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

    def _read_here(self, asm: Assembler, fetches: list) -> tuple[list, list]:
        """The slots of the feeds and of the fetches that have to be arrays here; tells
        each cluster which of its outputs may stay there (Note [Accelerators])."""
        program, held = self.program, {n for c in self.clusters for n in c.spec.nodes}
        read = {t for n in program.nodes if n not in held for t in used_by(n, program)}
        for c in self.clusters:
            c.spec.stays = [t not in read for t in c.spec.outputs]
        feeds = [asm.slot(t, program) for t in program.feeds if t in read]
        fetches = [] if self.places.stay else fetches
        return feeds, [i for i in fetches if i is not None]

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
        if self._on_host is not None:
            to_host(v, self._on_host[0])
        execute(steps, v)
        if self._on_host is not None:
            to_host(v, self._on_host[1])
        values = [v[i] for i in outs]
        if self.may_die:
            check_alive(values)
        return values
