"""tensorflow.python.ops.parallel_for: loops of functions, and Jacobians."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.graph.parallel_for import batch_jacobian, for_loop, jacobian, pfor

X = np.random.RandomState(0).rand(2, 3).astype(np.float32)


def test_the_outputs_of_a_function_are_stacked():
    with tf.Graph().as_default(), tf.Session() as s:
        x = tf.constant(X)
        found = pfor(lambda i: (tf.gather(x, i) * 2, x, i), 2)
        for got, wanted in zip(s.run(found), (X * 2, [X, X], [0, 1]), strict=True):
            np.testing.assert_allclose(got, wanted)
        assert [t.shape for t in found] == [[2, 3], [2, 2, 3], [2]]
        assert pfor(lambda i: i, tf.placeholder(tf.int32)).shape.as_list() == [None]
        with pytest.raises(ValueError, match="expected outputs, 1, does not match"):
            for_loop(lambda i: (i, i), tf.int32, 2)


def test_operations_run_for_each_number():
    with tf.Graph().as_default(), tf.Session() as s:
        v = tf.Variable(0.0)
        s.run(v.initializer)
        s.run(pfor(lambda i: v.assign_add(tf.cast(i, tf.float32)).op, 4))
        assert s.run(v) == 6


@pytest.mark.parametrize("use_pfor", [True, False])
def test_jacobians_pass_through_loops(use_pfor):
    with tf.Graph().as_default(), tf.Session() as s:
        x = tf.placeholder(tf.float32, [None, 3])
        y = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a * x), [0, x])[1]
        rows = batch_jacobian(y, x, use_pfor)
        assert rows.shape.as_list() == [None, 3, 3]
        whole, none = jacobian(y, [x, tf.constant(1.0)], use_pfor)
        assert none is None
        wanted = np.stack([np.diag(4 * r**3) for r in X])
        np.testing.assert_allclose(s.run(rows, {x: X}), wanted, 1e-5)
        found = s.run(whole, {x: X})
        np.testing.assert_allclose(found[[0, 1], :, [0, 1]], wanted, 1e-5)
        assert not found[0, :, 1].any()
