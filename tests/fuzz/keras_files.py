"""Readers of Keras: weights, models, data sets."""

import contextlib
import io
import pickle
import zipfile
from typing import Any

import h5py
import numpy as np

import twinflow as tf
from tests.fuzz.readers import reader
from twinflow.keras.datasets import cifar, npz

K = tf.keras


def _network():
    model = K.Sequential(
        [
            K.layers.Dense(4, "relu", input_shape=(3,), name="a"),
            K.layers.BatchNormalization(name="b"), K.layers.Dense(2, name="c"),
        ]
    )  # fmt: skip
    model.compile("adam", "mse", metrics=["mae"])
    return model


class _Model:
    """Made once: building it takes longer than reading."""

    model: Any = None

    @classmethod
    def get(cls):
        cls.model = cls.model or _network()
        return cls.model


def _weights(folder):
    _Model.get().save_weights(str(folder / "w.h5"))
    return [folder / "w.h5"]


@reader(_weights)
def hdf5_weights(folder):
    _Model.get().load_weights(str(folder / "w.h5"))


@reader(_weights)
def hdf5_weights_by_name(folder):
    _Model.get().load_weights(str(folder / "w.h5"), by_name=True)


def _whole_model(folder):
    model = _Model.get()
    model.fit(np.ones([4, 3]), np.ones([4, 2]), verbose=0)
    model.save(str(folder / "m.h5"))
    return [folder / "m.h5"]


@reader(_whole_model)
def hdf5_model(folder):
    K.backend.clear_session()
    with tf.Graph().as_default():
        K.models.load_model(str(folder / "m.h5"))


def _matrix(folder):
    with h5py.File(folder / "x.h5", "w") as file:
        file["x"] = np.arange(60.0).reshape(20, 3)
    return [folder / "x.h5"]


@reader(_matrix)
def hdf5_matrix(folder):
    path = str(folder / "x.h5")
    K.utils.HDF5Matrix.refs.pop(path, None)
    K.utils.HDF5Matrix(path, "x")[2:9]


def _json(folder):
    (folder / "m.json").write_text(_Model.get().to_json())
    return [folder / "m.json"]


@reader(_json, names_file=False)
def model_json(folder):
    text = (folder / "m.json").read_bytes().decode("utf-8", "replace")
    with tf.Graph().as_default():
        K.models.model_from_json(text)


def _tokenizer(folder):
    words = K.preprocessing.text.Tokenizer()
    words.fit_on_texts(["some text", "more text"])
    (folder / "t.json").write_text(words.to_json())
    return [folder / "t.json"]


@reader(_tokenizer, names_file=False)
def tokenizer_json(folder):
    text = (folder / "t.json").read_bytes().decode("utf-8", "replace")
    K.preprocessing.text.tokenizer_from_json(text)


def _hparams(folder):
    (folder / "h").write_text('{"a": 1, "b": [1.5, 2.0], "c": "x"}')
    return [folder / "h"]


@reader(_hparams, names_file=False)
def hparams_json(folder):
    text = (folder / "h").read_bytes().decode("utf-8", "replace")
    with contextlib.suppress(KeyError):  # as it says, for a name that is not there
        tf.contrib.training.HParams(a=1, b=[1.0], c="y").parse_json(text)


def _npz(compressed):
    def make(folder):
        texts = np.empty(3, object)
        for i, value in enumerate([[1, 2], [3], [4, 5, 6]]):
            texts[i] = value
        save = np.savez_compressed if compressed else np.savez
        save(folder / "a.npz", x=np.arange(20, dtype=np.int32), y=texts)
        return [folder / "a.npz"]

    return make


@reader(_npz(False))
def npz_arrays(folder):
    npz.arrays_of(str(folder / "a.npz"), "x", "y")


@reader(_npz(True))
def npz_compressed(folder):
    npz.arrays_of(str(folder / "a.npz"), "x", "y")


def _one_npy(folder):
    file = io.BytesIO()
    texts = np.empty(2, object)
    texts[0], texts[1] = [1, 2], [3]
    np.save(file, texts)
    (folder / "x.npy").write_bytes(file.getvalue())
    return [folder / "x.npy"]


@reader(_one_npy, names_file=False)
def npz_objects(folder):
    with zipfile.ZipFile(folder / "a.npz", "w") as archive:
        archive.writestr("x.npy", (folder / "x.npy").read_bytes())
    npz.arrays_of(str(folder / "a.npz"), "x")


def _cifar(folder):
    batch = {b"data": np.zeros((2, 3072), np.uint8), b"labels": [1, 2]}
    (folder / "b").write_bytes(pickle.dumps(batch, 2))
    return [folder / "b"]


@reader(_cifar)
def cifar_batch(folder):
    cifar.load_batch(str(folder / "b"))
