"""What a training in memory keeps of its one batch, in local variables."""

from twinflow.base import dtypes
from twinflow.estimator.trees.features import (
    calculate_num_features,
    get_transformed_features,
)
from twinflow.graph.cond import cond
from twinflow.graph.scopes import group
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.no_op import no_op
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.state import assign

NO_NODE = -1


def _local_variable(initial_value, name=None):
    return Variable(
        initial_value=initial_value, trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES], validate_shape=False, name=name,
    )  # fmt: skip


def first_states(batch_size, logits_dimension):
    """(trees, nodes, logits) of examples that no tree has seen."""
    return (
        zeros([batch_size], dtypes.int32),
        NO_NODE * ones([batch_size], dtypes.int32),
        zeros([batch_size, logits_dimension], dtypes.float32),
    )


class StatesInVariables:
    """Where the examples of the batch are in the trees, and their logits."""

    def __init__(self, batch_size, logits_dimension):
        states = first_states(batch_size, logits_dimension)
        names = "tree_ids_cache", "node_ids_cache", "logits_cache"
        self._variables = [_local_variable(*pair) for pair in zip(states, names)]

    def lookup(self):
        """(trees, nodes, logits)"""
        return self._variables

    def insert(self, tree_ids, node_ids, logits):
        """The op that keeps other ones."""
        values = tree_ids, node_ids, logits
        done = [
            assign(v, value) for v, value in zip(self._variables, values, strict=True)
        ]
        return group(done, name="cache_insert")


def cache_transformed_features(features, sorted_feature_columns, batch_size):
    """(int32[batch] for each feature, the op that computes them the first time)"""
    count = calculate_num_features(sorted_feature_columns)
    cached = [
        _local_variable(zeros([batch_size], dtypes.int32), f"cached_feature_{i}")
        for i in range(count)
    ]
    are_cached = _local_variable(False, "are_features_cached")

    def from_cache():
        return list(cached), no_op()

    def compute():
        made = get_transformed_features(features, sorted_feature_columns)
        kept = [assign(v, value) for v, value in zip(cached, made, strict=True)]
        return kept, assign(are_cached, constant(True))

    found, done = cond(are_cached, from_cache, compute)
    return found, done
