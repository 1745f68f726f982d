"""The ops that say what ensembles predict, and where examples are in the last tree."""

import math

import numpy as np

from twinflow.base.errors import invalid
from twinflow.ops.core.infer import ranked
from twinflow.ops.strings.arrays import as_bytes, one
from twinflow.ops.trees.contrib.dropout import dropped_trees
from twinflow.ops.trees.contrib.ensembles import Column, Features, learner_config
from twinflow.ops.trees.contrib.growing import WHOLE_TREE
from twinflow.ops.trees.contrib.stamped import define_stateful, locked


def features_of(dense, *sparse):
    """The Features of the inputs of an op."""
    floats, ids = sparse[:3], sparse[3:]
    sizes = [len(x) for x in dense]
    sizes += [int(shape[0]) for group in (floats, ids) for shape in group[2]]
    if not sizes:
        raise invalid("At least one feature column must be specified")
    for x in dense:
        if np.ndim(x) != 2 or np.shape(x)[1] != 1:
            raise invalid(
                "Dense float features may not be multivalent: "
                f"dim_size(1) = {np.shape(x)[-1]}"
            )
        if len(x) != sizes[0]:
            raise invalid(
                f"Dense float vector must have batch_size rows: {sizes[0]} vs. {len(x)}"
            )
    return Features(
        sizes[0], [np.ravel(x) for x in dense], _columns(*floats), _columns(*ids)
    )


def _columns(indices, values, shapes):
    found = [np.asarray(i).reshape(-1, 2) for i in indices]
    return [Column(i[:, 0], i[:, 1], np.asarray(v)) for i, v in zip(found, values)]


def _batch(dense, float_shapes):
    for x in dense:
        return ranked(x._shape, 2)[0]
    return None


def _weights(config, chosen, averaged):
    """float32[trees]; those of the last ones fade out in averaged predictions."""
    weights = np.array(config.tree_weights, np.float32)
    kind = chosen.averaging_config.WhichOneof("config") if averaged else None
    if kind is None or not len(weights):
        return weights
    last = getattr(chosen.averaging_config, kind)
    if kind == "average_last_percent_trees":
        last = math.ceil(last * len(weights))
    last = int(max(1, min(last, len(weights))))
    weights[-last:] *= np.arange(last, 0, -1, dtype=np.float32) / np.float32(last)
    return weights


def _predicted(cell, seed, inputs, attrs, verbose):
    features = features_of(*inputs)
    config = cell.ready().config
    chosen = learner_config(as_bytes(attrs["learner_config"]))
    classes = int(chosen.num_classes) - int(attrs["reduce_dim"])
    weights = _weights(config, chosen, attrs["apply_averaging"])
    is_bias = attrs["center_bias"] and len(weights) == 1
    growing = cell.open_tree() is not None and not is_bias
    if chosen.growing_mode == WHOLE_TREE and growing:
        weights = weights[:-1]  # a whole tree counts once it is finished
    dropped = []
    if attrs["apply_dropout"] and chosen.learning_rate_tuner.HasField("dropout"):
        tuner = chosen.learning_rate_tuner.dropout
        dropped = dropped_trees(one(seed), tuner, len(weights), attrs["center_bias"])
    out = np.zeros((features.size, classes), np.float32)
    leaves = np.zeros((features.size, len(weights) if verbose else 0), np.int32)
    for number in range(len(weights)):
        if number in dropped and not verbose:
            continue
        tree = cell.tree(number)
        found = tree.leaves(features)
        if verbose:
            leaves[:, number] = found
        if number not in dropped:
            out += weights[number] * tree.values(classes)[found]
    kept = np.array(config.tree_weights, np.float32)[dropped]
    return out, np.array([np.array(dropped, np.float32), kept]), leaves


def _define(kind, verbose):
    def infer(handle, seed, dense, *sparse, learner_config, reduce_dim, **attrs):
        rows = _batch(dense, sparse)
        found = [(rows, None), (2, None)]
        return [*found, (rows, None)] if verbose else found

    @locked
    def kernel(cell, seed, *inputs, **attrs):
        found = _predicted(cell, seed, inputs, attrs, verbose)
        return found if verbose else found[:2]

    return define_stateful(kind, infer, kernel)


GradientTreesPrediction = _define("GradientTreesPrediction", False)
GradientTreesPredictionVerbose = _define("GradientTreesPredictionVerbose", True)


@locked
def _partition(cell, *inputs, use_locking):
    features, growing = features_of(*inputs), cell.ready().open_tree()
    if growing is None:
        return np.zeros(features.size, np.int32)
    return cell.tree(growing).leaves(features)


GradientTreesPartitionExamples = define_stateful(
    "GradientTreesPartitionExamples",
    lambda handle, dense, *sparse, use_locking: (_batch(dense, sparse),),
    _partition,
)
