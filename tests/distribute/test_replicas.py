"""tf.distribute: the names of TensorFlow 1.14 for towers."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager
from twinflow.base import devices

__all__ = ["eager"]
distribute = tf.distribute
X = np.random.RandomState(0).randn(64, 3).astype(np.float32)
Y = np.sin(X.sum(1, keepdims=True))


@pytest.fixture(params=["graph", "eager"])
def read(request):
    """A function from tensors to arrays; a session in a graph."""
    devices.set_num_cpus(4)
    if request.param == "eager":
        request.getfixturevalue("eager")
        yield lambda ts: tf.contrib.framework.nest.map_structure(
            lambda t: t.numpy(), ts
        )
    else:
        config = tf.ConfigProto(device_count={"CPU": 4})
        with tf.Graph().as_default(), tf.Session(config=config) as sess:
            yield sess.run
    devices.set_num_cpus(1)


def strategy_of(count):
    return distribute.MirroredStrategy(devices=[f"/cpu:{i}" for i in range(count)])


def test_the_names_are_those_of_towers():
    strategy = strategy_of(2)
    assert strategy.num_replicas_in_sync == strategy.num_towers == 2
    assert isinstance(strategy, distribute.Strategy) and strategy.extended is strategy
    assert distribute.get_replica_context().num_replicas_in_sync == 1
    assert not distribute.has_strategy()
    with tf.Graph().as_default(), strategy.scope():
        assert distribute.get_strategy() is strategy and distribute.has_strategy()
        assert distribute.in_cross_replica_context()
        assert distribute.get_replica_context() is None

        def replica():
            assert not distribute.in_cross_replica_context()
            context = distribute.get_replica_context()
            assert context.strategy is strategy and context.num_replicas_in_sync == 2
            return context.replica_id_in_sync_group, context.devices[0][-5:]

        ids, places = strategy.experimental_run_v2(replica)
    assert strategy.experimental_local_results(ids) == (0, 1)
    assert strategy.unwrap(places) == ["CPU:0", "CPU:1"]
    assert strategy.get_per_replica_batch_size(8) == 4
    with pytest.raises(ValueError, match="not divisible by num_replicas_in_sync"):
        strategy.get_per_replica_batch_size(7)


def test_values_are_reduced(read):
    strategy = strategy_of(3)

    def replica():
        i = distribute.get_replica_context().replica_id_in_sync_group
        x = tf.constant([[1.0, 2.0]] * (i + 1)) * (i + 1.0)
        context = distribute.get_replica_context()
        mean = context.all_reduce(distribute.ReduceOp.MEAN, {"a": x[0]})
        return x, x[0], mean["a"]

    parts, rows, means = strategy.experimental_run_v2(replica)
    total, mean = distribute.ReduceOp.SUM, distribute.ReduceOp.MEAN
    np.testing.assert_allclose(read(strategy.reduce(total, rows)), [6, 12])
    np.testing.assert_allclose(read(strategy.reduce(mean, rows, axis=None)), [2, 4])
    np.testing.assert_allclose(read(strategy.reduce(total, parts, axis=0)), [14, 28])
    np.testing.assert_allclose(
        read(strategy.reduce(mean, parts, axis=0)), [14 / 6, 28 / 6]
    )
    for found in read(list(strategy.unwrap(means))):
        np.testing.assert_allclose(found, [2, 4])


def test_batches_are_split(read):
    strategy = strategy_of(2)
    data = tf.data.Dataset.from_tensor_slices({"x": np.arange(7.0)}).batch(5)
    iterator = strategy.make_dataset_iterator(data)
    if getattr(iterator, "initializer", None) is not None:
        read(iterator.initializer)
        element = strategy.unwrap(iterator.get_next()["x"])
        batches = [read(element), read(element)]
    else:
        batches = [read(strategy.unwrap(iterator.get_next()["x"])) for _ in range(2)]
    assert [[list(p) for p in b] for b in batches] == [
        [[0, 1, 2], [3, 4]], [[5], [6]],
    ]  # fmt: skip


def test_a_step_of_training(read):
    wanted = None
    for count in (1, 2, 4):
        strategy = strategy_of(count)
        with strategy.scope():
            w = tf.Variable(np.full([3, 1], 0.5, np.float32), use_resource=True)
            optimizer = tf.train.GradientDescentOptimizer(0.1)
        data = tf.data.Dataset.from_tensors((X[:8], Y[:8]))
        iterator = strategy.make_dataset_iterator(data.repeat())

        def step(batch, w=w, optimizer=optimizer):
            x, y = batch
            loss = lambda: tf.reduce_mean(tf.square(x @ w - y))
            done = optimizer.minimize(loss)
            return loss() if done is None else done

        if count == 1:
            iterator = data.repeat().make_one_shot_iterator()
        elif getattr(iterator, "initializer", None) is not None:
            read(iterator.initializer)
        op = strategy.experimental_run(step, iterator)
        if not tf.executing_eagerly():
            read(tf.global_variables_initializer())
            read(strategy.group(op))
        found = read(strategy.read_var(w))
        wanted = found if wanted is None else wanted
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_a_keras_model_of_a_scope(read):
    """As in TensorFlow 1.14: compiled in the scope, it splits the batches."""
    found = []
    for count in (1, 2, 4):
        with strategy_of(count).scope():
            start = tf.constant_initializer(np.random.RandomState(1).randn(3, 1))
            dense = tf.keras.layers.Dense(1, input_shape=(3,), kernel_initializer=start)
            model = tf.keras.Sequential([dense])
            model.compile(tf.train.MomentumOptimizer(0.05, 0.9), "mse")
        data = tf.data.Dataset.from_tensor_slices((X, Y)).repeat().batch(8)
        model.fit(data, epochs=2, steps_per_epoch=5, verbose=0)
        model.fit(X, Y, batch_size=16, epochs=2, verbose=0, shuffle=False)
        score = model.evaluate(X, Y, batch_size=16, verbose=0)
        outputs = model.predict(X, batch_size=16)
        np.testing.assert_allclose(np.mean((outputs - Y) ** 2), score, rtol=1e-5)
        found.append([*model.get_weights(), score, outputs])
        if count > 1:
            with pytest.raises(ValueError, match="must be divisible by number of repl"):
                model.fit(X, Y, batch_size=9)
    for other in found[1:]:
        for a, b in zip(other, found[0], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_a_strategy_that_is_set(read):
    strategy = strategy_of(2)
    with strategy.scope(), pytest.raises(RuntimeError, match="Must not be called"):
        tf.distribute.experimental_set_strategy(None)
    tf.distribute.experimental_set_strategy(strategy)
    try:
        assert tf.distribute.get_strategy() is strategy
        assert len(strategy.unwrap(tf.Variable(1.0, use_resource=True))) == 2
        other = strategy_of(1)
        tf.distribute.experimental_set_strategy(other)
        assert tf.distribute.get_strategy() is other
    finally:
        tf.distribute.experimental_set_strategy(None)
    assert not tf.distribute.has_strategy()


def test_the_last_loss_says_how_losses_become_one(read):
    assert tf.distribute.get_loss_reduction() is tf.distribute.ReduceOp.MEAN
    tf.losses.mean_squared_error([1.0], [2.0], reduction=tf.losses.Reduction.SUM)
    assert tf.distribute.get_loss_reduction() is tf.distribute.ReduceOp.SUM
