"""tf.contrib.boosted_trees against the trees that TensorFlow 1.12 grows of the data."""

import numpy as np
import pytest
from google.protobuf import text_format

import twinflow as tf
from twinflow.contrib.boosted_trees import losses, scheduling
from twinflow.contrib.boosted_trees.batch_features import extract_features
from twinflow.contrib.boosted_trees.categorical_handler import EqualitySplitHandler
from twinflow.contrib.boosted_trees.estimator_batch import (
    custom_export_strategy as exports,
)
from twinflow.contrib.boosted_trees.estimator_batch import (
    custom_loss_head,
    distillation_loss,
    dnn_tree_combined_estimator,
    estimator,
    trainer_hooks,
)
from twinflow.contrib.boosted_trees.split_handlers import DenseSplitHandler
from twinflow.contrib.learn import heads
from twinflow.formats import decision_protos

close = np.testing.assert_allclose
I = np.arange(48)  # noqa: E741 - the numbers of the examples
X = np.stack([np.sin(I), np.cos(2.3 * I)], 1).astype(np.float32)
SIGNS = (X[:, :1] * 1.5 + np.square(X[:, 1:]) > 0.4).astype(np.int32)
SUMS = X[:, :1] + 2 * X[:, 1:]
THREE = np.digitize(SUMS, [-0.7, 0.7]).astype(np.int32)
ROWS = np.stack([I[::3], 0 * I[::3]], 1)
NUMBERS = (SUMS[::3, 0] * 0.5).astype(np.float32)
IDS = (THREE[:, 0] * 3 + I % 2).astype(np.int64)
STEPS = 20


def _learner(text=""):
    common = (
        "constraints { max_tree_depth: 2 } regularization { l2: .1 } "
        "learning_rate_tuner { fixed { learning_rate: .3 } } "
    )
    return text_format.Merge(common + text, decision_protos.learner.LearnerConfig())


def _features(kind):
    if kind == "sparse":
        return {"s": tf.SparseTensor(ROWS, NUMBERS, [48, 1])}
    if kind == "ids":
        pairs = np.stack([I, 0 * I], 1)
        return {"c": tf.SparseTensor(pairs, IDS, [48, 1])}
    return {"x": tf.constant(X)}


def _grown(folder):
    found = tf.train.load_checkpoint(str(folder)).get_tensor("ensemble_model:0_config")
    return decision_protos.ensembles.DecisionTreeEnsembleConfig.FromString(found)


def _gains(ensemble):
    nodes = [node for tree in ensemble.trees for node in tree.nodes]
    return [n.node_metadata.gain for n in nodes if n.WhichOneof("node") != "leaf"]


def _classifier(text="", examples=48, **options):
    options = {"num_trees": 2, **options}
    return lambda folder: estimator.GradientBoostedDecisionTreeClassifier(
        _learner(text), examples, model_dir=folder, **options
    )


def _regressor(folder):
    return estimator.GradientBoostedDecisionTreeRegressor(
        _learner(), 48, num_trees=2, model_dir=folder
    )


_THREE = {"n_classes": 3, "num_trees": 3, "center_bias": False}
CASES = {
    "two classes": (
        _classifier(), "x", SIGNS, [0.4571657, 0.0261715, 0, 0.2421052, 0, 0.0083865],
        [[0.987142], [1.183527], [1.183527]],
    ),
    "numbers": (
        _regressor, "x", SUMS,
        [2.8231394, 0.0946067, 0.8538288, 1.1535788, 0.2660543, 0.0925190],
        [1.291959, -0.659352, 0.098011],
    ),
    "diagonal": (
        _classifier("multi_class_strategy: DIAGONAL_HESSIAN", **_THREE), "x", THREE,
        [0.7248439, 0.3581559, 0.3850570, 0.2451095, 0.2217620, 0.1484013],
        [[-0.486816, -0.486816, 0.903121], [0.299593, 0.545112, -1.003585]],
    ),
    "full": (
        _classifier("multi_class_strategy: FULL_HESSIAN", **_THREE), "x", THREE,
        [0.5814534, 0.2894184, 0.3501853, 0.2003232, 0.2223075, 0.1324955],
        [[-0.384946, -0.384946, 0.769892], [0.324475, 0.522001, -0.846477]],
    ),
    "per class": (
        _classifier("multi_class_strategy: TREE_PER_CLASS", **_THREE), "x", THREE,
        [0.1397320, 0, 0, 0.3233079, 0.2015710, 0, 0.2373750, 0.0185222, 0.1459412],
        [[-0.372298, -0.339631, 0.673236], [0.53806, 0.194274, -0.48748]],
    ),
    "sparse numbers": (
        _classifier(), "sparse", SIGNS,
        [0.0151125, 0.0079484, 0, 0.0137560, 0, 0.0060144],
        [[0.543078], [0.254802], [0.254802]],
    ),
    "ids": (
        _classifier(), "ids", SIGNS, [0.0172422, 0, 0.0200728, 0.0154342, 0, 0.0105901],
        [[0.502086], [0.251499], [0.251499]],
    ),
    "oblivious": (
        _classifier(
            "weak_learner_type: OBLIVIOUS_DECISION_TREE pruning_mode: PRE_PRUNE"
        ), "x", SIGNS, [0.4571657, 0.0175214, 0.2440906, 0.0074350],
        [[0.770275], [1.180477], [1.180477]],
    ),
    "pruned": (
        _classifier(
            "pruning_mode: PRE_PRUNE regularization { l1: .02 tree_complexity: .01 }",
            24, center_bias=False, num_quantiles=8,
        ), "x", SIGNS, [0.3065541, 0.0256931, 0.2462622, 0.0068235],
        [[0.054812], [0.547055], [0.547055]],
    ),
    "some features": (
        _classifier(
            "feature_fraction_per_level: .5 growing_mode: WHOLE_TREE", num_trees=3
        ), "x", SIGNS,
        [0.4571657, 0.0276597, 0, 0.322842, 0.0221427, 0, 0.2371647, 0, 0.0060955],
        [[0.791179], [1.000074], [1.000074]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_trees_are_those_of_tensorflow(case, tmp_path):
    make, kind, labels, gains, predicted = CASES[case]
    made = make(str(tmp_path))
    made.fit(input_fn=lambda: (_features(kind), tf.constant(labels)), steps=STEPS)
    close(_gains(_grown(tmp_path)), gains, rtol=2e-5, atol=2e-6)
    found = list(made.predict(input_fn=lambda: _features(kind)))
    key = "scores" if case == "numbers" else "logits"
    found = [p[key] if isinstance(p, dict) else p for p in found[: len(predicted)]]
    close(found, predicted, rtol=2e-5, atol=2e-6)


def test_a_ranker_learns_pairs(tmp_path):
    head = heads.multi_class_head(2)
    ranker = estimator.GradientBoostedDecisionTreeRanker(
        _learner("num_classes: 2"), 48, head, ("a", "b"), num_trees=2,
        model_dir=str(tmp_path),
    )  # fmt: skip
    labels = (X[:, 0] > X[::-1, 0]).astype(np.float32)[:, None]
    pair = {"a.x": X, "b.x": X[::-1].copy()}

    def data():
        return {k: tf.constant(v) for k, v in pair.items()}, tf.constant(labels)

    ranker.fit(input_fn=data, steps=STEPS)
    assert ranker.evaluate(input_fn=data, steps=1)["auc"] > 0.65
    found = list(ranker.predict(input_fn=lambda: {"x": tf.constant(X)}))
    order = np.array([float(p["logits"][0]) for p in found])
    assert np.corrcoef(order, X[:, 0])[0, 1] > 0.1


def test_trees_after_a_network(tmp_path):
    columns = [tf.contrib.layers.real_valued_column("x", 2)]
    made = dnn_tree_combined_estimator.DNNBoostedTreeCombinedClassifier(
        [3], columns, _learner(), 2, 48, model_dir=str(tmp_path), dnn_steps_to_train=5,
        tree_feature_columns=list(columns), dnn_to_tree_distillation_param=(0.1, None),
    )  # fmt: skip
    data = lambda: ({"x": tf.constant(X)}, tf.constant(SIGNS))
    made.fit(input_fn=data, steps=40)
    assert sum(m.is_finalized for m in _grown(tmp_path).tree_metadata) >= 2
    assert made.evaluate(input_fn=data, steps=1)["accuracy"] > 0.6


def test_a_loss_of_ones_own(tmp_path):
    head = custom_loss_head.CustomLossHead(
        losses.per_example_logistic_loss, tf.sigmoid, 1
    )
    made = estimator.GradientBoostedDecisionTreeEstimator(
        _learner("num_classes: 2"), 48, head, num_trees=2, model_dir=str(tmp_path)
    )
    made.fit(input_fn=lambda: (_features("x"), tf.constant(SIGNS)), steps=STEPS)
    close(_gains(_grown(tmp_path))[0], 0.4571657, rtol=2e-5)


# ---------------------------------------------------------------------- losses
P = np.array([[0.3], [-0.7], [2.0], [0.01]], np.float32)
LABELS = np.array([[0.0], [1.0], [1.0], [0.0]], np.float32)
WEIGHTS = np.array([[1.0], [2.0], [0.5], [1.0]], np.float32)


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        ("exp", [2.10523, 5.4365635, 0.1839397, 1.0253152]),
        ("full_exp", [1.3498589, 4.0275054, 0.0676676, 1.0100502]),
        ("logistic", [0.8543553, 2.206372, 0.063464, 0.6981597]),
        ("squared_hinge", 2.0377562),
        ("squared", [0.09, 5.78, 0.5, 0.0001]),
    ],
)
def test_losses(loss, expected):
    function = getattr(losses, f"per_example_{loss}_loss")
    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(function(LABELS, WEIGHTS, tf.constant(P))[0])
    close(np.squeeze(found), expected, rtol=1e-5)


def test_a_loss_of_several_classes():
    logits = np.array([[0.3, 0.1, -1], [2, 0.5, 0.1]], np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        ids = tf.constant([[0], [2]])
        found = losses.per_example_maxent_loss(ids, None, tf.constant(logits), 3)[0]
        close(session.run(found)[:, 0], [0.737768, 2.2167788], rtol=1e-5)
        with pytest.raises(ValueError, match="should be integer"):
            losses.per_example_maxent_loss(LABELS, None, logits, 2)
        loss = distillation_loss.create_dnn_to_tree_squared_loss_fn(2)(
            P, P * 2, WEIGHTS
        )
        close(session.run(loss), 0.0115275, rtol=1e-5)


# ---------------------------------------------------------------------- parts
def test_features_by_kind():
    with tf.Graph().as_default():
        features = {"b": tf.zeros([4, 1]), "a": tf.zeros([4, 2]), **_features("sparse")}
        names, dense, *rest = extract_features(features, None, False)
        assert (names, len(dense)) == (["a_0", "a_1", "b", "s"], 3)
        assert [len(part) for part in rest] == [1, 1, 1, 0, 0, 0]
        with pytest.raises(ValueError, match="Unsupported dense feature"):
            extract_features({"a": tf.zeros([4, 1], tf.int64)}, None, False)
        with pytest.raises(ValueError, match="must be specified"):
            extract_features({}, None, False)


def _handled(session, make, ready):
    costs = [tf.constant(v) for v in (0.1, 1.0, 0.0, 0.0)]
    handler = make(*costs)
    g, h = tf.constant([0.2, -0.5, 1.2, 4.0]), tf.constant([0.2, 0.07, 0.2, 0.13])
    empty, leaves = tf.zeros([0]), tf.constant([0, 0, 0, 1])
    session.run([r.create for r in tf.get_collection(tf.GraphKeys.RESOURCES)])
    for step in range(ready + 1):
        now, after = (tf.constant(step + k, tf.int64) for k in range(2))
        active = tf.constant([True, True])
        update = handler.update_stats_sync(
            now, leaves, g, h, empty, empty, tf.ones([4, 1]), active
        )
        session.run(update)
        found = session.run(handler.make_splits(now, after, tf.constant(-1)))
    return found


def test_handlers_offer_splits():
    shape, strategy = tf.TensorShape([]), np.int32(1)
    with tf.Graph().as_default(), tf.Session() as session:
        column = tf.constant([[0.52], [0.52], [0.3], [0.52]])
        ready, leaves, gains, _ = _handled(
            session,
            lambda *costs: DenseSplitHandler(
                column, *costs, tf.constant(0), 0.01, 10, shape, shape, strategy
            ),
            1,
        )
        assert (bool(ready), leaves.tolist()) == (True, [0, 1])
        close(gains[0], (1.1**2 / 1.2 + 0.2**2 / 1.27) - 0.8**2 / 1.47, rtol=1e-4)
        ids = tf.SparseTensor([[0, 0], [2, 0], [3, 0]], np.array([1, 2, 1]), [4, 1])
        ready, leaves, _, infos = _handled(
            session,
            lambda *costs: EqualitySplitHandler(
                ids, *costs, tf.constant(0), shape, shape, strategy, name="ids"
            ),
            0,
        )
        info = decision_protos.learner.SplitInfo.FromString(bytes(infos[0]))
        assert info.split_node.categorical_id_binary_split.feature_id == 2


def test_scheduled_ops_of_a_kind_are_one():
    calls = []

    def op(handles, stamp, values):
        calls.append((handles, stamp, values))
        return [v + stamp for v in values], [10 * v for v in values]

    class Handle(str):
        device = "cpu"

    make = scheduling.ScheduledStampedResourceOp
    ops = {k: [make(Handle(k), op, values=i)] for i, k in enumerate("ab")}
    ops["c"] = [None]
    with tf.Graph().as_default():
        found = scheduling.run_handler_scheduled_ops(ops, 5, None)
    assert (len(calls), found) == (1, {"a": [(5, 0)], "b": [(6, 10)], "c": [None]})


def test_hooks():
    with tf.Graph().as_default():
        tf.train.create_global_step()
        switch = trainer_hooks.SwitchTrainOp(tf.constant(1), 5, tf.constant(2))
        switch.begin()
        assert switch._get_train_op_for_global_step(4) is switch._first_train_op
        assert switch._get_train_op_for_global_step(5) is switch._second_train_op
        stop = trainer_hooks.StopAfterNTrees(3, tf.constant(1), tf.constant(2))
        stop.begin()
        context = tf.train.SessionRunContext(None, None)
        for attempted, finalized, expected in ((5, 2, False), (6, 2, True)):
            results = {
                "num_attempted_trees": attempted, "num_finalized_trees": finalized,
            }  # fmt: skip
            values = tf.train.SessionRunValues(results, None, None)
            stop.after_run(context, values)
            assert context.stop_requested == expected


def test_importances_of_features_are_summaries(tmp_path):
    """With the tags and numbers of 1.12."""
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        tf.constant(["a", "b"], name="gbdt/feature_names")
        tf.constant([3, 4], tf.int64, name="gbdt/feature_usage_counts")
        tf.constant([0.5, 1.5], name="gbdt/feature_gains")
        more = tf.assign_add(step, 1)
        hook = trainer_hooks.FeatureImportanceSummarySaver(str(tmp_path), 2)
        with tf.train.SingularMonitoredSession(hooks=[hook]) as session:
            for _ in range(4):
                session.run(more)
    (file,) = (tmp_path / "b").iterdir()
    found = [
        (event.step, value.tag.removeprefix("feature_importance/"), value.simple_value)
        for event in tf.train.summary_iterator(str(file))
        for value in event.summary.value
    ]
    assert [(step, tag) for step, tag, _ in found] == [
        (step, tag)
        for step in (1, 3)
        for tag in ("usage_counts", "usage_fraction", "gains", "gains_fraction")
    ]
    values = [value for _, _, value in found]
    np.testing.assert_allclose(values, [4, 0.5714286, 1.5, 0.75] * 2, rtol=1e-6)


def test_the_exchange_format():
    tree = """trees { nodes { dense_float_binary_split { threshold: 1 left_id: 1
      right_id: 2 } node_metadata { gain: 5 } } nodes { leaf { vector { value: .6 } } }
      nodes { categorical_id_binary_split { feature_id: 9 left_id: 3 right_id: 4 }
      node_metadata { gain: 2 } } nodes { leaf { vector { value: 1 } } }
      nodes { leaf { sparse_vector { index: 1 value: 2 } } } } tree_weights: .5"""
    config = decision_protos.ensembles.DecisionTreeEnsembleConfig()
    text_format.Merge(tree, config)
    found = exports.convert_to_universal_format(config, ["a", "b"], 1, 0, 1)
    nodes = found.model.ensemble.members[0].submodel.decision_tree.nodes
    close(nodes[1].leaf.vector.value[0].float_value, 0.3, rtol=1e-6)
    assert nodes[4].leaf.sparse_vector.sparse_value[1].float_value == 1
    assert nodes[0].binary_node.inequality_left_child_test.feature_id.id.value == "a"
    assert sorted(found.features) == ["a", "b"]
    gains = exports._get_feature_importances(config, ["a", "b"], 1, 0, 1)
    assert gains == {"a": 2.5, "b": 1.0}
