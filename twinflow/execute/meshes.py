"""Towers on several accelerators as one program: which of their nodes are the same.

Note [Meshes]: where nodes ask for several accelerators, XLA gets them as one program
that runs on all of these at once (lower.spmd), so that towers compute side by side and
sums across them are collectives of the devices. For that each node is one of three:

- a row: the same node on each device, on values of its own: the same op, attributes and
  kind of inputs. Their variables are rows, too: copies, one on each device.
- a sum: AddN, or an Add of two, of one value of each device.
- one for all: what works on values that are the same everywhere (sums, and what follows
  from them), or joins several devices in another way. It runs on each of them, on what
  it needs of the others.

A node for all may change a variable that several devices read; it is the same on each.
Whatever else has effects must be in a row. Where that is not so, or shapes differ from
one device to the next, or XLA refuses, each device has programs of its own, which run
side by side in threads (execute.side_by_side). The interpreter takes the nodes as they
come. All give the same sums.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from twinflow.execute.cutting import cut_whole
from twinflow.execute.interpreter import is_known
from twinflow.execute.mesh_keys import Keys, is_handle
from twinflow.execute.places import Places
from twinflow.graph.program import COLLECTIVE, has_effects

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.program import Program

_READS = ("ReadVariableOp", "VarIsInitializedOp", "VariableShape")


class Item(NamedTuple):
    """A node to lower: that of the first device, for a row.

    Attributes:
        kind: "row", "sum" or "one". node: the Node.
        draws: for a row that draws from a stream of all devices, how many draws came
        before that of each. foreign: the tensors that a sum adds up, and the tensors of
        rows that a node for all takes.
    """

    kind: str
    node: "Node"
    draws: tuple[int, ...] = ()
    foreign: tuple = ()


class Mesh:
    """How the nodes of a cluster are one program of several devices.

    Attributes:
        places: the accelerators. items: what to lower, in order.
        rows: {tensor: (the tensors of its row, its place among them)}.
        variables: rows of handles. own_streams: rows of Streams.
        same: {tensor: the tensor that it equals on every device}.
        streams: {Stream of all devices: how many draws a run takes}.
    """

    def __init__(self, places: tuple[int, ...]) -> None:
        self.places = places
        self.items: list[Item] = []
        self.rows: dict = {}
        self.variables: list[tuple] = []
        self.own_streams: list[tuple] = []
        self.same: dict = {}
        self.streams: dict = {}


MESH = -2  # the home of what is to be one program of several accelerators


class _Joined:
    """Places where all that asks for an accelerator has one home.

    Args:
        places: the Places. following: whether nodes that ask for nothing come along
            where they take its values.
    """

    def __init__(self, places: Places, following: bool) -> None:
        self.places, self.following = places, following
        self.members: set = set()

    def of(self, node: "Node", program: "Program") -> int | None:
        """MESH, or the number of the accelerator of a node, or None for the CPU."""
        asked: Any = self.places.asked_by(node, program)
        if asked == "":
            sources = {program.resolve(t).op for t in node.inputs}
            if not self.following or self.members.isdisjoint(sources):
                return self.places.free
        elif asked is None:
            return None
        self.members.add(node)
        return MESH


def cut_meshes(program: "Program", hosts: set, places: Places) -> "list | None":
    """As `cut_whole`, with a Mesh as the home of what is one program of several
    accelerators; None where there is no such thing."""
    asked = {places.asked_by(n, program) for n in program.nodes} - {"", None}
    if len(asked) < 2:
        return None

    def place_of(n: "Node", program: "Program") -> int | None:
        found: Any = places.asked_by(n, program)
        return None if found == "" else found

    for following in (True, False):
        groups, found = cut_whole(program, hosts, _Joined(places, following)), []
        for home, nodes, stage in groups:
            found.append((_home(home, nodes, program, place_of), nodes, stage))
            if found[-1][0] == MESH:
                break
        else:
            return found
    return None


def _home(home: Any, nodes: "list[Node]", program: "Program", place_of: Any) -> Any:
    """The home of a group: a Mesh, or MESH where there should be one and is none."""
    if home != MESH:
        return home
    places = {place_of(n, program) for n in nodes} - {None}
    if len(places) == 1:
        return places.pop()
    return mesh_of(nodes, program, place_of) or MESH


def mesh_of(
    nodes: "list[Node]", program: "Program", place_of: Callable
) -> "Mesh | None":
    """The Mesh of nodes that ask for several accelerators; None where it is none.

    Args:
        place_of: from a node to its accelerator, or to None where it asks for none.
    """
    if any(n.type in COLLECTIVE for n in nodes):
        return None
    alone: set = set()
    while True:
        finder = _Finder(nodes, program, place_of, alone)
        try:
            return finder.find()
        except Apart:
            more = finder.alone()
        if more <= alone:
            return None
        alone |= more


class Apart(Exception):  # a message within this file, not an error
    """The nodes are no one program of several devices."""


class _Finder:
    """Tells rows, sums and what is for all apart, and orders them."""

    def __init__(
        self, nodes: "list[Node]", program: "Program", place_of: Callable, alone: set
    ) -> None:
        self.for_all = alone
        self.nodes = [n for n in nodes if not is_known(n, program)]
        self.program = program
        self.place = {n: place_of(n, program) for n in self.nodes}
        found = {p for p in self.place.values() if p is not None}
        self.places: tuple = tuple(sorted(found))
        self.at = {n: i for i, n in enumerate(self.nodes)}
        self.rows: dict = {}  # {name of a row: {place: node}}
        self.of_row: dict = {}  # {node: name of its row}
        self.firsts: dict = {}  # {key of a node for all: the first such node}
        self.copies: dict = {}  # {node: the earlier one that it repeats}
        self.drawn: dict = {}  # {shared stream: the nodes that draw from it}
        self.done: set = set()
        self.touching: dict = {}  # {handle: the rows that touch the variable}

    def find(self) -> Mesh:
        """The Mesh.

        Raises:
            Apart: there is none.
        """
        self.keys = Keys(self.nodes, self.program, self.place)
        self.for_all = self.for_all | set(self._given_to_others())
        if self.keys.draws_within():
            raise Apart
        for n in self.nodes:
            self._note(n)
        self.full = [r for r in self.rows.values() if self._is_full(r)]
        if not self.full:
            raise Apart
        mesh = self.mesh = Mesh(self.places)
        self._name_rows()
        for n in self.nodes:
            self._emit(n, self.at[n])
        return mesh

    def _given_to_others(self) -> "Iterator[Node]":
        """What an effect on another device takes as it is, such as a rate."""
        for n in filter(_acts, self.nodes):
            for t in self.keys.used(n):
                own = self.place.get(t.op)
                elsewhere = own is not None and own != self.place[n] is not None
                if elsewhere and not _acts(t.op):
                    yield t.op

    def alone(self) -> "set[Node]":
        """Nodes of one device, without effects, of which no other one has the like: the
        first of these, for what follows is judged by them."""
        single = {
            n for r in self.rows.values() if not self._is_full(r) for n in r.values()
        }
        return {
            n for n in single
            if not _acts(n) and not any(t.op in single for t in self.keys.used(n))
        }  # fmt: skip

    def _is_full(self, row: dict) -> bool:
        return len(row) == len(self.places)

    def _note(self, n: "Node") -> None:
        key, places = self.keys.of(n)
        own, stream = self.place[n], self.keys.shared_stream(n)
        if stream is not None:
            self.drawn.setdefault(stream, []).append(n)
        acts = _acts(n)
        for_all = own is None or n in self.for_all or self.keys.changes_shared(n)
        for_all = for_all or not places <= {own}
        if for_all or not (places or acts):
            whole = key, own if places else None
            first = n if acts else self.firsts.setdefault(whole, n)
            if first is not n:
                self.copies[n] = first
            self.keys.put(n, "one", first, None)
            return
        name = self.keys.name_of(own, key)
        self.rows.setdefault(name, {})[own] = n
        self.of_row[n] = name
        self.keys.put(n, "row", name, own)

    def _name_rows(self) -> None:
        """Note which tensors are rows."""
        for row in self.full:
            members = [row[p] for p in self.places]
            for tensors in zip(*(n.outputs for n in members), strict=True):
                self._name_row(tensors)
            for t in {t for n in members for t in self.keys.handles(n)}:
                self.touching.setdefault(t, []).append(members)
        for row in self.keys.outside.values():
            if self._is_full(row):
                self._name_row(tuple(row[p] for p in self.places))

    def _name_row(self, tensors: tuple) -> None:
        if is_handle(tensors[0]):
            self.mesh.variables.append(tensors)
        self.mesh.rows.update((t, (tensors, i)) for i, t in enumerate(tensors))

    # ------------------------------------------------------------- the order
    def _row(self, n: "Node") -> "dict | None":
        """The row that a node is in, where it is on all devices."""
        row = self.rows.get(self.of_row.get(n, -1))
        return row if row is not None and self._is_full(row) else None

    def _emit(self, n: "Node", now: int) -> None:
        """Put a node, and what it needs, into the order."""
        row = self._row(n)
        members = [n] if row is None else [row[p] for p in self.places]
        n = members[0]
        if n in self.done:
            return
        self.done.add(n)
        for member in members:
            used = (t.op for t in self.keys.used(member))
            for before in (*used, *self.program.controls(member)):
                if before in self.at and before is not n:
                    self._emit(before, now)
        if self.at[n] > now and (has_effects(n) or self.keys.handles(n)):
            raise Apart  # it would come before what it may have to wait for
        if row is None:
            self._put_one(n)
        else:
            self.mesh.items.append(Item("row", n, self._draws(n, members)))
            streams = zip(*map(self.keys.own_streams, members), strict=True)
            self.mesh.own_streams += streams

    def _draws(self, n: "Node", members: "list[Node]") -> tuple[int, ...]:
        stream = self.keys.shared_stream(n)
        if stream is None:
            return ()
        self.mesh.streams[stream] = len(self.drawn[stream])
        return tuple(self.drawn[stream].index(m) for m in members)

    def _put_one(self, n: "Node") -> None:
        acts = _acts(n)
        if acts and not self.keys.changes_shared(n):
            raise Apart
        first = self.copies.get(n)
        if first is not None:
            self.mesh.same.update(zip(n.outputs, first.outputs, strict=True))
            return
        if any(self._is_between(n, t) for t in self.keys.handles(n)):
            raise Apart
        if self._is_sum(n):
            self.mesh.items.append(Item("sum", n, (), self._inputs(n)))
            return
        foreign = tuple(t for t in self.keys.used(n) if t in self.mesh.rows)
        self.mesh.items.append(Item("one", n, (), foreign))

    def _inputs(self, n: "Node") -> tuple:
        return tuple(self.program.resolve(t) for t in n.inputs)

    def _is_between(self, n: "Node", handle: "GraphTensor") -> bool:
        """Whether a node touches a variable between those of a row, where one of them
        changes it."""
        for members in self.touching.get(handle, ()):
            sides = {self.at[m] < self.at[n] for m in members}
            if len(sides) > 1 and any(map(self.keys.writes, (n, *members))):
                return True
        return False

    def _is_sum(self, n: "Node") -> bool:
        """Whether a node adds up one value of each device."""
        inputs = self._inputs(n)
        shapes = {t._shape for t in inputs}
        known = len(shapes) == 1 and all(s and None not in s for s in shapes)
        if n.type != "AddN" and not (n.type in ("Add", "AddV2") and known):
            return False
        row = self.mesh.rows.get(inputs[0])
        return row is not None and sorted(map(id, inputs)) == sorted(map(id, row[0]))


def _acts(n: "Node") -> bool:
    """Whether a node does more than give values."""
    return has_effects(n) and n.type not in _READS
