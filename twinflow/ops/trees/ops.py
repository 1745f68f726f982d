"""The ops on ensembles of boosted trees; all run on the host."""

import numpy as np

from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.ops.core.infer import merge, ranked, same_dim, scalar
from twinflow.ops.strings.arrays import filled, one
from twinflow.ops.trees import gains, growing, predicting
from twinflow.ops.trees.ensembles import EnsembleCell


def _define(kind, infer, kernel, **facts):
    return define(kind, infer, host=kernel, stateful=True, **facts)


def _cell(name, attrs):
    return EnsembleCell(attrs["shared_name"] or name)


BoostedTreesEnsembleResourceHandleOp = _define(
    "BoostedTreesEnsembleResourceHandleOp",
    scalar,
    lambda cell, **attrs: _cell("", attrs) if cell is None else cell,
    attrs={"cell": None},
    cell="cell",
    home=_cell,
)

IsBoostedTreesEnsembleInitialized = _define(
    "IsBoostedTreesEnsembleInitialized", scalar, lambda cell: np.bool_(cell.initialized)
)


# ---------------------------------------------------------------------- contents
def _infer_put(tree_ensemble_handle, stamp_token, tree_ensemble_serialized):
    ranked(stamp_token._shape, 0)
    ranked(tree_ensemble_serialized._shape, 0)
    return []


def _create(cell, stamp, serialized):
    if not cell.initialized:
        cell.put(one(stamp), one(serialized))
    return ()


def _deserialize(cell, stamp, serialized):
    cell.ensemble()
    cell.put(one(stamp), one(serialized))
    return ()


BoostedTreesCreateEnsemble = _define("BoostedTreesCreateEnsemble", _infer_put, _create)
BoostedTreesDeserializeEnsemble = _define(
    "BoostedTreesDeserializeEnsemble", _infer_put, _deserialize
)


def _serialize(cell):
    with cell.lock:
        serialized = cell.ensemble().SerializeToString()
        return np.int64(cell.stamp), filled([serialized], ())


BoostedTreesSerializeEnsemble = _define(
    "BoostedTreesSerializeEnsemble", lambda handle: [(), ()], _serialize
)
BoostedTreesGetEnsembleStates = _define(
    "BoostedTreesGetEnsembleStates",
    lambda handle: [(), (), (), (), (2,)],
    lambda cell: cell.states(),
)


# ---------------------------------------------------------------------- statistics
def _infer_summary(
    node_ids, gradients, hessians, bucketized_features_list, max_splits, num_buckets
):
    (batch,) = ranked(node_ids._shape, 1)
    for x in (gradients, hessians):
        batch = same_dim(batch, ranked(x._shape, 2)[0])
    for x in bucketized_features_list:
        batch = same_dim(batch, ranked(x._shape, 1)[0])
    return (len(bucketized_features_list), max_splits, num_buckets, 2)


BoostedTreesMakeStatsSummary = define(
    "BoostedTreesMakeStatsSummary", _infer_summary, host=gains.stats_summary
)


def _infer_gains(node_id_range, stats_summary_list, l1, l2, *numbers, **attrs):
    merge(ranked(node_id_range._shape, 1), (2,))
    known = (None, None, 2)
    for stats in stats_summary_list:
        known = merge(known, ranked(stats._shape, 3))
    for x in (l1, l2, *numbers):
        ranked(x._shape, 0)
    n = len(stats_summary_list)
    return [(None,)] * (3 * n) + [(None, 1)] * (2 * n)


def _gains(node_range, stats_list, l1, l2, complexity, min_weight, **attrs):
    found = [
        gains.best_gains(node_range, stats, l1, l2, complexity, min_weight)
        for stats in stats_list
    ]
    return [array for lists in zip(*found) for array in lists]


BoostedTreesCalculateBestGainsPerFeature = define(
    "BoostedTreesCalculateBestGainsPerFeature", _infer_gains, host=_gains
)


# ---------------------------------------------------------------------- growing
def _infer_update(
    tree_ensemble_handle, feature_ids, node_ids, gains, thresholds, left_node_contribs,
    right_node_contribs, max_depth, learning_rate, pruning_mode,
):  # fmt: skip
    merge(ranked(feature_ids._shape, 1), (len(node_ids),))
    for lists in zip(node_ids, gains, thresholds, strict=True):
        known = (None,)
        for x in lists:
            known = merge(known, ranked(x._shape, 1))
    for x in (*left_node_contribs, *right_node_contribs):
        ranked(x._shape, 2)
    ranked(max_depth._shape, 0)
    ranked(learning_rate._shape, 0)
    return []


def _update(cell, features, *lists, pruning_mode):
    *splits, max_depth, rate = lists
    with cell.lock:
        found = growing.best_splits(np.ravel(features).tolist(), *splits)
        growing.grow(cell, found, int(max_depth), rate, pruning_mode)
    return ()


BoostedTreesUpdateEnsemble = _define(
    "BoostedTreesUpdateEnsemble", _infer_update, _update
)


def _infer_center(handle, mean_gradients, mean_hessians, l1, l2):
    merge(ranked(mean_gradients._shape, 2), ranked(mean_hessians._shape, 2))
    ranked(l1._shape, 0)
    ranked(l2._shape, 0)
    return ()


def _center(cell, gradients, hessians, l1, l2):
    with cell.lock:
        sums = (np.ravel(a)[0] for a in (gradients, hessians))
        return np.bool_(growing.center(cell, *sums, l1, l2))


BoostedTreesCenterBias = _define("BoostedTreesCenterBias", _infer_center, _center)


# ---------------------------------------------------------------------- predicting
def _batch(features, known=(None,)):
    for x in features:
        known = merge(known, ranked(x._shape, 1))
    return known


def _infer_predict(handle, bucketized_features, logits_dimension):
    return (*_batch(bucketized_features), logits_dimension)


def _stacked(cell, features, logits_dimension):
    if logits_dimension != 1:
        raise invalid("Currently only one dimensional outputs are supported.")
    found = np.stack(features).astype(np.int32, copy=False)
    highest = 1 + max(
        (cell.arrays(i).feature.max() for i in range(len(cell.ensemble().trees))),
        default=-1,
    )
    if highest > len(found):
        raise invalid(
            f"The trees ask for {highest} features, got {len(found)}: pass "
            "bucketized_features as in training."
        )
    return found


def _predict(cell, features, logits_dimension):
    with cell.lock:
        return predicting.predicted(cell, _stacked(cell, features, logits_dimension))[
            :, None
        ]


def _explain(cell, features, logits_dimension):
    with cell.lock:
        return predicting.explained(cell, _stacked(cell, features, logits_dimension))


BoostedTreesPredict = _define("BoostedTreesPredict", _infer_predict, _predict)
BoostedTreesExampleDebugOutputs = _define(
    "BoostedTreesExampleDebugOutputs",
    lambda *inputs, **attrs: _infer_predict(*inputs, **attrs)[:1],
    _explain,
)


def _infer_training(
    handle, cached_tree_ids, cached_node_ids, bucketized_features, logits_dimension
):
    known = _batch(bucketized_features)
    for x in (cached_tree_ids, cached_node_ids):
        known = merge(x._shape, known)
    return [(*known, 1), known, known]


def _training(cell, trees, nodes, features, logits_dimension):
    with cell.lock:
        found = _stacked(cell, features, logits_dimension)
        logits, *ends = predicting.predicted_more(cell, found, trees, nodes)
    return (logits[:, None], *ends)


BoostedTreesTrainingPredict = _define(
    "BoostedTreesTrainingPredict", _infer_training, _training
)
