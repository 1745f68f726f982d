"""NodeDefs with their edges, and the order in which they can be computed."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from typing import Any

SWITCH = ("Switch", "RefSwitch")
MERGE = ("Merge", "RefMerge")
ENTER = ("Enter", "RefEnter")
EXIT = ("Exit", "RefExit")
NEXT = ("NextIteration", "RefNextIteration")
CONTROL_FLOW = (*SWITCH, *MERGE, *ENTER, *EXIT, *NEXT, "LoopCond")


class Irregular(ValueError):
    """Control flow that is neither loops nor branches; the message names the nodes."""


class Item:
    """A node of a GraphDef.

    Attributes:
        name, op: those of the NodeDef. proto: the NodeDef, or None for an Identity that
            stands for a control-flow node.
        inputs: the keys of the tensors that it takes. controls: the names of the nodes
            that run before. place: where it stands in the GraphDef.
    """

    def __init__(
        self, name: str, op: str, inputs: Sequence, controls: Sequence, place: int,
        proto: Any = None,
    ) -> None:  # fmt: skip
        self.name, self.op, self.proto, self.place = name, op, proto, place
        self.inputs, self.controls = list(inputs), list(controls)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the nodes whose tensors this gives."""
        return (self.name,)

    def __repr__(self) -> str:
        return f"<{self.op} {self.name}>"


def item_of(proto: Any, place: int) -> Item:
    """The Item of a NodeDef."""
    inputs = [key_of(i) for i in proto.input if not i.startswith("^")]
    controls = [i[1:] for i in proto.input if i.startswith("^")]
    return Item(proto.name, proto.op, inputs, controls, place, proto)


def key_of(text: str) -> tuple:
    """The key of an input of a NodeDef: "x" is "x:0"."""
    name, colon, index = text.rpartition(":")
    return (name, int(index)) if colon and index.isdigit() else (text, 0)


def in_order(items: list, before: Callable) -> tuple[list, ...]:
    """`items` so that each comes after those that `before(item)` gives, otherwise in
    the order of their places.

    Returns:
        (the items, those that lie on a circle)
    """
    waits = {item: set(before(item)) - {item} for item in items}
    after: dict = {}
    for item, needs in waits.items():
        for need in needs:
            after.setdefault(need, []).append(item)
    ready = [(i.place, n, i) for n, i in enumerate(items) if not waits[i]]
    heapq.heapify(ready)
    numbers = {item: n for n, item in enumerate(items)}
    out = []
    while ready:
        item = heapq.heappop(ready)[-1]
        out.append(item)
        for user in after.get(item, ()):
            waits[user].discard(item)
            if not waits[user]:
                heapq.heappush(ready, (user.place, numbers[user], user))
    done = set(out)
    return out, [i for i in items if i not in done]


class Alias:
    """What the nodes that are no part of a block stand for.

    Attributes:
        keys: {key of a tensor: the key of the one that it passes on}.
        nodes: {name: the names of the nodes that a control edge from it waits for}.
    """

    def __init__(self) -> None:
        self.keys: dict = {}
        self.nodes: dict = {}

    def key(self, key: tuple) -> tuple:
        """The key that `key` stands for."""
        while key in self.keys:
            key = self.keys[key]
        return key

    def names(self, name: str) -> tuple[str, ...]:
        """The names that the control edge from `name` stands for."""
        if name not in self.nodes:
            return (name,)
        return tuple(n for other in self.nodes[name] for n in self.names(other))


class Edges:
    """Who gives a tensor, in one block.

    Args:
        items: those of the block. alias: the Alias.
    """

    def __init__(self, items: list, alias: Alias) -> None:
        self.alias = alias
        self.home = {name: item for item in items for name in item.names}

    def of(self, key: Any) -> Any:
        """The item that gives a tensor, or None: it is from outside."""
        return self.home.get(self.alias.key(key)[0])

    def before(self, item: Item) -> Iterator[Item]:
        """The items of the block that `item` needs."""
        for key in item.inputs:
            found = self.of(key)
            if found is not None:
                yield found
        yield from self.nodes(item.controls)

    def nodes(self, names: list[str]) -> Iterator[Item]:
        """The items of the block that control edges from `names` wait for."""
        for name in names:
            for n in self.alias.names(name):
                if n in self.home:
                    yield self.home[n]

    def needed(self, items: Any) -> set[Item]:
        """Some items of the block (None = none), and all that they need."""
        found: set = set()
        stack = list(items)
        while stack:
            item = stack.pop()
            if item is not None and item not in found:
                found.add(item)
                stack.extend(self.before(item))
        return found
