"""A disk that is full: from the k-th write on, each write fails with ENOSPC."""

import builtins
import errno
import io
import os

REAL_OPEN = builtins.open
REAL_FSYNC = os.fsync


class Disk:
    """Counts the writes to files below a folder, and refuses those past a number.

    Args:
        folder: where the disk is. room: how many writes it has room for.
    Attributes:
        writes: how many were asked for. refused: how many of them were refused.
    """

    def __init__(self, folder, room):
        self.folder, self.room = str(folder), room
        self.writes = self.refused = 0

    def take(self, path):
        """Count a write; raises OSError where there is no room."""
        self.writes += 1
        if self.writes > self.room:
            self.refused += 1
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def open(self, file, mode="r", buffering=-1, encoding=None, *args, **kwargs):
        """As the builtin, with files of this disk."""
        inside = isinstance(file, str | os.PathLike) and os.path.abspath(
            file
        ).startswith(self.folder)
        if not inside or not set(mode) & set("wax+"):
            return REAL_OPEN(file, mode, buffering, encoding, *args, **kwargs)
        raw = _File(file, mode.replace("b", "").replace("t", ""), self)
        found = io.BufferedWriter(raw, buffering if buffering > 1 else 4096)
        if "b" in mode:
            return found
        return io.TextIOWrapper(found, encoding or "utf-8")

    def fsync(self, number):
        """As os.fsync; a full disk may say so only here."""
        self.take(None)
        REAL_FSYNC(number)

    def install(self, monkeypatch):
        """Let all files of the folder lie on this disk."""
        monkeypatch.setattr(builtins, "open", self.open)
        monkeypatch.setattr(os, "fsync", self.fsync)


class _File(io.FileIO):
    def __init__(self, path, mode, disk):
        super().__init__(path, mode)
        self._disk, self._path = disk, path

    def write(self, data):
        self._disk.take(self._path)
        return super().write(data)
