"""One task of a training with a parameter server, as its processes run it.

The module of TensorFlow, the job, the index, the ports of ps and workers, the way of
training, the folder of checkpoints and the last step are its arguments.
"""

import importlib
import sys
import time

import numpy as np

WAYS = {"async": None, "sync": 2, "backup": 1}  # gradients that make an update


def main(name, job, index, ports, way, folder, last):
    """Run one task until the training ends, or for ever for that of a ps."""
    tf = importlib.import_module(name)
    tf.logging.set_verbosity(tf.logging.INFO)
    ps, *workers = [f"localhost:{p}" for p in ports.split(",")]
    cluster = tf.train.ClusterSpec({"ps": [ps], "worker": workers})
    server = tf.train.Server(cluster, job_name=job, task_index=int(index))
    print("READY", flush=True)
    if job == "ps":
        server.join()
    defaults = tf.train.SessionManager.__init__.__defaults__
    changed = tuple(0.3 if d == 30 else d for d in defaults)
    tf.train.SessionManager.__init__.__defaults__ = changed  # seconds between looks
    place = f"/job:worker/task:{index}"
    setter = tf.train.replica_device_setter(worker_device=place, cluster=cluster)
    with tf.device(setter):
        train(tf, server.target, int(index), WAYS[way], folder, int(last))


def train(tf, target, index, aggregated, folder, last):
    """Find w of y = x w by gradients of a batch of this worker."""
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.placeholder(tf.float32, [None, 1])
    w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.GradientDescentOptimizer(0.05)
    hooks = [tf.train.StopAtStepHook(last_step=last)]
    if aggregated:
        optimizer = tf.train.SyncReplicasOptimizer(
            optimizer, replicas_to_aggregate=aggregated, total_num_replicas=2
        )
    update = optimizer.minimize(loss, global_step=step)
    if aggregated:
        hooks.append(optimizer.make_session_run_hook(index == 0))
    rows = np.random.RandomState(index).randn(32, 3).astype("f")
    feed = {x: rows, y: rows.dot(np.float32([[1], [2], [3]]))}
    now = weights = None
    filters = ["/job:ps", f"/job:worker/task:{index}"]
    with tf.train.MonitoredTrainingSession(
        master=target, is_chief=index == 0, hooks=hooks, checkpoint_dir=folder,
        save_checkpoint_secs=None, save_checkpoint_steps=20, max_wait_secs=20,
        stop_grace_period_secs=1, log_step_count_steps=None, save_summaries_steps=None,
        config=tf.ConfigProto(
            device_filters=filters, operation_timeout_in_ms=15000
        ),
    ) as sess:  # fmt: skip
        while not sess.should_stop():
            _, now, weights = sess.run([update, step, w], feed)
            time.sleep(0.005)
    found = None if weights is None else np.round(weights.ravel(), 1).tolist()
    print("DONE", now, found, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
