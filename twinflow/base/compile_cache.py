"""Where compiled programs are kept between runs: a folder in the user's cache folder.

`TWINFLOW_COMPILE_CACHE=off` does without. What is in there depends on the processor, so
each kind of processor has a folder of its own.
"""

import contextlib
import hashlib
import os
import platform
import shutil
from pathlib import Path
from typing import NamedTuple

SWITCH = "TWINFLOW_COMPILE_CACHE"
MOST_BYTES = 1 << 30


class Entry(NamedTuple):
    """A file of the cache: its path, its size in bytes, when it was last used."""

    path: Path
    bytes: int
    used: float


def root() -> Path:
    """The folder of all kinds of processors."""
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base or Path.home() / ".cache") / "twinflow" / "compiled"


def folder() -> Path | None:
    """The folder for this processor, made if it is not there.

    Returns:
        None where there is to be no cache, or none can be written.
    Raises:
        ValueError: the switch in the environment is neither `on` nor `off`.
    """
    switch = os.environ.get(SWITCH, "on")
    if switch not in ("on", "off"):
        raise ValueError(f"{SWITCH} is {switch!r}; expected 'on' or 'off'.")
    if switch == "off":
        return None
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: nobody's home
        found = root() / _processor()
        found.mkdir(parents=True, exist_ok=True, mode=0o700)
        return found if os.access(found, os.W_OK) else None
    return None


def _processor() -> str:
    """A short name of what machine code depends on."""
    text = platform.machine() + platform.processor()
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        text += "".join(sorted({s for s in lines if s.startswith(_FEATURES)}))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


_FEATURES = ("model name", "flags", "Features", "CPU part")


def entries() -> list[Entry]:
    """What is in the cache, what was used last first."""
    found = []
    for path in root().glob("*/**/*"):
        with contextlib.suppress(OSError):  # another process may remove it
            if path.is_file():
                facts = path.stat()
                used = max(facts.st_atime, facts.st_mtime)
                found.append(Entry(path, facts.st_size, used))
    return sorted(found, key=lambda e: (-e.used, e.path))


def trim(most: int = MOST_BYTES) -> None:
    """Remove what was not used for longest, until the rest has at most `most` bytes."""
    total = 0
    for entry in entries():
        total += entry.bytes
        if total > most:
            entry.path.unlink(missing_ok=True)


def clear() -> list[Entry]:
    """Remove everything; returns what was there."""
    found = entries()
    shutil.rmtree(root(), ignore_errors=True)
    return found
