"""What tensorflow.python.eager.context has of the ops that have run."""

import time

from twinflow.base import dispatch
from twinflow.eager.callbacks import CALLBACKS, add_execution_callback
from twinflow.formats import protos

_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
_ran: list = []


def _note(op_type, inputs, attrs, outputs, op_name):
    """Remember an op, and when it was done; an execution callback."""
    sizes = [t._a.nbytes for t in outputs if hasattr(getattr(t, "_a", None), "nbytes")]
    _ran.append((op_type, time.time_ns(), sum(sizes)))


def enable_run_metadata():
    """Remember the ops that run from now on."""
    if _note not in CALLBACKS:
        add_execution_callback(_note)


enable_graph_collection = enable_run_metadata


def disable_run_metadata():
    """Forget them, and remember no more."""
    if _note in CALLBACKS:
        CALLBACKS.remove(_note)
        if not CALLBACKS:
            dispatch.watch_every_op(False)
    _ran.clear()


disable_graph_collection = disable_run_metadata


def export_run_metadata():
    """The ops that have been remembered since the last call, as a RunMetadata."""
    found = protos.RunMetadata()
    device = found.step_stats.dev_stats.add(device=_CPU)
    for name, nanos, size in _ran:
        node = device.node_stats.add(
            node_name=name, all_start_micros=nanos // 1000, all_start_nanos=nanos,
            scheduled_micros=nanos // 1000, scheduled_nanos=nanos,
        )  # fmt: skip
        node.memory.add(allocator_name="cpu", total_bytes=size, peak_bytes=size)
    _ran.clear()
    return found


class _EagerTensorCache:
    """Small tensors by keys, the latest ones.

    Args:
        max_items: how many are kept. max_tensor_size: elements of the largest.
    """

    def __init__(self, max_items=256, max_tensor_size=10000):
        self._data: dict = {}
        self._max_items, self._max_tensor_size = max_items, max_tensor_size

    def put(self, key, value):
        """Keep a tensor, if it is not too large."""
        if value._a.size > self._max_tensor_size:
            return
        self._data[key] = value
        while len(self._data) > self._max_items:
            self._data.pop(next(iter(self._data)))

    def get(self, key):
        """The tensor of a key, or None."""
        return self._data.get(key)

    def flush(self):
        """Forget all of them."""
        self._data.clear()
