"""The heap of the process: glibc keeps for the next arrays what the last ones left.

Note [Kept heap]: by default glibc asks the system for the memory of each array from
128 KiB (later 32 MiB) on and returns it with the array. The system hands it out in
pages of 4 KiB filled with zeros, at .25 to 1 us a page: a step of an unrolled LSTM in a
session takes 30 ms in place of 14, one of a transformer 104 in place of 78. So arrays
of up to 256 MiB come from the heap, and the heap keeps up to an eighth of the machine's
memory, 1 GiB at most, at its end. Arrays of other threads, and larger ones, are
returned as before, and all that is free before a compiled form first runs (Note
[Change-over] in execute.background). Whoever sets MALLOC_TRIM_THRESHOLD_ or
MALLOC_MMAP_THRESHOLD_ decides. Importing this module does it.
docs/decisions/0014-kept-heap.md compares it with a pool in NumPy.
"""

import ctypes
import os
import sys
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_TRIM, _APART = -1, -3  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD of mallopt
SETTINGS = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES")
MOST_KEPT, MOST_APART = 1 << 30, 1 << 28  # bytes
_libc: Any = ctypes.CDLL(None) if os.name == "posix" else None


def kept_of(memory: int) -> int:
    """How much the heap keeps on a machine of so much memory, both in bytes."""
    return min(memory // 8, MOST_KEPT)


def keep(memory: int) -> bool:
    """Let the heap keep what is free; whether it does.

    Args:
        memory: of the machine, in bytes; 0: not known, and the heap stays as it is.
    """
    told = any(name in os.environ for name in SETTINGS)
    if told or not memory or not hasattr(_libc, "mallopt"):
        return False
    # One alone would not do: setting it fixes the other where it is.
    return bool(
        _libc.mallopt(_TRIM, kept_of(memory)) and _libc.mallopt(_APART, MOST_APART)
    )


def memory_of_machine() -> int:
    """The machine's memory in bytes; 0 where that is not known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 0


def give_back() -> None:
    """Give the free parts of the heap back to the system."""
    if hasattr(_libc, "malloc_trim"):
        _libc.malloc_trim(0)


class _Malloc(ctypes.Structure):
    """struct mallinfo2, from glibc 2.33 on: bytes in the heap and beside it."""

    _names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks"
    _fields_ = [(name, ctypes.c_size_t) for name in f"{_names} keepcost".split()]


def bytes_in_use() -> int:
    """What the process has allocated; without glibc 2.33, the most that it had."""
    if not hasattr(_libc, "mallinfo2"):
        return most_bytes_in_use()
    _libc.mallinfo2.restype = _Malloc
    found = _libc.mallinfo2()
    return found.uordblks + found.hblkhd


def most_bytes_in_use() -> int:
    """The most memory that was resident at a time; 0 where that is not known."""
    if resource is None:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most << 10


KEPT = keep(memory_of_machine())
