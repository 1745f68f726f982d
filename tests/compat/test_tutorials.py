"""tensorflow.examples.tutorials.mnist: digits from files, and the small network."""

import gzip
import struct

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import errors
from twinflow.compat.tutorials import mnist_model
from twinflow.contrib.learn.datasets import digits as mnist_data


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("MNIST_data")
    for kind, n in (("train", 30), ("t10k", 6)):
        images = np.arange(n * 12, dtype=np.uint8).tobytes()
        labels = bytes(i % 10 for i in range(n))
        head = struct.pack(">4i", 2051, n, 4, 3)
        with gzip.open(path / f"{kind}-images-idx3-ubyte.gz", "wb") as f:
            f.write(head + images)
        with gzip.open(path / f"{kind}-labels-idx1-ubyte.gz", "wb") as f:
            f.write(struct.pack(">2i", 2049, n) + labels)
    return str(path)


def test_parts(folder):
    sets = mnist_data.read_data_sets(folder, one_hot=True, validation_size=10, seed=3)
    train, validation, test = sets
    assert (train.num_examples, validation.num_examples, test.num_examples) == (
        20,
        10,
        6,
    )
    assert train.images.shape == (20, 12) and train.images.dtype == np.float32
    assert train.labels.shape == (20, 10) and train.labels.dtype == np.float64
    np.testing.assert_allclose(validation.images[0], np.arange(12) / 255)
    seen = [train.next_batch(8) for _ in range(5)]
    assert train.epochs_completed == 1 and all(len(x) == len(y) == 8 for x, y in seen)
    first = np.concatenate([x for x, _ in seen])[:20]
    assert len({row.tobytes() for row in first}) == 20  # an epoch shows each once


def test_forms(folder):
    sets = mnist_data.read_data_sets(
        folder, dtype=tf.uint8, reshape=False, validation_size=0
    )
    assert sets.test.images.shape == (6, 4, 3, 1) and sets.test.images.dtype == np.uint8
    x, y = sets.test.next_batch(2, shuffle=False)
    assert y.tolist() == [0, 1] and x[0, 0, 1, 0] == 1
    fake = mnist_data.read_data_sets("nowhere", fake_data=True, one_hot=True)
    assert len(fake.train.next_batch(2, True)[0][0]) == 784


def test_what_is_wrong(folder, tmp_path):
    with pytest.raises(
        errors.NotFoundError, match=r"There is no train-images.* and put"
    ):
        mnist_data.read_data_sets(str(tmp_path))
    with pytest.raises(ValueError, match=r"between 0 and 30\. Received: 31"):
        mnist_data.read_data_sets(folder, validation_size=31)
    with pytest.raises(TypeError, match="Invalid image dtype"):
        mnist_data.DataSet(None, None, dtype=tf.float64)
    path = f"{folder}/train-labels-idx1-ubyte.gz"
    with open(path, "rb") as f, pytest.raises(ValueError, match="Invalid magic number"):
        mnist_data.extract_images(f)


def test_the_network_learns():
    rng = np.random.RandomState(0)
    x, y = rng.rand(8, 784).astype(np.float32), np.arange(8) % 3
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        logits = mnist_model.inference(tf.constant(x), 8, 8)
        loss = mnist_model.loss(logits, tf.constant(y))
        step = mnist_model.training(loss, 0.1)
        right = mnist_model.evaluation(logits, tf.constant(y))
        names = [v.name for v in tf.trainable_variables()]
        assert names[:2] == ["hidden1/weights:0", "hidden1/biases:0"]
        session.run(tf.global_variables_initializer())
        before = session.run(loss)
        for _ in range(20):
            session.run(step)
        assert session.run(loss) < before and 0 <= session.run(right) <= 8
