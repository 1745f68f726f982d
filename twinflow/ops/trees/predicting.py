"""What ensembles say of examples; sums are taken tree by tree, in float32."""

import numpy as np

from twinflow.formats import tree_protos
from twinflow.ops.strings.arrays import filled


def predicted(cell, features):
    """The sum of the trees' leaves: float32[batch].

    Args:
        cell: the EnsembleCell. features: int32[number of features, batch].
    """
    out = np.zeros(features.shape[1], np.float32)
    for number, weight in enumerate(cell.ensemble().tree_weights):
        tree = cell.arrays(number)
        out += np.float32(weight) * tree.value[tree.leaves(features)]
    return out


def predicted_more(cell, features, trees, nodes):
    """What the ensemble says beyond what it said when examples were where they were.

    Args:
        cell, features: see `predicted`. trees, nodes: int32[batch], where the examples
            ended before; a node below 0 for those that were nowhere.
    Returns:
        (float32[batch], and where they end now: trees, nodes).
    """
    proto, count = cell.ensemble(), features.shape[1]
    out, last = np.zeros(count, np.float32), len(proto.trees) - 1
    if last < 0:
        return out, np.zeros(count, np.int32), np.zeros(count, np.int32)
    trees, nodes = np.array(trees), np.array(nodes)
    ends = np.zeros(count, np.int32)
    for number in range(min(trees.min(initial=last), last), last + 1):
        rows = np.flatnonzero(trees <= number)
        start = np.where(trees[rows] == number, nodes[rows], -1)
        at, before = _values_before(cell, number, start)
        tree = cell.arrays(number)
        leaves = tree.leaves(features[:, rows], at)
        out[rows] += np.float32(proto.tree_weights[number]) * (
            before + tree.value[leaves]
        )
        ends[rows] = leaves
    return out, np.full(count, last, np.int32), ends


def _values_before(cell, number, nodes):
    """Nodes of a tree as they are now, and what to take off for what was said there."""
    known = nodes >= 0
    at, before = np.where(known, nodes, 0), np.zeros(len(nodes), np.float32)
    pruned = cell.ensemble().tree_metadata[number].post_pruned_nodes_meta
    if pruned and known.any():
        new = np.array([p.new_node_id for p in pruned], np.int32)
        change = np.array([p.logit_change for p in pruned], np.float32)
        before[known] += change[at[known]]
        at[known] = new[at[known]]
    before[known] -= cell.arrays(number).value[at[known]]
    return at.astype(np.int32), before


def explained(cell, features):
    """The path of each example through the trees: serialized DebugOutputs.

    Args: see `predicted`.
    """
    count = features.shape[1]
    outputs = [tree_protos.DebugOutput() for _ in range(count)]
    past, rows = np.zeros(count, np.float32), np.arange(count)
    weights = cell.ensemble().tree_weights
    if weights:
        start = np.float32(weights[0]) * cell.arrays(0).value[0]
        for output in outputs:
            output.logits_path.append(start)
    for number, weight in enumerate(map(np.float32, weights)):
        tree = cell.arrays(number)
        nodes, inner = np.zeros(count, np.int32), rows[tree.feature[[0] * count] >= 0]
        while inner.size:
            asked = tree.feature[nodes[inner]]
            nodes[inner] = tree.step(nodes[inner], features, inner)
            said = past[inner] + weight * tree.value[nodes[inner]]
            for row, feature, logit in zip(inner, asked, said):
                outputs[row].feature_ids.append(int(feature))
                outputs[row].logits_path.append(logit)
            inner = inner[tree.feature[nodes[inner]] >= 0]
        past += weight * tree.value[nodes]
    return filled((output.SerializeToString() for output in outputs), (count,))
