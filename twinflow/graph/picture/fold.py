"""Which items of a tree are shown: as many as fit, outer ones first."""

import heapq
import itertools
from collections import defaultdict

from twinflow.graph.picture.tree import Item, Tree, line_of

_LATE = ("gradients", "save", "report_uninitialized_variables", "init")
_APPLY = ("Apply", "ResourceApply", "SparseApply", "ResourceSparseApply")


def fold(tree: Tree, most: int) -> None:
    """Choose `shown` for every item, so that about `most` of them are to be seen.

    Args:
        tree: the Tree; items of one line are put together where there are too many.
        most: how many items may be shown.
    """
    _merge_chains(tree.root)
    _group(tree.root, most)
    count, numbers = len(tree.root.items), itertools.count()
    tree.root.shown = True
    waiting: list = []

    def push(item: Item, depth: int) -> None:
        for inner in item.items:
            if inner.items:
                key = is_late(inner), depth, _size(inner), next(numbers)
                heapq.heappush(waiting, (key, inner))

    push(tree.root, 0)
    while waiting:
        (late, depth, size, _), item = heapq.heappop(waiting)
        if count + size > most or (late and count > most // 3):
            continue
        item.shown = True
        count += size
        if item.kind == "flow":  # its regions go with it
            for region in item.items:
                region.shown = True
                push(region, depth + 2)
        else:
            push(item, depth + 1)


def _size(item: Item) -> int:
    """How many items come into sight where `item` is shown."""
    if item.kind == "flow":
        return sum(1 + len(r.items) for r in item.items)
    return len(item.items)


def is_late(item: Item) -> bool:
    """Whether a scope is of less interest: gradients, updates, savers."""
    if item.kind not in ("scope", "op") or item.parent is None:
        return False
    name = item.name.partition("/")[0].rstrip("_0123456789")
    return name in _LATE or _updates(item) or any(_updates(i) for i in item.items)


def _updates(item: Item) -> bool:
    node = item.node
    return node is not None and node.type.startswith(_APPLY)


def _merge_chains(item: Item) -> None:
    """A scope in which there is one thing alone goes into the name of that."""
    for place, inner in enumerate(item.items):
        while inner.kind == "scope" and len(inner.items) == 1:
            (only,) = inner.items
            if only.kind == "flow" and only.name == inner.name:
                name = only.name
            else:
                name = f"{inner.name}/{only.name}"
            only.name, only.parent = name, item
            only.count = max(only.count, inner.count)
            item.items[place] = inner = only
        _merge_chains(inner)


def _group(item: Item, most: int) -> None:
    """Where there are too many ops side by side, those of one line become one item."""
    for inner in item.items:
        if inner.items:
            _group(inner, most)
    if len(item.items) <= most:
        return
    groups: dict = defaultdict(list)
    for inner in item.items:
        node = inner.node if inner.kind in ("op", "constant") else None
        groups[inner if node is None else line_of(node)].append(inner)
    if len(groups) > most:
        groups = _fewer(groups, most)
    item.items = []
    for members in groups.values():
        if len(members) == 1:
            item.items.append(members[0])
            continue
        made = Item("lines", _name(members), members[0].node, item)
        made.count = sum(m.count for m in members)
        made.items = members
        made.tensor = members[-1].tensor
        for m in members:
            m.parent = made


def _name(members: list[Item]) -> str:
    """What a group is called: nothing where all its nodes are of one line."""
    lines = {None if m.node is None else line_of(m.node) for m in members}
    if len(lines) == 1 and None not in lines:
        return ""
    return f"{members[0].name} ... {members[-1].name}"


def _fewer(groups: dict, most: int) -> dict:
    """At most `most` groups, of what follows upon each other."""
    per = -(-len(groups) // most)
    left, found = list(groups.values()), {}
    for n in range(0, len(left), per):
        found[n] = [m for members in left[n : n + per] for m in members]
    return found
