"""How readers cut a file into records: generators of (key, value), both bytes.

Each gives None first, when the file is open, so that a file that is not there is told
apart from one that turns out to be damaged.
"""

from twinflow.base.errors import invalid
from twinflow.base.files import read_file_to_string
from twinflow.formats.lmdb_records import pairs
from twinflow.formats.tf_record import opened, records_in
from twinflow.ops.strings.arrays import as_text

_CHUNK = 1 << 18


def whole_file(work):
    """The file as one record; its key is its name."""
    yield None
    yield work, read_file_to_string(as_text(work), binary_mode=True)


def identity(work):
    """The name itself, as key and value."""
    yield None
    yield work, work


def text_lines(work, skip_header_lines):
    """Lines without their ends; keys are `name:number`, counted from 1."""
    with opened(as_text(work)) as file:
        yield None
        for number, line in enumerate(file, 1):
            if number > skip_header_lines:
                line = line.removesuffix(b"\n").removesuffix(b"\r")
                yield b"%b:%d" % (work, number), line


def fixed_length(
    work, record_bytes, header_bytes, footer_bytes, hop_bytes=0, encoding=""
):
    """Records of one length; keys are `name:number`, counted from 0.

    Args:
        hop_bytes: from the start of a record to that of the next; 0 = its length.
        encoding: "ZLIB" or "GZIP" where the file is compressed, as TFRecords are.
    """
    kind = as_text(encoding)
    with opened(as_text(work), kind if kind in ("ZLIB", "GZIP") else "") as file:
        yield None
        file.read(header_bytes)
        found = _cut(file, record_bytes, hop_bytes or record_bytes or 1, footer_bytes)
        for number, record in enumerate(found):
            yield b"%b:%d" % (work, number), record


def _cut(file, size, hop, footer):
    """Pieces of `size` bytes that start every `hop` bytes, with `footer` bytes left."""
    data, place = b"", 0
    while True:
        while len(data) < place + size + footer:
            more = file.read(_CHUNK)
            if not more:
                return
            data, place = data[place:] + more, max(place - len(data), 0)
        yield data[place : place + size]
        place += hop


def check_lengths(record_bytes, header_bytes, footer_bytes, hop_bytes=0, **_):
    """Raises InvalidArgumentError where a length is below 0."""
    lengths = {
        "header_bytes": header_bytes,
        "record_bytes": record_bytes,
        "footer_bytes": footer_bytes,
        "hop_bytes": hop_bytes,
    }
    for name, length in lengths.items():
        if length < 0:
            raise invalid(f"{name} must be >= 0 not {length}")


def lmdb(work):
    """The pairs of a database of LMDB, under their keys."""
    yield None
    yield from pairs(as_text(work))


def tf_records(work, compression_type):
    """The records of a TFRecord file; keys are `name:offset`."""
    with opened(as_text(work), as_text(compression_type)) as file:
        yield None
        for offset, data in records_in(file):
            yield b"%b:%d" % (work, offset), data
