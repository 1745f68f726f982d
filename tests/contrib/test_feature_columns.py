"""Columns of tf.contrib.layers and of sequences: numbers of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.contrib.layers.sparse_ops import indicators_to_sparse_ids

L = tf.contrib.layers
PLACES = [[0, 0], [1, 0], [1, 1]]


def sparse(values):
    return tf.SparseTensor(PLACES, values, [2, 2])


def features():
    return {
        "r": tf.constant([[1.0, 2.5], [0.0, 9.0]]),
        "h": sparse(["x", "y", "z"]),
        "w": sparse([1.0, 2.0, 3.0]),
        "k": sparse(["a", "b", "c"]),
    }


def columns():
    r = L.real_valued_column("r", dimension=2)
    b = L.bucketized_column(r, [1, 2, 2, 3.0])
    h = L.sparse_column_with_hash_bucket("h", 10)
    k = L.sparse_column_with_keys("k", ["a", "b"])
    return r, b, h, k, L.weighted_sparse_column(h, "w"), L.crossed_column([h, k, b], 9)


def values_of(found):
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return session.run(found)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def test_older_columns_as_input():
    r, b, _, k, w, _ = columns()
    ones = tf.ones_initializer()
    row = [
        r, b, L.one_hot_column(k), L.one_hot_column(w),
        L.embedding_column(w, 2, "sum", initializer=ones),
        L.scattered_embedding_column("h", 20, 2, 3, initializer=ones),
    ]  # fmt: skip
    made: dict = {}
    L.input_from_feature_columns(features(), row, cols_to_outs=made)
    found = values_of([made[c] for c in row])
    np.testing.assert_array_equal(found[0], [[1.0, 2.5], [0.0, 9.0]])
    assert found[1].argmax(1).tolist() == [1, 0]
    np.testing.assert_array_equal(found[2], [[1, 0], [0, 1]])
    assert found[3][:, [0, 5, 7]].tolist() == [[1, 0, 0], [0, 2, 3]]
    np.testing.assert_array_equal(found[4], [[1, 1], [5, 5]])
    np.testing.assert_array_equal(found[5], np.ones([2, 2]))
    core = tf.feature_column.input_layer(features(), row[:3])
    assert core.shape.as_list() == [2, 12]


def test_older_columns_in_linear_models():
    r, *rest = columns()
    total, weights, bias = L.weighted_sum_from_feature_columns(
        features(), [r, *rest], 3, weight_collections=["mine"]
    )
    joint, _, _ = L.joint_weighted_sum_from_feature_columns(features(), rest[1:3], 1)
    slope = tf.gradients(total, weights[r])[0]
    found = values_of([total, joint, slope])
    assert not found[0].any() and not found[1].any()
    np.testing.assert_array_equal(found[2], [[1.0] * 3, [11.5] * 3])
    assert weights[rest[-1]][0].shape.as_list() == [9, 3]
    assert bias in tf.get_collection("mine")
    assert bias.name == "weighted_sum_from_feature_columns/bias_weight:0"


def test_crosses_have_the_ids_of_tensorflow():
    crossed = columns()[-1]
    made = L.transform_features(features(), [crossed])[crossed]
    assert values_of(made).values.tolist() == [8, 7, 3, 4, 1, 7, 0, 3, 8, 8]


def test_sequences():
    fc, S = tf.feature_column, tf.contrib.feature_column
    table = tf.constant_initializer([[1.0, 2.0], [3.0, 5.0], [7.0, 11.0]])
    ids = S.sequence_categorical_column_with_identity("a", 3)
    row = [
        fc.embedding_column(ids, 2, initializer=table), fc.indicator_column(ids),
        S.sequence_numeric_column("n"),
    ]  # fmt: skip
    given = {"a": sparse([2, 0, 1]), "n": sparse([0.0, 1.0, 10.0])}
    numbers, lengths = values_of(S.sequence_input_layer(given, row))
    np.testing.assert_array_equal(
        numbers,
        [[[7, 11, 0, 0, 1, 0], [0] * 6], [[1, 2, 1, 0, 0, 1], [3, 5, 0, 1, 0, 10]]],
    )
    assert lengths.tolist() == [1, 2]
    with pytest.raises(ValueError, match="must not be of type _SequenceCategorical"):
        fc.input_layer(given, row[:1])


def test_sparse_rows_and_summaries():
    found = values_of(indicators_to_sparse_ids([[0, 0, 1, 0], [1, 0, 0, 1]]))
    assert found.values.tolist() == [2, 0, 3]
    assert found.indices.tolist() == [[0, 0], [1, 0], [1, 1]]
    L.summarize_activation(tf.nn.relu6(tf.constant([-1.0, 7.0]), name="act"))
    names = [s.op.name for s in tf.get_collection("summaries")]
    assert names == ["act/zeros", "act/sixes", "act/activation"]
