"""Training with a parameter server and workers in processes of their own."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.graph.graph import Graph

WORKER = """
import sys
import numpy as np
import twinflow as tf
index, ports, mode, folder = int(sys.argv[1]), sys.argv[2].split(","), *sys.argv[3:]
cluster = tf.train.ClusterSpec({
    "ps": ["localhost:" + ports[0]],
    "worker": ["localhost:" + p for p in ports[1:]],
})
server = tf.train.Server(cluster, job_name="worker", task_index=index)
place = "/job:worker/task:%d" % index
with tf.device(tf.train.replica_device_setter(worker_device=place, cluster=cluster)):
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 1])
    parts = tf.fixed_size_partitioner(3) if mode == "parts" else None
    w = tf.get_variable("w", [3, 1], partitioner=parts,
                        initializer=tf.zeros_initializer(),
                        use_resource=mode == "resource")
    w = tf.convert_to_tensor(w)
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.AdamOptimizer(0.1)
    hooks = [tf.train.StopAtStepHook(last_step=80)]
    train = optimizer.minimize(loss, global_step=step)
rows = np.random.RandomState(index).randn(32, 3).astype("f")
feed = {x: rows, y: rows.dot(np.float32([[1], [2], [3]]))}
first = None
if mode == "supervisor":
    chief = tf.train.Supervisor(is_chief=index == 0, logdir=folder, global_step=step)
    with chief.managed_session(server.target) as sess:
        for _ in range(80):
            _, now = sess.run([train, loss], feed)
            first = now if first is None else first
else:
    with tf.train.MonitoredTrainingSession(
        master=server.target, is_chief=index == 0, hooks=hooks, checkpoint_dir=folder,
        save_checkpoint_secs=None, save_checkpoint_steps=40,
    ) as sess:
        while not sess.should_stop():
            _, now = sess.run([train, loss], feed)
            first = now if first is None else first
print("DONE", now < first / 2)
"""


@pytest.mark.parametrize("mode", ["resource", "parts", "supervisor"])
def test_programs_of_2018(serve, start, ports, tmp_path, mode):
    serve("ps", 0, ports[:2])
    worker = start(WORKER, 0, ",".join(map(str, ports[:2])), mode, tmp_path)
    out, err = worker.communicate(timeout=90)
    assert out.endswith("DONE True\n"), err


SYNC = """
import sys
import numpy as np
import twinflow as tf
index, ports = int(sys.argv[1]), sys.argv[2].split(",")
cluster = tf.train.ClusterSpec({
    "ps": ["localhost:" + ports[0]],
    "worker": ["localhost:" + p for p in ports[1:]],
})
server = tf.train.Server(cluster, job_name="worker", task_index=index)
place = "/job:worker/task:%d" % index
with tf.device(tf.train.replica_device_setter(worker_device=place, cluster=cluster)):
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 1])
    w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(
        tf.train.GradientDescentOptimizer(0.1), replicas_to_aggregate=2,
        total_num_replicas=2)
    train = optimizer.minimize(loss, global_step=step)
    hooks = [optimizer.make_session_run_hook(index == 0),
             tf.train.StopAtStepHook(last_step=12)]
rows = np.random.RandomState(0).randn(32, 3).astype("f")
feed = {x: rows, y: rows.dot(np.float32([[1], [2], [3]]))}
found = {}
with tf.train.MonitoredTrainingSession(
    master=server.target, is_chief=index == 0, hooks=hooks,
    stop_grace_period_secs=1,  # the queue runner waits for gradients
) as sess:
    while not sess.should_stop():
        _, value, number = sess.run([train, loss, step], feed)
        found.setdefault(round(float(value), 4), number)
print(*found)
"""


def test_gradients_in_step(serve, start, ports):
    """Two gradients make one step; here one worker gives both, by its tokens."""
    serve("ps", 0, ports[:2])
    worker = start(SYNC, 0, ",".join(map(str, ports[:2])))
    rows = np.random.RandomState(0).randn(32, 3).astype("f")
    y, w, losses = rows @ np.float32([[1], [2], [3]]), np.zeros([3, 1], "f"), []
    for _ in range(12):
        away = rows @ w - y
        losses.append(float(np.mean(away**2)))
        w -= 0.1 * 2 * rows.T @ away / 32
    out, err = worker.communicate(timeout=60)
    found = [float(v) for v in out.split()]
    assert len(found) >= 12, err
    np.testing.assert_allclose(found[:12], losses, rtol=1e-3, atol=1e-3)


def test_a_lost_task_is_named_and_found_again(serve, ports):
    ps = serve("ps", 0, ports[:2])
    cluster = {"ps": [f"localhost:{ports[0]}"], "worker": [f"localhost:{ports[1]}"]}
    server = tf.train.Server(cluster, job_name="worker", task_index=0)
    with Graph().as_default():
        with tf.device("/job:ps/task:0"):
            v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        with tf.device("/job:worker/task:0"):
            twice = v * 2.0
        sess = tf.Session(server.target)
        sess.run(v.initializer)
        assert sess.run(twice) == 2
        names = [d.name for d in sess.list_devices()]
        assert names[0].startswith("/job:worker/") and names[1].startswith("/job:ps/")
        ps.kill()
        ps.wait(30)
        lost = (tf.errors.UnavailableError, tf.errors.AbortedError)
        with pytest.raises(lost, match="/job:ps/replica:0/task:0"):
            sess.run(twice)
        serve("ps", 0, ports[:2])
        with pytest.raises(lost, match="/job:ps/replica:0/task:0"):
            for _ in range(100):
                sess.run(twice)
        sess.close()
        with tf.Session(server.target) as again:
            with pytest.raises(tf.errors.FailedPreconditionError, match="value v"):
                again.run(twice)
            again.run(v.initializer)
            assert again.run(twice) == 2
