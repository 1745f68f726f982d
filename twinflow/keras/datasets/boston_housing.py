"""tf.keras.datasets.boston_housing."""

from typing import Any

import numpy as np

from twinflow.keras.datasets.npz import arrays_of
from twinflow.keras.utils.data_files import get_file

_ORIGIN = (
    "https://storage.googleapis.com/tensorflow/tf-keras-datasets/boston_housing.npz"
)


def load_data(
    path: str = "boston_housing.npz", test_split: Any = 0.2, seed: int | None = 113
) -> tuple[Any, ...]:
    """Prices of houses, from ~/.keras/datasets.

    Args:
        path: the name of the file. test_split: the share to test with.
        seed: of the shuffling.
    Returns:
        ((float64[404, 13], float64[404]), (float64[102, 13], float64[102]))
    Raises:
        NotFoundError: the file is not there. ValueError: it is damaged.
    """
    x, y = arrays_of(get_file(path, _ORIGIN), "x", "y")
    order = np.arange(len(x))
    np.random.RandomState(seed).shuffle(order)
    x, y = x[order], y[order]
    at = int(len(x) * (1 - test_split))
    return (x[:at], y[:at]), (x[at:], y[at:])
