"""tf.keras.datasets.cifar100."""

import os
from typing import Any

from twinflow.keras.backend import defaults
from twinflow.keras.datasets.cifar import arranged, load_batch
from twinflow.keras.utils.data_files import get_file

_ORIGIN = "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz"


def load_data(label_mode: str = "fine") -> Any:
    """Small pictures of a hundred kinds, from ~/.keras/datasets/cifar-100-python.

    Args:
        label_mode: "fine" (100 kinds) or "coarse" (20).
    Returns:
        ((uint8[50000, 32, 32, 3], int64[50000, 1]), (uint8[10000, ...], ...))
    Raises:
        ValueError: another mode. NotFoundError: the files are not there.
    """
    if label_mode not in ("fine", "coarse"):
        raise ValueError('`label_mode` must be one of `"fine"`, `"coarse"`.')
    folder = get_file("cifar-100-python", _ORIGIN, untar=True)
    key = f"{label_mode}_labels"
    train = load_batch(os.path.join(folder, "train"), key)
    test = load_batch(os.path.join(folder, "test"), key)
    return arranged(train, test, defaults.image_data_format())
