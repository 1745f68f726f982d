"""tf.contrib.saved_model and SavedModelEstimator: models written, and used again."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import dispatch
from twinflow.eager.mode import MODE

_KERAS = tf.keras


def _model():
    layers = [_KERAS.layers.Dense(2, input_shape=(3,)), _KERAS.layers.Dense(1)]
    return _KERAS.Sequential(layers)


_DATA = np.ones((4, 3), "float32"), np.zeros((4, 1), "float32")


@pytest.mark.parametrize(
    "mode", [lambda: tf.Graph().as_default(), lambda: dispatch.entered(MODE)]
)
def test_a_keras_model_trains_on(mode, tmp_path):
    with mode():
        path = _saved_and_loaded(tmp_path)
    names = [name for name, _ in tf.train.list_variables(f"{path.decode()}/variables")]
    assert "optimizer/optimizer/beta1_power/.ATTRIBUTES/VARIABLE_VALUE" in names
    with tf.Graph().as_default(), tf.Session() as session:
        meta = tf.saved_model.loader.load(session, ["train"], path)
        outputs = {
            key.rpartition("/")[2] for key in meta.signature_def["train"].outputs
        }
        assert {"loss", "value", "update_op"} < outputs
        assert session.run(tf.train.get_global_step()) == 1


def _saved_and_loaded(tmp_path):
    """The folder of a model that trained a step; it goes on as the model does."""
    model = _model()
    model.compile(tf.train.AdamOptimizer(0.1), "mse", metrics=["mae"])
    model.train_on_batch(*_DATA)
    path = tf.contrib.saved_model.save_keras_model(model, str(tmp_path))
    again = tf.contrib.saved_model.load_keras_model(path)
    assert again.optimizer is None
    again.compile(tf.train.AdamOptimizer(0.1), "mse", metrics=["mae"])
    for _ in range(2):  # the slots are those of before
        np.testing.assert_allclose(
            model.train_on_batch(*_DATA), again.train_on_batch(*_DATA), rtol=1e-5
        )
    return path


def test_what_is_not_saved(tmp_path):
    with pytest.raises(NotImplementedError):
        tf.contrib.saved_model.save_keras_model(_KERAS.Sequential(), str(tmp_path))
    with pytest.raises(tf.errors.NotFoundError):
        tf.contrib.saved_model.load_keras_model(str(tmp_path / "none"))


def _input_fn():
    data = {"x": [[1], [-2]]}, [[4.0], [-3.0]]
    return tf.data.Dataset.from_tensors(data).repeat()


def _model_fn(features, labels, mode):
    v = tf.Variable(21, name="some_var")
    steps = [tf.assign_add(tf.train.get_global_step(), 1), tf.assign_add(v, 3)]
    error = tf.metrics.mean_absolute_error(tf.constant(0), v)
    return tf.estimator.EstimatorSpec(
        mode, tf.identity(v)[None], tf.constant(7.0), tf.group(*steps), {"e": error}
    )


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("exported"))
    estimator = tf.estimator.Estimator(_model_fn, f"{folder}/model")
    estimator.train(_input_fn, steps=10)
    build = tf.contrib.estimator.build_raw_supervised_input_receiver_fn
    x = tf.placeholder(tf.int32, [2, 1], "x")
    return tf.contrib.estimator.export_all_saved_models(
        estimator, f"{folder}/export",
        {"train": build({"x": x}, tf.placeholder(tf.float32, [2, 1], "y")),
         "infer": tf.estimator.export.build_raw_serving_input_receiver_fn({"x": x})},
    )  # fmt: skip


def test_a_saved_model_estimator(exported, tmp_path):
    estimator = tf.contrib.estimator.SavedModelEstimator(exported, str(tmp_path))
    assert next(estimator.predict(_input_fn)) == {"output": 51}
    estimator.train(_input_fn, steps=2)
    assert estimator.get_variable_value("global_step") == 12
    assert estimator.get_variable_value("some_var") == 57
    with pytest.raises(RuntimeError, match="eval mode is not available in the Saved"):
        estimator.evaluate(_input_fn)
    with pytest.raises(ValueError, match=r"Expected shape: \(\?, 1\), Got: \(2,\)"):
        estimator.train(lambda: ({"x": tf.constant([1, 2])}, tf.ones([2])), steps=1)


def test_loading_in_three_steps(exported):
    loader = tf.contrib.estimator.SavedModelEstimator(exported).saved_model_loader
    with tf.Graph().as_default() as graph, tf.Session() as session:
        saver, found = loader.load_graph(
            graph, ["serve"], "in", return_elements=["some_var:0"]
        )
        with pytest.raises(ValueError, match="a saver is required"):
            loader.restore_variables(session, None)
        loader.restore_variables(session, saver, "in")
        loader.run_init_ops(session, ["serve"], "in")
        assert session.run(found) == [51]
