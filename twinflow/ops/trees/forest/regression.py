"""Statistics of numbers: candidates by the variance on their sides."""

import numpy as np

from twinflow.ops.trees.forest.slots import Slots


class NumberSlots(Slots):
    """Leaves that sum numbers.

    Attributes:
        sums, squares: float32[room, most, outputs], on the left of the candidates.
        weights: float32[room, most], the examples there. total, total_squares:
            float32[room, outputs].
    """

    def __init__(self, settings):
        super().__init__(settings)
        outputs = settings.num_outputs
        self.sums = self.squares = np.zeros((0, 1, outputs), np.float32)
        self.weights = np.zeros((0, 1), np.float32)
        self.total = self.total_squares = np.zeros((0, outputs), np.float32)

    _wide = (*Slots._wide, "sums", "squares", "weights")
    _flat = (*Slots._flat, "total", "total_squares")

    def labels_of(self, rows, targets):
        """float32[n, outputs] of a batch."""
        return targets.outputs(self.settings.num_outputs)

    def count(self, rows, left, labels, weights):
        """Add examples, each on one side of every candidate of its leaf."""
        value = labels * weights[:, None]
        square = labels * labels * weights[:, None]
        i, at = np.nonzero(left)
        np.add.at(self.sums, (rows[i], at), value[i])
        np.add.at(self.squares, (rows[i], at), square[i])
        np.add.at(self.weights, (rows[i], at), weights[i])
        np.add.at(self.total, rows, value)
        np.add.at(self.total_squares, rows, square)
        np.add.at(self.weight, rows, weights)

    def finished(self, rows):
        """bool[n], whether leaves are ready to split."""
        return self.weight[rows] >= self.limit[rows]

    def state(self, rows):
        """None of each leaf: see `varied`."""
        return [None] * len(rows)

    def varied(self, labels, state):
        """True: numbers need not differ."""
        return True

    def _side(self, row, side):
        """(weights, sums, squares) of the candidates on one side."""
        if side == 0:
            return self.weights[row], self.sums[row], self.squares[row]
        weights = self.weight[row] - self.weights[row]
        sums = self.total[row] - self.sums[row]
        return weights, sums, self.total_squares[row] - self.squares[row]

    def scores(self, row):
        """float32[most], the least is the best; infinity if all on one side."""
        score = np.zeros(self.most, np.float32)
        for side in (0, 1):
            weights, sums, squares = self._side(row, side)
            count = np.where(weights > 0, weights, np.float32(1))[:, None]
            mean = sums / count
            variance = (squares / count - mean * mean).sum(1, dtype=np.float32)
            score = np.where(weights > 0, score + variance, np.float32(np.inf))
        return score

    # ------------------------------------------------------------------ contents
    def write_side(self, row, at, side, stats):
        """Write what is on one side of a candidate into a LeafStat."""
        weights, sums, squares = self._side(row, side)
        _write(stats, weights[at], sums[at], squares[at])

    def write(self, row, slot):
        """Write the sums of a leaf into its FertileSlot."""
        _write(slot.post_init_leaf_stats, self.weight[row], self.total[row],
               self.total_squares[row])  # fmt: skip
        for at, candidate in enumerate(slot.candidates):
            _write(candidate.left_stats, self.weights[row, at], self.sums[row, at],
                   self.squares[row, at])  # fmt: skip

    def read(self, row, slot):
        """Take the sums of a FertileSlot."""
        found = slot.post_init_leaf_stats
        self.total[row], self.total_squares[row] = self._sums(found)
        for at, candidate in enumerate(slot.candidates):
            self.weights[row, at] = candidate.left_stats.weight_sum
            sums = self._sums(candidate.left_stats)
            self.sums[row, at], self.squares[row, at] = sums

    def _sums(self, stats):
        found, size = stats.regression, self.settings.num_outputs
        for vector in (found.mean_output, found.mean_output_squares):
            values = [v.float_value for v in vector.value][:size]
            yield values + [0.0] * (size - len(values))


def _write(stats, weight, sums, squares):
    stats.weight_sum = weight
    for vector, values in (
        (stats.regression.mean_output, sums),
        (stats.regression.mean_output_squares, squares),
    ):
        for value in values.tolist():
            vector.value.add().float_value = value
