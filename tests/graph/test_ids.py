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


def looked_up(strategy):
    return lambda: tf.nn.embedding_lookup(
        [tf.zeros([3, 2]), tf.zeros([2, 2])], [0, 1], strategy
    )


def of(*shape):
    return lambda: tf.placeholder(tf.float32, shape)


def weighted(weights, reduction="weighted_sum_by_nonzero_weights", losses=(2, 3)):
    return lambda: tf.losses.compute_weighted_loss(
        tf.placeholder(tf.float32, losses), weights(), reduction=reduction
    )


def pairwise():
    labels, predictions = of(None, 2)(), of(None, 2)()
    return tf.losses.mean_pairwise_squared_error(labels, predictions, 0.5)


def fused(*lengths):
    x = tf.placeholder(tf.float32, [None, None, 6])
    n = tf.placeholder(tf.int32, lengths) if lengths else None
    return tf.contrib.rnn.LSTMBlockFusedCell(5)(x, dtype=tf.float32, sequence_length=n)


def exclusive():
    cases = [tf.placeholder(tf.bool, []) for _ in range(3)]
    return tf.case([(c, lambda: 1.0) for c in cases], lambda: 2.0, exclusive=True)


def iterator(make):
    return lambda: make().make_initializable_iterator()


def padded():
    rows = tf.data.Dataset.range(3).map(lambda x: (x, tf.fill([x], 1)))
    return rows.padded_batch(2, ([], [None]))


def sliding():
    rows = tf.data.Dataset.from_generator(lambda: [], tf.int64, [])
    return rows.apply(tf.contrib.data.sliding_window_batch(2))


def shuffled():
    order = tf.contrib.data.shuffle_and_repeat(3, 2, seed=1)
    return tf.data.Dataset.range(3).apply(order)


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
        (looked_up("mod"), 25),
        (looked_up("div"), 39),
        (lambda: tf.sparse_reshape(tf.sparse_placeholder("float", [2, 3]), [3, -1]), 8),
        (weighted(lambda: 2.0), 42),
        (weighted(lambda: 2), 43),
        (weighted(of(2, 1)), 41),
        (weighted(of(2, 3)), 32),
        (weighted(of(None, 1)), 157),
        (weighted(of(2, 1), "weighted_mean"), 29),
        (weighted(of(None, 1), "none"), 66),
        (weighted(lambda: 1.0, "weighted_sum", None), 72),
        (pairwise, 79),
        (lambda: fused(None), 73),
        (fused, 45),
        (lambda: tf.contrib.framework.sort(of(None, 3)()), 11),
        (lambda: tf.contrib.framework.argsort(of(None, 3)(), 0, "DESCENDING"), 12),
        (lambda: tf.custom_gradient(lambda x: (x * x, tf.identity))(of(2)()), 3),
        (lambda: tf.nn.swish(of(2)()), 2),
        (exclusive, 44),
        (iterator(padded), 15),
        (iterator(sliding), 10),
        (iterator(shuffled), 19),
    ],
)
def test_numbers_of_nodes(make, ids):
    with tf.Graph().as_default() as graph:
        make()
        assert graph._last_id == ids
