"""Optimizers of tf.contrib.opt for the workers of a cluster, all in one process."""

import threading

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
