"""A decorator that calls a function again until it raises nothing."""

import functools
import random
import time
from collections.abc import Callable
from typing import Any

from twinflow.base import logging


def retry(
    initial_delay: float, max_delay: float, factor: float = 2.0, jitter: float = 0.25,
    is_retriable: Callable[..., Any] | None = None,
) -> Callable[..., Any]:  # fmt: skip
    """Call a function again after it raised, with growing pauses.

    Args:
        initial_delay: the first pause in seconds, at least 0.
        max_delay: no pause is longer; what is raised after that goes on.
        factor: how much longer each pause is than the last, at least 1.
        jitter: up to which part a pause is changed at random.
        is_retriable: of what was raised, whether to go on; always by default.
    Returns:
        a decorator
    Raises:
        ValueError: `factor` is below 1, `jitter` at least 1, or a delay negative.
    """
    if factor < 1:
        raise ValueError(f"factor must be >= 1; was {factor:f}")
    if jitter >= 1:
        raise ValueError(f"jitter must be < 1; was {jitter:f}")

    def pauses():
        delay = initial_delay
        while delay <= max_delay:
            yield delay * random.uniform(1 - jitter, 1 + jitter)
            delay *= factor

    def decorate(function):
        @functools.wraps(function)
        def calls(*args: Any, **kwargs: Any) -> Any:
            for pause in pauses():
                try:
                    return function(*args, **kwargs)
                except Exception as error:
                    if is_retriable is not None and not is_retriable(error):
                        raise
                    logging.warn("Sleeping for %.2f seconds after: %s", pause, error)
                    time.sleep(pause)
            return function(*args, **kwargs)

        return calls

    return decorate
