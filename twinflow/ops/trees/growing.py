"""How ensembles grow: splits of leaves, pruning, and the bias of the first tree.

What tf.Tensor arithmetic rounds, float32 values of nodes, is rounded here likewise.
"""

from typing import NamedTuple

import numpy as np

from twinflow.formats import tree_protos
from twinflow.ops.trees.ensembles import node_value
from twinflow.ops.trees.gains import contribution

NO_PRUNING, PRE_PRUNING, POST_PRUNING = range(3)
_WEIGHT = 1.0  # of a tree: leaves have the learning rate in them
_SMALL_STEP = np.float32(0.01)  # as a part of the bias


class Split(NamedTuple):
    """The best split of a node that one feature offers."""

    gain: np.float32
    feature: int
    threshold: int
    left: np.float32
    right: np.float32


def best_splits(feature_ids, node_ids, gains, thresholds, left, right):
    """{node: the Split with the largest gain}, in the order of the nodes.

    Of equal gains that of the feature with the smallest number is taken.
    """
    found: dict[int, Split] = {}
    rows = zip(feature_ids, node_ids, gains, thresholds, left, right, strict=True)
    for feature, *lists in rows:
        for node, gain, threshold, to_left, to_right in zip(*map(np.ravel, lists)):
            before = found.get(int(node))
            if before is None or _rank(gain, feature) > _rank(*before[:2]):
                found[int(node)] = Split(
                    gain, int(feature), int(threshold), to_left, to_right
                )
    return dict(sorted(found.items()))


def _rank(gain, feature):
    return gain, -int(feature)


def grow(cell, splits, max_depth, rate, pruning):
    """Split leaves of the last tree, and finish it where it is deep enough.

    Args:
        cell: the EnsembleCell. splits: see `best_splits`. max_depth: the layers of a
            tree. rate: float32, by which contributions shrink.
        pruning: how splits with a negative gain are dealt with.
    """
    proto = cell.ensemble()
    _note_attempt(proto)
    if not proto.trees:
        _add_tree(cell)
    number = len(proto.trees) - 1
    tree, metadata = proto.trees[number], proto.tree_metadata[number]
    before = len(tree.nodes)
    for node, split in splits.items():
        if pruning != PRE_PRUNING or split.gain >= 0:
            _split(tree.nodes, node, split, rate)
    cell.stamp += 1
    if len(tree.nodes) == before:
        return
    cell.changed(number)
    metadata.num_layers_grown += 1
    growing = proto.growing_metadata
    growing.last_layer_node_start = before
    growing.last_layer_node_end = len(tree.nodes)
    if metadata.num_layers_grown >= max_depth:
        metadata.is_finalized = True
        if pruning == POST_PRUNING:
            _prune(tree, metadata)
        _add_tree(cell)


def _note_attempt(proto):
    """One more layer, and one more tree where the last one has only its root."""
    growing, trees = proto.growing_metadata, proto.trees
    growing.num_layers_attempted += 1
    if not trees or (
        len(trees[-1].nodes) == 1
        and (len(trees) == 1 or proto.tree_metadata[-2].is_finalized)
    ):
        growing.num_trees_attempted += 1


def _add_tree(cell):
    """A tree of one leaf, to be grown."""
    proto = cell.ensemble()
    proto.trees.add().nodes.add().leaf.SetInParent()
    proto.tree_weights.append(_WEIGHT)
    proto.tree_metadata.add()
    if len(proto.trees) > 1:
        proto.growing_metadata.last_layer_node_start = 0
        proto.growing_metadata.last_layer_node_end = 1


def _split(nodes, number, split, rate):
    """Make a leaf a split with two leaves."""
    node, first = nodes[number], len(nodes)
    before = np.float32(node_value(node))
    node.metadata.gain = split.gain
    if number or before:
        node.metadata.original_leaf.SetInParent()
        node.metadata.original_leaf.scalar = before
    place = node.bucketized_split
    place.SetInParent()
    place.feature_id, place.threshold = split.feature, split.threshold
    place.left_id, place.right_id = first, first + 1
    for change in (split.left, split.right):
        leaf = nodes.add().leaf
        leaf.SetInParent()
        leaf.scalar = before + np.float32(rate) * np.float32(change)


# ---------------------------------------------------------------------- pruning
def _prune(tree, metadata):
    """Undo splits with a negative gain whose children are leaves, from below."""
    nodes = tree.nodes
    moved: dict[int, tuple] = {}  # to the parent, with the change of the value
    _prune_below(nodes, 0, moved)
    if not moved:
        return
    kept = [i for i in range(len(nodes)) if i not in moved]
    new_ids = {old: new for new, old in enumerate(kept)}
    for i in range(len(nodes)):
        at, change = i, np.float32(0)
        while at in moved:
            at, more = moved[at]
            change = change + more
        note = metadata.post_pruned_nodes_meta.add()
        note.new_node_id, note.logit_change = new_ids[at], change
    copies = [tree_protos.Node.FromString(nodes[i].SerializeToString()) for i in kept]
    del nodes[:]
    nodes.extend(copies)
    for node in nodes:
        if node.WhichOneof("node") != "leaf":
            split = node.bucketized_split
            split.left_id = new_ids[split.left_id]
            split.right_id = new_ids[split.right_id]


def _prune_below(nodes, number, moved):
    node = nodes[number]
    if node.WhichOneof("node") != "bucketized_split":
        return
    children = node.bucketized_split.left_id, node.bucketized_split.right_id
    for child in children:
        _prune_below(nodes, child, moved)
    leaves = all(nodes[c].WhichOneof("node") == "leaf" for c in children)
    if node.metadata.gain < 0 and leaves:
        value = np.float32(node_value(node))
        for child in children:
            change = value - np.float32(node_value(nodes[child]))
            moved[child] = number, change
        node.leaf.SetInParent()
        node.leaf.scalar = value
        node.ClearField("metadata")


# ---------------------------------------------------------------------- the bias
def center(cell, gradient, hessian, l1, l2):
    """Move the root of the first tree by a step of Newton's.

    Returns:
        Whether to go on: the step was large, or the first one.
    """
    proto = cell.ensemble()
    step, first = contribution(gradient, hessian, l1, l2)[0], not proto.trees
    if first:
        _add_tree(cell)
    root = proto.trees[0].nodes[0]
    before = np.float32(node_value(root))
    root.leaf.SetInParent()
    root.leaf.scalar = before + step
    cell.changed(0)
    cell.stamp += 1
    with np.errstate(divide="ignore", invalid="ignore"):
        return first or bool(abs(step / before) > _SMALL_STEP)
