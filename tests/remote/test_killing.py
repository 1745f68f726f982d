"""Tasks that are killed while they train; `tests.remote.killing` does more of it."""

import contextlib
import threading
import time

import pytest

import twinflow as tf
from tests.remote.killing import CHIEF, PS, WORKER, Training
from twinflow.graph.graph import Graph


@pytest.mark.parametrize(("way", "task"), [("sync", PS), ("backup", CHIEF)])
def test_a_task_that_is_killed_and_started_again(tmp_path, way, task):
    with contextlib.closing(Training(way, tmp_path, last=120)) as training:
        training.start(PS, CHIEF, WORKER)
        assert training.wait(120, lambda: training.seen >= 20)
        training.kill(task)
        training.start(task)
        assert training.wait(120), "a task hangs"
        assert training.right(), training.ended
        assert training.faults() == []
        assert training.saved() >= 120


def test_a_part_that_waits_is_called_off_when_another_is_lost(serve, ports):
    """The queue here gets nothing any more, once the other task is gone."""
    ps = serve("ps", 0, ports[:2])
    cluster = {"ps": [f"localhost:{ports[0]}"], "worker": [f"localhost:{ports[1]}"]}
    server = tf.train.Server(cluster, job_name="worker", task_index=0)
    caught = []
    with Graph().as_default(), tf.Session(server.target) as sess:
        with tf.device("/job:worker/task:0"):
            near = tf.FIFOQueue(1, tf.float32, shared_name="near").dequeue()
        with tf.device("/job:ps/task:0"):
            far = tf.FIFOQueue(1, tf.float32, shared_name="far")
            row, size = far.dequeue(), far.size()
        assert sess.run(size) == 0

        def wait():
            with pytest.raises(tf.errors.OpError) as found:
                sess.run([near, row])
            caught.append(found.value)

        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(0.3)
        ps.kill()
        thread.join(60)
    assert type(caught[0]) is tf.errors.UnavailableError
    assert "/job:ps/replica:0/task:0" in caught[0].message
