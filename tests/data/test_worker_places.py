"""Each worker of a cluster saves its own place in the data, and goes on from there."""

import os
import signal
import subprocess
import sys

import pytest

import twinflow as tf

WORK = """
import os, signal, sys, types
import twinflow as tf

folder, data, task, kill_at, steps = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
X = tf.data.experimental
config = types.SimpleNamespace(
    num_worker_replicas=2, task_type="worker" if task else "chief",
    task_id=max(task - 1, 0), save_checkpoints_secs=None, save_checkpoints_steps=4)
read = lambda path: tf.data.TFRecordDataset(path)
d = tf.data.Dataset.list_files(data + "/*", shuffle=False).shard(2, task)
d = d.apply(X.parallel_interleave(read, 2, block_length=2)).shuffle(5, seed=3)
d = d.map(lambda r: tf.string_to_number(r, tf.int64), num_parallel_calls=2)
d = d.map(lambda n: n + 1000, num_parallel_calls=1, workers="process")
batch = d.repeat().batch(3).prefetch(2).make_one_shot_iterator().get_next()
step = tf.train.get_or_create_global_step()
more = tf.assign_add(step, 1)
hook = X.CheckpointInputPipelineHook(
    types.SimpleNamespace(config=config, model_dir=folder))
hooks = [hook]
if not task:
    hooks.append(tf.train.CheckpointSaverHook(folder, save_steps=4))
with tf.train.SingularMonitoredSession(hooks, checkpoint_dir=folder) as session:
    n = session.raw_session().run(step)
    while n < steps:
        values, n = session.run([batch, more])
        print("batch", n, *values, flush=True)
        if n == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
"""


def start(*args):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", WORK, *map(str, args)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    )


def batches(process, killed):
    """{step: batch} of a worker that has ended."""
    out, err = process.communicate(timeout=120)
    wanted = -signal.SIGKILL if killed else 0
    assert process.returncode == wanted, err
    lines = [x.split() for x in out.splitlines() if x.startswith("batch")]
    return {int(x[1]): list(map(int, x[2:])) for x in lines}


@pytest.mark.slow
def test_workers_that_were_killed_go_on_with_their_next_batches(tmp_path):
    data, model = tmp_path / "data", tmp_path / "model"
    data.mkdir()
    for f in range(6):
        with tf.python_io.TFRecordWriter(str(data / str(f))) as writer:
            for r in range(5):
                writer.write(b"%d" % (10 * f + r))
    whole = [start(tmp_path / f"whole{i}", data, i, -1, 14) for i in range(2)]
    expected = [batches(p, False) for p in whole]
    first = [start(model, data, i, 10, 14) for i in range(2)]
    for i, process in enumerate(first):
        assert batches(process, True) == {n: expected[i][n] for n in range(1, 11)}
    names = set(os.listdir(model))
    assert {"checkpoint_input_chief_0", "checkpoint_input_worker_0"} <= names
    second = [start(model, data, i, -1, 14) for i in range(2)]
    for i, process in enumerate(second):
        found = batches(process, False)
        assert set(found) >= {13, 14}
        assert found == {n: expected[i][n] for n in found}
    files = [{value // 10 for v in e.values() for value in v} for e in expected]
    assert not files[0] & files[1]  # what one reads the other does not
