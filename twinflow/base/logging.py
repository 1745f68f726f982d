"""tf.logging: the logger `tensorflow` of Python's logging, and its counters."""

import collections
import logging as _logging
import os
import sys
import threading
import time
from types import FrameType
from typing import Any

DEBUG, INFO, WARN = _logging.DEBUG, _logging.INFO, _logging.WARNING
ERROR, FATAL = _logging.ERROR, _logging.CRITICAL
_LETTERS = {DEBUG: "D", INFO: "I", WARN: "W", ERROR: "E", FATAL: "F"}

_lock = threading.Lock()
_counts: collections.Counter = collections.Counter()
_ready: list = []


def _logger() -> Any:
    """The logger; it gets a handler at its first use if the program has set up none."""
    if not _ready:
        with _lock:
            if not _ready:
                _ready.append(_made())
    return _ready[0]


def _made() -> Any:
    logger = _logging.getLogger("tensorflow")
    if not (_logging.getLogger().handlers or logger.handlers):
        target = sys.stderr
        if hasattr(sys, "ps1") or sys.flags.interactive:
            logger.setLevel(INFO)
            target = sys.stdout
        handler = _logging.StreamHandler(target)
        handler.setFormatter(_logging.Formatter(_logging.BASIC_FORMAT, None))
        logger.addHandler(handler)
    return logger


def log(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """Log ``msg % args`` at a level."""
    _logger().log(level, msg, *args, **kwargs)


vlog = log


def debug(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log ``msg % args`` for the developer."""
    _logger().debug(msg, *args, **kwargs)


def info(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log ``msg % args`` for the curious; shown after `set_verbosity(INFO)`."""
    _logger().info(msg, *args, **kwargs)


def warning(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log ``msg % args`` as a warning."""
    _logger().warning(msg, *args, **kwargs)


warn = warning


def error(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log ``msg % args`` as an error."""
    _logger().error(msg, *args, **kwargs)


def fatal(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log ``msg % args`` at the highest level; the program goes on."""
    _logger().critical(msg, *args, **kwargs)


TaskLevelStatusMessage = error


def flush() -> None:
    """Write out what the handlers hold back."""
    for handler in _logger().handlers:
        handler.flush()


def log_if(level: int, msg: str, condition: bool, *args: Any) -> None:
    """Log ``msg % args`` if `condition`."""
    if condition:
        log(level, msg, *args)


def log_every_n(level: int, msg: str, n: int, *args: Any) -> None:
    """Log the 1st, (n + 1)th, (2n + 1)th ... call from this line."""
    log_if(level, msg, not _calls_before() % n, *args)


def log_first_n(level: int, msg: str, n: int, *args: Any) -> None:
    """Log the first `n` calls from this line."""
    log_if(level, msg, _calls_before() < n, *args)


def _calls_before() -> Any:
    """How often the calling line has been counted before."""
    place = _file_and_line()
    with _lock:
        _counts[place] += 1
        return _counts[place] - 1


def _file_and_line() -> tuple:
    """The place in the program that called this module."""
    here = sys._getframe().f_code.co_filename
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename != here:
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return "<unknown>", 0


def get_verbosity() -> int:
    """The least level that is shown."""
    return _logger().getEffectiveLevel()


def set_verbosity(v: int | str) -> None:
    """Show what has level `v` or more, for example tf.logging.INFO."""
    _logger().setLevel(v)


def google2_log_prefix(
    level: Any, timestamp: Any = None, file_and_line: Any = None
) -> str:
    """`I0131 14:05:59.000001   123 train.py:12] `: how Google's programs begin a line.

    Args:
        level: of this module. timestamp: seconds since 1970; now if not given.
        file_and_line: the place in the program; that of the caller if not given.
    """
    now = timestamp or time.time()
    file, line = file_and_line or _file_and_line()
    day = time.strftime("%m%d %H:%M:%S", time.localtime(now))
    thread = threading.get_ident() & (2 * sys.maxsize + 1)
    letter = _LETTERS.get(level, "I")
    micros = int(1e6 * (now % 1.0))
    return f"{letter}{day}.{micros:06d} {thread:5d} {os.path.basename(file)}:{line}] "


_log_prefix = google2_log_prefix
