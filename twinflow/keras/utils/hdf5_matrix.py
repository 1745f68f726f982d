"""HDF5Matrix: rows of a file as data."""

from collections import defaultdict
from typing import Any

import numpy as np

from twinflow.base.annotations import Path
from twinflow.base.damage import UnreadableFile, located, reported
from twinflow.keras.saving import hdf5


class HDF5Matrix:
    """Rows of a dataset of an HDF5 file, read when they are asked for.

    Args:
        datapath: the path of the file. dataset: its name in the file.
        start, end: the rows to use. normalizer: a function of the rows read.
    Raises:
        ImportError: h5py is not installed.
    Example:
        import h5py
        with h5py.File("file.h5", "w") as file:
            file["data"] = np.ones((4, 3))
        x = tf.keras.utils.HDF5Matrix("file.h5", "data", start=1)
        x.shape  # (3, 3)
    """

    refs: defaultdict[Any, Any] = defaultdict(int)  # the open files, by path

    def __init__(
        self, datapath: Path, dataset: str, start: int = 0, end: Any = None,
        normalizer: Any = None,
    ) -> None:  # fmt: skip
        self._path = datapath
        with reported(datapath, UnreadableFile), located(f"the dataset {dataset!r}"):
            file = self.refs.get(datapath) or hdf5.opened(datapath, "r", "HDF5Matrix")
            self.data = file[dataset]
            self.start, self.normalizer = start, normalizer
            self.end = self.data.shape[0] if end is None else end
            self.refs[datapath] = file

    def __len__(self) -> int:
        return self.end - self.start

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            first, last, step = key.indices(len(self))
            found = self._read(slice(self.start + first, self.start + last, step))
        elif isinstance(key, int | np.integer):
            found = self._read(self._row(key))
        else:
            rows = [self._row(i) for i in np.asarray(key).tolist()]
            once = sorted(set(rows))  # h5py wants them in order
            found = self._read(once)[np.searchsorted(once, rows)]
        return self.normalizer(found) if self.normalizer else found

    def _read(self, rows):
        with reported(self._path, UnreadableFile):
            return self.data[rows]

    def _row(self, i):
        if not -len(self) <= i < len(self):
            raise IndexError(f"Row {i} of {len(self)}")
        return self.start + i % len(self)

    @property
    def shape(self) -> Any:
        """The shape, a tuple."""
        return (len(self), *self.data.shape[1:])

    @property
    def dtype(self) -> Any:
        """The dtype of the file."""
        return self.data.dtype

    @property
    def ndim(self) -> Any:
        """The number of axes."""
        return self.data.ndim

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return int(np.prod(self.shape))
