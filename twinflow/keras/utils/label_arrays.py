"""Arrays as models take them."""

from typing import Any

import numpy as np

from twinflow.base.annotations import Array


def to_categorical(y: Any, num_classes: Any = None) -> Array:
    """A row for each class number: 1 at its place, 0 elsewhere.

    Args:
        y: int[...]. num_classes: an int; the largest number plus 1 if not given.
    Returns:
        float32[..., num_classes]
    Example:
        tf.keras.utils.to_categorical([0, 2])  # [[1, 0, 0], [0, 0, 1]]
    """
    y = np.array(y, dtype="int")
    shape = y.shape
    if shape and shape[-1] == 1 and len(shape) > 1:
        shape = shape[:-1]
    y = y.ravel()
    num_classes = num_classes or np.max(y) + 1
    found = np.zeros((y.shape[0], num_classes), dtype=np.float32)
    found[np.arange(y.shape[0]), y] = 1
    return found.reshape((*shape, num_classes))


def normalize(x: Any, axis: Any = -1, order: Any = 2) -> Any:
    """An array divided by its norm along an axis.

    Args:
        x: an array. axis: an int. order: that of the norm.
    """
    norms = np.atleast_1d(np.linalg.norm(x, order, axis))
    norms[norms == 0] = 1
    return x / np.expand_dims(norms, axis)
