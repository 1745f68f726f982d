"""The handler of a sparse column of ids."""

from typing import Any

from twinflow.base import dtypes
from twinflow.contrib.boosted_trees.split_handlers import (
    NORMAL_TREE,
    BaseSplitHandler,
    by_rows,
)
from twinflow.graph.cond import cond
from twinflow.graph.scopes import group
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import zeros, zeros_like
from twinflow.ops.core.joining import stack
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.trees.contrib import split_ops

ID_BIAS = -(1 << 63)


class EqualitySplitHandler(BaseSplitHandler):
    """A handler of ids: those who have one go to the left.

    Args:
        sparse_int_column: a SparseTensor of int64. init_stamp_token: int64 scalar.
        weak_learner_type: of LearnerConfig. The others: see BaseSplitHandler.
    """

    def __init__(
        self, sparse_int_column: SparseTensor, l1_regularization: Any,
        l2_regularization: Any, tree_complexity_regularization: Any,
        min_node_weight: Any, feature_column_group_id: Any, gradient_shape: Any,
        hessian_shape: Any, multiclass_strategy: Any, init_stamp_token: Any = 0,
        loss_uses_sum_reduction: Any = False, weak_learner_type: Any = NORMAL_TREE,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            l1_regularization, l2_regularization, tree_complexity_regularization,
            min_node_weight, feature_column_group_id, gradient_shape, hessian_shape,
            multiclass_strategy, loss_uses_sum_reduction, name,
        )  # fmt: skip
        self._accumulate(init_stamp_token)
        self._column, self._weak_learner_type = sparse_int_column, weak_learner_type

    def update_stats(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any,
        hessians: Any, empty_gradients: Any, empty_hessians: Any, weights: Any,
        is_active: Any, scheduled_reads: list,
    ) -> tuple:  # fmt: skip
        """See BaseSplitHandler."""
        column = self._column

        def of_ids():
            ids = stack([column.values, zeros_like(column.values)], axis=1)
            return by_rows(
                column.indices[:, 0], ids, ID_BIAS, example_partition_ids, gradients,
                hessians,
            )  # fmt: skip

        def nothing():
            ids = zeros([0], dtypes.int32), zeros([0, 2], dtypes.int64)
            return (*ids, empty_gradients, empty_hessians)

        stats = cond(is_active[0], of_ids, nothing)
        return group([]), [self._stats_accumulator.schedule_add(*stats)]

    def make_splits(
        self, stamp_token: Any, next_stamp_token: Any, class_id: Any
    ) -> tuple:
        """See BaseSplitHandler; there is always something."""
        found = self._splits(
            split_ops.BuildCategoricalEqualitySplits,
            self._flushed(stamp_token, next_stamp_token), class_id,
            constant(ID_BIAS, dtypes.int64), weak=self._weak_learner_type,
        )  # fmt: skip
        return (constant(True), *found)
