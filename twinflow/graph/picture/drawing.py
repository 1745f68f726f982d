"""What is drawn: boxes within boxes, and lines between them; from a tree of a graph."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import frames
from twinflow.graph.picture.fold import fold, is_late
from twinflow.graph.picture.text import summary
from twinflow.graph.picture.tree import Item, Tree, kind_text, place_text
from twinflow.graph.program import regions

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor, Node

MOST_BOXES = 40
_LONGEST = 26  # letters of one line in a box


class Box:
    """Something drawn, with a place once it is laid out.

    Attributes:
        kind: see picture.tree.Item; "layer" for those of Keras. lines: its texts.
        tip: what is shown when the mouse rests on it. boxes: what is drawn inside.
        x, y, width, height: the corner on the left above, and the size, in pixels.
    """

    __slots__ = (
        "boxes", "height", "kind", "lines", "parent", "tip", "width", "x", "y",
    )  # fmt: skip

    def __init__(
        self, kind: str, lines: list[str], tip: str = "", parent: "Box | None" = None
    ) -> None:
        self.kind, self.lines, self.tip, self.parent = kind, lines, tip, parent
        self.boxes: list[Box] = []
        self.x = self.y = self.width = self.height = 0.0
        if parent is not None:
            parent.boxes.append(self)

    def around(self) -> "Iterator[Box]":
        """This box and those around it, from the inside outwards."""
        found: Box | None = self
        while found is not None:
            yield found
            found = found.parent


class Line:
    """A connection of two boxes.

    Attributes:
        start, end: the boxes. text: beside it. waits: whether it is a control edge.
        points: its corners, once it is laid out.
    """

    __slots__ = ("end", "faint", "points", "start", "text", "waits")

    def __init__(
        self, start: Box, end: Box, text: str = "", waits: bool = False,
        faint: bool = False,
    ) -> None:  # fmt: skip
        self.start, self.end, self.text = start, end, text
        self.waits, self.faint = waits, faint
        self.points: list = []


class Drawing:
    """Boxes and lines; `root` holds all boxes, its first line is the title."""

    def __init__(self, title: str) -> None:
        self.root = Box("root", [title])
        self.lines: list[Line] = []


def of_graph(graph: Any, most: int = MOST_BOXES) -> Drawing:
    """The drawing of a Graph, scopes folded so that it has about `most` boxes."""
    tree = Tree(graph)
    fold(tree, most)
    drawing = Drawing(summary(graph))
    boxes: dict = {tree.root: drawing.root}
    for item in tree.root.items:
        _add_box(item, drawing.root, boxes)
    _Lines(tree, boxes, drawing).add(graph)
    return drawing


def _add_box(item: Item, parent: Box, boxes: dict) -> None:
    box = boxes[item] = Box(item.kind, _texts(item), _tip(item), parent)
    inner_home = box if item.shown else None
    for inner in item.items:
        if inner_home is None:
            _inside(inner, box, boxes)
        else:
            _add_box(inner, box, boxes)


def _inside(item: Item, box: Box, boxes: dict) -> None:
    """What is folded away is drawn as the box that it is in."""
    boxes[item] = box
    for inner in item.items:
        _inside(inner, box, boxes)


def _texts(item: Item) -> list[str]:
    node, name = item.node, item.name
    if item.items:
        what = node.type if item.kind == "flow" and node is not None else ""
        title = f"{name} ({what})" if what and what.lower() != name.lower() else name
        if item.kind == "lines":
            title = name or place_text(node) or "ops"
        if item.kind == "call" and node is not None:
            title = f"{name}: call of {node.attrs['f'].name}"
        return [_cut(title)] if item.shown else [_cut(title), f"{item.count} nodes"]
    if item.kind == "op" and node is not None:
        plain = name.rstrip("_0123456789").lower() == node.type.lower()
        second = item.detail if plain else f"{node.type}{item.detail}"
        return [_cut(name), _cut(second)] if second else [_cut(name)]
    if item.kind in ("variable", "constant"):
        return [_cut(name), _cut(item.detail or kind_text(item.tensor))]
    return [_cut(name)]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _tip(item: Item) -> str:
    node = item.node
    if node is None:
        return item.name
    found = [f"{node.name} = {node.type}{item.detail}"]
    found += [f"{t.name}: {kind_text(t)}" for t in node.outputs[:8]]
    if node.frames:
        pair = node.frames[0]
        found += [frames.format_frame(pair), frames.source_line(pair)]
    return "\n".join(filter(None, found))


class _Lines:
    """The lines of a drawing: each pair of boxes once, with how much goes there."""

    def __init__(self, tree: Tree, boxes: dict, drawing: Drawing) -> None:
        self.tree, self.boxes, self.drawing = tree, boxes, drawing
        self.found: dict = {}
        self.waits: dict = {}
        self.late = {b for i, b in boxes.items() if is_late(i)}

    def add(self, graph: Any) -> None:
        """All lines of a graph and of the functions that are shown in it."""
        for node in self.tree.home:
            end = self._box(node)
            if end is None:
                continue
            for t in node.inputs:
                self._connect(t, end, node)
            for before in node.control_inputs:
                start = self._box(before)
                if start is not None:
                    self.waits[start, end] = None
        for item, t in self.tree.outputs.items():
            self._connect(t, self.boxes[item], None)
        for (start, end), tensors in self.found.items():
            text = "" if start.kind == "variable" else _flow_text(list(tensors))
            faint = self._is_late(end) != self._is_late(start)
            self.drawing.lines.append(Line(start, end, text, faint=faint))
        for start, end in self.waits:
            needless = (start, end) in self.found or end in self.late
            if not needless and _apart(start, end):
                self.drawing.lines.append(Line(start, end, waits=True))

    def _is_late(self, box: Box) -> bool:
        """Whether a box is or lies in a scope of gradients, savers or reports."""
        return any(b in self.late for b in box.around())

    def _connect(self, t: "GraphTensor", end: Box, node: "Node | None") -> None:
        start = self._box(t.op)
        if start is None or not _apart(start, end):
            return
        item = self.tree.home.get(t.op)
        if node is not None and item is not None and item is self.tree.home.get(node):
            return
        if start.kind == "variable" and t.dtype.name != "resource":
            self.found.setdefault((start, end), {}).setdefault(t, None)
        else:
            self.found.setdefault((start, end), {})[t] = None

    def _box(self, node: "Node") -> Box | None:
        item = self.tree.home.get(node)
        return None if item is None else self.boxes.get(item)


def _apart(start: Box, end: Box) -> bool:
    """Whether neither box lies in the other."""
    return start not in end.around() and end not in start.around()


def _flow_text(tensors: list) -> str:
    if len(tensors) > 1 and len({kind_text(t) for t in tensors}) > 1:
        return f"{len(tensors)} tensors"
    text = kind_text(tensors[0])
    behind = regions(tensors[0].op)
    text = text if text or not behind else ""
    return text if len(tensors) == 1 else f"{len(tensors)} of {text}"
