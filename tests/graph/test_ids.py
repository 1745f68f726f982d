"""The numbers that nodes would have in TensorFlow 1.12, recorded from it."""

import pytest

import twinflow as tf

layers = tf.contrib.layers


def resized(shape, size, keep=False):
    return lambda: tf.image.resize_images(
        tf.placeholder(tf.float32, shape), size, preserve_aspect_ratio=keep
    )


def flat():
    return tf.constant([[0.0, 1.0]])


def ids():
    return tf.SparseTensor(tf.constant([[0, 0]], tf.int64), tf.constant([1], tf.int64),
                           tf.constant([2, 2], tf.int64))  # fmt: skip


def towns(make):
    town = layers.sparse_column_with_integerized_feature("town", 5)
    return lambda: make(town)._to_dnn_input_layer(ids())


@pytest.mark.parametrize(
    ("make", "ids"),
    [
        (lambda: tf.reduce_mean(tf.Variable([1.0, 2.0])), 9),
        (lambda: tf.concat([tf.placeholder(tf.float32, [2, 2])], 1), 3),
        (resized((None, 4, 4, 1), [8, 8]), 3),
        (resized((None, None, 3), [8, 8]), 6),
        (resized((4, 4, 1), [4, 4]), 5),
        (resized((2, 4, 4, 1), [8, 8], True), 25),
        (lambda: tf.sparse_reshape(ids(), [4, 1]), 8),
        (lambda: tf.sparse_reorder(ids()), 5),
        (lambda: tf.nn.safe_embedding_lookup_sparse(tf.zeros([9, 2]), ids()), 60),
        (lambda: layers.bow_encoder(ids(), 5, 2), 57),
        (towns(layers.one_hot_column), 28),
        (lambda: layers.unit_norm(flat(), 1), 20),
        (lambda: layers.maxout(flat(), 1), 5),
        (lambda: layers.spatial_softmax(tf.placeholder(tf.float32, [2, 4, 4, 2])), 58),
        (lambda: layers.group_norm(tf.placeholder(tf.float32, [2, 4, 4, 6]), 3), 33),
    ],
)
def test_numbers_of_nodes(make, ids):
    with tf.Graph().as_default() as graph:
        make()
        assert graph._last_id == ids
