"""Input functions from arrays, as `fit(x, y)` takes them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.data.dataset import Dataset

_SHUFFLED = 10000


def as_array(data: Any) -> Any:
    """Data as an array of numbers: rows of columns; float64 becomes float32."""
    found = np.asarray(data.to_numpy() if hasattr(data, "to_numpy") else data)
    if found.dtype == np.float64:
        found = found.astype(np.float32)
    return found


def _features(x):
    if isinstance(x, dict):
        return {key: as_array(value) for key, value in x.items()}
    if not hasattr(x, "__len__") and hasattr(x, "__iter__"):
        x = list(x)
    found = as_array(x)
    return found.reshape(-1, 1) if found.ndim == 1 else found


def _labels(y):
    if isinstance(y, dict):
        return {key: _labels(value) for key, value in y.items()}
    if not hasattr(y, "__len__") and hasattr(y, "__iter__"):
        y = list(y)
    found = as_array(y)
    return found.astype(np.int64) if found.dtype.kind in "iub" else found


def rows_of(x: Any) -> int:
    """How many examples there are."""
    first = next(iter(x.values())) if isinstance(x, dict) else x
    return len(first)


def input_fn_of(
    x: Any, y: Any, batch_size: Any, shuffle: bool, epochs: Any
) -> Callable:
    """An input function that gives batches of arrays.

    Args:
        x: [n, ...], or {name: [n, ...]}. y: [n] or [n, ...], or None.
        batch_size: rows; all of them for None. shuffle: mix them.
        epochs: how often each row comes; None: without end.
    Raises:
        ValueError: there are not as many labels as examples.
    """
    features = _features(x)
    labels = None if y is None else _labels(y)
    count = rows_of(features)
    if labels is not None and rows_of(labels) != count:
        raise ValueError(
            f"The number of examples, {count}, is not that of labels, "
            f"{rows_of(labels)}."
        )

    def input_fn():
        parts = features if labels is None else (features, labels)
        dataset = Dataset.from_tensor_slices(parts)
        if shuffle:
            dataset = dataset.shuffle(min(max(count, 1), _SHUFFLED))
        dataset = dataset.repeat(epochs).batch(batch_size or max(count, 1))
        found = dataset.make_one_shot_iterator().get_next()
        return (found, None) if labels is None else found

    return input_fn


def checked_input(x: Any, y: Any, input_fn: Any, feed_fn: Any, batch_size: Any) -> None:
    """Raise ValueError where arrays and an input function are mixed, or both miss."""
    if x is None and y is None and input_fn is None:
        raise ValueError("Either x or input_fn must be provided.")
    if x is not None and y is None and input_fn is None and feed_fn is not None:
        raise ValueError("Can not provide both feed_fn and x.")
    if input_fn is None:
        return
    if x is not None or y is not None:
        raise ValueError("Can not provide both input_fn and x or y.")
    if feed_fn is not None:
        raise ValueError("Can not provide both input_fn and feed_fn.")
    if batch_size is not None:
        raise ValueError("Can not provide both input_fn and batch_size.")
