"""Bytes of comma-separated values as records of fields, many records at once.

Note [CSV blocks]: a file is read in pieces. Where a piece is well formed its fields are
cut by one `bytes.split`, and column `c` is every n-th of them. Quotes are taken away
before: the text between them is kept whole by marks in the place of delimiters and line
ends. A piece that is not well formed is walked byte by byte, so that an error belongs
to its record, and the next record can still be read, as in TensorFlow.
"""

import re
from typing import NamedTuple

import numpy as np

from twinflow.formats.tf_record import Inflated

_PIECE = 1 << 20  # bytes read at once
_MOST = 8 << 20  # in which the end of a quoted field is looked for
_MARKS = (b"\0", b"\1", b"\2")  # stand for the delimiter and line ends within quotes
_BETWEEN = b"\3"


class Layout:
    """How the records of a file are written, and which fields are wanted.

    Args:
        count: how many fields are wanted. delimiter: one byte.
        quotes: whether fields may stand in double quotes.
        chosen: the numbers of the wanted fields, ascending; None = all there are.
    """

    def __init__(self, count, delimiter=b",", quotes=True, chosen=None):
        self.count, self.delimiter, self.quotes = count, delimiter, quotes
        self.chosen = chosen
        special = delimiter + b"\n\r"
        self.ends = (delimiter, b"\n", b"\r")
        self.beside = np.zeros(256, bool)  # what may stand beside a quote
        self.beside[list(special + b'"')] = True
        self.bare = re.compile(b"[^" + re.escape(special) + b"]*")
        self.hide = bytes.maketrans(special, b"".join(_MARKS))
        self.show = bytes.maketrans(b"".join(_MARKS), special)


class Record(NamedTuple):
    """One record: its wanted fields, and what is wrong behind them, or None."""

    fields: list
    problem: str | None = None


class _More(Exception):
    """The record goes on behind what has been read."""


def records(file, layout, header=False, start=0):
    """What an open file holds, in order.

    Args:
        header: leave out the first record. start: the byte to begin at.
    Returns:
        An iterator of (byte, item): lists of columns, each a list of the fields of some
        records, and single Records that are no proper ones; `byte` is where the piece
        begins that they are of.
    """
    _skip(file, start)
    data, final, header = b"", False, header and not start
    while not final:
        piece = file.read(_PIECE)
        data, final = data + piece, not piece
        if header:
            found = _header(data, final, layout)
            if found is None:
                continue
            record, used = found
            data, header = data[used:], False
            if record is not None:
                yield start, record
            start += used
        found, used = _parsed(data, final, layout)
        for item in found:
            yield start, item
        data, start = data[used:], start + used


def _skip(file, count):
    """Go to a byte, also in a compressed file."""
    if isinstance(file, Inflated):
        while count and (piece := file.read(min(count, _PIECE))):
            count -= len(piece)
    elif count:
        file.seek(count)


def first_record(file, layout):
    """The fields of the first record of an open file; None if it is empty."""
    data, final = b"", False
    while not final:
        piece = file.read(_PIECE)
        data, final = data + piece, not piece
        try:
            return _walk(data, 0, final, layout, None)[0].fields if data else None
        except _More:
            continue
    return None


def _header(data, final, layout):
    """(a Record if the header is broken, its length), or None to read on."""
    problem = "Can't read header of file"
    if not data:
        return (Record([], problem), 0) if final else None
    try:
        record, used = _walk(data, 0, final, layout, ())
    except _More:
        return None
    return Record([], problem) if record.problem else None, used


def _parsed(data, final, layout):
    """(list of columns and Records, how many bytes they were)"""
    if not data:
        return [], 0
    if not layout.quotes or b'"' not in data:
        end = len(data) if final else _whole(data)
        return _split(data[:end], layout), end
    end = len(data) if final else _whole_quoted(data)
    # A last record of nothing but quotes is one, too.
    cut = not data[:end].endswith((b"\n", b"\r"))
    bare = _without_quotes(data[:end] + b"\n" * (cut and end > 0), layout)
    if bare is not None:
        return _split(bare, layout, layout.show), end
    if not end and len(data) < _MOST:
        return [], 0
    return _walked(data, final, layout)


def _whole(data):
    """Where the last whole record ends."""
    return max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) + 1


def _whole_quoted(data):
    """The same where line ends within quotes do not count."""
    end = data.rfind(b"\n") + 1
    odd = data.count(b'"', 0, end) % 2
    while odd and end:
        before = data.rfind(b"\n", 0, end - 1) + 1
        odd = (odd - data.count(b'"', before, end)) % 2
        end = before
    return end


# ---------------------------------------------------------------------- at once
def _without_quotes(data, layout):
    """Records without their quotes, see Note [CSV blocks]; None if they are odd."""
    pieces = data.split(b'"')
    if len(pieces) % 2 == 0 or any(mark in data for mark in _MARKS):
        return None
    if len(pieces) == 1:
        return data or None
    outside = pieces[::2]
    if not _apart(outside, layout):
        return None
    inside = b'"'.join(pieces[1::2]).translate(layout.hide)
    if b"\r" in data:
        outside = list(map(_with_newlines, outside))
    if b'""' in data:  # two quotes within others are one
        outside[1:-1] = [p or b'"' for p in outside[1:-1]]
    pieces[::2], pieces[1::2] = outside, inside.split(b'"')
    return b"".join(pieces)


def _apart(outside, layout):
    """Whether only delimiters, line ends and other quotes stand beside quotes."""
    edge = layout.delimiter
    raw = np.frombuffer(edge + b'"'.join(outside) + edge, np.uint8)
    places = np.flatnonzero(raw == ord('"'))
    beside = layout.beside
    return bool(beside[raw[places - 1]].all() and beside[raw[places + 1]].all())


def _with_newlines(text):
    """Text whose lines end in newlines alone."""
    if b"\r" not in text:
        return text
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _split(text, layout, show=None):
    """The columns of records without quotes; Records where fields lack or are too many.

    Args:
        show: the table of bytes.translate that takes marks back.
    """
    if not text:
        return []
    text = _with_newlines(text)
    if not text.endswith(b"\n"):
        text += b"\n"
    width = text.count(layout.delimiter, 0, text.index(b"\n")) + 1
    chosen = range(width) if layout.chosen is None else layout.chosen
    fits = len(chosen) == layout.count and max(chosen, default=0) < width
    if not fits or not _regular(text, width, layout.delimiter):
        return _uneven(text, layout, show)
    fields = text.replace(b"\n", layout.delimiter).split(layout.delimiter)
    fields.pop()
    return [[_shown(fields[c::width], show) for c in chosen]]


def _regular(text, width, delimiter):
    """Whether every record has `width` fields."""
    raw = np.frombuffer(text, np.uint8)
    marks = raw[(raw == delimiter[0]) | (raw == 10)]
    if marks.size % width:
        return False
    lines = marks.reshape(-1, width) == 10
    return bool(lines[:, -1].all()) and int(lines.sum()) == len(lines)


def _shown(fields, show):
    """Fields with what stood within quotes as it was."""
    joined = _BETWEEN.join(fields) if show else b""
    if not any(mark in joined for mark in _MARKS):
        return fields
    if joined.count(_BETWEEN) == len(fields) - 1:
        return joined.translate(show).split(_BETWEEN)
    return [f.translate(show) for f in fields]


def _uneven(text, layout, show):
    """As `_split`, record by record."""
    out: list = []
    rows: list = []
    for line in text[:-1].split(b"\n"):
        found = _shown(line.split(layout.delimiter), show)
        if layout.chosen is not None:
            found = [found[c] for c in layout.chosen if c < len(found)]
        if len(found) == layout.count:
            rows.append(found)
            continue
        if rows:
            out.append(list(map(list, zip(*rows))))
            rows = []
        out.append(_misfit(found, layout))
    return [*out, list(map(list, zip(*rows)))] if rows else out


def _misfit(fields, layout):
    """The Record of too many or too few fields."""
    want = layout.count
    if len(fields) > want:
        problem = f"Expect {want} fields but have more in record"
        return Record(fields[:want], problem)
    problem = f"Expect {want} fields but have {len(fields)} in record"
    return Record(fields, problem)


# ---------------------------------------------------------------------- byte by byte
def _walked(data, final, layout):
    """As `_parsed`, where records are not well formed."""
    out, i = [], 0
    try:
        while i < len(data):
            record, i = _walk(data, i, final, layout, layout.chosen)
            fits = record.problem is None and len(record.fields) == layout.count
            if fits:
                out.append([[f] for f in record.fields])
            else:
                out.append(record if record.problem else _misfit(record.fields, layout))
    except _More:
        pass
    return out, i


def _walk(data, i, final, layout, chosen):
    """(the Record that begins at byte `i`, where the next one does)

    Raises:
        _More: the data end before the record does.
    """
    fields: list = []
    problem, number, over = None, 0, False
    while not over:
        read = _quoted if layout.quotes and data[i : i + 1] == b'"' else _unquoted
        field, wrong, i, over = read(data, i, final, layout)
        if problem is None and (chosen is None or number in chosen):
            if len(fields) == layout.count and not wrong:
                wrong = f"Expect {layout.count} fields but have more in record"
            fields += () if wrong else (field,)
        problem, number = problem or wrong, number + 1
    return Record(fields, problem), i


def _unquoted(data, i, final, layout):
    """(field, what is wrong with it, where the next one begins, end of record)"""
    end = layout.bare.match(data, i).end()
    field = data[i:end]
    wrong = None
    if layout.quotes and b'"' in field:
        wrong = "Unquoted fields cannot have quotes inside"
    return field, wrong, *_behind(data, end, final, layout)


def _quoted(data, i, final, layout):
    """The same for a field that begins with a quote."""
    parts, wrong, i = [], None, i + 1
    while True:
        end = data.find(b'"', i)
        if end < 0:
            if not final:
                raise _More
            wrong = "Reached end of file without closing quoted field in record"
            return b"", wrong, len(data), True
        parts.append(data[i:end])
        after = data[end + 1 : end + 2]
        if not after and not final:
            raise _More
        if not after or after in layout.ends:
            field = b"".join(parts)
            return field, wrong, *_behind(data, end + 1, final, layout)
        if after != b'"':
            wrong = "Quote inside a string has to be escaped by another quote"
        parts.append(b'"')
        i = end + 2


def _behind(data, i, final, layout):
    """(where the next field begins, whether it is of the next record)"""
    after = data[i : i + 1]
    if not after:
        if not final:
            raise _More
        return i, True
    if after == layout.delimiter:
        return i + 1, False
    if after == b"\r":
        if i + 1 == len(data) and not final:
            raise _More
        return i + 1 + (data[i + 1 : i + 2] == b"\n"), True
    return i + 1, True
