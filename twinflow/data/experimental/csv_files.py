"""tf.data.experimental.make_csv_dataset: batches of features from CSV files."""

import collections
import math
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.damage import reported
from twinflow.base.operators import TensorValue
from twinflow.data.dataset import Dataset
from twinflow.data.experimental.csv_dataset import CSV_TYPES, CsvDataset
from twinflow.data.experimental.csv_records import Layout, Record, first_record, records
from twinflow.data.experimental.file_patterns import files_of, shuffled_and_repeated
from twinflow.formats.tf_record import opened
from twinflow.ops.core.constant import constant
from twinflow.ops.strings.arrays import as_bytes
from twinflow.ops.strings.number import parsed

# From the narrowest; a column has the first type that holds all its values.
_NARROW_TO_WIDE = (
    dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string
)  # fmt: skip


def make_csv_dataset(
    file_pattern: Any, batch_size: Any, column_names: Any = None,
    column_defaults: Any = None, label_name: str | None = None,
    select_columns: Any = None, field_delim: Any = ",", use_quote_delim: bool = True,
    na_value: str = "", header: bool = True, num_epochs: Any = None,
    shuffle: bool = True, shuffle_buffer_size: int = 10000, shuffle_seed: Any = None,
    prefetch_buffer_size: int | None = -1, num_parallel_reads: int = 1,
    sloppy: TensorValue = False, num_rows_for_inference: int | None = 100,
    compression_type: Any = None,
) -> Dataset:  # fmt: skip
    """Batches of the records of CSV files, as dicts from column names to tensors.

    Args:
        file_pattern: a pattern of paths, or a list of such.
        batch_size: records in a batch; without an end (num_epochs=None) all are full.
        column_names: of all columns; those of the first record if not given.
        column_defaults: for each selected column a DType (a field must be there) or a
            tensor or list (what stands for a missing field); found from the first
            records if not given, with 0 and "" for missing fields.
        label_name: the column that is given beside the dict, as (features, label).
        select_columns: the names or numbers of the columns to read; all if not given.
        field_delim, use_quote_delim, na_value, compression_type: see CsvDataset.
        header: each file begins with a record of column names.
        num_epochs: how often the files are read; None = without an end.
        shuffle, shuffle_buffer_size, shuffle_seed: shuffle files and records.
        prefetch_buffer_size: batches made ahead; -1 leaves it to us.
        num_parallel_reads: how many files take turns. sloppy: accepted; records come
            in the order of the files.
        num_rows_for_inference: records that column types are found from; None = all.
    Raises:
        ValueError: no file matches, or columns do not fit one another.
    Example:
        np.savetxt("a.csv", [[1, 2], [3, 4]], "%d", ",", header="x,y", comments="")
        d = tf.data.experimental.make_csv_dataset(
            "*.csv", 2, label_name="y", num_epochs=1, shuffle=False)
        [y.numpy().tolist() for x, y in d]  # [[2, 4]]
    """
    paths = files_of(file_pattern)
    reading = _Reading(paths, field_delim, use_quote_delim, header, compression_type)
    names = _names(column_names, reading)
    chosen = None if select_columns is None else _chosen(select_columns, names)
    defaults = _defaults(
        column_defaults, reading, len(names), chosen, na_value, num_rows_for_inference
    )
    names = names if chosen is None else [names[c] for c in chosen]
    if chosen is not None and len(defaults) != len(chosen):
        raise ValueError(
            "If specified, column_defaults and select_columns must have same length."
        )
    if label_name is not None and label_name not in names:
        raise ValueError("`label_name` provided must be one of the columns.")

    def rows(files):
        return CsvDataset(
            files, defaults, compression_type, None, header, field_delim,
            use_quote_delim, na_value, chosen,
        )  # fmt: skip

    if shuffle or num_parallel_reads > 1:
        files = Dataset.from_tensor_slices(paths)
        files = files.shuffle(len(paths), shuffle_seed) if shuffle else files
        dataset = files.interleave(rows, num_parallel_reads)
    else:
        dataset = rows(paths)  # one dataset gives whole batches at once
    dataset = shuffled_and_repeated(
        dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed
    )
    dataset = dataset.batch(batch_size, drop_remainder=num_epochs is None)
    by_name = lambda *columns: _by_name(columns, names, label_name)
    return dataset.map(by_name).prefetch(prefetch_buffer_size)


def _by_name(columns, names, label_name):
    features = collections.OrderedDict(zip(names, columns))
    if label_name is None:
        return features
    label = features.pop(label_name)
    return features, label


# ---------------------------------------------------------------------- columns
class _Reading:
    """How the files are read while the dataset is made."""

    def __init__(self, paths, delimiter, quotes, header, compression):
        self.paths, self.header, self.quotes = paths, header, quotes
        self.delimiter, self.compression = as_bytes(delimiter), compression or ""

    def names(self, path):
        """The fields of the first record of a file.

        Raises:
            ValueError: it has none.
        """
        with opened(path, self.compression) as file:
            layout = Layout(math.inf, self.delimiter, self.quotes)
            found = first_record(file, layout)
        if found is None:
            raise ValueError(
                f"Received StopIteration when reading the header line of {path}.  "
                "Empty file?"
            )
        with reported(path):
            return [name.decode() for name in found]

    def rows(self, count):
        """The fields of each record of all files.

        Raises:
            ValueError: a record has not `count` of them.
        """
        layout = Layout(count, self.delimiter, self.quotes)
        for path in self.paths:
            with opened(path, self.compression) as file:
                for _, item in records(file, layout, self.header):
                    if isinstance(item, Record):
                        raise ValueError(
                            "Problem inferring types: CSV row has different number of "
                            f"fields than expected. {path}: {item.problem}"
                        )
                    yield from zip(*item)


def _names(given, reading):
    """The names of all columns.

    Raises:
        ValueError: they are not known, or one is there twice.
    """
    source = ""
    if given is None:
        source = f" ({', '.join(reading.paths)})"
        if not reading.header:
            raise ValueError("Cannot infer column names without a header line.")
        given, *others = map(reading.names, reading.paths)
        if any(names != given for names in others):
            text = "Files have different column names in the header row."
            raise ValueError(text + source)
    if len(given) != len(set(given)):
        raise ValueError(f"Cannot have duplicate column names.{source}")
    return list(given)


def _chosen(columns, names):
    """The numbers of selected columns, ascending.

    Raises:
        ValueError: there is no such column, or one is there twice.
    """
    numbers = [_number(c, names) for c in columns]
    if len(set(numbers)) != len(numbers):
        raise ValueError("select_columns contains duplicate columns")
    return sorted(numbers)


def _number(column, names):
    if isinstance(column, int | np.integer):
        if not 0 <= column < len(names):
            raise ValueError(
                f"Column index {column} specified in select_columns out of valid range."
            )
        return int(column)
    if column not in names:
        raise ValueError(
            f"Value '{column}' specified in select_columns not a valid column index or "
            "name."
        )
    return names.index(column)


def _defaults(given, reading, count, chosen, na_value, most_rows):
    """The defaults of the selected columns, found from the records if not given."""
    if given is not None:
        is_type = lambda d: isinstance(d, dtypes.DType) and d in CSV_TYPES
        return [constant([], d) if is_type(d) else d for d in given]
    chosen = range(count) if chosen is None else chosen
    types: list = [None] * len(chosen)
    for i, row in enumerate(reading.rows(count)):
        if most_rows is not None and i >= most_rows:
            break
        for j, c in enumerate(chosen):
            types[j] = _wider(types[j], row[c], as_bytes(na_value))
    known = [t or dtypes.string for t in types]
    return [constant([b"" if t is dtypes.string else 0], t) for t in known]


def _wider(known, field, na_value):
    """The narrowest type that holds what a column had before, and this field."""
    if field in (b"", na_value):
        return known
    first = 0 if known is None else _NARROW_TO_WIDE.index(known)
    return next(t for t in _NARROW_TO_WIDE[first:] if _holds(t, field))


def _holds(dtype, field):
    if dtype is dtypes.string:
        return True
    if b"x" in field.lower():
        return False  # CsvDataset reads 0x1f, but nobody means a number by it here
    number = parsed(field, dtype)
    return number is not None and bool(number < math.inf)
