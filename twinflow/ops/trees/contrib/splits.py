"""The best split that one feature offers to each leaf of a tree.

With the gradient g and the hessian h of a leaf's examples its step of Newton's is
w = -g/(h + l2), and it lowers the loss by g^2/(h + l2); l1 shrinks g towards 0. Of
several classes, h is a matrix or its diagonal. Leaves whose hessian is not above the
least weight stay where they are.
"""

import itertools
from typing import NamedTuple

import numpy as np

from twinflow.base.annotations import Array
from twinflow.base.errors import invalid
from twinflow.formats import decision_protos

FULL_HESSIAN, DIAGONAL_HESSIAN = 2, 3
ALMOST_ZERO = 1e-6


class Choice(NamedTuple):
    """What is chosen of a tree.

    Attributes:
        class_id: of the class that it is for; -1: all, or the only one. column: the
            number of the feature column. l1, l2, complexity, min_weight: float32.
        strategy: for several classes. oblivious: all leaves of a layer are split alike.
    """

    class_id: int
    column: int
    l1: np.float32
    l2: np.float32
    complexity: np.float32
    min_weight: np.float32
    strategy: int
    oblivious: bool = False


class Stats(NamedTuple):
    """Gradients and hessians, a row each."""

    g: Array
    h: Array

    def __getitem__(self, rows):
        """Those of some rows."""
        return Stats(self.g[rows], self.h[rows])

    def minus(self, other):
        """What is left without others."""
        return Stats(self.g - other.g, self.h - other.h)

    def plus(self, other):
        """With others."""
        return Stats(self.g + other.g, self.h + other.h)

    def running(self):
        """The sums of the rows up to each."""
        return Stats(*(np.cumsum(a, axis=0, dtype=np.float32) for a in self))

    @classmethod
    def joined(cls, parts):
        """The rows of several."""
        parts = list(parts)
        return cls(*(np.concatenate(arrays) for arrays in zip(*parts)))


class Solved(NamedTuple):
    """Steps float32[n, classes] and gains float32[n]; which rows have one: bool[n]."""

    step: Array
    gain: Array
    usable: Array


def solved(stats, chosen):
    """The Solved of Stats."""
    if stats.g.ndim == 1:
        return _of_numbers(stats, chosen)
    size = np.sqrt(np.square(stats.h).reshape(len(stats.h), -1).sum(1))
    usable = size > chosen.min_weight
    step = np.zeros_like(stats.g)
    if chosen.strategy == DIAGONAL_HESSIAN:
        step[usable] = -stats.g[usable] / (stats.h[usable] + chosen.l2)
    else:
        whole = stats.h[usable] + chosen.l2 * np.eye(stats.g.shape[1], dtype=np.float32)
        found = np.linalg.lstsq if not chosen.l2 else np.linalg.solve
        step[usable] = _solutions(found, whole, -stats.g[usable])
    return Solved(step, -(stats.g * step).sum(1), usable)


def _solutions(find, matrices, sides):
    if find is np.linalg.solve:
        return find(matrices, sides[..., None])[..., 0]
    return np.array(
        [find(a, b, rcond=None)[0] for a, b in zip(matrices, sides)], np.float32
    ).reshape(sides.shape)


def _of_numbers(stats, chosen):
    g, divisor, zero = stats.g, stats.h + chosen.l2, np.float32(0)
    usable = stats.h > chosen.min_weight
    shrunk = g - np.sign(g) * chosen.l1 if chosen.l1 > 0 else g
    if chosen.l1 > 0:
        usable = usable & (np.abs(g) > chosen.l1)
    with np.errstate(divide="ignore", invalid="ignore"):
        step = np.where(usable, -shrunk / divisor, zero)
        gain = np.where(usable, -shrunk * step, zero)
    return Solved(step[:, None], gain, np.ones(len(g), bool))


class Sides(NamedTuple):
    """What splits would make of leaves: Solved rows of the children and of the leaves,
    and gains."""

    left: Solved
    right: Solved
    whole: Solved
    gain: Array


def sides(root, left, right, chosen):
    """The Sides of splits, a row each; `root` has the leaves, for each of the rows."""
    found = [solved(part, chosen) for part in (left, right, root)]
    gain = found[0].gain + found[1].gain - found[2].gain - chosen.complexity
    return Sides(*found, gain)


def runs(column):
    """(start, end) of each run of equal values."""
    changes = np.flatnonzero(column[1:] != column[:-1]) + 1
    ends = [0, *changes.tolist(), len(column)]
    return [(a, b) for a, b in itertools.pairwise(ends) if a != b]


# ---------------------------------------------------------------------- messages
def _leaf(message, found, row, chosen):
    """Fill in the leaf of a child."""
    values = found.step[row].tolist()
    if chosen.class_id != -1:
        if len(values) != 1:
            raise invalid(f"Weight contribution size = {len(values)}, not 1: a tree "
                          "per class takes gradients of one number.")  # fmt: skip
        message.sparse_vector.index.append(chosen.class_id)
        message.sparse_vector.value.append(values[0])
    elif found.usable[row]:
        message.vector.value.extend(values)
    else:
        message.SetInParent()


def split_info(fill, found, row, chosen):
    """A serialized SplitInfo; `fill` sets what is asked."""
    info = decision_protos.learner.SplitInfo()
    fill(info.split_node)
    _leaf(info.left_child, found.left, row, chosen)
    _leaf(info.right_child, found.right, row, chosen)
    return info.SerializeToString()


def oblivious_info(fill, found, rows, partitions, chosen):
    """A serialized ObliviousSplitInfo, of a row for each partition."""
    info = decision_protos.learner.ObliviousSplitInfo()
    fill(info.split_node)
    for row in rows:
        _leaf(info.children.add(), found.left, row, chosen)
        _leaf(info.children.add(), found.right, row, chosen)
    info.children_parent_id.extend(partitions)
    return info.SerializeToString()


def dense(message, column, threshold, dimension=0):
    """Fill in an inequality; its feature may be left out where it is 0."""
    message.SetInParent()
    message.feature_column, message.threshold = column, threshold
    message.dimension_id = dimension


def equality(message, column, feature_id):
    """Fill in a question for one of the ids."""
    message.feature_column, message.feature_id = column, feature_id
