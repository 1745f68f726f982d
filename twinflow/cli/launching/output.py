"""What processes print, line by line, with their numbers."""

import contextlib
import os
import sys
from typing import BinaryIO

_MOST = 1 << 20  # bytes of a line that has no end


class Lines:
    """The way from a process's pipe to a stream: whole lines, a number before each.

    Args:
        pipe: the file descriptor to read. rank: the number. to: the stream.
    """

    def __init__(self, pipe: int, rank: int, to: BinaryIO) -> None:
        self.pipe, self.to, self._begun = pipe, to, b""
        self._prefix = f"[{rank}] ".encode()

    def pass_on(self) -> bool:
        """Pass on what has come; whether there may be more.

        Raises:
            BrokenPipeError: nobody reads the stream any more.
        """
        try:
            data = os.read(self.pipe, 1 << 16)
        except BlockingIOError:
            return True
        whole, end, rest = (self._begun + data).rpartition(b"\n")
        if not data or len(rest) > _MOST:
            whole, end, rest = whole + end + rest, b"\n" if rest else b"", b""
        self._begun = rest
        if end or whole:
            self._write(whole)
        return bool(data)

    def _write(self, whole: bytes) -> None:
        lines = whole.removesuffix(b"\n").split(b"\n")
        self.to.write(b"".join(self._prefix + line + b"\n" for line in lines))
        self.to.flush()


def say(text: str) -> None:
    """Tell the user something about the processes."""
    with contextlib.suppress(BrokenPipeError):
        print(f"twinflow launch: {text}", file=sys.stderr, flush=True)
