"""What programs of several tasks use: two parameter servers in other processes."""

import threading
import time

import numpy as np
import pytest

import twinflow as tf
from tests.remote.conftest import starting
from twinflow.execute.servers import free_ports
from twinflow.graph.graph import Graph


@pytest.fixture(scope="module")
def cluster():
    """The ClusterSpec and the target of a worker in this process; two ps elsewhere."""
    ports = free_ports(3)
    spec = {
        "ps": [f"localhost:{p}" for p in ports[:2]],
        "worker": [f"localhost:{ports[2]}"],
    }
    text = (
        "import sys, twinflow as tf\n"
        f"s = tf.train.Server({spec!r}, job_name='ps', task_index=int(sys.argv[1]))\n"
        "print('READY')\nsys.stdout.flush()\ns.join()"
    )
    with starting() as start:
        for process in [start(text, 0), start(text, 1)]:
            assert process.stdout.readline() == "READY\n"
        server = tf.train.Server(spec, job_name="worker", task_index=0)
        yield tf.train.ClusterSpec(spec), server.target


def test_variables_in_parts_on_several_servers(cluster):
    spec, target = cluster
    greedy = tf.contrib.training.GreedyLoadBalancingStrategy(
        2, tf.contrib.training.byte_size_load_fn
    )
    setter = tf.train.replica_device_setter(cluster=spec, ps_strategy=greedy)
    ids = np.array([[0, 9, 3], [5, 5, 2]])
    with Graph().as_default(), tf.Session(target) as sess:
        with tf.device(setter):
            table = tf.get_variable(
                "table",
                [10, 4],
                initializer=tf.random_normal_initializer(seed=3),
                partitioner=tf.min_max_variable_partitioner(2, min_slice_size=64),
            )
            fixed = tf.get_variable(
                "fixed",
                [5],
                initializer=tf.ones_initializer(),
                partitioner=tf.fixed_size_partitioner(3),
            )
            found = tf.nn.embedding_lookup(table, ids, partition_strategy="div")
            loss = tf.reduce_sum(found * found) + tf.reduce_sum(fixed)
            train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        places = [v.device for v in tf.global_variables()]
        assert len(places) == 5
        assert set(places) == {"/job:ps/task:0", "/job:ps/task:1"}
        sess.run(tf.global_variables_initializer())
        rows = sess.run(tf.convert_to_tensor(table))
        np.testing.assert_array_equal(sess.run(found), rows[ids])
        sess.run(train)
        expected = rows.copy()
        np.subtract.at(expected, ids.ravel(), 0.2 * rows[ids.ravel()])
        np.testing.assert_allclose(
            sess.run(tf.convert_to_tensor(table)), expected, rtol=1e-5, atol=1e-6
        )
        assert sess.run(tf.convert_to_tensor(fixed)).tolist() == [np.float32(0.9)] * 5


def test_towers_of_one_graph(cluster):
    """In-graph replication: one client, its towers with two tasks."""
    _, target = cluster
    x = np.arange(8.0, dtype="f").reshape(8, 1)
    with Graph().as_default(), tf.Session(target) as sess:
        with tf.device("/job:ps/task:0"):
            w = tf.get_variable("w", [1, 1], initializer=tf.ones_initializer())
        losses = []
        for i in range(2):
            with tf.device(f"/job:ps/task:{i}"):
                part = tf.constant(x[4 * i : 4 * i + 4])
                losses.append(tf.reduce_mean(tf.square(tf.matmul(part, w) - 3 * part)))
        with tf.device("/job:worker/task:0"):
            loss = tf.add_n(losses) / 2
        train = tf.train.GradientDescentOptimizer(0.01).minimize(
            loss, colocate_gradients_with_ops=True
        )
        sess.run(tf.global_variables_initializer())
        value, expected = 1.0, []
        for _ in range(5):
            expected.append(np.mean((x * (value - 3)) ** 2))
            value -= 0.01 * 2 * np.mean(x * x) * (value - 3)
        found = [sess.run([loss, train])[0] for _ in range(5)]
        np.testing.assert_allclose(found, expected, rtol=1e-4)


def test_queues_of_a_server_let_sessions_meet(cluster):
    """A barrier: who comes puts in a token, and takes as many as there are others."""
    _, target = cluster
    with Graph().as_default():
        with tf.device("/job:ps/task:1"):
            queues = [
                tf.FIFOQueue(3, tf.int32, [()], shared_name=f"done{i}")
                for i in range(2)
            ]
            come = [q.enqueue(7) for q in queues]
            wait = [q.dequeue() for q in queues]
        order, sessions = [], [tf.Session(target) for _ in range(2)]

        def meet(i):
            sessions[i].run(come[1 - i])
            order.append(f"{i} came")
            assert sessions[i].run(wait[i]) == 7
            order.append(f"{i} left")

        threads = [threading.Thread(target=meet, args=[i]) for i in range(2)]
        threads[0].start()
        end = time.monotonic() + 60
        while not order and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(0.2)
        assert order == ["0 came"]
        threads[1].start()
        for thread in threads:
            thread.join(60)
        assert sorted(order) == ["0 came", "0 left", "1 came", "1 left"]
        for session in sessions:
            session.close()


def test_limits_and_metadata_of_runs(cluster):
    _, target = cluster
    with Graph().as_default():
        with tf.device("/job:ps/task:0"):
            empty = tf.FIFOQueue(1, tf.float32, [()], shared_name="empty").dequeue()
            v = tf.get_variable("v", initializer=2.0)
        with tf.device("/job:worker/task:0"):
            twice = v * 2
        with tf.Session(target) as sess:
            sess.run(v.initializer)
            metadata = tf.RunMetadata()
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
            assert sess.run(twice, None, options, metadata) == 4
            devices = {d.device for d in metadata.step_stats.dev_stats}
            assert devices >= {
                "/job:ps/replica:0/task:0/device:CPU:0",
                "/job:worker/replica:0/task:0/device:CPU:0",
            }
            start = time.monotonic()
            with pytest.raises(tf.errors.DeadlineExceededError):
                sess.run(empty, options=tf.RunOptions(timeout_in_ms=200))
            assert sess.run(twice) == 4
        short = tf.ConfigProto(operation_timeout_in_ms=300)
        late = pytest.raises(tf.errors.DeadlineExceededError)
        with tf.Session(target, config=short) as sess, late:
            sess.run(empty)
        assert time.monotonic() - start < 60


def test_a_partial_run_of_several_tasks(cluster):
    _, target = cluster
    with Graph().as_default(), tf.Session(target) as sess:
        x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        with tf.device("/job:ps/task:0"):
            count = tf.get_variable("count", initializer=0.0)
            twice = tf.assign_add(count, 1.0) * 0 + x * 2
        with tf.device("/job:ps/task:1"):
            there = twice + 1
        with tf.device("/job:worker/task:0"):
            total = there * y + twice
        with tf.device("/job:ps/task:0"):
            last = tf.assign_add(count, total)
        sess.run(count.initializer)
        handle = sess.partial_run_setup([twice, there, total, last.op], [x, y])
        assert sess.partial_run(handle, twice, {x: 3.0}) == 6
        assert sess.run(count) == 1
        assert sess.partial_run(handle, there) == 7
        with pytest.raises(tf.errors.InvalidArgumentError, match="so far"):
            sess.partial_run(handle, total)
        assert sess.partial_run(handle, [total, last.op], {y: 2.0}) == [20, None]
        assert sess.run(count) == 21


def test_a_local_cluster():
    """tf.test.create_local_cluster: all tasks in this process."""
    workers, servers = tf.test.create_local_cluster(2, 2)
    with Graph().as_default():
        for i in range(2):
            with tf.device(f"/job:ps/task:{i}"):
                tf.get_variable(f"v{i}", initializer=1.0 + i)
        total = tf.add_n(tf.global_variables())
        with tf.Session(workers[0].target) as sess:
            sess.run(tf.global_variables_initializer())
        with tf.Session(workers[1].target) as sess:
            assert sess.run(total) == 3
        with tf.Session(servers[1].target) as sess:
            assert sess.run(total) == 3
