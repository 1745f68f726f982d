"""Keras's files, `twinflow ckpt`, `convert` and `serve` with paths in a store."""

import uuid

import fsspec
import numpy as np
import pytest

import twinflow as tf
from twinflow.base import unfinished
from twinflow.cli import ckpt
from twinflow.cli.convert import convert
from twinflow.keras.saving import hdf5
from twinflow.serving import folders, loading


@pytest.fixture
def root():
    yield f"memory://{uuid.uuid4().hex}"
    fsspec.filesystem("memory").store.clear()


def net():
    layers = [tf.keras.layers.Dense(2, activation="relu", input_shape=(3,))]
    return tf.keras.Sequential(layers)


@pytest.mark.skipif(hdf5.h5py is None, reason="h5py is not installed")
def test_models(root, capsys):
    x = np.ones([2, 3], np.float32)
    with tf.Graph().as_default():
        model = net()
        wanted = model.predict(x)
        model.save(f"{root}/m.h5")
        model.save_weights(f"{root}/w.h5")
        model.save_weights(f"{root}/tf/ckpt")
    for target in ("m.keras", "m.weights.h5", "m.safetensors", "m.pb", "saved/1/"):
        convert(f"{root}/m.h5", f"{root}/{target}")
    convert(f"{root}/saved/1", f"{root}/frozen.pbtxt")
    convert(f"{root}/m.safetensors", f"{root}/values")
    for name in ("m.h5", "m.keras"):
        with tf.Graph().as_default():
            again = tf.keras.models.load_model(f"{root}/{name}")
            np.testing.assert_allclose(again.predict(x), wanted, rtol=1e-6)
    with tf.Graph().as_default():
        for name in ("w.h5", "m.weights.h5", "m.safetensors", "tf/ckpt"):
            again = net()
            again.load_weights(f"{root}/{name}")
            np.testing.assert_allclose(again.predict(x), wanted, rtol=1e-6)
    assert ckpt.ls(f"{root}/values") == 0
    assert "layers/dense/vars/0  float32[3, 2]" in capsys.readouterr().out
    (version,) = folders.versions_in(f"{root}/saved").values()
    assert version == f"{root}/saved/1"
    names = {name for _, name, _, _ in loading.files_of(version)}
    assert "saved_model.pb" in names and "variables.index" in names
    with pytest.raises(FileNotFoundError):
        hdf5.h5py.File(f"{root}/m.h5", "r")  # it is in no folder `memory:` of this one


def test_a_file_is_replaced_whole_or_stays(root, tmp_path, monkeypatch):
    for folder in (root, str(tmp_path)):
        path = f"{folder}/file"
        unfinished.write(path, b"first")
        with monkeypatch.context() as patched, pytest.raises(OSError, match="/file"):
            patched.setattr("twinflow.base.stores.replace", _full)
            unfinished.write(path, b"second")
        assert tf.gfile.GFile(path, "rb").read() == b"first"
        assert tf.gfile.ListDirectory(folder) == ["file"]


def _full(old, new):
    raise OSError(28, "No space left on device", old)
