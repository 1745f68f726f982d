"""What tells the nodes of towers apart, but for the device that they are on."""

import hashlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dtypes
from twinflow.execute.cutting import used_by
from twinflow.execute.interpreter import is_known
from twinflow.graph.program import has_effects, regions

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.program import Program

_SMALL = 4096  # bytes of a constant that is compared by value


def is_handle(t: "GraphTensor") -> bool:
    """Whether a tensor stands for a variable."""
    return t.dtype is dtypes.resource or t.dtype._is_ref_dtype


class Keys:
    """The keys of the nodes of a cluster, in order (Note [Meshes]).

    What comes from outside, and variables, go by their order on each device.

    Args:
        nodes: the nodes. program: their Program.
        place: {node: its accelerator, or None where it asks for none}.
    """

    def __init__(self, nodes: "list[Node]", program: "Program", place: dict) -> None:
        self.program, self.place = program, place
        self._names: dict = {}  # {whatever: a number}
        self._counts: dict = {}
        self._ids: dict = {}  # {tensor: (what it is, the device that has it, or None)}
        self.streams: dict = {}  # {Stream: the places of those who draw from it}
        self._within: set = set()  # streams that are drawn from inside of nodes
        users: dict = {}
        made = {t for n in nodes for t in n.outputs}
        for n in nodes:
            for t in self.used(n):
                if t not in made:
                    users.setdefault(t, set()).add(place[n])
            self._note_streams(n, program, place[n], False)
        self._share(nodes, users)
        self._name_outside(users)

    def _note_streams(
        self, n: "Node", program: "Program", place: Any, within: bool
    ) -> None:
        stream = _stream(n)
        if stream is not None:
            self.streams.setdefault(stream, set()).add(place)
            self._within.update([stream] if within else [])
        for inner, body in _bodies(n, program):
            self._note_streams(inner, body, place, True)

    def _share(self, nodes: "list[Node]", users: dict) -> None:
        """What changes one variable of several devices changes others for all, too."""
        changed = True
        while changed:
            changed = False
            for n in nodes if any(map(_common, users.values())) else ():
                found = self.handles(n) if self.writes(n) else []
                apart = [t for t in found if t in users and not _common(users[t])]
                if apart and len(apart) < len(found):
                    changed = True
                    for t in apart:
                        users[t].add(None)

    def _name_outside(self, users: dict) -> None:
        self.outside: dict = {}  # {name: {place: tensor}}
        counts: dict = {}
        by_age = sorted(users, key=lambda t: t.op.index if is_handle(t) else -1)
        for t in by_age:
            if _common(users[t]):
                self._ids[t] = ("all", self._number(t)), None
                continue
            (p,) = users[t]
            cell = t.op.attrs.get("cell") if is_handle(t) else None
            kind = t.dtype, getattr(cell, "dtype", None), getattr(cell, "shape", None)
            i = counts[p, kind] = counts.get((p, kind), -1) + 1
            name = self._number(("outside", kind, i))
            self.outside.setdefault(name, {})[p] = t
            self._ids[t] = ("row", name, 0), p

    def _number(self, what: Any) -> int:
        return self._names.setdefault(what, len(self._names))

    # ------------------------------------------------------------- of one node
    def of(self, n: "Node") -> tuple[Any, set]:
        """The key of a node; the devices that have its inputs."""
        places: set = set()

        def ident(t: "GraphTensor") -> Any:
            found, p = self._ident(t, self.program)
            places.update([] if p is None else [p])
            return found if p is None else (found, p == self.place[n] or p)

        return self._number(self._key(n, self.program, ident)), places

    def name_of(self, place: int, key: int) -> int:
        """The name of the row of a node: which node with this key it is there."""
        i = self._counts[place, key] = self._counts.get((place, key), -1) + 1
        return self._number(("node", key, i))

    def put(self, n: "Node", kind: str, name: Any, place: Any) -> None:
        """Say what the outputs of a node are."""
        name = name if kind == "row" else self._number(name)
        for i, t in enumerate(n.outputs):
            self._ids[t] = (kind, name, i), place

    def used(self, n: "Node") -> "list[GraphTensor]":
        """The tensors that a node uses and that are no constants."""
        found = dict.fromkeys(used_by(n, self.program))
        fed, const = self.program.fed, self.program.const
        return [t for t in found if t in fed or is_handle(t) or const(t) is None]

    def handles(self, n: "Node") -> "list[GraphTensor]":
        """The handles of the variables that a node touches."""
        return [t for t in self.used(n) if is_handle(t)]

    def writes(self, n: "Node") -> bool:
        """Whether a node may change variables."""
        op = n.opdef
        return (op.writes_cell if op.step else has_effects(n)) and bool(self.handles(n))

    def changes_shared(self, n: "Node") -> bool:
        """Whether a node changes variables, and only those of several devices."""
        found = self.handles(n) if self.writes(n) else []
        return bool(found) and all(self._ids[t][1] is None for t in found)

    def shared_stream(self, n: "Node") -> Any:
        """The Stream of several devices that a node draws from, or None."""
        stream = _stream(n)
        return stream if _common(self.streams.get(stream, {0})) else None

    def own_streams(self, n: "Node") -> list:
        """The Streams of a node and of what is inside of it that are its device's."""
        found = [_stream(n), *map(_stream, _inside(n, self.program))]
        return [s for s in found if s is not None and not _common(self.streams[s])]

    def draws_within(self) -> bool:
        """Whether a Stream of several devices is drawn from inside of a node."""
        return any(_common(self.streams[s]) for s in self._within)

    def _ident(self, t: "GraphTensor", program: "Program") -> tuple:
        t = program.resolve(t)
        value = None if is_handle(t) else program.const(t)
        return (_frozen(value), None) if value is not None else self._ids[t]

    def _key(self, n: "Node", program: "Program", ident: Callable) -> tuple:
        op, skip = n.opdef, set[Any]()
        if n.type == "PartitionedCall":
            skip = {"f", "outputs"}
        stream = _stream(n)
        if stream is not None:
            skip = {op.cell, "seed", "seed2"}
        attrs = [(k, _frozen(v)) for k, v in sorted(n.attrs.items()) if k not in skip]
        shared = stream if stream is not None and self.shared_stream(n) else None
        return (
            op, tuple(n.counts or ()), tuple(t.dtype for t in n.outputs), tuple(attrs),
            id(shared), tuple(ident(t) for t in n.inputs),
            tuple(self._body_key(b, p, ident) for b, p in _programs(n, program)),
        )  # fmt: skip

    def _body_key(self, body: "Program", params: Any, ident: Callable) -> tuple:
        """The key of what is inside of a node."""
        own: dict = {p: ("param", i) for i, p in enumerate(params)}

        def inner(t: "GraphTensor") -> Any:
            t = body.resolve(t)
            if t in own:
                return own[t]
            value = None if is_handle(t) else body.const(t)
            return ident(t) if value is None else _frozen(value)

        keys = []
        for i, n in enumerate(n for n in body.nodes if not is_known(n, body)):
            keys.append(self._key(n, body, inner))
            own.update((t, ("node", i, j)) for j, t in enumerate(n.outputs))
        fetches = (None if t is None else inner(t) for t in body.fetches)
        return (*keys, *fetches)


def _common(places: Any) -> bool:
    """Whether several devices use something, or who is on none."""
    return None in places or len(places) > 1


def _stream(n: "Node") -> Any:
    op = n.opdef
    if not (op.step and isinstance(op.cell, str) and op.home is None):
        return None
    return n.attrs.get(op.cell)


def _programs(n: "Node", program: "Program") -> "Iterator[tuple]":
    """(Program, its parameters) of each of those inside of a node."""
    for r in regions(n):
        yield program.bodies[r], r.params
    if n.type == "PartitionedCall":
        inner = n.extra.program(n)
        yield inner, inner.feeds


def _bodies(n: "Node", program: "Program") -> "Iterator[tuple]":
    for body, _ in _programs(n, program):
        yield from ((inner, body) for inner in body.nodes)


def _inside(n: "Node", program: "Program") -> "Iterator[Node]":
    for inner, body in _bodies(n, program):
        yield inner
        yield from _inside(inner, body)


def _frozen(value: Any) -> Any:
    """A value of an attribute or constant in a form that can be compared."""
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype.kind == "O":
            return "objects", tuple(np.ravel(value).tolist())
        data = value.tobytes()
        text = data if len(data) <= _SMALL else hashlib.blake2b(data).digest()
        return value.dtype.str, value.shape, text
    if isinstance(value, list | tuple):
        return tuple(_frozen(v) for v in value)
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value
