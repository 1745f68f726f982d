"""A step that several tasks run: its nodes by task, and in levels (Note [Remote]).

A node is on the task that its device names, on the master's where that is left open,
and always where a resource or reference is that it takes. Nodes of one task that need
nothing from others make its part of level 0; what needs a tensor of another task comes
a level later. What makes a handle, and constants, are in each part that uses them.
"""

from collections.abc import Iterator
from typing import Any

from twinflow.base import devices, dtypes, errors
from twinflow.execute import servers
from twinflow.execute.placement import covers
from twinflow.execute.server_cells import shared_name
from twinflow.graph.node import GraphTensor, Node
from twinflow.graph.program import build, ref_inputs, regions, walk
from twinflow.remote.imported import OF_PYTHON, unknown_function
from twinflow.remote.runs import Divided

TIED = (dtypes.resource, dtypes.variant, dtypes.flow, dtypes.array_handle)


def divided(session: Any, home: Any, flat: tuple, feeds: tuple) -> "Divided | None":
    """A run of several tasks; None where all of it is in this process.

    Args:
        session: the Session. home: its ServerHome. flat, feeds: see Session.
    Raises:
        tf.errors.OpError: its nodes cannot be placed.
    """
    fetches = [f for f in flat if isinstance(f, GraphTensor)]
    targets = [f for f in flat if isinstance(f, Node)]
    program = build(session.graph, fetches, targets, feeds)
    if home.foreign:
        refuse_python(program)
    places = places_of(program, home)
    if all(p == "" for p in places.values()):
        return None
    return Divided(session.graph, home, program, Cutter(program, places).parts)


def refuse_python(program: Any) -> None:
    """Raise for a node that calls a function of Python of another process."""
    for part in walk(program):
        for node in part.nodes:
            if node.type in OF_PYTHON:
                raise unknown_function(node.name)


# ---------------------------------------------------------------------- places
def places_of(program: Any, home: Any) -> dict:
    """{node: the name of its task; "" where that is in this process}."""
    found: dict = {}
    by_cell: dict = {}
    for node in program.nodes:
        tied = {found[n] for n in _tied_to(node, program, by_cell) if n in found}
        if len(tied) > 1:
            names = " and ".join(sorted(t or home.own for t in tied))
            raise errors.invalid(
                f"Cannot assign a device for operation {node.name}: it takes resources "
                f"of {names}, and runs in one process. Put them on one task."
            )
        found[node] = tied.pop() if tied else _place(node, home)
        if node.opdef.home is not None:
            by_cell[node.attrs.get("cell")] = node
    return found


def _place(node: Any, home: Any) -> str:
    if _makes_handle(node) and shared_name(node) is not None:
        name = home.place(node.device)
    else:
        asked = devices.DeviceSpec.from_string(node.device)
        asked.device_type = asked.device_index = None
        own = devices.DeviceSpec.from_string(home.own)
        name = home.own if covers(asked, own) else home.place(node.device)
    return "" if servers.is_here(home.tasks[name]) else name


def _tied_to(node: Any, program: Any, by_cell: dict) -> Iterator[Any]:
    """The nodes whose place is that of `node` as well."""
    refs = list(ref_inputs(node))
    if node.type == "Identity" and program.reference(node.outputs[0]) is not None:
        refs += node.inputs  # one more name of a variable
    for t in (*refs, *_tied_inputs(node, program)):
        if t not in program.fed:
            yield t.op
    if regions(node):
        _, taken = program.touched(node)
        yield from (by_cell[c] for c in taken if c in by_cell)


def _tied_inputs(node: Any, program: Any) -> list:
    return [t for t in _taken(node, program) if any(t.dtype is d for d in TIED)]


def _taken(node: Any, program: Any) -> Iterator[Any]:
    """The tensors that a node, or what is in its regions, takes."""
    yield from node.inputs
    for r in regions(node):
        yield from program.bodies[r].outer_inputs()


def is_source(node: Any, program: Any) -> bool:
    """Whether each part that uses a node has it.

    It makes a handle or a constant, or is one more name of a variable, whose value
    counts where it is used (Note [References]).
    """
    if program.is_fed(node):
        return False
    return node.type == "Const" or _makes_handle(node) or _is_name(node, program)


def _is_name(node: Any, program: Any) -> bool:
    """Whether a node, which waits for nothing, gives the variable itself."""
    if node.type != "Identity" or any(True for _ in program.controls(node)):
        return False
    return program.reference(node.outputs[0]) is not None


def _makes_handle(node: Any) -> bool:
    """Whether all that a node gives is what something is found by."""
    outs = node.outputs
    if node.inputs or not outs:
        return False
    return all(t.dtype is dtypes.resource or t.dtype._is_ref_dtype for t in outs)


# ---------------------------------------------------------------------- parts
class _Part:
    """The nodes of one task and level.

    Attributes:
        nodes: in order. feeds, fetches: the tensors that go in and out.
        awaited: {tensor: the task that keeps it}, kept: tensors for other tasks.
        run: what starts it; see Divided.
    """

    def __init__(self, place: str) -> None:
        self.place = place
        self.nodes: list = []
        self.feeds: dict = {}
        self.fetches: dict = {}
        self.awaited: dict = {}
        self.kept: dict = {}
        self.same: dict = {}
        self.run: Any = None


def _add(part: _Part, node: Any) -> None:
    """Let a part have a node; with one more name of a variable, the variable."""
    if node not in part.nodes:
        part.nodes.append(node)
        if node.type == "Identity" and node.inputs[0].dtype._is_ref_dtype:
            _add(part, node.inputs[0].op)


class Cutter:
    """Cuts one program into parts.

    Attributes:
        parts: {(level, place): _Part}.
    """

    def __init__(self, program: Any, places: dict) -> None:
        self.program, self.places = program, places
        self.level: dict = {}
        self.parts: dict = {}
        for node in program.nodes:
            if not is_source(node, program):
                self._level(node)
        for node in self.level:
            self._connect(node)
        for t in program.fetches:
            if t not in program.fed:
                self._fetch(t)

    def part(self, node: Any) -> _Part:
        """The part of a node, or the first one of a source's task."""
        key = self.level.get(node, 0), self.places[node]
        if key not in self.parts:
            self.parts[key] = _Part(key[1])
        return self.parts[key]

    def _level(self, node: Any) -> None:
        program, place, least = self.program, self.places[node], 0
        before = [t.op for t in _taken(node, program) if t not in program.fed]
        for n in (*before, *program.controls(node)):
            if n not in self.places or n.type == "Const":
                continue
            crosses = self.places[n] != place
            least = max(least, self.level.get(n, 0) + crosses)
        self.level[node] = least
        self.part(node).nodes.append(node)

    def _connect(self, node: Any) -> None:
        """Let a part have what a node of it takes."""
        part, program = self.part(node), self.program
        refs = set(ref_inputs(node))
        for t in _taken(node, program):
            if t in program.fed:
                part.feeds[t] = None
                continue
            source = is_source(t.op, program)
            if source and (t.op.type == "Const" or self.places[t.op] == part.place):
                _add(part, t.op)
                continue
            if self.part(t.op) is part:
                continue
            handle = program.reference(t)
            if t in refs and handle is not None:
                part.same[t] = handle
                if handle.op not in part.nodes:
                    part.nodes.append(handle.op)
                continue
            giver = self.part(t.op)
            if part.place and giver.place and part.place != giver.place:
                part.awaited[t] = giver.place
                giver.kept[t] = None
                _add(giver, t.op)
                continue
            part.feeds[t] = None
            self._give(t)

    def _give(self, t: Any) -> None:
        part = self.part(t.op)
        part.fetches[t] = None
        _add(part, t.op)

    def _fetch(self, t: Any) -> None:
        """A fetch of the run: variables are read after all that their task does."""
        if is_source(t.op, self.program):
            levels = [lv for lv, place in self.parts if place == self.places[t.op]]
            if levels:
                last = self.parts[max(levels), self.places[t.op]]
                if t not in self.parts[min(levels), self.places[t.op]].fetches:
                    last.fetches[t] = None
                    _add(last, t.op)
                    return
        self._give(t)
