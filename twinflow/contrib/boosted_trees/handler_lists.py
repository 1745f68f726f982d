"""The handlers of the features of a batch, and which of them a layer uses."""

from typing import Any

from twinflow.base import dtypes
from twinflow.contrib.boosted_trees.categorical_handler import EqualitySplitHandler
from twinflow.contrib.boosted_trees.split_handlers import (
    DenseSplitHandler,
    SparseSplitHandler,
)
from twinflow.graph.cond import cond
from twinflow.ops.core.compare import less, logical_and
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import ones
from twinflow.ops.core.joining import stack, unstack
from twinflow.ops.random.stateless import stateless_random_uniform
from twinflow.ops.sparse.tensor import SparseTensor


def handlers_of(
    columns: tuple, config: Any, slopes: Any, stamp: Any, num_quantiles: int, sums: bool
) -> list:
    """A handler for each feature.

    Args:
        columns: of `extract_features`. config: a LearnerConfig. slopes: a Slopes.
        stamp: int64 scalar. num_quantiles: int. sums: whether gradients are sums.
    """
    names, dense, *sparse = columns
    shapes = slopes.shapes()
    costs = config.regularization
    numbers = [
        constant(x, dtypes.float32)
        for x in (
            costs.l1, costs.l2, costs.tree_complexity,
            config.constraints.min_node_weight,
        )
    ]  # fmt: skip
    strategy = constant(config.multi_class_strategy, dtypes.int32)
    common: dict = {
        "multiclass_strategy": strategy,
        "init_stamp_token": constant(0, dtypes.int64),
        "loss_uses_sum_reduction": constant(sums),
        "gradient_shape": shapes[0], "hessian_shape": shapes[1],
    }  # fmt: skip
    quantiles = {"epsilon": 1.0 / num_quantiles, "num_quantiles": num_quantiles}
    weak = {"weak_learner_type": constant(config.weak_learner_type, dtypes.int32)}
    kinds: list = [
        (DenseSplitHandler, dense, {**quantiles, **weak}),
        (SparseSplitHandler, _tensors(*sparse[:3]), quantiles),
        (EqualitySplitHandler, _tensors(*sparse[3:]), weak),
    ]
    left, found = iter(names), []
    for kind, tensors, more in kinds:
        for number, tensor in enumerate(tensors):
            group_id = constant(number, dtypes.int32)
            found.append(
                kind(tensor, *numbers, group_id, **more, **common, name=next(left))
            )
    return found


def _tensors(indices, values, shapes):
    return [SparseTensor(*parts) for parts in zip(indices, values, shapes)]


def is_active(
    config: Any, count: int, layers: Any, trees: Any, num_used: Any, used_mask: Any
) -> list:
    """bool[2] for each handler: whether this layer, and the next one, use it.

    Args:
        config: a LearnerConfig. count: how many handlers there are.
        layers, trees: int64 scalars, how many were attempted.
        num_used: int64 scalar; used_mask: bool[count]: the handlers that trees have
            used so far.
    """
    kind = config.WhichOneof("feature_fraction")
    active = ones([count, 2], dtypes.bool)
    if kind == "feature_fraction_per_level":
        pair = [_drawn(count, getattr(config, kind), layers + i, 1) for i in range(2)]
        active = stack(pair, axis=1)
    elif kind == "feature_fraction_per_tree":
        now = _drawn(count, getattr(config, kind), trees, 2)
        active = stack([now, ones([count], dtypes.bool)], axis=1)
    most = config.constraints.max_number_of_unique_feature_columns
    if most > 0:
        known, wanted = stack([used_mask, used_mask], axis=1), active
        active = cond(
            num_used >= most, lambda: logical_and(wanted, known), lambda: wanted
        )
    return unstack(active, axis=0, num=count)


def _drawn(count, fraction, seed, seed2):
    seeds = stack([seed, constant(seed2, dtypes.int64)])
    return less(stateless_random_uniform([count], seed=seeds), fraction)
