"""Estimators on several devices: the numbers of one with the whole batch."""

import numpy as np
import pytest

import twinflow as tf

X = np.random.RandomState(0).randn(64, 3).astype(np.float32)
Y = X.sum(1, keepdims=True)


def model_fn(features, labels, mode):
    h = tf.layers.dense(
        features["x"], 4, tf.tanh, kernel_initializer=tf.constant_initializer(0.1)
    )
    h = tf.layers.dense(h, 1, kernel_initializer=tf.constant_initializer(0.3))
    loss = tf.losses.mean_squared_error(labels, h)
    step = tf.train.get_global_step()
    train_op = tf.train.AdamOptimizer(0.01).minimize(loss, step)
    metrics = {"mse": tf.metrics.mean_squared_error(labels, h)}
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, eval_metric_ops=metrics
    )


def batches(size):
    return tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).repeat().batch(size)


def estimator_of(towers, folder, evaluate=False, **options):
    devices = [f"/cpu:{i}" for i in range(towers)]
    strategy = tf.contrib.distribute.MirroredStrategy(devices=devices)
    if evaluate and not options.get("new"):
        options["eval_distribute"] = strategy
    if options.pop("new", False):
        strategies = strategy, strategy if evaluate else None
        given = tf.contrib.distribute.DistributeConfig(*strategies)
        options["experimental_distribute"] = given
    else:
        options["train_distribute"] = strategy
    config = tf.estimator.RunConfig(
        session_config=tf.ConfigProto(device_count={"CPU": towers}), **options
    )
    return tf.estimator.Estimator(model_fn, str(folder), config)


@pytest.mark.parametrize("new", [False, True])
def test_training_on_towers(tmp_path, new):
    found = []
    for towers in (1, 2, 4):
        estimator = estimator_of(towers, tmp_path / str(towers), new=new)
        estimator.train(lambda n=towers: batches(16 // n), steps=10)
        estimator.train(lambda n=towers: batches(16 // n), steps=5)  # goes on
        names = [n for n in estimator.get_variable_names() if "power" not in n]
        found.append({n: estimator.get_variable_value(n) for n in names})
        result = estimator.evaluate(lambda: batches(16), steps=2)
        assert result["global_step"] == 15
        found[-1]["mse"] = result["mse"]
    for other in found[1:]:
        assert other.keys() == found[0].keys()
        for name, value in found[0].items():
            np.testing.assert_allclose(other[name], value, rtol=1e-5, atol=1e-6)


def test_input_that_is_no_dataset(tmp_path):
    estimator = estimator_of(2, tmp_path)
    with pytest.raises(ValueError, match=r"returns a\s+tf.data.Dataset"):
        estimator.train(lambda: ({"x": tf.constant(X)}, tf.constant(Y)), steps=1)


@pytest.mark.parametrize("new", [False, True])
def test_evaluation_on_towers(tmp_path, new):
    """Metrics are those of one device with all batches; so are predictions."""
    alone = estimator_of(1, tmp_path)
    alone.train(lambda: batches(16), steps=3)
    wanted = alone.evaluate(lambda: batches(16), steps=4)
    for towers in (2, 4):
        estimator = estimator_of(towers, tmp_path, evaluate=True, new=new)
        found = estimator.evaluate(lambda: batches(16), steps=4 // towers)
        assert found.keys() == wanted.keys() and found["global_step"] == 3
        np.testing.assert_allclose(found["mse"], wanted["mse"], rtol=1e-6)
        np.testing.assert_allclose(found["loss"], wanted["loss"], rtol=1e-6)
    with pytest.raises(ValueError, match="`eval_distribute` needs an input_fn"):
        estimator.evaluate(lambda: ({"x": tf.constant(X)}, tf.constant(Y)), steps=1)


def test_training_and_evaluating_in_turn(tmp_path):
    estimator = estimator_of(2, tmp_path, evaluate=True)
    train = tf.estimator.TrainSpec(lambda: batches(8), max_steps=4)
    once = lambda: tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).batch(16)
    check = tf.estimator.EvalSpec(once, steps=None, throttle_secs=0)
    result, _ = tf.estimator.train_and_evaluate(estimator, train, check)
    predicted = [p["out"] for p in _with_predictions(estimator).predict(once)]
    assert len(predicted) == 64 and result["global_step"] == 4
    np.testing.assert_allclose(result["mse"], np.mean((predicted - Y) ** 2), rtol=1e-5)


def _with_predictions(estimator):
    def predicting(features, mode):
        h = tf.layers.dense(features["x"], 4, tf.tanh)
        out = tf.layers.dense(h, 1)
        return tf.estimator.EstimatorSpec(mode, predictions={"out": out})

    return tf.estimator.Estimator(predicting, estimator.model_dir, estimator.config)


def test_keras_models_on_towers(tmp_path):
    found = []
    for towers in (1, 2):
        folder = tmp_path / str(towers)
        config = estimator_of(towers, folder, evaluate=True).config
        start = tf.constant_initializer(np.random.RandomState(1).randn(3, 1))
        with tf.Graph().as_default():
            dense = tf.keras.layers.Dense(
                1, name="d", input_shape=(3,), kernel_initializer=start
            )
            model = tf.keras.Sequential([dense])
            model.compile(tf.train.MomentumOptimizer(0.05, 0.9), "mse", ["mae"])
            estimator = tf.keras.estimator.model_to_estimator(model, config=config)
        batch = lambda n=towers: (
            tf.data.Dataset.from_tensor_slices((X, Y)).repeat().batch(8 // n)
        )
        estimator.train(batch, steps=10)
        found.append(estimator.evaluate(batch, steps=4))
    assert found[0].keys() == found[1].keys() == {"loss", "mae", "global_step"}
    for name, value in found[0].items():
        np.testing.assert_allclose(found[1][name], value, rtol=1e-5)
