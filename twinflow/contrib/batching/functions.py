"""tf.contrib.batching: calls from several threads, computed as one batch."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from twinflow.base.dispatch import apply
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.ops.queues.batching import Batch, BatchCell, PartsCell, Unbatch

_HOUR = 3_600_000_000  # in us


def batch_function(
    num_batch_threads: int, max_batch_size: int, batch_timeout_micros: int,
    allowed_batch_sizes: Sequence[int] | None = None, max_enqueued_batches: int = 10,
) -> Callable[..., Any]:  # fmt: skip
    """A decorator: calls that come at about one time are computed together.

    The arguments of the calls are joined along their first axis, the function runs on
    the whole, and each call gets its rows of the results.

    Args:
        num_batch_threads: has no effect: the threads that call compute.
        max_batch_size: how many rows a batch has at most.
        batch_timeout_micros: how long a batch waits for more rows, in microseconds.
        allowed_batch_sizes: sizes to which batches are filled up, in order; the last is
            `max_batch_size`. max_enqueued_batches: how many may wait.
    Returns:
        The decorator of a function of tensors that gives a tensor or several.
    Raises:
        ValueError (the function): an argument is no tensor.
        tf.errors.InvalidArgumentError (when it runs): too many rows.
    Example:
        @tf.contrib.batching.batch_function(1, 10, 1000)
        def double(x):
            return x + x
        double(tf.constant([1, 2]))  # [2, 4]
    """
    settings = {
        "num_batch_threads": num_batch_threads, "max_batch_size": max_batch_size,
        "batch_timeout_micros": batch_timeout_micros, "grad_timeout_micros": _HOUR,
        "allowed_batch_sizes": tuple(allowed_batch_sizes or ()),
        "max_enqueued_batches": max_enqueued_batches,
    }  # fmt: skip

    def decorator(function: Callable) -> Callable:
        cells: dict = {}

        @functools.wraps(function)
        def decorated(*args: Any) -> Any:
            for a in args:
                if not isinstance(a, Tensor):
                    raise ValueError(
                        "All arguments to functions decorated with `batch_function`  "
                        f"are supposed to be Tensors; found {a!r}"
                    )
            with name_scope(None, "batch"):
                return _batched(function, args, settings, cells)

        return decorated

    return decorator


def _batched(function: Callable, args: Sequence, settings: dict, cells: dict) -> Any:
    eager = not args[0].symbolic
    queue = cells.setdefault("queue", BatchCell("batch")) if eager else BatchCell("b")
    *whole, index, number = apply(Batch, (list(args),), {**settings, "cell": queue})
    found = function(*whole)
    several = isinstance(found, list | tuple)
    parts = []
    for place, y in enumerate(found if several else [found]):
        cell = PartsCell("unbatch")
        if eager:
            cell = cells.setdefault(place, cell)
        attrs = {"timeout_micros": _HOUR, "cell": cell}
        parts.append(apply(Unbatch, (y, index, number), attrs))
    return parts if several else parts[0]
