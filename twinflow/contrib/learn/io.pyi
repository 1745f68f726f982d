# Made by `make stubs` from the table of the index.
from twinflow.contrib.learn.input_functions import numpy_input_fn as numpy_input_fn
from twinflow.contrib.learn.input_functions import pandas_input_fn as pandas_input_fn
from twinflow.contrib.learn.generators import generator_input_fn as generator_input_fn
from twinflow.contrib.learn.tables import extract_dask_data as extract_dask_data
from twinflow.contrib.learn.tables import extract_dask_labels as extract_dask_labels
from twinflow.contrib.learn.tables import extract_pandas_data as extract_pandas_data
from twinflow.contrib.learn.tables import extract_pandas_labels as extract_pandas_labels
from twinflow.contrib.learn.tables import extract_pandas_matrix as extract_pandas_matrix
from twinflow.contrib.learn.reading import queue_parsed_features as queue_parsed_features
from twinflow.contrib.learn.reading import read_batch_examples as read_batch_examples
from twinflow.contrib.learn.reading import read_batch_features as read_batch_features
from twinflow.contrib.learn.reading import read_batch_record_features as read_batch_record_features
from twinflow.contrib.learn.reading import read_keyed_batch_examples as read_keyed_batch_examples
from twinflow.contrib.learn.reading import read_keyed_batch_examples_shared_queue as read_keyed_batch_examples_shared_queue
from twinflow.contrib.learn.reading import read_keyed_batch_features as read_keyed_batch_features
from twinflow.contrib.learn.reading import read_keyed_batch_features_shared_queue as read_keyed_batch_features_shared_queue

__all__ = [
"numpy_input_fn", "pandas_input_fn", "generator_input_fn", "extract_dask_data",
"extract_dask_labels", "extract_pandas_data", "extract_pandas_labels",
"extract_pandas_matrix", "queue_parsed_features", "read_batch_examples",
"read_batch_features", "read_batch_record_features", "read_keyed_batch_examples",
"read_keyed_batch_examples_shared_queue", "read_keyed_batch_features",
"read_keyed_batch_features_shared_queue"
]
