"""Sequences, texts and pictures as arrays; data sets from local files."""

import pickle

import numpy as np
import pytest

import twinflow as tf
from twinflow.base.errors import NotFoundError
from twinflow.keras.utils import plotting

K = tf.keras
P = K.preprocessing


def test_padding_and_cutting():
    pad = P.sequence.pad_sequences
    assert pad([[1, 2, 3], [4]]).tolist() == [[1, 2, 3], [0, 0, 4]]
    found = pad([[1, 2, 3], [4]], 2, padding="post", truncating="post", value=9)
    assert found.tolist() == [[1, 2], [4, 9]]
    assert pad([[[1, 2]], []], 2).shape == (2, 2, 2)
    with pytest.raises(ValueError, match='Padding type "left" not understood'):
        pad([[1]], padding="left")


def test_windows_of_a_series():
    rows = P.sequence.TimeseriesGenerator(
        np.arange(10), np.arange(10) * 10, length=4, sampling_rate=2, batch_size=4
    )
    x, y = rows[0]
    assert len(rows) == 2 and x[0].tolist() == [0, 2] and y.tolist() == [40, 50, 60, 70]
    with pytest.raises(ValueError, match="is disallowed"):
        P.sequence.TimeseriesGenerator([1, 2], [1, 2], length=5)


def test_pairs_of_words():
    pairs, labels = P.sequence.skipgrams([1, 2, 3], 4, 1, 0.0, shuffle=False)
    assert pairs == [[1, 2], [2, 1], [2, 3], [3, 2]] and labels == [1] * 4
    pairs, labels = P.sequence.skipgrams(range(9), 9, seed=1)
    assert sum(labels) * 2 == len(pairs)
    assert P.sequence.make_sampling_table(3)[2] == pytest.approx(0.0054759726939176976)


def test_words_by_how_frequent_they_are():
    words = P.text.Tokenizer(num_words=3, oov_token="?")
    words.fit_on_texts(["a b b", "B c"])
    assert words.word_index == {"?": 1, "b": 2, "a": 3, "c": 4}
    assert words.texts_to_sequences(["b a new"]) == [[2, 1, 1]]
    assert words.sequences_to_texts([[2, 9]]) == ["b ?"]
    assert words.texts_to_matrix(["b b a"], "count").tolist() == [[0, 1, 2]]
    again = P.text.tokenizer_from_json(words.to_json())
    assert again.texts_to_matrix(["b"], "tfidf")[0, 2] == pytest.approx(
        np.log(1 + 2 / 3)
    )
    assert P.text.hashing_trick("a, a b", 10, "md5")[0] in range(1, 10)
    with pytest.raises(ValueError, match="Unknown vectorization mode"):
        words.texts_to_matrix(["b"], "no")


def test_pictures_are_turned_over():
    x = np.arange(24, dtype="f").reshape(2, 3, 4, 1)
    change = P.image.ImageDataGenerator(rescale=2, featurewise_center=True)
    change.fit(x)
    batch, labels = change.flow(x, [0, 1], batch_size=2, shuffle=False)[0]
    np.testing.assert_allclose(batch, 2 * x - x.mean(), rtol=1e-5)
    assert labels.tolist() == [0, 1]
    flipped = change.apply_transform(x[0], {"flip_horizontal": True})
    np.testing.assert_array_equal(flipped, x[0, :, ::-1])
    shifted = P.image.apply_affine_transform(x[0], tx=1)
    np.testing.assert_allclose(shifted[0], x[0, 1])
    turned = P.image.apply_affine_transform(x[0, :, :3], theta=90)
    rows = [[8] * 3, [9] * 3, [10] * 3]  # around a point beside the middle, as in 1.12
    np.testing.assert_allclose(turned[..., 0], rows, atol=1e-4)
    change = P.image.ImageDataGenerator(
        rotation_range=9, zoom_range=0.1, shear_range=5, brightness_range=(0.5, 1.5),
        width_shift_range=0.1, channel_shift_range=1.0, validation_split=0.5,
    )  # fmt: skip
    flow = change.flow(x, batch_size=5, seed=3, subset="training")
    assert next(flow).shape == (1, 3, 4, 1)


def test_pictures_in_folders(tmp_path):
    pytest.importorskip("PIL")
    for i, kind in enumerate("ab"):
        (tmp_path / kind).mkdir()
        P.image.save_img(
            tmp_path / kind / "x.png", np.full((4, 5, 3), i * 255), scale=False
        )
    flow = P.image.ImageDataGenerator().flow_from_directory(
        str(tmp_path), (2, 2), shuffle=False
    )
    x, y = next(flow)
    assert x.shape == (2, 2, 2, 3) and x[1].max() == 255
    assert y.tolist() == [[1, 0], [0, 1]]


def test_files_of_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(NotFoundError, match=r"fetches nothing: get mnist\.npz .*https"):
        K.datasets.mnist.load_data()
    folder = tmp_path / ".keras" / "datasets"
    folder.mkdir(parents=True)
    a, b = np.zeros((2, 28, 28), np.uint8), np.zeros(2, np.uint8)
    np.savez(folder / "mnist.npz", x_train=a, y_train=b, x_test=a, y_test=b)
    assert K.datasets.mnist.load_data()[1][0].shape == (2, 28, 28)
    with pytest.raises(ValueError, match="damaged or another file"):
        K.utils.get_file("mnist.npz", "there", file_hash="0" * 64)
    cifar = folder / "cifar-10-batches-py"
    cifar.mkdir()
    batch = {b"data": np.zeros((2, 3072), np.uint8), b"labels": [1, 2]}
    for name in [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]:
        (cifar / name).write_bytes(pickle.dumps(batch))
    (x, y), _ = K.datasets.cifar10.load_data()
    assert x.shape == (10, 32, 32, 3) and y.shape == (10, 1)


def test_texts_as_numbers(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".keras" / "datasets"
    folder.mkdir(parents=True)
    x = np.empty(2, object)
    x[:] = [[1, 5], [2, 3, 9]]
    y = np.array([0, 1])
    np.savez(folder / "imdb.npz", x_train=x, y_train=y, x_test=x, y_test=y)
    (texts, labels), _ = K.datasets.imdb.load_data(num_words=10)
    found = {int(n): t for t, n in zip(texts, labels, strict=True)}
    assert found == {0: [1, 4, 8], 1: [1, 5, 6, 2]}


def test_models_are_drawn_by_pydot(monkeypatch):
    monkeypatch.setattr(plotting, "pydot", None)
    with pytest.raises(ImportError, match="Failed to import pydot"):
        K.utils.plot_model(K.Sequential())
