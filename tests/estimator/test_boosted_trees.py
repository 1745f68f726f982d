"""Estimators of boosted trees against what TensorFlow 1.12 trains of the same data."""

import numpy as np
import pytest

import twinflow as tf

_DRAWS = np.random.RandomState(3)
X = {
    "a": _DRAWS.normal(size=(30, 1)),
    "b": _DRAWS.normal(size=(30, 1)),
    "c": _DRAWS.choice(["u", "v", "w"], (30, 1)),
}
NUMBERS = (X["a"] - 0.5 * X["b"] + (X["c"] == "v")).astype(np.float32)
CLASSES = (NUMBERS > 0.3).astype(np.float32)


def _columns():
    fc = tf.feature_column
    kinds = fc.categorical_column_with_vocabulary_list("c", ["u", "v"])
    return [
        fc.bucketized_column(fc.numeric_column("a"), [-0.7, 0.1, 0.6]),
        fc.bucketized_column(fc.numeric_column("b"), [-0.2, 0.4]),
        fc.indicator_column(kinds),
    ]


def _batches(labels, size):
    data = tf.data.Dataset.from_tensor_slices((X, labels))
    return data.batch(size).repeat(9)


def _whole():
    return tf.data.Dataset.from_tensors(X)


def _loss(estimator, labels):
    found = estimator.evaluate(lambda: tf.data.Dataset.from_tensors((X, labels)))
    return int(found["global_step"]), float(found["average_loss"])


def _first(estimator, key, count):
    return [float(p[key][0]) for p in estimator.predict(_whole)][:count]


def test_a_classifier(tmp_path):
    estimator = tf.estimator.BoostedTreesClassifier(
        _columns(), 2, tmp_path, n_trees=2, max_depth=2, learning_rate=0.5
    )
    estimator.train(lambda: _batches(CLASSES, 15))
    assert _loss(estimator, CLASSES) == (8, pytest.approx(0.3872235, rel=1e-5))
    np.testing.assert_allclose(
        _first(estimator, "logits", 4), [1.1853925, -1.2018615, 0.8581971, -1.4679141],
        rtol=1e-5,
    )  # fmt: skip
    names, gains = estimator.experimental_feature_importances()
    wanted = ["b_bucketized", "a_bucketized", "c_indicator:v", "c_indicator:u"]
    assert names.tolist() == wanted
    np.testing.assert_allclose(gains, [0.337732, 0.327859, 0.0318706, 0.0084145], 1e-5)


def test_a_regressor_explains(tmp_path):
    estimator = tf.estimator.BoostedTreesRegressor(
        _columns(), 1, tmp_path, n_trees=2, max_depth=2, learning_rate=0.5,
        center_bias=True,
    )  # fmt: skip
    estimator.train(lambda: _batches(NUMBERS, 30))
    assert _loss(estimator, NUMBERS) == (6, pytest.approx(0.2425938, rel=1e-5))
    found = list(estimator.experimental_predict_with_explanations(_whole))[1]
    np.testing.assert_allclose(found["predictions"], [-0.3495079], 1e-5)
    np.testing.assert_allclose(found["bias"], 0.2754128, 1e-5)
    np.testing.assert_allclose(
        [found["dfc"][i] for i in range(4)], [-0.0435251, -0.5813957, 0, 0], 1e-4, 1e-6
    )


def test_training_in_memory(tmp_path):
    trained = tf.contrib.estimator.boosted_trees_classifier_train_in_memory(
        lambda: tf.data.Dataset.from_tensors((X, CLASSES)), _columns()[:2], tmp_path,
        n_trees=2, max_depth=2,
    )  # fmt: skip
    assert trained.get_variable_value("global_step") == 4
    np.testing.assert_allclose(
        _first(trained, "logits", 4), [0.2071866, -0.2442457, 0.1864097, -0.2568631],
        rtol=1e-5,
    )  # fmt: skip


def test_what_is_refused():
    columns = _columns()
    with pytest.raises(ValueError, match="only binary classification"):
        tf.estimator.BoostedTreesClassifier(columns, 1, n_classes=3)
    with pytest.raises(ValueError, match="only 1 dimension"):
        tf.estimator.BoostedTreesRegressor(columns, 1, label_dimension=2)
    with pytest.raises(ValueError, match="only bucketized_column and indicator_column"):
        tf.estimator.BoostedTreesRegressor([tf.feature_column.numeric_column("a")], 1)
    plain = tf.estimator.BoostedTreesRegressor(columns, 1)
    with pytest.raises(ValueError, match="center_bias must be enabled"):
        next(plain.experimental_predict_with_explanations(_whole))
