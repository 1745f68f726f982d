# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.data.dataset import Dataset as Dataset
from twinflow.data import experimental as experimental
from twinflow.data.iterators.handles import Iterator as Iterator
from twinflow.data.options import Options as _Options
class Options(_Options):
    r"""Switches of a dataset: how its transforms are rewritten (Note [Rewriting]).

    `experimental_autotune`, `experimental_stats`, `experimental_latency_all_edges`,
    `experimental_hoist_random_uniform` and `experimental_map_vectorization` are
    accepted and change nothing.

    Example:
        options = tf.data.Options(); options.experimental_autotune = True
    """
    experimental_autotune: Any
    experimental_filter_fusion: Any
    experimental_hoist_random_uniform: Any
    experimental_latency_all_edges: Any
    experimental_map_and_batch_fusion: Any
    experimental_map_and_filter_fusion: Any
    experimental_map_fusion: Any
    experimental_map_parallelization: Any
    experimental_map_vectorization: Any
    experimental_noop_elimination: Any
    experimental_shuffle_and_repeat_fusion: Any
    experimental_stats: Any
from twinflow.data.readers import FixedLengthRecordDataset as FixedLengthRecordDataset
from twinflow.data.readers import TextLineDataset as TextLineDataset
from twinflow.data.readers import TFRecordDataset as TFRecordDataset

__all__ = [
"Dataset", "experimental", "Iterator", "Options", "FixedLengthRecordDataset",
"TextLineDataset", "TFRecordDataset"
]
