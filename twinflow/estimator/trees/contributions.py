"""What each feature adds to a prediction, and how much the trees ask for each."""

import numpy as np

from twinflow.base.errors import UsageError
from twinflow.formats.tree_protos import DebugOutput

BIAS_ID = 0
DEBUG_PROTO_KEY = "_serialized_debug_outputs_proto"


def identity(logits):
    """The prediction of a regressor."""
    return logits


def sigmoid(logits):
    """The prediction of a classifier: a probability."""
    return 1 / (1 + np.exp(-np.asarray(logits)))


def parse_debug_proto_string(example_proto_serialized):
    """(the features asked on the way, the logits before and after each)"""
    found = DebugOutput.FromString(example_proto_serialized)
    return list(found.feature_ids), list(found.logits_path)


def compute_directional_feature_contributions(
    example_feature_ids, example_logits_paths, activation, num_bucketized_features
):
    """(the bias, {feature: by how much its splits changed the prediction})

    Args:
        example_feature_ids: the features asked on the way through all trees.
        example_logits_paths: the logits before the first and after each.
        activation: of logits. num_bucketized_features: how many features there are.
    """
    said = [activation(logit) for logit in example_logits_paths]
    found = dict.fromkeys(range(num_bucketized_features), 0.0)
    for feature, before, after in zip(example_feature_ids, said, said[1:]):
        found[feature] += after - before
    return said[BIAS_ID], found


def parse_explanations_from_prediction(
    serialized_debug_proto, n_features, classification=False
):
    """(bias, contributions) of a serialized DebugOutput; see above."""
    features, logits = parse_debug_proto_string(serialized_debug_proto)
    activation = sigmoid if classification else identity
    return compute_directional_feature_contributions(
        features, np.array(logits), activation, n_features
    )


# ---------------------------------------------------------------------- importances
def compute_feature_importances_per_tree(tree, num_features):
    """float64[features]: the gains of the splits by each feature."""
    found = np.zeros(num_features)
    for node in tree.nodes:
        kind = node.WhichOneof("node")
        if kind == "bucketized_split":
            found[node.bucketized_split.feature_id] += node.metadata.gain
        elif kind not in (None, "leaf"):
            raise ValueError(f"Unexpected split type {kind}")
    return found


def compute_feature_importances(tree_ensemble, num_features, normalize):
    """(the features from the most to the least important, their gains)

    Args:
        tree_ensemble: a TreeEnsemble. num_features: how many there are.
        normalize: whether the sum is to be 1.
    Raises:
        UsageError: the gains cannot be normalized.
    """
    found = sum(
        weight * compute_feature_importances_per_tree(tree, num_features)
        for tree, weight in zip(tree_ensemble.trees, tree_ensemble.tree_weights)
    )
    found = np.zeros(num_features) + found
    if normalize:
        if np.any(found < 0):
            raise UsageError("feature_importances must be non-negative.")
        if not found.sum() > 0:
            raise UsageError("Trees are all empty or contain only a root node.")
        found = found / found.sum()
    order = np.argsort(found)[::-1]
    return order, found[order]
