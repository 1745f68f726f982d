"""The ops of tf.contrib.boosted_trees against what TensorFlow 1.12 says of the same."""

import numpy as np
import pytest
from google.protobuf import text_format

from twinflow.base import dispatch, errors
from twinflow.base.dispatch import apply
from twinflow.eager.mode import MODE
from twinflow.execute.session import Session
from twinflow.formats import decision_protos
from twinflow.graph.graph import Graph
from twinflow.ops.trees.contrib import (
    dropout,
    model_ops,
    prediction_ops,
    quantile_ops,
    split_ops,
    stats_ops,
    training_ops,
)

close = np.testing.assert_allclose
PAIRS = np.array([[0, 0], [1, 0], [0, 0], [2, 0]])


@pytest.fixture(params=["eager", "graph"])
def run(request):
    """Runs an op: now, or in a session."""
    if request.param == "eager":
        with dispatch.entered(MODE):
            yield lambda *call: _arrays(apply(*call))
    else:
        with Graph().as_default(), Session() as session:
            yield lambda *call: session.run(apply(*call))


def _arrays(found):
    if isinstance(found, list | tuple):
        return [_arrays(part) for part in found]
    return found.numpy() if hasattr(found, "numpy") else found


def _numbers(*values):
    return [np.float32(v) for v in values]


# ---------------------------------------------------------------------- splits
def _dense(run, g, h, minibatches=1, class_id=-1, weak=0, strategy=1, **costs):
    l1, l2, complexity, weight = (
        np.float32(costs.get(k, d))
        for k, d in (("l1", 0), ("l2", 1), ("complexity", 0), ("weight", 0))
    )
    inputs = (
        np.int64(minibatches), np.array([0, 0, 1, 1], np.int32), PAIRS,
        np.array(g, np.float32), np.array(h, np.float32),
        np.array([1, 2, 3], np.float32), np.int32(class_id), np.int32(3), l1, l2,
        complexity, weight, np.int32(strategy), np.int32(weak),
    )  # fmt: skip
    return run(split_ops.BuildDenseInequalitySplits, inputs)


def _info(text):
    return decision_protos.learner.SplitInfo.FromString(bytes(text))


G, H = [2, -1, 3, 0], [1, 1, 2, 0]


@pytest.mark.parametrize(
    ("how", "gain", "left", "right"),
    [
        ({}, 2.1666667, -1.0, 0.5),
        ({"minibatches": 2}, 0.7083334, -0.6666667, 0.33333334),
        ({"l1": 1}, 0.5, -0.5, 0.0),
        ({"complexity": 0.5}, 1.6666667, -1.0, 0.5),
        ({"weight": 1.5}, 0.0, -0.33333334, 0.0),
    ],
)
def test_splits_of_numbers(run, how, gain, left, right):
    leaves, gains, infos = _dense(run, G, H, **how)
    assert leaves.tolist() == [0, 1]
    info = _info(infos[0])
    close(gains[0], gain, 1e-6)
    close(info.left_child.vector.value, [left], 1e-6)
    close(info.right_child.vector.value, [right], 1e-6)
    assert info.split_node.dense_float_binary_split.feature_column == 3


def test_splits_of_one_class_are_sparse_leaves(run):
    info = _info(_dense(run, G, H, class_id=1)[2][0])
    assert list(info.left_child.sparse_vector.index) == [1]


@pytest.mark.parametrize(
    ("strategy", "h", "gain", "left"),
    [
        (3, [[1, 1], [1, 1], [2, 2], [0.5, 0]], 2.3333333, [-1.0, -0.5]),
        (2, [[[1, 0.1], [0.1, 1]]] * 4, 2.2822685, [-0.9774437, -0.4511278]),
    ],
)
def test_splits_of_several_classes(run, strategy, h, gain, left):
    g = [[2, 1], [-1, 0], [3, 1], [0, 2]]
    _, gains, infos = _dense(run, g, h, strategy=strategy)
    close(gains[0], gain, 1e-6)
    close(_info(infos[0]).left_child.vector.value, left, 1e-6)


def test_oblivious_splits_are_alike(run):
    leaves, gains, infos = _dense(run, [2, -1, 3, -1], [1, 1, 2, 1], weak=1)
    info = decision_protos.learner.ObliviousSplitInfo.FromString(bytes(infos[0]))
    assert (leaves.tolist(), len(infos)) == ([0, 1], 1)
    close(gains, [4.6666665], 1e-6)
    assert [c.vector.value[0] for c in info.children] == [-1.0, 0.5, -1.0, 0.5]


def _of_rows(run, op, partitions, ids, g, h, *boundaries, weak=()):
    inputs = (
        np.int64(1), np.array(partitions, np.int32), np.array(ids),
        np.array(g, np.float32), np.array(h, np.float32),
        *(np.array(b, np.float32) for b in boundaries), np.int32(-1), np.int32(3),
        np.int64(-1), *_numbers(0, 1, 0, 0), np.int32(1), *weak,
    )  # fmt: skip
    return run(op, inputs)


def test_what_is_missing_goes_to_the_better_side(run):
    _leaves, gains, infos = _of_rows(
        run, split_ops.BuildSparseInequalitySplits, [0, 0, 0, 1, 1],
        [[-1, 0], [0, 0], [1, 0], [-1, 0], [1, 0]], [3, 2, -1, 4, 1], [4, 1, 1, 3, 1],
        [1, 2],
    )  # fmt: skip
    close(gains, [2.7, 0], 1e-6)
    node = _info(infos[0]).split_node
    assert node.sparse_float_binary_split_default_left.split.threshold == 1


def test_splits_of_ids(run):
    rows = [0, 0, 0, 1, 1], [[-1, 0], [1, 0], [2, 0], [-1, 0], [1, 0]]
    sums = [3, 2, -1, 4, 1], [4, 1, 1, 3, 1]
    op = split_ops.BuildCategoricalEqualitySplits
    _, gains, infos = _of_rows(run, op, *rows, *sums, weak=(np.int32(0),))
    close(gains, [2.7, -0.5], 1e-6)
    found = [_info(i).split_node.categorical_id_binary_split.feature_id for i in infos]
    assert found == [2, 1]
    _leaves, gains, _ = _of_rows(run, op, *rows, *sums, weak=(np.int32(1),))
    close(gains, [2.7], 1e-6)
    with pytest.raises(errors.InvalidArgumentError, match="Bias feature ID missing"):
        _of_rows(run, op, [0], [[1, 0]], [1], [1], weak=(np.int32(0),))


# ---------------------------------------------------------------------- statistics
@pytest.mark.parametrize("kind", ["Scalar", "Tensor"])
def test_statistics_add_up(run, kind):
    ops = stats_ops.scalar_ops if kind == "Scalar" else stats_ops.tensor_ops
    shape = () if kind == "Scalar" else (2,)
    handle = apply(ops["ResourceHandleOp"], (), {"shared_name": f"sums{kind}"})
    shapes = [np.array(shape, np.int64)] * 2 if shape else []
    assert not run(ops["IsInitialized"], (handle,))
    run(ops["Create"], (handle, np.int64(0), *shapes))
    one = np.ones((3, *shape), np.float32)
    leaves, ids = np.array([1, 2, 1], np.int32), np.array([[2, 1], [3, 0], [5, -1]])
    found = run(ops["MakeSummary"], (leaves, ids, one, one))
    assert found[1].tolist() == [[5, -1], [2, 1], [3, 0]]
    for stamp in (0, 7):  # the second one does not count
        run(ops["Add"], ([handle], np.int64(stamp), *([x] for x in found)))
    saved = run(ops["Serialize"], (handle,))
    assert [int(x) for x in saved[:2]] == [0, 1]
    updates, *rows = run(ops["Flush"], (handle, np.int64(0), np.int64(1)))
    assert (int(updates), rows[0].tolist()) == (1, [1, 1, 2])
    assert run(ops["Serialize"], (handle,))[2].size == 0
    run(ops["Deserialize"], (handle, np.int64(9), *saved[1:]))
    assert int(run(ops["Serialize"], (handle,))[0]) == 9
    with pytest.raises(errors.InvalidArgumentError, match="Stamp token mismatch"):
        run(ops["Flush"], (handle, np.int64(0), np.int64(1)))


# ---------------------------------------------------------------------- quantiles
def test_quantiles_of_a_stream(run):
    handle = apply(
        quantile_ops.QuantileStreamResourceHandleOp, (), {"shared_name": "stream"}
    )
    attrs = {"epsilon": 0.01, "num_quantiles": 3}
    run(quantile_ops.CreateQuantileAccumulator, (handle, np.int64(0)), attrs)
    assert run(quantile_ops.QuantileAccumulatorIsInitialized, (handle,))
    x, weights = (np.arange(10, dtype=np.float32) % 7)[:, None], np.ones((10, 1), "f")
    sparse = [np.array([[0, 0], [2, 1]])], [np.array([1, 5], "f")], [np.array([10, 2])]
    features = ([x], *sparse, weights)
    summaries = run(quantile_ops.MakeQuantileSummaries, features, {"epsilon": 0.1})
    first = decision_protos.quantiles.QuantileSummaryState.FromString(
        bytes(summaries[0])
    )
    assert [e.weight for e in first.entries] == [2, 2, 2, 1, 1, 1, 1]
    add = quantile_ops.QuantileAccumulatorAddSummaries
    run(add, ([handle], np.int64(0), [summaries[0]]))
    saved = run(quantile_ops.QuantileAccumulatorSerialize, (handle,))
    buckets = quantile_ops.QuantileAccumulatorGetBuckets
    assert not run(buckets, ([handle], np.int64(0)))[0]
    run(quantile_ops.QuantileAccumulatorFlush, (handle, np.int64(0), np.int64(1)))
    ready, found = run(buckets, ([handle], np.int64(1)))
    assert (bool(ready), found.tolist()) == (True, [0, 2, 5, 6])
    run(quantile_ops.QuantileAccumulatorDeserialize, (handle, *saved))
    flush = quantile_ops.QuantileAccumulatorFlushSummary
    again = run(flush, (handle, np.int64(0), np.int64(1)))
    assert bytes(again) == bytes(summaries[0])


def test_numbers_in_buckets(run):
    x, limits = np.array([[0], [2], [9]], "f"), np.array([1, 3, 5], "f")
    inputs = (
        [x],
        [x[:, 0]],
        [limits],
        [limits[1:]],
        [np.array([[0, 0], [1, 1], [2, 3]])],
    )
    dense, sparse = run(quantile_ops.Quantiles, inputs)
    assert dense.tolist() == [[0, 0], [1, 0], [2, 0]]
    assert sparse.tolist() == [[0, 0], [0, 1], [1, 3]]
    found = run(
        quantile_ops.BucketizeWithInputBoundaries, (np.array([1, 2, 9]), limits)
    )
    assert found.tolist() == [1, 1, 3]
    config = decision_protos.quantiles.QuantileConfig(eps=0.01, num_quantiles=3)
    attrs = {"dense_config": (config.SerializeToString(),), "sparse_config": ()}
    x, weights = (np.arange(10, dtype=np.float32) % 7)[:, None], np.ones((10, 1), "f")
    found = run(quantile_ops.QuantileBuckets, ([x], [], [], [], weights), attrs)
    assert found[0].tolist() == [0, 2, 5, 6]


# ---------------------------------------------------------------------- ensembles
def _leaf(value):
    return f"nodes {{ leaf {{ vector {{ value: {value} }} }} }}"


def _split(kind, left, right, **fields):
    text = " ".join(f"{k}: {v}" for k, v in fields.items())
    text += f" left_id: {left} right_id: {right}"
    text = f"split {{ {text} }}" if kind.startswith("sparse") else text
    return f"nodes {{ {kind} {{ {text} }} }}"


TREE = "trees { " + _split("dense_float_binary_split", 1, 2, threshold=1) + _leaf(0.5)
TREE += _split("dense_float_binary_split", 3, 4, feature_column=1, threshold=0)
TREE += _leaf(0.25) + _leaf(-1) + " } "
DONE = "tree_metadata { num_layers_grown: 2 is_finalized: true } "
OPEN = "tree_metadata { num_layers_grown: 2 } "
X = np.array([[0.5], [1], [2], [3]], np.float32)
Y = np.array([[5], [1], [0], [-1]], np.float32)
SPARSE = np.array([[0, 0], [1, 1], [2, 0], [2, 1]]), np.array([4, 2])


def _ensemble(run, text, name):
    config = decision_protos.ensembles.DecisionTreeEnsembleConfig()
    text_format.Merge(text, config)
    handle = apply(
        model_ops.DecisionTreeEnsembleResourceHandleOp, (), {"shared_name": name}
    )
    inputs = handle, np.int64(0), config.SerializeToString()
    run(model_ops.CreateTreeEnsembleVariable, inputs)
    return handle


def _config(text="", classes=2):
    found = decision_protos.learner.LearnerConfig(num_classes=classes)
    text_format.Merge(text, found)
    return found.SerializeToString()


def _predict(run, handle, dense=(), floats=None, ids=None, verbose=False, **attrs):
    sparse = []
    for values in (floats, ids):
        there = values is not None
        sparse += [[SPARSE[0]] * there, [values] * there, [SPARSE[1]] * there]
    chosen = {
        "learner_config": _config(), "apply_dropout": False, "apply_averaging": False,
        "center_bias": False, "reduce_dim": True, **attrs,
    }  # fmt: skip
    op = prediction_ops.GradientTreesPrediction
    if verbose:
        op = prediction_ops.GradientTreesPredictionVerbose
    return run(op, (handle, np.int64(1), list(dense), *sparse), chosen)


def test_predictions(run):
    text = f"trees {{ {_leaf(0.3)} }} {TREE} tree_weights: 1 tree_weights: .1 "
    handle = _ensemble(run, text + DONE + DONE, "both")
    logits, dropped, leaves = _predict(run, handle, (X, Y), verbose=True)
    close(logits[:, 0], [0.35, 0.35, 0.325, 0.325], 1e-6)
    assert dropped.shape == (2, 0)
    assert leaves.tolist() == [[0, 1], [0, 1], [0, 3], [0, 3]]
    averaged = _config("averaging_config { average_last_percent_trees: 1 }")
    logits = _predict(
        run, handle, (X, Y), apply_averaging=True, learner_config=averaged
    )[0]
    close(logits[:, 0], [0.325, 0.325, 0.3125, 0.3125], 1e-6)
    with pytest.raises(errors.InvalidArgumentError, match="may not be multivalent"):
        _predict(run, handle, (np.ones((4, 2), "f"),))


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (("sparse_float_binary_split_default_left", {"threshold": 1}), [1, 1, 2, 1]),
        (("sparse_float_binary_split_default_right", {"threshold": 1}), [1, 2, 2, 2]),
        (("sparse_float_binary_split_default_left",
          {"threshold": 1, "dimension_id": 1}), [1, 2, 1, 1]),
        (("categorical_id_binary_split", {"feature_id": 7}), [1, 2, 1, 2]),
        (("categorical_id_set_membership_binary_split", {"feature_ids": 3}),
         [2, 1, 1, 2]),
    ],
)  # fmt: skip
def test_predictions_of_sparse_features(run, node, expected):
    kind, fields = node
    tree = f"trees {{ {_split(kind, 1, 2, **fields)} {_leaf(1)} {_leaf(2)} }} "
    handle = _ensemble(run, f"{tree} tree_weights: 1 {DONE}", "sparse")
    floats = np.array([0.5, 3, 3, 0.5], np.float32)
    ids = np.array([7, 3, 3, 7])
    logits = _predict(run, handle, (), floats, ids)[0]
    assert logits[:, 0].tolist() == expected


def test_where_examples_are_in_the_growing_tree(run):
    inputs = [X, Y], [], [], [], [], [], []
    op = prediction_ops.GradientTreesPartitionExamples
    for metadata, expected in ((OPEN, [1, 1, 3, 3]), (DONE, [0, 0, 0, 0])):
        handle = _ensemble(run, f"{TREE} tree_weights: 1 {metadata}", metadata[-9:-2])
        assert run(op, (handle, *inputs)).tolist() == expected


def test_trees_are_left_out_as_in_tensorflow():
    tuner = decision_protos.learner.LearningRateDropoutDrivenConfig
    chosen = tuner(dropout_probability=0.5)
    for seed, expected in ((1, [1, 3, 4, 6, 7]), (2, [1, 2, 5, 6, 7])):
        assert dropout.dropped_trees(seed, chosen, 8, False) == expected
    assert dropout.dropped_trees(1, chosen, 8, True) == [2, 4, 5, 7]
    skipping = tuner(dropout_probability=0.5, probability_of_skipping_dropout=0.5)
    assert dropout.dropped_trees(3, skipping, 8, False) == []
    assert dropout.dropped_trees(1, skipping, 8, False) == [0, 2, 3, 5, 6]


# ---------------------------------------------------------------------- growing
def _info_of(column, threshold, left, right):
    info = decision_protos.learner.SplitInfo()
    split = info.split_node.dense_float_binary_split
    split.feature_column, split.threshold = column, threshold
    info.left_child.vector.value.append(left)
    info.right_child.vector.value.append(right)
    return info.SerializeToString()


def _grow(run, handle, stamp, handlers, config, depth=3):
    leaves, gains, infos = zip(*handlers)
    lists = (
        [np.array(x, np.int32) for x in leaves], [np.array(x, "f") for x in gains],
        [np.array(x, object) for x in infos],
    )  # fmt: skip
    inputs = (
        handle, np.int64(stamp), np.int64(stamp + 1), np.float32(0.1), np.int64(0),
        np.int32(depth), np.int32(0), *lists,
    )  # fmt: skip
    attrs = {"learner_config": config, "center_bias": False}
    run(training_ops.GrowTreeEnsemble, inputs, attrs)
    text = run(model_ops.TreeEnsembleSerialize, (handle,))[1]
    return decision_protos.ensembles.DecisionTreeEnsembleConfig.FromString(bytes(text))


def _values(tree):
    return [n.leaf.vector.value[0] for n in tree.nodes if n.HasField("leaf")]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [("LAYER_BY_LAYER", [3.0, 4.0, 10.0, 11.0]), ("WHOLE_TREE", [5.0, 6.0, 7.0, 8.0])],
)
def test_trees_grow_by_layers(run, mode, expected):
    handle = _ensemble(run, "", mode)
    config = _config(f"growing_mode: {mode} pruning_mode: POST_PRUNE")
    first = [([0], [7.7], [_info_of(0, 7, -2, 3)]), ([0], [1], [_info_of(1, 1, 1, 1)])]
    assert _values(_grow(run, handle, 0, first, config).trees[0]) == [-2.0, 3.0]
    second = [([1, 2], [1, 2], [_info_of(2, 1, 5, 6), _info_of(3, 1, 7, 8)])]
    assert _values(_grow(run, handle, 1, second, config).trees[0]) == expected
    third = [([3, 6], [-2, -1], [_info_of(0, 1, 1, 2)] * 2)]  # undone in the end
    found = _grow(run, handle, 2, third, config)
    assert _values(found.trees[0]) == expected
    assert (found.tree_metadata[0].is_finalized, list(found.tree_weights)) == (
        True, [np.float32(0.1)],
    )  # fmt: skip
    stats = run(model_ops.TreeEnsembleStats, (handle, np.int64(3)))
    assert [int(x) for x in stats] == [1, 3, 1, 3, 1, 3]
    with pytest.raises(errors.InvalidArgumentError, match="Stamp token mismatch"):
        _grow(run, handle, 9, first, config)


def test_the_bias_moves_until_steps_are_small(run):
    handle = _ensemble(run, "", "bias")
    attrs = {"learner_config": _config()}
    for stamp, step, expected in ((0, 0.5, True), (1, 0.001, False)):
        inputs = handle, np.int64(stamp), np.int64(stamp + 1), np.array([step], "f")
        assert run(training_ops.CenterTreeEnsembleBias, inputs, attrs) == expected
    logits = _predict(run, handle, (X,), center_bias=True)[0]
    close(logits, np.full((4, 1), 0.501, "f"), 1e-6)


def test_contents_of_a_variable(run):
    text = "growing_metadata { used_handler_ids: 1 }"
    handle = _ensemble(run, text, "contents")
    assert run(model_ops.TreeEnsembleIsInitializedOp, (handle,))
    attrs = {"num_all_handlers": 3}
    used = run(model_ops.TreeEnsembleUsedHandlers, (handle, np.int64(0)), attrs)
    assert (int(used[0]), used[1].tolist()) == (1, [False, True, False])
    run(model_ops.TreeEnsembleDeserialize, (handle, np.int64(4), b""))
    assert int(run(model_ops.TreeEnsembleStampToken, (handle,))) == 4
    with pytest.raises(errors.InvalidArgumentError, match="Unable to parse tree ens"):
        run(model_ops.TreeEnsembleDeserialize, (handle, np.int64(4), b"\x99\x99"))
