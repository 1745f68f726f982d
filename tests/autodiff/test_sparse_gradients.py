"""IndexedSlices as gradients (Note [Sparse gradients]), in every mode."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both, close
from twinflow.contrib import eager as tfe

TABLE = np.arange(12.0).reshape(4, 3).astype("f4")


def dense(rows):
    out = np.zeros_like(TABLE)
    np.add.at(out, rows, 2 * TABLE[rows])
    return out


def squares(table, ids):
    return tf.reduce_sum(tf.nn.embedding_lookup(table, ids) ** 2)


def test_the_gradient_of_an_embedding_is_its_rows(eager):
    v = tf.Variable(TABLE)
    with tf.GradientTape() as tape:
        y = squares(v, [[0, 1], [1, 3]])
    g = tape.gradient(y, v)
    assert isinstance(g, tf.IndexedSlices)
    assert g.indices.numpy().tolist() == [0, 1, 1, 3]
    assert g.dense_shape.numpy().tolist() == [4, 3]
    np.testing.assert_array_equal(tf.convert_to_tensor(g).numpy(), dense([0, 1, 1, 3]))


def test_rows_of_several_lookups_are_joined(eager):
    v = tf.Variable(TABLE)
    with tf.GradientTape() as tape:
        y = squares(v, [0]) + squares(v, [1]) + squares(v, [1])
    g = tape.gradient(y, v)
    assert sorted(g.indices.numpy().tolist()) == [0, 1, 1]
    np.testing.assert_array_equal(tf.convert_to_tensor(g).numpy(), dense([0, 1, 1]))


def test_rows_and_a_whole_gradient_are_all_rows(eager):
    v = tf.Variable(TABLE)
    with tf.GradientTape() as tape:
        y = squares(v, [0]) + squares(v, [1]) + tf.reduce_sum(v)
    g = tape.gradient(y, v)
    assert sorted(g.indices.numpy().tolist()) == sorted([*range(len(TABLE)), 0, 1])
    whole = tf.convert_to_tensor(g).numpy()
    np.testing.assert_array_equal(whole, dense([0, 1]) + 1)


def test_second_order_through_the_rows(eager):
    x = tf.constant(np.arange(4.0))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.gather(x, [1, 1, 2]) ** 3)
        g = tape.gradient(y, x)
        total = tf.reduce_sum(tf.convert_to_tensor(g) * [1.0, 2.0, 3.0, 4.0])
    h = tf.convert_to_tensor(outer.gradient(total, x))
    np.testing.assert_allclose(h.numpy(), [0, 24, 36, 0])


def test_functions_give_and_take_rows(eager):
    v = tf.Variable(TABLE)
    f = tfe.defun(lambda ids: squares(v, ids))
    with tf.GradientTape() as tape:
        y = f(tf.constant([1, 1]))
    g = tape.gradient(y, v)
    assert isinstance(g, tf.IndexedSlices)
    twice = tfe.defun(
        lambda s: tf.IndexedSlices(2 * s.values, s.indices, s.dense_shape)
    )
    found = twice(g)
    assert isinstance(found, tf.IndexedSlices)
    np.testing.assert_array_equal(found.values.numpy(), 2 * g.values.numpy())


def test_gradients_in_a_graph_are_rows_and_fetched_as_arrays():
    with tf.Graph().as_default(), tf.Session() as session:
        x, ids = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int32)
        (g,) = tf.gradients(squares(x, ids), x)
        assert isinstance(g, tf.IndexedSlices)
        feed = {x: TABLE, ids: [1, 3]}
        value = session.run(g, feed)
        assert value.indices.tolist() == [1, 3]
        assert value.dense_shape.tolist() == [4, 3]
        with pytest.warns(UserWarning, match="to a dense Tensor of unknown shape"):
            whole = tf.convert_to_tensor(g)
        np.testing.assert_array_equal(session.run(whole, feed), dense([1, 3]))


def test_a_warning_comes_before_a_large_dense_gradient():
    with tf.Graph().as_default():
        rows, ids = tf.zeros([1, 1000]), tf.constant([0])
        tf.convert_to_tensor(tf.IndexedSlices(rows, ids, tf.constant([99999, 1000])))
        large = tf.IndexedSlices(rows, ids, tf.constant([100000, 1000]))
        with pytest.warns(UserWarning, match="with 100000000 elements"):
            tf.convert_to_tensor(large)


def test_gradients_through_a_loop_are_rows():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(TABLE)
        y = tf.while_loop(
            lambda k, s: k < 2, lambda k, s: (k + 1, s + squares(x, [1])), [0, 0.0]
        )[1]
        (g,) = tf.gradients(y, x)
        rows, whole = session.run([g, tf.convert_to_tensor(g)])
        assert rows.indices.tolist() == [1, 1]
        np.testing.assert_array_equal(whole, 2 * dense([1]))


# Two steps on the rows [0, 1, 1], then [1, 2]; computed by TensorFlow 1.12.
STEPS = {
    "descent": (
        lambda: tf.train.GradientDescentOptimizer(0.1),
        [[0, 0.8], [0.96, 1.44], [3.2, 4], [6, 7]],
    ),
    "momentum": (
        lambda: tf.train.MomentumOptimizer(0.1, 0.9),
        [[0, 0.8], [0.24, 0.36], [3.2, 4], [6, 7]],
    ),
    "nesterov": (
        lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
        [[0, 0.62], [-0.350400, -0.525600], [2.48, 3.1], [6, 7]],
    ),
    "adam": (
        lambda: tf.train.AdamOptimizer(0.1),
        [[0, 0.8329944], [1.8075403, 2.807282], [3.9255865, 4.9255867], [6, 7]],
    ),
}


def _two_steps(make):
    v = tf.Variable(np.arange(8.0).reshape(4, 2).astype("f4"))
    optimizer, before = make(), []
    for ids in ([0, 1, 1], [1, 2]):
        with tf.control_dependencies(before), tf.GradientTape() as tape:
            y = squares(v, ids)
        g = tape.gradient(y, v)
        assert isinstance(g, tf.IndexedSlices)
        step = optimizer.apply_gradients([(g, v)])
        before = [] if step is None else [step]
    with tf.control_dependencies(before):
        return v.read_value()


@both
@pytest.mark.parametrize("name", STEPS)
def test_optimizers_take_rows(run, name):
    make, wanted = STEPS[name]
    found = run(lambda: _two_steps(make))
    np.testing.assert_allclose(found, wanted, rtol=3e-6)


def test_clipping_keeps_rows(eager):
    g = tf.IndexedSlices(tf.constant([[3.0, 4.0]]), tf.constant([1]), [3, 2])
    (clipped,), norm = tf.clip_by_global_norm([g], 1.0)
    assert isinstance(clipped, tf.IndexedSlices)
    close(clipped.values.numpy(), [[0.6, 0.8]])
    assert float(norm) == float(tf.global_norm([g])) == 5.0
    assert float((-g).values[0, 0]) == -3


def test_rows_without_a_shape_cannot_become_whole(eager):
    g = tf.IndexedSlices(tf.constant([1.0]), tf.constant([1]))
    with pytest.raises(ValueError, match="IndexedSlices without dense_shape"):
        tf.convert_to_tensor(g)
    assert tf.convert_to_tensor_or_indexed_slices(g) is g
    with pytest.raises(ValueError, match="Tensor conversion requested dtype"):
        tf.convert_to_tensor_or_indexed_slices(g, tf.float64)
