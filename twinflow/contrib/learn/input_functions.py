"""tf.contrib.learn.io: input functions that shuffle where nothing else is said."""

from collections.abc import Callable
from typing import Any

from twinflow.estimator import inputs


def numpy_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1,
    shuffle: bool = True, queue_capacity: int = 1000, num_threads: int = 1,
) -> Callable[..., Any]:  # fmt: skip
    """An input function of a dict of arrays; see tf.estimator.inputs.

    Example:
        x = {"a": np.arange(4)}
        give = tf.contrib.learn.io.numpy_input_fn(x, x["a"], 2, shuffle=False)
        give()[0]["a"].shape  # (2,)
    """
    return inputs.numpy_input_fn(
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads
    )


def pandas_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1,
    shuffle: bool = True, queue_capacity: int = 1000, num_threads: int = 1,
    target_column: str = "target",
) -> Callable[..., Any]:  # fmt: skip
    """An input function of a pandas DataFrame; see tf.estimator.inputs."""
    return inputs.pandas_input_fn(
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads,
        target_column,
    )  # fmt: skip
