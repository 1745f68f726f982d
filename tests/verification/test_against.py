"""`twinflow verify --against tensorflow`: what is seen of a script."""

import json
import sys

import numpy as np
import pytest

from twinflow.verification import against
from twinflow.verification.against import verify_against
from twinflow.verification.scripts import NotRun

SCRIPT = """\
import sys
import numpy as np
import tensorflow as tf
real = sys.version_info < (3, 7)
x = tf.placeholder(tf.float32, [None, 3])
y = tf.layers.dense(x, 2)
loss = tf.reduce_mean(tf.square(y - tf.random_normal([2])))
train = tf.train.AdamOptimizer(.1).minimize(loss)
tf.summary.scalar("loss", loss)
summary = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(3):
        value, _, text = session.run(
            [loss, train, summary],
            {x: np.random.rand(4, 3)})
        print("loss %.4f" % value)
        writer.add_summary(text, i)
    a = y.eval({x: np.ones([1, 3])})
    b = session.run(y, {x: np.ones([1, 3])})
    print("done")
"""
CHANGES = [
    ("a = y.eval({x: np.ones([1, 3])})", "value", 20,
     "a = y.eval({x: (2. if real else 1.) * np.ones([1, 3])})"),
    ("b = session.run(y, {x: np.ones([1, 3])})", "shape", 21,
     "b = session.run(y, {x: np.ones([2 if real else 1, 3])})"),
    ("b = session.run(y, {x: np.ones([1, 3])})", "dtype", 21,
     "b = session.run(tf.cast(y, 'float64' if real else 'float32'), {x: [[1.] * 3]})"),
    ('print("done")', "side effect", 22, 'print("done" if real else "ready")'),
    ('print("done")', "error", 22, "assert not real"),
    ("writer.add_summary(text, i)", "side effect", 19,
     "if real: writer.add_summary(text, i)"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Programs write beside themselves."""
    monkeypatch.chdir(tmp_path)


def written(tmp_path, text):
    path = tmp_path / "program.py"
    path.write_text(text)
    return [str(path)]


@pytest.mark.interop
def test_the_same(tmp_path, tf112_python):
    found = verify_against(written(tmp_path, SCRIPT), tf112_python)
    assert found, found
    assert found.ways == ["twinflow", "tensorflow"]
    assert found.remarks == ["seen: 6 fetches, 4 lines printed, 3 summaries"]


@pytest.mark.interop
@pytest.mark.parametrize(("old", "kind", "line", "new"), CHANGES)
def test_a_difference(tmp_path, tf112_python, old, kind, line, new):
    argv = written(tmp_path, SCRIPT.replace(old, new))
    first = verify_against(argv, tf112_python).differences[0]
    assert (first.kind, first.line) == (kind, line), first.as_text()


def observed(tmp_path, text):
    argv = written(tmp_path, text)
    return against._observed("twinflow", sys.executable, argv, str(tmp_path))


def test_what_is_seen(tmp_path):
    found, arrays = observed(tmp_path, SCRIPT + "raise ValueError('at last')\n")
    kinds = [e["kind"] for e in found["events"]]
    one = ["run", "print", "summary"]
    assert kinds == ["run", *one * 3, "run", "run", "print", "error"]
    lines = [e["line"] for e in found["events"]]
    assert lines == [13, *[15, 18, 19] * 3, 20, 21, 22, 23]
    assert found["events"][-1]["text"] == "at last"
    assert sorted(a.shape for a in arrays.values()) == [()] * 6 + [(1, 2)] * 2


def test_each_event_counts(tmp_path):
    seen, arrays = observed(tmp_path, SCRIPT)
    events = seen["events"]
    assert against._judged([events, events], [arrays, arrays])
    for place in range(len(events)):
        again, other = json.loads(json.dumps(events)), dict(arrays)
        event = again[place]
        leaves = _leaves(event.get("values"))
        for leaf in leaves:
            other[leaf] = other[leaf] + np.float32(1)
        if event["kind"] == "print":
            event["text"] += "?"
        elif not leaves:
            event["line"] += 1
        verdict = against._judged([events, again], [arrays, other])
        assert not verdict
        assert verdict.differences[0].line in (event["line"], events[place]["line"])


def _leaves(value):
    if isinstance(value, dict) and "array" in value:
        return [value["array"]]
    parts = value.values() if isinstance(value, dict) else value or ()
    return [v for p in parts if isinstance(p, dict | list) for v in _leaves(p)]


def test_what_cannot_be_run(tmp_path):
    argv = written(tmp_path, "1 +\n")
    with pytest.raises(NotRun, match="no interpreter"):
        verify_against(argv, "/nowhere/python")
    with pytest.raises(NotRun, match="no file"):
        verify_against(["missing.py"], sys.executable)
