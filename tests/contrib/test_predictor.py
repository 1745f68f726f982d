"""tf.contrib.predictor: functions of arrays from SavedModels and Estimators."""

import numpy as np
import pytest

import twinflow as tf


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("saved") / "model")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None], name="x")
        y = tf.multiply(x, tf.Variable(2.0), name="y")
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, folder, {"a": x}, {"b": y})
    return folder


def test_a_saved_model(saved):
    predict = tf.contrib.predictor.from_saved_model(saved)
    np.testing.assert_array_equal(predict({"a": [1.0, 3.0]})["b"], [2, 6])
    assert repr(predict).startswith("SavedModelPredictor with feed tensors {'a':")
    with pytest.raises(ValueError, match="Got unexpected keys in input_dict"):
        predict({"c": [1.0]})


def test_tensors_by_name(saved):
    make = tf.contrib.predictor.from_saved_model
    predict = make(saved, input_names={"in": "x:0"}, output_names={"out": "y:0"})
    np.testing.assert_array_equal(predict({"in": [3.0]})["out"], [6])
    with pytest.raises(ValueError, match="must both be specified"):
        make(saved, input_names={"in": "x:0"})
    with pytest.raises(ValueError, match="at most one of signature_def_key"):
        make(saved, "k", input_names={"in": "x:0"}, output_names={"out": "y:0"})
    with pytest.raises(RuntimeError, match="could not be found in SavedModel"):
        make(saved, tags="no")


def _model(features, labels, mode):
    weight = tf.get_variable("w", [], initializer=tf.ones_initializer())
    found = {"sum": features["x"] + weight}
    outputs = {"serving_default": found, "other": {"product": features["x"] * 3.0}}
    return tf.estimator.EstimatorSpec(
        mode, found, loss=weight * 1.0,
        train_op=tf.assign_add(tf.train.get_or_create_global_step(), 1),
        export_outputs={
            key: tf.estimator.export.PredictOutput(value)
            for key, value in outputs.items()
        },
    )  # fmt: skip


def test_an_estimator(tmp_path):
    estimator = tf.estimator.Estimator(_model, tmp_path)
    data = {"x": [1.0]}, [1.0]
    estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)

    def receiver():
        x = {"x": tf.placeholder(tf.float32, [None])}
        return tf.estimator.export.ServingInputReceiver(x, x)

    make = tf.contrib.predictor.from_estimator
    assert make(estimator, receiver)({"x": [2.0]}) == {"sum": 3}
    assert make(estimator, receiver, "other")({"x": [2.0]}) == {"product": 6}
    with pytest.raises(KeyError, match="output_key must be one of"):
        make(estimator, receiver, "no")
    with pytest.raises(TypeError, match="Expected estimator to be of type"):
        make(3, receiver)
