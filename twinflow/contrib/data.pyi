# Made by `make stubs` from the table of the index.
from twinflow.data.experimental.apply_functions import AUTOTUNE as AUTOTUNE
from twinflow.data.experimental.apply_functions import Counter as Counter
from twinflow.data.experimental.apply_functions import assert_element_shape as assert_element_shape
from twinflow.data.experimental.apply_functions import batch_and_drop_remainder as batch_and_drop_remainder
from twinflow.data.experimental.apply_functions import copy_to_device as copy_to_device
from twinflow.data.experimental.apply_functions import dense_to_sparse_batch as dense_to_sparse_batch
from twinflow.data.experimental.apply_functions import enumerate_dataset as enumerate_dataset
from twinflow.data.experimental.apply_functions import get_single_element as get_single_element
from twinflow.data.experimental.apply_functions import ignore_errors as ignore_errors
from twinflow.data.experimental.apply_functions import map_and_batch as map_and_batch
from twinflow.data.experimental.apply_functions import padded_batch_and_drop_remainder as padded_batch_and_drop_remainder
from twinflow.data.experimental.apply_functions import parallel_interleave as parallel_interleave
from twinflow.data.experimental.apply_functions import prefetch_to_device as prefetch_to_device
from twinflow.data.experimental.apply_functions import rejection_resample as rejection_resample
from twinflow.data.experimental.apply_functions import scan as scan
from twinflow.data.experimental.apply_functions import shuffle_and_repeat as shuffle_and_repeat
from twinflow.data.experimental.apply_functions import sliding_window_batch as sliding_window_batch
from twinflow.data.experimental.apply_functions import sloppy_interleave as sloppy_interleave
from twinflow.data.experimental.apply_functions import unbatch as unbatch
from twinflow.data.experimental.apply_functions import unique as unique
from twinflow.data.experimental.choosing import choose_from_datasets as choose_from_datasets
from twinflow.data.experimental.choosing import sample_from_datasets as sample_from_datasets
from twinflow.data.experimental.csv_dataset import CsvDataset as CsvDataset
from twinflow.data.experimental.csv_files import make_csv_dataset as make_csv_dataset
from twinflow.data.experimental.features import make_batched_features_dataset as make_batched_features_dataset
from twinflow.data.experimental.features import parse_example_dataset as parse_example_dataset
from twinflow.data.experimental.features import read_batch_features as read_batch_features
from twinflow.data.experimental.random_numbers import RandomDataset as RandomDataset
from twinflow.data.experimental.record_writer import TFRecordWriter as TFRecordWriter
from twinflow.data.experimental.sql import SqlDataset as SqlDataset
from twinflow.data.experimental.lmdb_files import LMDBDataset as LMDBDataset
from twinflow.data.experimental.stats import StatsAggregator as StatsAggregator
from twinflow.data.experimental.stats import latency_stats as latency_stats
from twinflow.data.experimental.stats import set_stats_aggregator as set_stats_aggregator
from twinflow.data.experimental.grouping import Reducer as Reducer
from twinflow.data.experimental.grouping import bucket_by_sequence_length as bucket_by_sequence_length
from twinflow.data.experimental.grouping import group_by_reducer as group_by_reducer
from twinflow.data.experimental.grouping import group_by_window as group_by_window
from twinflow.data.experimental.grouping import reduce_dataset as reduce_dataset
from twinflow.train.input_pipelines import CheckpointInputPipelineHook as CheckpointInputPipelineHook
from twinflow.train.input_pipelines import make_saveable_from_iterator as make_saveable_from_iterator
from twinflow.data.experimental.optional import Optional as Optional
from twinflow.data.experimental.optional import get_next_as_optional as get_next_as_optional

__all__ = [
"AUTOTUNE", "Counter", "assert_element_shape", "batch_and_drop_remainder",
"copy_to_device", "dense_to_sparse_batch", "enumerate_dataset", "get_single_element",
"ignore_errors", "map_and_batch", "padded_batch_and_drop_remainder",
"parallel_interleave", "prefetch_to_device", "rejection_resample", "scan",
"shuffle_and_repeat", "sliding_window_batch", "sloppy_interleave", "unbatch", "unique",
"choose_from_datasets", "sample_from_datasets", "CsvDataset", "make_csv_dataset",
"make_batched_features_dataset", "parse_example_dataset", "read_batch_features",
"RandomDataset", "TFRecordWriter", "SqlDataset", "LMDBDataset", "StatsAggregator",
"latency_stats", "set_stats_aggregator", "Reducer", "bucket_by_sequence_length",
"group_by_reducer", "group_by_window", "reduce_dataset", "CheckpointInputPipelineHook",
"make_saveable_from_iterator", "Optional", "get_next_as_optional"
]
