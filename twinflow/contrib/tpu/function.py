"""tensorflow.contrib.tpu.python.tpu.tpu_function: how many shards a computation has."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any


class TpuContext:
    """What is known of the computation that is being built.

    Attributes: number_of_shards: how many replicas it has, None outside of one.
    """

    def __init__(self) -> None:
        self.number_of_shards: int | None = None

    def set_number_of_shards(self, number_of_shards: int | None) -> None:
        """Say how many replicas there are."""
        self.number_of_shards = number_of_shards


_current = TpuContext()


def get_tpu_context() -> TpuContext:
    """The context of this process."""
    return _current


@contextlib.contextmanager
def tpu_shard_context(number_of_shards: int) -> Iterator[None]:
    """A block which builds a computation of that many replicas.

    Raises:
        NotImplementedError: there is such a block around it, as in TensorFlow 1.12.
    """
    if _current.number_of_shards is not None:
        raise NotImplementedError("tpu_shard_context cannot be nested.")
    _current.set_number_of_shards(number_of_shards)
    try:
        yield
    finally:
        _current.set_number_of_shards(None)


def check_function_argument_count(
    func: Callable, input_arity: int, infeed_queue: Any
) -> str | None:
    """What is wrong with the number of arguments for a function; None if it fits.

    Args:
        func: the function. input_arity: how many inputs it gets.
        infeed_queue: has a `number_of_tuple_elements`, or None.
    """
    code = func.__code__
    most, defaults = code.co_argcount, len(func.__defaults__ or ())
    least, given = most - defaults, input_arity
    if infeed_queue is not None:
        given += infeed_queue.number_of_tuple_elements
    if given < least:
        word = "exactly" if not defaults and not code.co_flags & 4 else "at least"
        return f"{word} {least} arguments"
    if given > most and not code.co_flags & 4:
        word = "exactly" if not defaults else "at most"
        return f"{word} {most} arguments"
    return None
