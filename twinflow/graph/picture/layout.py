"""Places for the boxes of a drawing: each container is laid out on its own.

A line from one container into another passes ports: places without a size at the
border, which take part in the layout of their container, so that it goes around what
else is in there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from twinflow.graph.picture.drawing import Box, Drawing, Line
from twinflow.graph.picture.layers import GAP_X, GAP_Y, THIN, Layers

LETTER, ROW = 6.6, 15.0  # pixels: of one letter on average, of a line of text
_PAD, _TITLE = 14.0, 22.0
_MOST_WIDE = 900.0  # of the rows of boxes that nothing is connected with


@dataclass
class _Inside:
    """What is laid out in one container: pairs of boxes and ports, and its ports."""

    pairs: dict = field(default_factory=dict)  # (start, end) -> whether one is strong
    above: dict = field(default_factory=dict)  # from what comes in to its port
    below: dict = field(default_factory=dict)  # from what goes out to its port

    def connect(self, start: Box, end: Box, strong: bool) -> None:
        self.pairs[start, end] = self.pairs.get((start, end), False) or strong


def lay_out(drawing: Drawing) -> None:
    """Give every box its place and every line its points."""
    inside: dict = {}
    routes = [list(_route(line, inside)) for line in drawing.lines]
    bends: dict = {}
    _size(drawing.root, inside, bends)
    _shift(drawing.root, 0.0, 0.0, inside)
    for line, route in zip(drawing.lines, routes, strict=True):
        line.points = _points(line, route, bends)


def _route(line: Line, inside: dict) -> Iterator[tuple]:
    """The pieces of a line: (container, start, end), those in it registered."""
    ends = list(line.end.around())
    start = line.start
    for box in line.start.around():
        if box in ends:
            break
        if box is not line.start:
            here = inside.setdefault(box, _Inside())
            port = here.below.setdefault(line.start, _port())
            here.connect(start, port, not line.faint)
            yield box, start, port
            start = box
    last, way = box, ends[: ends.index(box)][::-1]
    for place, end in enumerate(way):
        here = inside.setdefault(last, _Inside())
        if place:
            start = here.above.setdefault(line.start, _port())
        here.connect(start, end, not line.faint)
        yield last, start, end
        last = end


def _port() -> Box:
    port = Box("port", [])
    port.width = THIN
    return port


def _size(box: Box, inside: dict, bends: dict) -> None:
    """The size of `box`, and the places of the boxes in it, from its corner."""
    if not box.boxes:
        box.width = max(map(len, box.lines)) * LETTER + 2 * 10
        box.height = len(box.lines) * ROW + 10
        return
    for inner in box.boxes:
        _size(inner, inside, bends)
    here = inside.get(box, _Inside())
    bound = list(dict.fromkeys(b for pair in here.pairs for b in pair))
    numbers = {b: i for i, b in enumerate(bound)}
    pairs = {pair: (numbers[pair[0]], numbers[pair[1]]) for pair in here.pairs}
    layers = Layers(
        [(b.width, b.height) for b in bound], list(pairs.values()),
        [pairs[pair] for pair, strong in here.pairs.items() if strong],
        [numbers[b] for b in here.above.values()],
        [numbers[b] for b in here.below.values()],
    )  # fmt: skip
    for b, i in numbers.items():
        b.x = _PAD + layers.centers[i] - b.width / 2
        b.y = _TITLE + _PAD + layers.tops[i]
    for pair, numbered in pairs.items():
        points = layers.bends[numbered]
        bends[box, *pair] = [(x + _PAD, y + _PAD + _TITLE) for x, y in points]
    alone = [b for b in box.boxes if b not in numbers]
    width, height = _beside(alone, box, layers.width, layers.height)
    title = max(map(len, box.lines)) * LETTER + 10
    box.width = max(width, title) + 2 * _PAD
    box.height = height + 2 * _PAD + _TITLE


def _beside(alone: list, box: Box, width: float, height: float) -> tuple[float, float]:
    """Put what nothing is connected with into rows below: the size with them."""
    if not alone:
        return width, height
    if box.kind == "flow" and width:  # a region beside the other
        for b in alone:
            b.x, b.y = width + GAP_X + _PAD, _TITLE + _PAD + GAP_Y / 3
            width += GAP_X + b.width
            height = max(height, b.height + GAP_Y / 3)
        return width, height
    most = max(width, _MOST_WIDE if box.kind == "root" else 400.0)
    x, high = 0.0, 0.0
    y = height + GAP_Y if height else 0.0
    for b in alone:
        if x and x + b.width > most:
            x, y, high = 0.0, y + high + GAP_Y / 2, 0.0
        b.x, b.y = x + _PAD, y + _TITLE + _PAD
        width = max(width, x + b.width)
        x += b.width + GAP_X
        high = max(high, b.height)
    return width, y + high


def _shift(box: Box, x: float, y: float, inside: dict) -> None:
    """From places within the container to places on the page."""
    box.x += x
    box.y += y
    here = inside.get(box, _Inside())
    for inner in (*box.boxes, *here.above.values(), *here.below.values()):
        _shift(inner, box.x, box.y, inside)


def _points(line: Line, route: list, bends: dict) -> list:
    _, start, end = route[0]
    found: list = []
    for n, (around, start, end) in enumerate(route):
        upward = start.y > end.y + end.height
        if n == 0:
            found.append(_border(line.start, not upward))
        elif start.kind == "port":  # into a container
            found.append((start.x + start.width / 2, around.y))
        found += [(x + around.x, y + around.y) for x, y in bends[around, start, end]]
        if end.kind == "port":  # out of it
            x = end.x + end.width / 2
            found += [(x, end.y), (x, around.y + around.height)]
        elif n == len(route) - 1:
            found.append(_border(line.end, upward))
    return found


def _border(box: Box, below: bool) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + (box.height if below else 0.0)
