"""What files hold, as sources: lines, records, and pieces of one length."""

import operator

import numpy as np

from twinflow.base import errors, files, stores
from twinflow.base.files import translated
from twinflow.data.pipeline.stages import Stage, Staged
from twinflow.formats.tf_record import opened, records_in
from twinflow.ops.strings.arrays import as_text

_PIECE = 1 << 20  # bytes read at once


def _scalar(data):
    out = np.empty((), object)
    out[()] = data
    return out


def as_element(texts):
    """The element of bytes."""
    return [_scalar(text) for text in texts]


class Read(Stage):
    """What files hold, one file after another; what follows an error is the next one.

    Args:
        paths: the files. read: (path, byte) -> iterator of (byte, list of bytes): what
            is there from a byte on, and where it begins.
    """

    def __init__(self, paths, read):
        self.paths, self.read = paths, read
        self.number = self.byte = self.first = 0
        self.rows, self.left = (), iter(())

    def elements(self):
        while self.number < len(self.paths):
            try:
                for found in self.read(self.paths[self.number], self.byte):
                    self.byte, self.rows = found
                    self.left = iter(self.rows[self.first :])
                    self.first = 0
                    yield from ([_scalar(row)] for row in self.left)
                self._next_file()
            except errors.OpError:
                self._next_file()
                raise
        self.over = True

    def _next_file(self):
        self.number, self.byte, self.rows, self.left = self.number + 1, 0, (), iter(())

    def state(self):
        left = operator.length_hint(self.left)
        given = len(self.rows) - left if self.rows else self.first
        return [self.number, self.byte, given]

    def resume(self, number, byte, given):
        self.number, self.byte, self.first = number, byte, given


def _each(paths, read):
    """The source of what `read(path, byte)` finds in each file."""
    paths = [as_text(p) for p in np.ravel(paths).tolist()]
    return lambda: Staged(Read(paths, read))


def _to(file, byte):
    """Go to a byte of an open file."""
    if hasattr(file, "seek"):
        file.seek(byte)
        return
    while byte and (found := file.read(min(byte, _PIECE))):
        byte -= len(found)


def lines(paths, compression):
    """The lines of text files without their ends.

    Args:
        paths: an array of strings. compression: "", "ZLIB" or "GZIP".
    """

    def read(path, byte):
        with opened(path, compression) as file:
            _to(file, byte)
            left = b""
            while piece := file.read(_PIECE):
                whole, end, rest = (left + piece).rpartition(b"\n")
                if end:
                    yield byte, [_stripped(line) for line in whole.split(b"\n")]
                    byte += len(whole) + 1
                left = rest
            if left:
                yield byte, [_stripped(left)]

    return _each(paths, read)


def _stripped(line):
    return line.removesuffix(b"\r")


def records(paths, compression):
    """The records of TFRecord files.

    Raises:
        DataLossError: one is damaged; it names the file and the byte.
    """

    def read(path, byte):
        with opened(path, compression) as file:
            _to(file, byte)
            for at, data in records_in(file, byte):
                yield at, (data,)

    return _each(paths, read)


def pieces(paths, size, header, footer):
    """The pieces of `size` bytes of files, between a header and a footer.

    Raises:
        InvalidArgumentError: the file does not divide into such pieces.
    """

    def read(path, byte):
        length = files.Stat(path).length
        body = length - header - footer
        if body < 0 or body % size:
            raise errors.invalid(
                f"Excluding the header ({header} bytes) and footer ({footer} bytes), "
                f'input file "{path}" has body length {body} bytes, which is not an '
                f"exact multiple of the record length ({size} bytes).",
            )
        with translated(path), stores.opened(path) as file:
            file.seek(byte or header)
            for at in range(byte or header, length - footer, size):
                yield at, (file.read(size),)

    return _each(paths, read)


def matching(patterns, some=True):
    """The sorted paths that match patterns, an array of strings.

    Args:
        some: whether there have to be some.
    Raises:
        NotFoundError: there is no such folder.
        InvalidArgumentError: nothing matches.
    """
    texts = [as_text(p) for p in np.ravel(patterns).tolist()]
    found = sorted(files.Glob(texts))
    if some and not found:
        raise errors.InvalidArgumentError(
            None,
            None,
            f"assertion failed: [No files matched pattern: {', '.join(texts)}]",
        )
    out = np.empty(len(found), object)
    out[:] = [path.encode() for path in found]
    return out
