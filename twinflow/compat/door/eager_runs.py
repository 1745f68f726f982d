"""What tensorflow.python.eager.context has of the ops that have run."""

import time

from twinflow.base import watching
from twinflow.formats import protos

_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


class _Noting(watching.Watcher):
    """Notes what runs: (op type, start, end in ns, bytes of outputs)."""

    def __init__(self):
        self.ran, self._starts = [], {}

    def begins(self, run):
        self._starts[id(run)] = time.time_ns()

    def ended(self, run):
        start, end = self._starts.pop(id(run)), time.time_ns()
        size = sum(getattr(value, "nbytes", 0) for value in run.outputs)
        self.ran.append((run.op.type, start, end, size))

    def failed(self, run, error):
        self._starts.pop(id(run), None)


_noting = _Noting()


def enable_run_metadata():
    """Remember the ops that run from now on."""
    if _noting not in watching.WATCHERS:
        watching.start(_noting)


enable_graph_collection = enable_run_metadata


def disable_run_metadata():
    """Forget them, and remember no more."""
    watching.stop(_noting)
    _noting.ran.clear()


disable_graph_collection = disable_run_metadata


def export_run_metadata():
    """The ops that have been remembered since the last call, as a RunMetadata."""
    found = protos.RunMetadata()
    device = found.step_stats.dev_stats.add(device=_CPU)
    for name, start, end, size in _noting.ran:
        micros = (end - start + 999) // 1000
        node = device.node_stats.add(
            node_name=name, all_start_micros=start // 1000, all_start_nanos=start,
            scheduled_micros=start // 1000, scheduled_nanos=start,
            op_end_rel_micros=micros, all_end_rel_micros=micros,
            op_end_rel_nanos=end - start, all_end_rel_nanos=end - start,
        )  # fmt: skip
        node.memory.add(allocator_name="cpu", total_bytes=size, peak_bytes=size)
    _noting.ran.clear()
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
