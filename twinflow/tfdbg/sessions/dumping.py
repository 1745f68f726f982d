"""A session that dumps every run into a folder of its own."""

import os
import threading
import time
from collections.abc import Callable
from typing import Any

from twinflow.base.stores import is_remote
from twinflow.formats import protos
from twinflow.tfdbg.dumps import names
from twinflow.tfdbg.sessions.wrapped import NonInteractiveDebugWrapperSession


def check_free(path: str, what: str) -> None:
    """Refuse a folder that has files, and one of a store.

    Raises:
        ValueError: it is a file, or has some, or is not of this machine.
    """
    if is_remote(path):
        raise ValueError(
            f"{what} must be a folder of this machine, but is {path}: dumps are looked "
            "at where they are written"
        )
    if os.path.isfile(path):
        raise ValueError(f"{what} path points to a file: {path}")
    if os.path.isdir(path) and os.listdir(path):
        raise ValueError(f"{what} path points to a non-empty directory: {path}")


class DumpingDebugWrapperSession(NonInteractiveDebugWrapperSession):
    """Dumps each run below a folder: run_TIME_NUMBER.

    Args:
        sess: the session. session_root: the folder, new or empty.
        watch_fn: a function (fetches, feeds) that returns WatchOptions, or None.
        thread_name_filter: expression for the threads whose runs are dumped.
        pass_through_operrors: whether what a run raises leaves it.
        log_usage: without effect: nothing is logged.
    Raises:
        ValueError: the folder is a file, or has files.
    """

    def __init__(
        self, sess: Any, session_root: str, watch_fn: Callable | None = None,
        thread_name_filter: str | None = None,
        pass_through_operrors: bool | None = None, log_usage: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(
            sess, watch_fn=watch_fn, thread_name_filter=thread_name_filter,
            pass_through_operrors=pass_through_operrors,
        )  # fmt: skip
        check_free(session_root, "session_root")
        os.makedirs(session_root, exist_ok=True)
        self._session_root = session_root
        self._run_counter = 0
        self._run_counter_lock = threading.Lock()

    def prepare_run_debug_urls(self, fetches: Any, feed_dict: Any) -> list[str]:
        """Make the folder of a run, and say in it what is fetched and fed."""
        with self._run_counter_lock:
            number, self._run_counter = self._run_counter, self._run_counter + 1
        now = time.time_ns() // 1000
        folder = os.path.join(self._session_root, f"run_{now}_{number}")
        os.mkdir(folder)
        keys = repr(feed_dict.keys()) if feed_dict else repr(feed_dict)
        for tag, text in (
            (names.FETCHES_INFO_FILE_TAG, repr(fetches)),
            (names.FEED_KEYS_INFO_FILE_TAG, keys),
        ):
            event = protos.Event(wall_time=now)
            event.log_message.message = text
            name = f"{names.METADATA_FILE_PREFIX}{tag}{now}"
            with open(os.path.join(folder, name), "wb") as f:
                f.write(event.SerializeToString())
        return ["file://" + folder]
