"""Input functions of generators."""

from collections.abc import Callable
from typing import Any

from twinflow.estimator.feeding_queues import enqueue_data


def generator_input_fn(
    x: Callable[..., Any], target_key: Any = None, batch_size: int = 128,
    num_epochs: Any = 1,
    shuffle: bool = True, queue_capacity: int = 1000, num_threads: int = 1,
    pad_value: Any = None,
) -> Callable[..., Any]:  # fmt: skip
    """An input function of a generator of dicts.

    Args:
        x: () -> a generator of dicts of arrays.
        target_key: the key of the labels, or a list of keys; None: there are none.
        batch_size: rows at a time. num_epochs: passes; None: no end.
        shuffle: give rows in random order.
        queue_capacity: how many rows are shuffled among each other.
        num_threads: that fill the queue. pad_value: what fills rows up to one shape.
    Returns:
        () -> features, or (features, labels)
    Raises:
        TypeError: x is no function that gives a generator of dicts.
        KeyError: it does not give the target's key.
    """
    keys = target_key if isinstance(target_key, list) else [target_key]
    first = _first(x, keys if target_key is not None else [])

    def input_fn() -> Any:
        queue = enqueue_data(
            x, queue_capacity, shuffle=shuffle, num_threads=num_threads,
            enqueue_size=batch_size, num_epochs=num_epochs, pad_value=pad_value,
        )  # fmt: skip
        take = queue.dequeue_many if num_epochs is None else queue.dequeue_up_to
        taken = take(batch_size)
        taken = taken if isinstance(taken, list) else [taken]
        found = dict(zip(sorted(first), taken))
        if target_key is None:
            return found
        labels = {k: found.pop(k) for k in keys}
        return found, labels if isinstance(target_key, list) else labels[target_key]

    return input_fn


def _first(x: Any, keys: list) -> dict:
    if not callable(x):
        raise TypeError(f"x must be generator function; got {type(x).__name__}")
    generator = x()
    if not hasattr(generator, "__next__"):
        raise TypeError(f"x() must be generator; got {type(generator).__name__}")
    first = next(generator)
    if not isinstance(first, dict):
        raise TypeError(f"x() must yield dict; got {type(first).__name__}")
    for key in keys:
        if key not in first:
            raise KeyError(f"target_key not yielded by generator: {key}")
    return first
