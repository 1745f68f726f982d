"""Several towers: the numbers of one device with the whole batch, in every mode."""

import numpy as np
import pytest

import twinflow as tf
from tests.children import words_of
from tests.modes import eager, graph
from twinflow.base import devices
from twinflow.distribute import values

__all__ = ["eager", "graph"]
distribute = tf.contrib.distribute
OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.05, 0.9),
    "adam": lambda: tf.train.AdamOptimizer(0.01),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.01),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.1),
}


def strategy_of(count):
    return distribute.MirroredStrategy(devices=[f"/cpu:{i}" for i in range(count)])


def session(count):
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": count}))


def data(count, batch=8):
    """Batches for each of `count` towers, which together are those of one."""
    x = np.random.RandomState(0).randn(64, 3).astype(np.float32)
    y = np.sin(x.sum(1, keepdims=True))
    both = tf.data.Dataset.from_tensor_slices((x, y))
    return both.repeat().batch(batch // count)


def net(x):
    normal = np.random.RandomState(1).randn
    layers = tf.layers
    h = layers.dense(
        x, 4, tf.tanh, kernel_initializer=tf.constant_initializer(normal(3, 4))
    )
    return layers.dense(h, 1, kernel_initializer=tf.constant_initializer(normal(4, 1)))


def trained(count, optimizer, steps=20):
    """The losses and the variables of a training; each tower's copy."""
    with tf.Graph().as_default(), session(count) as sess:
        strategy = strategy_of(count)
        with strategy.scope():
            batches = strategy.distribute_dataset(lambda: data(count))
            iterator = batches.make_initializable_iterator()
            step = tf.train.get_or_create_global_step()

            def tower(x, y):
                loss = tf.losses.mean_squared_error(y, net(x))
                return loss, OPTIMIZERS[optimizer]().minimize(loss, step)

            loss, train = strategy.call_for_each_tower(tower, *iterator.get_next())
            loss = strategy.reduce(tf.VariableAggregation.MEAN, loss, "/cpu:0")
            (loss,), train = strategy.unwrap(loss), strategy.group(train)
            copies = {v.name: strategy.unwrap(v) for v in tf.global_variables()}
            sess.run([tf.global_variables_initializer(), iterator.initializer])
        losses = [sess.run([loss, train])[0] for _ in range(steps)]
        return losses, sess.run(copies)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_towers_give_the_numbers_of_one_device(optimizer):
    losses, copies = trained(1, optimizer)
    for count in (2, 4):
        found, of_towers = trained(count, optimizer)
        np.testing.assert_allclose(found, losses, rtol=1e-5, atol=1e-6)
        assert of_towers.keys() == copies.keys()
        for name, (wanted,) in copies.items():
            assert len(of_towers[name]) == count
            for value in of_towers[name]:
                np.testing.assert_array_equal(value, of_towers[name][0])
            np.testing.assert_allclose(value, wanted, rtol=1e-5, atol=1e-6)


CHILD = """
import twinflow as tf
config = tf.ConfigProto(device_count={"CPU": 2})
tf.enable_eager_execution(config)
with tf.device("/cpu:1"):
    tf.constant(1) + 1
print(*tf.contrib.eager.list_devices())
try:
    with tf.device("/cpu:2"):
        tf.constant(1) + 1
except RuntimeError as error:
    print("CPU:2 unknown device" in str(error))
"""


@pytest.fixture
def cpus():
    devices.set_num_cpus(4)
    yield
    devices.set_num_cpus(1)


def test_cpus_of_eager_mode():
    names = words_of(CHILD)
    assert [n[-5:] for n in names[:-1]] == ["CPU:0", "CPU:1"] and names[-1] == "True"


def test_towers_eagerly(eager, cpus):
    results = []
    for count in (1, 2, 4):
        strategy = strategy_of(count)
        with strategy.scope():
            w = tf.Variable(np.full([3, 1], 0.5, np.float32), name="w")
            optimizer = tf.train.AdamOptimizer(0.01)

            def tower(x, y, w=w, optimizer=optimizer):
                optimizer.minimize(lambda: tf.reduce_mean(tf.square(x @ w - y)))
                return tf.contrib.distribute.get_tower_context().tower_id

            batches = strategy.distribute_dataset(lambda n=count: data(n))
            iterator = batches.make_one_shot_iterator()
            for _ in range(20):
                ids = strategy.call_for_each_tower(tower, *iterator.get_next())
            assert strategy.unwrap(ids) == [*range(count)]
        for copy in strategy.unwrap(w):
            results.append(copy.numpy())
    assert len(results) == 7
    for found in results[1:]:
        np.testing.assert_allclose(found, results[0], rtol=1e-6, atol=1e-6)


def test_batch_norm_has_averages_of_each_tower(tmp_path):
    path = str(tmp_path / "model")
    with tf.Graph().as_default(), session(2) as sess:
        strategy = strategy_of(2)
        with strategy.scope():
            x = values.PerDevice({
                "/cpu:0": tf.constant([[1.0], [3.0]]),
                "/cpu:1": tf.constant([[7.0], [7.0]]),
            })  # fmt: skip

            def tower(x):
                layer = tf.layers.BatchNormalization(momentum=0.5)
                layer(x, training=True)
                return tf.group(*layer.updates)

            train = strategy.group(strategy.call_for_each_tower(tower, x))
            mean = next(v for v in tf.global_variables() if "mean" in v.name)
            sess.run(tf.global_variables_initializer())
            sess.run(train)
            assert sess.run(strategy.unwrap(mean)) == [[1.0], [3.5]]
            assert sess.run(strategy.read_var(mean)) == [2.25]
            saver = tf.train.Saver()
            saver.save(sess, path)
            assert (
                tf.train.load_variable(path, "batch_normalization/moving_mean") == 2.25
            )
            sess.run(train)
            saver.restore(sess, path)
            assert sess.run(strategy.unwrap(mean)) == [[2.25], [2.25]]


def test_rows_of_an_embedding():
    """Sparse gradients of towers are joined; a row may be in all of them."""
    with tf.Graph().as_default(), session(2) as sess:
        strategy = strategy_of(2)
        with strategy.scope():
            table = tf.get_variable("table", initializer=tf.ones([4, 2]))
            ids = values.PerDevice({
                "/cpu:0": tf.constant([0, 1]), "/cpu:1": tf.constant([1, 3])
            })  # fmt: skip

            def tower(ids):
                loss = tf.reduce_sum(tf.nn.embedding_lookup(table, ids))
                return tf.train.GradientDescentOptimizer(1.0).minimize(loss)

            train = strategy.group(strategy.call_for_each_tower(tower, ids))
            sess.run(tf.global_variables_initializer())
            sess.run(train)
            for copy in sess.run(strategy.unwrap(table)):  # each tower has half a loss
                np.testing.assert_allclose(copy[:, 0], [0.5, 0.0, 1.0, 0.5])


@pytest.mark.parametrize(("aggregation", "wanted"), [
    ("SUM", 5.0 + 3.0), ("MEAN", 5.0 + 1.5), ("ONLY_FIRST_TOWER", 5.0 + 1.0),
])  # fmt: skip
def test_what_towers_write_is_aggregated(aggregation, wanted):
    with tf.Graph().as_default(), session(2) as sess:
        strategy = strategy_of(2)
        with strategy.scope():
            v = tf.get_variable(
                "v", initializer=5.0,
                aggregation=getattr(tf.VariableAggregation, aggregation),
            )  # fmt: skip
            plain = tf.get_variable("plain", initializer=1.0)

            def tower():
                number = distribute.get_tower_context().tower_id + 1.0
                with pytest.raises(ValueError, match="aggregation method"):
                    plain.assign(number)
                return v.assign_add(tf.constant(number))

            done = strategy.group(strategy.call_for_each_tower(tower))
            sess.run(tf.global_variables_initializer())
            sess.run(done)
            assert sess.run(strategy.unwrap(v)) == [wanted, wanted]
            sess.run(v.assign(2.0))
            assert sess.run(strategy.unwrap(v)) == [2.0, 2.0]


def test_towers_must_meet(eager, cpus):
    strategy = strategy_of(2)

    def tower():
        context = distribute.get_tower_context()
        if context.tower_id:
            return context.merge_call(lambda _: 0)
        return 0

    with strategy.scope(), pytest.raises(RuntimeError, match="All towers must call"):
        strategy.call_for_each_tower(tower)

    def fails():
        if distribute.get_tower_context().tower_id:
            raise KeyError("mine")

    with strategy.scope(), pytest.raises(KeyError, match="mine"):
        strategy.call_for_each_tower(fails)
    with strategy.scope():  # nothing is left behind
        found = strategy.call_for_each_tower(lambda: {"a": (1, [2])})
    assert found == {"a": (1, [2])}


def test_merge_call_has_the_values_of_all(graph):
    strategy = strategy_of(3)

    def tower(x):
        context = distribute.get_tower_context()
        return context.merge_call(
            lambda s, y: s.reduce(tf.VariableAggregation.SUM, y, s.worker_devices), x
        )

    with strategy.scope(), session(3) as sess:
        x = values.PerDevice({f"/cpu:{i}": tf.constant(10.0**i) for i in range(3)})
        found = strategy.unwrap(strategy.call_for_each_tower(tower, x))
        assert sess.run(found) == [111.0] * 3
        assert [t.device[-5:] for t in found] == ["CPU:0", "CPU:1", "CPU:2"]


def test_names_are_those_of_tensorflow(graph):
    strategy = strategy_of(2)

    def tower():
        with tf.name_scope("inside"):
            v = tf.get_variable("v", initializer=1.0)
            return tf.identity(v, name="value"), v

    with strategy.scope(), tf.variable_scope("outer"):
        value, v = strategy.call_for_each_tower(tower)
    assert [t.op.name for t in strategy.unwrap(value)] == [
        "outer/inside/value", "outer/tower_1/inside/value",
    ]  # fmt: skip
    assert v in tf.global_variables() and v in tf.trainable_variables()
    assert [c.op.name for c in strategy.unwrap(v)] == ["outer/v", "outer/v/replica_1"]
    assert v.get("/cpu:1") is strategy.unwrap(v)[1]
    with pytest.raises(ValueError, match="not found in"):
        v.get("/cpu:7")


@pytest.mark.parametrize(("arguments", "text"), [
    ({"devices": ["/cpu:0"], "num_gpus": 1}, "Must only specify one"),
    ({"num_gpus": 1, "num_gpus_per_worker": 1}, "cannot specify both"),
    ({"devices": ["/cpu:0", "/device:CPU:0"]}, "No duplicates"),
    ({"devices": []}, "at least one"),
    ({"devices": ["/cpu:0"], "cross_tower_ops": 3}, "CrossTowerOps"),
])  # fmt: skip
def test_bad_arguments(arguments, text):
    with pytest.raises(ValueError, match=text):
        distribute.MirroredStrategy(**arguments)
