"""tf.keras.datasets.cifar10."""

import os
from typing import Any

import numpy as np

from twinflow.keras.backend import defaults
from twinflow.keras.datasets.cifar import arranged, load_batch
from twinflow.keras.utils.data_files import get_file

_ORIGIN = "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz"


def load_data() -> tuple[tuple[Any, ...], ...]:
    """Small pictures of ten kinds, from ~/.keras/datasets/cifar-10-batches-py.

    Returns:
        ((uint8[50000, 32, 32, 3], uint8[50000, 1]), (uint8[10000, ...], ...))
    Raises:
        NotFoundError: neither the folder nor its .tar.gz is there.
    """
    folder = get_file("cifar-10-batches-py", _ORIGIN, untar=True)
    parts = [load_batch(os.path.join(folder, f"data_batch_{i}")) for i in range(1, 6)]
    x = np.concatenate([x for x, _ in parts])
    y = np.concatenate([np.asarray(y, np.uint8) for _, y in parts])
    test = load_batch(os.path.join(folder, "test_batch"))
    return arranged((x, y), test, defaults.image_data_format())
