"""SyncReplicasOptimizer with two workers, each a process of its own."""

import numpy as np

import twinflow as tf
from twinflow.graph.graph import Graph

REPLICA = """
import sys, time
import numpy as np
import twinflow as tf
index, ports, aggregated, total = sys.argv[1], sys.argv[2].split(","), *sys.argv[3:]
index, aggregated, total = int(index), int(aggregated), int(total)
cluster = {"ps": ["localhost:" + ports[0]],
           "worker": ["localhost:" + p for p in ports[1:]]}
server = tf.train.Server(cluster, job_name="worker", task_index=index)
tf.train.SessionManager.__init__.__defaults__ = (None, None, None, None, 0.1, None)
place = "/job:worker/task:%d" % index
with tf.device(tf.train.replica_device_setter(worker_device=place, cluster=cluster)):
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 1])
    w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
    rows = tf.get_variable("rows", [4, 3], initializer=tf.ones_initializer())
    given = x * tf.gather(rows, [index])
    loss = tf.reduce_mean(tf.square(tf.matmul(given, w) - y))
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(
        tf.train.MomentumOptimizer(0.05, 0.9), aggregated, total)
    train = optimizer.minimize(loss, global_step=step)
    hooks = [optimizer.make_session_run_hook(index == 0, num_tokens=0),
             tf.train.StopAtStepHook(last_step=15)]
seen = np.random.RandomState(index).randn(32, 3).astype("f")
feed = {x: seen, y: seen.dot(np.float32([[1], [2], [3]]))}
runs = 0
with tf.train.MonitoredTrainingSession(
    master=server.target, is_chief=index == 0, hooks=hooks, stop_grace_period_secs=1,
    config=tf.ConfigProto(device_filters=["/job:ps", place]),
) as sess:
    while not sess.should_stop():
        time.sleep(0.02)  # so that both wait for a token before either gets one
        sess.run(train, feed)
        runs += 1
print(runs)
"""


def replicas(serve, start, ports, aggregated, total=2):
    """(the last step, its weights, how often each of two workers ran)"""
    serve("ps", 0, ports)
    text = ",".join(map(str, ports))
    workers = [start(REPLICA, i, text, aggregated, total) for i in range(2)]
    runs = []
    for worker in workers:
        out, err = worker.communicate(timeout=90)
        assert out.strip().isdecimal(), err
        runs.append(int(out))
    alone = tf.ConfigProto(device_filters=["/job:ps"])
    with Graph().as_default():
        shapes = [("w", [3, 1]), ("rows", [4, 3]), ("global_step", [])]
        found = [
            tf.get_variable(name, shape, tf.int64 if not shape else tf.float32)
            for name, shape in shapes
        ]
        with tf.Session(f"grpc://localhost:{ports[0]}", config=alone) as sess:
            w, rows, step = sess.run(found)
    return int(step), np.concatenate([w.ravel(), rows.ravel()]), runs


def expected(steps=15):
    """What one worker finds after each step, with the batches of both."""
    weights = []
    with Graph().as_default(), tf.Session() as sess:
        w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
        rows = tf.get_variable("rows", [4, 3], initializer=tf.ones_initializer())
        losses = []
        for index in range(2):
            x = np.random.RandomState(index).randn(32, 3).astype("f")
            y = x.dot(np.float32([[1], [2], [3]]))
            given = x * tf.gather(rows, [index])
            losses.append(tf.reduce_mean(tf.square(tf.matmul(given, w) - y)))
        (of_w,) = tf.gradients((losses[0] + losses[1]) / 2, [w])
        (of_rows,) = tf.gradients(losses, [rows])  # the mean of those that have a row
        train = tf.train.MomentumOptimizer(0.05, 0.9).apply_gradients(
            [(of_w, w), (of_rows, rows)]
        )
        sess.run(tf.global_variables_initializer())
        for _ in range(steps + 1):
            weights.append(np.concatenate([v.ravel() for v in sess.run([w, rows])]))
            sess.run(train)
    return weights


def test_two_workers_have_the_numbers_of_one(serve, start, ports):
    """Each takes part in each step once: there is one token for each."""
    step, weights, runs = replicas(serve, start, ports, 2)
    assert step in (15, 16)
    np.testing.assert_allclose(weights, expected()[step], rtol=1e-4, atol=1e-5)
    assert all(abs(r - step) <= 1 for r in runs)


def test_a_worker_to_spare(serve, start, ports):
    """One gradient makes a step; those of the slower worker are stale, and dropped."""
    step, weights, runs = replicas(serve, start, ports, 1)
    assert 15 <= step <= sum(runs)
    assert np.isfinite(weights).all()
    assert not np.allclose(weights, expected()[15], rtol=1e-2)


def test_a_stale_gradient_is_dropped():
    with Graph().as_default(), tf.Session() as sess:
        w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
        step = tf.train.get_or_create_global_step()
        optimizer = tf.train.SyncReplicasOptimizer(
            tf.train.GradientDescentOptimizer(1.0), 2, total_num_replicas=3
        )
        optimizer.apply_gradients([(tf.constant([2.0, 4.0]), w)], step)
        put = next(n for n in tf.get_default_graph().get_operations()
                   if n.type == "AccumulatorApplyGradient")  # fmt: skip
        (update,) = optimizer.get_chief_queue_runner().enqueue_ops
        sess.run(tf.global_variables_initializer())
        sess.run([optimizer.chief_init_op, step.assign(3)])
        sess.run(optimizer._local_step.assign(3))
        accumulator = optimizer._accumulator_list[0][0]
        sess.run(accumulator.set_global_step(3))
        sess.run(put)
        sess.run(optimizer._local_step.assign(2))
        sess.run(put)
        assert sess.run(accumulator.num_accumulated()) == 1
        sess.run(optimizer._local_step.assign(4))
        sess.run(put)
        sess.run(update)
        assert sess.run(step) == 4
        assert sess.run(w).tolist() == [-2.0, -4.0]
        assert sess.run(optimizer._sync_token_queue.size()) == 3
