"""Ops on many resources at once: those of a kind and a device become one op."""

import abc
import collections
import re
from typing import Any

from twinflow.graph.scopes import device as device_scope

_PUNCTUATION = re.compile(r"[\W_]+")


def plain_name(name: str | None) -> str | None:
    """A name without punctuation, as TensorFlow's accumulators have it."""
    return name and _PUNCTUATION.sub("", name)


class ScheduledOp(abc.ABC):
    """An op that is made later, together with others of its key."""

    @property
    @abc.abstractmethod
    def batching_key(self) -> Any:
        """What ops have in common that become one."""

    @property
    @abc.abstractmethod
    def batch_runner_fn(self) -> Any:
        """(list of scheduled ops, stamp) -> list of their results."""


class ScheduledStampedResourceOp(ScheduledOp):
    """An op on a resource with a stamp.

    Args:
        resource_handle: the handle. op: a function of handles, a stamp and lists, by
            the names of `kwargs`. kwargs: what goes into the lists.
    """

    def __init__(self, resource_handle: Any, op: Any, **kwargs: Any) -> None:
        self.resource_handle, self.op, self.args = resource_handle, op, kwargs

    @property
    def batching_key(self) -> Any:
        """The device of the handle, and the function."""
        return self.resource_handle.device, self.op

    @property
    def batch_runner_fn(self) -> Any:
        """See ScheduledOp."""
        return _run_stamped


def _run_stamped(batch, stamp):
    """The results of one op for a list of scheduled ones."""
    lists = {key: [op.args[key] for op in batch] for key in batch[0].args}
    found = batch[0].op([op.resource_handle for op in batch], stamp, **lists)
    if isinstance(found, list | tuple) and len(found):
        return list(zip(*found))
    return [found] * len(batch)


def run_handler_scheduled_ops(
    per_handler_ops: dict, stamp: Any, worker_device: Any
) -> dict:
    """The results of scheduled ops.

    Args:
        per_handler_ops: {handler: list of ScheduledOps, or of None}.
        stamp: int64 scalar. worker_device: where results go.
    Returns:
        {handler: list of results}, None where no op was.
    """
    batches: dict = collections.OrderedDict()
    results: dict = {}
    for handler, ops in per_handler_ops.items():
        results[handler] = [None] * len(ops)
        for place, op in enumerate(ops):
            if op is not None:
                key = op.batching_key, op.batch_runner_fn
                batches.setdefault(key, []).append((handler, place, op))
    for (_, run), entries in batches.items():
        with device_scope(worker_device):
            found = run([op for _, _, op in entries], stamp)
        for (handler, place, _), result in zip(entries, found):
            results[handler][place] = result
    return results
