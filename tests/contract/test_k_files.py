"""Contract K: datasets of files, TFRecords and those of MNIST, in both modes."""

import gzip
import itertools
import sys

import numpy as np
import pytest

import twinflow as tf
from tests.contract.test_k_data import elements
from tests.modes import both


# ------------------------------------------------------------------ K03
@pytest.fixture
def examples(tmp_path):
    """A TFRecord file of 5 Examples: x, two floats, and y, an int."""
    path = str(tmp_path / "train.tfrecord")
    floats = lambda v: tf.train.Feature(float_list=tf.train.FloatList(value=v))
    ints = lambda v: tf.train.Feature(int64_list=tf.train.Int64List(value=v))
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(5):
            features = {"x": floats([i, i / 2]), "y": ints([i])}
            example = tf.train.Example(features=tf.train.Features(feature=features))
            writer.write(example.SerializeToString())
    return path


def parsed(record):
    """(x, y) of a serialized Example."""
    spec = {"x": tf.FixedLenFeature([2], tf.float32)}
    spec["y"] = tf.FixedLenFeature([], tf.int64)
    found = tf.parse_single_example(record, spec)
    return found["x"], found["y"]


@both
def test_k03_records(run, examples):
    def program():
        records = tf.data.TFRecordDataset(examples).map(parsed).batch(5)
        return records.make_one_shot_iterator().get_next()

    x, y = run(program)
    assert x.tolist() == [[i, i / 2] for i in range(5)]
    assert y.tolist() == list(range(5))


@both
def test_k03_a_training_pipeline_from_records(run, examples):
    def pipeline():
        records = tf.data.TFRecordDataset([examples, examples])
        pairs = records.map(parsed, num_parallel_calls=2).shuffle(20, seed=1)
        return pairs.map(lambda x, y: y).repeat(2).batch(4).prefetch(1)

    found = list(itertools.chain(*elements(run, pipeline)))
    assert sorted(found[:10]) == sorted(found[10:]) == sorted(2 * list(range(5)))
    assert found[:10] != found[10:]


# ------------------------------------------------------------------ K11
HELPER = """
import gzip, os, shutil
import numpy as np
import tensorflow as tf

def numbers(file, count):
    return np.frombuffer(file.read(4 * count), ">u4").tolist()

def unpacked(folder, name):
    path = os.path.join(folder, name)
    if not tf.gfile.Exists(path):
        with gzip.open(path + ".gz", "rb") as packed, tf.gfile.Open(path, "wb") as file:
            shutil.copyfileobj(packed, file)
    return path

def check(path, magic, shape):
    with tf.gfile.Open(path, "rb") as file:
        found = numbers(file, 2 + len(shape))
    if found[0] != magic or found[2:] != shape:
        raise ValueError("%s begins with %s" % (path, found))

def read(folder, images, labels):
    images, labels = unpacked(folder, images), unpacked(folder, labels)
    check(images, 2051, [28, 28])
    check(labels, 2049, [])

    def image(record):
        pixels = tf.cast(tf.decode_raw(record, tf.uint8), tf.float32)
        return tf.reshape(pixels, [28 * 28]) / 255.0

    def label(record):
        return tf.to_int32(tf.reshape(tf.decode_raw(record, tf.uint8), []))

    x = tf.data.FixedLengthRecordDataset(images, 28 * 28, header_bytes=16).map(image)
    y = tf.data.FixedLengthRecordDataset(labels, 1, header_bytes=8).map(label)
    return tf.data.Dataset.zip((x, y))

def train(folder):
    return read(folder, "train-images-idx3-ubyte", "train-labels-idx1-ubyte")

def test(folder):
    return read(folder, "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
"""


@pytest.fixture
def mnist(tmp_path, monkeypatch):
    """(dataset.py as a module, a folder of the four packed files, the arrays)"""
    rng, arrays = np.random.default_rng(0), {}
    for kind, n in ("train", 5), ("t10k", 3):
        x = rng.integers(0, 256, (n, 28, 28), np.uint8)
        y = rng.integers(0, 10, n).astype(np.uint8)
        heads = np.array([2051, n, 28, 28], ">u4"), np.array([2049, n], ">u4")
        for name, head, a in zip(("images-idx3", "labels-idx1"), heads, (x, y)):
            with gzip.open(tmp_path / f"{kind}-{name}-ubyte.gz", "wb") as file:
                file.write(head.tobytes() + a.tobytes())
        arrays[kind] = (x.reshape(n, 784) / np.float32(255), y)
    monkeypatch.setitem(sys.modules, "tensorflow", tf)
    module = type(sys)("dataset")
    exec(HELPER, module.__dict__)
    return module, str(tmp_path), arrays


@both
def test_k11_a_reader_of_mnist(run, mnist):
    dataset, folder, arrays = mnist
    for read, kind in (dataset.train, "train"), (dataset.test, "t10k"):
        take = lambda: read(folder).batch(10).make_one_shot_iterator().get_next()
        x, y = run(take)
        assert np.array_equal(x, arrays[kind][0].astype(np.float32))
        assert np.array_equal(y, arrays[kind][1]) and y.dtype == np.int32


@both
def test_k11_training_batches_of_mnist(run, mnist):
    dataset, folder, arrays = mnist

    def labels():
        pairs = dataset.train(folder).cache().shuffle(10, seed=1).repeat(2).batch(5)
        return pairs.map(lambda x, y: y)

    first, second = elements(run, labels)
    assert sorted(first) == sorted(second) == sorted(arrays["train"][1].tolist())


@both
def test_k11_a_damaged_file_of_mnist(run, mnist, tmp_path):
    dataset, folder, _ = mnist
    (tmp_path / "t10k-labels-idx1-ubyte").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="t10k-labels-idx1-ubyte begins with"):
        run(lambda: dataset.test(folder).make_one_shot_iterator().get_next())
