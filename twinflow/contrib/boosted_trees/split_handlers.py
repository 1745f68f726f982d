"""Handlers of features: what they add up in each step, and the splits they offer.

A handler looks at one feature column. A training step gives it the gradients and
hessians of the batch by leaf (`update_stats`); when a layer has seen examples enough it
offers the best split of each leaf (`make_splits`).
"""

import abc
from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.contrib.boosted_trees.quantile_accumulator import QuantileAccumulator
from twinflow.contrib.boosted_trees.scheduling import run_handler_scheduled_ops
from twinflow.contrib.boosted_trees.stats_accumulator import StatsAccumulator
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group, name_scope
from twinflow.ops.arrays.unique import unique
from twinflow.ops.core.compare import greater, logical_and
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import fill, zeros, zeros_like
from twinflow.ops.core.index import gather, unsorted_segment_sum
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.shape import shape
from twinflow.ops.core.size import size
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.trees.contrib import quantile_ops, split_ops

SPARSE_BIAS = -1
NORMAL_TREE = 0


class BaseSplitHandler(abc.ABC):
    """What a handler has.

    Args:
        l1_regularization, l2_regularization: float32 scalars, of leaves.
        tree_complexity_regularization: float32 scalar, what a split costs.
        min_node_weight: float32 scalar: leaves with no larger hessian are not split.
        feature_column_group_id: int32 scalar, the number of the column in its kind.
        gradient_shape, hessian_shape: TensorShapes, of an example.
        multiclass_strategy: int32 scalar, of LearnerConfig.
        loss_uses_sum_reduction: bool scalar: gradients are sums, not means.
        name: str.
    """

    def __init__(
        self, l1_regularization: Any, l2_regularization: Any,
        tree_complexity_regularization: Any, min_node_weight: Any,
        feature_column_group_id: Any, gradient_shape: Any, hessian_shape: Any,
        multiclass_strategy: Any, loss_uses_sum_reduction: Any = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self._numbers = (
            l1_regularization, l2_regularization, tree_complexity_regularization,
            min_node_weight, multiclass_strategy,
        )  # fmt: skip
        self._feature_column_group_id = feature_column_group_id
        self._shapes = gradient_shape, hessian_shape
        self._sums = loss_uses_sum_reduction
        self._name = name or ""
        self._stats_accumulator: Any = None

    def _accumulate(self, init_stamp_token):
        self._stats_accumulator = StatsAccumulator(
            init_stamp_token, *self._shapes, name=f"StatsAccumulator/{self._name}"
        )

    def scheduled_reads(self) -> list:
        """ScheduledOps whose results `update_stats` takes."""
        return []

    @abc.abstractmethod
    def update_stats(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any,
        hessians: Any, empty_gradients: Any, empty_hessians: Any, weights: Any,
        is_active: Any, scheduled_reads: list,
    ) -> tuple:  # fmt: skip
        """What a batch adds.

        Args:
            stamp_token: int64 scalar. example_partition_ids: int32[batch], the leaves.
            gradients, hessians: float32[batch, ...].
            empty_gradients, empty_hessians: the same of no examples.
            weights: float32[batch, 1], of the numbers in quantiles.
            is_active: bool[2], whether this layer and the next one use the feature.
            scheduled_reads: the results of `scheduled_reads`.
        Returns:
            (ops, list of ScheduledOps)
        """

    def update_stats_sync(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any,
        hessians: Any, empty_gradients: Any, empty_hessians: Any, weights: Any,
        is_active: Any,
    ) -> Any:  # fmt: skip
        """One op that adds what a batch adds; see `update_stats`."""
        reads = run_handler_scheduled_ops(
            {self: self.scheduled_reads()}, stamp_token, None
        )[self]
        done, updates = self.update_stats(
            stamp_token, example_partition_ids, gradients, hessians, empty_gradients,
            empty_hessians, weights, is_active, reads,
        )  # fmt: skip
        with control_dependencies([done]):
            found = run_handler_scheduled_ops({self: updates}, stamp_token, None)
        return group([done, *found[self]])

    @abc.abstractmethod
    def make_splits(
        self, stamp_token: Any, next_stamp_token: Any, class_id: Any
    ) -> tuple:
        """The best splits, after which the sums start anew.

        Args:
            stamp_token, next_stamp_token: int64 scalars. class_id: int32 scalar, or -1.
        Returns:
            (bool scalar, whether there is anything; int32[n] leaves; float32[n] gains;
            string[n] serialized SplitInfos)
        """

    def reset(self, stamp_token: Any, next_stamp_token: Any) -> Any:
        """An op that starts anew."""
        return group([self._flushed(stamp_token, next_stamp_token)[0]])

    def _flushed(self, stamp_token, next_stamp_token):
        return self._stats_accumulator.flush(stamp_token, next_stamp_token)

    def _splits(self, op, flushed, class_id, *more, weak=None):
        """The splits of an op; `more` are the boundaries or the id of the bias."""
        updates, *rows = flushed
        updates = cond(
            convert_to_tensor(self._sums),
            lambda: constant(1, dtypes.int64),
            lambda: updates,
        )
        l1, l2, complexity, min_weight, strategy = self._numbers
        boundaries, bias = more[:-1], more[-1:]
        inputs = (
            updates, *rows, *boundaries, class_id, self._feature_column_group_id, *bias,
            l1, l2, complexity, min_weight, strategy,
        )  # fmt: skip
        inputs = [x for x in inputs if x is not None]
        return apply(op, (*inputs, *([] if weak is None else [weak])))


def _empty_ids():
    return zeros([0], dtypes.int32), zeros([0, 2], dtypes.int64)


def by_rows(rows, ids, bias, partitions, gradients, hessians):
    """The statistics of a sparse column: those of its values, and of all examples.

    Args:
        rows: int64[n], the example of each value. ids: int64[n, 2]. bias: the id that
            the sums of all examples have. The others: of the examples.
    Returns:
        (int32[m] leaves, int64[m, 2] ids, gradients, hessians)
    """
    leaves, place = unique(partitions)
    count = size(leaves)
    features = fill(shape(leaves), constant(bias, dtypes.int64))
    features = stack([features, zeros_like(features)], axis=1)
    sums = []
    for values in (gradients, hessians):
        total = unsorted_segment_sum(cast(values, dtypes.float64), place, count)
        total = cast(total, dtypes.float32)
        sums.append(concat([total, gather(values, rows)], 0))
    return (
        concat([leaves, gather(partitions, rows)], 0), concat([features, ids], 0), *sums
    )  # fmt: skip


class InequalitySplitHandler(BaseSplitHandler):
    """A handler of numbers, which are put into buckets by their quantiles.

    Args:
        epsilon: float, the error of quantiles. num_quantiles: int, how many buckets.
        init_stamp_token: int64 scalar. The others: see BaseSplitHandler.
    """

    def __init__(
        self, l1_regularization: Any, l2_regularization: Any,
        tree_complexity_regularization: Any, min_node_weight: Any,
        feature_column_group_id: Any, epsilon: float, num_quantiles: int,
        gradient_shape: Any, hessian_shape: Any, multiclass_strategy: Any,
        init_stamp_token: Any = 0, loss_uses_sum_reduction: Any = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            l1_regularization, l2_regularization, tree_complexity_regularization,
            min_node_weight, feature_column_group_id, gradient_shape, hessian_shape,
            multiclass_strategy, loss_uses_sum_reduction, name,
        )  # fmt: skip
        self._accumulate(init_stamp_token)
        self._quantile_accumulator = QuantileAccumulator(
            init_stamp_token, epsilon, num_quantiles,
            name=f"QuantileAccumulator/{self._name}",
        )  # fmt: skip

    def reset(self, stamp_token: Any, next_stamp_token: Any) -> Any:
        """See BaseSplitHandler."""
        stats = self._flushed(stamp_token, next_stamp_token)
        quantiles = self._quantile_accumulator.flush(stamp_token, next_stamp_token)
        return group([stats[0], quantiles])

    def scheduled_reads(self) -> list:
        """The boundaries of the buckets."""
        return [self._quantile_accumulator.schedule_get_buckets()]

    def _inequalities(self, op, stamps, class_id, bias, **more):
        """What `make_splits` gives; the statistics and boundaries start anew."""
        ready, buckets, flush = self._boundaries(*stamps)
        flushed = self._flushed(*stamps)
        with control_dependencies([flush]):
            return (ready, *self._splits(op, flushed, class_id, buckets, bias, **more))

    def _boundaries(self, stamp_token, next_stamp_token):
        """(whether there are any, the boundaries); then the numbers start anew."""
        ready, buckets = self._quantile_accumulator.get_buckets(stamp_token)
        with control_dependencies([ready, buckets]):
            flush = self._quantile_accumulator.flush(stamp_token, next_stamp_token)
        return ready, buckets, flush

    def _updates(self, column, weights, stats, stamp_token):
        """(ops, ScheduledOps) that add numbers and statistics."""
        numbers = self._quantile_accumulator.schedule_add_summary(
            stamp_token, column, weights
        )
        return group([]), [numbers, self._stats_accumulator.schedule_add(*stats)]


class DenseSplitHandler(InequalitySplitHandler):
    """A handler of a dense column.

    Args:
        dense_float_column: float32[batch, 1]. weak_learner_type: of LearnerConfig.
        The others: see InequalitySplitHandler.
    """

    def __init__(
        self, dense_float_column: Any, l1_regularization: Any, l2_regularization: Any,
        tree_complexity_regularization: Any, min_node_weight: Any,
        feature_column_group_id: Any, epsilon: float, num_quantiles: int,
        gradient_shape: Any, hessian_shape: Any, multiclass_strategy: Any,
        init_stamp_token: Any = 0, loss_uses_sum_reduction: Any = False,
        weak_learner_type: Any = NORMAL_TREE, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            l1_regularization, l2_regularization, tree_complexity_regularization,
            min_node_weight, feature_column_group_id, epsilon, num_quantiles,
            gradient_shape, hessian_shape, multiclass_strategy, init_stamp_token,
            loss_uses_sum_reduction, name,
        )  # fmt: skip
        self._column, self._weak_learner_type = dense_float_column, weak_learner_type

    def update_stats(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any,
        hessians: Any, empty_gradients: Any, empty_hessians: Any, weights: Any,
        is_active: Any, scheduled_reads: list,
    ) -> tuple:  # fmt: skip
        """See BaseSplitHandler."""
        ready, buckets = scheduled_reads[0]
        column = convert_to_tensor(self._column)

        def in_buckets():
            inputs = [column], [], [buckets], [], []
            ids = apply(quantile_ops.Quantiles, inputs)[0]
            ids = cast(ids, dtypes.int64)
            return example_partition_ids, ids, gradients, hessians

        def nothing():
            return (*_empty_ids(), empty_gradients, empty_hessians)

        with name_scope(self._name or None, "DenseSplitHandler"):
            numbers, number_weights = cond(
                is_active[1],
                lambda: (column, weights),
                lambda: (zeros([0, 1]), zeros([0, 1])),
            )
            usable = logical_and(ready, greater(size(buckets), 0))
            stats = cond(logical_and(usable, is_active[0]), in_buckets, nothing)
            return self._updates(numbers, number_weights, stats, stamp_token)

    def make_splits(
        self, stamp_token: Any, next_stamp_token: Any, class_id: Any
    ) -> tuple:
        """See BaseSplitHandler."""
        stamps = stamp_token, next_stamp_token
        op, weak = split_ops.BuildDenseInequalitySplits, self._weak_learner_type
        return self._inequalities(op, stamps, class_id, None, weak=weak)


class SparseSplitHandler(InequalitySplitHandler):
    """A handler of a sparse column of numbers; what is missing goes to either side.

    Args:
        sparse_float_column: a SparseTensor of float32. The others: see
            InequalitySplitHandler.
    """

    def __init__(
        self, sparse_float_column: SparseTensor, l1_regularization: Any,
        l2_regularization: Any, tree_complexity_regularization: Any,
        min_node_weight: Any, feature_column_group_id: Any, epsilon: float,
        num_quantiles: int, gradient_shape: Any, hessian_shape: Any,
        multiclass_strategy: Any, init_stamp_token: Any = 0,
        loss_uses_sum_reduction: Any = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            l1_regularization, l2_regularization, tree_complexity_regularization,
            min_node_weight, feature_column_group_id, epsilon, num_quantiles,
            gradient_shape, hessian_shape, multiclass_strategy, init_stamp_token,
            loss_uses_sum_reduction, name,
        )  # fmt: skip
        self._column = sparse_float_column

    def update_stats(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any,
        hessians: Any, empty_gradients: Any, empty_hessians: Any, weights: Any,
        is_active: Any, scheduled_reads: list,
    ) -> tuple:  # fmt: skip
        """See BaseSplitHandler; statistics are added whatever `is_active` says."""
        ready, buckets = scheduled_reads[0]
        column = self._column

        def none():
            shape_of_none = zeros([2], dtypes.int64)
            return zeros([0, 2], dtypes.int64), zeros([0]), shape_of_none, zeros([0, 1])

        def in_buckets():
            inputs = [], [column.values], [], [buckets], [column.indices]
            ids = cast(apply(quantile_ops.Quantiles, inputs)[0], dtypes.int64)
            return by_rows(
                column.indices[:, 0], ids, SPARSE_BIAS, example_partition_ids,
                gradients, hessians,
            )  # fmt: skip

        def nothing():
            return (*_empty_ids(), empty_gradients, empty_hessians)

        with name_scope(self._name or None, "SparseSplitHandler"):
            *parts, number_weights = cond(
                is_active[1],
                lambda: (column.indices, column.values, column.dense_shape, weights),
                none,
            )
            usable = logical_and(ready, greater(size(buckets), 0))
            stats = cond(usable, in_buckets, nothing)
            numbers = SparseTensor(*parts)
            return self._updates(numbers, number_weights, stats, stamp_token)

    def make_splits(
        self, stamp_token: Any, next_stamp_token: Any, class_id: Any
    ) -> tuple:
        """See BaseSplitHandler."""
        op, stamps = (
            split_ops.BuildSparseInequalitySplits,
            (stamp_token, next_stamp_token),
        )
        bias = constant(SPARSE_BIAS, dtypes.int64)
        return self._inequalities(op, stamps, class_id, bias)
