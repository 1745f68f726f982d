"""Canned Estimators: numbers, names and signatures as TensorFlow 1.12 has them."""

import numpy as np
import pytest

import twinflow as tf

AGE = tf.feature_column.numeric_column("age")
JOB = tf.feature_column.categorical_column_with_vocabulary_list("job", ["a", "b"])
DATA = {"age": [[1.0], [2.0]], "job": [["a"], ["b"]]}, [[1], [0]]


def data():
    return tf.data.Dataset.from_tensors(DATA).repeat()


def trained(estimator):
    """The metrics after two steps, which TensorFlow 1.12 gives as well."""
    return estimator.train(data, steps=2).evaluate(data, steps=1)


def test_linear_classifier(tmp_path):
    estimator = tf.estimator.LinearClassifier([AGE, JOB], str(tmp_path))
    found = trained(estimator)
    assert found["average_loss"] == pytest.approx(0.51850885, rel=1e-6)
    assert found["prediction/mean"] == pytest.approx(0.4316029, rel=1e-6)
    assert found["auc"] == pytest.approx(0.99999905)
    assert estimator.get_variable_names() == [
        "global_step", "linear/linear_model/age/weights",
        "linear/linear_model/age/weights/part_0/Ftrl",
        "linear/linear_model/age/weights/part_0/Ftrl_1",
        "linear/linear_model/bias_weights",
        "linear/linear_model/bias_weights/part_0/Ftrl",
        "linear/linear_model/bias_weights/part_0/Ftrl_1",
        "linear/linear_model/job/weights",
        "linear/linear_model/job/weights/part_0/Ftrl",
        "linear/linear_model/job/weights/part_0/Ftrl_1",
    ]  # fmt: skip


def test_a_partitioned_linear_classifier(tmp_path):
    parts = tf.fixed_size_partitioner(2)
    estimator = tf.estimator.LinearClassifier(
        [AGE], str(tmp_path), n_classes=4, partitioner=parts
    )
    estimator.train(data, steps=1)
    name = "linear/linear_model/bias_weights"
    assert estimator.get_variable_value(name).shape == (4,)


def test_linear_regressor_with_crossed_columns(tmp_path):
    steps = tf.feature_column.bucketized_column(AGE, [1.5])
    crossed = tf.feature_column.crossed_column(["job", steps], 5)
    estimator = tf.estimator.LinearRegressor([AGE, steps, crossed], str(tmp_path))
    assert trained(estimator)["label/mean"] == 0.5


def test_dnn_classifier(tmp_path):
    columns = [AGE, tf.feature_column.embedding_column(JOB, 2)]
    estimator = tf.estimator.DNNClassifier(
        [3], columns, str(tmp_path), n_classes=3, dropout=0.1, batch_norm=True
    )
    assert set(trained(estimator)) == {
        "accuracy", "average_loss", "global_step", "loss",
    }  # fmt: skip
    shapes = {
        name: estimator.get_variable_value(name).shape
        for name in estimator.get_variable_names()
        if "Adagrad" not in name
    }
    assert shapes == {
        "dnn/hiddenlayer_0/batchnorm_0/beta": (3,),
        "dnn/hiddenlayer_0/batchnorm_0/gamma": (3,),
        "dnn/hiddenlayer_0/batchnorm_0/moving_mean": (3,),
        "dnn/hiddenlayer_0/batchnorm_0/moving_variance": (3,),
        "dnn/hiddenlayer_0/bias": (3,),
        "dnn/hiddenlayer_0/kernel": (3, 3),
        "dnn/input_from_feature_columns/input_layer/job_embedding/embedding_weights": (
            2,
            2,
        ),
        "dnn/logits/bias": (3,),
        "dnn/logits/kernel": (3, 3),
        "global_step": (),
    }
    assert "dnn/hiddenlayer_0/kernel/t_0/Adagrad" in estimator.get_variable_names()


def test_a_dnn_starts_warm(tmp_path):
    first = tf.estimator.DNNRegressor([2], [AGE], str(tmp_path / "a"))
    first.train(data, steps=1)
    still = tf.train.GradientDescentOptimizer(0.0)
    then = tf.estimator.DNNRegressor(
        [2], [AGE], str(tmp_path / "b"), optimizer=still,
        warm_start_from=first.model_dir,
    )  # fmt: skip
    then.train(data, steps=1)
    name = "dnn/hiddenlayer_0/kernel"
    assert np.array_equal(first.get_variable_value(name), then.get_variable_value(name))


def test_combined_regressor_exports_its_signatures(tmp_path):
    estimator = tf.estimator.DNNLinearCombinedRegressor(
        str(tmp_path / "m"), linear_feature_columns=[AGE, JOB],
        dnn_feature_columns=[AGE], dnn_hidden_units=[2],
    )  # fmt: skip
    trained(estimator)
    spec = tf.feature_column.make_parse_example_spec([AGE, JOB])
    receiver_fn = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    folder = estimator.export_savedmodel(str(tmp_path / "e"), receiver_fn)
    with tf.Session(graph=tf.Graph()) as sess:
        meta = tf.saved_model.loader.load(sess, ["serve"], folder)
    assert {k: v.method_name for k, v in meta.signature_def.items()} == {
        "serving_default": "tensorflow/serving/regress",
        "regression": "tensorflow/serving/regress",
        "predict": "tensorflow/serving/predict",
    }


def test_columns_must_be_there():
    with pytest.raises(ValueError, match="linear_feature_columns or dnn_feature"):
        tf.estimator.DNNLinearCombinedClassifier()
    estimator = tf.estimator.LinearClassifier([AGE])
    with pytest.raises(ValueError, match="features should be a dictionary"):
        estimator.train(lambda: (tf.zeros([2, 1]), tf.zeros([2, 1])), steps=1)


def test_baseline_classifier(tmp_path):
    estimator = tf.estimator.BaselineClassifier(str(tmp_path), n_classes=3)
    data = {"x": [[0.0]] * 4}, [[0], [1], [1], [1]]
    source = lambda: tf.data.Dataset.from_tensors(data).repeat()
    estimator.train(source, steps=200)
    probable = next(estimator.predict(source))["probabilities"]
    assert probable == pytest.approx([0.25, 0.75, 0.0], abs=0.02)
