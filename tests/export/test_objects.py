"""Objects that TensorFlow 2.21 saved: functions, variables, lists, Keras models."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager

SAMPLE = Path(__file__).parent / "data" / "tf221"  # relu(x @ w) twice, then doubled
TABLES = SAMPLE.with_name("tf221_tables")  # `Lookup` of make_newer.py
ROWS = np.ones((3, 2), np.float32)


@pytest.fixture
def eagerly():
    with eager():
        yield


@pytest.fixture(scope="module")
def written(tf221_python, tmp_path_factory):
    folder = tmp_path_factory.mktemp("objects")
    script = Path(__file__).with_name("make_newer.py")
    command = [tf221_python, script, folder]
    subprocess.run(command, check=True, timeout=300, capture_output=True)
    return folder


# ------------------------------------------------------------------ without 2.21
def test_signatures_and_variables(eagerly):
    model = tf.saved_model.load_v2(SAMPLE)
    signature = model.signatures["serving_default"]
    found = signature(x=[[1.0, 1.0]])
    np.testing.assert_allclose(found["y"], [[44, 64]])
    np.testing.assert_allclose(found["sums"], [10, 54, 108])
    assert [v.shape.as_list() for v in model.variables] == [[2, 2]]
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(signature(x=[[1.0, 1.0]])["y"])
    (slope,) = tape.gradient(loss, model.trainable_variables)
    assert slope.shape.as_list() == [2, 2] and np.all(slope.numpy() > 0)
    with pytest.raises(TypeError, match=r"takes \['x'\], once each"):
        signature(z=1.0)


def test_in_a_graph():
    with tf.Graph().as_default(), tf.Session() as session:
        model = tf.saved_model.load(str(SAMPLE))
        x = tf.placeholder(tf.float32, [None, 2])
        y = model.signatures["serving_default"](x)["y"]
        slope = tf.gradients(y, x)[0]
        session.run([v.initializer for v in model.variables])
        found, slopes = session.run([y, slope], {x: ROWS})
    np.testing.assert_allclose(found, [[44, 64]] * 3)
    assert slopes.shape == (3, 2)


def test_checkpoints_take_it(eagerly, tmp_path):
    model = tf.saved_model.load_v2(SAMPLE)
    before = model.variables[0].numpy().copy()
    path = tf.train.Checkpoint(model=model).save(str(tmp_path / "ckpt"))
    model.variables[0].assign(before * 0)
    tf.train.Checkpoint(model=model).restore(path)
    np.testing.assert_array_equal(model.variables[0], before)


def _check_tables(model):
    found = model(tf.constant(["a", "c", "other", "y"]))
    np.testing.assert_array_equal(found["ids"], [0, 2, 3, 3])
    np.testing.assert_array_equal(found["h"], [-1, -1, -1, 20])
    assert bytes(found["text"].numpy()) == b"a\nb\nc\n"
    words = tf.constant(["a", "b", "new"])
    np.testing.assert_array_equal(model.count(words), [6, 7, 1])
    np.testing.assert_array_equal(model.count(words), [7, 8, 2])


def test_tables(eagerly):
    _check_tables(tf.saved_model.load_v2(TABLES))
    _check_tables(tf.saved_model.load_v2(TABLES))  # each has its own


def test_tables_in_a_graph():
    with tf.Graph().as_default(), tf.Session() as session:
        model = tf.saved_model.load_v2(TABLES)
        words = tf.placeholder(tf.string, [None])
        ids, counts = model(words)["ids"], model.count(words)
        with pytest.raises(tf.errors.FailedPreconditionError, match="not initialized"):
            session.run(ids, {words: ["a"]})
        session.run(tf.tables_initializer())
        np.testing.assert_array_equal(session.run(ids, {words: ["b", "z"]}), [1, 3])
        np.testing.assert_array_equal(session.run(counts, {words: ["b", "z"]}), [7, 1])


def test_rows_of_text(eagerly):
    model = tf.saved_model.load_v2(TABLES)
    own, cut = model.split(tf.constant(["One TWO three", "", "x Y"]))
    assert own.numpy().tolist() == [
        [b"one", b"two", b"three"], [b"-"] * 3, [b"x", b"y", b"-"]
    ]  # fmt: skip
    assert cut.numpy().tolist() == [[b"one", b"two"], [b"", b""], [b"x", b"y"]]
    two = model.split(tf.constant(["a b c d"]))[1]
    assert two.numpy().tolist() == [[b"a", b"b"], [b"", b""], [b"", b""]]


def test_what_holds_no_objects(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, name="x")
        tf.saved_model.simple_save(session, str(tmp_path / "m"), {"x": x}, {"y": x + 1})
    with pytest.raises(ValueError, match="holds a graph and no objects"):
        tf.saved_model.load_v2(tmp_path / "m")
    with pytest.raises(OSError, match="SavedModel file does not exist"):
        tf.saved_model.load_v2(tmp_path / "none")


# --------------------------------------------------------------------- with 2.21
@pytest.mark.interop
def test_modules(written, eagerly):
    module = tf.saved_model.load_v2(written / "module")
    expected = ROWS @ np.array([[1, 2], [3, 4]]) + np.array([0.5, -0.5])
    np.testing.assert_allclose(module(ROWS), expected)
    np.testing.assert_allclose(module.loop(1.5), [2.5, 3.5, 4.5, 9, 18])
    assert int(module.count()) == 1 and int(module.count()) == 2
    assert int(module.step) == 2
    assert len(module.parts) == 2 and float(module.parts[1]) == 8.0
    assert float(module.table["one"]) == 1.0
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(module(ROWS))
    slopes = tape.gradient(loss, [module.w, module.b])
    np.testing.assert_allclose(slopes[0], [[3, 3], [3, 3]])
    np.testing.assert_allclose(slopes[1], [3, 3])


@pytest.mark.interop
def test_defaults_and_keywords(written, eagerly):
    module = tf.saved_model.load_v2(written / "module")
    x = tf.constant([1.0, 2.0])
    for k, given in ((2.0, {}), (3.0, {"k": 3.0})):
        found = module.scaled(x, **given)
        np.testing.assert_allclose(found["y"], [k, 2 * k])
        np.testing.assert_allclose(found["z"][0], [2, 4])
        np.testing.assert_allclose(found["z"][1], [-6, -5])
    with pytest.raises(ValueError, match=r"was not saved for the arguments float32\[3"):
        module.scaled(tf.ones([3]))


@pytest.mark.interop
@pytest.mark.parametrize("name", ["dense", "cnn", "lstm", "attention"])
def test_keras_models(written, eagerly, name):
    values = np.load(written / f"{name}.npz")
    model = tf.saved_model.load_v2(written / name)
    found = model.serve(values["x"])
    np.testing.assert_allclose(found, values["y"], rtol=1e-5, atol=1e-5)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model.serve(values["x"]) ** 2)
    slopes = tape.gradient(loss, model.trainable_variables)
    assert slopes and any(np.any(s.numpy()) for s in slopes if s is not None)


@pytest.mark.interop
def test_tables_of_several_kinds(written, eagerly):
    _check_tables(tf.saved_model.load_v2(written / "lookup"))
    dense = tf.saved_model.load_v2(written / "dense_table")
    found = dense(tf.constant([3, 4, 5, 6], tf.int64))
    np.testing.assert_allclose(found, [1.5, 2.5, -7, -7])


@pytest.mark.interop
def test_text_layers_of_keras(written, eagerly):
    values = np.load(written / "text.npz")
    model = tf.saved_model.load_v2(written / "text")
    found = model.serve(tf.constant(values["x"].tolist()))
    np.testing.assert_array_equal(found, values["y"])


READS = """
import sys, numpy as np, tensorflow as tf
model = tf.saved_model.load(sys.argv[1])
given = np.load(sys.argv[2])
found = model.signatures["serving_default"](x=tf.constant(given["x"]))["y"]
np.testing.assert_allclose(found, given["y"], rtol=1e-5, atol=1e-5)
"""


@pytest.mark.interop
def test_tensorflow_2_loads_what_we_write(tf221_python, tmp_path):
    layers = tf.keras.layers
    x = np.random.RandomState(0).randn(2, 5, 3).astype(np.float32)
    with tf.Graph().as_default():
        model = tf.keras.Sequential([
            layers.LSTM(4, input_shape=(5, 3)), layers.BatchNormalization(),
            layers.Dense(2),
        ])  # fmt: skip
        np.savez(tmp_path / "given", x=x, y=model.predict(x))
        session = tf.keras.backend.get_session()
        folder = str(tmp_path / "model")
        inputs, outputs = {"x": model.inputs[0]}, {"y": model.outputs[0]}
        tf.saved_model.simple_save(session, folder, inputs, outputs)
    command = [tf221_python, "-c", READS, folder, tmp_path / "given.npz"]
    found = subprocess.run(command, timeout=200, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr[-2000:]
