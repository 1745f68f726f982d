"""tensorflow.python.summary.writer.event_file_writer: events into files."""

from twinflow.formats.events import EventFile


class EventFileWriter:
    """Writes Events into a file of a folder.

    Args:
        logdir: the folder, which is made. max_queue, flush_secs: how many events, and
            for how many seconds, wait. filename_suffix: the end of the file's name.
    """

    def __init__(self, logdir, max_queue=10, flush_secs=120, filename_suffix=None):
        self._logdir, self._closed = logdir, False
        self._file = EventFile(logdir, filename_suffix or "", flush_secs, max_queue)

    def get_logdir(self):
        """The folder."""
        return self._logdir

    def add_event(self, event):
        """Append an Event; after `close` nothing happens."""
        if not self._closed:
            self._file.write(event)

    def flush(self):
        """Hand what was written to the system."""
        self._file.flush()

    def close(self):
        """Write no more."""
        self._file.close()
        self._closed = True

    def reopen(self):
        """Write again, into a new file."""
        self._closed = False
