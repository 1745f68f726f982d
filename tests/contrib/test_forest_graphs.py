"""Forests that grow by ops: estimators, bags, metrics, parameters and data."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.contrib.tensor_forest import (
    data_ops,
    eval_metrics,
    hparams,
    random_forest,
    tensor_forest,
)

STEPS = np.arange(120)
X = np.stack([STEPS % 17, STEPS % 23, STEPS % 5], 1).astype(np.float32)
Y = (X[:, 0] > 8).astype(np.int32)


def params(**given):
    return tensor_forest.ForestHParams(**{
        "num_classes": 2, "num_features": 3, "num_trees": 5, "split_after_samples": 20,
        "base_random_seed": 3, **given,
    }).fill()  # fmt: skip


def feed(x=X, y=Y, epochs=4):
    return tf.estimator.inputs.numpy_input_fn(
        {"x": x}, y, batch_size=30, num_epochs=epochs, shuffle=False
    )


@pytest.mark.parametrize("core", [False, True])
def test_estimators_grow_by_the_ops_where_asked(tmp_path, core):
    kind = random_forest.TensorForestEstimator
    kind = random_forest.CoreTensorForestEstimator if core else kind
    model = kind(
        params(), graph_builder_class=tensor_forest.RandomForestGraphs,
        model_dir=str(tmp_path), report_feature_importances=True,
    )  # fmt: skip
    train = model.train if core else model.fit
    train(input_fn=feed())
    assert model.evaluate(input_fn=feed(epochs=1))["accuracy"] > 0.9
    names = [name for name, _ in tf.train.list_variables(str(tmp_path))]
    assert {"tree-0:0", "stats-4:0", "device_dummy_0", "global_step"} <= set(names)


def test_numbers_are_found_by_the_ops(tmp_path):
    chosen = params(regression=True, num_classes=1, num_trees=3)
    model = random_forest.CoreTensorForestEstimator(
        chosen, graph_builder_class=tensor_forest.RandomForestGraphs,
        model_dir=str(tmp_path),
    )  # fmt: skip
    model.train(feed(y=X[:, :1]))
    found = model.evaluate(feed(y=X[:, :1], epochs=1))
    assert found["average_loss"] < 0.5 * X[:, 0].var()


def test_trees_see_bags_of_features_and_examples():
    chosen = params(feature_bagging_fraction=0.67, bagging_fraction=0.8)
    assert [len(bag) for bag in chosen.bagged_features] == [2] * 5
    with tf.Graph().as_default():
        graphs = tensor_forest.RandomForestGraphs(chosen)
        train = graphs.training_graph(tf.constant(X), tf.constant(Y))
        found, _, variance = graphs.inference_graph(tf.constant(X))
        sizes = graphs.average_size(), graphs.training_loss(X, Y)
        parts = [found, variance, *sizes, graphs.feature_importances()]
        with tf.train.SingularMonitoredSession() as sess:
            for _ in range(5):
                sess.run(train)
            shares, spread, size, loss, used = sess.run(parts)
    np.testing.assert_allclose(shares.sum(1), 1, rtol=1e-6)
    assert (spread >= 0).all()
    assert size > 3
    assert loss == -size
    np.testing.assert_allclose(used.sum(), 1)
    with tf.Graph().as_default(), pytest.raises(NotImplementedError, match="Bagging"):
        sparse = tf.SparseTensor([[0, 0]], ["a"], [1, 3])
        graphs = tensor_forest.RandomForestGraphs(params(bagging_fraction=0.5))
        graphs.training_graph(sparse, [0])


def test_trees_of_several_trainers_are_parts_of_one_forest():
    with tf.Graph().as_default():
        graphs = tensor_forest.RandomForestGraphs(params(num_trees=4))
        x, y = tf.constant(X), tf.constant(Y)
        parts = [graphs.training_graph(x, y, 2, number) for number in (0, 1)]
        sizes = [tree.size() for tree in graphs.trees]
        with tf.train.SingularMonitoredSession() as sess:
            for _ in range(3):
                sess.run(parts[1])
            assert [bool(size > 1) for size in sess.run(sizes)] == [False] * 2 + [
                True
            ] * 2
    assert len(graphs.get_all_resource_handles()) == 8


def test_parameters_are_those_of_1_12():
    found = hparams.build_params_proto(params(
        split_after_samples="linear { slope: 2 max_val: 9 }", split_name="less",
        split_pruning_name="half", prune_every_samples=7, checkpoint_stats=True,
    ))  # fmt: skip
    assert found.split_after_samples.linear.max_val == 9
    assert (found.pruning_type.type, found.inequality_test_type) == (1, 1)
    assert found.pruning_type.prune_every_samples.constant_value == 7
    chosen = params(split_finish_name="hoeffding", split_pruning_name="quarter")
    assert chosen.early_finish_check_every_samples == 5
    assert chosen.prune_every_samples == 10
    with pytest.raises(ValueError, match="prune_every_samples: expected a value"):
        params(split_after_samples="linear {}", split_pruning_name="half")


def test_features_become_columns():
    with tf.Graph().as_default(), tf.Session() as sess:
        dense, sparse, spec = data_ops.ParseDataTensorOrDict({
            "b": tf.constant([[1], [2]]), "a": tf.constant([[0.5, 1.5], [2.5, 3.5]]),
            "c": tf.SparseTensor([[0, 0], [1, 2]], ["x", "y"], [2, 3]),
        })  # fmt: skip
        x, values = sess.run([dense, sparse.values])
        labels = sess.run(data_ops.ParseLabelTensorOrDict({
            "p": tf.constant([[1], [2]]), "q": tf.constant([[3], [4]])
        }))  # fmt: skip
    np.testing.assert_array_equal(x, [[0.5, 1.5, 1], [2.5, 3.5, 2]])
    np.testing.assert_array_equal(labels, [[1, 3], [2, 4]])
    assert values.dtype == np.float32
    assert spec.SerializeToString() == (
        "dense_features_size: 3 dense: [{name: a original_type: 0 size: 2}"
        "{name: b original_type: 1 size: 1}] "
        "sparse: [{name: all_sparse original_type: 1 size: -1}]"
    )


def test_metrics_have_names():
    shares = np.float32([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]])
    targets = np.int64([[0], [1], [0]])
    wanted = {
        "accuracy": 2 / 3, "precision": 0.5, "recall": 1.0,
        "classification_log_loss": -np.log([0.9, 0.1, 0.2, 0.8, 0.4, 0.6]).mean(),
    }  # fmt: skip
    wanted["classification_log_loss"] = -np.log(
        [0.9, 0.9, 0.8, 0.8, 0.4, 0.4]
    ).mean()  # of both columns, against their part of the one-hot target
    with tf.Graph().as_default(), tf.Session() as sess:
        for name, value in wanted.items():
            key = eval_metrics.get_prediction_key(name)
            given = shares if key == "probabilities" else shares.argmax(1)[:, None]
            made = eval_metrics.get_metric(name)(
                tf.constant(given), tf.constant(targets)
            )
            sess.run(tf.local_variables_initializer())
            sess.run(made[1])
            np.testing.assert_allclose(sess.run(made[0]), value, rtol=1e-5)
