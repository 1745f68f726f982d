"""SparseTensor as a value: in sessions, functions and control flow; the maps."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both
from tests.ways import compiled
from twinflow.contrib import eager as tfe
from twinflow.ops.sparse import map as sparse_map

PLACES, SHAPE = [[0, 0], [1, 2]], [2, 3]


def sparse(values=(1.0, 2.0)):
    return tf.SparseTensor(PLACES, tf.constant(values, tf.float32), SHAPE)


def dense(a=1.0, b=2.0):
    return [[a, 0, 0], [0, 0, b]]


def test_the_parts_must_fit(eager):
    with pytest.raises(ValueError, match="Dimensions 1 and 2 are not compatible"):
        tf.SparseTensor([[0, 0]], [1, 2], [3, 4])
    with pytest.raises(ValueError, match=r"Shape \(2,\) must have rank 2"):
        tf.SparseTensor([0, 0], [1, 2], [3, 4])
    with pytest.raises(TypeError, match="Neither a SparseTensor nor SparseTensorValue"):
        tf.SparseTensor.from_value([[0]])
    with pytest.raises(ValueError, match="unsupported type"):
        tf.convert_to_tensor(sparse())
    value = tf.SparseTensorValue(PLACES, [1.0, 2.0], SHAPE)
    assert tf.SparseTensor.from_value(value).shape.as_list() == SHAPE


@both
def test_a_dense_factor_keeps_it_sparse(run):
    def build():
        x, y = sparse(), tf.constant([[2.0], [4.0]])
        found = x * y, y * x, x / y, x * 3.0, tf.sparse_add(x, x)
        return [tf.sparse_tensor_to_dense(t) for t in found]

    found = run(build)
    wanted = [dense(2, 8), dense(2, 8), dense(0.5, 0.5), dense(3, 6), dense(2, 4)]
    np.testing.assert_array_equal(found, wanted)


def test_a_session_feeds_and_returns_it_whole(graph):
    x = tf.sparse_placeholder(tf.float32, name="x")
    named = [t.name for t in (x.indices, x.values, x.dense_shape)]
    assert named == ["x/indices:0", "x/values:0", "x/shape:0"]
    assert tf.sparse_placeholder(tf.float32, SHAPE).shape.as_list() == SHAPE
    assert tf.sparse_placeholder(tf.float32, [None, 3]).shape.as_list() == [None, None]
    with tf.Session() as session:
        value = tf.SparseTensorValue(np.array(PLACES), np.ones(2, "f4"), SHAPE)
        found = session.run({"a": [x * 2.0]}, {x: value})["a"][0]
        assert isinstance(found, tf.SparseTensorValue)
        assert found.values.tolist() == [2.0, 2.0]
        assert session.run(x, {x: (PLACES, [1.0, 3.0], SHAPE)}).values.tolist() == [
            1,
            3,
        ]
        assert (x * 2.0).eval({x: value}).dense_shape.tolist() == SHAPE


@both
def test_functions_take_and_return_it(run):
    calls = []

    @tfe.defun
    def doubled(x, times):
        calls.append(1)
        return {"x": x * times, "sum": tf.sparse_reduce_sum(x)}

    def build():
        del calls[:]
        doubled(sparse(), 2.0)
        found = doubled(sparse([5.0, 6.0]), 2.0)
        return tf.sparse_tensor_to_dense(found["x"]), found["sum"]

    found = run(build)
    assert len(calls) == 1
    np.testing.assert_array_equal(found[0], dense(10, 12))
    assert found[1] == 11


@both
def test_control_flow_carries_it(run):
    def build():
        x = sparse()
        chosen = tf.cond(tf.reduce_sum(x.values) > 1.0, lambda: x * 2.0, lambda: x)
        _, looped = tf.while_loop(
            lambda i, t: i < 3, lambda i, t: (i + 1, t * 2.0), [tf.constant(0), x]
        )
        return [tf.sparse_tensor_to_dense(t) for t in (chosen, looped)]

    np.testing.assert_array_equal(run(build), [dense(2, 4), dense(8, 16)])


@both
def test_gradients_reach_the_values(run):
    def product(values, b):
        return tf.sparse_tensor_dense_matmul(tf.SparseTensor(PLACES, values, SHAPE), b)

    def build():
        values, b = tf.constant([1.0, 2.0]), tf.constant(np.eye(3, dtype="f4"))
        if not tf.executing_eagerly():
            return tf.gradients(product(values, b), [values, b])
        with tf.GradientTape() as tape:
            tape.watch([values, b])
            y = product(values, b)
        return tape.gradient(y, [values, b])

    found = run(build)
    np.testing.assert_array_equal(found[0], [1, 1])
    np.testing.assert_array_equal(found[1], [[1, 1, 1], [0, 0, 0], [2, 2, 2]])


def test_the_optimizer_sees_the_rows_of_a_lookup(graph):
    table = tf.Variable(np.ones((4, 2), "f4"))
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 3, 3], [2, 2])
    found = tf.nn.embedding_lookup_sparse(table, ids, None, combiner="sum")
    loss = tf.reduce_sum(found)
    assert isinstance(tf.gradients(loss, table)[0], tf.IndexedSlices)
    step = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        np.testing.assert_array_equal(session.run(table)[:, 0], [1, 0, 1, -1])


def test_bad_indices_are_found_when_it_is_compiled(graph):
    x = tf.sparse_placeholder(tf.float32)
    y = tf.sparse_tensor_to_dense(x)
    with compiled() as entries, tf.Session() as session:
        found = session.run(y, {x: (PLACES, [1.0, 2.0], SHAPE)})
        np.testing.assert_array_equal(found, dense())
        assert entries
        with pytest.raises(tf.errors.InvalidArgumentError, match="is repeated"):
            session.run(y, {x: ([[0, 0], [0, 0]], [1.0, 2.0], SHAPE)})


def test_a_map_gives_back_what_was_put_aside(graph):
    x = sparse()
    whole = sparse_map.add_sparse_to_tensors_map(x)
    rows = sparse_map.add_many_sparse_to_tensors_map(x)
    back = sparse_map.take_many_sparse_from_tensors_map(rows.op, rows)
    again = sparse_map.take_many_sparse_from_tensors_map(whole.op, [0], rank=3)
    with tf.Session() as session:
        assert session.run([whole, whole]) == [0, 0] and session.run(whole) == 1
        found = session.run(back)
        np.testing.assert_array_equal(found.indices, PLACES)
        assert found.dense_shape.tolist() == SHAPE
        assert session.run(again).dense_shape.tolist() == [1, 2, 3]
        with pytest.raises(tf.errors.InvalidArgumentError, match="Unable to find"):
            session.run(again)
    with tf.Session() as session:
        assert session.run(whole) == 0  # each session has its own


def test_masks_leave_rows_out(eager):
    slices = tf.IndexedSlices([[1.0], [2.0], [3.0]], [4, 5, 6], [9, 1])
    found = tf.sparse_mask(slices, [5])
    assert found.indices.numpy().tolist() == [4, 6]
    assert found.values.numpy().tolist() == [[1.0], [3.0]]


def test_a_shape_may_hold_tensors_of_int32(graph):
    sp = sparse()
    y = tf.sparse_reshape(sp, [tf.shape(sp)[0], -1, 1])
    with tf.Session() as session:
        assert session.run(y).dense_shape.tolist() == [2, 3, 1]


@pytest.mark.parametrize("combiner", ["sum", "mean", "sqrtn"])
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_of_low_precision_rows_are_float32(eager, combiner, weighted):
    places = [[0, 0], [0, 1], [1, 0]]
    ids = tf.SparseTensor(places, tf.constant([0, 1, 2], tf.int64), [2, 2])
    weights = tf.SparseTensor(places, [1.0, 1.0, 1.0], [2, 2]) if weighted else None
    table = tf.constant(np.full([4, 2], 2.0), tf.float16)
    found = tf.nn.embedding_lookup_sparse(table, ids, weights, combiner=combiner)
    first = {"sum": 4.0, "mean": 2.0, "sqrtn": 8.0**0.5}[combiner]
    assert found.dtype == tf.float32
    np.testing.assert_allclose(found, [[first] * 2, [2.0] * 2], rtol=1e-6)


@pytest.mark.parametrize("f", ["set_intersection", "set_difference", "set_union"])
def test_sets_have_an_axis_of_groups(graph, f):
    """As TensorFlow 1.12 says it, when the node is made."""

    def sparse(rank):
        return tf.SparseTensor([[0] * rank], tf.constant([1], tf.int64), [3] * rank)

    dense = tf.constant([[1]], tf.int64)
    for a, b, text in (
        (sparse(1), sparse(1), "Input 0, expected rank >= 2, got 1."),
        (dense, sparse(1), "Dimension must be 2 but is 1"),
        (dense, sparse(3), "Dimension must be 2 but is 3"),
        (tf.constant([1], tf.int64), sparse(2), "at least rank 2 but is rank 1"),
    ):
        with pytest.raises(ValueError, match=text):
            getattr(tf.sets, f)(a, b)


def test_sorting_along_another_axis_shows_its_permutation(graph):
    tf.contrib.framework.sort(tf.placeholder(tf.float32, [None] * 4), axis=1)
    perm = graph.get_tensor_by_name("sort/transposition:0")
    assert tf.contrib.util.constant_value(perm).tolist() == [0, 3, 2, 1]
