"""Nested models with custom layers in the files of Keras 3, zipped and in HDF5."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.keras import make_nested
from twinflow.keras.saving import hdf5

pytestmark = pytest.mark.skipif(hdf5.h5py is None, reason="h5py is not installed")
ENDS = {"keras": None, "h5": "keras3_h5"}
Scale = make_nested.scale_layer(tf.keras)


def _keras3(python, command, folder):
    script = Path(make_nested.__file__)
    done = subprocess.run(
        [python, script, command, folder], timeout=300, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture
def model(eager):
    return make_nested.model(tf.keras, Scale)


@pytest.mark.parametrize("end", ENDS)
def test_there_and_back(model, tmp_path, end):
    path = str(tmp_path / f"nested.{end}")
    model.save(path, save_format=ENDS[end])
    again = tf.keras.models.load_model(path, custom_objects={"Scale": Scale})
    xs = make_nested.inputs()
    np.testing.assert_allclose(again.predict(xs), model.predict(xs), rtol=1e-6)


def test_training_is_written(eager, tmp_path):
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(2, input_shape=(3,))])
    model.compile("adam", "mse", ["mae"])
    path = str(tmp_path / "model.h5")
    model.save(path, save_format="keras3_h5")
    again = tf.keras.models.load_model(path)
    assert type(again.optimizer).__name__ == "Adam" and again.loss == "mse"


def test_unknown_format(model, tmp_path):
    with pytest.raises(ValueError, match="is 'keras', 'h5' or 'keras3_h5', got 'tf'"):
        model.save(str(tmp_path / "m"), save_format="tf")


@pytest.mark.interop
def test_keras3_reads_ours(model, tf221_python, tmp_path):
    for end, kind in ENDS.items():
        model.save(str(tmp_path / f"nested.{end}"), save_format=kind)
    _keras3(tf221_python, "read", tmp_path)
    expected = model.predict(make_nested.inputs())
    for end in ENDS:
        found = np.load(tmp_path / f"{end}.read.npy")
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.interop
def test_we_read_theirs(eager, tf221_python, tmp_path):
    _keras3(tf221_python, "write", tmp_path)
    for end in ENDS:
        path = str(tmp_path / f"nested.{end}")
        model = tf.keras.models.load_model(path, custom_objects={"Scale": Scale})
        expected = np.load(tmp_path / f"{end}.write.npy")
        found = model.predict(make_nested.inputs())
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
