"""When a call that does not fit is refused, and what graphs know of shapes."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both

ROWS = np.arange(6, dtype=np.float32).reshape(2, 3)
LATE = {  # a graph takes these calls; its run refuses them
    "transpose": (lambda: tf.transpose(ROWS, [0, 0]), "1 is missing from {0,0}"),
    "argmax": (
        lambda: tf.argmax(tf.zeros([0, 2]), 0),
        "axis 0 is empty in shape [0,2]",
    ),
    "cumsum": (lambda: tf.cumsum(ROWS, 2), "scan axis in the range [-2, 2), but got 2"),
    "cumsum axes": (lambda: tf.cumsum(ROWS, [0]), "must be a scalar, not [1]"),
    "segments": (
        lambda: tf.segment_sum(ROWS, [0, 0, 1]),
        "segment_ids should be the same size as dimension 0 of input.",
    ),
    "reverse_sequence": (
        lambda: tf.reverse_sequence(ROWS, [1, 1], seq_axis=0, batch_axis=0),
        "batch_dim == seq_dim == 0",
    ),
    "multinomial": (lambda: tf.multinomial(tf.zeros([2, 0]), 1), "should be positive"),
}


@pytest.fixture
def session(graph):
    with tf.Session() as opened:
        yield opened


@pytest.mark.parametrize("name", LATE)
def test_a_graph_takes_what_its_run_refuses(name, session):
    call, text = LATE[name]
    made = call()
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run(made)
        assert text in str(raised.value)


@pytest.mark.parametrize("name", LATE)
def test_an_eager_call_is_refused_at_once(name, eager):
    call, text = LATE[name]
    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        call()
    assert text in str(raised.value)


def test_no_pooling_over_the_batch(session):
    made = tf.nn.max_pool(tf.ones([2, 2, 2, 1]), [2, 1, 1, 1], [1, 1, 1, 1], "SAME")
    with pytest.raises(tf.errors.UnimplementedError, match="on the batch dimension"):
        session.run(made)


REFUSED = {  # what a graph refuses although it does not know the axis
    "concat scalars": (lambda axis: tf.concat([1, 2], axis), "concatenate scalars"),
    "concat ranks": (
        lambda axis: tf.concat([[1], [[2]]], axis),
        "Shape must be rank 1 but is rank 2",
    ),
    "split": (
        lambda axis: tf.split([[1, 2]], 2, [0, 1]),
        "must be scalar but has rank",
    ),
    "split sizes": (lambda axis: tf.split([[1, 2]], [1, 1], [1]), "must be scalar but"),
    "scatter_nd": (
        lambda axis: tf.scatter_nd([[0]], [[1, 2]], [0, 2]),
        "Indices and updates specified for empty output shape",
    ),
    "set_diag": (lambda axis: tf.matrix_set_diag([[0.0]], 0.0), "at least rank 1 but"),
    "rfft": (lambda axis: tf.spectral.rfft([1.0], [[1]]), "must have rank 1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_graph_refuses(name, session):
    call, text = REFUSED[name]
    with pytest.raises(ValueError, match=text):
        call(tf.placeholder(tf.int32, []))


def test_nothing_can_be_gathered_from_nothing(session):
    params = tf.placeholder(tf.float32)
    found = tf.gather_nd(params, [[0, 0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="but params is empty"):
        session.run(found, {params: np.zeros((0, 3))})


def test_gradients_of_gathered_rows_are_sparse(session):
    x = tf.constant(ROWS)
    (rows,) = tf.gradients(tf.gather_nd(x, [[1], [1]]), x)
    assert isinstance(rows, tf.IndexedSlices)
    np.testing.assert_array_equal(
        session.run(tf.convert_to_tensor(rows)), [[0] * 3, [2] * 3]
    )
    (dense,) = tf.gradients(tf.gather_nd(x, [[[1]], [[1]]]), x)
    assert not isinstance(dense, tf.IndexedSlices)


@both
def test_shapes_of_sparse_tensors(run):
    value = tf.SparseTensorValue([[0, 1], [1, 0]], [42, 24], [2, 3])

    def sizes():
        found = [value, tf.SparseTensor(*value)]
        return [
            [tf.shape(x), tf.size(x), tf.rank(x), tf.shape(x, out_type=tf.int64)]
            for x in found
        ]

    for shape, size, rank, wide in run(sizes):
        np.testing.assert_array_equal(shape, [2, 3])
        assert (size, rank, shape.dtype, wide.dtype) == (6, 2, np.int32, np.int64)


def test_sizes_of_identity_matrices_may_be_tensors(session):
    n = tf.placeholder(tf.int32, [])
    made = tf.eye(n, n + 1, batch_shape=[n, 1])
    np.testing.assert_array_equal(session.run(made, {n: 2}), [[np.eye(2, 3)]] * 2)


def test_the_shape_of_what_is_gathered_by_batch(session):
    made = tf.batch_gather(ROWS, tf.placeholder(tf.int32, [None, None]))
    assert made.shape.as_list() == [2, None]


def test_the_slope_of_a_frozen_batch_norm_does_not_depend_on_x(session):
    x, ones = tf.constant(ROWS.reshape(1, 1, 2, 3)), tf.ones(3)
    y, _, _ = tf.nn.fused_batch_norm(
        x, ones, ones, tf.zeros(3), ones, is_training=False
    )
    (slope,) = tf.gradients(y, x)
    (second,) = tf.gradients(slope, x)
    np.testing.assert_array_equal(session.run(second), np.zeros((1, 1, 2, 3)))
