"""Datasets of several workers: each reads its share of the files, or of the elements.

Note [Sharding]: a dataset remembers the transforms that made it (Note [Rewriting]), so
a share can be taken where it costs least and means the same for all workers: among the
names of files, before they are shuffled or read. Each worker then opens its own files
only. Where no files are read, each takes every n-th element: all are computed by all.
"""

from typing import Any

from twinflow.base import logging
from twinflow.data import rewriting
from twinflow.data.dataset import Dataset
from twinflow.data.readers import FileDataset

_MIXED = {  # from here on elements are others, or in an order of each worker
    "ShuffleDataset", "RepeatDataset", "CacheDataset", "BatchDataset",
    "PaddedBatchDataset", "WindowDataset", "PrefetchDataset",
    "ShuffleAndRepeatDataset", "MapAndBatchDataset",
}  # fmt: skip
_NO_READER = (
    "Could not find a standard reader in the input pipeline (one of TextLineDataset, "
    "TFRecordDataset, FixedLengthRecordDataset). Falling back to sharding the dataset "
    "anyway. Please verify correctness of auto-sharding for your input."
)


def auto_shard_dataset(dataset: Dataset, num_shards: int, index: int) -> Dataset:
    """The share of one of several workers: by files if files are read.

    Args:
        dataset: the same for all workers; shuffled with a seed, or by elements read.
        num_shards: how many workers there are. index: the number of this one.
    Returns:
        A dataset of the same elements in form; all shares are the whole.
    Raises:
        ValueError: not 0 <= index < num_shards.
    """
    if not 0 <= index < num_shards:
        raise ValueError(
            f"Expected 0 <= index < num_shards, got index={index} and "
            f"num_shards={num_shards}."
        )
    if num_shards == 1:
        return dataset
    found = _by_files(dataset, num_shards, index)
    if found is None:
        logging.warning(_NO_READER)
        found = dataset.shard(num_shards, index)
    return found


def _by_files(dataset: Any, count: int, index: int) -> Any:
    """The share by files, or None where there are none, or too few."""
    links, first = _chain(dataset)
    if isinstance(first, FileDataset):
        share = first.of_files(count, index)
        return None if share is None else _made_of(share, links, dataset)
    if first._before:  # zipped or joined: a share of each
        return _of_several(first, links, dataset, count, index)
    reader = next((i for i, n in enumerate(links) if _reads(n)), None)
    if reader is None or _rows(first) < count:
        return None
    at = next((i for i, n in enumerate(links[:reader]) if n.kind in _MIXED), reader)
    names = _made_of(first, links[:at]).shard(count, index)
    return _made_of(names, links[at:], dataset)


def _chain(dataset: Any) -> tuple[list, Any]:
    """The transforms of a dataset in their order, and what they begin with."""
    links = []
    while dataset._link is not None:
        links.append(dataset._link)
        (dataset,) = dataset._before
    return links[::-1], dataset


def _made_of(first: Any, links: list, like: Any = None) -> Any:
    """The dataset that transforms make of another beginning."""
    for link in links:
        first = first._then(*link[:4], **link.facts)
    if like is not None:
        first._options = like.options()
    return first


def _of_several(first: Any, links: list, dataset: Any, count: int, index: int) -> Any:
    """Datasets side by side or after each other: the share of each of them by files."""
    if first._kind != "ConcatenateDataset":
        return None  # shares of files need not have equally many elements
    parts = [_by_files(d, count, index) for d in first._before]
    if any(part is None for part in parts):
        return None
    return _made_of(parts[0].concatenate(parts[1]), links, dataset)


def _reads(link: rewriting.Link) -> bool:
    """Whether the function of a transform makes datasets of files."""
    made = link.facts.get("made")
    return made is not None and _is_of_files(made)


def _is_of_files(dataset: Any) -> bool:
    return isinstance(dataset, FileDataset) or any(map(_is_of_files, dataset._before))


def _rows(dataset: Any) -> float:
    """How many elements a source has; endless where that is not known yet."""
    shapes = [getattr(t, "shape", None) for t in dataset.inputs]
    known = dataset._kind == "TensorSliceDataset" and shapes and shapes[0]
    return shapes[0][0] if known and isinstance(shapes[0], tuple) else float("inf")
