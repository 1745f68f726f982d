"""What rounding explains is no difference, and what it does not explain is one."""

import numpy as np
import pytest

import twinflow as tf
from tests.verification.test_sessions import verified
from twinflow.base import watching
from twinflow.execute.tiers import POLICY, Cluster
from twinflow.formats import protos
from twinflow.verification import rounding
from twinflow.verification.comparing import first_difference
from twinflow.verification.events import Course, Event
from twinflow.verification.kept import Budget, kept
from twinflow.verification.rounding import Shaker, is_rounding
from twinflow.verification.summaries import same_summaries


def training(steps=6):
    """Adam, whose first steps are the whole rate whatever the gradient's size.

    The gradient of a sum of softmax is nothing but rounding.
    """
    rng = np.random.RandomState(3)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [16, 8])
        w = tf.Variable(rng.randn(8, 8).astype("f"))
        y = tf.nn.softmax(tf.matmul(tf.tanh(tf.matmul(x, w)), w))
        loss = 1e3 * tf.reduce_sum(y)
        step = tf.train.AdamOptimizer(0.1).minimize(loss)
        tf.summary.scalar("loss", loss)
        tf.summary.histogram("w", w)
        fetches = [loss, step, tf.summary.merge_all(), y - tf.identity(y) + y, w]
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            value, *_ = session.run(fetches, {x: rng.randn(16, 8)})
            print(value > 0)


def test_what_rounding_makes_of_a_program_is_no_difference(monkeypatch):
    assert not verified(training).differences
    never = lambda *given: False
    monkeypatch.setattr("twinflow.verification.comparing.is_rounding", never)
    assert verified(training).differences  # it does make something of it


def values(*arrays):
    return [kept(np.asarray(a), Budget()) for a in arrays]


@pytest.mark.parametrize(("v", "w", "shaken", "explained"), [
    ([1.0, 2.0], [1.0, 2.01], [1.0, 2.001], True),
    ([1.0, 2.0], [1.0, 2.1], [1.0, 2.001], False),
    ([1.0, 2.0], [1.0, 2.1], [1.0, 2.0], False),
    ([1, 2], [1, 3], [2, 2], True),  # an argmax that hangs on the last bits
    ([1, 2], [1, 3], [1, 2], False),
    ([b"a"], [b"b"], [b"c"], True),
    ([b"a"], [b"b"], [b"a"], False),
    ([1.0, 2.0], [1.0], [1.0, 2.0], False),
    ([1.0, 2.0], [1.0, 3.0], [1.0], True),  # even its shape hangs on them
    ([True], [False], [False], True),
])  # fmt: skip
def test_the_shaken_way_says_what_is_rounding(v, w, shaken, explained):
    v, w, shaken = values(v, w, shaken)
    assert is_rounding(v, w, shaken, "run") == explained
    assert not is_rounding(v, w, None, "run")


def test_only_computed_numbers_are_moved():
    seen = {}

    class Looks(watching.Watcher):
        def ended(self, run):
            seen.setdefault(run.op.type, []).extend(run.outputs)

    x = np.random.RandomState(0).randn(50).astype("f")
    with tf.Graph().as_default(), tf.Session() as session:
        given = tf.placeholder(tf.float32, [50])
        moved = tf.reverse(tf.reshape(given, [5, 10]), [1])
        text = tf.as_string(moved)
        whole = tf.cast(moved, tf.int32)
        drawn = tf.random_uniform([50], seed=1)
        fetches = [tf.nn.relu(moved), tf.tanh(moved), whole, text, drawn]
        wanted = session.run(fetches, {given: x})
        with watching.watched_by(Shaker()), watching.watched_by(Looks()):
            found = session.run(fetches, {given: x})
    for i in (0, 2, 3):
        np.testing.assert_array_equal(found[i], wanted[i])
    assert (found[4] != wanted[4]).any()  # another draw, as it was
    far = np.abs(found[1] - wanted[1]) / np.spacing(np.abs(wanted[1]))
    assert 0 < far.max() <= 2 and (far == 0).any()
    assert {"Tanh", "Relu"} <= set(seen)


def summary(**numbers):
    made = protos.Summary()
    for tag, value in numbers.items():
        one = made.value.add(tag=tag)
        if isinstance(value, float):
            one.simple_value = value
        else:
            low, high, limit, counts = value
            h = one.histo
            h.min, h.max, h.num, h.sum, h.sum_squares = low, high, 10.0, 5.0, 6.0
            h.bucket_limit.extend(limit)
            h.bucket.extend(counts)
    return made.SerializeToString()


def test_summaries_are_compared_by_their_numbers():
    histogram = (-1.0, 2.0, [0.5, 1.5, 2.0], [3.0, 4.0, 3.0])
    moved = (-1.0000001, 2.0, [0.5, 1.5, 2.0], [2.0, 5.0, 3.0])
    other = (-1.5, 2.0, [0.5, 1.5, 2.0], [3.0, 4.0, 3.0])
    a = summary(loss=1.5, w=histogram)
    near = 1e-3
    assert same_summaries(a, summary(loss=1.5000001, w=moved), near)
    assert not same_summaries(a, summary(loss=1.5000001, w=moved), 1e-9)
    assert same_summaries(summary(x=float("nan")), summary(x=float("nan")), near)
    for wrong in (
        summary(loss=1.6, w=histogram), summary(loss=1.5, w=other), b"loss", b"",
        summary(lose=1.5, w=histogram), summary(loss=1.5), summary(w=1.5, loss=1.5),
    ):  # fmt: skip
        assert not same_summaries(a, wrong, near)
        assert not same_summaries(wrong, a, near)
    assert not same_summaries(b"", b"", near)


def test_a_wrong_compiled_op_is_found(monkeypatch):
    """The program shakes by far less than the op is off."""
    real = rounding.is_rounding
    asked = []

    def judged(v, w, *rest):
        asked.append(real(v, w, *rest))
        return asked[-1]

    monkeypatch.setattr("twinflow.verification.comparing.is_rounding", judged)
    found = verified(spoiled(training)).differences
    assert found and found[0].kind == "value" and False in asked


def spoiled(program):
    """The program, whose compiled results are off by a hundredth."""
    real = Cluster._run_compiled

    def run():
        Cluster._run_compiled = off if POLICY.at_once else real
        try:
            program()
        finally:
            Cluster._run_compiled = real

    def off(cluster, entry, inputs, cells, v):
        real(cluster, entry, inputs, cells, v)
        for slot in cluster.outs:
            a = v[slot]
            if getattr(a, "dtype", None) == np.float32:
                v[slot] = np.asarray(a) * np.float32(1.01)

    return run


def course(way, *counts):
    """Runs of a session that fetch so many numbers."""
    found = Course(way)
    for number, n in enumerate(counts):
        event = Event("run", "Session.run", (), number, number=number)
        event.values = values(*np.full([n], 1.0 + number, np.float32))
        found.events.append(event)
    return found


def test_steps_that_hang_on_the_last_bits_are_not_compared():
    base, other = course("function", 1, 1, 2), course("compiled", 1, 3, 2)
    assert first_difference(base, other).a == "1 results"
    assert first_difference(base, other, course("shaken", 1, 1, 2)).a == "1 results"
    assert first_difference(base, other, course("shaken", 1, 2, 2)) is None
    assert first_difference(base, other, course("shaken", 1)) is None
