# Made by `make stubs` from the table of the index.
from twinflow.contrib.learn.datasets.digits import DEFAULT_SOURCE_URL as DEFAULT_SOURCE_URL
from twinflow.contrib.learn.datasets.digits import DataSet as DataSet
from twinflow.contrib.learn.datasets.digits import dense_to_one_hot as dense_to_one_hot
from twinflow.contrib.learn.datasets.digits import extract_images as extract_images
from twinflow.contrib.learn.datasets.digits import extract_labels as extract_labels
from twinflow.contrib.learn.datasets.digits import load_mnist as load_mnist
from twinflow.contrib.learn.datasets.digits import maybe_download as maybe_download
from twinflow.contrib.learn.datasets.digits import read_data_sets as read_data_sets
from twinflow.contrib.learn.datasets.tables import Datasets as Datasets

__all__ = [
"DEFAULT_SOURCE_URL", "DataSet", "dense_to_one_hot", "extract_images", "extract_labels",
"load_mnist", "maybe_download", "read_data_sets", "Datasets"
]
