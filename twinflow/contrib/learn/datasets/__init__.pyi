# Made by `make stubs` from the table of the index.
from twinflow.contrib.learn.datasets import base as base
from twinflow.contrib.learn.datasets import mnist as mnist
from twinflow.contrib.learn.datasets.named import DATASETS as DATASETS
from twinflow.contrib.learn.datasets.named import SYNTHETIC as SYNTHETIC
from twinflow.contrib.learn.datasets.named import load_dataset as load_dataset
from twinflow.contrib.learn.datasets.named import make_dataset as make_dataset
from twinflow.contrib.learn.datasets import synthetic as synthetic
from twinflow.contrib.learn.datasets.tables import load_boston as load_boston
from twinflow.contrib.learn.datasets.tables import load_iris as load_iris
from twinflow.contrib.learn.datasets import text_datasets as text_datasets

__all__ = [
"base", "mnist", "DATASETS", "SYNTHETIC", "load_dataset", "make_dataset", "synthetic",
"load_boston", "load_iris", "text_datasets"
]
