"""tf.data.experimental.CsvDataset: the records of files of comma-separated values."""

import itertools
import operator
from typing import Any

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.advice import advised
from twinflow.base.errors import invalid
from twinflow.data.dataset import Dataset
from twinflow.data.experimental.csv_columns import Columns
from twinflow.data.experimental.csv_records import Layout, records
from twinflow.data.functions import is_tensor
from twinflow.data.pipeline.stages import Pass, joined
from twinflow.data.structure import Structure
from twinflow.formats.tf_record import opened
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.strings.arrays import as_bytes, as_text, flat, one

CSV_TYPES = (
    dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string
)  # fmt: skip


_BUFFER = 4 << 20  # what buffer_size is where it is not given


class Blocks(Pass):
    """A pass over the rows of blocks, and errors in the place of such rows.

    Args:
        read: (file, byte) -> iterator of (file, byte, arrays or error): the blocks from
            there on, each with where its piece begins (see csv_records.records).

    Its place is such a beginning, and how many rows and errors were given since.
    """

    def __init__(self, read):
        self.read, self.found = read, None
        self.piece, self.before = (0, 0), 0  # given of the piece before this block
        self.arrays, self.stop = [], 0
        self.left, self.rows = iter(()), None  # `left` counts at the speed of C

    @property
    def at(self):
        """The row of the block that comes next."""
        return self.stop - operator.length_hint(self.left)

    def _more(self):
        """Go on to the next block; StopIteration where there is none."""
        if self.found is None:
            self.found = self.read(*self.piece)
        self.before, self.stop = self.before + self.stop, 0
        *piece, item = next(self.found)
        if tuple(piece) != self.piece:
            self.piece, self.before = tuple(piece), 0
        if isinstance(item, Exception):
            # The error of a whole file is behind the beginning of the next one.
            self.before += isinstance(item, errors.InvalidArgumentError)
            raise item
        self.arrays, self.stop = item, len(item[0])
        self.left, self.rows = itertools.repeat(True, self.stop), None

    def _block(self):
        """The rows of this block that are left, or those of the next one; or None."""
        try:
            while self.at >= self.stop:
                self._more()
        except StopIteration:
            return None
        except errors.OpError as error:
            return _raising(error)  # not from here, or `chain` would end
        if self.rows is None:
            rows = zip(*(_scalars(a[self.at :]) for a in self.arrays))
            self.rows = itertools.compress(rows, self.left)
        return self.rows

    def __iter__(self):
        return itertools.chain.from_iterable(iter(self._block, None))

    def __next__(self):
        return next(self._block() or iter(()))

    def block(self, count):
        parts, missing = [], count
        while missing:
            try:
                while self.at >= self.stop:
                    self._more()
            except StopIteration:
                break
            rows = self._cut(missing)
            missing -= len(rows[0])
            parts.append(rows)
        return joined(parts) if parts else None

    def _cut(self, most):
        """Up to so many rows of the block."""
        start = self.at
        stop = min(start + most, self.stop)
        for _ in itertools.islice(self.left if self.rows is None else self.rows, most):
            pass
        return [a[start:stop] for a in self.arrays]

    def state(self):
        return [*self.piece, self.before + self.at]

    def resume(self, number, byte, given):
        self.piece = number, byte
        while self.before + self.at < given:
            try:
                while self.at >= self.stop:
                    self._more()
            except StopIteration:
                return
            except errors.InvalidArgumentError:  # it was given, too
                continue
            self._cut(given - self.before - self.at)


def _raising(error):
    """An iterator that raises."""
    raise error
    yield


def _scalars(array):
    """The rows of an array as components: strings as arrays, not as Python's bytes."""
    if array.dtype == object:
        return map(np.array, array, itertools.repeat(object))
    return list(array)


def default_of(value):
    """A default as a tensor; a DType as the empty one, which means: required.

    Raises:
        TypeError: it is of another dtype than a column can have.
        ValueError: it is more than one value.
        InvalidArgumentError: it is a matrix, eagerly.
    """
    if isinstance(value, dtypes.DType):
        if value not in CSV_TYPES:
            raise TypeError(f"{_allowed('record_defaults')}, got {value!r}")
        return convert_to_tensor([], value)
    found = value if is_tensor(value) else convert_to_tensor(value)
    if found.dtype not in CSV_TYPES:
        raise TypeError(f"{_allowed('record_defaults')}, got {found.dtype!r}")
    shape = found._shape or ()
    if len(shape) > 1 and found.symbolic:
        text = f"Shape must be at most rank 1 but is rank {len(shape)}"
        raise advised(ValueError, text)
    if len(shape) > 1:
        raise invalid("Each record default should be at most rank 1.")
    if found.symbolic and shape and (shape[0] or 0) > 1:
        raise ValueError(
            "Shape of a default must be a length-0 or length-1 vector, or a scalar, "
            f"got {shape}."
        )
    return found


def _allowed(name):
    names = ", ".join(t.name for t in CSV_TYPES)
    return f"`{name}` must be of one of the dtypes {names}"


class CsvDataset(Dataset):
    """The records of files of comma-separated values (RFC 4180), a tuple of scalars.

    Args:
        filenames: a string tensor, string[] or string[files].
        record_defaults: for each column a DType (float32, float64, int32, int64 or
            string) if a field must be there, or a tensor or list of the one value that
            stands for a missing field.
        compression_type: "", "ZLIB" or "GZIP". buffer_size: bytes, positive.
        header: leave out the first record of each file.
        field_delim: the byte between two fields.
        use_quote_delim: fields may stand in double quotes, and hold the delimiter, line
            ends and doubled quotes there.
        na_value: another sign for "missing".
        select_cols: the numbers of the columns to read, ascending; all if not given.
    Raises:
        ValueError: there is no default.
        InvalidArgumentError (at run time): a record has other fields than it should;
            what follows it can still be read.
    Example:
        tf.data.experimental.CsvDataset("a.csv", [tf.float32, [0]], header=True)
    """

    def __init__(
        self, filenames: Any, record_defaults: Any, compression_type: Any = None,
        buffer_size: Any = None, header: Any = False, field_delim: Any = ",",
        use_quote_delim: bool = True, na_value: str = "", select_cols: Any = None,
    ) -> None:  # fmt: skip
        if not record_defaults:
            raise ValueError(
                "`record_defaults` must have one default for each column, got none."
            )
        string, int64, boolean = dtypes.string, dtypes.int64, dtypes.bool
        defaults = [default_of(d) for d in record_defaults]
        text = lambda value, dtype: convert_to_tensor(value, dtype)
        settings = {
            "paths": text(filenames, string),
            "compression": text(compression_type or "", string),
            "header": text(header, boolean),
            "delimiter": text(field_delim, string),
            "quotes": text(use_quote_delim, boolean),
            "na_value": text(na_value, string),
            "chosen": text([] if select_cols is None else select_cols, int64),
            "bytes": text(_BUFFER if buffer_size is None else buffer_size, int64),
        }
        types = [d.dtype for d in defaults]
        structure = Structure((None,) * len(types), types, [()] * len(types))

        def start(env):
            given = {name: env.value(t) for name, t in settings.items()}
            return _source(given, [env.value(d) for d in defaults])

        inputs = [*settings.values(), *defaults]
        super().__init__("CsvDataset", structure, start, inputs)


def _source(given, defaults):
    """The source of the rows of files."""
    delimiter, chosen = as_bytes(one(given["delimiter"])), given["chosen"].tolist()
    compression = as_text(one(given["compression"]))
    _check(delimiter, chosen, defaults, compression)
    if one(given["bytes"]) <= 0:
        raise invalid("buffer_size should be positive")
    layout = Layout(len(defaults), delimiter, bool(given["quotes"]), chosen or None)
    columns = Columns(defaults, {b"", as_bytes(one(given["na_value"]))})
    header, paths = bool(given["header"]), [as_text(p) for p in flat(given["paths"])]

    def read(number, byte):
        for i in range(number, len(paths)):
            try:
                with opened(paths[i], compression) as file:
                    found = records(file, layout, header, byte)
                    for start, block in columns.arrays(found):
                        yield i, start, _named(block, paths[i])
            except errors.OpError as error:
                yield i + 1, 0, _named(error, paths[i])
            byte = 0

    return lambda: Blocks(read)


def _named(block, path):
    """A block; an error in its place says what file it is of."""
    if isinstance(block, errors.OpError) and path not in block.message:
        block.add_place(f"while reading {path}")
    return block


def _check(delimiter, chosen, defaults, compression):
    if compression not in ("", "ZLIB", "GZIP"):
        raise invalid(f"Unsupported compression_type: {compression}.")
    for i, default in enumerate(defaults):
        if default.size > 1:
            raise invalid(
                f"There should only be 1 default per field but field {i} has "
                f"{default.size}"
            )
    if chosen and len(chosen) != len(defaults):
        raise invalid("select_cols should match output size")
    if any(b <= a for a, b in itertools.pairwise(chosen)):
        raise invalid("select_cols should be strictly increasing indices")
    if chosen and chosen[0] < 0:
        raise invalid("select_cols should be non-negative indices")
    if len(delimiter) != 1:
        raise invalid("field_delim should be only 1 char")
