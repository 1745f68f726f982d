"""tf.contrib.lite.Interpreter over LiteRT."""

import gc

import numpy as np
import pytest

import twinflow as tf
from twinflow.contrib.lite import interpreter

pytest.importorskip("ai_edge_litert")
pytestmark = pytest.mark.exchange


@pytest.fixture(scope="module")
def model():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [1, 2], name="x")
        y = tf.multiply(x, 3.0, name="y")
        return tf.lite.TFLiteConverter.from_session(session, [x], [y]).convert()


def test_runs_what_is_set(model, tmp_path):
    path = tmp_path / "model.tflite"
    path.write_bytes(model)
    lite = tf.contrib.lite.Interpreter(model_path=str(path))
    lite.allocate_tensors()
    (given,), (made,) = lite.get_input_details(), lite.get_output_details()
    assert (given["name"], made["name"]) == ("x", "y")
    assert given["dtype"] is np.float32 and given["quantization"] == (0.0, 0)
    np.testing.assert_array_equal(given["shape"], [1, 2])
    lite.set_tensor(given["index"], np.float32([[1, 2]]))
    lite.invoke()
    np.testing.assert_array_equal(lite.get_tensor(made["index"]), [[3, 6]])
    assert {d["name"] for d in lite.get_tensor_details()} >= {"x", "y"}
    assert lite._get_tensor_details(given["index"])["name"] == "x"
    lite.reset_all_variables()


def test_memory_of_a_tensor(model):
    lite = tf.lite.Interpreter(model_content=model)
    lite.allocate_tensors()
    own = lite.tensor(lite.get_input_details()[0]["index"])
    own()[...] = 2.0
    lite.invoke()
    found = lite.tensor(lite.get_output_details()[0]["index"])
    np.testing.assert_array_equal(found(), [[6, 6]])
    held = found()
    with pytest.raises(RuntimeError, match="reference to internal data"):
        lite.invoke()
    del held
    gc.collect()
    lite.invoke()


def test_mistakes(model, tmp_path):
    make = tf.lite.Interpreter
    with pytest.raises(ValueError, match="must be specified"):
        make()
    with pytest.raises(ValueError, match="Can't both provide"):
        make("a", b"b")
    with pytest.raises(ValueError, match="Could not open"):
        make(str(tmp_path / "none.tflite"))
    lite = make(model_content=model)
    with pytest.raises(ValueError, match="Cannot set tensor"):
        lite.set_tensor(lite.get_input_details()[0]["index"], np.zeros([1, 2]))
    with pytest.raises(ValueError, match="Invalid tensor index 99"):
        lite._get_tensor_details(99)


def test_without_litert(model, monkeypatch):
    monkeypatch.setattr(interpreter, "LiteRT", None)
    with pytest.raises(ImportError, match="pip install ai-edge-litert"):
        interpreter.Interpreter(model_content=model)
