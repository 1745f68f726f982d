"""`twinflow convert`: what comes out holds what went in."""

import struct
import subprocess
import sys

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager
from twinflow.base import errors
from twinflow.cli.convert import convert, main
from twinflow.formats import safetensors
from twinflow.keras.saving import hdf5

VALUES = {"a/b": np.arange(6, dtype=np.float32).reshape(2, 3), "n": np.int64(7)}


def _written(tmp_path):
    path = str(tmp_path / "x.safetensors")
    safetensors.write(path, VALUES, {"made by": "hand"})
    return path


def test_values_there_and_back(tmp_path, capsys):
    first, prefix = _written(tmp_path), str(tmp_path / "model.ckpt")
    assert main(first, prefix) == 0
    assert main(prefix, str(tmp_path / "y.safetensors")) == 0
    for path in (first, prefix, str(tmp_path / "y.safetensors")):
        reader = tf.train.load_checkpoint(path)
        for name, value in VALUES.items():
            np.testing.assert_array_equal(reader.get_tensor(name), value)
    assert safetensors.SafeTensors(first).metadata == {"made by": "hand"}


@pytest.mark.skipif(hdf5.h5py is None, reason="h5py is not installed")
def test_models(tmp_path):
    x = np.ones([2, 3], np.float32)
    with tf.Graph().as_default():
        layers = [tf.keras.layers.Dense(2, activation="relu", input_shape=(3,))]
        model = tf.keras.Sequential(layers)
        wanted, kernel = model.predict(x), model.get_weights()[0]
        model.save(str(tmp_path / "m.h5"))
    for target in ("m.keras", "m.weights.h5", "m.safetensors", "m.pb", "saved/"):
        convert(str(tmp_path / "m.h5"), f"{tmp_path}/{target}")
    convert(str(tmp_path / "saved"), str(tmp_path / "frozen.pbtxt"))
    with tf.Graph().as_default():
        again = tf.keras.models.load_model(str(tmp_path / "m.keras"))
        np.testing.assert_allclose(again.predict(x), wanted, rtol=1e-6)
    found = tf.train.load_checkpoint(str(tmp_path / "m.safetensors"))
    np.testing.assert_array_equal(found.get_tensor("layers/dense/vars/0"), kernel)
    predict = tf.contrib.predictor.from_saved_model(str(tmp_path / "saved"))
    (key,) = predict.feed_tensors
    np.testing.assert_allclose(*predict({key: x}).values(), wanted, rtol=1e-6)


def test_pair_without_sense(tmp_path, capsys):
    path = _written(tmp_path)
    assert main(path, str(tmp_path / "m.keras")) == 2
    assert (
        "can become safetensors (.safetensors), a checkpoint" in capsys.readouterr().err
    )
    assert main(path, "m.tflite") == 2
    assert "nothing of the one makes the other" in capsys.readouterr().err
    assert not (tmp_path / "m.keras").exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda b: b[:-1],
        lambda b: b[:20],
        lambda b: b[:4],
        lambda b: struct.pack("<Q", 1 << 60) + b[8:],
        lambda b: b.replace(b"F32", b"F99"),
        lambda b: b.replace(b"[2,3]", b"[9,3]"),
        lambda b: b[:8] + b"[" * 100 + b[108:],
    ],
)
def test_damaged_safetensors(tmp_path, change):
    path = tmp_path / "x.safetensors"
    _written(tmp_path)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(errors.DataLossError, match=r"x\.safetensors"):
        safetensors.SafeTensors(str(path))


def test_strings_are_refused(tmp_path):
    with pytest.raises(ValueError, match="safetensors has not"):
        safetensors.write(
            str(tmp_path / "x.safetensors"), {"s": np.array([b"a"], object)}
        )
    assert not list(tmp_path.iterdir())


@pytest.mark.exchange
def test_against_the_package(tmp_path):
    theirs = pytest.importorskip("safetensors.numpy")
    ours = theirs.load_file(_written(tmp_path))
    np.testing.assert_array_equal(ours["a/b"], VALUES["a/b"])
    theirs.save_file({"a": VALUES["a/b"]}, str(tmp_path / "z.safetensors"))
    found = safetensors.SafeTensors(str(tmp_path / "z.safetensors"))
    np.testing.assert_array_equal(found.read("a"), VALUES["a/b"])


def test_command(tmp_path):
    command = [sys.executable, "-m", "twinflow", "ckpt", "ls", _written(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert "2 tensors, 7 numbers" in done.stdout


def _saved_model(folder, rows):
    """An input and what the model says of it that stands in model.keras."""
    layers = tf.keras.layers
    x = np.random.RandomState(0).randn(rows, 3).astype(np.float32)
    with eager():
        model = tf.keras.Sequential([
            layers.Dense(4, input_shape=(3,)), layers.BatchNormalization(),
            layers.Dense(2),
        ])  # fmt: skip
        model.save(str(folder / "model.keras"))
        return x, model(tf.constant(x)).numpy()


def test_to_other_runtimes(tmp_path):
    """A model with a branch in it: straight, and by a graph without variables."""
    pytest.importorskip("onnx")
    x, expected = _saved_model(tmp_path, 2)
    convert(str(tmp_path / "model.keras"), str(tmp_path / "graph.pb"))
    for source in ("model.keras", "graph.pb"):
        for end, load in ((".onnx", tf.onnx.load), (".stablehlo", tf.stablehlo.load)):
            path = str(tmp_path / f"{source}{end}")
            convert(str(tmp_path / source), path)
            with eager():
                found = tf.contrib.framework.nest.flatten(load(path)(tf.constant(x)))
            np.testing.assert_allclose(found[0], expected, rtol=1e-5, atol=1e-6)


def test_to_tensorflow_lite(tmp_path):
    interpreter = pytest.importorskip("ai_edge_litert.interpreter")
    x, expected = _saved_model(tmp_path, 1)
    convert(str(tmp_path / "model.keras"), str(tmp_path / "model.tflite"))
    lite = interpreter.Interpreter(model_path=str(tmp_path / "model.tflite"))
    lite.allocate_tensors()
    lite.set_tensor(lite.get_input_details()[0]["index"], x)
    lite.invoke()
    (found,) = lite.get_output_details()
    np.testing.assert_allclose(lite.get_tensor(found["index"]), expected, rtol=1e-5)
    with pytest.raises(ValueError, match="can become nothing"):
        convert(str(tmp_path / "model.tflite"), str(tmp_path / "model.pb"))


def test_images_of_open_sizes_are_no_inputs_of_tensorflow_lite(tmp_path):
    with tf.Graph().as_default() as graph:
        tf.nn.relu(tf.placeholder(tf.float32, [None, None, 3], name="x"))
    tf.train.write_graph(graph, str(tmp_path), "g.pb", as_text=False)
    with pytest.raises(ValueError, match=r"'x' has \(\?, \?, 3\): use tf\.lite"):
        convert(str(tmp_path / "g.pb"), str(tmp_path / "g.tflite"))
