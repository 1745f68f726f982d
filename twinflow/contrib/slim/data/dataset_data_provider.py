"""The items of the examples of a Dataset."""

from typing import Any

from twinflow.base import errors
from twinflow.contrib.slim.data.data_provider import DataProvider
from twinflow.contrib.slim.data.parallel_reader import parallel_read


class DatasetDataProvider(DataProvider):
    """Reads the examples of a Dataset and decodes them.

    Args:
        dataset: a Dataset. num_readers: how many readers read at once.
        reader_kwargs: arguments of the readers. shuffle: mix files and examples.
        num_epochs: how often each example comes; None: without end.
        common_queue_capacity: of the queue of examples.
        common_queue_min: how many stay in it for mixing.
        record_key: the item that says where an example comes from.
        seed: of the mixing. scope: of the nodes.
    """

    def __init__(
        self, dataset: Any, num_readers: int = 1, reader_kwargs: Any = None,
        shuffle: bool = True, num_epochs: Any = None, common_queue_capacity: int = 256,
        common_queue_min: int = 128, record_key: str = "record_key", seed: Any = None,
        scope: Any = None,
    ) -> None:  # fmt: skip
        key, data = parallel_read(
            dataset.data_sources, dataset.reader, num_epochs, num_readers,
            reader_kwargs, shuffle, None, common_queue_capacity, common_queue_min, seed,
            scope,
        )  # fmt: skip
        items = dataset.decoder.list_items()
        found = dict(zip(items, dataset.decoder.decode(data, items), strict=True))
        if record_key in found:
            raise errors.UsageError(
                f"The item name used for `record_key` cannot also be used for a "
                f"dataset item: {record_key}"
            )
        found[record_key] = key
        super().__init__(found, dataset.num_samples)
