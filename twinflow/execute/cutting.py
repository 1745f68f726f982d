"""How a program is cut into clusters that XLA can compile and host steps between."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import dtypes
from twinflow.base.state import Cell
from twinflow.execute.dead_tensors import dying
from twinflow.execute.interpreter import is_known
from twinflow.execute.places import HOST
from twinflow.graph.program import has_effects, regions

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.program import Program


def used_by(node: "Node", program: "Program") -> "Iterator[GraphTensor]":
    """The tensors that a node uses, those that its regions capture included."""
    yield from (program.resolve(t) for t in node.inputs)
    if program.groups:
        yield from program.of_group(node)
    for r in regions(node):
        yield from program.bodies[r].outer_inputs()


def cut_whole(program: "Program", hosts: set, places: Any) -> list[tuple]:
    """As `cut`; no cluster takes or gives a tensor array (Note [Tensor arrays])."""
    hosts = set(hosts)
    while True:
        groups = cut(program, hosts, places)
        torn = _torn(program, groups) - hosts
        if not torn:
            return groups
        hosts |= torn


_ARRAYS = (dtypes.flow, dtypes.array_handle)


def _torn(program: "Program", groups: list[tuple]) -> set:
    """The nodes that make or use an array of another group, or of another program."""
    own = {n: group for group, (_, nodes, _) in enumerate(groups) for n in nodes}
    found = {program.resolve(t).op for t in program.fetches if _is_array(t)}
    for node, group in own.items():
        for t in used_by(node, program):
            if _is_array(t) and own.get(t.op) != group:
                found |= {node, t.op}
    return found.intersection(own)


def _is_array(t: "GraphTensor") -> bool:
    return any(t.dtype is d for d in _ARRAYS)


def cut(program: "Program", hosts: Any, places: Any) -> list[tuple]:
    """The nodes in groups of (home, nodes, stage), in an order that keeps effects.

    A home is the place of a cluster (Note [Accelerators]), or HOST for what is in none;
    `hosts` are further nodes for the host. Each node gets a stage: even ones are
    clusters, odd ones host steps; it is not before the stages of its inputs, and behind
    those of another home. Effects keep their order. Groups of one stage do not depend
    on each other.
    """
    where: dict = {}  # (stage, home) of each node
    last_effect, seen = None, _Touched()
    groups: dict = {}
    for node in program.nodes:
        if is_known(node, program):
            continue
        host = node in hosts or on_host(node, program)
        home = HOST if host else places.of(node, program)
        cells, effects = program.touched(node), has_effects(node)
        before = [where[n] for n in _before(node, program) if n in where]
        before += seen.before(*cells)
        if effects and last_effect is not None:
            before.append(last_effect)
        stage = max((s + (other != home) for s, other in before), default=0)
        at = where[node] = stage + (stage % 2 != host), home
        seen.note(at, *cells)
        if effects:
            last_effect = at
        groups.setdefault(at, []).append(node)
    in_order = sorted(groups, key=lambda at: at[0])
    return [(at[1], groups[at], at[0]) for at in in_order]


class _Touched:
    """Where the variables of a program were read and written (Note [References])."""

    def __init__(self) -> None:
        self.read: dict = {}
        self.written: dict = {}

    def before(self, read: dict, taken: dict[Cell, None]) -> list[tuple]:
        """The (stage, home) of what a node that touches these cells comes after."""
        cells = [self.written.get(cell) for cell in (*read, *taken)]
        cells += [at for cell in taken for at in self.read.get(cell, ())]
        return [at for at in cells if at is not None]

    def note(self, at: tuple, read: dict, taken: dict[Cell, None]) -> None:
        """A node at (stage, home) touches these cells."""
        for cell in read:
            self.read.setdefault(cell, {})[at] = None
        self.written.update(dict.fromkeys(taken, at))


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
