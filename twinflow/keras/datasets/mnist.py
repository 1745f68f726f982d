"""tf.keras.datasets.mnist."""

from typing import Any

from twinflow.keras.datasets.npz import arrays_of
from twinflow.keras.utils.data_files import get_file

_ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz"


def load_data(path: str = "mnist.npz") -> tuple[tuple[Any, ...], ...]:
    """Handwritten digits, from ~/.keras/datasets.

    Args:
        path: the name of the file.
    Returns:
        ((uint8[60000, 28, 28], uint8[60000]), (uint8[10000, 28, 28], uint8[10000]))
    Raises:
        NotFoundError: the file is not there. ValueError: it is damaged.
    """
    names = ("x_train", "y_train", "x_test", "y_test")
    x_train, y_train, x_test, y_test = arrays_of(get_file(path, _ORIGIN), *names)
    return (x_train, y_train), (x_test, y_test)
