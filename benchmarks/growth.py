"""How much the memory of this process grows within a step (Linux)."""

import contextlib
import ctypes
import gc
import json
import time
from pathlib import Path

# The half of the channels that a convolution has: 32 x 16 x 32 x 32 floats.
BATCH, CHANNELS, PIXELS = 32, 16, 32
STATUS = Path("/proc/self/status")


def _bytes(name):
    lines = STATUS.read_text().splitlines()
    return next(int(s.split()[1]) * 1024 for s in lines if s.startswith(name))


def tell(step, repeats=2):
    """Print the bytes and the seconds of a step, after one that warms up."""
    step()
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # what is free goes back first
    Path("/proc/self/clear_refs").write_text("5")  # begin a new maximum
    before, seconds = _bytes("VmRSS"), []
    for _ in range(repeats):
        start = time.perf_counter()
        step()
        seconds.append(time.perf_counter() - start)
    size = max(_bytes("VmHWM") - before, 0)
    print(json.dumps({"bytes": size, "seconds": min(seconds)}))
