"""The numbers that nodes would have in TensorFlow 1.12, recorded from it."""

import pytest

import twinflow as tf


def resized(shape, size, keep=False):
    return lambda: tf.image.resize_images(
        tf.placeholder(tf.float32, shape), size, preserve_aspect_ratio=keep
    )


def looked_up(strategy):
    return lambda: tf.nn.embedding_lookup(
        [tf.zeros([3, 2]), tf.zeros([2, 2])], [0, 1], strategy
    )


@pytest.mark.parametrize(
    ("make", "ids"),
    [
        (lambda: tf.reduce_mean(tf.Variable([1.0, 2.0])), 9),
        (lambda: tf.concat([tf.placeholder(tf.float32, [2, 2])], 1), 3),
        (resized((None, 4, 4, 1), [8, 8]), 3),
        (resized((None, None, 3), [8, 8]), 6),
        (resized((4, 4, 1), [4, 4]), 5),
        (resized((2, 4, 4, 1), [8, 8], True), 25),
        (looked_up("mod"), 25),
        (looked_up("div"), 39),
        (lambda: tf.sparse_reshape(tf.sparse_placeholder("float", [2, 3]), [3, -1]), 8),
    ],
)
def test_numbers_of_nodes(make, ids):
    with tf.Graph().as_default() as graph:
        make()
        assert graph._last_id == ids
