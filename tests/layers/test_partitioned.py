"""Layers below a partitioner: what is cut, and what joins which collection.

The names are those that TensorFlow 1.12 gives.
"""

import pytest

import twinflow as tf

contrib, fc = tf.contrib.layers, tf.feature_column
X, IMAGE = [[1.0] * 4] * 2, [[[[1.0] * 4] * 4] * 4]
WHOLE = ("moving_mean", "moving_variance", "renorm_mean", "renorm_mean_weight",
         "renorm_stddev", "renorm_stddev_weight")  # fmt: skip
LAYERS = {
    "tf.layers": (
        lambda: tf.layers.batch_normalization(tf.constant(X), renorm=True),
        ("gamma", "beta"), WHOLE,
    ),
    "by one op": (
        lambda: contrib.batch_norm(tf.constant(IMAGE), fused=True, scale=True),
        ("gamma", "beta"), WHOLE[:2],
    ),
    "by its equation": (
        lambda: contrib.batch_norm(tf.constant(X), fused=False, batch_weights=[1., 2.]),
        ("beta",), WHOLE[:2],
    ),
    "renormalized": (
        lambda: contrib.batch_norm(tf.constant(X), renorm=True),
        ("beta",), WHOLE,
    ),
    "dense": (
        lambda: contrib.fully_connected(tf.constant(X), 4), ("weights", "biases"), (),
    ),
    "columns": (
        lambda: fc.linear_model({"x": tf.constant(X)}, [fc.numeric_column("x", 4)]),
        ("weights",), (),
    ),
    "table": (
        lambda: fc.input_layer({"c": tf.constant([["a"], ["b"]])}, [
            fc.embedding_column(fc.categorical_column_with_hash_bucket("c", 8), 4)
        ]),
        ("embedding_weights",), (),
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def made(layer):
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2)):
        return LAYERS[layer][0]()


@pytest.mark.parametrize("layer", LAYERS)
def test_what_a_partitioner_cuts(layer):
    y, (_, cut, whole) = made(layer), LAYERS[layer]
    names = [v.op.name for v in tf.global_variables()]
    ends = [n.rpartition("/part_")[0].split("/")[-1] for n in names if "/part_" in n]
    assert {*cut} <= {*ends} and not {*ends} & {*WHOLE}
    assert {n.split("/")[-1] for n in names if "/part_" not in n} == {*whole}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(y)


@pytest.mark.parametrize("layer", [k for k in LAYERS if k != "tf.layers"])
def test_variables_of_models_are_written_with_their_graph(layer):
    made(layer)
    noted = tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)
    assert set(noted) == set(tf.global_variables())
    written = tf.train.export_meta_graph().collection_def["model_variables"]
    assert len(written.bytes_list.value) == len(noted)
