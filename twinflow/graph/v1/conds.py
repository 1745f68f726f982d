"""What depends on a Switch becomes a Cond (Note [Blocks]).

A node is alive if all that it takes is, so what it depends on are the sides of the
predicates of the Switches above it: its guard, a tuple of (predicate, side). A Merge
joins two guards that differ in one side. Nodes with a guard that are connected, or hang
on one predicate node, make one Cond, unless it would then wait for itself.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from twinflow.formats import protos
from twinflow.graph.v1.loops import Loop, names_of
from twinflow.graph.v1.nodes import MERGE, SWITCH, Edges, Irregular, Item, in_order

if TYPE_CHECKING:
    from twinflow.graph.v1.nodes import Alias


class Cond:
    """A branch.

    Attributes:
        pred: the key of the predicate. then, orelse: blocks.
        merges: (Item of a Merge, the key if the predicate holds, the key if not).
        controls: the names of the nodes that run before.
        awaited: the names of the nodes inside that others outside wait for: (those of
            then, those of orelse).
    """

    op = "Cond"

    def __init__(self, name: str, pred: tuple, place: int) -> None:
        self.name, self.pred, self.place = name, pred, place
        self.then: list = []
        self.orelse: list = []
        self.merges: list = []
        self.controls: tuple = ()
        self.awaited: tuple = ((), ())


def nested(items: list, alias: "Alias") -> list:
    """A block without Switches and Merges: they became Conds, in loops as well.

    What are no branches stays as it is; see Note [Dead tensors] in ops.arrays.switch.

    Args:
        items: the block, in order. alias: the Alias, which is filled.
    """
    for item in items:
        if isinstance(item, Loop):
            item.test = nested(item.test, alias)
            item.body = nested(item.body, alias)
    if not any(i.op in (*SWITCH, *MERGE) for i in items):
        return items
    before = dict(alias.keys), dict(alias.nodes)
    try:
        return _branches(_waiting_apart(items, alias), alias)
    except Irregular:
        alias.keys, alias.nodes = before
        return [part for item in items for part in _as_it_is(item)]


def _branches(items: list[Item], alias: "Alias") -> list[Item]:
    guards = _Guards(items, alias)
    rest = [i for i in items if i.op not in SWITCH and i not in guards.never]
    return _Nest(guards, rest).block(rest, ())


def _as_it_is(item: Any) -> list:
    """A constant that waits for a branch becomes an Identity that does."""
    if item.op != "Const" or not item.controls:
        return [item]
    name = f"{item.name}/value"
    proto = protos.NodeDef()
    proto.CopyFrom(item.proto)
    proto.name = name
    del proto.input[:]
    const = Item(name, "Const", (), (), item.place, proto)
    return [const, Item(item.name, "Identity", [(name, 0)], item.controls, item.place)]


def _waiting_apart(items: list[Item], alias: "Alias") -> list[Item]:
    """Switches that wait for nodes take their data from an Identity that does."""
    out = []
    for item in items:
        if item.op in SWITCH and item.controls:
            name = f"{item.name}/waiting"
            data, pred = item.inputs
            out.append(Item(name, "Identity", [data], item.controls, item.place))
            item = Item(item.name, item.op, [(name, 0), pred], (), item.place)
        out.append(item)
    return out


class _Guards:
    """The guard of every node of a block.

    Attributes:
        of: {Item: guard}. never: the Items that can never be alive.
        merged: {Item of a Merge: (literal, key if it holds, key if not)}.
        hangs: {Item: the Switches that it takes}.
        literals: {literal: its number}, in order of appearance.
        waits: {Switch: the names of the nodes that its predicate waits for}.
        awaited: the Items that a ControlTrigger waits for.
    """

    def __init__(self, items: list[Item], alias: "Alias") -> None:
        self.alias, self.edges = alias, Edges(items, alias)
        self.of: dict = {}
        self.never: set = set()
        self.merged: dict = {}
        self.hangs: dict = {}
        self.literals: dict = {}
        self.waits: dict = {}
        self.awaited: set = set()
        self.roots: dict = {}
        self.raw = dict(self.edges.home)
        for item in items:
            self._find(item)

    def _find(self, item: Item) -> None:
        if item.op in MERGE:
            self._merge(item)
            return
        parts = [self.key(k) for k in item.inputs]
        if item.op == "ControlTrigger":  # it runs whatever it waits for
            self.awaited.update(self.edges.nodes(item.controls))
        else:
            parts += [self._control(n) for n in item.controls]
        guard = self._union(parts)
        if guard is None:
            self.never.add(item)
        self.of[item] = guard
        self.hangs[item] = self._switches(item)
        if item.op in SWITCH:
            self._switch(item, guard)

    def key(self, key: tuple) -> tuple[tuple, ...]:
        """The guard of a tensor; None if it is never there."""
        item = self.raw.get(key[0])
        if item is None:
            under = self.alias.keys.get(key)
            return () if under is None else self.key(under)
        guard = self.of[item]
        if item.op not in SWITCH or guard is None:
            return guard
        return self._union([guard, ((self.roots[item], bool(key[1])),)])

    def _control(self, name: str) -> tuple:
        found = [self.raw[n] for n in self.alias.names(name) if n in self.raw]
        return self._union([self.of[i] for i in found])

    def _union(self, parts: list[tuple]) -> Any:
        found: dict = {}
        for part in parts:
            if part is None:
                return None
            for literal, side in part:
                if found.setdefault(literal, side) is not side:
                    return None
        return tuple(sorted(found.items(), key=lambda p: self.literals[p[0]]))

    def _switch(self, item: Item, guard: tuple) -> None:
        data, pred = item.inputs
        around = self.key(pred) or ()
        root, waits = self.root(pred)
        literal = (root, frozenset(around))
        self.literals.setdefault(literal, len(self.literals))
        self.waits[item] = waits
        self.roots[item] = literal
        self.alias.keys[item.name, 0] = self.alias.keys[item.name, 1] = data
        self.alias.nodes[item.name] = (data[0],)

    def root(self, key: tuple) -> tuple[Sequence, ...]:
        """A predicate behind Identities and Switches, and what those wait for."""
        waits: list = []
        while True:
            key = self.alias.key(key)
            item = self.raw.get(key[0])
            if item is None or item.op not in ("Identity", *SWITCH):
                return key, waits
            waits += item.controls
            key = item.inputs[0]

    def _switches(self, item: Item) -> list[Item]:
        found = (self.raw.get(k[0]) for k in item.inputs)
        return [s for s in found if s is not None and s.op in SWITCH]

    def preds(self, item: Item) -> set[tuple]:
        """The predicates, as they are written, of the Switches that `item` takes."""
        pairs = (s.inputs for s in self.hangs[item])
        return {pred for data, pred in pairs if data != pred}

    def waited(self, item: Item, literal: tuple) -> list:
        """What the Switches on a predicate that `item` takes wait for."""
        found = (s for s in self.hangs[item] if self.roots.get(s) == literal)
        return [name for s in found for name in self.waits[s]]

    def _merge(self, item: Item) -> None:
        guards = [(self.key(k), k) for k in item.inputs]
        alive = [(g, k) for g, k in guards if g is not None]
        self.hangs[item] = self._switches(item)
        if not alive:
            self.never.add(item)
            self.of[item] = None
            return
        if len(alive) == 1:
            self.of[item] = alive[0][0]
            self.alias.keys[item.name, 0] = alive[0][1]
            self.alias.nodes[item.name] = (alive[0][1][0],)
            self.never.add(item)
            return
        if len(alive) > 2:
            raise Irregular(f"The Merge {item.name!r} joins {len(alive)} tensors.")
        (a, k1), (b, k2) = alive
        differ = [pair for pair in a if pair not in b]
        if (
            len(a) != len(b)
            or len(differ) != 1
            or (differ[0][0], not differ[0][1]) not in b
        ):
            raise Irregular(
                f"The Merge {item.name!r} does not join the two sides of a Switch."
            )
        ((literal, side),) = differ
        self.of[item] = tuple(pair for pair in a if pair[0] != literal)
        self.merged[item] = (literal, k1, k2) if side else (literal, k2, k1)


class _Nest:
    """Guards as blocks in blocks."""

    def __init__(self, guards: _Guards, items: list[Item]) -> None:
        self.guards = guards
        self.edges = Edges(items, guards.alias)

    def block(self, items: list[Item], around: Any) -> list[Item]:
        """The block of `items`, whose guards all begin with `around`."""
        groups: dict = {}
        for item in items:
            groups.setdefault(self._literal(item, around), []).append(item)
        for join in (True, False):
            units = [_Unit([i], None) for i in groups.get(None, ())]
            for literal, group in groups.items():
                if literal is not None:
                    parts = self._parts(literal, group, join)
                    units += [_Unit(part, literal) for part in parts]
            order, circle = self._sorted(units)
            if not circle:
                break
        if circle:
            names = names_of([u.items[0] for u in circle])
            raise Irregular(f"Branches wait for each other: {names}")
        return [self._made(u, around) for u in order]

    def _literal(self, item: Item, around: tuple) -> tuple | None:
        """The predicate of the Cond that `item` belongs to, or None: to the block."""
        inside = [lit for lit, _ in self.guards.of[item] if lit not in dict(around)]
        if inside:
            return inside[0]
        return self.guards.merged.get(item, (None,))[0]

    def _ends(self, item: Item, literal: tuple | None) -> Any:
        """Whether `item` is a Merge that a Cond on `literal` ends with."""
        return literal and self.guards.merged.get(item, (None,))[0] == literal

    def _parts(self, literal: tuple, group: list[Item], join: bool) -> list[list]:
        """The nodes of a group that belong together; `join` by predicates, too."""
        parent = {item: item for item in group}

        def top(item: Item) -> Item:
            while parent[item] is not item:
                item = parent[item]
            return item

        asked: dict = {}
        for item in group:
            near = [b for b in self._needs(item) if b in parent]
            near = [b for b in near if not self._ends(b, literal)]
            if join:
                near += [asked.setdefault(p, item) for p in self.guards.preds(item)]
            for other in near:
                parent[top(item)] = top(other)
        parts: dict = {}
        for item in group:
            parts.setdefault(top(item), []).append(item)
        return list(parts.values())

    def _sorted(self, units: "list[_Unit]") -> tuple[list, ...]:
        home = {i: u for u in units for i in u.items}
        torn = [u for u in units if self._waits_for_itself(u)]
        if torn:
            return units, torn

        def before(unit: "_Unit") -> "Iterator[_Unit]":
            for item in unit.items:
                for b in self._needs(item):
                    if b in home:
                        yield home[b]

        return in_order(units, before)

    def _waits_for_itself(self, unit: "_Unit") -> bool:
        ends = {i for i in unit.items if self._ends(i, unit.literal)}
        return any(b in ends for i in unit.items for b in self.edges.before(i))

    def _needs(self, item: Item) -> Iterator[Item]:
        yield from self.edges.before(item)
        literals = [literal for literal, _ in self.guards.of[item]]
        for literal in (*literals, *self.guards.merged.get(item, ())[:1]):
            found = self.edges.of(literal[0])
            if found is not None:
                yield found
            yield from self.edges.nodes(self.guards.waited(item, literal))

    def _made(self, unit: "_Unit", around: tuple[tuple, ...]) -> Any:
        items, literal = unit.items, unit.literal
        if literal is None:
            return items[0]
        merged = self.guards.merged
        cond = Cond(items[0].name, literal[0], min(i.place for i in items))
        waits = [n for i in items for n in self.guards.waited(i, literal)]
        cond.controls = tuple(dict.fromkeys(waits))
        sides: dict = {True: [], False: []}
        for item in items:
            guard = dict(self.guards.of[item])
            if literal in guard:
                sides[guard[literal]].append(item)
            else:
                cond.merges.append((item, *merged[item][1:]))
        awaited = self.guards.awaited
        cond.awaited = tuple(
            [i.name for i in sides[s] if i in awaited] for s in (True, False)
        )
        known = dict(around)
        cond.then, cond.orelse = (
            self.block(sides[s], tuple({**known, literal: s}.items()))
            for s in (True, False)
        )
        return cond


class _Unit:
    """Nodes that become one entry of a block: a node, or the Cond of a literal."""

    def __init__(self, items: list[Item], literal: Any) -> None:
        self.items, self.literal = items, literal
        self.place = min(i.place for i in items)
