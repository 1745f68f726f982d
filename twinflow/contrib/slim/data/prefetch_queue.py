"""A queue with tensors that are computed before they are asked for."""

from typing import Any

from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import cast
from twinflow.ops.queues.kinds import FIFOQueue, PaddingFIFOQueue
from twinflow.summary import summaries
from twinflow.train.queue_runner import QueueRunner, add_queue_runner


def prefetch_queue(
    tensors: Any, capacity: int = 8, num_threads: int = 1, dynamic_pad: bool = False,
    shared_name: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """A queue of tensors, filled by threads.

    Args:
        tensors: a list, or {name: tensor}. capacity: of the queue.
        num_threads: how many. dynamic_pad: whether sizes may differ.
        shared_name: of the queue. name: of the nodes.
    Returns:
        a FIFOQueue; its `dequeue` gives tensors, by name if they had names
    """
    names = sorted(tensors) if isinstance(tensors, dict) else None
    listed = [tensors[n] for n in names] if names is not None else list(tensors)
    with name_scope(name, "prefetch_queue", listed) as scope:
        kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        queue = kind(
            capacity, [t.dtype for t in listed], [t.get_shape() for t in listed],
            names=names, shared_name=shared_name,
        )  # fmt: skip
        put = queue.enqueue(tensors if names is not None else listed)
        add_queue_runner(QueueRunner(queue, [put] * num_threads))
        full = cast(queue.size(), "float32") * (1.0 / capacity)
        summaries.scalar(f"fraction_of_{capacity}_full", full)
        del scope
        return queue
