"""A client and a table of Bigtable, and the rows that they read and write.

A range of keys is a pair (start, end) of bytes, of which the end is left out, and where
an empty end is that of the table.
"""

import datetime
import functools
import re
from collections.abc import Iterable, Iterator
from typing import Any

from twinflow.base import dtypes, errors
from twinflow.base.errors import invalid
from twinflow.base.state import Cell
from twinflow.formats import google_services

_BATCH = 100  # rows that are written by one request


class _ServiceCell(Cell):
    """What stands for something of the service: the same in all sessions."""

    __slots__ = ()

    def fresh(self) -> Any:
        """The same: it holds no state."""
        return self

    @property
    def initialized(self) -> bool:
        """It always is."""
        return True


class ClientCell(_ServiceCell):
    """An instance of Bigtable.

    Args:
        name: for errors. project, instance: their names.
    """

    __slots__ = ("__dict__", "instance", "project")

    def __init__(self, name: str, project: str, instance: str) -> None:
        super().__init__(name, dtypes.resource, ())
        for value, what in ((project, "project_id"), (instance, "instance_id")):
            if not value:
                raise invalid(f"{what} must be non-empty")
        self.project, self.instance = project, instance

    @functools.cached_property
    def opened(self) -> Any:
        """The instance of the package, whose connection is made at the first use."""
        package = google_services.module("google.cloud.bigtable")
        return package.Client(project=self.project).instance(self.instance)


class TableCell(_ServiceCell):
    """A table of Bigtable.

    Args:
        client: the ClientCell. table: its name.
    """

    __slots__ = ("client", "table")

    def __init__(self, client: ClientCell, table: str) -> None:
        super().__init__(table, dtypes.resource, ())
        if not table:
            raise invalid("table_name must be non-empty")
        self.client, self.table = client, table

    # ------------------------------------------------------------------ reading
    def _rows(self, start: bytes, end: bytes, parts: list) -> Iterator[Any]:
        """The rows of a range, through some filters."""
        chain = _filters().RowFilterChain(filters=parts)
        with google_services.translated(f"Table {self.table!r}"):
            table = self.client.opened.table(self.table)
            yield from table.read_rows(
                start_key=start or None, end_key=end or None, filter_=chain
            )

    def keys(self, start: bytes, end: bytes) -> Iterator[list]:
        """The keys of a range, each in a list."""
        kinds = _filters()
        parts = [
            kinds.CellsRowLimitFilter(1),
            kinds.StripValueTransformerFilter(True),
        ]
        return ([row.row_key] for row in self._rows(start, end, parts))

    def scan(
        self, start: bytes, end: bytes, columns: list, probability: float
    ) -> Iterator[list]:
        """The keys and values of a range.

        Args:
            columns: pairs of bytes: a family and a column in it. probability: that a
                row is given.
        """
        parts = _of_columns(columns)
        if probability < 1:
            parts.append(_filters().RowSampleFilter(probability))
        rows = self._rows(start, end, parts)
        return ([row.row_key, *_values(row, columns)] for row in rows)

    def lookup(self, key: bytes, columns: list) -> list:
        """The key and the values of one row.

        Raises:
            DataLossError: there is none of this key, or it lacks a column.
        """
        rows = self._rows(key, key + b"\0", _of_columns(columns))
        row = next(rows, None)
        if row is None:
            text = f"Row key '{key.decode('utf-8', 'replace')}' not found."
            raise errors.DataLossError(None, None, text)
        return [key, *_values(row, columns)]

    def samples(self) -> list[bytes]:
        """Keys that part the table into pieces of about one size."""
        with google_services.translated(f"Table {self.table!r}"):
            table = self.client.opened.table(self.table)
            return [s.row_key for s in table.sample_row_keys()]

    def pieces(self, start: bytes, end: bytes) -> Iterator[list]:
        """The range of keys in pieces of about one size."""
        last = start
        for key in self.samples():
            if key > last and (not end or key < end):
                yield [last, key]
                last = key
        yield [last, end]

    # ------------------------------------------------------------------ writing
    def write(self, rows: Iterable, columns: list, millis: int) -> None:
        """Put rows into the table.

        Args:
            rows: of a key and a value for each column. columns: see `scan`.
            millis: the time that the values are of; below 0 the server says it.
        """
        when = None
        if millis >= 0:
            zone = datetime.UTC
            when = datetime.datetime.fromtimestamp(millis // 1000, zone)
            when += datetime.timedelta(milliseconds=millis % 1000)
        with google_services.translated(f"Table {self.table!r}"):
            table, waiting = self.client.opened.table(self.table), []
            for key, *values in rows:
                row = table.direct_row(key)
                for (family, column), value in zip(columns, values, strict=True):
                    row.set_cell(family.decode(), column, value, timestamp=when)
                waiting.append(row)
                if len(waiting) == _BATCH:
                    _send(table, waiting)
                    waiting = []
            if waiting:
                _send(table, waiting)


def _send(table: Any, rows: list) -> None:
    """Write rows; raises the error of the first that the server refuses."""
    for row, status in zip(rows, table.mutate_rows(rows), strict=True):
        if status.code:
            kind = errors.exception_type_from_error_code(status.code)
            raise kind(None, None, f"Row {row.row_key!r}: {status.message}")


def _filters() -> Any:
    return google_services.module("google.cloud.bigtable.row_filters")


def _of_columns(columns: list) -> list:
    """Filters that leave the newest value of each column."""
    kinds = _filters()
    families, names = ({pair[i] for pair in columns} for i in range(2))
    return [
        kinds.CellsColumnLimitFilter(1),
        kinds.FamilyNameRegexFilter(_either(families).decode()),
        kinds.ColumnQualifierRegexFilter(_either(names)),
    ]


def _either(texts: set) -> bytes:
    return b"|".join(map(re.escape, sorted(texts)))


def _values(row: Any, columns: list) -> list[bytes]:
    try:
        return [row.cell_value(family.decode(), name) for family, name in columns]
    except KeyError as error:
        key = row.row_key.decode("utf-8", "replace")
        text = f"Row '{key}' lacks a column: {error.args[0]}"
        raise errors.DataLossError(None, None, text) from None


def prefixed(prefix: bytes) -> tuple[bytes, bytes]:
    """The range of the keys that begin with some bytes."""
    kept = prefix.rstrip(b"\xff")
    return prefix, kept[:-1] + bytes([kept[-1] + 1]) if kept else b""
