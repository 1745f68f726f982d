"""Watchers see every op, in every mode, and what they see is what runs."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import watching
from twinflow.base.frames import source_line


class Seen(watching.Watcher):
    """Keeps what it is told."""

    def __init__(self):
        self.ended_runs, self.failed_runs, self.open, self.most = [], [], [], 0

    def ended(self, run):
        self.ended_runs.append(run)

    def failed(self, run, error):
        self.failed_runs.append((run, error))

    def enters(self, place):
        self.open.append(place)
        self.most = max(self.most, len(self.open))

    def leaves(self, place):
        assert self.open.pop() is place

    def types(self):
        return [r.op.type for r in self.ended_runs]


def _program(x):
    """A loop with a branch in it, a function, and gradients through all of them."""
    twice = tf.contrib.eager.defun(lambda a: a * 2.0)

    def body(i, s):
        s = tf.cond(tf.equal(i, 1), lambda: s * x, lambda: s + 1.0)
        return i + 1, twice(s)

    _, s = tf.while_loop(lambda i, s: i < 3, body, [0, x])
    return tf.reduce_sum(s * s)


def _in_a_graph(*others):
    """A session, its feed and what to fetch."""
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [2], name="x")
        y = _program(x)
        fetches = [y, tf.gradients(y, x)[0], *(f(x) for f in others)]
    return tf.Session(graph=graph), {x: [1.0, 2.0]}, fetches


def test_values_are_the_same():
    session, feed, fetches = _in_a_graph()
    plain = session.run(fetches, feed)
    with watching.watched_by(Seen()) as seen:
        watched = session.run(fetches, feed)
    again = session.run(fetches, feed)
    for a, b, c in zip(plain, watched, again, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(a, c)
    assert not seen.open
    assert {"While", "If", "Mul", "PartitionedCall"} <= set(seen.types())


def test_paths():
    session, feed, fetches = _in_a_graph()
    with watching.watched_by(Seen()) as seen:
        session.run(fetches[0], feed)
    doubled = [
        r.path for r in seen.ended_runs
        if r.op.type == "Mul" and r.path[-1].kind == "function"
    ]  # fmt: skip
    kinds = [[p.kind for p in path] for path in doubled]
    assert kinds == [["run", "loop", "function"]] * 3
    assert [path[1].trip for path in doubled] == [0, 1, 2]
    assert {path[1].part for path in doubled} == {"body"}
    branches = [r.path[-1] for r in seen.ended_runs if r.path[-1].kind == "branch"]
    assert [b.trip for b in branches] == [0, 1, 0]


def _slope(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y.numpy(), tape.gradient(y, x).numpy().tolist()


def test_eager_calls_and_functions(eager):
    x, f = tf.constant([1.0, 2.0]), tf.contrib.eager.defun(_program)
    plain = _slope(_program, x), _slope(f, x)
    with watching.watched_by(Seen()) as seen:
        watched = _slope(_program, x), _slope(f, x)
    assert plain == watched
    assert watched[0] == watched[1]
    assert {"Add", "Mul", "Sum", "While"} <= set(seen.types())
    assert {r.node is None for r in seen.ended_runs} == {True, False}
    assert not seen.open


def test_eager_errors(eager):
    seen = Seen()
    wrong = tf.errors.InvalidArgumentError
    with pytest.raises(wrong) as refused, watching.watched_by(seen):
        tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))  # this line
    with pytest.raises(wrong), watching.watched_by(seen):
        tf.cholesky([[0.0, 1.0], [1.0, 0.0]])
    assert [r.op.type for r, _ in seen.failed_runs] == ["MatMul", "Cholesky"]
    assert seen.failed_runs[0][1] is refused.value
    assert "this line" in source_line(seen.failed_runs[0][0].frames[0])


def test_errors_in_graphs():
    session, feed, fetches = _in_a_graph(lambda x: tf.cholesky(x * np.eye(2)))
    feed = {x: [-1.0, 1.0] for x in feed}
    with pytest.raises(tf.errors.InvalidArgumentError) as plain:
        session.run(fetches[-1], feed)
    with watching.watched_by(Seen()) as seen, pytest.raises(type(plain.value)) as same:
        session.run(fetches[-1], feed)
    assert str(same.value) == str(plain.value)
    assert [r.name for r, _ in seen.failed_runs] == ["Cholesky"]
    assert not seen.open


class Given(watching.Watcher):
    """Gives an op its outputs before it runs, or after."""

    def __init__(self, name, value, after):
        self.name, self.value, self.after, self.before = name, value, after, []

    def begins(self, run):
        if run.name == self.name and not self.after:
            run.outputs = [self.value]

    def ended(self, run):
        if run.name == self.name:
            self.before += run.outputs
            run.outputs = [self.value]


@pytest.mark.parametrize("after", [True, False])
def test_other_values(after):
    graph = tf.Graph()
    with graph.as_default():
        middle = tf.add(tf.constant([1.0]), [2.0], name="middle")
        out = middle * 10.0
    watcher = Given("middle", np.array([7.0], "f"), after)
    with tf.Session(graph=graph) as session, watching.watched_by(watcher):
        np.testing.assert_array_equal(session.run([out, middle]), [[70.0], [7.0]])
        assert watcher.before == [3.0 if after else 7.0]


class Twice(watching.Watcher):
    """Has the first run begin anew at an op, with the variable as it was."""

    def __init__(self, name, cell):
        self.name, self.cell, self.count, self.first = name, cell, 0, None

    def enters(self, place):
        if place.kind == "run" and self.first is None:
            self.first = self.cell.read()

    def begins(self, run):
        if run.name == self.name:
            self.count += 1
            if self.count == 1:
                self.cell.write(self.first)
                raise watching.Again


def test_a_run_begins_anew():
    graph = tf.Graph()
    with graph.as_default():
        v = tf.Variable([1.0], use_resource=True)
        with tf.control_dependencies([tf.assign_add(v, [1.0])]):
            late = tf.add(v.read_value(), [0.0], name="late")
    with tf.Session(graph=graph) as session:
        session.run(v.initializer)
        watcher = Twice("late", session._home(v.handle.op.attrs["cell"]))
        with watching.watched_by(watcher):
            assert session.run(late) == [2.0]
        assert session.run(v) == [2.0]
        assert watcher.count == 2


def test_maps_of_data():
    graph = tf.Graph()
    with graph.as_default():
        data = tf.data.Dataset.range(4).map(lambda i: i * i, num_parallel_calls=2)
        out = data.make_one_shot_iterator().get_next()
    with tf.Session(graph=graph) as session, watching.watched_by(Seen()) as seen:
        assert session.run(out) == 0
        assert session.run(out) == 1
    assert "Mul" in seen.types()


def test_nobody_looks():
    session, feed, fetches = _in_a_graph()
    with watching.watched_by(Seen()) as seen:
        pass
    session.run(fetches, feed)
    assert not seen.ended_runs
    assert not watching.WATCHERS
