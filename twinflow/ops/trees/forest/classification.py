"""Statistics of classes: candidates by their Gini impurity, early ends and pruning."""

import math

import numpy as np

from twinflow.ops.trees.forest.settings import (
    BASIC,
    BOOTSTRAP,
    HOEFFDING,
    KEEP_ALL,
    PRUNE_HOEFFDING,
    PRUNED_SHARE,
    SPARSE_GINI,
    resolved,
    smoothed_gini,
)
from twinflow.ops.trees.forest.slots import Slots

_INF = np.float32(np.inf)


class ClassSlots(Slots):
    """Leaves that count classes.

    Attributes:
        left: float32[room, most, columns], on the left of the candidates. total:
            float32[room, columns]. opened: int32[room, most], 1 + the class of the
            example of a candidate whose threshold awaits one of another class.
        early, ends, prunes: whether leaves are ready early, and the next checks.
    """

    def __init__(self, settings):
        super().__init__(settings)
        self._sparse = settings.stats_type == SPARSE_GINI
        columns = 1 if self._sparse else settings.num_outputs
        self.left = np.zeros((0, 1, columns), np.float32)
        self.total = np.zeros((0, columns), np.float32)
        self.opened = np.zeros((0, 1), np.int32)
        self.early = np.zeros(0, bool)
        self.ends, self.prunes = np.zeros(0, np.int32), np.zeros(0, np.int32)
        self._columns: dict[int, dict[int, int]] = {}
        self._random = np.random.default_rng()
        finish, prune = settings.finish_type, settings.pruning_type
        self._one_by_one = bool(finish.type or prune.type)

    _wide = (*Slots._wide, "left", "opened")
    _flat = (*Slots._flat, "total", "early", "ends", "prunes")

    def allocate(self, node, depth):
        """Begin with a leaf anew."""
        row = super().allocate(node, depth)
        self._columns[row] = {}
        self.prunes[row] = 1
        if self.settings.finish_type.type != BASIC:
            self.ends[row] = self._least(row) // max(1, self._every(row))
        return row

    def _least(self, row):
        return int(resolved(self.settings.min_split_samples, int(self.depth[row])))

    def _every(self, row):
        every = self.settings.finish_type.check_every_steps
        return int(resolved(every, int(self.depth[row])))

    # ------------------------------------------------------------------ counting
    def labels_of(self, rows, targets):
        """int[n], the classes of a batch."""
        return targets.classes(self.settings.num_outputs)

    def _places(self, rows, labels):
        """int[n], the columns of classes in the arrays."""
        if not self._sparse:
            return labels
        pairs = zip(rows.tolist(), labels.tolist())
        found = [self._column(row, label) for row, label in pairs]
        return np.array(found, np.int64)

    def _column(self, row, label):
        known = self._columns[row]
        at = known.setdefault(label, len(known))
        if at >= self.total.shape[1]:
            self.left = np.concatenate([self.left, np.zeros_like(self.left)], 2)
            self.total = np.concatenate([self.total, np.zeros_like(self.total)], 1)
        return at

    def count(self, rows, left, labels, weights):
        """Add examples, each on one side of every candidate of its leaf."""
        columns = self._places(rows, labels)
        i, at = np.nonzero(left)
        np.add.at(self.left, (rows[i], at, columns[i]), weights[i])
        np.add.at(self.total, (rows, columns), weights)
        np.add.at(self.weight, rows, weights)

    def _rounds(self, rows, some):
        """One example of each leaf at a time, where each is looked at."""
        if not self._one_by_one:
            return super()._rounds(rows, some)
        order = np.argsort(rows[some], kind="stable")
        of = rows[some][order]
        starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]]) if of.size else of
        sizes = np.diff(np.r_[starts, len(of)])
        rank = np.empty(len(of), np.int64)
        rank[order] = np.arange(len(of)) - np.repeat(starts, sizes)
        return [some[rank == k] for k in range(int(sizes.max(initial=0)))]

    def begun(self, examples, labels, i, row, at):
        """Note the example that candidate `at` was made of, or that came instead."""
        if not self.settings.initialize_average_splits:
            return
        label = int(labels[i]) + 1
        if at < self.filled[row] and self.kinds[row, at] < 4:
            self.opened[row, at] = label
        waiting = np.flatnonzero((self.opened[row] > 0) & (self.opened[row] != label))
        if waiting.size:
            found = examples.values(np.array([i]), self.features[row, waiting])
            middle = (self.cuts[row, waiting] + found) / np.float32(2)
            self.cuts[row, waiting], self.opened[row, waiting] = middle, 0

    def ready(self, rows):
        """bool[n], whether leaves have their candidates."""
        full = (self.filled[rows] >= self.wanted[rows]) & ~self.opened[rows].any(1)
        return (self.weight[rows] > 0) | full

    def finished(self, rows):
        """bool[n], whether leaves are ready to split."""
        several = (self.total[rows] > 0).sum(1) > 1
        return ((self.weight[rows] >= self.limit[rows]) & several) | self.early[rows]

    def state(self, rows):
        """int[n], the one class that leaves have seen; -1 for none, -2 for several."""
        seen = self.total[rows] > 0
        count, place = seen.sum(1), seen.argmax(1)
        if self._sparse:
            columns = [[*self._columns[row], -1] for row in rows.tolist()]
            place = np.array([c[at] for c, at in zip(columns, place)])
        return np.select([count == 0, count > 1], [-1, -2], place)

    def varied(self, labels, state):
        """bool[n], whether a leaf has seen several classes after examples."""
        first = labels[0] if state == -1 else state
        return np.logical_or.accumulate(labels != first)

    # ------------------------------------------------------------------ scores
    def _parts(self, row):
        """float32[2, candidates, columns], the counts on both sides."""
        left = self.left[row, : self.filled[row]]
        return np.stack([left, self.total[row] - left])

    def _impurities(self, row):
        """float32[candidates]; float32[2, candidates], the examples of the sides."""
        parts = self._parts(row)
        classes = self.settings.num_outputs
        sums = parts.sum(2, dtype=np.float32)
        square = (parts * parts).sum(2, dtype=np.float32)
        return smoothed_gini(sums, square, classes).sum(0, dtype=np.float32), sums

    def scores(self, row):
        """float32[candidates], the least is the best; infinity if all on one side."""
        score, sums = self._impurities(row)
        return np.where((sums > 0).all(0), score, _INF)

    # ------------------------------------------------------------------ checks
    def check(self, rows):
        """Look whether candidates go, or leaves are ready early."""
        if self._one_by_one:
            for row in rows.tolist():
                self._check_end(row)
                self._check_candidates(row)

    def _check_end(self, row):
        kind = self.settings.finish_type.type
        weight = self.weight[row]
        if kind == BASIC or weight < self._least(row):
            return
        if weight < self.ends[row] * self._every(row):
            return
        self.ends[row] += 1
        if kind == HOEFFDING:
            self.early[row] = self._dominates(row)
        elif kind == BOOTSTRAP:
            self.early[row] = self._survives(row)

    def _fraction(self, row):
        return resolved(self.settings.dominate_fraction, int(self.depth[row]))

    def _dominates(self, row):
        """Whether the best candidate is better by more than Hoeffding's bound."""
        weight = self.weight[row]
        span = np.float32(0.25) * np.float32(self.settings.num_outputs) * weight
        rare = math.log(1 / (1 - self._fraction(row)))
        bound = span * math.sqrt(rare / (2 * weight))
        best = np.sort(np.r_[self._impurities(row)[0], _INF, _INF])[:2]
        return bool(best[1] - best[0] > np.float32(bound))

    def _survives(self, row):
        """Whether the best candidate stays the best in samples drawn anew."""
        scores = self._impurities(row)[0]
        if len(scores) < 2:
            return False
        best, second = np.argsort(scores, kind="stable")[:2]
        share, samples = 1 - self._fraction(row), 1
        while share < 1:
            share, samples = share * 2, samples + 1
        count, drawn = int(self.weight[row]), []
        for at in (best, second):
            weights = self._parts(row)[:, at].ravel().astype(np.float64) + 1
            found = self._random.multinomial(count, weights / weights.sum(), samples)
            drawn.append((found * (count - found)).sum(1))
        return bool(drawn[0].max() < min(99, drawn[1].min()))

    def _check_candidates(self, row):
        prune = self.settings.pruning_type
        if prune.type == KEEP_ALL or self.finished(np.array([row]))[0]:
            return
        every = int(resolved(prune.prune_every_samples, int(self.depth[row])))
        if self.weight[row] < self.prunes[row] * every:
            return
        self.prunes[row] += 1
        scores = self._impurities(row)[0]
        if prune.type == PRUNE_HOEFFDING:
            self._keep(row, scores - scores.min(initial=_INF) <= self._bound(row))
        elif leave := int(len(scores) * np.float32(PRUNED_SHARE[prune.type])):
            self._keep(row, _kept(scores, leave))

    def _bound(self, row):
        weight = self.weight[row]
        span = weight * (1 - 1 / self.settings.num_outputs)
        rare = 0.5 * math.log(1 / (1 - self._fraction(row)))
        return np.float32(span * math.sqrt(rare / weight))

    def _keep(self, row, kept):
        kept = np.flatnonzero(kept)
        for name in self._wide:
            array = getattr(self, name)[row]
            array[: len(kept)] = array[kept]
            array[len(kept) :] = 0
        self.filled[row] = len(kept)

    # ------------------------------------------------------------------ contents
    def _write_counts(self, row, counts, stats):
        """Put counts into a LeafStat."""
        out = stats.classification
        if self._sparse:
            out.sparse_counts.SetInParent()
            for label, at in self._columns[row].items():
                if counts[at] > 0:
                    out.sparse_counts.sparse_value[label].float_value = counts[at]
        else:
            out.dense_counts.SetInParent()
            for count in counts.tolist():
                out.dense_counts.value.add().float_value = count

    def write_side(self, row, at, side, stats):
        """Write what is on one side of a candidate into a LeafStat."""
        counts = self._parts(row)[side, at]
        stats.weight_sum = counts.sum(dtype=np.float32)
        self._write_counts(row, counts, stats)

    def write(self, row, slot):
        """Write the counts of a leaf into its FertileSlot."""
        self._write_counts(row, self.total[row], slot.post_init_leaf_stats)
        for counts, candidate in zip(self.left[row], slot.candidates):
            self._write_counts(row, counts, candidate.left_stats)

    def read(self, row, slot):
        """Take the counts of a FertileSlot."""
        for label, value in _counts(slot.post_init_leaf_stats):
            column = self._place(row, label)
            self.total[row, column] = value
        for at, candidate in enumerate(slot.candidates):
            for label, value in _counts(candidate.left_stats):
                column = self._place(row, label)
                self.left[row, at, column] = value

    def _place(self, row, label):
        return self._column(row, label) if self._sparse else label


def _kept(scores, leave):
    """bool[n], which candidates stay where the `leave` worst go.

    Of those that are as bad, as 1.12 has it, a later one takes the place of none.
    """
    gone = [(score, at) for at, score in enumerate(scores[:leave])]
    for at in range(leave, len(scores)):
        least = min(gone)
        if least[0] < scores[at]:
            gone[gone.index(least)] = scores[at], at
    return np.isin(np.arange(len(scores)), [at for _, at in gone], invert=True)


def _counts(stats):
    """(class, count) of a LeafStat."""
    found = stats.classification
    if found.WhichOneof("counts") == "sparse_counts":
        pairs = found.sparse_counts.sparse_value.items()
        return [(label, value.float_value) for label, value in pairs]
    return [(i, v.float_value) for i, v in enumerate(found.dense_counts.value)]
