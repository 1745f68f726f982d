"""tf.keras.datasets.fashion_mnist."""

import gzip
import os

import numpy as np

from twinflow.keras.utils.data_files import get_file

_ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
_FILES = (
    "train-labels-idx1-ubyte.gz", "train-images-idx3-ubyte.gz",
    "t10k-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz",
)  # fmt: skip


def load_data():
    """Pictures of clothes, from ~/.keras/datasets/fashion-mnist.

    Returns:
        ((uint8[60000, 28, 28], uint8[60000]), (uint8[10000, 28, 28], uint8[10000]))
    Raises:
        NotFoundError: a file is not there.
    """
    folder = os.path.join("datasets", "fashion-mnist")
    paths = [get_file(n, _ORIGIN + n, cache_subdir=folder) for n in _FILES]
    y_train, y_test = _read(paths[0], 8), _read(paths[2], 8)
    x_train = _read(paths[1], 16).reshape(len(y_train), 28, 28)
    return (x_train, y_train), (
        _read(paths[3], 16).reshape(len(y_test), 28, 28),
        y_test,
    )


def _read(path, offset):
    with gzip.open(path, "rb") as file:
        return np.frombuffer(file.read(), np.uint8, offset=offset)
