"""Records of comma-separated values as columns of tensors."""

import itertools
import re
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.advice import advised
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import InferError, define
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.strings.arrays import as_bytes, filled, flat
from twinflow.ops.strings.number import parsed

_TYPES = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)
_LINE_ENDS = re.compile(b"[\r\n]")


def _infer_csv(records, record_defaults, **_):
    for d in record_defaults:
        s = d._shape
        if s is not None and len(s) > 1:
            raise InferError(
                "Each record default should be at most rank 1",
                f"Shape must be at most rank 1 but is rank {len(s)}",
            )
        if s is not None and len(s) == 1 and (s[0] or 0) > 1:
            raise InferError(
                "Shape of a default must be a length-0 or length-1 vector, or a scalar."
            )
    return [records._shape] * len(record_defaults)


class Fields:
    """Splits records into fields.

    Args:
        delimiter: one byte. quotes: whether fields may stand in double quotes.
        columns: the numbers of the fields to keep, ascending; () = all.
    """

    def __init__(self, delimiter, quotes, columns):
        self.delimiter, self.quotes = delimiter, quotes
        self.columns = tuple(columns)

    def of(self, record):
        """The fields of one record that are kept."""
        if not record:
            return []
        plain = not (self.quotes and b'"' in record) and not _LINE_ENDS.search(record)
        found = record.split(self.delimiter) if plain else self._walk(record)
        return [found[c] for c in self.columns if c < len(found)] or (
            [] if self.columns else found
        )

    def _walk(self, record):
        """As bytes.split, minding quotes and line ends."""
        out, i, n = [], 0, len(record)
        last = self.columns[-1] if self.columns else None
        while i < n:
            if record[i] in b"\r\n":
                i += 1
                continue
            if self.quotes and record[i : i + 1] == b'"':
                field, i = self._quoted(record, i + 1)
            else:
                field, i = self._unquoted(record, i)
            out.append(field)
            if last is not None and len(out) > last:
                return out
        if record.endswith(self.delimiter):
            out.append(b"")
        return out

    def _unquoted(self, record, start):
        end = record.find(self.delimiter, start)
        end = len(record) if end < 0 else end
        field = record[start:end]
        if (self.quotes and b'"' in field) or _LINE_ENDS.search(field):
            raise invalid("Unquoted fields cannot have quotes/CRLFs inside")
        return field, end + 1

    def _quoted(self, record, i):
        field = b""
        while True:
            end = record.find(b'"', i)
            after = record[end + 1 : end + 2]
            if end < 0:
                raise invalid(
                    "Quoted field has to end with quote followed by delim or end"
                )
            field += record[i:end]
            if after in (b"", self.delimiter):
                return field, end + 2
            if after != b'"':
                raise invalid(
                    "Quote inside a string has to be escaped by another quote"
                )
            field, i = field + b'"', end + 2


def _csv_kernel(
    records, record_defaults, field_delim, use_quote_delim, na_value, select_cols
):
    if any(c < 0 for c in select_cols):
        raise invalid("select_cols contains negative values.")
    fields = Fields(as_bytes(field_delim), use_quote_delim, select_cols)
    missing = (b"", as_bytes(na_value))
    kinds = [dtypes.from_numpy(np.asarray(d).dtype) for d in record_defaults]
    _check_defaults(record_defaults)
    columns: list = [[] for _ in kinds]
    for row, record in enumerate(flat(records)):
        found = fields.of(record)
        if len(found) != len(kinds):
            raise invalid(
                f"Expect {len(kinds)} fields but have {len(found)} in record {row}"
            )
        for i, text in enumerate(found):
            default = record_defaults[i] if text in missing else None
            columns[i].append(_value(text, default, kinds[i], i, row))
    return [_column(c, k, np.shape(records)) for c, k in zip(columns, kinds)]


def _check_defaults(record_defaults):
    for i, d in enumerate(record_defaults):
        if np.ndim(d) > 1:
            raise invalid("Each record default should be at most rank 1")
        if np.size(d) > 1:
            raise invalid(
                f"There should only be 1 default per field but field {i} has "
                f"{np.size(d)}"
            )


def _value(text, default, kind, column, row):
    if default is not None:
        if not np.size(default):
            raise invalid(f"Field {column} is required but missing in record {row}!")
        return np.asarray(default).ravel().tolist()[0]
    if kind is dtypes.string:
        return text
    number = parsed(text, kind)
    if number is None:
        shown = text.decode("utf-8", "backslashreplace")
        name = dtypes.cpp_name(kind)
        raise invalid(f"Field {column} in record {row} is not a valid {name}: {shown}")
    return number


def _column(values, kind, shape):
    if kind is dtypes.string:
        return filled(values, shape)
    return np.array(values, kind.np).reshape(shape)


DecodeCSV = define("DecodeCSV", infer=_infer_csv, host=_csv_kernel, strict=True)


def decode_csv(
    records: Any, record_defaults: Any, field_delim: Any = ",",
    use_quote_delim: bool = True, name: str | None = None, na_value: str = "",
    select_cols: Any = None,
) -> Any:  # fmt: skip
    """The fields of records of comma-separated values (RFC 4180), a tensor per column.

    Args:
        records: a string tensor, one record in each element.
        record_defaults: per column a tensor, or list of one value, whose dtype
            (float32, float64, int32, int64 or string) the column has, and which stands
            for a missing field; an empty tensor = the field must be there.
        field_delim: the byte between two fields.
        use_quote_delim: fields may stand in double quotes, and hold the delimiter, line
            ends and doubled quotes there.
        name: the name of the node in a graph. na_value: another sign for "missing".
        select_cols: the numbers of the columns to read, ascending; all if not given.
    Returns:
        A list of tensors of the shape of `records`.
    Raises:
        ValueError: the columns are not ascending or not as many as the defaults.
        InvalidArgumentError: the delimiter is no character, or a record
            has other fields than it should.
    Example:
        tf.decode_csv(["7,Ann", "8,Bob"], [[0], [""]])  # [7, 8], [b"Ann", b"Bob"]
    """
    if len(as_bytes(field_delim)) != 1:
        raise invalid("field_delim should be only 1 char")
    if select_cols is not None:
        if any(b <= a for a, b in itertools.pairwise(select_cols)):
            raise ValueError("select_cols is not strictly increasing.")
        if select_cols and select_cols[0] < 0:
            raise ValueError("select_cols contains negative values.")
        if len(select_cols) != len(record_defaults):
            raise ValueError("Length of select_cols and record_defaults do not match.")
    defaults = [_default(d) for d in record_defaults]
    attrs = {
        "field_delim": field_delim, "use_quote_delim": use_quote_delim,
        "na_value": na_value, "select_cols": tuple(select_cols or ()),
    }  # fmt: skip
    return apply(DecodeCSV, (records, defaults), attrs, name)


def _default(value):
    t = value if isinstance(value, Tensor) else convert_to_tensor(value)
    if t.dtype not in _TYPES:
        allowed = ", ".join(k.name for k in _TYPES)
        raise advised(
            TypeError,
            f"Value passed to parameter 'record_defaults' has DataType {t.dtype.name} "
            f"not in list of allowed values: {allowed}",
        )
    return t
