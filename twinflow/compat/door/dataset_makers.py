"""The datasets of `dataset_ops` that programs made by their classes: functions here."""

from twinflow.data.dataset import Dataset


def _by(method, name):
    """A function of a dataset and of what its method takes."""

    def make(input_dataset, *args, **kwargs):
        return getattr(input_dataset, method)(*args, **kwargs)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"`input_dataset.{method}(...)`."
    return make


BatchDataset = _by("batch", "BatchDataset")
CacheDataset = _by("cache", "CacheDataset")
ConcatenateDataset = _by("concatenate", "ConcatenateDataset")
FilterDataset = _by("filter", "FilterDataset")
FlatMapDataset = _by("flat_map", "FlatMapDataset")
InterleaveDataset = _by("interleave", "InterleaveDataset")
MapDataset = _by("map", "MapDataset")
PaddedBatchDataset = _by("padded_batch", "PaddedBatchDataset")
PrefetchDataset = _by("prefetch", "PrefetchDataset")
RepeatDataset = _by("repeat", "RepeatDataset")
ShuffleDataset = _by("shuffle", "ShuffleDataset")
SkipDataset = _by("skip", "SkipDataset")
TakeDataset = _by("take", "TakeDataset")
RangeDataset = Dataset.range
SparseTensorSliceDataset = Dataset.from_tensor_slices
TensorDataset = Dataset.from_tensors
TensorSliceDataset = Dataset.from_tensor_slices
ZipDataset = Dataset.zip


def ParallelMapDataset(input_dataset, map_func, num_parallel_calls, *args, **kwargs):
    """`input_dataset.map(map_func, num_parallel_calls)`."""
    return input_dataset.map(map_func, num_parallel_calls)


def ParallelInterleaveDataset(
    input_dataset, map_func, cycle_length, block_length, num_parallel_calls
):
    """`input_dataset.interleave(...)` with parallel calls."""
    return input_dataset.interleave(
        map_func, cycle_length, block_length, num_parallel_calls
    )
