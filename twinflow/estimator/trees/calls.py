"""The ops of boosted trees as functions: tensorflow.python.ops.boosted_trees_ops."""

from typing import Any, NamedTuple

from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.trees import ops


class Splits(NamedTuple):
    """The best splits of nodes: a list of each, an entry a feature."""

    node_ids_list: list
    gains_list: list
    thresholds_list: list
    left_node_contribs_list: list
    right_node_contribs_list: list


class Partial(NamedTuple):
    """What trees add: float32[batch, 1], and where examples are now, int32[batch]."""

    partial_logits: Any
    tree_ids: Any
    node_ids: Any


def make_stats_summary(
    node_ids: TensorValue, gradients: TensorValue, hessians: TensorValue,
    bucketized_features_list: Any, max_splits: int, num_buckets: int,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Sums of gradients and hessians: float32[features, max_splits, num_buckets, 2].

    Args:
        node_ids: int32[batch]. gradients, hessians: float32[batch, 1].
        bucketized_features_list: int32[batch] for each feature.
        max_splits, num_buckets: how many nodes and buckets there are. name: of the op.
    """
    inputs = (node_ids, gradients, hessians, bucketized_features_list)
    attrs = {"max_splits": max_splits, "num_buckets": num_buckets}
    return apply(ops.BoostedTreesMakeStatsSummary, inputs, attrs, name)


def calculate_best_gains_per_feature(
    node_id_range: TensorValue, stats_summary_list: Any, l1: TensorValue,
    l2: TensorValue, tree_complexity: TensorValue, min_node_weight: TensorValue,
    max_splits: int, name: str | None = None,
) -> Splits:  # fmt: skip
    """The best split of each node by each feature.

    Args:
        node_id_range: int32[2], the first node and the one after the last.
        stats_summary_list: float32[max_splits, num_buckets, 2] for each feature.
        l1, l2, tree_complexity: of the loss. min_node_weight: the least sum of
            hessians of a node that may be split. max_splits, name: see the op.
    """
    inputs = (
        node_id_range, stats_summary_list, l1, l2, tree_complexity, min_node_weight
    )  # fmt: skip
    op, n = ops.BoostedTreesCalculateBestGainsPerFeature, len(stats_summary_list)
    found = apply(op, inputs, {"max_splits": max_splits}, name)
    return Splits(*(list(found[i : i + n]) for i in range(0, 5 * n, n)))


def update_ensemble(
    tree_ensemble_handle: Any, feature_ids: TensorValue, node_ids: Any, gains: Any,
    thresholds: Any, left_node_contribs: Any, right_node_contribs: Any,
    max_depth: TensorValue, learning_rate: TensorValue, pruning_mode: int,
    name: str | None = None,
) -> Any:  # fmt: skip
    """An op that splits leaves of the last tree.

    Args:
        tree_ensemble_handle: of the ensemble. feature_ids: int32[features].
        node_ids, gains, thresholds, left_node_contribs, right_node_contribs: a list
            each, see Splits. max_depth: int32 scalar. learning_rate: float32 scalar.
        pruning_mode: see PruningMode. name: of the op.
    """
    inputs = (
        tree_ensemble_handle, feature_ids, node_ids, gains, thresholds,
        left_node_contribs, right_node_contribs, max_depth, learning_rate,
    )  # fmt: skip
    attrs = {"pruning_mode": pruning_mode}
    return apply(ops.BoostedTreesUpdateEnsemble, inputs, attrs, name)


def training_predict(
    tree_ensemble_handle: Any, cached_tree_ids: TensorValue,
    cached_node_ids: TensorValue, bucketized_features: Any, logits_dimension: int,
    name: str | None = None,
) -> Partial:  # fmt: skip
    """What trees add to what they said when examples were in other nodes.

    Args:
        tree_ensemble_handle: of the ensemble. cached_tree_ids, cached_node_ids:
            int32[batch]. bucketized_features: int32[batch] for each feature.
        logits_dimension: 1. name: of the op.
    """
    inputs = (
        tree_ensemble_handle, cached_tree_ids, cached_node_ids, bucketized_features
    )  # fmt: skip
    attrs = {"logits_dimension": logits_dimension}
    return Partial(*apply(ops.BoostedTreesTrainingPredict, inputs, attrs, name))


def predict(
    tree_ensemble_handle: Any, bucketized_features: Any, logits_dimension: int,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The sum of the trees: float32[batch, 1]. Args: see `training_predict`."""
    inputs = (tree_ensemble_handle, bucketized_features)
    attrs = {"logits_dimension": logits_dimension}
    return apply(ops.BoostedTreesPredict, inputs, attrs, name)


def example_debug_outputs(
    tree_ensemble_handle: Any, bucketized_features: Any, logits_dimension: int,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The paths of examples: serialized DebugOutputs. Args: see `training_predict`."""
    inputs = (tree_ensemble_handle, bucketized_features)
    attrs = {"logits_dimension": logits_dimension}
    return apply(ops.BoostedTreesExampleDebugOutputs, inputs, attrs, name)


def center_bias(
    tree_ensemble_handle: Any, mean_gradients: TensorValue,
    mean_hessians: TensorValue, l1: TensorValue, l2: TensorValue,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Move the root of the first tree; bool scalar, whether to go on.

    Args:
        tree_ensemble_handle: of the ensemble. mean_gradients, mean_hessians:
            float32[1, 1]. l1, l2: float32 scalars. name: of the op.
    """
    inputs = (tree_ensemble_handle, mean_gradients, mean_hessians, l1, l2)
    return apply(ops.BoostedTreesCenterBias, inputs, None, name)
