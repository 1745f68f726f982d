"""How a tree grows by a layer: the best splits of its leaves, pruning, and weights.

What TensorFlow adds up in float32 is rounded to float32 here too.
"""

from typing import Any, NamedTuple

import numpy as np

from twinflow.base.errors import invalid
from twinflow.formats import decision_protos
from twinflow.ops.trees.contrib.dropout import dropped_trees, reweighed

WHOLE_TREE, PRE_PRUNE, POST_PRUNE = 1, 1, 2  # of LearnerConfig


class Best(NamedTuple):
    """The best split of a leaf."""

    handler: int
    gain: float
    info: bytes


def best_splits(partitions, gains, infos, pruning):
    """{leaf: its Best}, by leaf; of equal gains that of the last handler is taken."""
    found: dict[int, Best] = {}
    for handler, rows in enumerate(zip(partitions, gains, infos)):
        for leaf, gain, info in zip(*(np.ravel(row).tolist() for row in rows)):
            if pruning == PRE_PRUNE and gain < 0:
                continue
            better = leaf not in found or gain >= found[leaf].gain
            if better and _has_children(info):
                found[leaf] = Best(handler, gain, info)
    return dict(sorted(found.items()))


def _has_children(info):
    """Whether both sides have a step; one of several classes may lack it."""
    split = decision_protos.learner.SplitInfo.FromString(info)
    sides = split.left_child, split.right_child
    return all(side.WhichOneof("leaf") is not None for side in sides)


def best_layer(partitions, gains, infos, pruning):
    """The Best for all leaves of an oblivious tree, as {0: it}, or {}."""
    found: dict[int, Best] = {}
    for handler, (gain, info) in enumerate(zip(gains, infos)):
        if not np.size(gain) or (pruning == PRE_PRUNE and gain[0] < 0):
            continue
        if not found or gain[0] >= found[0].gain:
            found[0] = Best(handler, float(gain[0]), info[0])
    return found


class Growth(NamedTuple):
    """What a step does to an ensemble.

    Attributes:
        cell: the EnsembleCell. chosen: its LearnerConfig. rate: of new trees.
        seed: of what is left out. depth: of a tree. keep_first: whether the first tree
            is a bias.
    """

    cell: Any
    chosen: Any
    rate: float
    seed: int
    depth: int
    keep_first: bool

    def run(self, lists, oblivious):
        """Grow by a layer; `lists` are the leaves, gains and splits by handler."""
        config, pruning = self.cell.config, self.chosen.pruning_mode
        if oblivious and pruning == POST_PRUNE:
            raise invalid("Post-prunning is not implemented for Oblivious trees.")
        self._note_attempt()
        best = (best_layer if oblivious else best_splits)(*lists, pruning)
        if not best:
            return
        if self.cell.open_tree() is None:
            self._add_tree()
        number = len(config.trees) - 1
        if oblivious:
            self._split_layer(config.trees[number].nodes, best[0])
        else:
            for leaf, split in best.items():
                self._split(config.trees[number].nodes, leaf, split)
        self.cell.changed(number)
        if self.chosen.constraints.max_number_of_unique_feature_columns > 0:
            self._note_handlers(split.handler for split in best.values())
        config.tree_metadata[number].num_layers_grown += 1
        if config.tree_metadata[number].num_layers_grown >= self.depth:
            self._finish(number)

    def _note_attempt(self):
        growing = self.cell.config.growing_metadata
        growing.num_layers_attempted += 1
        if self.cell.open_tree() is None:
            growing.num_trees_attempted += 1

    def _note_handlers(self, handlers):
        used = self.cell.config.growing_metadata.used_handler_ids
        used[:] = sorted({*used, *handlers})

    def _add_tree(self):
        config = self.cell.config
        config.trees.add().nodes.add().leaf.SetInParent()
        config.tree_weights.append(self.rate)
        config.tree_metadata.add(num_tree_weight_updates=1)

    # -------------------------------------------------------------- splits
    def _split(self, nodes, number, split):
        """Make a leaf a split with two leaves."""
        if not number < len(nodes) or nodes[number].WhichOneof("node") != "leaf":
            raise invalid(f"Unexpected node type to split for node_id {number}.")
        info = decision_protos.learner.SplitInfo.FromString(split.info)
        before, first = nodes[number].leaf, len(nodes)
        children = [self._below(before, c) for c in (info.left_child, info.right_child)]
        node = info.split_node
        inner = getattr(node, node.WhichOneof("node"))
        inner = inner.split if hasattr(inner, "split") else inner
        inner.left_id, inner.right_id = first, first + 1
        node.node_metadata.gain = split.gain
        if self.chosen.pruning_mode == POST_PRUNE:
            node.node_metadata.original_leaf.CopyFrom(before)
        nodes[number].CopyFrom(node)
        for child in children:
            nodes.add().leaf.CopyFrom(child)

    def _below(self, before, leaf):
        """The leaf of a child; layer by layer it adds to that of its parent."""
        whole = self.chosen.growing_mode == WHOLE_TREE
        return leaf if whole else _added(before, leaf)

    def _split_layer(self, nodes, split):
        """Split all leaves of an oblivious tree alike."""
        info = decision_protos.learner.ObliviousSplitInfo.FromString(split.info)
        leaves = [type(n.leaf)() for n in nodes if n.WhichOneof("node") == "leaf"]
        depth = len(nodes) - len(leaves)
        for leaf, node in zip(leaves, nodes[depth:]):
            leaf.CopyFrom(node.leaf)
        node = info.split_node
        node.node_metadata.gain = split.gain
        node.node_metadata.original_oblivious_leaves.extend(leaves)
        children = [leaf for leaf in leaves for _ in range(2)]
        for k, parent in enumerate(info.children_parent_id):
            for side in range(2):
                at = parent - depth
                found = self._below(leaves[at], info.children[2 * k + side])
                children[2 * at + side] = found
        del nodes[depth:]
        nodes.add().CopyFrom(node)
        for child in children:
            nodes.add().leaf.CopyFrom(child)

    # -------------------------------------------------------------- the end of a tree
    def _finish(self, number):
        config = self.cell.config
        config.tree_metadata[number].is_finalized = True
        if self.chosen.pruning_mode == POST_PRUNE and not self._pruned(number):
            return
        if self.chosen.learning_rate_tuner.HasField("dropout"):
            self._leave_out(number)

    def _pruned(self, number):
        """Undo splits that gain nothing; whether there is still a tree."""
        config = self.cell.config
        prune(config.trees[number].nodes)
        if config.trees[number].nodes[0].WhichOneof("node") != "leaf":
            return True
        for parts in (config.trees, config.tree_weights, config.tree_metadata):
            del parts[number]
        return False

    def _leave_out(self, number):
        config, tuner = self.cell.config, self.chosen.learning_rate_tuner.dropout
        dropped = dropped_trees(self.seed, tuner, number, self.keep_first)
        weights = np.array(config.tree_weights, np.float32)
        weights[number] = reweighed(weights, dropped, weights[number])
        config.tree_weights[:] = weights.tolist()
        for i in (*dropped, number) if dropped else ():
            config.tree_metadata[i].num_tree_weight_updates += 1


def _added(leaf, other):
    """A leaf with the sum of two."""
    out = type(leaf)()
    if other.WhichOneof("leaf") == "sparse_vector":
        sums = _items(leaf.sparse_vector)
        for index, value in _items(other.sparse_vector).items():
            sums[index] = np.float32(sums.get(index, 0)) + np.float32(value)
        out.sparse_vector.index.extend(sums)
        out.sparse_vector.value.extend(map(float, sums.values()))
        return out
    a, b = (np.array(x.vector.value, np.float32) for x in (leaf, other))
    longer, shorter = (a.copy(), b) if len(a) >= len(b) else (b.copy(), a)
    longer[: len(shorter)] += shorter
    out.SetInParent()
    if len(longer):
        out.vector.value.extend(longer.tolist())
    return out


def _items(sparse):
    return dict(zip(sparse.index, sparse.value))


def _children(node):
    """(left, right) of a split, or None."""
    kind = node.WhichOneof("node")
    if kind in (None, "leaf"):
        return None
    split = getattr(node, kind)
    split = split.split if hasattr(split, "split") else split
    return split


def prune(nodes):
    """Undo splits with a negative gain whose children are leaves, from below."""
    gone: set[int] = set()
    for number in range(len(nodes) - 1, -1, -1):  # children come after their parents
        split = _children(nodes[number])
        if split is None:
            continue
        below = split.left_id, split.right_id
        leaves = all(nodes[i].WhichOneof("node") == "leaf" for i in below)
        before = nodes[number].node_metadata
        if leaves and before.gain < 0:
            gone.update(below)
            leaf = type(before.original_leaf)()
            leaf.CopyFrom(before.original_leaf)
            nodes[number].Clear()
            nodes[number].leaf.CopyFrom(leaf)
        else:
            before.ClearField("original_leaf")
    _close_up(nodes, gone)


def _close_up(nodes, gone):
    """Take nodes out, and number the others anew."""
    kept = [i for i in range(len(nodes)) if i not in gone]
    places = {old: new for new, old in enumerate(kept)}
    copies = []
    for i in kept:
        split = _children(nodes[i])
        if split is not None:
            split.left_id, split.right_id = (
                places[split.left_id],
                places[split.right_id],
            )
        copies.append(type(nodes[i]).FromString(nodes[i].SerializeToString()))
    del nodes[:]
    nodes.extend(copies)


def center(cell, deltas, epsilon, classes):
    """Move the first tree, the bias; whether to go on with that."""
    config, deltas = cell.config, np.asarray(deltas, np.float32)
    if not config.trees:
        leaf = config.trees.add().nodes.add().leaf
        leaf.vector.value.extend([0.0] * classes)
        config.tree_weights.append(1.0)
        config.tree_metadata.add(num_layers_grown=1)
        config.growing_metadata.num_trees_attempted += 1
        config.growing_metadata.num_layers_attempted += 1
    values = config.trees[0].nodes[0].leaf.vector.value
    for i, delta in enumerate(deltas):
        values[i] = float(np.float32(values[i]) + delta)
    cell.changed(0)
    goes_on = bool((np.abs(deltas) > np.float32(epsilon)).any())
    if not goes_on:
        config.tree_metadata[0].is_finalized = True
    return goes_on
