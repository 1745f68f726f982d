"""tf.feature_column and feature_column_v2: numbers and names of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eagerly
from tests.ways import compiled, interpreted
from twinflow.feature_column.layers import InputLayer, _LinearModel
from twinflow.feature_column.v2 import layers as layers_v2
from twinflow.feature_column.v2 import makers as makers_v2

FEATURES = {
    "age": [[0.5], [2.0]],
    "size": [[1.0, 2.0], [3.0, 4.0]],
    "word": [["q", "r"], ["s", ""]],
    "place": [["x", "other"], ["y", ""]],
    "id": [[1], [7]],
    "weight": [[0.5], [2.0]],
}
CROSSED = "age_bucketized_X_place_X_word"
# Recorded from TensorFlow 1.12: bucketized age, two embeddings, two indicators, size.
DENSE = [
    [0, 1, 0, 3.8222031593, 4.6102795600, 0, 0.5, 0, 0, 0]
    + [1, 0, 1, 0, 2, 4, 6, 7],
    [0, 0, 1, 2.7521328926, 3.2261228561, 2, 0, 0, 0, 0]
    + [0, 1, 0, 0, 6, 8, 2, 3],
]  # fmt: skip
LINEAR = [[9.5], [7.5]]


def categories(fc):
    age = fc.bucketized_column(fc.numeric_column("age"), [0.0, 1.0])
    place = fc.categorical_column_with_vocabulary_list(
        "place", ["x", "y"], num_oov_buckets=2
    )
    number = fc.categorical_column_with_identity("id", 5, default_value=0)
    return [
        age,
        place,
        fc.categorical_column_with_hash_bucket("word", 10),
        fc.crossed_column(["word", place, age], 7),
        fc.weighted_categorical_column(number, "weight"),
    ]


def iota(shape, dtype=None, partition_info=None):
    return tf.reshape(tf.range(float(np.prod(shape))), shape)


def dense(fc):
    age, place, word, crossed, weighted = categories(fc)
    return [
        fc.numeric_column("size", 2, normalizer_fn=lambda x: x * 2.0),
        age,
        fc.indicator_column(place),
        fc.indicator_column(weighted),
        fc.embedding_column(word, 2, initializer=iota),
        fc.embedding_column(crossed, 2, "sqrtn", initializer=iota, max_norm=3.0),
    ]


def started():
    session = tf.Session()
    session.run([tf.global_variables_initializer(), tf.tables_initializer()])
    return session


@pytest.mark.parametrize("way", [interpreted, compiled])
def test_input_layer(way):
    with way(), tf.Graph().as_default():
        y = tf.feature_column.input_layer(FEATURES, dense(tf.feature_column))
        with started() as session:
            np.testing.assert_allclose(session.run(y), DENSE, rtol=1e-6)
        assert [v.name for v in tf.get_collection("model_variables")] == [
            f"input_layer/{CROSSED}_embedding/embedding_weights:0",
            "input_layer/word_embedding/embedding_weights:0",
        ]


def test_linear_model():
    fc, variables = tf.feature_column, {}
    columns = categories(fc)
    with tf.Graph().as_default():
        y = fc.linear_model(
            FEATURES, columns, sparse_combiner="mean", cols_to_vars=variables
        )
        slopes = tf.gradients(y, variables[columns[0]])
        with started() as session:
            for v in tf.trainable_variables()[:-1]:
                session.run(v.assign(iota(v.shape.as_list())))
            np.testing.assert_allclose(session.run(y), LINEAR)
            assert session.run(slopes[0]).values.tolist() == [[1.0], [1.0]]
        names = [c if c == "bias" else c.name for c in variables]
        assert [v.name for v in tf.global_variables()] == [
            "linear_model/bias_weights:0" if n == "bias"
            else f"linear_model/{n}/weights:0"
            for n in names
        ]  # fmt: skip


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_layers_of_the_second_protocol(mode):
    def numbers():
        layer = layers_v2.FeatureLayer(dense(makers_v2), name="input")
        y = layer(FEATURES)
        names = [v.name for v in layer.weights]
        assert names[1] == "input/word_embedding/embedding_weights:0"
        model = layers_v2.LinearModel(categories(makers_v2))
        return y, model(FEATURES), layer(FEATURES)

    if mode == "eager":
        found = eagerly(numbers)
    else:
        with tf.Graph().as_default():
            built = numbers()
            with started() as session:
                found = session.run(built)
    np.testing.assert_allclose(found[0], DENSE, rtol=1e-6)
    np.testing.assert_allclose(found[2], DENSE, rtol=1e-6)
    assert found[1].tolist() == [[0.0], [0.0]]


def test_eager_objects_keep_their_variables(eager):
    layer = InputLayer(dense(tf.feature_column))
    np.testing.assert_allclose(layer(FEATURES).numpy(), DENSE, rtol=1e-6)
    layer(FEATURES)
    assert len(layer.variables) == 2
    model = _LinearModel(categories(tf.feature_column), name="linear")
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(FEATURES))
    found = tape.gradient(loss, model.trainable_variables)
    assert len(found) == 6 and found[-1].numpy().tolist() == [2.0]
    assert tf.train.Checkpoint(model=model).save_counter.numpy() == 0


def test_checkpoints_hold_the_weights_of_all_columns(eager, tmp_path):
    def model():
        return layers_v2.LinearModel([makers_v2.numeric_column(k) for k in "ab"])

    given, saved, other = {"a": [[1.0]], "b": [[1.0]]}, model(), model()
    saved(given)
    for i, weights in enumerate(saved.weights):
        weights.assign(tf.fill(weights.shape, float(i + 1)))
    path = tf.train.Checkpoint(model=saved).save(str(tmp_path / "at"))
    tf.train.Checkpoint(model=other).restore(path)
    assert other(given).numpy().tolist() == [[6.0]]


def test_shared_tables():
    fc = tf.feature_column
    with tf.Graph().as_default():
        both = [fc.categorical_column_with_identity(k, 4) for k in "ab"]
        columns = fc.shared_embedding_columns(both, 2, initializer=iota)
        y = fc.input_layer({"a": [[1]], "b": [[3]]}, columns)
        (table,) = tf.global_variables()
        assert table.name == "input_layer/a_b_shared_embedding/embedding_weights:0"
        with started() as session:
            assert session.run(y).tolist() == [[2.0, 3.0, 6.0, 7.0]]


def test_parsing_and_keras():
    columns = dense(tf.feature_column)
    spec = tf.feature_column.make_parse_example_spec(columns)
    assert spec["size"] == tf.FixedLenFeature((2,), tf.float32)
    assert spec["word"] == tf.VarLenFeature(tf.string)
    assert set(spec) == set(FEATURES)
    with tf.Graph().as_default():
        layer = layers_v2.FeatureLayer([makers_v2.numeric_column("size", 2)])
        model = tf.keras.Sequential([layer, tf.keras.layers.Dense(1)])
        model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
        sizes = {"size": np.array(FEATURES["size"])}
        history = model.fit(sizes, np.ones([2, 1]), epochs=3, verbose=0)
        losses = history.history["loss"]
        assert losses[-1] < losses[0]


def test_batches_of_unknown_size():
    fc = tf.feature_column
    ages = fc.bucketized_column(fc.numeric_column("age", 2), [0.0, 1.0])
    cross = fc.indicator_column(fc.crossed_column([ages, "word"], 100))
    with tf.Graph().as_default():
        age = tf.placeholder(tf.float32, [None, 2])
        word = tf.placeholder(tf.string, None)
        y = fc.input_layer({"age": age, "word": word}, [cross])
        assert y.shape.as_list() == [None, 100]
        with tf.Session() as session:
            given = {age: [[0.5, 2.0]], word: ["a"]}
            assert session.run(y, given).sum() == 2


def test_keras_takes_datasets_of_dicts():
    with tf.Graph().as_default():
        layer = layers_v2.FeatureLayer([makers_v2.numeric_column("size", 2)])
        model = tf.keras.Sequential([layer, tf.keras.layers.Dense(1)])
        model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
        rows = {"size": np.array(FEATURES["size"])}, np.ones([2, 1], np.float32)
        batches = tf.data.Dataset.from_tensor_slices(rows).batch(2)
        for _ in range(2):
            model.fit(batches, steps_per_epoch=1, verbose=0)


def test_errors():
    fc = tf.feature_column
    number = fc.categorical_column_with_identity("id", 5)
    with pytest.raises(ValueError, match="must be a _DenseColumn"):
        fc.input_layer(FEATURES, [number])
    with pytest.raises(ValueError, match="Feature other is not in features dict"):
        fc.input_layer(FEATURES, [fc.numeric_column("other")])
    with pytest.raises(ValueError, match="Duplicate feature column name found"):
        fc.linear_model(FEATURES, [number, number])
    with pytest.raises(ValueError, match="Hashing before crossing will increase"):
        fc.crossed_column(["a", fc.categorical_column_with_hash_bucket("b", 5)], 9)
    with tf.Graph().as_default():
        y = fc.input_layer({"id": [[7]]}, [fc.indicator_column(number)])
        with pytest.raises(tf.errors.InvalidArgumentError, match="assert_less_than"):
            started().run(y)
