"""What files hold, as sources: lines, records, and pieces of one length."""

import numpy as np

from twinflow.base import errors, files
from twinflow.base.files import translated
from twinflow.base.records import opened, records_in
from twinflow.data.iterators import Elements
from twinflow.ops.strings.arrays import as_text

_PIECE = 1 << 20  # bytes read at once


def _scalar(data):
    out = np.empty((), object)
    out[()] = data
    return [out]


def _each(paths, read):
    """The source of what `read(path)` yields for each file."""
    paths = [as_text(p) for p in np.ravel(paths).tolist()]
    return lambda: Elements(_scalar(x) for path in paths for x in read(path))


def lines(paths, compression):
    """The lines of text files without their ends.

    Args:
        paths: an array of strings. compression: "", "ZLIB" or "GZIP".
    """

    def read(path):
        with opened(path, compression) as file:
            left = b""
            while piece := file.read(_PIECE):
                *whole, left = (left + piece).split(b"\n")
                yield from map(_stripped, whole)
            if left:
                yield _stripped(left)

    return _each(paths, read)


def _stripped(line):
    return line.removesuffix(b"\r")


def records(paths, compression):
    """The records of TFRecord files.

    Raises:
        DataLossError: one is damaged; it names the file and the byte.
    """

    def read(path):
        with opened(path, compression) as file:
            try:
                for _, data in records_in(file):
                    yield data
            except errors.DataLossError as error:
                message = f"{error.message} of {path}"
                raise errors.DataLossError(None, None, message) from None

    return _each(paths, read)


def pieces(paths, size, header, footer):
    """The pieces of `size` bytes of files, between a header and a footer.

    Raises:
        InvalidArgumentError: the file does not divide into such pieces.
    """

    def read(path):
        length = files.Stat(path).length
        body = length - header - footer
        if body < 0 or body % size:
            raise errors.InvalidArgumentError(
                None, None,
                f"Excluding the header ({header} bytes) and footer ({footer} bytes), "
                f'input file "{path}" has body length {body} bytes, which is not an '
                f"exact multiple of the record length ({size} bytes).",
            )  # fmt: skip
        with translated(path), open(path, "rb") as file:
            file.seek(header)
            for _ in range(body // size):
                yield file.read(size)

    return _each(paths, read)


def matching(patterns):
    """The sorted paths that match patterns, an array of strings.

    Raises:
        InvalidArgumentError: there is none.
    """
    texts = [as_text(p) for p in np.ravel(patterns).tolist()]
    found = sorted(files.Glob(texts))
    if not found:
        raise errors.InvalidArgumentError(
            None, None, f"No files matched pattern: {', '.join(texts)}"
        )
    out = np.empty(len(found), object)
    out[:] = [path.encode() for path in found]
    return out
