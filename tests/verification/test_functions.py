"""tf.verify: what is the same, what differs first, and what is put back."""

import threading
import time

import numpy as np
import pytest

import twinflow as tf


def test_sound(eager):
    v = tf.contrib.eager.Variable([1.0, 2.0])

    def train(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(v * x) + tf.random_uniform([2]))
        v.assign_sub(tape.gradient(loss, v))
        return loss

    found = tf.verify(train, tf.constant([3.0, 4.0]))
    assert found, found
    assert found.ways == ["function", "eager", "compiled"]
    assert found.functions == 3
    assert v.numpy().tolist() == [1.0, 2.0]


def test_python_effect_is_found_and_put_back(eager):
    log = []

    def f(x):
        log.append(1)  # here
        return x

    found = tf.verify(f, 1.0)
    assert not found
    assert found.differences[0].kind == "python side effect"
    assert "# here" in found.differences[0].frame.text
    assert log == []


def test_values_say_who_is_right(eager):
    def f(x):
        y = x * 3.0
        return y * (1.0 if tf.executing_eagerly() else 1.01)

    first = tf.verify(f, tf.constant([1.0, 2.0])).differences[0]
    assert first.kind == "value"
    assert first.errors()["absolute"] == pytest.approx(0.06)
    assert "y * (1.0 if" in str(first.as_text())
    assert any("y = x * 3.0" in text for text in first.fed)
    assert first.as_json()["class"] == "value"


def test_numpy_state_is_put_back(eager):
    before = np.random.get_state()[1].copy()
    first = tf.verify(lambda x: x + np.random.rand(), 1.0).differences[0]
    assert first.kind == "frozen call"
    np.testing.assert_array_equal(np.random.get_state()[1], before)


def test_calls(eager):
    with pytest.raises(ValueError, match="at least 1"):
        tf.verify(lambda: 1, calls=0)


def test_threads_of_libraries_see_the_real_clock(eager):
    ended = threading.Event()
    looks = "while not ended.wait(.0001): time.time()"
    code = compile(looks, "/lib/site-packages/server.py", "exec")
    thread = threading.Thread(target=exec, args=(code, {"ended": ended, "time": time}))
    thread.start()

    def slow(x):
        time.sleep(0.01)
        return tf.tanh(x)

    try:
        found = tf.verify(slow, [1.0, 2.0])
    finally:
        ended.set()
        thread.join()
    assert found, found


def test_a_look_at_the_clock_is_found(eager):
    first = tf.verify(lambda x: x + time.time(), 1.0).differences[0]
    assert first.kind == "frozen call"
