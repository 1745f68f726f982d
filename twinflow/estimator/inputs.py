"""tf.estimator.inputs: input functions of arrays and data frames."""

import collections
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dispatch
from twinflow.data.dataset import Dataset
from twinflow.ops.random.streams import get_seed


def numpy_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1,
    shuffle: Any = None, queue_capacity: int = 1000, num_threads: int = 1,
) -> Callable[..., Any]:  # fmt: skip
    """An input function of arrays.

    Args:
        x: an array, or a dict of arrays, with as many rows each.
        y: the labels: an array or a dict of arrays, or None.
        batch_size: rows of a batch. num_epochs: passes; None: without an end.
        shuffle: whether rows come in random order; must be given.
        queue_capacity: how many rows are shuffled among each other.
        num_threads: accepted.
    Returns:
        () -> features, or (features, labels)
    Raises:
        ValueError: `shuffle` is not given, there are no rows, or labels are called as
            features. TypeError: `x` is something else.
    Example:
        input_fn = tf.estimator.inputs.numpy_input_fn(
            {"x": np.array([1.0, 2.0])}, np.array([0, 1]), 2, shuffle=False)
        features, labels = input_fn()
        sess = tf.train.MonitoredSession()
        sess.run(labels)  # [0, 1]
    """
    _check_shuffle(shuffle)
    single = isinstance(x, np.ndarray)
    if not single and not isinstance(x, dict):
        raise TypeError(f"x must be a dict or array; got {type(x).__name__}")
    features = {"__": x} if single else collections.OrderedDict(x)
    if not features:
        raise ValueError("x cannot be an empty dict")
    labels = y if isinstance(y, dict) or y is None else {"__y": y}
    if labels is not None and not labels:
        raise ValueError("y cannot be empty dict, use None instead.")
    both = set(features) & set(labels or ())
    if both:
        raise ValueError(
            f"{len(both)} duplicate keys are found in both x and y: {both}"
        )
    lengths = {k: len(v) for k, v in {**features, **(labels or {})}.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(
            "Length of tensors in x and y is mismatched. All elements in x and y must "
            f"have the same length. Shapes in x and y: {lengths}"
        )

    def input_fn():
        parts = (features,) if labels is None else (features, labels)
        element = _next(
            parts, batch_size, num_epochs, shuffle, queue_capacity, num_threads
        )
        found = element[0]["__"] if single else element[0]
        if labels is None:
            return found
        return found, element[1] if isinstance(y, dict) else element[1]["__y"]

    return input_fn


def _check_shuffle(shuffle):
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean (it is recommended "
            f"to set it as True for training); got {shuffle}"
        )


def _next(parts, batch_size, num_epochs, shuffle, capacity, threads):
    """Tensors of the next batch."""
    queued = 15 + threads * (2 + sum(len(part) for part in parts))  # the queue's nodes
    with dispatch.current_mode().counted(queued):
        dataset = Dataset.from_tensor_slices(tuple(dict(part) for part in parts))
        if shuffle:
            dataset = dataset.shuffle(max(capacity, batch_size), get_seed(None)[1])
        dataset = dataset.repeat(num_epochs).batch(batch_size)
        return dataset.make_one_shot_iterator().get_next()


def pandas_input_fn(
    x: Any, y: Any = None, batch_size: Any = 128, num_epochs: Any = 1,
    shuffle: Any = None, queue_capacity: Any = 1000, num_threads: Any = 1,
    target_column: str = "target",
) -> Any:  # fmt: skip
    """An input function of a pandas DataFrame.

    Args:
        x: the DataFrame. y: the labels: a Series or DataFrame with the same index.
        target_column: the key of a Series among the columns. The others: see
            numpy_input_fn.
    Returns:
        () -> dict of columns, or (dict of columns, labels)
    Raises:
        ValueError: the indices differ.
    """
    _check_shuffle(shuffle)
    features = {str(name): x[name].to_numpy() for name in x.columns}
    labels = None
    if y is not None:
        if target_column in features:
            raise ValueError(
                f"Cannot use name {target_column} for target column: DataFrame already "
                f"has a column with that name: {x.columns}"
            )
        if not np.array_equal(x.index, y.index):
            raise ValueError(
                f"Index for x and y are mismatched.\nIndex for x: {x.index}\nIndex for "
                f"y: {y.index}\n"
            )
        columns = getattr(y, "columns", None)
        labels = (
            y.to_numpy() if columns is None
            else {str(name): y[name].to_numpy() for name in columns}
        )  # fmt: skip
    return numpy_input_fn(
        features, labels, batch_size, num_epochs, shuffle, queue_capacity, num_threads
    )
