# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.data.dataset import Dataset as Dataset
from twinflow.data.iterator import Iterator as Iterator
