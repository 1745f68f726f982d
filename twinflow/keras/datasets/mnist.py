"""tf.keras.datasets.mnist."""

import numpy as np

from twinflow.keras.utils.data_files import get_file

_ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz"


def load_data(path="mnist.npz"):
    """Handwritten digits, from ~/.keras/datasets.

    Args:
        path: the name of the file.
    Returns:
        ((uint8[60000, 28, 28], uint8[60000]), (uint8[10000, 28, 28], uint8[10000]))
    Raises:
        NotFoundError: the file is not there.
    """
    with np.load(get_file(path, _ORIGIN)) as f:
        return (f["x_train"], f["y_train"]), (f["x_test"], f["y_test"])
