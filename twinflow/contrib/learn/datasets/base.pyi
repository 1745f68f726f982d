# Made by `make stubs` from the table of the index.
from twinflow.contrib.learn.datasets.digits import maybe_download as maybe_download
from twinflow.contrib.learn.datasets.retrying import retry as retry
from twinflow.contrib.learn.datasets.tables import Dataset as Dataset
from twinflow.contrib.learn.datasets.tables import Datasets as Datasets
from twinflow.contrib.learn.datasets.tables import load_boston as load_boston
from twinflow.contrib.learn.datasets.tables import load_csv_with_header as load_csv_with_header
from twinflow.contrib.learn.datasets.tables import load_csv_without_header as load_csv_without_header
from twinflow.contrib.learn.datasets.tables import load_iris as load_iris
from twinflow.contrib.learn.datasets.tables import shrink_csv as shrink_csv

__all__ = [
"maybe_download", "retry", "Dataset", "Datasets", "load_boston", "load_csv_with_header",
"load_csv_without_header", "load_iris", "shrink_csv"
]
