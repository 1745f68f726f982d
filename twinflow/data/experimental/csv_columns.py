"""Columns of comma-separated values: fields become arrays of their dtypes."""

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.errors import invalid
from twinflow.data.experimental.csv_records import Record
from twinflow.ops.strings.arrays import filled
from twinflow.ops.strings.number import parsed

_TINY = float(np.finfo(np.float32).tiny)


class Column:
    """How the fields of one column become values.

    Args:
        number: of the column. dtype: of the values.
        default: what stands for a missing field; None = it must be there.
        missing: the fields that stand for a missing one.
    """

    def __init__(self, number, dtype, default, missing):
        self.number, self.dtype, self.default = number, dtype, default
        self.missing = missing

    def value(self, field):
        """The value of one field.

        Raises:
            InvalidArgumentError: it is missing, or no such number.
        """
        if field in self.missing:
            if self.default is None:
                raise invalid(f"Field {self.number} is required but missing in record!")
            return self.default
        if self.dtype is dtypes.string:
            return field
        number = parsed(field, self.dtype)
        if number is None:
            name = dtypes.cpp_name(self.dtype)
            shown = field.decode("utf-8", "backslashreplace")
            raise invalid(
                f"Field {self.number} in record is not a valid {name}: {shown}"
            )
        return number

    def array(self, fields):
        """The array of many fields; None where one of them needs a closer look."""
        absent = any(m in fields for m in self.missing)
        if absent and self.default is None:
            return None
        if self.dtype is dtypes.string:
            if absent:
                fields = [self.default if f in self.missing else f for f in fields]
            return filled(fields, (len(fields),))
        if not absent:
            return self._numbers(fields)
        lacks = np.array([f in self.missing for f in fields])
        found = self._numbers([b"0" if f in self.missing else f for f in fields])
        if found is not None:
            found[lacks] = self.default
        return found

    def _numbers(self, fields):
        read = _integers if self.dtype.is_integer else _floats
        try:
            return read(fields, self.dtype)
        except (ValueError, OverflowError):
            return None


def _integers(fields, dtype):
    if b"+" in (joined := b"".join(fields)) or b"_" in joined:
        return None  # Python reads such numbers, TensorFlow does not
    found = np.fromiter(map(int, fields), np.int64, len(fields))
    if dtype is dtypes.int64:
        return found
    if found.size and (found.min() < dtype.min or found.max() > dtype.max):
        return None
    return found.astype(dtype.np)


def _floats(fields, dtype):
    if b"_" in b"".join(fields):
        return None
    found = np.fromiter(map(float, fields), np.float64, len(fields))
    if not np.isfinite(found).all():
        return None  # spelt in one of many ways, or too large
    if dtype is dtypes.float64:
        return found
    # A double halfway between two floats was rounded once; rounding it again would err.
    halfway = (found.view(np.uint64) & 0x1FFFFFFF) == 0x10000000
    small = (np.abs(found) < _TINY) & (found != 0)
    with np.errstate(over="ignore"):
        out = found.astype(np.float32)
    for i in np.flatnonzero(halfway | small | ~np.isfinite(out)).tolist():
        out[i] = np.float32(parsed(fields[i], dtype))
    return out


class Columns:
    """The columns of a file.

    Args:
        defaults: an array of no or one element for each. missing: see Column.
    """

    def __init__(self, defaults, missing):
        self.all = [
            Column(i, dtypes.from_numpy(d.dtype), _only(d), missing)
            for i, d in enumerate(defaults)
        ]

    def arrays(self, found):
        """What `csv_records.records` gives, as lists of arrays.

        Returns:
            An iterator of (byte, lists of arrays, a row for each record), and of (byte,
            error) where there is no such row.
        """
        for byte, item in found:
            for made in self._made(item):
                yield byte, made

    def _made(self, item):
        if isinstance(item, Record):
            return [self._problem(item)]
        pairs = zip(self.all, item, strict=True)
        arrays = [column.array(fields) for column, fields in pairs]
        whole = all(a is not None for a in arrays)
        return [arrays] if whole else self._one_by_one(item)

    def _problem(self, record):
        try:
            self._row(record.fields)
        except errors.InvalidArgumentError as error:
            return error
        return invalid(record.problem)

    def _row(self, fields):
        return [column.value(f) for column, f in zip(self.all, fields)]

    def _one_by_one(self, columns):
        rows: list = []
        for fields in zip(*columns):
            try:
                rows.append(self._row(fields))
            except errors.InvalidArgumentError as error:
                if rows:
                    yield self._stacked(rows)
                    rows = []
                yield error
        if rows:
            yield self._stacked(rows)

    def _stacked(self, rows):
        return [_array(values, c.dtype) for c, values in zip(self.all, zip(*rows))]


def _array(values, dtype):
    if dtype is dtypes.string:
        return filled(values, (len(values),))
    return np.array(values, dtype.np)


def _only(default):
    return default.ravel().tolist()[0] if default.size else None
