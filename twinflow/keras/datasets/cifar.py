"""The files of CIFAR, pickles of NumPy arrays."""

import io
import pickle

import numpy as np


class _Plain(pickle.Unpickler):
    """Reads arrays and plain values, and nothing else."""

    def find_class(self, module, name):
        if module.split(".")[0] in ("numpy", "_codecs"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is not part of CIFAR's files")


def load_batch(fpath, label_key="labels"):
    """(images uint8[n, 3, 32, 32], labels) of one file.

    Args:
        fpath: its path. label_key: "labels", "fine_labels" or "coarse_labels".
    """
    with open(fpath, "rb") as file:
        found = _Plain(io.BytesIO(file.read()), encoding="bytes").load()
    found = {k.decode() if isinstance(k, bytes) else k: v for k, v in found.items()}
    data = found["data"]
    return data.reshape(len(data), 3, 32, 32), found[label_key]


def arranged(train, test, data_format):
    """Images and labels as arrays, with channels where the data format has them."""
    pairs = []
    for x, y in (train, test):
        x = x.transpose(0, 2, 3, 1) if data_format == "channels_last" else x
        pairs.append((x, np.reshape(y, (len(y), 1))))
    return tuple(pairs)
