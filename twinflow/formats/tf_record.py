"""TFRecord files: records of bytes, each with its length and checksums, in a row.

    uint64 length, uint32 masked crc of the length, the bytes, uint32 masked crc of them

All little-endian; the whole file may be compressed by zlib or gzip.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import Any

from twinflow.base import errors, stores
from twinflow.base.files import translated
from twinflow.base.text import as_str_any, path_to_str
from twinflow.formats.crc32c import masked_crc32c

_HEADER = struct.Struct("<QI")
_FOOTER = struct.Struct("<I")
_CHUNK, _PIECE = 1 << 18, 1 << 24
_WINDOW = {"ZLIB": 15, "GZIP": 31}  # window_bits of zlib: 16 more means gzip


class TFRecordCompressionType:
    """How a TFRecord file is compressed."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


class TFRecordOptions:
    """How to read or write TFRecord files.

    Args:
        compression_type: a TFRecordCompressionType, or "", "ZLIB", "GZIP".
        window_bits, compression_level, compression_method, mem_level,
        compression_strategy: for writing, see zlib.compressobj.
        flush_mode, input_buffer_size, output_buffer_size: accepted.
    Raises:
        ValueError: there is no such compression.
    """

    compression_type_map = {0: "", 1: "ZLIB", 2: "GZIP"}

    def __init__(
        self, compression_type: Any = None, flush_mode: Any = None,
        input_buffer_size: Any = None, output_buffer_size: Any = None,
        window_bits: Any = None, compression_level: Any = None,
        compression_method: Any = None, mem_level: Any = None,
        compression_strategy: Any = None,
    ) -> None:  # fmt: skip
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """ "", "ZLIB" or "GZIP", from TFRecordOptions, a type, its name, or None."""
        if isinstance(options, TFRecordOptions):
            options = options.compression_type
        if not options:
            return ""
        if options in cls.compression_type_map:
            return cls.compression_type_map[options]
        if options in cls.compression_type_map.values():
            return options
        raise ValueError(f'Not a valid compression_type: "{options}"')


# ---------------------------------------------------------------------- reading
class Inflated:
    """The bytes of a compressed file, as a file.

    Args:
        file: the compressed one, open. kind: "ZLIB" or "GZIP".
    Attributes:
        name: the path of the file.
    """

    def __init__(self, file, kind):
        self._file, self._window = file, _WINDOW[kind]
        self.name = getattr(file, "name", "")
        self._unpacker, self._ready = zlib.decompressobj(self._window), b""

    def read(self, n=-1):
        """The next `n` bytes, or what is left.

        Raises:
            DataLossError: the file is not compressed this way, or damaged.
        """
        parts, missing = [], n
        while missing:
            if not self._ready and not self._unpack():
                break
            part = self._ready if n < 0 else self._ready[:missing]
            self._ready = self._ready[len(part) :]
            parts.append(part)
            missing -= len(part) if n >= 0 else 0
        return b"".join(parts)

    def _unpack(self):
        """Unpack some more; False at the end."""
        while not self._ready:
            data = self._unpacker.unused_data or self._file.read(_CHUNK)
            if not data:
                return False
            if self._unpacker.eof:  # what follows is one more compressed file
                self._unpacker = zlib.decompressobj(self._window)
            try:
                self._ready = self._unpacker.decompress(data)
            except zlib.error as error:
                text = str(error).partition("while decompressing data: ")[2]
                message = f"inflate() failed with error -3: {text or error}"
                place = f" in {self.name}" if self.name else ""
                raise errors.DataLossError(None, None, message + place) from None
        return True

    def close(self):
        """Close the file."""
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


def opened(path, compression=""):
    """A file, open for reading its uncompressed bytes.

    Raises:
        NotFoundError: there is none.
    """
    path = as_str_any(path_to_str(path))
    with translated(path):
        file = stores.opened(path)
    return Inflated(file, compression) if compression else file


def records_in(file, offset=0):
    """The records of an open file of uncompressed bytes, from byte `offset` on.

    Returns:
        An iterator of (offset, bytes).
    Raises:
        DataLossError: a checksum is wrong, or the last record is cut off.
    """
    while len(header := file.read(_HEADER.size)) == _HEADER.size:
        length, check = _HEADER.unpack(header)
        if masked_crc32c(header[:8]) != check:
            raise _lost("corrupted", offset, file)
        data = file.read(length) if length < _CHUNK else _long(file, length)
        footer = file.read(_FOOTER.size)
        if len(data) != length or len(footer) != _FOOTER.size:
            raise _lost("truncated", offset, file)
        if masked_crc32c(data) != _FOOTER.unpack(footer)[0]:
            raise _lost("corrupted", offset + _HEADER.size, file)
        yield offset, data
        offset += _HEADER.size + length + _FOOTER.size


def _long(file, length):
    """The next `length` bytes: piece by piece, for a length may lie."""
    parts = []
    while length and (part := file.read(min(length, _PIECE))):
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _lost(how, offset, file):
    name = getattr(file, "name", "")
    place = f" of {name}" if name else ""
    return errors.DataLossError(None, None, f"{how} record at {offset}{place}")


def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """The records of a TFRecord file.

    Args:
        path: the file. options: TFRecordOptions, where it is compressed.
    Returns:
        An iterator of bytes.
    Raises:
        NotFoundError: there is no such file. DataLossError: it is damaged.
    Example:
        with tf.python_io.TFRecordWriter("a.tfrecord") as f: f.write(b"one")
        list(tf.python_io.tf_record_iterator("a.tfrecord"))  # [b"one"]
    """
    kind = TFRecordOptions.get_compression_type_string(options)
    with opened(path, kind) as file:
        for _, data in records_in(file):
            yield data


# ---------------------------------------------------------------------- writing
def framed(record):
    """The bytes of a record as they stand in a file."""
    length = struct.pack("<Q", len(record))
    check = _FOOTER.pack(masked_crc32c(length))
    return b"".join([length, check, record, _FOOTER.pack(masked_crc32c(record))])


def _packer(kind, options):
    o = options if isinstance(options, TFRecordOptions) else TFRecordOptions()
    given = {
        "level": o.compression_level,
        "method": o.compression_method,
        "wbits": o.window_bits or _WINDOW[kind],
        "memLevel": o.mem_level,
        "strategy": o.compression_strategy,
    }
    return zlib.compressobj(**{k: v for k, v in given.items() if v is not None})


class TFRecordWriter:
    """Writes a TFRecord file.

    Args:
        path: the file; one that is there is replaced.
        options: TFRecordOptions, to compress it.
    Raises:
        NotFoundError: there is no such folder. ValueError: no such compression.
    Example:
        with tf.python_io.TFRecordWriter("a.tfrecord") as w: w.write(b"one")
        list(tf.python_io.tf_record_iterator("a.tfrecord"))  # [b"one"]
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        kind = TFRecordOptions.get_compression_type_string(options)
        self._path = path = as_str_any(path_to_str(path))
        self._packer = _packer(kind, options) if kind else None
        self._file: Any = None
        with translated(path):
            self._file = stores.opened(path, "wb")

    def write(self, record: Any) -> None:
        """Append a record, which is bytes."""
        if not isinstance(record, bytes):
            raise TypeError(f"expected bytes, {type(record).__name__} found")
        file = self._open_file()
        with translated(self._path):
            file.write(self._packed(framed(record)))

    def _packed(self, data):
        return self._packer.compress(data) if self._packer else data

    def _open_file(self):
        if self._file is None:
            text = "Writer not initialized or previously closed"
            raise errors.FailedPreconditionError(None, None, text)
        return self._file

    def flush(self) -> None:
        """Hand what was written to the system."""
        file = self._open_file()
        with translated(self._path):
            if self._packer:
                file.write(self._packer.flush(zlib.Z_SYNC_FLUSH))
            file.flush()

    def close(self) -> None:
        """Finish the file."""
        file, self._file = self._file, None
        if file is None:
            return
        with translated(self._path), file:
            if self._packer:
                file.write(self._packer.flush())

    def __enter__(self) -> "TFRecordWriter":
        return self

    def __exit__(self, *exc):
        self.close()

    def __del__(self):
        if getattr(self, "_file", None) is not None:
            self.close()
