"""Accumulators: means of fresh gradients, once there are enough of them."""

import numpy as np
import pytest

import twinflow as tf
from tests.threads import Background
from twinflow.base import dispatch
from twinflow.eager.mode import MODE


def test_the_mean_of_fresh_gradients(sess):
    a = tf.ConditionalAccumulator(tf.float32, shape=(2,))
    step = tf.placeholder(tf.int64, [])
    put, count = a.apply_grad([1.0, 2.0], local_step=step), a.num_accumulated()
    more, mean = a.apply_grad([3.0, 5.0], local_step=step), a.take_grad(2)
    assert mean.shape == (2,) and a.name == "conditional_accumulator"
    sess.run(put, {step: 0})
    waiting = Background(sess.run, mean)
    assert waiting.waits()
    sess.run(more, {step: 0})
    assert waiting.outcome().tolist() == [2.0, 3.5]
    sess.run(put, {step: 0})  # the step is 1 by now
    assert sess.run(count) == 0
    sess.run(a.set_global_step(5))
    sess.run(put, {step: 4})
    sess.run(put, {step: 7})
    assert sess.run(count) == 1


def test_the_sum(sess):
    a = tf.ConditionalAccumulator(tf.float64, reduction_type="SUM")
    x = tf.placeholder(tf.float64)
    put = a.apply_grad(x)
    sess.run(put, {x: 2.0})
    sess.run(put, {x: 3.0})
    assert sess.run(a.take_grad(1)) == 5.0
    sess.run(a.apply_grad(x, local_step=1), {x: [1.0]})
    with pytest.raises(tf.errors.InvalidArgumentError) as info:
        sess.run(a.apply_grad(x, local_step=1), {x: [1.0, 2.0]})
    assert info.value.message.startswith("Shape mismatch: expected [1], got [2]\n")
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be positive"):
        sess.run(a.take_grad(0))


def test_sparse_means_count_the_gradients_of_each_row(sess):
    a = tf.SparseConditionalAccumulator(tf.float32, shape=(3, 2))
    sess.run(a.apply_grad([0, 2], [[1.0, 1.0], [2.0, 2.0]], [3, 2]))
    slices = tf.IndexedSlices(tf.constant([[4.0, 6.0]]), tf.constant([2]))
    sess.run(a.apply_indexed_slices_grad(slices))
    found = sess.run(a.take_grad(2))
    assert found.indices.tolist() == [0, 2] and found.shape.tolist() == [3, 2]
    assert found.values.tolist() == [[1.0, 1.0], [3.0, 4.0]]
    sess.run(a.apply_grad([1], [[1.0, 2.0]], local_step=1))
    slices = sess.run(a.take_indexed_slices_grad(1))
    assert slices.indices.tolist() == [1] and slices.dense_shape.tolist() == [3, 2]


@pytest.mark.parametrize(
    "indices, values, shape, text",
    [
        ([0], [[1.0, 1.0]], [4, 2], "expected shape dim 0 to be 3, got 4"),
        ([0], [[1.0, 1.0]], [3], "expected shape rank at least 2, got 1"),
        ([0, 1], [[1.0, 1.0]], [3, 2], "Expected 2 non-empty input values, got 1"),
        ([0], [1.0], [3, 2], "expected values rank at least 2, got 1"),
        ([0], [[1.0]], [3, 2], "expected values dim 1 to be 2, got 1"),
        ([5], [[1.0, 1.0]], [3, 2], "index is 5 exceeded 3"),
        ([[0]], [[1.0, 1.0]], [3, 2], r"should be vector but received shape: \[1,1\]"),
        ([0], 1.0, [3, 2], "Values cannot be 0-dimensional."),
    ],
)
def test_sparse_gradients_that_do_not_fit(sess, indices, values, shape, text):
    a = tf.SparseConditionalAccumulator(tf.float32, shape=(3, 2))
    places = tf.placeholder(tf.int64)
    put = a.apply_grad(places, tf.constant(values), shape)
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        sess.run(put, {places: indices})


def test_sparse_gradients_of_unknown_shape(sess):
    a = tf.SparseConditionalAccumulator(tf.float32, reduction_type="SUM")
    sess.run(a.apply_grad([0, 1], [1.0, 2.0]))
    sess.run(a.apply_grad([1, 3], [5.0, 7.0]))
    found = sess.run(a.take_grad(2))
    assert found.values.tolist() == [1.0, 7.0, 7.0] and found.shape.tolist() == [-1]
    assert found.values.dtype == np.float32


def test_closing_the_session_ends_waits(sess):
    a = tf.ConditionalAccumulator(tf.float32)
    other = tf.Session(graph=sess.graph)
    waiting = Background(other.run, a.take_grad(1))
    assert waiting.waits()
    other.close()
    with pytest.raises(tf.errors.CancelledError, match="TakeGrad operation was cancel"):
        waiting.outcome()


def test_refusals(sess):
    with pytest.raises(ValueError, match='not in: "MEAN", "SUM"'):
        tf.ConditionalAccumulator(tf.float32, reduction_type="MAX")
    with pytest.raises(TypeError, match="has DataType string not in list of allowed"):
        tf.ConditionalAccumulator(tf.string)
    with pytest.raises(ValueError, match="are incompatible"):
        tf.ConditionalAccumulator(tf.float32, shape=(2,)).apply_grad([1.0])
    with dispatch.entered(MODE), pytest.raises(RuntimeError, match="eager execution"):
        tf.ConditionalAccumulator(tf.float32)


def accepted(sess, shape, *gradients):
    """What an accumulator of a shape says of gradients of rows, "" if it takes one, and
    the shape of what it gives."""
    a, said = tf.SparseConditionalAccumulator(tf.float32, shape=shape), []
    for place, rows in gradients:
        try:
            sess.run(a.apply_grad([place], np.ones([1, *rows], np.float32)))
            said.append("")
        except tf.errors.InvalidArgumentError as error:
            said.append(error.message.split("\n")[0].removeprefix("Shape mismatch: "))
    return said, sess.run(a.take_indexed_slices_grad(1)).dense_shape.tolist()


@pytest.mark.parametrize(
    "shape, gradients, said, given",
    [
        ([2, None], [(0, [2, 3]), (1, [2])],
         ["", "expected values rank 3, got 2"], [2, 2, 3]),
        ([None, 2], [(0, [3]), (7, [2, 4]), (0, [2, 5])],
         ["expected values dim 1 to be 2, got 3", "",
          "expected values dim 2 to be 4, got 5"], [-1, 2, 4]),
        ([2, 2, None], [(0, [2]), (2, [2, 1]), (1, [2, 1])],
         ["expected values rank at least 3, got 2",
          "index of slice 0 exceeded limits of shape; index is 2 exceeded 2", ""],
         [2, 2, 1]),
        ([3], [(0, [2])], [""], [3, 2]),
    ],
)  # fmt: skip
def test_a_shape_is_what_gradients_have_at_least(sess, shape, gradients, said, given):
    assert accepted(sess, shape, *gradients) == (said, given)
