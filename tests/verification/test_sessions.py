"""Scripts that only exist in graph style: replayed op by op, compiled, and stopped."""

import inspect
import random
import time

import numpy as np
import pytest

import twinflow as tf
from twinflow.base.op_lookup import known_op
from twinflow.eager.mode import MODE
from twinflow.verification import replay
from twinflow.verification.observer import shown
from twinflow.verification.request import Request
from twinflow.verification.scripts import run_way, verdict_of


def program(runs=3):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 4])
        v = tf.get_variable("v", [4], initializer=tf.ones_initializer())
        h = tf.sigmoid(x * v)
        out = tf.reduce_sum(tf.while_loop(
            lambda i, a: i < 2,
            lambda i, a: (i + 1, tf.tanh(a) + 1.),  # here
            [0, h])[1])  # fmt: skip
        step = v.assign_sub(tf.gradients(out, v)[0])
        with tf.Session() as session:
            session.run(v.initializer)
            for i in range(runs):
                session.run([out, step], {x: np.full([2, 4], i, np.float32)})


LINE = next(
    inspect.getsourcelines(program)[1] + i
    for i, text in enumerate(inspect.getsourcelines(program)[0])
    if "# here" in text
)


def verified(function, seconds=None):
    return verdict_of(
        lambda request: run_way(request, function), Request("function", 64.0, seconds)
    )


def test_progress_bars_have_times_and_are_no_difference():
    def program():
        bar = tf.keras.utils.Progbar(3, interval=0)
        unknown = tf.keras.utils.Progbar(None, interval=0)
        for i in range(3):
            time.sleep(0.02 * random.SystemRandom().randint(0, 5))
            bar.update(i + 1, [("loss", 0.5)])
        unknown.update(3)
        print("", float(tf.Session().run(tf.constant(1.0))))

    assert verified(program)


def test_what_a_progress_bar_says_is_compared_without_its_times():
    bar = "10/10 [==========] - {} - loss: 0.5000"
    done = "10/10 [==========] - loss: 0.5000"
    for time_ in "0s 12ms/step", "83s 8s/step", "1s 9us/sample":
        assert shown(bar.format(time_)) == done
        before = " 9/10 [========>.] - ETA: 0s - loss: 0.6000"
        assert shown(f"\r{before}\b\b\r{bar.format(time_)}   \n") == done
    assert shown("3/Unknown - 1s 200ms/step - loss: 1") == "3/Unknown - loss: 1"
    assert shown(before) is None and shown(f"\r{before}\n") is None
    for line in "1/2 of it - 3s 4ms/step", "a [=>.] b", "\rplain\n":
        assert shown(line) == line


class Wrong:
    """Eager execution with another hyperbolic tangent."""

    def __init__(self, wrong):
        self.wrong = wrong

    def __getattr__(self, name):
        return getattr(MODE, name)

    def run_op(self, op, inputs, attrs, name):
        found = MODE.run_op(op, inputs, attrs, name)
        return self.wrong(found) if op.type == "Tanh" else found


@pytest.fixture
def eagerly(monkeypatch):
    """Makes the eager tanh give something else."""

    def change(wrong):
        mode = Wrong(wrong)
        entered = replay.dispatch.entered
        monkeypatch.setattr(replay, "MODE", mode)
        same = lambda m: entered(MODE if m is mode else m)
        monkeypatch.setattr(replay.dispatch, "entered", same)

    return change


def test_sound():
    found = verified(program)
    assert found, found
    assert found.ways == ["function", "eager", "compiled"]
    assert found.sessions == 4


def test_the_first_op_that_differs(eagerly):
    eagerly(lambda t: t * 1.001)
    first = verified(program).differences[0]
    assert (first.kind, first.line) == ("value", LINE)
    assert "Tanh" in first.what
    assert 0 < first.errors()["relative"] < 0.002
    assert first.errors()["ulp"] > 1000
    assert "function is nearer" in first.reference
    assert any("sigmoid" in text for text in first.fed)


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("dtype", lambda t: tf.cast(t, tf.float64)),
        ("shape", lambda t: t[:1]),
    ],
)
def test_dtype_and_shape(eagerly, kind, wrong):
    eagerly(wrong)
    first = verified(program).differences[0]
    assert (first.kind, first.line) == (kind, LINE)


def test_an_error_of_one_way(eagerly):
    def wrong(t):
        raise tf.errors.InvalidArgumentError(None, None, "not today")

    eagerly(wrong)
    first = verified(program).differences[0]
    assert (first.kind, first.line) == ("error", LINE)
    assert "not today" in first.b


def test_the_first_op_that_is_compiled_otherwise(monkeypatch):
    wrong = lambda jax: lambda x: jax.numpy.tanh(x) + 0.5
    monkeypatch.setattr(known_op("Tanh"), "lower", wrong)

    def straight():
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.float32, [6])
            h = tf.tanh(x * 3.0)
            out = tf.reduce_sum(h * 2.0)
            for i in range(3):
                session.run(out, {x: np.linspace(0, i, 6)})

    first = verified(straight).differences[0]
    assert first.ways == ("function", "compiled")
    assert "h = tf.tanh" in first.frame.text
    assert first.errors()["absolute"] == pytest.approx(0.5)
    assert "function is nearer" in first.reference


def test_a_limit():
    found = verified(lambda: program(100_000), seconds=0.5)
    assert found, found
    assert 0 < found.sessions < 100_000
    assert any("stopped after 0.5 seconds" in text for text in found.remarks)


def test_runs_keep_no_ops():
    course = run_way(Request("function"), program)
    assert [len(e.inner) for e in course.events] == [0] * len(course.events)
    course = run_way(Request("function", detail=2), program)
    kept = [e.number for e in course.events if e.inner]
    assert kept == [2]
