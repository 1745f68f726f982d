"""The files of CIFAR, pickles of NumPy arrays."""

from typing import Any

import numpy as np

from twinflow.base.damage import reported
from twinflow.keras.datasets import pickled


def load_batch(fpath: Any, label_key: Any = "labels") -> Any:
    """(images uint8[n, 3, 32, 32], labels) of one file.

    Args:
        fpath: its path. label_key: "labels", "fine_labels" or "coarse_labels".
    Raises:
        ValueError: the file is damaged, or holds more than arrays and plain values.
    """
    with reported(fpath), open(fpath, "rb") as file:
        batch = pickled.read(file.read(), "bytes")
        batch = {k.decode() if isinstance(k, bytes) else k: v for k, v in batch.items()}
        data, labels = batch["data"], batch[label_key]
        return data.reshape(len(data), 3, 32, 32), np.asarray(labels).tolist()


def arranged(train: Any, test: Any, data_format: Any) -> Any:
    """Images and labels as arrays, with channels where the data format has them."""
    pairs = []
    for x, y in (train, test):
        x = x.transpose(0, 2, 3, 1) if data_format == "channels_last" else x
        pairs.append((x, np.reshape(y, (len(y), 1))))
    return tuple(pairs)
