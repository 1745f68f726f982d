"""Workers of one cluster, in one process: gradients together, and who starts whom."""

import threading
import time

import numpy as np
import pytest

import twinflow as tf
from twinflow.graph.graph import Graph
from twinflow.train import distribute_coordinator, multi_worker
from twinflow.train.current_worker import get_current_worker_context


def _worker(index, servers, aggregate, total):
    """(session, train op, variables, global step) of a worker of a graph of its own."""
    with Graph().as_default():
        with tf.device("/job:ps/task:0"):
            step = tf.Variable(0, name="global_step", trainable=False)
            dense = tf.Variable(1.0, name="dense")
            rows = tf.Variable([[3.0], [4.0]], name="rows")
        with tf.device(f"/job:worker/task:{index}"):
            grads = [
                tf.constant(0.1 + 0.2 * index),
                tf.IndexedSlices([[1.0 + index]], [1], [2, 1]),
            ]
            sgd = tf.train.GradientDescentOptimizer(2.0)
            opt = tf.train.SyncReplicasOptimizer(sgd, aggregate, total)
            train = opt.apply_gradients(zip(grads, (dense, rows)), step)
            hook = opt.make_session_run_hook(index == 0, num_tokens=total)
        session = tf.train.MonitoredTrainingSession(
            servers[index].target, is_chief=index == 0, hooks=[hook],
            stop_grace_period_secs=0.01,
        )  # fmt: skip
    return session, train, (dense, rows), step


# The thread of the chief waits for gradients until its session is closed.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_workers_update_with_the_mean_of_their_gradients():
    servers, _ = tf.test.create_local_cluster(num_workers=2, num_ps=1)
    workers = [_worker(i, servers, aggregate=2, total=2) for i in range(2)]
    session, _, variables, step = workers[1]
    for expected in (1, 1, 2):  # the gradients of the second time are too old
        threads = [threading.Thread(target=w[0].run, args=w[1:2]) for w in workers]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        while session.run(step) < expected:
            time.sleep(0.001)
    dense, rows = session.run(variables)
    np.testing.assert_allclose(dense, 1 - 2 * 2 * 0.2, rtol=1e-6)
    np.testing.assert_allclose(rows, [[3.0], [4.0 - 2 * 2 * 1.5]], rtol=1e-6)
    for worker in workers[::-1]:
        worker[0].close()
    for thread in threading.enumerate():
        if thread.name.startswith("QueueRunnerThread"):
            thread.join()


def test_what_synchronous_updates_need():
    with Graph().as_default():
        v, step = tf.Variable([1.0]), tf.train.create_global_step()
        sgd = tf.train.GradientDescentOptimizer(1.0)
        opt = tf.train.SyncReplicasOptimizer(sgd, 5, 3)
        hook = opt.make_session_run_hook(is_chief=True)
        for call, text in (
            (opt.get_chief_queue_runner, "Should be called after apply_grad"),
            (opt.get_init_tokens_op, "should be called after apply_gradients"),
            (hook.begin, "apply_gradient should be called before"),
            (lambda: opt.apply_gradients([]), "Must supply at least one variable"),
            (lambda: opt.apply_gradients([(v, v)]), "Global step is required"),
            (lambda: opt.apply_gradients([(3, v)], step), "Unknown grad type"),
        ):
            with pytest.raises(ValueError, match=text):
                call()
        opt.minimize(v, step)
        with pytest.raises(ValueError, match=r"1 \(given\) vs 2 \(needed\)"):
            opt.get_init_tokens_op(1)


def test_a_worker_waits_for_the_chief():
    server = tf.train.Server.create_local_server()
    with Graph().as_default():
        v = tf.Variable(3.0, name="v")
        manager = tf.train.SessionManager(
            ready_op=tf.report_uninitialized_variables(), recovery_wait_secs=0.01
        )
        with pytest.raises(tf.errors.DeadlineExceededError, match="was not ready"):
            manager.wait_for_session(server.target, max_wait_secs=0.02)
        started = threading.Timer(0.05, tf.Session(server.target).run, [v.initializer])
        started.start()
        assert manager.wait_for_session(server.target).run(v) == 3
        started.join()


def test_a_lost_session_is_made_anew():
    server = tf.train.Server.create_local_server()
    with Graph().as_default():
        count = tf.assign_add(tf.train.get_or_create_global_step(), 1)
        with tf.train.MonitoredTrainingSession(server.target) as session:
            assert [session.run(count), session.run(count)] == [1, 2]
            tf.Session.reset(server.target)
            assert session.run(count) == 1
        worker = tf.train.MonitoredTrainingSession(server.target, is_chief=False)
        with worker as session:
            assert session.run(count) == 2


class Strategy:
    """What the coordinator asks of a strategy."""

    def __init__(self, between_graph):
        self.between_graph = between_graph

    def configure(self, session_config, cluster_spec=None, task_type=None, task_id=0):
        self.should_init = not task_id
        self.should_checkpoint = self.should_save_summary = not task_id


@pytest.mark.parametrize("between_graph", [False, True])
def test_a_function_of_each_worker(between_graph):
    servers, others = tf.test.create_local_cluster(num_workers=2, num_ps=1)
    cluster = tf.train.ClusterSpec({
        job: [s.target.decode().removeprefix("grpc://") for s in found]
        for job, found in (("worker", servers), ("ps", others))
    })  # fmt: skip
    totals, chief_is_ready = [], threading.Event()

    def work(strategy):
        context = get_current_worker_context()
        assert context.is_chief is strategy.should_init
        with Graph().as_default():
            with tf.device("/job:ps"):
                x = tf.Variable(10.0, name="x")
            add = x.assign_add(1.0, use_locking=True)
            if not context.is_chief:  # or it would look again after 30 seconds
                chief_is_ready.wait()
            with tf.train.MonitoredSession(context.session_creator()) as session:
                chief_is_ready.set()
                if context.has_barrier:
                    context.wait_for_other_workers()
                session.run(add)
                if context.has_barrier:
                    context.wait_for_other_workers()
                totals.append(session.run(x))

    distribute_coordinator.run_distribute_coordinator(
        work, Strategy(between_graph), cluster_spec=cluster
    )
    assert totals == ([12, 12] if between_graph else [11])
    assert get_current_worker_context() is None


def test_the_chief_of_a_cluster():
    jobs = {"worker": ["a:1", "b:1"], "ps": ["c:1"]}
    chiefs = [multi_worker.is_chief(jobs, *task) for task in _tasks(jobs)]
    assert chiefs == [True, False, False]
    jobs["chief"] = ["d:1"]
    chiefs = [multi_worker.is_chief(jobs, *task) for task in _tasks(jobs)]
    assert chiefs == [False, False, False, True]
    with pytest.raises(ValueError, match="is not in the `cluster_spec`"):
        multi_worker.is_chief(jobs, "evaluator", 0)
    with pytest.raises(ValueError, match="exceeds the maximum id of ps"):
        multi_worker.is_chief(jobs, "ps", 1)


def _tasks(jobs):
    return [(job, i) for job, found in jobs.items() for i in range(len(found))]
