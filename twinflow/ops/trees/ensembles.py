"""Ensembles of trees: what a resource of boosted trees holds.

The ensemble is kept as its protocol buffer, which is what checkpoints hold; the walk
through a tree reads arrays that are made of it when they are first needed.
"""

import threading
from typing import NamedTuple

import numpy as np
from google.protobuf.message import DecodeError

from twinflow.base import dtypes, errors
from twinflow.base.annotations import Array
from twinflow.base.errors import invalid
from twinflow.base.state import Cell
from twinflow.formats import tree_protos


class TreeArrays(NamedTuple):
    """The nodes of a tree: an entry each.

    Attributes:
        feature: int32, what is asked; -1 at a leaf. threshold: int32. equal: bool,
            whether the left child is for values that equal the threshold, not for
            those up to it. left, right: int32, the children.
        value: float32, of a leaf, or of the leaf that a split was before.
    """

    feature: Array
    threshold: Array
    equal: Array
    left: Array
    right: Array
    value: Array

    def step(self, nodes, features, rows):
        """Where examples go from inner nodes: the numbers of the children.

        Args:
            nodes: int[n]. features: int32[number of features, batch].
            rows: int[n], the examples.
        """
        found = features[self.feature[nodes], rows]
        wanted = self.threshold[nodes]
        goes_left = np.where(self.equal[nodes], found == wanted, found <= wanted)
        return np.where(goes_left, self.left[nodes], self.right[nodes])

    def leaves(self, features, nodes=None):
        """The leaf of each example: int[batch].

        Args:
            features: int32[number of features, batch]. nodes: where they start; the
                root.
        """
        count = features.shape[1]
        nodes = np.zeros(count, np.int32) if nodes is None else nodes.copy()
        inner = np.flatnonzero(self.feature[nodes] >= 0)
        while inner.size:
            nodes[inner] = self.step(nodes[inner], features, inner)
            inner = inner[self.feature[nodes[inner]] >= 0]
        return nodes


def node_value(node):
    """The value of a leaf, or of the leaf that a split was: a Python float."""
    if node.WhichOneof("node") == "leaf":
        return node.leaf.scalar
    return node.metadata.original_leaf.scalar


def _arrays(tree):
    """The TreeArrays of a Tree."""
    n = len(tree.nodes)
    out = TreeArrays(
        np.full(n, -1, np.int32), np.zeros(n, np.int32), np.zeros(n, bool),
        np.zeros(n, np.int32), np.zeros(n, np.int32), np.zeros(n, np.float32),
    )  # fmt: skip
    for i, node in enumerate(tree.nodes):
        kind = node.WhichOneof("node")
        out.value[i] = node_value(node)
        if kind in ("bucketized_split", "categorical_split"):
            split = getattr(node, kind)
            equal = kind == "categorical_split"
            out.feature[i], out.equal[i] = split.feature_id, equal
            out.threshold[i] = split.value if equal else split.threshold
            out.left[i], out.right[i] = split.left_id, split.right_id
    return out


class EnsembleCell(Cell):
    """An ensemble, with a stamp that each change raises.

    Args:
        name: for errors.
    """

    __slots__ = ("_trees", "lock", "proto", "stamp")

    def __init__(self, name):
        super().__init__(name, dtypes.resource, ())
        self.lock, self.proto, self.stamp = threading.RLock(), None, -1
        self._trees: dict[int, TreeArrays] = {}

    def fresh(self):
        """One that is not there yet."""
        return EnsembleCell(self.name)

    @property
    def initialized(self):
        """Whether an ensemble has been put in, be it empty."""
        return self.proto is not None

    def __deepcopy__(self, memo):
        copied = self.fresh()
        if self.initialized:
            copied.put(self.stamp, self.proto.SerializeToString())
        return copied

    def __reduce__(self):
        raise TypeError("An ensemble cannot be pickled; pickle what it serializes to.")

    # ------------------------------------------------------------------ contents
    def ensemble(self):
        """The TreeEnsemble.

        Raises:
            NotFoundError: there is none yet.
        """
        if self.proto is None:
            raise errors.NotFoundError(
                None, None,
                f"Resource localhost/{self.name}/"
                "N10tensorflow28BoostedTreesEnsembleResourceE does not exist.",
            )  # fmt: skip
        return self.proto

    def put(self, stamp, serialized):
        """Replace the ensemble."""
        proto = tree_protos.TreeEnsemble()
        try:
            proto.ParseFromString(serialized)
        except DecodeError:
            raise invalid("Unable to parse tree ensemble proto.") from None
        with self.lock:
            self.proto, self.stamp = proto, int(stamp)
            self._trees.clear()

    def arrays(self, number):
        """The TreeArrays of a tree."""
        found = self._trees.get(number)
        if found is None:
            found = self._trees[number] = _arrays(self.ensemble().trees[number])
        return found

    def changed(self, number):
        """Note that a tree has other nodes."""
        self._trees.pop(number, None)

    def states(self):
        """(stamp, trees, finalized trees, attempted layers, nodes of the last layer)"""
        proto = self.ensemble()
        count, growing = len(proto.trees), proto.growing_metadata
        # The root of the first tree is a layer of its own before it is noted.
        last = [growing.last_layer_node_start, max(1, growing.last_layer_node_end)]
        open_tree = bool(count) and not proto.tree_metadata[-1].is_finalized
        numbers = (count, count - open_tree, growing.num_layers_attempted)
        return (
            np.int64(self.stamp), *map(np.int32, numbers), np.array(last, np.int32)
        )  # fmt: skip
