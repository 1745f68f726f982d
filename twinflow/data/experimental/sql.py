"""tf.data.experimental.SqlDataset: what a query of an SQLite database gives."""

import re
import sqlite3
from typing import Any

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.errors import invalid
from twinflow.base.operators import TensorValue
from twinflow.data.dataset import Dataset
from twinflow.data.pipeline.stages import Pass
from twinflow.data.structure import Structure
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.strings.arrays import as_text, one

_TYPES = (
    dtypes.string, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8,
    dtypes.uint16, dtypes.bool, dtypes.float64,
)  # fmt: skip
_INTEGER = re.compile(rb"\s*([+-]?\d+)")
_DOUBLE = re.compile(rb"\s*([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)")
_MOST = (1 << 63) - 1
_KINDS = {
    sqlite3.SQLITE_NOTADB: errors.InvalidArgumentError,
    sqlite3.SQLITE_CORRUPT: errors.DataLossError,
    sqlite3.SQLITE_BUSY: errors.UnavailableError,
    sqlite3.SQLITE_LOCKED: errors.UnavailableError,
    sqlite3.SQLITE_CANTOPEN: errors.NotFoundError,
    sqlite3.SQLITE_NOMEM: errors.ResourceExhaustedError,
}


class SqlDataset(Dataset):
    """The rows that a query gives, each a structure of scalars.

    Values are converted as SQLite does it: a missing one is 0, False or "".

    Args:
        driver_name: "sqlite". data_source_name: the path of the database.
        query: the SQL text. output_types: the DTypes of the columns, in the form of an
            element: string, bool, float64, and integers of up to 64 bits.
    Raises:
        InvalidArgumentError (when it starts): another driver, or other columns.
        UnknownError (when it starts): SQLite does not understand the query.
    Example:
        tf.data.experimental.SqlDataset(
            "sqlite", "a.db", "select name, age from people", (tf.string, tf.int32))
    """

    def __init__(
        self, driver_name: TensorValue, data_source_name: TensorValue,
        query: TensorValue, output_types: Any,
    ) -> None:  # fmt: skip
        given = driver_name, data_source_name, query
        parts = [convert_to_tensor(text, dtypes.string) for text in given]
        found = Structure.of(output_types)
        if not found.types:
            raise ValueError(
                "`output_types` must have one DType for each column of the query, got "
                "none."
            )
        structure = found.with_shapes([()] * len(found.types))

        def start(env):
            driver, path, text = (as_text(one(env.value(p))) for p in parts)
            _check(driver, structure.types)
            return lambda: Rows(path, text, structure.types)

        super().__init__("SqlDataset", structure, start, parts)


def _check(driver, types):
    if driver != "sqlite":
        raise invalid(
            f"The database type, {driver}, is not supported by SqlDataset. The set of "
            "supported databases is: {'sqlite'}."
        )
    if any(t not in _TYPES for t in types):
        names = ", ".join(f"DT_{t.name.upper()}" for t in _TYPES)
        names = names.replace("DT_FLOAT64", "DT_DOUBLE")
        raise invalid(f"Each element of `output_types_` must be one of: {names}")


class Rows(Pass):
    """A pass over the rows of a query; the database is opened for the first one.

    Attributes:
        place: how many rows were given.
    """

    def __init__(self, path, query, types):
        self.path, self.query, self.types = path, query, types
        self.connection = self.cursor = None
        self.place, self.over = 0, False
        self.readers = [_reader(t) for t in types]

    def _open(self):
        # A thread that prefetches may take the rows.
        self.connection = sqlite3.connect(self.path, check_same_thread=False)
        self.connection.text_factory = bytes
        self.cursor = self.connection.execute(_first_statement(self.query))
        count = len(self.cursor.description or ())
        if count != len(self.types):
            raise invalid(
                f"The number of columns in query ({count}) must match the number of "
                f"elements in output_types ({len(self.types)})."
            )

    def __next__(self):
        if self.over:
            raise StopIteration
        try:
            if self.cursor is None:
                self._open()
            found = next(self.cursor, None)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # of a name in the file
            self.close()
            raise _translated(error, self.query, self.path) from error
        except errors.OpError:
            self.close()
            raise
        if found is None:
            self.over = True
            self.close()
            raise StopIteration
        self.place += 1
        return [read(value) for read, value in zip(self.readers, found)]

    def state(self):
        return [self.place]

    def resume(self, place):
        for _ in zip(range(place), self):
            pass

    def close(self):
        """Give the database back."""
        if self.connection is not None:
            self.connection.close()
            self.connection = self.cursor = None

    def __del__(self):
        self.close()


def _first_statement(query):
    """The query up to its first semicolon; SQLite runs one statement at a time."""
    at = query.find(";")
    while at >= 0:
        if sqlite3.complete_statement(query[: at + 1]):
            return query[: at + 1]
        at = query.find(";", at + 1)
    return query


def _translated(error, query, path):
    code = getattr(error, "sqlite_errorcode", 1)
    kind = _KINDS.get(code & 0xFF, errors.UnknownError)
    return kind(None, None, f"Prepare() failed: [{code}] {error}: {query} ({path})")


# ---------------------------------------------------------------------- values
def _reader(dtype):
    """The function from a value of SQLite to a component."""
    if dtype is dtypes.string:
        return _text
    if dtype is dtypes.float64:
        return _double
    if dtype is dtypes.bool:
        return lambda value: np.bool_(_integer(value) != 0)
    return lambda value: np.int64(_integer(value)).astype(dtype.np)


def _integer(value):
    if isinstance(value, bytes):
        match = _INTEGER.match(value)
        value = int(match[1]) if match else 0
    if isinstance(value, float) and not abs(value) < 2.0**63:
        value = _MOST if value > 0 else -_MOST - 1
    return max(-_MOST - 1, min(_MOST, int(value or 0)))


def _double(value):
    if isinstance(value, bytes):
        match = _DOUBLE.match(value)
        value = float(match[1]) if match else 0.0
    return np.float64(value or 0.0)


def _text(value):
    if isinstance(value, float):
        value = _float_text(value)
    elif not isinstance(value, bytes):
        value = b"" if value is None else str(value).encode()
    return np.array(value, object)


def _float_text(value):
    """A float as SQLite writes it: 15 digits, and always a point."""
    if np.isinf(value):
        return b"Inf" if value > 0 else b"-Inf"
    digits, mark, exponent = f"{value:.15g}".partition("e")
    return (digits + (".0" * ("." not in digits)) + mark + exponent).encode()
