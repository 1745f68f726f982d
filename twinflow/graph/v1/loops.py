"""Frames become Loops: a test and a body, each a block (Note [Blocks])."""

from typing import TYPE_CHECKING, Any

from twinflow.base.op_lookup import known_op
from twinflow.graph.v1.nodes import (
    ENTER,
    EXIT,
    MERGE,
    NEXT,
    SWITCH,
    Edges,
    Irregular,
    Item,
    in_order,
)

if TYPE_CHECKING:
    from twinflow.graph.v1.nodes import Alias


class Variable:
    """A variable of a loop.

    Attributes:
        merge: the name of its Merge. first, next: the keys of its first value (outside)
            and of its next one (in the body).
        exits: the names of its Exits. over: names that stand for the false side of its
            Switches.
    """

    def __init__(self, merge: str, first: tuple, following: tuple) -> None:
        self.merge, self.first, self.next = merge, first, following
        self.exits: list = []
        self.over: list = []


class Loop:
    """A while loop.

    Attributes:
        name: that of its frame. variables: in the order of the GraphDef.
        go: the key of whether to go on. test, body: blocks.
        inputs: the keys of all tensors that go in.
    """

    def __init__(self, name: str, place: int) -> None:
        self.name, self.place = name, place
        self.variables: list = []
        self.inputs: list = []
        self.controls: tuple = ()
        self.test: list = []
        self.body: list = []
        self.go: tuple | None = None

    op = "Loop"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the nodes whose tensors this gives."""
        return tuple(e for v in self.variables for e in (*v.exits, *v.over))


class _Frame:
    def __init__(self, name: str, parent: Any) -> None:
        self.name, self.parent = name, parent
        self.depth = 0 if parent is None else parent.depth + 1
        self.members: list = []


def without_loops(items: list[Item], alias: Any) -> list:
    """The block of a graph with its frames as Loops.

    Args:
        items: the Items of a GraphDef. alias: the Alias, which is filled.
    Raises:
        Irregular: a frame is not a while loop.
    """
    root, frames = _frames(items, alias)
    for frame in sorted(frames, key=lambda f: -f.depth):
        found = _Recovery(frame, alias)
        frame.parent.members += [found.loop, *found.after]
    return _sorted(root.members, alias)


def _sorted(items: list, alias: "Alias") -> list:
    found, rest = in_order(items, Edges(items, alias).before)
    if rest:
        raise Irregular(f"These nodes wait for each other: {names_of(rest)}")
    return found


def names_of(items: list[Item]) -> str:
    """The names of some nodes, for a message."""
    names = [i.name for i in items]
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(map(repr, names[:8])) + more


def in_order_of_frames(items: list[Item], alias: "Alias") -> list[Item]:
    """The nodes, each after what it takes; a NextIteration is what a Merge takes later.

    Raises:
        Irregular: nodes wait for each other.
    """
    edges = Edges(items, alias)

    def before(item: Item) -> list[Item]:
        return [b for b in edges.before(item) if b.op not in NEXT]

    order, rest = in_order(items, before)
    if rest:
        raise Irregular(f"These nodes wait for each other: {names_of(rest)}")
    return order


def _frames(items: list[Item], alias: "Alias") -> tuple:
    """The frame of every node; an Exit lies in the frame that it leaves."""
    root = _Frame("", None)
    frames: dict = {}
    place: dict = {}
    edges = Edges(items, alias)
    for item in in_order_of_frames(items, alias):
        before = [b for b in edges.before(item) if b.op not in NEXT]
        around = [_left(b, place[b]) for b in before]
        frame = max(around, key=lambda f: f.depth, default=root)
        if item.op in ENTER:
            name = item.proto.attr["frame_name"].s.decode()
            frame = frames.setdefault((frame, name), _Frame(name, frame))
        place[item] = frame
        frame.members.append(item)
    return root, list(frames.values())


def _left(item: Item, frame: _Frame) -> _Frame:
    return frame.parent or frame if item.op in EXIT else frame


class _Recovery:
    """One frame being read."""

    def __init__(self, frame: _Frame, alias: "Alias") -> None:
        self.frame, self.alias = frame, alias
        self.all = {name: m for m in frame.members for name in m.names}
        self.loop = Loop(frame.name, min(m.place for m in frame.members))
        self.left: set = set()  # the keys of what a Switch gives once the loop is over
        self.going: set = set()  # the keys of what it gives in an iteration
        self.kept: list = []
        self.after: list = []  # nodes that run when the loop is over
        self._variables()
        self._enters()
        self._switches()
        self._parts()
        self._exits()

    def _of(self, op: tuple[str, ...]) -> list[Item]:
        return [m for m in self.frame.members if m.op in op]

    def _fail(self, item: Any, why: Any) -> Any:
        raise Irregular(
            f"The frame {self.frame.name!r} is not a while loop: {item.name!r} "
            f"({item.op}) {why}."
        )

    def _variables(self) -> None:
        self.merges = {}
        for m in self._of(MERGE):
            kinds = [self.all[n].op if n in self.all else "" for n, _ in m.inputs]
            back = [k in NEXT for k in kinds]
            if not any(back):
                continue
            if len(kinds) != 2 or not any(k in ENTER for k in kinds):
                self._fail(m, "does not join a first value and a next one")
            first, last = m.inputs[back.index(False)], m.inputs[back.index(True)]
            self.merges[m.name] = Variable(m.name, first, self._next(last))
            self.alias.nodes[m.name] = ()
        self.loop.variables = list(self.merges.values())

    def _next(self, key: tuple) -> tuple:
        """The next value, from a NextIteration."""
        item = self.all[key[0]]
        self._pass_on(item, self.kept, 0)
        return key

    def _pass_on(self, item: Item, members: list, place: int) -> None:
        """Take `item` as what it passes on, or as an Identity if it waits for more."""
        source = item.inputs[place]
        if item.controls:
            members.append(_identity(item, source))
        else:
            self.alias.keys[item.name, 0] = source
            self.alias.nodes[item.name] = (source[0],)

    def _enters(self) -> None:
        for e in self._of(ENTER):
            self.loop.inputs.append(e.inputs[0])
            self._pass_on(e, self.frame.parent.members, 0)
            if e.controls:
                self.loop.inputs.append((e.name, 0))

    def _switches(self) -> None:
        found = self._of(("LoopCond",))
        if len(found) != 1:
            raise Irregular(
                f"The frame {self.frame.name!r} is not a while loop: it has "
                f"{len(found)} LoopConds. Its nodes: {names_of(self.frame.members)}"
            )
        self.loop.go = found[0].inputs[0]
        self.cond = found[0]
        self._pass_on(found[0], self.kept, 0)
        self.own = {s for s in self._of(SWITCH) if self._asks(s, found[0].name)}
        for s in self.own:
            name, place = s.inputs[0]
            if name not in self.merges or place:
                self._fail(s, "does not take a variable of the loop")
            self.left.add((s.name, 0))
            self.going.add((s.name, 1))
            self.alias.keys[s.name, 0] = (f"{s.name}/end", 0)
            self.alias.keys[s.name, 1] = (name, 0)
            self.alias.nodes[s.name] = ()
            self.merges[name].over.append(f"{s.name}/end")

    def _asks(self, switch: Item, cond: str) -> bool:
        name = switch.inputs[1][0]
        while name in self.all and self.all[name].op == "Identity":
            name = self.all[name].inputs[0][0]
        return name == cond

    def _exits(self) -> None:
        names = {i.name for i in self.after}
        for e in self._of(EXIT):
            source = e.inputs[0]
            if source in self.left:
                switch = self.all[source[0]]
                self.merges[switch.inputs[0][0]].exits.append(e.name)
            elif source[0] in names:
                self.alias.keys[e.name, 0] = source
                self.alias.nodes[e.name] = (source[0],)
            else:
                self._fail(e, "does not take the end of a variable")

    def _parts(self) -> None:
        """Test, body, and what comes after; what several of them need is in all."""
        gone = {
            *self.own,
            self.cond,
            *self._of(ENTER),
            *self._of(EXIT),
            *self._of(NEXT),
        }
        gone |= {self.all[name] for name in self.merges}
        items = [m for m in self.frame.members if m not in gone] + self.kept
        items = _sorted(items, self.alias)
        edges = Edges(items, self.alias)
        body = self._later(items, edges, self.going)
        after = self._later(items, edges, self.left)
        asked = edges.needed([edges.of(self.loop.go)])
        for item in items:
            if (item in body) + (item in after) + (item in asked) > 1:
                self._fail(item, "takes what is only there at different times")
        free = {i for i in items if i not in body and i not in after}
        test = asked | {i for i in free if _stateful(i)}
        ends = [edges.of(v.next) for v in self.loop.variables]
        parts = [test, edges.needed([*ends, *body]), edges.needed(after)]
        for item in items:
            if _stateful(item) and sum(item in part for part in parts) > 1:
                self._fail(item, "has an effect, and is needed at different times")
        ordered = [[i for i in items if i in part] for part in parts]
        self.loop.test, self.loop.body, self.after = ordered
        wrong = after & set(self.loop.body) or body & set(self.after)
        if wrong:
            self._fail(wrong.pop(), "is needed at different times")

    def _later(self, items: list[Item], edges: Edges, keys: set[tuple]) -> set[Item]:
        """The items that depend on one of `keys`."""
        found: set = set()
        for item in items:
            direct = not keys.isdisjoint(item.inputs)
            if direct or not found.isdisjoint(edges.before(item)):
                found.add(item)
        return found


def _stateful(item: Item) -> bool:
    op = known_op(item.op)
    return op is not None and op.stateful and item.op != "NoOp"


def _identity(item: Any, source: Any) -> Any:
    return Item(item.name, "Identity", [source], item.controls, item.place)
