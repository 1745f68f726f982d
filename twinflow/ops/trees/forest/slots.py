"""Leaves that may still split: their candidates, and the statistics of these.

A leaf has a row in arrays that all leaves share, so that a batch is added at once. Its
first examples become candidates, a random feature of each with its value; the others
are counted on the sides of all candidates.
"""

import numpy as np

from twinflow.base.errors import invalid
from twinflow.formats.decision_protos import forest
from twinflow.ops.trees.forest.examples import CATEGORICAL
from twinflow.ops.trees.forest.settings import resolved
from twinflow.ops.trees.forest.trees import MATCHES, goes_left, question, split_proto

_FEW = 16  # rows that there is room for at first
_BUCKETS = 23, 47, 97, 199, 409, 823, 1741, 3739, 7517, 15173, 30727, 62233


def hashed_order(numbers):
    """Distinct numbers in the order of a std::unordered_set that they were put into.

    That of the library which TensorFlow 1.12 was built with: a list in which the
    numbers of a bucket are neighbours, the last one first; a bucket that was empty
    begins the list. The list is made anew, from its front, when buckets become few.
    """
    buckets, order = 11, []
    for count, number in enumerate(numbers, 1):
        if count > buckets:
            buckets = next(size for size in _BUCKETS if size >= 2 * buckets)
            order, old = [], order
            for one in old:
                _insert(order, one, buckets)
        _insert(order, number, buckets)
    return order


def _insert(order, number, buckets):
    bucket = number % buckets
    places = (i for i, other in enumerate(order) if other % buckets == bucket)
    order.insert(next(places, 0), number)


class Slots:
    """The leaves of a tree that may still split.

    Args:
        settings: TensorForestParams.
    Attributes:
        rows: {node: row}. depth, filled, wanted, limit: int32[room], of the leaf; its
            candidates, how many there shall be, and the examples before it splits.
        weight: float32[room], of the examples that were counted.
        kinds, features: int32[room, most]; thresholds, cuts: float32[room, most]: of
            the candidates, for counting and for the split that one becomes.
    """

    def __init__(self, settings):
        self.settings, self.rows = settings, {}
        self._free, self._row_of = [], np.zeros(0, np.int32)
        self.depth, self.filled = np.zeros(0, np.int32), np.zeros(0, np.int32)
        self.wanted, self.limit = np.zeros(0, np.int32), np.zeros(0, np.int32)
        self.weight = np.zeros(0, np.float32)
        self.kinds = self.features = np.zeros((0, 1), np.int32)
        self.thresholds = self.cuts = np.zeros((0, 1), np.float32)

    _wide = (
        "kinds",
        "features",
        "thresholds",
        "cuts",
    )  # arrays with an axis of candidates
    _flat = ("depth", "filled", "wanted", "limit", "weight")

    @property
    def most(self):
        """How many candidates there is room for."""
        return self.kinds.shape[1]

    # ------------------------------------------------------------------ rows
    def _room(self, rows, most):
        """Make room."""
        for name in self._flat + self._wide:
            old = getattr(self, name)
            shape = (max(rows, len(old)), *old.shape[1:])
            if name in self._wide:
                shape = (shape[0], max(most, old.shape[1]), *old.shape[2:])
            if shape != old.shape:
                new = np.zeros(shape, old.dtype)
                new[tuple(map(slice, old.shape))] = old
                setattr(self, name, new)

    def allocate(self, node, depth):
        """Begin with a leaf anew."""
        if node not in self.rows:
            self.rows[node] = self._new_row()
        row = self.rows[node]
        wanted = int(resolved(self.settings.num_splits_to_consider, depth))
        self._room(0, wanted)
        for name in self._flat + self._wide:
            getattr(self, name)[row] = 0
        self.depth[row], self.wanted[row] = depth, wanted
        self.limit[row] = int(resolved(self.settings.split_after_samples, depth))
        if node >= len(self._row_of):
            more = np.full(max(_FEW, node + 1), -1, np.int32)
            self._row_of = np.concatenate([self._row_of, more])
        self._row_of[node] = row
        return row

    def _new_row(self):
        if not self._free:
            size = len(self.depth)
            more = max(_FEW, size)
            self._room(size + more, 0)
            self._free = list(range(size + more - 1, size - 1, -1))
        return self._free.pop()

    def release(self, node):
        """Forget a leaf."""
        self._free.append(self.rows.pop(node))
        self._row_of[node] = -1

    def rows_of(self, nodes):
        """int32[n], the rows of leaves.

        Raises:
            InvalidArgumentError: one has no statistics.
        """
        within = np.minimum(nodes, len(self._row_of) - 1)
        rows = np.where(nodes == within, self._row_of[within], -1)
        if (rows < 0).any():
            missing = int(nodes[rows < 0][0])
            raise invalid(
                f"Node {missing} has no statistics: got a tree and statistics that do "
                "not belong together."
            )
        return rows

    # ------------------------------------------------------------------ examples
    def process(self, examples, targets, nodes, draw):
        """Show a batch to the leaves.

        Args:
            examples: Examples. targets: Targets. nodes: int32[n], where they are.
            draw: gives a random int below a bound.
        Returns:
            Those nodes that are ready to split, in the order in which they became so.
        """
        rows = self.rows_of(nodes)
        labels = self.labels_of(rows, targets)
        order, known = self._order(nodes), np.ones(len(rows), bool)
        waiting = ~self.ready(rows)
        for i in order[waiting[order]].tolist():
            row = rows[i : i + 1]
            ready = self.ready(row)[0]
            known[i] = ready and not self.settings.collate_examples
            if not ready:
                self._candidate(examples, labels, i, int(row[0]), draw)
        moments: dict[int, int] = {}  # when each became ready
        for some in self._rounds(rows, order[known[order]]):
            at = rows[some]
            left = self._sides(examples, some, at)
            touched = np.unique(at)
            before = self.weight[touched], self.state(touched)
            self.count(at, left, labels[some], targets.weights[some])
            self.check(touched)
            for row, *known in zip(touched, self.finished(touched), *before):
                if known.pop(0):
                    mine = some[at == row]
                    when = self._moment(
                        row, targets.weights[mine], labels[mine], *known
                    )
                    moments.setdefault(int(nodes[mine[0]]), int(mine[when]))
        places = np.argsort(order)
        return hashed_order(sorted(moments, key=lambda node: places[moments[node]]))

    def _order(self, nodes):
        """The examples in the order in which 1.12 takes them: by leaf, or as given."""
        if not self.settings.collate_examples:
            return np.arange(len(nodes))
        leaves = hashed_order(dict.fromkeys(nodes.tolist()))
        place = {leaf: i for i, leaf in enumerate(leaves)}
        return np.argsort([place[node] for node in nodes.tolist()], kind="stable")

    def _moment(self, row, weights, labels, weight, state):
        """After how many examples that were counted a leaf was ready."""
        enough = weight + np.cumsum(weights) >= self.limit[row]
        return int(np.argmax(enough & self.varied(labels, state)))

    def _rounds(self, rows, some):
        """The examples in parts that are counted at once."""
        return [some] if some.size else []

    def _sides(self, examples, some, rows):
        """bool[n, most], whether examples are on the left of the candidates."""
        features = self.features[rows]
        found = examples.values(some[:, None], features)
        left = goes_left(self.kinds[rows], found, self.thresholds[rows])
        return left & (np.arange(self.most) < self.filled[rows][:, None])

    def _candidate(self, examples, labels, i, row, draw):
        """Make a candidate of an example."""
        feature, value, kind = examples.sample(i, draw)
        at = int(self.filled[row])
        if at < self.wanted[row]:
            asked = self.settings.inequality_test_type
            self.kinds[row, at] = MATCHES if kind == CATEGORICAL else asked
            self.features[row, at] = feature
            self.thresholds[row, at] = self.cuts[row, at] = value
            self.filled[row] += 1
        self.begun(examples, labels, i, row, at)

    def begun(self, examples, labels, i, row, at):
        """Note the example that candidate `at` was made of, or that came instead."""

    def ready(self, rows):
        """bool[n], whether leaves have their candidates."""
        return (self.weight[rows] > 0) | (self.filled[rows] >= self.wanted[rows])

    def check(self, rows):
        """Look whether candidates go, or leaves are ready early."""

    # ------------------------------------------------------------------ splitting
    def best(self, node):
        """(BinaryNode, left LeafStat, right LeafStat), or None if none divides."""
        row = self.rows[node]
        scores = self.scores(row)[: self.filled[row]]
        if not len(scores) or not np.isfinite(scores).any():
            return None
        at = int(np.nanargmin(scores))
        sides = forest.LeafStat(), forest.LeafStat()
        for side, stats in enumerate(sides):
            self.write_side(row, at, side, stats)
        return self._split(row, at), *sides

    def _split(self, row, at):
        return split_proto(
            int(self.kinds[row, at]), int(self.features[row, at]),
            float(self.cuts[row, at]),
        )  # fmt: skip

    # ------------------------------------------------------------------ contents
    def put(self, stats):
        """Take the leaves of a FertileStats."""
        for slot in stats.node_to_slot:
            row = self.allocate(slot.node_id, slot.depth)
            self._room(0, len(slot.candidates))
            self.weight[row] = slot.post_init_leaf_stats.weight_sum
            self.filled[row] = len(slot.candidates)
            for at, candidate in enumerate(slot.candidates):
                kind, feature, threshold = question(candidate.split)
                self.kinds[row, at], self.features[row, at] = kind, feature
                self.thresholds[row, at] = self.cuts[row, at] = threshold
            self.read(row, slot)
        if not self.rows:
            self.allocate(0, 0)

    def proto(self):
        """The FertileStats; what was counted only if `checkpoint_stats` says so."""
        out = forest.FertileStats()
        for node, row in self.rows.items():
            slot = out.node_to_slot.add(node_id=node, depth=int(self.depth[row]))
            if self.settings.checkpoint_stats:
                for at in range(self.filled[row]):
                    slot.candidates.add().split.CopyFrom(self._split(row, at))
                slot.post_init_leaf_stats.weight_sum = self.weight[row]
                self.write(row, slot)
        return out
