"""Decision trees of tf.contrib.tensor_forest: what their resource holds.

The protocol buffer of tf.contrib.decision_trees is what checkpoints hold; the walk
reads arrays beside it, and dense leaves live in an array until it is serialized.
"""

import numpy as np

from twinflow.base.errors import invalid
from twinflow.formats.decision_protos import forest, generic
from twinflow.ops.trees.forest.settings import (
    DENSE,
    REGRESSION,
    SPARSE,
    parsed,
)
from twinflow.ops.trees.resources import TreesCell

_FEW = 64  # nodes that there is room for at first
LESS_OR_EQUAL, LESS, GREATER_OR_EQUAL, GREATER, MATCHES, OTHERS = range(6)
_COMPARE = {
    LESS_OR_EQUAL: np.less_equal, LESS: np.less, GREATER_OR_EQUAL: np.greater_equal,
    GREATER: np.greater, MATCHES: np.equal, OTHERS: np.not_equal,
}  # fmt: skip


def goes_left(kinds, found, thresholds):
    """Whether values take the left branch: arrays of one shape."""
    first = kinds.flat[0] if kinds.size else LESS_OR_EQUAL
    out = _COMPARE[int(first)](found, thresholds)
    for kind in np.unique(kinds):
        if kind != first:
            out = np.where(kinds == kind, _COMPARE[int(kind)](found, thresholds), out)
    return out


def question(split):
    """(kind, feature, threshold) of a BinaryNode.

    Raises:
        InvalidArgumentError: it asks for more than one feature or value.
    """
    if split.WhichOneof("left_child_test") == "inequality_left_child_test":
        test = split.inequality_left_child_test
        if test.WhichOneof("FeatureSum") == "oblique":
            raise invalid("The tree has an oblique split, which is not evaluated.")
        return test.type, _number(test), test.threshold.float_value
    test = generic.MatchingValuesTest()
    if not split.custom_left_child_test.Unpack(test) or len(test.value) != 1:
        raise invalid(f"The test of a node is unknown: {split.custom_left_child_test}.")
    kind = OTHERS if test.inverse else MATCHES
    return kind, _number(test), test.value[0].float_value


def _number(test):
    text = test.feature_id.id.value
    if not text.isdigit():
        raise invalid(f"feature_id: got {text!r}, expected a number.")
    return int(text)


def split_proto(kind, feature, threshold):
    """The BinaryNode that asks a question."""
    split = generic.BinaryNode()
    if kind in (MATCHES, OTHERS):
        test = generic.MatchingValuesTest(inverse=kind == OTHERS)
        test.value.add().float_value = threshold
    else:
        test = split.inequality_left_child_test
        test.type, test.threshold.float_value = kind, threshold
    test.feature_id.id.value = str(feature)
    if kind in (MATCHES, OTHERS):
        split.custom_left_child_test.Pack(test)
    return split


class ForestCell(TreesCell):
    """What holds a resource of tensor_forest; its contents come with parameters.

    Args:
        name: for errors.
    """

    __slots__ = ("settings",)

    def __init__(self, name):
        super().__init__(name)
        self.settings = None

    @property
    def initialized(self):
        """Whether it has been created."""
        return self.settings is not None


class TreeCell(ForestCell):
    """A tree.

    Attributes:
        model: the Model. size: its nodes. questions: int32[room, 4]: kind, feature,
            left, right; left is -1 at a leaf. thresholds: float32[room].
        counts: float32[room, outputs], of dense leaves. dense: bool[room], which those
            are.
    """

    __slots__ = ("counts", "dense", "model", "questions", "size", "thresholds")
    kind = "N10tensorflow12tensorforest20DecisionTreeResourceE"

    def put(self, settings, serialized):
        """Replace the tree."""
        model = parsed(generic.Model(), serialized, "decision tree")
        with self.lock:
            self.settings, self.model, self.size = settings, model, 0
            self.questions = np.zeros((_FEW, 4), np.int32)
            self.thresholds = np.zeros(_FEW, np.float32)
            self.counts = np.zeros((_FEW, settings.num_outputs), np.float32)
            self.dense = np.zeros(_FEW, bool)
            nodes = model.decision_tree.nodes
            for node in nodes:
                self._take(node)
            if not nodes:
                self._begin(nodes.add())

    def _begin(self, root):
        """A tree that has seen nothing: one leaf."""
        if self.settings.leaf_type in (DENSE, REGRESSION):
            for _ in range(self.settings.num_outputs):
                root.leaf.vector.value.add()
        else:
            root.leaf.SetInParent()
        self._take(root)

    def _take(self, node):
        """Read the next node into the arrays."""
        at, self.size = self.size, self.size + 1
        if self.size > len(self.questions):
            for name in ("questions", "thresholds", "counts", "dense"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate([old, np.zeros_like(old)]))
        self._read(at, node)

    def _read(self, at, node):
        self.questions[at, 2] = -1
        kind = node.WhichOneof("node_type")
        if kind == "binary_node":
            asked, feature, self.thresholds[at] = question(node.binary_node)
            split = node.binary_node
            children = split.left_child_id.value, split.right_child_id.value
            self.questions[at] = asked, feature, *children
        self.dense[at] = kind == "leaf" and node.leaf.WhichOneof("leaf") == "vector"
        if self.dense[at]:
            values = [v.float_value for v in node.leaf.vector.value]
            self.counts[at] = 0
            self.counts[at, : len(values)] = values[: self.counts.shape[1]]

    # ------------------------------------------------------------------ walking
    def leaves(self, examples, path=None):
        """The leaf of each example: int32[n].

        Args:
            examples: Examples. path: a list that gets the nodes after each step.
        """
        nodes = np.zeros(examples.count, np.int32)
        inner = np.arange(examples.count) if self.questions[0, 2] >= 0 else nodes[:0]
        while inner.size:
            at = nodes[inner]
            kind, feature, left, right = self.questions[at].T
            found = examples.values(inner, feature)
            chosen = goes_left(kind, found, self.thresholds[at])
            nodes[inner] = np.where(chosen, left, right)
            if path is not None:
                path.append(nodes.copy())
            inner = inner[self.questions[nodes[inner], 2] >= 0]
        return nodes

    # ------------------------------------------------------------------ leaves
    def leaf(self, number):
        """The Leaf of a node, up to date."""
        found = self.model.decision_tree.nodes[number].leaf
        if self.dense[number]:
            values = found.vector.value
            for value, count in zip(values, self.counts[number].tolist()):
                if value.float_value != count:
                    value.float_value = count
        return found

    def add(self, leaves, classes, weights):
        """Count examples in their leaves."""
        dense = self.dense[leaves]
        np.add.at(self.counts, (leaves[dense], classes[dense]), weights[dense])
        nodes = self.model.decision_tree.nodes
        for at in np.flatnonzero(~dense):
            values = nodes[int(leaves[at])].leaf.sparse_vector.sparse_value
            values[int(classes[at])].float_value += weights[at]

    def outputs(self, leaves):
        """float32[n, outputs], what the leaves hold; shares of classes."""
        out = self.counts[leaves]
        for number in np.unique(leaves[~self.dense[leaves]]).tolist():
            values = self.model.decision_tree.nodes[number].leaf.sparse_vector
            row = np.zeros(out.shape[1], np.float32)
            for label, value in values.sparse_value.items():
                if label < len(row):
                    row[label] = value.float_value
            out[leaves == number] = row
        if self.settings.is_regression:
            return out
        total = out.sum(1, keepdims=True, dtype=np.float32)
        return out / np.where(total > 0, total, np.float32(1))

    # ------------------------------------------------------------------ contents
    def serialized(self):
        """The Model as bytes."""
        for number in np.flatnonzero(self.dense[: self.size]).tolist():
            self.leaf(number)
        return self.model.SerializeToString()

    def path_of(self, numbers):
        """The serialized TreePath of nodes."""
        path = forest.TreePath()
        for number in numbers:
            if self.dense[number]:
                self.leaf(number)
            path.nodes_visited.append(self.model.decision_tree.nodes[number])
        return path.SerializeToString()

    def split(self, number, best):
        """Turn a leaf into a split with two leaves.

        Args:
            number: the leaf. best: (BinaryNode, left LeafStat, right LeafStat).
        Returns:
            The numbers of the two.
        """
        nodes = self.model.decision_tree.nodes
        split, *sides = best
        children = []
        for stats in sides:
            children.append(self.size)
            new = nodes.add()
            new.node_id.value = self.size
            _export(self.settings, stats, new.leaf)
            self._take(new)
        node = nodes[number]
        node.ClearField("leaf")
        node.binary_node.CopyFrom(split)
        node.binary_node.left_child_id.value = children[0]
        node.binary_node.right_child_id.value = children[1]
        self._read(number, node)
        return children

    def usage(self):
        """int32[num_features], how many splits ask for each."""
        inner = self.questions[: self.size][self.questions[: self.size, 2] >= 0, 1]
        size = self.settings.num_features
        return np.bincount(inner[inner < size], minlength=size).astype(np.int32)


def _export(settings, stats, leaf):
    """Write the leaf that has the statistics of one side of a split."""
    found = stats.classification
    if settings.leaf_type == REGRESSION:
        for value in stats.regression.mean_output.value:
            mean = np.float32(value.float_value) / np.float32(stats.weight_sum)
            leaf.vector.value.add().float_value = mean
    elif settings.leaf_type == SPARSE or found.WhichOneof("counts") == "sparse_counts":
        leaf.sparse_vector.CopyFrom(found.sparse_counts)
    else:
        leaf.vector.CopyFrom(found.dense_counts)
