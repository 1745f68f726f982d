"""Ensembles of decision trees, and arrays of their nodes to walk along.

The ensemble is kept as its protocol buffer, which is what checkpoints hold; arrays are
made of a tree when it is first walked.
"""

from typing import Any, NamedTuple

import numpy as np
from google.protobuf.message import DecodeError

from twinflow.base.annotations import Array
from twinflow.base.errors import invalid
from twinflow.formats import decision_protos
from twinflow.ops.strings.arrays import one
from twinflow.ops.trees.contrib.stamped import StampedCell


class Column(NamedTuple):
    """A sparse feature column: rows and dimensions of its values."""

    rows: Array
    dimensions: Array
    values: Array


class Features(NamedTuple):
    """A batch: lists of dense columns, float32[batch], and of sparse ones.

    Attributes:
        size: of the batch. dense: arrays. floats, ids: Columns.
    """

    size: int
    dense: list
    floats: list
    ids: list

    def dense_at(self, column):
        """float32[batch]"""
        return _one_of(self.dense, column, "dense float")

    def number(self, column, dimension):
        """(float32[batch], which of them are there)"""
        found = _one_of(self.floats, column, "sparse float")
        value, there = np.zeros(self.size, np.float32), np.zeros(self.size, bool)
        chosen = found.dimensions == dimension
        rows = found.rows[chosen]
        value[rows], there[rows] = found.values[chosen], True
        return value, there

    def has_id(self, column, ids):
        """bool[batch]: whether one of the ids is there."""
        found = _one_of(self.ids, column, "sparse int")
        out = np.zeros(self.size, bool)
        out[found.rows[np.isin(found.values, ids)]] = True
        return out


def _one_of(columns, number, what):
    if not 0 <= number < len(columns):
        raise invalid(
            f"The trees ask for {what} feature {number}, got {len(columns)} of them: "
            "pass the features of the training."
        )
    return columns[number]


def _goes_left(kind, split, features):
    """bool[batch]: who goes to the left child."""
    if kind in ("dense_float_binary_split", "oblivious_dense_float_binary_split"):
        return features.dense_at(split.feature_column) <= np.float32(split.threshold)
    if kind.startswith("sparse_float"):
        of = split.split
        value, there = features.number(of.feature_column, of.dimension_id)
        otherwise = kind.endswith("left")
        return np.where(there, value <= np.float32(of.threshold), otherwise)
    ids = split.feature_ids if hasattr(split, "feature_ids") else [split.feature_id]
    return features.has_id(split.feature_column, np.array(ids, np.int64))


class Tree:
    """A tree to walk along.

    Args:
        config: a DecisionTreeConfig.
    """

    def __init__(self, config):
        nodes = list(config.nodes)
        self._kinds = [node.WhichOneof("node") for node in nodes]
        self._splits: list[Any] = [
            getattr(node, kind) if kind else None
            for node, kind in zip(nodes, self._kinds)
        ]
        self._oblivious = bool(nodes) and str(self._kinds[0]).startswith("oblivious")
        self._values = None

    def leaves(self, features):
        """The node in which each example ends: int32[batch]."""
        if self._oblivious:
            return self._leaves_of_layers(features)
        at = np.zeros(features.size, np.int32)
        if not self._kinds:
            return at
        todo = [(0, None)]
        while todo:
            number, rows = todo.pop()
            kind, split = self._kinds[number], self._splits[number]
            if kind == "leaf" or kind is None:
                at[slice(None) if rows is None else rows] = number
                continue
            left = _goes_left(kind, split, features)
            left = left if rows is None else left[rows]
            inner = split.split if kind.startswith("sparse_float") else split
            for child, chosen in ((inner.left_id, left), (inner.right_id, ~left)):
                part = np.flatnonzero(chosen) if rows is None else rows[chosen]
                if part.size:
                    todo.append((child, part))
        return at

    def _leaves_of_layers(self, features):
        at, depth = np.zeros(features.size, np.int32), 0
        for kind, split in zip(self._kinds, self._splits):
            if not str(kind).startswith("oblivious"):
                break
            at, depth = 2 * at + ~_goes_left(kind, split, features), depth + 1
        return (at + depth).astype(np.int32)

    def values(self, classes):
        """float32[nodes, classes] of the leaves."""
        if self._values is None or self._values.shape[1] != classes:
            self._values = np.zeros((len(self._kinds), classes), np.float32)
            for number, kind in enumerate(self._kinds):
                if kind == "leaf":
                    _fill(self._values[number], self._splits[number])
        return self._values


def _fill(row, leaf):
    if leaf.WhichOneof("leaf") == "sparse_vector":
        for index, value in zip(leaf.sparse_vector.index, leaf.sparse_vector.value):
            if index < len(row):
                row[index] = value
    else:
        count = min(len(row), len(leaf.vector.value))
        row[:count] = leaf.vector.value[:count]


class EnsembleCell(StampedCell):
    """An ensemble."""

    __slots__ = ("_trees", "config")
    kind = "N10tensorflow13boosted_trees6models28DecisionTreeEnsembleResourceE"

    def __init__(self, name):
        super().__init__(name)
        self.config = decision_protos.ensembles.DecisionTreeEnsembleConfig()
        self._trees: dict[int, Tree] = {}

    def put(self, stamp, serialized):
        """Replace the ensemble."""
        try:
            config = type(self.config).FromString(one(serialized))
        except DecodeError:
            raise invalid("Unable to parse tree ensemble config.") from None
        self.config, self.stamp = config, int(one(stamp))
        self._trees.clear()

    def tree(self, number):
        """The Tree of a number."""
        found = self._trees.get(number)
        if found is None:
            found = self._trees[number] = Tree(self.config.trees[number])
        return found

    def changed(self, number):
        """Note that a tree has other nodes."""
        self._trees.pop(number, None)

    def __deepcopy__(self, memo):
        copied = self.fresh()
        if self.initialized:
            copied.put(self.stamp, self.config.SerializeToString())
        return copied

    def open_tree(self):
        """The number of the tree that still grows, or None."""
        metadata = self.config.tree_metadata
        return len(metadata) - 1 if metadata and not metadata[-1].is_finalized else None

    def stats(self):
        """(finalized trees, layers, active tree, its layers, attempted ones of both)"""
        metadata, growing = self.config.tree_metadata, self.config.growing_metadata
        numbers = (
            sum(m.is_finalized for m in metadata),
            sum(m.num_layers_grown for m in metadata),
            len(metadata),
            metadata[-1].num_layers_grown if metadata else 0,
            growing.num_trees_attempted, growing.num_layers_attempted,
        )  # fmt: skip
        return tuple(map(np.int64, numbers))


def learner_config(text):
    """The LearnerConfig of an attribute."""
    try:
        return decision_protos.learner.LearnerConfig.FromString(text)
    except DecodeError:
        raise invalid("Unable to parse learner config.") from None
