"""The ops that find splits: inequalities of numbers, and equalities of ids."""

import functools

import numpy as np

from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.ops.core.infer import ranked, same_dim
from twinflow.ops.strings.arrays import filled, one
from twinflow.ops.trees.contrib import splits
from twinflow.ops.trees.contrib.splits import Choice, Stats

_OBLIVIOUS = 1  # LearnerConfig.OBLIVIOUS_DECISION_TREE
_NONE: tuple = ((), (), ())


def _infer(num_minibatches, partition_ids, ids, gradients, hessians, *numbers):
    ranked(num_minibatches._shape, 0)
    (count,) = ranked(partition_ids._shape, 1)
    same_dim(count, ranked(ids._shape, 2)[0])
    return [(None,)] * 3


def _op(kind, best):
    """An op; `best` gives (leaves, gains, serialized SplitInfos), a list each."""

    def kernel(minibatches, partitions, ids, gradients, hessians, *more):
        partitions, ids = np.asarray(partitions), np.asarray(ids)
        share = np.float32(1) / np.float32(one(minibatches))
        stats = Stats(
            np.asarray(gradients, np.float32) * share,
            np.asarray(hessians, np.float32) * share,
        )
        found = best(partitions, ids, stats, *more) if len(partitions) else _NONE
        leaves, gains, infos = found
        return (
            np.array(leaves, np.int32), np.array(gains, np.float32),
            filled(infos, (len(infos),)),
        )  # fmt: skip

    return define(kind, _infer, host=kernel)


def _choice(class_id, column, l1, l2, complexity, min_weight, strategy, weak=0):
    numbers = (np.float32(one(x)) for x in (l1, l2, complexity, min_weight))
    return Choice(
        int(one(class_id)), int(one(column)), *numbers, int(one(strategy)),
        int(one(weak)) == _OBLIVIOUS,
    )  # fmt: skip


def _repeated(stats, pairs):
    """The row `of` of Stats, (of - start) times: for (start, end, of) each."""
    at = np.concatenate([np.full(end - start, of) for start, end, of in pairs])
    return stats[at]


# ---------------------------------------------------------------------- dense
def _dense(partitions, ids, stats, boundaries, class_id, column, *numbers):
    chosen = _choice(class_id, column, *numbers)
    pairs = splits.runs(partitions)
    below = Stats.joined(stats[a:b].running() for a, b in pairs)
    if chosen.oblivious:
        return _dense_for_all(partitions, ids[:, 0], below, pairs, boundaries, chosen)
    root = _repeated(below, [(a, b, b - 1) for a, b in pairs])
    found = splits.sides(root, below, root.minus(below), chosen)
    out = []
    for a, b in pairs:
        row = a + int(np.argmax(found.gain[a:b]))
        fill = _inequality(chosen.column, boundaries[ids[row, 0]], ids[row, 1])
        info = splits.split_info(fill, found, row, chosen)
        out.append((partitions[a], found.gain[row], info))
    return tuple(zip(*out)) or _NONE


def _inequality(column, threshold, dimension):
    def fill(node):
        splits.dense(
            node.dense_float_binary_split, column, float(threshold), int(dimension)
        )

    return fill


def _dense_for_all(partitions, ids, below, pairs, boundaries, chosen):
    buckets = np.unique(ids)
    zero = Stats(*(np.zeros_like(a[:1]) for a in below))
    padded, last = Stats.joined([below, zero]), len(ids)
    rows = []
    for a, b in pairs:  # what lies up to each bucket
        place = np.searchsorted(ids[a:b], buckets, side="right")
        rows.append(np.where(place > 0, a + place - 1, last))
    left = padded[np.concatenate(rows)]
    n = len(buckets)
    root = _repeated(
        below, [(k * n, k * n + n, b - 1) for k, (_, b) in enumerate(pairs)]
    )

    def fill(node, best):
        node.oblivious_dense_float_binary_split.SetInParent()
        split = node.oblivious_dense_float_binary_split
        split.feature_column = chosen.column
        split.threshold = float(boundaries[buckets[best]])

    return _for_all(partitions, pairs, root, left, n, fill, chosen)


def _for_all(partitions, pairs, root, left, count, fill, chosen):
    """One split for all leaves; `left` has a row for each leaf and candidate."""
    found = splits.sides(root, left, root.minus(left), chosen)
    gains = _total(found.left.gain + found.right.gain, count)
    gains = gains - _total(found.whole.gain, count)
    gains = gains - np.float32(len(pairs)) * chosen.complexity
    best = int(np.argmax(gains))
    leaves = [int(partitions[a]) for a, _ in pairs]
    rows = [k * count + best for k in range(len(pairs))]
    fill = functools.partial(fill, best=best)
    info = splits.oblivious_info(fill, found, rows, leaves, chosen)
    return leaves, [gains[best]], [info]


def _checked(ids, pairs, bias):
    if any(ids[a, 0] != bias for a, _ in pairs):
        raise invalid("Bias feature ID missing.")


def _total(gains, count):
    return gains.reshape(-1, count).sum(0, dtype=np.float32)


# ---------------------------------------------------------------------- sparse
def _sparse(partitions, ids, stats, boundaries, class_id, column, bias, *numbers):
    chosen, bias = _choice(class_id, column, *numbers), int(one(bias))
    pairs = splits.runs(partitions)
    _checked(ids, pairs, bias)
    out = []
    for a, b in pairs:
        if b - a > 1:
            found = _best_sparse(ids, stats, a, b, boundaries, chosen)
            out.append((partitions[a], *found))
    return tuple(zip(*out)) or _NONE


def _best_sparse(ids, stats, a, b, boundaries, chosen):
    """(gain, SplitInfo) of the rows from a + 1 to b, whose sum row a has.

    Each row is two candidates: what is missing goes to the left, or to the right.
    """
    lefts, fixed = [], []
    for c, d in splits.runs(ids[a + 1 : b, 1]):
        below = stats[a + 1 + c : a + 1 + d].running()
        missing = stats[a : a + 1].minus(below[-1:])
        lefts += [below.plus(missing), below]
        full = all(np.abs(part).max() < splits.ALMOST_ZERO for part in missing)
        fixed += [full] * (d - c)
    left = Stats.joined([*lefts[::2], *lefts[1::2]])
    count = b - a - 1
    root = _repeated(stats, [(0, 2 * count, a)])
    found = splits.sides(root, left, root.minus(left), chosen)
    gain = found.gain.reshape(2, count).copy()
    gain[1, fixed] = -np.inf
    row = int(np.argmax(gain.max(0)))
    to_right = bool(gain[1, row] > gain[0, row])
    bucket, dimension = ids[a + 1 + row].tolist()

    def fill(node):
        side = "right" if to_right else "left"
        split = getattr(node, f"sparse_float_binary_split_default_{side}").split
        splits.dense(split, chosen.column, float(boundaries[bucket]), dimension)

    at = row + count * to_right
    return found.gain[at], splits.split_info(fill, found, at, chosen)


# ---------------------------------------------------------------------- ids
def _categorical(partitions, ids, stats, class_id, column, bias, *numbers):
    chosen, bias = _choice(class_id, column, *numbers), int(one(bias))
    pairs = splits.runs(partitions)
    _checked(ids, pairs, bias)
    if chosen.oblivious:
        return _categorical_for_all(partitions, ids, stats, pairs, chosen)
    root = _repeated(stats, [(a, b, a) for a, b in pairs])
    found = splits.sides(root, stats, root.minus(stats), chosen)
    out = []
    for a, b in pairs:
        if b - a > 1:
            row = a + 1 + int(np.argmax(found.gain[a + 1 : b]))

            def fill(node, feature=int(ids[row, 0])):
                split = node.categorical_id_binary_split
                splits.equality(split, chosen.column, feature)

            info = splits.split_info(fill, found, row, chosen)
            out.append((partitions[a], found.gain[row], info))
    return tuple(zip(*out)) or _NONE


def _categorical_for_all(partitions, ids, stats, pairs, chosen):
    features = np.unique(np.concatenate([ids[a + 1 : b, 0] for a, b in pairs]))
    if not len(features):
        return _NONE
    zero = Stats(*(np.zeros_like(a[:1]) for a in stats))
    padded, last, n = Stats.joined([stats, zero]), len(ids), len(features)
    rows = np.full((len(pairs), n), last)
    for k, (a, b) in enumerate(pairs):
        rows[k, np.searchsorted(features, ids[a + 1 : b, 0])] = np.arange(a + 1, b)
    root = _repeated(stats, [(k * n, k * n + n, a) for k, (a, _) in enumerate(pairs)])

    def fill(node, best):
        split = node.oblivious_categorical_id_binary_split
        splits.equality(split, chosen.column, int(features[best]))

    return _for_all(partitions, pairs, root, padded[rows.ravel()], n, fill, chosen)


BuildDenseInequalitySplits = _op("BuildDenseInequalitySplits", _dense)
BuildSparseInequalitySplits = _op("BuildSparseInequalitySplits", _sparse)
BuildCategoricalEqualitySplits = _op("BuildCategoricalEqualitySplits", _categorical)
