"""Slots, moving averages and decays where golden programs do not reach."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.compat.door import decays
from twinflow.losses.weights import broadcast_weights
from twinflow.train import slot_creator
from twinflow.train.moving_averages import (
    assign_moving_average,
    weighted_moving_average,
)


def started(sess):
    sess.run(tf.global_variables_initializer())
    return sess


# ------------------------------------------------------------------ slots
def test_slots_of_variables_and_tensors(graph):
    v = tf.Variable([1.0, 2.5], name="var")
    t = tf.constant([1.0, 2.5], name="const")
    slots = [
        slot_creator.create_slot(v, v.initialized_value(), name="slot"),
        slot_creator.create_zeros_slot(v, name="zeros", dtype=tf.float64),
        slot_creator.create_slot(t, t * 2, name="slot"),
        slot_creator.create_slot_with_initializer(
            v, tf.constant_initializer(3.0), v.shape, tf.float32, "init"
        ),
    ]
    names = ["var/slot", "var/zeros", "const/slot", "var/init"]
    assert [s.op.name for s in slots] == names
    assert tf.trainable_variables() == [v]
    with started(tf.Session()) as sess:
        found = [x.tolist() for x in sess.run(slots)]
    assert found == [[1.0, 2.5], [0.0, 0.0], [2.0, 5.0], [3.0, 3.0]]


def test_slots_of_variables_of_unknown_shape(graph):
    first = tf.placeholder_with_default([1.0, 2.0], None)
    v = tf.Variable(first, validate_shape=False, name="v")
    grad = tf.constant([0.5, 0.25])
    trains = [
        make(0.1).apply_gradients([(grad, v)])
        for make in (tf.train.AdagradOptimizer, tf.train.RMSPropOptimizer)
    ]
    with started(tf.Session()) as sess:
        sess.run(trains)
        np.testing.assert_allclose(sess.run(v), [0.88, 1.9], atol=0.02)


def test_slots_follow_the_kind_of_the_variable(graph):
    for use_resource in (False, True):
        v = tf.get_variable(f"v{use_resource:d}", [2], use_resource=use_resource)
        opt = tf.train.AdagradOptimizer(0.1)
        opt.apply_gradients([(tf.constant([0.5, 0.25]), v)])
        assert type(opt.get_slot(v, "accumulator")) is type(v)


def test_an_optimizer_serves_several_graphs():
    opt = tf.train.AdamOptimizer()
    for _ in range(2):
        with tf.Graph().as_default(), tf.Session() as sess:
            v = tf.Variable([1.0, 2.0], name="v")
            train = opt.apply_gradients([(tf.constant([0.1, 0.1]), v)])
            started(sess).run(train)
            np.testing.assert_allclose(sess.run(v), [0.999, 1.999], rtol=1e-6)
            assert len(opt.variables()) == 4


# ------------------------------------------------------------------ moving averages
@pytest.mark.parametrize("use_resource", [False, True])
def test_moving_averages_of_one_value(graph, use_resource):
    v = tf.get_variable("v", initializer=[10.0, 11.0], use_resource=use_resource)
    x = tf.placeholder(tf.float32, [2])
    unbiased = assign_moving_average(v, x, 0.25)
    plain = assign_moving_average(v, x, 0.25, zero_debias=False)
    names = ["v:0", "v/biased:0", "v/local_step:0"]
    assert [u.name for u in tf.global_variables()] == names
    with started(tf.Session()) as sess:
        np.testing.assert_allclose(sess.run(unbiased, {x: [1.0, 2.0]}), [1.0, 2.0])
        np.testing.assert_allclose(sess.run(unbiased, {x: [4.0, 2.0]}), [3.4, 2.0])
        np.testing.assert_allclose(sess.run(plain, {x: [1.0, 2.0]}), [1.6, 2.0])


def test_weighted_moving_averages(graph):
    x, w = tf.placeholder(tf.float32, [2]), tf.constant([2.0, 3.0])
    average = weighted_moving_average(x, 0.5, w)
    with started(tf.Session()) as sess:
        np.testing.assert_allclose(sess.run(average, {x: [1.0, 2.0]}), [1.0, 2.0])
        found = sess.run(average, {x: [3.0, 2.0]})
        np.testing.assert_allclose(found, [7 / 3, 2.0], rtol=1e-6)


def test_moving_averages_eagerly(eager):
    v = tf.Variable([1.0, 2.0], name="v")
    ema = tf.train.ExponentialMovingAverage(0.9)
    assert ema.apply([v]) is None
    v.assign([3.0, 4.0])
    ema.apply([v])
    np.testing.assert_allclose(ema.average(v).numpy(), [1.2, 2.2], rtol=1e-6)
    assert ema.average_name(v) == "v/ExponentialMovingAverage"


def test_averages_are_restored_into_the_variables(graph, tmp_path):
    v, w = tf.Variable(1.0, name="v"), tf.Variable(5.0, name="w", trainable=False)
    ema = tf.train.ExponentialMovingAverage(0.5)
    with tf.control_dependencies([v.assign(3.0)]):
        train = ema.apply([v])
    with started(tf.Session()) as sess:
        sess.run(train)
        path = tf.train.Saver().save(sess, str(tmp_path / "ckpt"))
        tf.train.Saver(ema.variables_to_restore()).restore(sess, path)
        assert sess.run([v, w]) == [2.0, 5.0]


# ------------------------------------------------------------------ others
def test_decays_that_are_always_functions(graph):
    step = tf.placeholder(tf.int64, [])
    rate = decays.exponential_decay(1.0, step, 1, 0.5)
    with tf.Session() as sess:
        assert sess.run(rate(), {step: 3}) == 0.125
    with pytest.raises(ValueError, match="global_step is required"):
        decays.exponential_decay(1.0, None, 1, 0.5)


def test_weights_are_made_as_large_as_the_values(eager):
    found = broadcast_weights([[1.0], [2.0]], tf.zeros([2, 3]))
    assert found.numpy().tolist() == [[1.0] * 3, [2.0] * 3]
    with pytest.raises(ValueError, match="weights can not be broadcast to values"):
        broadcast_weights([1.0, 2.0], tf.zeros([2, 3]))


def test_slots_are_beside_what_they_are_for(graph):
    with tf.device("/job:a"):
        v = tf.Variable([1.0], name="v")
    with tf.device("/job:b"):
        t = tf.add(v, 1.0)
        average = tf.train.ExponentialMovingAverage(0.5)
        average.apply([v, t])
    assert average.average(v).device == "/job:a"
    assert average.average(v).op.colocation_groups() == [b"loc:@v"]
    assert average.average(t).device == "/job:b"


def test_rows_of_indices_of_any_rank_are_updated(graph):
    v = tf.get_variable("v", [3, 2], initializer=tf.ones_initializer(), use_resource=1)
    rows = tf.nn.embedding_lookup(v, [[1, 1]])
    assert tf.gradients(rows, v)[0].indices.shape == [2]
    step = tf.train.MomentumOptimizer(0.5, 0.0).minimize(tf.reduce_sum(rows))
    with started(tf.Session()) as sess:
        sess.run(step)
        assert sess.run(v).tolist() == [[1, 1], [0, 0], [1, 1]]


def beside(graph):
    """{name of a node: what `_class` of its NodeDef says}."""
    return {
        node.name: [s.decode() for s in node.attr["_class"].list.s]
        for node in graph.as_graph_def().node
        if "_class" in node.attr
    }


@pytest.mark.parametrize("resource", [False, True])
def test_slots_and_powers_are_beside_their_variable(resource):
    with tf.Graph().as_default() as graph:
        v = tf.get_variable("v", [2], use_resource=resource)
        w = tf.get_variable("w", [3], use_resource=resource)
        loss = tf.reduce_sum(v * v) + tf.reduce_sum(w * w)
        tf.train.AdamOptimizer().minimize(loss)
    found = beside(graph)
    for slot in ("v/Adam", "v/Adam_1", "beta1_power", "beta2_power"):
        assert found[slot] == found[f"{slot}/Assign"] == ["loc:@v"]
    assert found["v/Adam/Initializer/zeros"] == ["loc:@v"]
    assert found["w/Adam"] == ["loc:@w"] and found["v"] == ["loc:@v"]
    for update in ("mul", "Assign", "mul_1", "Assign_1"):
        assert found[f"Adam/{update}"] == ["loc:@v"]


_BEFORE = {
    "Adam": lambda loss, v: tf.train.AdamOptimizer(0.1).minimize(loss),
    "Ftrl": lambda loss, v: tf.train.FtrlOptimizer(0.1).minimize(loss),
    "AdagradDA": lambda loss, v: tf.train.AdagradDAOptimizer(
        0.1, tf.train.get_or_create_global_step()
    ).minimize(loss),
    "Keras": lambda loss, v: tf.keras.optimizers.Adam(0.1).get_updates(loss, [v]),
    "average": lambda loss, v: tf.train.ExponentialMovingAverage(
        0.5, zero_debias=True
    ).apply([loss, v]),
}


@pytest.mark.parametrize("make", _BEFORE.values(), ids=_BEFORE)
def test_initializers_do_not_run_what_the_update_waits_for(graph, make):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    count = tf.get_variable("count", initializer=0, trainable=False)
    loss = tf.reduce_sum(v * v)
    with tf.control_dependencies([count.assign_add(1)]):
        make(loss, v)
    with tf.Session() as sess:
        sess.run(count.initializer)
        sess.run([x.initializer for x in tf.global_variables() if x is not count])
        assert sess.run(count) == 0
