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


def test_shards_sum_up():
    x = np.arange(8, dtype=np.float32)
    with tf.Graph().as_default(), tf.Session() as sess:

        def centred(x):
            total = tpu.cross_replica_sum(tf.reduce_sum(x))
            assert x.shape == [2]
            return x - total / 8.0, total

        whole, first = tpu.shard(centred, [x], 4, outputs_from_all_shards=[True, False])
        found, total = sess.run([whole, first])
        np.testing.assert_allclose(found, x - x.mean())
        assert total == x.sum()
        pairs = tpu.replicate(
            lambda x: tpu.cross_replica_sum(x, [[0, 2], [1]]), [[1.0], [2.0], [5.0]]
        )
        assert sess.run(pairs) == [[6.0], [2.0], [6.0]]
        assert sess.run(tpu.rewrite(lambda a, b: a + b, [1.0, 2.0])) == [3.0]
        assert sess.run(tpu.cross_replica_sum(3.0)) == 3.0
        np.testing.assert_array_equal(
            sess.run(tpu.batch_parallel(lambda x: x * 2, [x], 2)[0]), x * 2
        )


def test_gradients_go_through_sums_of_shards():
    """The loss that all shards have together is that of the whole batch."""
    found = []
    for count in (1, 4):
        with tf.Graph().as_default(), tf.Session() as sess:

            def step(x):
                w = tf.get_variable("w", initializer=2.0, use_resource=True)
                mean = tpu.cross_replica_sum(tf.reduce_mean(w * x)) / float(count)
                loss = (mean - 1.0) ** 2 + w * w
                sgd = tpu.CrossShardOptimizer(tf.train.GradientDescentOptimizer(0.1))
                return loss, sgd.minimize(loss)

            x = np.arange(8, dtype=np.float32)
            results = tpu.shard(step, [x], count, output_shard_axes=[None, None])
            (w,) = tf.global_variables()
            sess.run(w.initializer)
            sess.run(results)
            found.append(sess.run(w))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-6)


@pytest.mark.parametrize("act, error, text", [
    (lambda: tpu.replicate(lambda x: x, [[1, 2]]), TypeError, "exactly 1 arguments"),
    (lambda: tpu.replicate(lambda *x: x, [[1], []]), ValueError, "the same length"),
    (lambda: tpu.replicate(lambda: 1, None, object()), ValueError, "There is no TPU"),
    (lambda: tpu.shard(lambda: 1, [], 0), ValueError, "must be a positive integer"),
    (lambda: tpu.shard(lambda x: x, [[1.0]], 1, [0, 1]), ValueError, "must be 1"),
    (lambda: tpu.replicate(lambda x: tpu.cross_replica_sum(x, [[0]]), [[1], [2]]),
     ValueError, "each of the 2 shards once"),
])  # fmt: skip
def test_what_shards_refuse(act, error, text):
    with tf.Graph().as_default(), pytest.raises(error, match=text):
        act()


def test_replicas_are_put_on_a_mesh_as_in_tensorflow():
    places = np.array([[*np.ndindex(2, 2, 2)]], np.int32)
    mesh = tf.contrib.tpu.Topology(mesh_shape=[2, 2, 2], device_coordinates=places)
    again = tf.contrib.tpu.Topology(serialized=mesh.serialized())
    np.testing.assert_array_equal(again.device_coordinates, places)
    pairs = tf.contrib.tpu.device_assignment(again, [1, 2, 1], num_replicas=2)
    assert pairs.core_assignment.tolist() == [
        [[0, 0, 0], [0, 1, 0]], [[0, 0, 1], [0, 1, 1]],
    ]  # fmt: skip
    apart = tf.contrib.tpu.device_assignment(mesh, [2, 1, 1], [1, 1, 2], 2)
    assert apart.core_assignment[1].tolist() == [[0, 0, 1], [1, 0, 1]]
    assert apart.tpu_device(1, 1) == "/task:0/device:TPU:5"
    assert pairs.host_device(job="w") == "/job:w/task:0/device:CPU:0"
    assert pairs.lookup_replicas(0, 1) == [0, 1]
    with pytest.raises(ValueError, match="only 8 replicas with shape"):
        tf.contrib.tpu.device_assignment(mesh, num_replicas=9)
    with pytest.raises(ValueError, match="does not fit in TPU topology"):
        tf.contrib.tpu.device_assignment(mesh, [3, 1, 1])
    with pytest.raises(ValueError, match="Can not find any replica in task: 5"):
        pairs.lookup_replicas(5, 0)
    with pytest.raises(ValueError, match="3 positive entries"):
        tf.contrib.tpu.Topology(None, [1, 1], np.zeros([1, 1, 2], np.int32))
