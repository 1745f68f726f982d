"""Event files: what TensorBoard reads; records of Event protos.

They are named ``events.out.tfevents.SECONDS.HOST``, so that a folder may hold several;
the first event says the version of the format.
"""

import os
import socket
import threading
import time
from typing import Any

from twinflow.base import errors, stores
from twinflow.base.files import translated
from twinflow.formats.protos import Event
from twinflow.formats.tf_record import framed

_VERSION = "brain.Event:2"
_own: set[str] = set()  # the files that this process has made


class EventFile:
    """Appends events to a new file of a folder.

    Args:
        logdir: the folder, which is made. suffix: the end of the file's name.
        flush_secs: seconds after which what was written reaches the system.
        max_queue: events after which it does so, too; not in a store, where each time
            the whole file goes up.
    Attributes:
        path: of the file; it is made with the first event.
    """

    def __init__(self, logdir, suffix="", flush_secs=120.0, max_queue=10):
        self.logdir, self._suffix = logdir, suffix
        self._flush_secs = flush_secs
        self._most_waiting = float("inf") if stores.is_remote(logdir) else max_queue
        self._lock = threading.Lock()
        self._file: Any = None
        self.path, self._waiting, self._flushed = "", 0, 0.0
        with translated(logdir):
            stores.makedirs(logdir)
        self._open()

    def _open(self):
        self.path = self._free_path()
        with translated(self.path):
            self._file = stores.opened(self.path, "ab")
            self._flushed = time.monotonic()
            self._put(Event(wall_time=time.time(), file_version=_VERSION))
            self._file.flush()

    def _free_path(self) -> str:
        """A path named by the seconds of now; one of another process is let alone."""
        second = int(time.time())
        while True:
            name = f"events.out.tfevents.{second:010d}.{socket.gethostname()}"
            path = os.path.join(self.logdir, name + self._suffix)
            if path in _own:
                return path
            try:
                with translated(path):
                    stores.opened(path, "xb").close()
            except errors.AlreadyExistsError:
                second += 1
            else:
                _own.add(path)
                return path

    def _put(self, event):
        self._file.write(framed(event.SerializeToString()))

    def write(self, event):
        """Append an Event; one without a time gets that of now."""
        if not event.wall_time:
            event.wall_time = time.time()
        with self._lock, translated(self.path):
            if self._file is None:
                self._open()
            self._put(event)
            self._waiting += 1
            late = time.monotonic() - self._flushed >= self._flush_secs
            if late or self._waiting >= self._most_waiting:
                self._flush()

    def _flush(self):
        self._file.flush()
        self._waiting, self._flushed = 0, time.monotonic()

    def flush(self):
        """Hand what was written to the system."""
        with self._lock, translated(self.path):
            if self._file is not None:
                self._flush()

    def close(self):
        """Flush and close; a later event opens a new file."""
        with self._lock, translated(self.path):
            file, self._file = self._file, None
            if file is not None:
                file.close()

    def __del__(self):
        """What nobody can close any more, such as the file of a graph that is gone."""
        file = self.__dict__.get("_file")
        if file is not None:
            try:  # with nothing but builtins: modules are empty at the end of Python
                file.close()
            except OSError:
                pass
