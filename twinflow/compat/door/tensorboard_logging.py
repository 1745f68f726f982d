"""tensorflow.python.training.tensorboard_logging: messages into event files."""

import time

from twinflow.base import logging
from twinflow.formats.protos import Event, LogMessage

DEBUG, INFO, WARN, ERROR, FATAL = "DEBUG", "INFO", "WARN", "ERROR", "FATAL"
_LEVELS = {
    DEBUG: LogMessage.DEBUGGING, INFO: LogMessage.INFO, WARN: LogMessage.WARN,
    ERROR: LogMessage.ERROR, FATAL: LogMessage.FATAL,
}  # fmt: skip
_PLAIN = {
    DEBUG: logging.DEBUG, INFO: logging.INFO, WARN: logging.WARN,
    ERROR: logging.ERROR, FATAL: logging.FATAL,
}  # fmt: skip
_state: dict = {"verbosity": WARN, "writer": None}


def _check(level):
    if level not in _LEVELS:
        raise ValueError(f"Level {level} is not a valid tensorboard_logging level")


def get_verbosity():
    """The level from which on messages are written."""
    return _state["verbosity"]


def set_verbosity(verbosity):
    """Write the messages of a level and of those above it.

    Raises:
        ValueError: there is no such level.
    """
    _check(verbosity)
    _state["verbosity"] = verbosity


def set_summary_writer(summary_writer):
    """Where messages are written to: a FileWriter, or None."""
    _state["writer"] = summary_writer


def clear_summary_writer():
    """Write messages nowhere."""
    set_summary_writer(None)


def log(level, message, *args):
    """Write a message; `%` puts `args` into it.

    Raises:
        ValueError: there is no such level. RuntimeError: there is no writer.
    """
    _check(level)
    writer = _state["writer"]
    if writer is None:
        raise RuntimeError(
            "Must call set_summary_writer before doing any logging from "
            "tensorboard_logging"
        )
    if _LEVELS[level] < _LEVELS[get_verbosity()]:
        return
    found = LogMessage(level=_LEVELS[level], message=message % args)
    writer.add_event(Event(wall_time=time.time(), log_message=found))
    writer.flush()
    logging.log(_PLAIN[level], message, *args)


def debug(message, *args):
    """As `log`, of the level DEBUG."""
    log(DEBUG, message, *args)


def info(message, *args):
    """As `log`, of the level INFO."""
    log(INFO, message, *args)


def warn(message, *args):
    """As `log`, of the level WARN."""
    log(WARN, message, *args)


warning = warn


def error(message, *args):
    """As `log`, of the level ERROR."""
    log(ERROR, message, *args)


def fatal(message, *args):
    """As `log`, of the level FATAL."""
    log(FATAL, message, *args)
