"""What reads time series: from arrays, CSV files and files of tf.Examples."""

import abc
import collections
from typing import Any

import numpy as np

from twinflow.base.dtypes import float32, int64
from twinflow.base.tensor import Tensor
from twinflow.contrib.timeseries.feature_keys import TrainEvalFeatures
from twinflow.data.dataset import Dataset
from twinflow.data.experimental.apply_functions import get_single_element
from twinflow.data.readers import TextLineDataset, TFRecordDataset
from twinflow.estimator.feeding_queues import enqueue_data
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.joining import stack
from twinflow.ops.core.shape import squeeze
from twinflow.ops.parsing.public import parse_example
from twinflow.ops.queues.readers import TextLineReader, TFRecordReader
from twinflow.ops.strings.csv import decode_csv
from twinflow.train.producers import string_input_producer

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES
_HINT = 4096


def _too_short(wanted, found):
    return (
        f"A TimeSeriesInputFn is configured to create windows of size {wanted}, but "
        f"only {found} records were available in the dataset. Either decrease the "
        "window size or provide more records."
    )


class TimeSeriesReader:
    """What reads a time series; the base of the readers."""

    @abc.abstractmethod
    def read(self) -> dict[str, Tensor]:
        """The next records in the order of the series, by name; then from the start.

        Returns:
            dict of tensors: times, int64[records], values, [records, features], others.
        """

    @abc.abstractmethod
    def read_full(self) -> dict[str, Tensor]:
        """The whole series, by name, as `read`."""

    def check_dataset_size(self, minimum_dataset_size: int) -> None:
        """Refuse windows that are longer than the series, where that is known.

        Args:
            minimum_dataset_size: int, the size of a window.
        Raises:
            ValueError: the series is shorter.
        """


class NumpyReader(TimeSeriesReader):
    """Reads a time series from arrays.

    Args:
        data: dict of arrays: `times`, int[records] (or [1, records]), `values`,
            [records] or [records, features], and other features, whose shapes begin
            like that of the times.
        read_num_records_hint: int, how many records `read` gives at once.
    Raises:
        ValueError: times or values are missing, or shapes do not fit.
    Example:
        reader = tf.contrib.timeseries.NumpyReader(
            {"times": np.arange(4), "values": np.float32([1., 2., 3., 4.])})
        reader.read_full()["values"]  # float32[4, 1]
    """

    def __init__(
        self, data: dict[Any, Any], read_num_records_hint: int = _HINT
    ) -> None:
        self._features = canonical_arrays(data, require_single_batch=True)
        self._hint = read_num_records_hint

    def check_dataset_size(self, minimum_dataset_size: int) -> None:
        """See TimeSeriesReader."""
        found = len(self._features[_TIMES])
        if found < minimum_dataset_size:
            raise ValueError(_too_short(minimum_dataset_size, found))

    def read(self) -> dict[str, Tensor]:
        """See TimeSeriesReader."""
        names = sorted(self._features)
        queue = enqueue_data(
            collections.OrderedDict((n, self._features[n]) for n in names),
            capacity=self._hint, num_threads=1,
        )  # fmt: skip
        _, *columns = queue.dequeue_many(self._hint)
        return dict(zip(names, columns))

    def read_full(self) -> dict[str, Tensor]:
        """See TimeSeriesReader."""
        return {name: constant(array) for name, array in self._features.items()}


def canonical_arrays(data: dict, require_single_batch: bool) -> dict[str, np.ndarray]:
    """Arrays of a series with the shapes that models take.

    Args:
        data: see NumpyReader. require_single_batch: refuse several series, and give
            arrays without a batch dimension; else with one.
    Raises:
        ValueError: see NumpyReader.
    """
    if _TIMES not in data or _VALUES not in data:
        raise ValueError(f"{_TIMES} and {_VALUES} are required features.")
    data = {name: np.asarray(array) for name, array in data.items()}
    times = data[_TIMES]
    for name, array in data.items():
        if array.shape[: times.ndim] != times.shape:
            raise ValueError(
                "All features must have their shapes prefixed by the shape of the "
                f"times feature. Got shape {array.shape} for feature '{name}', but "
                f"shape {times.shape} for '{_TIMES}'"
            )
    if times.ndim not in (1, 2):
        raise ValueError(
            "Expected 1 or 2 dimensions for times, one for the records and one for "
            f"several series. Got shape {times.shape}."
        )
    if times.ndim == 1:
        data = {name: array[None] for name, array in data.items()}
    if data[_VALUES].ndim == 2:
        data[_VALUES] = data[_VALUES][..., None]
    data[_TIMES] = data[_TIMES].astype(np.int64)
    if not require_single_batch:
        return data
    if len(data[_TIMES]) != 1:
        raise ValueError("Got batch input, was expecting unbatched input.")
    return {name: array[0] for name, array in data.items()}


class ReaderBaseTimeSeriesParser(TimeSeriesReader):
    """Reads records of files, and parses them; the base of CSVReader.

    Args:
        filenames: string[n], or a list of paths, or one.
        read_num_records_hint: how many records `read` gives at once, at most.
    """

    def __init__(self, filenames: Any, read_num_records_hint: int = _HINT) -> None:
        self._filenames = [filenames] if isinstance(filenames, str) else filenames
        self._hint = read_num_records_hint

    @abc.abstractmethod
    def _get_reader(self):
        """The reader of records."""

    @abc.abstractmethod
    def _records(self):
        """A dataset of all records."""

    @abc.abstractmethod
    def _process_records(self, records):
        """The features of records, string[n], by name."""

    def _get_filename_queue(self, epoch_limit):
        return string_input_producer(self._filenames, epoch_limit, shuffle=False)

    def read(self) -> dict[str, Tensor]:
        """See TimeSeriesReader."""
        queue = self._get_filename_queue(epoch_limit=None)
        _, records = self._get_reader().read_up_to(queue, self._hint)
        return self._process_records(records)

    def read_full(self) -> dict[str, Tensor]:
        """See TimeSeriesReader."""
        every = self._records().batch(np.iinfo(np.int64).max)
        return self._process_records(get_single_element(every))


class CSVReader(ReaderBaseTimeSeriesParser):
    """Reads a time series from CSV files.

    Args:
        filenames: paths, in the order of time.
        column_names: the names of the columns; one that comes several times, such as
            `values`, becomes one feature of several elements.
        column_dtypes: of the columns; by default int64 for times, float32 for others.
        skip_header_lines: int, lines at the start of each file that are left out.
        read_num_records_hint: how many records `read` gives at once, at most.
    Raises:
        ValueError: there is no column of times, or another number of dtypes.
    Example:
        with open("series.csv", "w") as f: f.write("1,0.5\\n2,0.25\\n")
        reader = tf.contrib.timeseries.CSVReader("series.csv")
        reader.read_full()["values"]  # [[0.5], [0.25]]
    """

    def __init__(
        self, filenames: Any, column_names: Any = (_TIMES, _VALUES),
        column_dtypes: Any = None, skip_header_lines: int | None = None,
        read_num_records_hint: int = _HINT,
    ) -> None:  # fmt: skip
        if _TIMES not in column_names:
            raise ValueError(f"'{_TIMES}' is a required column.")
        if column_dtypes is not None and len(column_dtypes) != len(column_names):
            raise ValueError(
                "If specified, the length of column_dtypes must match the length of "
                f"column_names (got column_dtypes={column_dtypes} and "
                f"column_names={column_names})."
            )
        self._names, self._skip = column_names, skip_header_lines
        self._dtypes = column_dtypes or [
            int64 if name == _TIMES else float32 for name in column_names
        ]
        super().__init__(filenames, read_num_records_hint)

    def _get_reader(self):
        return TextLineReader(skip_header_lines=self._skip)

    def _records(self):
        def lines(path):
            return TextLineDataset(path).skip(self._skip or 0)

        return Dataset.from_tensor_slices(self._filenames).flat_map(lines)

    def _process_records(self, lines):
        columns = decode_csv(lines, [zeros([1], kind) for kind in self._dtypes])
        found = collections.defaultdict(list)
        for name, column in zip(self._names, columns):
            found[name].append(column)
        joined = {name: stack(parts, axis=1) for name, parts in found.items()}
        joined[_TIMES] = squeeze(joined[_TIMES], [1])
        return joined


class TFExampleReader(ReaderBaseTimeSeriesParser):
    """Reads a time series from TFRecord files of tf.Examples, one for each time.

    Args:
        filenames: paths, in the order of time.
        features: dict of what `tf.parse_example` takes, with times, an int64 scalar,
            and values, a vector.
    Raises:
        ValueError: times or values are missing.
    """

    def __init__(self, filenames: Any, features: dict) -> None:
        if _TIMES not in features:
            raise ValueError(f"'{_TIMES}' is a required column.")
        if _VALUES not in features:
            raise ValueError(f"'{_VALUES}' is a required column.")
        self._parsed = features
        super().__init__(filenames)

    def _get_reader(self):
        return TFRecordReader()

    def _records(self):
        return TFRecordDataset(self._filenames)

    def _process_records(self, examples):
        return parse_example(examples, self._parsed)
