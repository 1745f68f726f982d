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


def estimator_of(towers, folder, **options):
    devices = [f"/cpu:{i}" for i in range(towers)]
    strategy = tf.contrib.distribute.MirroredStrategy(devices=devices)
    if options.pop("new", False):
        given = tf.contrib.distribute.DistributeConfig(train_distribute=strategy)
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
