"""Places for boxes that are connected: in layers by longest path, with few crossings.

Boxes are numbers here. A line that passes a layer has a narrow box of its own there, so
that it goes around the others.
"""

from collections import defaultdict
from collections.abc import Sequence

GAP_X, GAP_Y = 22.0, 34.0  # between boxes, in pixels
THIN = 8.0  # the width of a line that passes
_SWEEPS = 8
_MOST_ENDS = 400  # of lines below a row, whose crossings are counted


class Layers:
    """The layers of one drawing.

    Args:
        sizes: (width, height) of each box. lines: pairs of numbers of boxes.
        strong: those lines that decide where boxes stand.
        first, last: the boxes that stand in the first and in the last layer.
    Attributes:
        centers: the middle of each box on the x axis. tops: its upper border.
        bends: for each line (start, end) the points between, from above. width, height.
    """

    def __init__(
        self, sizes: Sequence, lines: Sequence, strong: Sequence,
        first: Sequence = (), last: Sequence = (),
    ) -> None:  # fmt: skip
        self.sizes = list(sizes)
        self.count = len(self.sizes)
        down = _without_cycles(self.count, lines)
        self.strong = set(strong)
        self.layer = _longest_paths(self.count, down, set(first))
        low = max(self.layer, default=0)
        for box in last:
            self.layer[box] = low
        self.chains: dict = {}
        self.edges: list = []
        self.weak: set = set()
        self._add_thin(down)
        self.rows = self._rows()
        self._order()
        self._place()
        self._stack()
        self.bends = self._bends(lines)

    def _add_thin(self, down: Sequence) -> None:
        """One thin box for each layer that a line passes; lines of one start share."""
        shared: dict = {}
        for a, b in dict.fromkeys(down):
            before, chain = a, []
            weak = (a, b) not in self.strong and (b, a) not in self.strong
            for n in range(self.layer[a] + 1, self.layer[b]):
                thin = shared.get((a, n))
                if thin is None:
                    thin = shared[a, n] = len(self.sizes)
                    self.sizes.append((THIN, 0.0))
                    self.layer.append(n)
                    self.edges.append((before, thin))
                    if weak:
                        self.weak.add((before, thin))
                chain.append(thin)
                before = thin
            self.edges.append((before, b))
            if weak:
                self.weak.add((before, b))
            self.chains[a, b] = chain

    def _rows(self) -> list[list[int]]:
        rows: list = [[] for _ in range(max(self.layer, default=-1) + 1)]
        for box, n in enumerate(self.layer):
            rows[n].append(box)
        return rows

    # ------------------------------------------------------------------ order
    def _order(self) -> None:
        """Sort each row by the middle of what its boxes are connected with."""
        self.above, self.below = defaultdict(list), defaultdict(list)
        for a, b in self.edges:
            self.above[b].append(a)
            self.below[a].append(b)
        best, fewest = [r[:] for r in self.rows], self._crossings()
        for sweep in range(_SWEEPS):
            down = sweep % 2 == 0
            near = self.above if down else self.below
            for row in self.rows if down else self.rows[::-1]:
                places = self._places()
                middle = {
                    b: _mean([places[n] for n in near[b]], places[b]) for b in row
                }
                row.sort(key=middle.__getitem__)
            crossings = self._crossings()
            if crossings < fewest:
                best, fewest = [r[:] for r in self.rows], crossings
        self.rows = best

    def _places(self) -> dict[int, float]:
        return {
            box: (i + 0.5) / len(row) for row in self.rows for i, box in enumerate(row)
        }

    def _crossings(self) -> int:
        """How many pairs of lines cross; of rows with many lines an estimate."""
        total = 0
        place = {box: i for row in self.rows for i, box in enumerate(row)}
        for row in self.rows:
            ends = [sorted(place[b] for b in self.below[a]) for a in row]
            flat = [e for part in ends for e in part][:400]
            total += sum(
                flat[i] > flat[j]
                for i in range(len(flat))
                for j in range(i + 1, len(flat))
            )
        return total

    # ------------------------------------------------------------------ places
    def _place(self) -> None:
        """Bring boxes near what they are connected with, without an overlap."""
        self.centers = [0.0] * len(self.sizes)
        for row in self.rows:
            x = 0.0
            for box in row:
                self.centers[box] = x + self.sizes[box][0] / 2
                x += self.sizes[box][0] + GAP_X
        for sweep in range(4 * _SWEEPS):
            down = sweep % 2 == 0
            for row in self.rows if down else self.rows[::-1]:
                self._pull(row, sweep)
        left = min((self._left(b) for b in range(len(self.sizes))), default=0.0)
        self.centers = [c - left for c in self.centers]
        ends = (self.centers[b] + self.sizes[b][0] / 2 for b in range(len(self.sizes)))
        self.width = max(ends, default=0.0)

    def _left(self, box: int) -> float:
        return self.centers[box] - self.sizes[box][0] / 2

    def _pull(self, row: list[int], sweep: int) -> None:
        wishes, weights = [], []
        for box in row:
            near = [a for a in self.above[box] if (a, box) not in self.weak]
            near += [b for b in self.below[box] if (box, b) not in self.weak]
            near = near or self.above[box] + self.below[box]
            wishes.append(_mean([self.centers[n] for n in near], self.centers[box]))
            thin = self.sizes[box][1] == 0.0
            weights.append(3.0 if thin else 1.0)
        widths = [self.sizes[b][0] for b in row]
        for box, x in zip(row, _apart(wishes, weights, widths), strict=True):
            self.centers[box] = x

    def _stack(self) -> None:
        """The upper border of each row and box."""
        self.tops = [0.0] * len(self.sizes)
        self.ends = [(0.0, 0.0)] * len(self.sizes)  # above and below their rows
        y = gap = 0.0
        for row in self.rows:
            high = max((self.sizes[b][1] for b in row), default=0.0)
            for box in row:
                self.ends[box] = y, y + high
                self.tops[box] = y + (high - self.sizes[box][1]) / 2
            gap = GAP_Y if high else GAP_Y / 3
            y += high + gap
        self.height = max(y - gap, 0.0)

    def _bends(self, lines: Sequence) -> dict:
        found: dict = {}
        for a, b in lines:
            turned = (a, b) not in self.chains
            chain = self.chains.get((b, a) if turned else (a, b), [])
            points = [(self.centers[t], y) for t in chain for y in self.ends[t]]
            found[a, b] = points[::-1] if turned else points
        return found


def _mean(values: list[float], other: float) -> float:
    return sum(values) / len(values) if values else other


def _apart(wishes: list, weights: list, widths: list) -> list[float]:
    """The centers nearest to `wishes` (least squares) with gaps, in the same order."""
    offsets, x = [], 0.0
    for width in widths:
        x += width / 2
        offsets.append(x)
        x += width / 2 + GAP_X
    blocks: list = []  # [sum of weighted wishes, weight, how many]
    for wish, weight, offset in zip(wishes, weights, offsets, strict=True):
        blocks.append([weight * (wish - offset), weight, 1])
        while len(blocks) > 1 and _rate(blocks[-2]) > _rate(blocks[-1]):
            total, weight_of, n = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += weight_of
            blocks[-1][2] += n
    starts = [_rate(b) for b in blocks for _ in range(b[2])]
    return [s + o for s, o in zip(starts, offsets, strict=True)]


def _rate(block: list) -> float:
    return block[0] / block[1]


def _without_cycles(count: int, lines: Sequence) -> list[tuple]:
    """The lines, those that close a circle turned around."""
    after = defaultdict(list)
    for a, b in lines:
        after[a].append(b)
    state = [0] * count  # 1: on the way from the start, 2: done
    found = []
    for start in range(count):
        if state[start]:
            continue
        state[start] = 1
        stack = [(start, iter(after[start]))]
        while stack:
            box, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[box] = 2
                stack.pop()
            elif state[following] == 1:
                found.append((following, box))
            else:
                found.append((box, following))
                if not state[following]:
                    state[following] = 1
                    stack.append((following, iter(after[following])))
    return [(a, b) for a, b in found if a != b]


def _longest_paths(count: int, lines: Sequence, first: set) -> list[int]:
    """The layer of each box: below all that leads to it; sources near their users."""
    after, waiting = defaultdict(list), [0] * count
    for a, b in lines:
        after[a].append(b)
        waiting[b] += 1
    layer, queue, order = [0] * count, [b for b in range(count) if not waiting[b]], []
    sources = queue[:]
    while queue:
        box = queue.pop()
        order.append(box)
        for b in after[box]:
            layer[b] = max(layer[b], layer[box] + 1)
            waiting[b] -= 1
            if not waiting[b]:
                queue.append(b)
    for box in sources:
        if after[box] and box not in first:
            layer[box] = min(layer[b] for b in after[box]) - 1
    return layer
