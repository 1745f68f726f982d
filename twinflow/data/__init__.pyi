# Made by `make stubs` from the table of the index.
from twinflow.data.dataset import Dataset as Dataset
from twinflow.data import experimental as experimental
from twinflow.data.iterators.handles import Iterator as Iterator
from twinflow.data.options import Options as Options
from twinflow.data.readers import FixedLengthRecordDataset as FixedLengthRecordDataset
from twinflow.data.readers import TextLineDataset as TextLineDataset
from twinflow.data.readers import TFRecordDataset as TFRecordDataset

__all__ = [
"Dataset", "experimental", "Iterator", "Options", "FixedLengthRecordDataset",
"TextLineDataset", "TFRecordDataset"
]
