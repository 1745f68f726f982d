"""Summaries of quantiles as serialized QuantileSummaryStates, and back.

A row of four numbers takes 22 bytes, but for those of 0, which are left out; rows
without any are written and read many at a time.
"""

import numpy as np

from twinflow.base.errors import invalid
from twinflow.ops.trees.quantiles import of_entries

_TAGS = (0x0D, 0x15, 0x1D, 0x25)  # value, weight, min_rank, max_rank: floats
_ROW, _WHOLE = 0x0A, 20
_WIDTH = 2 + _WHOLE


def serialized(summary):
    """The bytes of a Summary."""
    rows = np.stack(summary, axis=1).astype("<f4", copy=False)
    out = np.empty((len(rows), _WIDTH), np.uint8)
    out[:, 0], out[:, 1] = _ROW, _WHOLE
    words = rows.view(np.uint8).reshape(len(rows), 4, 4)
    for i, tag in enumerate(_TAGS):
        out[:, 2 + 5 * i] = tag
        out[:, 3 + 5 * i : 7 + 5 * i] = words[:, i]
    parts, last = [], 0
    for row in np.flatnonzero((rows.view(np.uint32) == 0).any(1)).tolist():
        parts += [out[last:row].tobytes(), _short(rows[row])]
        last = row + 1
    return b"".join([*parts, out[last:].tobytes()])


def _short(row):
    kept = [
        bytes([tag]) + x.tobytes()
        for tag, x in zip(_TAGS, row)
        if x.tobytes().strip(b"\0")
    ]
    body = b"".join(kept)
    return bytes([_ROW, len(body)]) + body


def parsed(text):
    """The Summary of bytes.

    Raises:
        InvalidArgumentError: they are none.
    """
    data = np.frombuffer(text, np.uint8)
    places, at, end = [], 0, len(text)
    while at < end:
        if text[at] != _ROW or at + 2 > end or at + 2 + text[at + 1] > end:
            raise invalid("Unable to parse quantile summary.")
        places.append(at)
        at += 2 + text[at + 1]
    rows = np.zeros((len(places), 4), "<f4")
    starts = np.array(places, np.int64)
    whole = np.flatnonzero(data[starts + 1] == _WHOLE) if places else starts
    for i in range(4):
        bytes_at = starts[whole, None] + 3 + 5 * i + np.arange(4)
        rows[whole, i] = data[bytes_at].copy().view("<f4")[:, 0]
    for row in set(range(len(places))) - set(whole.tolist()):
        at = places[row]
        rows[row] = _of_short(text[at + 2 : at + 2 + text[at + 1]])
    return of_entries(rows)


def _of_short(body):
    row = np.zeros(4, "<f4")
    for at in range(0, len(body), 5):
        if body[at] not in _TAGS:
            raise invalid("Unable to parse quantile summary.")
        row[_TAGS.index(body[at])] = np.frombuffer(body[at + 1 : at + 5], "<f4")[0]
    return row
