"""The ops that make ensembles grow."""

import numpy as np

from twinflow.ops.core.infer import ranked
from twinflow.ops.strings.arrays import as_bytes, one
from twinflow.ops.trees.contrib import growing
from twinflow.ops.trees.contrib.ensembles import learner_config
from twinflow.ops.trees.contrib.stamped import define_stateful, locked

_OBLIVIOUS = 1  # LearnerConfig.OBLIVIOUS_DECISION_TREE


def _infer_center(handle, stamp, next_stamp, delta_updates, **attrs):
    ranked(delta_updates._shape, 1)
    return ()


@locked
def _center(cell, stamp, next_stamp, deltas, learner_config, centering_epsilon):
    chosen = _parsed(learner_config)
    cell.move(stamp, next_stamp)
    classes = max(int(chosen.num_classes) - 1, np.size(deltas))
    return np.bool_(growing.center(cell, deltas, centering_epsilon, classes))


def _parsed(text):
    return learner_config(as_bytes(text))


CenterTreeEnsembleBias = define_stateful(
    "CenterTreeEnsembleBias", _infer_center, _center
)


def _infer_grow(
    handle, stamp, next_stamp, learning_rate, dropout_seed, max_tree_depth,
    weak_learner_type, partition_ids, gains, splits, **attrs,
):  # fmt: skip
    for x in (stamp, next_stamp, learning_rate, dropout_seed, max_tree_depth):
        ranked(x._shape, 0)
    for x in (*partition_ids, *gains, *splits):
        ranked(x._shape, 1)
    return []


@locked
def _grow(
    cell, stamp, next_stamp, rate, seed, depth, weak, *lists, learner_config,
    center_bias,
):  # fmt: skip
    chosen = _parsed(learner_config)
    cell.move(stamp, next_stamp)
    growth = growing.Growth(
        cell, chosen, float(one(rate)), int(one(seed)), int(one(depth)), center_bias
    )
    growth.run(lists, int(one(weak)) == _OBLIVIOUS)
    return ()


GrowTreeEnsemble = define_stateful("GrowTreeEnsemble", _infer_grow, _grow)
