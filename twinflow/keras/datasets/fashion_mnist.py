"""tf.keras.datasets.fashion_mnist."""

import gzip
import os
from typing import Any

import numpy as np

from twinflow.base.damage import reported
from twinflow.keras.utils.data_files import get_file

_ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
_FILES = (
    "train-labels-idx1-ubyte.gz", "train-images-idx3-ubyte.gz",
    "t10k-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz",
)  # fmt: skip


def load_data() -> tuple[Any, ...]:
    """Pictures of clothes, from ~/.keras/datasets/fashion-mnist.

    Returns:
        ((uint8[60000, 28, 28], uint8[60000]), (uint8[10000, 28, 28], uint8[10000]))
    Raises:
        NotFoundError: a file is not there. ValueError: it is damaged.
    """
    folder = os.path.join("datasets", "fashion-mnist")
    paths = [get_file(n, _ORIGIN + n, cache_subdir=folder) for n in _FILES]
    y_train, y_test = _read(paths[0], 8), _read(paths[2], 8)
    return (_images(paths[1], y_train), y_train), (_images(paths[3], y_test), y_test)


def _images(path, labels):
    with reported(path):
        return _read(path, 16).reshape(len(labels), 28, 28)


def _read(path, offset):
    with reported(path), gzip.open(path, "rb") as file:
        return np.frombuffer(file.read(), np.uint8, offset=offset)
