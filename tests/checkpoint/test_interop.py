"""Checkpoints and event files, written here and read by a real TensorFlow, and back."""

import json
import subprocess

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager, graph

__all__ = ["eager", "graph"]

pytestmark = pytest.mark.interop


@pytest.fixture(params=["tf112_python", "tf221_python"])
def elsewhere(request):
    """Runs a program under a real TensorFlow; what it prints, as JSON."""
    python = request.getfixturevalue(request.param)

    def run(source):
        start = (
            "import tensorflow as tf, json, sys\nv1 = getattr(tf.compat, 'v1', tf)\n"
        )
        done = subprocess.run(
            [python, "-c", start + source], capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return run


def test_a_saver_is_read(tmp_path, graph, elsewhere):
    tf.get_variable("w", initializer=[[1.0, 2.0]])
    tf.get_variable("s", initializer=tf.constant([b"a", b"bc"]))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(sess, str(tmp_path / "m"), global_step=3)
    found = elsewhere(f"""
r = tf.train.load_checkpoint({path!r})
print(json.dumps([r.get_tensor("w").tolist(), [x.decode() for x in r.get_tensor("s")],
                  tf.train.latest_checkpoint({str(tmp_path)!r})]))
""")
    assert found == [[[1.0, 2.0]], ["a", "bc"], path]


def test_a_training_graph_goes_on_there(tmp_path, graph, elsewhere):
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(w * w), name="train")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run("train")
        path = tf.train.Saver().save(sess, str(tmp_path / "m"))
        sess.run("train")
        expected = sess.run(w)
    found = elsewhere(f"""
with tf.Graph().as_default(), v1.Session() as sess:
    v1.train.import_meta_graph({path!r} + ".meta").restore(sess, {path!r})
    sess.run("train")
    print(json.dumps(sess.run("w:0").tolist()))
""")
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_objects_are_read(tmp_path, eager, elsewhere):
    v, step = tf.contrib.eager.Variable([1.0, 2.0]), tf.contrib.eager.Variable(7)
    path = tf.train.Checkpoint(parts=[v], step=step).save(str(tmp_path / "c"))
    found = elsewhere(f"""
(v1.enable_eager_execution)()
if not hasattr(tf, "contrib"):
    v, step = tf.Variable([0.0, 0.0]), tf.Variable(0)
    tf.train.Checkpoint(parts=[v], step=step).restore({path!r})
    print(json.dumps([v.numpy().tolist(), int(step.numpy())]))
else:
    r = tf.train.load_checkpoint({path!r})
    end = "/.ATTRIBUTES/VARIABLE_VALUE"
    print(json.dumps([r.get_tensor("parts/0" + end).tolist(),
                      int(r.get_tensor("step" + end))]))
""")
    assert found == [[1.0, 2.0], 7]


def test_objects_of_there_are_restored(tmp_path, eager, elsewhere):
    path = elsewhere(f"""
(v1.enable_eager_execution)()
v = tf.Variable([1.0, 2.0])
print(json.dumps(tf.train.Checkpoint(v=v).save({str(tmp_path / "c")!r})))
""")
    v = tf.contrib.eager.Variable([0.0, 0.0])
    tf.train.Checkpoint(v=v).restore(path)
    assert v.numpy().tolist() == [1.0, 2.0]


def test_event_files_are_read(tmp_path, eager, elsewhere):
    writer = tf.contrib.summary.create_file_writer(str(tmp_path))
    with writer.as_default(), tf.contrib.summary.always_record_summaries():
        tf.contrib.summary.scalar("loss", 0.5, step=3)
        tf.contrib.summary.histogram("h", [1.0, 2.0], step=3)
    (path,) = map(str, tmp_path.iterdir())
    found = elsewhere(f"""
events = list(v1.train.summary_iterator({path!r}))
print(json.dumps([[e.step, v.tag, v.simple_value, v.histo.num]
                  for e in events for v in e.summary.value]))
""")
    assert found == [[3, "loss", 0.5, 0.0], [3, "h", 0.0, 2.0]]
