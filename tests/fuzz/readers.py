"""The readers of files: how each of them makes a file, and reads it to its end.

A reader is `make(folder) -> paths of files to be damaged`, and `read(folder)`. Files
with checksums come twice: as they are, and with checksums that fit what was changed,
for somebody who wants to be read sees to that.
"""

import io
from typing import Any, NamedTuple

import numpy as np

from twinflow.base import dispatch
from twinflow.eager.mode import MODE
from twinflow.formats import sorted_table, tf_record


class Reader(NamedTuple):
    """How a kind of file is made and read.

    Attributes:
        make: function of a folder. read: function of a folder.
        names_file: whether the reader knows the file, so that its errors name it.
        unpacked, packed: functions between the bytes of a file and those that are
            changed, where checksums or compression would hide all changes.
        message: the class of the protocol buffer in it, whose fields are changed, too.
    """

    make: Any
    read: Any
    names_file: bool = True
    unpacked: Any = None
    packed: Any = None
    message: Any = None


READERS: dict[str, Reader] = {}


def reader(make, **options):
    """Register a function as the reader of what `make` writes, by its name."""

    def register(read):
        READERS[read.__name__] = Reader(make, read, **options)
        return read

    return register


def eagerly(read):
    def run(folder):
        with dispatch.entered(MODE):
            return read(folder)

    run.__name__ = read.__name__
    return run


def record_payloads(data):
    """The records of a TFRecord file, joined by a mark."""
    return b"\n--record--\n".join(d for _, d in tf_record.records_in(io.BytesIO(data)))


def as_records(payload):
    return b"".join(map(tf_record.framed, payload.split(b"\n--record--\n")))


def table_rows(data):
    """The rows of a table, joined by marks."""
    rows = sorted_table.read_table(data, "")
    return b"\n--row--\n".join(k + b"\n--value--\n" + v for k, v in rows.items())


def as_table(text):
    rows = {}
    for row in text.split(b"\n--row--\n"):
        key, _, value = row.partition(b"\n--value--\n")
        rows[key] = value
    return sorted_table.table(sorted(rows.items()))


@eagerly
def read_dataset(dataset):
    for _ in dataset():
        pass


def values():
    """Arrays of several dtypes, by name."""
    return {
        "w": np.arange(12, dtype=np.float32).reshape(3, 4), "n": np.int64(3),
        "s": np.array([b"ab", b"", b"c" * 40], object), "h": np.ones(5, np.float16),
    }  # fmt: skip
