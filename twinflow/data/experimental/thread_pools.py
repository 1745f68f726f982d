"""How many threads work for a dataset."""

from typing import Any

from twinflow.data.dataset import Dataset


class PrivateThreadPool:
    """How many threads the maps of a dataset have, each at most.

    Args:
        num_threads: how many. display_name, max_intra_op_parallelism: accepted.
    """

    def __init__(
        self, num_threads: int, display_name: str | None = None,
        max_intra_op_parallelism: int = 1,
    ) -> None:  # fmt: skip
        self.num_threads, self.display_name = num_threads, display_name
        self.max_intra_op_parallelism = max_intra_op_parallelism


def override_threadpool(dataset: Any, thread_pool: PrivateThreadPool) -> Dataset:
    """The same dataset with the threads of a pool.

    Args:
        dataset: a Dataset. thread_pool: a PrivateThreadPool.
    """
    count = thread_pool.num_threads
    start = lambda env: dataset.start(env.limited(count))
    found = Dataset("ThreadPoolDataset", dataset.structure, start, dataset.inputs)
    return found._made_from(dataset)
