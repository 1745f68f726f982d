"""Optimizers of tf.contrib.opt for the workers of a cluster, all in one process."""

import threading

import numpy as np
import pytest

import twinflow as tf
from twinflow.graph.graph import Graph


@pytest.mark.parametrize(
    ("staleness", "expected", "dropped"), [(0, -2.0, 1.0), (1, -7.0, 0.0)]
)
def test_gradients_that_are_too_old_are_dropped(staleness, expected, dropped):
    with Graph().as_default():
        v, step = tf.Variable(0.0), tf.train.create_global_step()
        sgd = tf.train.GradientDescentOptimizer(1.0)
        opt = tf.contrib.opt.DropStaleGradientOptimizer(sgd, staleness)
        pairs = opt.compute_gradients(v * 5.0)
        with tf.control_dependencies([opt._local_step]):
            other = sgd.minimize(v * 2.0, global_step=step)
        with tf.control_dependencies([other]):
            late = opt.apply_gradients(pairs, step)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            assert sess.run(late) == dropped
            assert sess.run(v) == expected


def _worker(index, servers):
    place = f"/job:worker/task:{index}"
    getter = tf.contrib.opt.ModelAverageCustomGetter(place)
    with Graph().as_default():
        with tf.device("/job:ps/task:0"):
            step = tf.train.create_global_step()
            with tf.variable_scope("", custom_getter=getter):
                v = tf.get_variable("v", initializer=1.0)
        with tf.device(place):
            sgd = tf.train.GradientDescentOptimizer(1.0)
            opt = tf.contrib.opt.ModelAverageOptimizer(sgd, 2, index == 0, getter, 2)
            train = opt.apply_gradients([(tf.constant(-1.0 - index), v)], step)
        hook = opt.make_session_run_hook()
        session = tf.train.MonitoredTrainingSession(servers[index].target, hooks=[hook])
    return session, train, (v, getter._local_2_global[v], step)


def test_workers_take_the_mean_of_their_variables():
    servers, _ = tf.test.create_local_cluster(num_workers=2, num_ps=1)
    workers = [_worker(i, servers) for i in range(2)]
    for session, train, _ in workers:
        session.run(train)
    found = [session.run(values) for session, _, values in workers]
    assert found == [(2.0, 1.0, 0), (3.0, 1.0, 0)]
    threads = [threading.Thread(target=w[0].run, args=w[1:2]) for w in workers]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    found = [session.run(values) for session, _, values in workers]
    assert found == [(4.0, 4.0, 1)] * 2
    for session, _, _ in workers:
        session.close()


def test_what_means_need():
    with Graph().as_default():
        getter = tf.contrib.opt.ModelAverageCustomGetter("")
        sgd = tf.train.GradientDescentOptimizer(1.0)
        opt = tf.contrib.opt.ModelAverageOptimizer(sgd, 1, True, getter)
        with pytest.raises(ValueError, match="Must supply at least one variable"):
            opt.apply_gradients([])
        with pytest.raises(ValueError, match="Global step is required"):
            opt.apply_gradients([(1.0, tf.Variable(1.0))])


def centered(kind, **options):
    """A worker's variables after each step, as TensorFlow 1.12 prints them."""
    opt = tf.contrib.opt
    getter = getattr(opt, f"{kind}CustomGetter")("/job:localhost/task:0")
    with tf.Graph().as_default():
        step = tf.train.create_global_step()
        with tf.variable_scope("", custom_getter=getter):
            v = tf.get_variable("v", initializer=1.0)
            w = tf.get_variable("w", initializer=[2.0, 3.0])
        optimizer = getattr(opt, f"{kind}Optimizer")(
            tf.train.GradientDescentOptimizer(0.5), 1, getter, **options
        )
        train = optimizer.minimize(v * 2 + tf.reduce_sum(w * w), step)
        center = getter._global_map[v]
        hook = optimizer.make_session_run_hook(True, 0)
        if kind == "ElasticAverage":
            assert sorted(optimizer.swapping_saver()._var_list) == ["v", "w"]
        with tf.train.MonitoredTrainingSession(hooks=[hook]) as session:
            rows = []
            for _ in range(4):
                session.run(train)
                a, b, c, d = session.run([v, w, center, step])
                rows.append([a, *b, c, d])
    return np.array(rows)


CENTERED = {
    "AGN": ({}, [
        [0, 0, 0, 1, 0], [0, 1, 1.5, 0, 1], [-1, 0, 0, 0, 1], [-1, 0.5, 0.75, -1, 2],
    ]),
    "ElasticAverage": ({"moving_rate": 0.25}, [
        [0, 0, 0, 1, 0], [-0.3125, 0.875, 1.3125, 0.5625, 1],
        [-0.9844, 0.2812, 0.4219, 0.5625, 1], [-0.9756, 0.7285, 1.0928, 0.0498, 2],
    ]),
}  # fmt: skip


@pytest.mark.parametrize("kind", CENTERED)
def test_centers(kind):
    options, expected = CENTERED[kind]
    found = centered(kind, communication_period=2, **options)
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_workers_meet():
    options = {"moving_rate": 0.25, "synchronous": True}
    found = centered("ElasticAverage", communication_period=2, **options)
    expected = CENTERED["ElasticAverage"][1]
    np.testing.assert_allclose(found, expected, atol=1e-4)
