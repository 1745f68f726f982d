"""Waiting for the checkpoints that another program writes."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from twinflow.base import logging
from twinflow.checkpoint.state import latest_checkpoint


def wait_for_new_checkpoint(
    checkpoint_dir: Any, last_checkpoint: Any = None, seconds_to_sleep: float = 1,
    timeout: Any = None,
) -> Any:  # fmt: skip
    """Wait until a folder has a checkpoint that is not `last_checkpoint`.

    Args:
        checkpoint_dir: the folder. last_checkpoint: the path that is known.
        seconds_to_sleep: between two looks. timeout: in seconds; None: for ever.
    Returns:
        The path of the checkpoint, or None where there was none in time.
    """
    logging.info("Waiting for new checkpoint at %s", checkpoint_dir)
    stop = time.time() + timeout if timeout is not None else None
    while True:
        path = latest_checkpoint(checkpoint_dir)
        if path is not None and path != last_checkpoint:
            logging.info("Found new checkpoint at %s", path)
            return path
        if stop is not None and time.time() + seconds_to_sleep > stop:
            return None
        time.sleep(seconds_to_sleep)


def checkpoints_iterator(
    checkpoint_dir: Any, min_interval_secs: float = 0, timeout: Any = None,
    timeout_fn: Callable | None = None,
) -> Iterator[Any]:  # fmt: skip
    """The checkpoints of a folder as they come.

    Args:
        checkpoint_dir: the folder. min_interval_secs: from one to the next, at least.
        timeout: how many seconds to wait for one; None: for ever.
        timeout_fn: called where none came in time: whether that is the end. It is,
            where there is no such function.
    Yields:
        paths
    """
    path = None
    while True:
        new = wait_for_new_checkpoint(checkpoint_dir, path, timeout=timeout)
        if new is None:
            if timeout_fn is None:
                logging.info("Timed-out waiting for a checkpoint.")
                return
            if timeout_fn():
                return
            continue
        start, path = time.time(), new
        yield path
        rest = start + min_interval_secs - time.time()
        if rest > 0:
            time.sleep(rest)
