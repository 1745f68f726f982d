"""How a training step grows the trees: at once, or after some batches."""

import abc
from typing import NamedTuple

from twinflow.base import dtypes
from twinflow.estimator.trees import calls
from twinflow.estimator.trees.ensemble import PruningMode
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.core.compare import greater_equal
from twinflow.ops.core.joining import stack, unstack
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_mean, reduce_min
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.queues.accumulators import ConditionalAccumulator


class TreeHParams(NamedTuple):
    """What is chosen of an ensemble; see BoostedTreesClassifier."""

    n_trees: int
    max_depth: int
    learning_rate: float
    l1: float
    l2: float
    tree_complexity: float
    min_node_weight: float
    center_bias: bool
    pruning_mode: str


def get_max_splits(tree_hparams):
    """How many nodes a tree may have, at most, while it grows."""
    return (1 << tree_hparams.max_depth) - 1


class EnsembleGrower(abc.ABC):
    """What grows an ensemble.

    Args:
        tree_ensemble: a TreeEnsemble. tree_hparams: a TreeHParams.
        feature_ids_list: lists of features that have as many buckets.
    """

    def __init__(self, tree_ensemble, tree_hparams, feature_ids_list):
        self._tree_ensemble, self._tree_hparams = tree_ensemble, tree_hparams
        self._feature_ids_list = feature_ids_list
        self._pruning_mode_parsed = PruningMode.from_str(tree_hparams.pruning_mode)

    @abc.abstractmethod
    def chief_init_op(self):
        """What runs once, before the training."""

    @abc.abstractmethod
    def center_bias(self, center_bias_var, gradients, hessians):
        """An op that moves the bias, and notes whether to go on with that."""

    @abc.abstractmethod
    def grow_tree(self, stats_summaries_list, last_layer_nodes_range):
        """An op that grows the trees by a layer.

        Args:
            stats_summaries_list: the sums of each feature, in lists as the features.
            last_layer_nodes_range: int32[2].
        """

    def _center_bias_fn(self, center_bias_var, mean_gradients, mean_hessians):
        goes_on = calls.center_bias(
            self._tree_ensemble.resource_handle, mean_gradients, mean_hessians,
            self._tree_hparams.l1, self._tree_hparams.l2,
        )  # fmt: skip
        return center_bias_var.assign(goes_on)

    def _grow_tree_from_stats_summaries(
        self, stats_summaries_list, last_layer_nodes_range
    ):
        chosen, found = self._tree_hparams, []
        for summaries in stats_summaries_list:
            splits = calls.calculate_best_gains_per_feature(
                last_layer_nodes_range, summaries, chosen.l1, chosen.l2,
                chosen.tree_complexity, chosen.min_node_weight,
                get_max_splits(chosen),
            )  # fmt: skip
            found.append(splits)
        lists = [[x for part in parts for x in part] for parts in zip(*found)]
        ids = [i for group_ids in self._feature_ids_list for i in group_ids]
        return calls.update_ensemble(
            self._tree_ensemble.resource_handle, ids, *lists, chosen.max_depth,
            chosen.learning_rate, self._pruning_mode_parsed,
        )  # fmt: skip


class InMemoryEnsembleGrower(EnsembleGrower):
    """Grows a layer in each step, of the sums of that step."""

    def chief_init_op(self):
        """Nothing."""
        return no_op()

    def center_bias(self, center_bias_var, gradients, hessians):
        """See EnsembleGrower."""
        means = (expand_dims(reduce_mean(x, 0), 0) for x in (gradients, hessians))
        return self._center_bias_fn(center_bias_var, *means)

    def grow_tree(self, stats_summaries_list, last_layer_nodes_range):
        """See EnsembleGrower."""
        return self._grow_tree_from_stats_summaries(
            stats_summaries_list, last_layer_nodes_range
        )


class AccumulatorEnsembleGrower(EnsembleGrower):
    """Grows a layer of the mean of the sums of some batches.

    Args:
        stamp_token: of the ensemble; older sums are dropped.
        n_batches_per_layer: how many batches. bucket_size_list: the numbers of buckets.
        is_chief: whether this process grows. center_bias: whether the bias is moved.
        The others: see EnsembleGrower.
    """

    def __init__(
        self, tree_ensemble, tree_hparams, stamp_token, n_batches_per_layer,
        bucket_size_list, is_chief, center_bias, feature_ids_list,
    ):  # fmt: skip
        super().__init__(tree_ensemble, tree_hparams, feature_ids_list)
        self._stamp_token, self._is_chief = stamp_token, is_chief
        self._n_batches_per_layer = n_batches_per_layer
        nodes = get_max_splits(tree_hparams)
        self._growing_accumulators = [
            ConditionalAccumulator(dtypes.float32, [len(ids), nodes, buckets, 2])
            for ids, buckets in zip(feature_ids_list, bucket_size_list, strict=True)
        ]
        self._bias_accumulator = None
        accumulators = list(self._growing_accumulators)
        if center_bias:
            self._bias_accumulator = ConditionalAccumulator(dtypes.float32, [2, 1])
            accumulators.append(self._bias_accumulator)
        self._chief_init_op = group(
            [a.set_global_step(stamp_token) for a in accumulators]
        )

    def chief_init_op(self):
        """Lets the accumulators start with the stamp of the ensemble."""
        return self._chief_init_op

    def center_bias(self, center_bias_var, gradients, hessians):
        """See EnsembleGrower."""
        accumulator = self._bias_accumulator
        means = reduce_mean(stack([gradients, hessians]), 1)
        applied = accumulator.apply_grad(means, self._stamp_token)

        def from_accumulator():
            gradient, hessian = unstack(accumulator.take_grad(1), axis=0)
            done = self._center_bias_fn(
                center_bias_var, expand_dims(gradient, 0), expand_dims(hessian, 0)
            )
            with control_dependencies([done]):
                return cond(center_bias_var, no_op, self._set_accumulators_stamp)

        with control_dependencies([applied]):
            return self._when_enough(
                accumulator.num_accumulated(), from_accumulator,
                "wait_until_n_batches_for_bias_accumulated",
            )  # fmt: skip

    def _set_accumulators_stamp(self):
        """The bias is done: sums of the ensemble as it is now count."""
        stamp = self._stamp_token + 1
        return group([a.set_global_step(stamp) for a in self._growing_accumulators])

    def grow_tree(self, stats_summaries_list, last_layer_nodes_range):
        """See EnsembleGrower."""
        pairs = zip(self._growing_accumulators, stats_summaries_list, strict=True)
        applied = [
            a.apply_grad(stack(sums, axis=0), self._stamp_token) for a, sums in pairs
        ]

        def from_accumulators():
            found = [
                unstack(a.take_grad(1), axis=0) for a in self._growing_accumulators
            ]
            return self._grow_tree_from_stats_summaries(found, last_layer_nodes_range)

        with control_dependencies(applied):
            if not self._is_chief:
                return no_op()
            counts = [a.num_accumulated() for a in self._growing_accumulators]
            return self._when_enough(
                reduce_min(stack(counts)), from_accumulators,
                "wait_until_n_batches_accumulated",
            )  # fmt: skip

    def _when_enough(self, count, run, name):
        enough = greater_equal(count, self._n_batches_per_layer)
        return cond(enough, run, no_op, name=name)
