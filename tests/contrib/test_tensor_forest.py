"""Forests: trees as arrays, estimators, exports, and what happens without the extra."""

import subprocess
import sys

import numpy as np
import pytest

import twinflow as tf
from twinflow.contrib.tensor_forest import (
    fitted,
    growing,
    random_forest,
    tensor_forest,
)

sklearn = pytest.importorskip("sklearn")
from sklearn import datasets, ensemble  # noqa: E402

CLASSES, FEATURES = 3, 4
IRIS = datasets.load_iris()
X, Y = IRIS.data.astype(np.float32), IRIS.target.astype(np.int32)
HELD = np.arange(len(X)) % 3 == 0


def params(**given):
    given = {
        "num_classes": CLASSES, "num_features": FEATURES, "num_trees": 10,
        "split_after_samples": 5, **given,
    }  # fmt: skip
    return tensor_forest.ForestHParams(**given).fill()


def feed(x, y=None, epochs=1):
    return tf.estimator.inputs.numpy_input_fn(
        {"x": x}, y, batch_size=50, num_epochs=epochs, shuffle=False
    )


def grown(chosen, x=X, y=Y):
    grower = growing.Grower(chosen)
    grower.add(x, np.float32(y), np.ones(1))
    return grower.forest


def test_values_that_follow_from_others_are_those_of_1_12():
    found = params(num_trees=100)
    assert found.num_splits_to_consider == 10
    assert (found.num_outputs, found.num_output_columns) == (1, 4)
    assert found.bagged_num_features == 4
    assert params(regression=True).num_outputs == CLASSES
    with pytest.raises(AttributeError, match="num_classes"):
        tensor_forest.ForestHParams().fill()
    with pytest.raises(ValueError, match="feature_bagging_fraction"):
        params(feature_bagging_fraction=0.1)


def test_predictions_in_the_graph_are_those_of_scikit_learn():
    chosen = params(num_trees=1, bagging_fraction=0.7)
    _, first = np.unique(np.c_[X, Y], axis=0, return_index=True)
    x, y = X[np.sort(first)], Y[np.sort(first)]
    with tf.Graph().as_default(), tf.Session() as sess:
        graphs = fitted.FittedForestGraphs(chosen)
        train = graphs.training_graph(x, y)
        found, leaves, _ = graphs.inference_graph(X)
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        shares, at = sess.run([found, leaves])
    random = np.random.RandomState(0)
    some = np.sort(random.permutation(len(x))[: int(0.7 * len(x))])
    random.permutation(FEATURES)
    model = sklearn.tree.DecisionTreeClassifier(
        splitter="random", max_leaf_nodes=5000, min_samples_split=5, max_features=4,
        random_state=random.randint(2**31),
    ).fit(x[some], y[some])  # fmt: skip
    np.testing.assert_allclose(shares, model.predict_proba(X), rtol=1e-6)
    np.testing.assert_array_equal(at[:, 0], model.apply(X))


def test_hyperparameters_bound_the_trees():
    small = grown(params(num_trees=3, max_nodes=7))
    assert len(small.roots) == 3
    assert len(small.nodes) <= 3 * 7
    narrow = grown(params(num_trees=1, feature_bagging_fraction=0.25))
    assert (narrow.importances > 0).sum() == 1
    assert len(grown(params(num_trees=1, split_after_samples=1000)).nodes) == 1


def test_examples_that_come_again_are_kept_once():
    grower = growing.Grower(params(num_trees=2))
    for _ in range(3):
        grower.add(X[:2], np.float32(Y[:2]), np.float32([1, 2]))
    assert grower.distinct == 2
    assert list(grower._counts.values()) == [3.0, 6.0]


@pytest.mark.parametrize("core", [False, True])
@pytest.mark.parametrize("classes", [2, 3])
def test_classes_of_examples_that_were_held_back(tmp_path, core, classes):
    y = Y if classes == CLASSES else np.int32(Y == 1)
    kind = random_forest.TensorForestEstimator
    kind = random_forest.CoreTensorForestEstimator if core else kind
    model = kind(params(num_classes=classes), model_dir=str(tmp_path))
    train = model.train if core else model.fit
    train(input_fn=feed(X[~HELD], y[~HELD]))
    found = model.evaluate(input_fn=feed(X[HELD], y[HELD]))
    other = ensemble.RandomForestClassifier(10, random_state=0)
    other.fit(X[~HELD], y[~HELD])
    assert found["accuracy"] >= other.score(X[HELD], y[HELD]) - 0.06
    again = kind(params(num_classes=classes), model_dir=str(tmp_path))
    first = next(iter(again.predict(input_fn=feed(X[:1]))))
    if classes == CLASSES:  # as TensorFlow 1.12: a softmax of the shares
        want = [0.5761169, 0.21194157, 0.21194157]
    else:
        want = [9.9999905e-01, 9.9999886e-07]
    np.testing.assert_allclose(first["probabilities"], want, rtol=1e-5)
    assert set(first) >= {"logits", "classes", "prediction_variance"}


def test_numbers_of_examples_that_were_held_back(tmp_path):
    chosen = params(num_classes=1, num_features=3, regression=True, num_trees=20)
    model = random_forest.CoreTensorForestEstimator(chosen, model_dir=str(tmp_path))
    x, y = X[:, :3], X[:, 3:]
    model.train(feed(x[~HELD], y[~HELD]))
    found = model.evaluate(feed(x[HELD], y[HELD]))
    other = ensemble.RandomForestRegressor(20, random_state=0)
    other.fit(x[~HELD], y[~HELD, 0])
    theirs = np.mean((other.predict(x[HELD]) - y[HELD, 0]) ** 2)
    assert found["average_loss"] < 1.3 * theirs


def test_training_stops_once_nothing_is_new_and_keys_come_back(tmp_path):
    model = random_forest.CoreTensorForestEstimator(
        params(num_trees=2), early_stopping_rounds=3, keys_column="k",
        model_dir=str(tmp_path),
    )  # fmt: skip

    def data():
        found = {"x": X, "k": np.arange(150)}, Y
        return tf.data.Dataset.from_tensor_slices(found).batch(50).repeat()

    model.train(data)
    assert model.get_variable_value("global_step") == 6
    found = next(model.predict(data))
    assert found["keys"] == 0


def test_saved_models_need_no_scikit_learn(tmp_path, monkeypatch):
    model = random_forest.CoreTensorForestEstimator(
        params(num_trees=3), model_dir=str(tmp_path / "model")
    )
    model.train(feed(X, Y))
    receive = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {"x": tf.placeholder(tf.float32, [None, 4])}
    )
    folder = model.export_savedmodel(str(tmp_path / "saved"), receive)
    want = [p["class_ids"][0] for p in model.predict(feed(X[::40]))]
    monkeypatch.setattr(growing, "tree", None)
    predict = tf.contrib.predictor.from_saved_model(folder, "predict")
    assert list(predict({"x": X[::40]})["class_ids"][:, 0]) == want
    with pytest.raises(tf.errors.UnimplementedError, match=r"twinflow\[forest\]"):
        random_forest.TensorForestEstimator(params())


def test_all_predictions_are_exported_and_importances_logged(tmp_path, caplog):
    model = random_forest.CoreTensorForestEstimator(
        params(num_trees=2, inference_tree_paths=True), include_all_in_serving=True,
        report_feature_importances=True, model_dir=str(tmp_path / "model"),
    )  # fmt: skip
    with caplog.at_level("INFO"):
        model.train(feed(X, Y))
    assert "feature_importances: [" in caplog.text
    receive = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {"x": tf.placeholder(tf.float32, [None, 4])}
    )
    folder = model.export_savedmodel(str(tmp_path / "saved"), receive)
    predict = tf.contrib.predictor.from_saved_model(folder, "tensorforest_all")
    found = predict({"x": X[:5]})
    assert found["tree_paths"].shape == (5, 2)
    assert found["prediction_variance"].shape == (5, 3)


def test_what_scikit_learn_has_not_is_refused():
    make = random_forest.TensorForestEstimator
    with pytest.raises(ValueError, match="num_trainers, trainer_id: got 2 and 1"):
        make(params(), num_trainers=2, trainer_id=1)
    for name, value in (("split_name", "less"), ("checkpoint_stats", True)):
        with pytest.raises(ValueError, match=f"{name}: got {value!r}, expected "):
            make(params(**{name: value}))
    with pytest.raises(ValueError, match="split_name: got 'equal', expected"):
        params(split_name="equal")
    assert params(model_name="sparse_then_dense").model_name == "sparse_then_dense"


def test_graphs_refuse_parts_of_trees():
    with tf.Graph().as_default(), pytest.raises(ValueError, match="tree_configs"):
        fitted.FittedForestGraphs(params(), tree_configs=["x"])


def test_modules_stand_where_programs_look(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "from tensorflow.contrib.tensor_forest.client import random_forest\n"
        "from tensorflow.contrib.tensor_forest.python import tensor_forest\n"
        "print(random_forest.TensorForestEstimator, tensor_forest.RandomForestGraphs)\n"
    )
    command = [sys.executable, "-m", "twinflow", "run", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert "RandomForestGraphs" in done.stdout, done.stderr
