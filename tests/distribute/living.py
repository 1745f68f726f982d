"""Processes that carry a mark in their environment: who lives, and until when."""

import os
import time
import uuid
from pathlib import Path
from typing import NamedTuple

MARK = "TWINFLOW_TEST_MARK"


class Living(NamedTuple):
    """A process: its number, its rank if any, whether it is the keeper of the list."""

    pid: int
    rank: int | None
    is_keeper: bool


def mark():
    """A new mark, for the environment."""
    return {MARK: uuid.uuid4().hex}


def living(marked):
    """The processes with a mark; those that have ended but are kept do not count."""
    wanted, found = f"{MARK}={marked[MARK]}", []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            env = (folder / "environ").read_bytes().decode(errors="replace").split("\0")
            words = (folder / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        if wanted not in env:
            continue
        ranks = [int(e.partition("=")[2]) for e in env if e[:14] == "TWINFLOW_RANK="]
        keeper = any(word.endswith("keeper.py") for word in words)
        rank = None if keeper or not ranks else ranks[0]
        found.append(Living(int(folder.name), rank, keeper))
    return found


def until(condition, seconds=60):
    """What a condition gives once it is true."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"not within {seconds} s: {condition}"
        time.sleep(0.1)
    return found


def end_all(marked):
    """Kill what lives."""
    for one in living(marked):
        os.kill(one.pid, 9)
