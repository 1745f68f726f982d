"""Contract Q: the ops and losses that the seeds name, in both modes."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both

tfe = tf.contrib.eager


@both
def test_q01_mathematics(run):
    def build():
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        return [
            tf.add(x, 1.0), tf.multiply(x, x), tf.matmul(x, x), tf.square(x),
            tf.exp(tf.zeros([1])), tf.log(tf.ones([1])), tf.reduce_mean(x),
            tf.reduce_sum(x, axis=0), tf.maximum(x, 2.5), tf.argmax(x, axis=1),
            tf.equal(x, 2.0), tf.identity(x), tf.clip_by_norm(x, 1.0),
        ]  # fmt: skip

    found = run(build)
    x = np.float32([[1, 2], [3, 4]])
    wanted = [
        x + 1, x * x, x @ x, x * x, [1], [0], 2.5, [4, 6], np.maximum(x, 2.5), [1, 1],
        x == 2, x, x / np.sqrt(30),
    ]  # fmt: skip
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)
    assert found[9].dtype == np.int64 and found[10].dtype == bool


@both
def test_q02_arrays(run):
    def build():
        x = tf.reshape(tf.constant([0, 1, 2, 3, 4, 5, 6, 7]), [2, 4])
        a, b = tf.split(x, num_or_size_splits=2, axis=1)
        return [
            tf.zeros([2]), a, b, tf.concat([b, a], axis=1),
            tf.transpose(x, perm=[1, 0], name="turn"), tf.where(x > 5),
            tf.boolean_mask(x, [False, True]), tf.convert_to_tensor([1.0]),
        ]  # fmt: skip

    zeros, a, b, joined, turned, places, row, one = run(build)
    x = np.arange(8).reshape(2, 4)
    assert zeros.tolist() == [0.0, 0.0] and one.tolist() == [1.0]
    assert a.tolist() == x[:, :2].tolist() and b.tolist() == x[:, 2:].tolist()
    assert joined.tolist() == np.roll(x, 2, 1).tolist()
    assert turned.tolist() == x.T.tolist() and row.tolist() == [[4, 5, 6, 7]]
    assert places.tolist() == [[1, 2], [1, 3]]


@both
def test_q03_random_numbers(run):
    def build():
        return [
            tf.random_normal([1000]), tf.random_normal((2, 2)),
            tf.random_uniform([2, 2]), tf.random_uniform(shape=(1000,)),
        ]  # fmt: skip

    normal, pair, square, uniform = run(build)
    assert abs(normal.mean()) < 0.2 and abs(normal.std() - 1) < 0.2
    assert pair.shape == square.shape == (2, 2)
    assert 0 <= uniform.min() < 0.1 and 0.9 < uniform.max() < 1


@both
def test_q04_neural_networks(run):
    def build():
        x, w, b = tf.constant([[1.0, -1.0]]), tf.eye(2), tf.constant([1.0, 2.0])
        return [
            tf.nn.xw_plus_b(x, w, b), tf.nn.bias_add(x, b), tf.nn.relu(x),
            tf.nn.softmax(tf.zeros([1, 4])), tf.nn.embedding_lookup(w, [1, 0]),
            tf.nn.dynamic_rnn(
                tf.nn.rnn_cell.LSTMCell(3), tf.ones([2, 4, 5]), dtype=tf.float32
            )[0],
        ]  # fmt: skip

    affine, biased, relu, soft, rows, outputs = run(build)
    assert affine.tolist() == biased.tolist() == [[2.0, 1.0]]
    assert relu.tolist() == [[1.0, 0.0]] and soft.tolist() == [[0.25] * 4]
    assert rows.tolist() == [[0.0, 1.0], [1.0, 0.0]] and outputs.shape == (2, 4, 3)


@both
def test_q05_losses(run):
    def build():
        logits = tf.constant([[0.0, 0.0], [0.0, 0.0]])
        labels = tf.constant([[1.0, 0.0], [0.0, 1.0]])
        return [
            tf.losses.sparse_softmax_cross_entropy(labels=[0, 1], logits=logits),
            tf.losses.softmax_cross_entropy(labels, logits),
        ]

    for loss in run(build):
        assert loss.shape == () and loss.dtype == np.float32
        np.testing.assert_allclose(loss, np.log(2.0), rtol=1e-6)


def test_q05_losses_are_collected_in_graphs(graph):
    logits = tf.placeholder(tf.float32, [None, 2])
    loss = tf.losses.sparse_softmax_cross_entropy([0, 1], logits)
    assert tf.get_collection(tf.GraphKeys.LOSSES) == tf.losses.get_losses() == [loss]


def test_q05_shapes_that_do_not_fit(graph):
    with pytest.raises(ValueError, match="Shape mismatch: "):
        tf.losses.sparse_softmax_cross_entropy(
            labels=tf.zeros([3], tf.int32), logits=tf.zeros([2, 2])
        )


@both
def test_q06_dtypes_and_assign(run):
    def build():
        v = tfe.Variable([1.0, 2.0])
        with tf.control_dependencies([tf.assign(v, [3.0, 4.0])]):
            return v.read_value(), tf.cast(v, tf.int32), tf.zeros([1], tf.float64)

    v, i, d = run(build)
    assert v.tolist() == [3.0, 4.0] and (i.dtype, d.dtype) == (np.int32, np.float64)
    assert tf.float32.as_numpy_dtype is np.float32 and tf.as_dtype("int32") is tf.int32


def test_q06_hparams():
    config = tf.contrib.training.HParams()
    config.add_hparam("init_filters", 32)
    config.add_hparam("n_res", [3, 3])
    config.add_hparam("fused", True)
    config.parse("init_filters=16,fused=false,n_res=[1,2,3]")
    assert (config.init_filters, config.n_res, config.fused) == (16, [1, 2, 3], False)
    config.init_filters = 8
    assert config.values()["init_filters"] == 8 and "n_res" in config


def test_q06_test_cases_in_both_modes():
    seen = []

    class Example(tf.test.TestCase):
        @tfe.run_test_in_graph_and_eager_modes
        def test_square(self):
            seen.append(tf.executing_eagerly())
            y = tf.square(tf.constant([1.0, 2.0]))
            self.assertAllClose([1.0, 4.0], self.evaluate(y))
            self.assertAllEqual(y.shape.as_list(), [2])

    result = Example("test_square").run()
    assert result.wasSuccessful(), result.failures + result.errors
    assert sorted(seen) == [False, True]
