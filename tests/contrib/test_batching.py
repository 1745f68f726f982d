"""tf.contrib.batching: the calls of several threads as one."""

import threading

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager  # noqa: F401 - a fixture
from twinflow.compat.door import generated

SECONDS = 60


def _together(function, values):
    """{value: what a thread of its own gets}"""
    found = {}

    def run(value):
        found[value] = function(value)

    threads = [threading.Thread(target=run, args=(v,)) for v in values]
    for t in threads:
        t.start()
    for t in threads:
        t.join(SECONDS)
    return found


def _function(name):
    return generated.function("python.ops.gen_batch_ops", name)


def test_one_call_gets_the_batch_and_each_its_part():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.int32, [1])
        rows, index, number = _function("batch")(
            [x], num_batch_threads=1, max_batch_size=2, grad_timeout_micros=0,
            batch_timeout_micros=SECONDS * 1_000_000,
        )  # fmt: skip
        part = _function("unbatch")(2 * rows, index, number, SECONDS * 1_000_000)
        found = _together(
            lambda v: session.run([rows, index, number, part], {x: [v]}), (3, 5)
        )
    assert {v: r[3].tolist() for v, r in found.items()} == {3: [6], 5: [10]}
    whole, nothing = sorted(found.values(), key=lambda r: -len(r[0]))
    assert sorted(whole[0].tolist()) == [3, 5] and not len(nothing[1])
    numbers = {int(r[2]) for r in found.values()}
    assert set(whole[1][:, 0].tolist()) == numbers
    assert whole[1][:, 1:].tolist() == [[0, 1], [1, 2]]


def test_gradients_come_back_to_each_call():
    seen = []

    def squared(x):
        seen.append(x.shape)
        return x * x

    batch = tf.contrib.batching.batch_function(1, 2, SECONDS * 1_000_000)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [1])
        y = batch(squared)(x)
        slope = tf.gradients(y, x)
        found = _together(lambda v: session.run([y, slope], {x: [v]}), (3.0, 5.0))
    want = {3.0: [[9.0], [[6.0]]], 5.0: [[25.0], [[10.0]]]}
    assert {v: [r[0].tolist(), [r[1][0].tolist()]] for v, r in found.items()} == want
    assert len(seen) == 1


def test_a_batch_is_filled_up_to_an_allowed_size(eager):  # noqa: F811
    sizes = []

    @tf.contrib.batching.batch_function(1, 10, 1, allowed_batch_sizes=[4, 10])
    def double(x, y):
        sizes.append(int(x.shape[0]))
        return x + x, y

    first, second = double(tf.constant([1, 2, 3]), tf.constant([4, 5, 6]))
    assert (sizes, first.numpy().tolist()) == ([4], [2, 4, 6])
    assert second.numpy().tolist() == [4, 5, 6]


@pytest.mark.parametrize(
    "args, sizes, text",
    [
        ([np.ones(11)], [], "Task size 11 is larger than maximum batch size 10"),
        ([1.0], [], "must have at least one dimension"),
        ([np.ones(2), np.ones(3)], [], "must have equal 0th-dimension size"),
        ([np.ones(2)], [3, 9], "final entry in allowed_batch_sizes must equal"),
        ([np.ones(2)], [12, 10], "entries must be monotonically increasing"),
    ],
)
def test_errors(eager, args, sizes, text):  # noqa: F811
    batch = tf.contrib.batching.batch_function(1, 10, 1, allowed_batch_sizes=sizes)
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        batch(lambda *x: list(x))(*map(tf.constant, args))
    with pytest.raises(ValueError, match="supposed to be Tensors; found 1"):
        batch(lambda x: x)(1)


def test_a_part_that_never_comes_is_an_error(eager):  # noqa: F811
    index = np.zeros((0, 3), np.int64)
    with pytest.raises(tf.errors.DeadlineExceededError, match="did not come in time"):
        _function("unbatch")(tf.ones([0]), index, np.int64(7), 1000)
