"""TPUEstimator: plain, and with simulated shards whose gradients are averaged."""

import numpy as np
import pytest

import twinflow as tf

tpu = tf.contrib.tpu
X = np.linspace(-1, 1, 32, dtype=np.float32).reshape(32, 1)
Y = 3 * X + 2
seen = []


def model_fn(features, labels, mode, params):
    seen.append((features.shape.as_list(), params["batch_size"]))
    w = tf.get_variable("w", [1, 1], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    p = tf.matmul(features, w) + b
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tpu.TPUEstimatorSpec(mode, predictions={"p": p})
    loss = tf.losses.mean_squared_error(labels, p)
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    if params["sharded"]:
        optimizer = tpu.CrossShardOptimizer(optimizer)
    train = optimizer.minimize(loss, tf.train.get_global_step())
    metrics = (lambda y, p: {"mae": tf.metrics.mean_absolute_error(y, p)}, [labels, p])
    return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train, eval_metrics=metrics)


def input_fn(params):
    dataset = tf.data.Dataset.from_tensor_slices((X, Y)).repeat(2)
    return dataset.batch(params["batch_size"], drop_remainder=True)


def trained(folder, shards, use_tpu, sharded=True):
    config = tpu.RunConfig(tpu_config=tpu.TPUConfig(num_shards=shards))
    estimator = tpu.TPUEstimator(
        model_fn, str(folder), config, {"sharded": sharded}, use_tpu,
        train_batch_size=16, eval_batch_size=8, predict_batch_size=4,
    )  # fmt: skip
    return estimator.train(input_fn)


@pytest.fixture(autouse=True)
def fresh():
    seen.clear()
    yield
    tf.summary.FileWriterCache.clear()


def test_shards_come_to_the_same_as_the_whole_batch(tmp_path):
    plain = trained(tmp_path / "plain", None, False, sharded=False)
    assert seen == [([16, 1], 16)]
    seen.clear()
    simulated = trained(tmp_path / "shards", 4, True)
    assert seen == [([4, 1], 16)] * 4
    for name in "w", "b", "w/Momentum":
        a, b = plain.get_variable_value(name), simulated.get_variable_value(name)
        np.testing.assert_allclose(a, b, rtol=1e-5)
    assert int(simulated.get_variable_value("global_step")) == 4
    assert sorted(simulated.get_variable_names()) == sorted(plain.get_variable_names())


def test_evaluation_and_prediction_see_whole_batches(tmp_path):
    estimator = trained(tmp_path, 2, True)
    seen.clear()
    found = estimator.evaluate(input_fn, steps=2)
    assert set(found) == {"loss", "mae", "global_step"} and seen == [([8, 1], 8)]
    assert len(list(estimator.predict(lambda params: input_fn(params).take(1)))) == 4


@pytest.mark.parametrize("changes, text", [
    ({"config": tf.estimator.RunConfig()}, "must be provided with type"),
    ({"params": {"batch_size": 1}}, "batch_size are reserved keys"),
    ({"train_batch_size": None}, "`train_batch_size` cannot be `None`"),
    ({"train_batch_size": 15}, "must be divisible by number of replicas 2"),
    ({"batch_axis": [1]}, "Only the first axis"),
])  # fmt: skip
def test_what_does_not_do_is_said(changes, text):
    config = tpu.RunConfig(tpu_config=tpu.TPUConfig(num_shards=2))
    args = {"config": config, "params": {}, "train_batch_size": 16, **changes}
    with pytest.raises(ValueError, match=text):
        tpu.TPUEstimator(model_fn, **args)


def test_input_functions_take_params(tmp_path):
    config = tpu.RunConfig()
    estimator = tpu.TPUEstimator(
        model_fn, str(tmp_path), config, {"sharded": False}, False, 16
    )
    with pytest.raises(ValueError, match="does not include params argument"):
        estimator.train(lambda: 1)


def test_alone_the_optimizer_is_the_one_inside(tmp_path):
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.get_variable("w", initializer=1.0)
        optimizer = tpu.CrossShardOptimizer(tf.train.MomentumOptimizer(0.1, 0.9))
        train = optimizer.minimize(w * w)
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        np.testing.assert_allclose(sess.run(w), 0.8)
        assert optimizer.get_slot(w, "momentum") is optimizer._opt.get_slot(
            w, "momentum"
        )
    with pytest.raises(ValueError, match="Unsupported reduction"):
        tpu.CrossShardOptimizer(tf.train.GradientDescentOptimizer(1.0), "none")
