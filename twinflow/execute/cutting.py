"""How a program is cut into clusters that XLA can compile and host steps between."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import dtypes
from twinflow.base.state import Cell
from twinflow.execute.dead_tensors import dying
from twinflow.execute.interpreter import is_known
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
