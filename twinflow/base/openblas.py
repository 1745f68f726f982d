"""NumPy's matrix products on AMD processors with AVX-512.

The OpenBLAS in NumPy's wheels takes these processors for older ones and uses half of
their vectors: a 64x784x128 product takes 167 us instead of 98 (Zen 5, 2 cores). Where
NumPy is not loaded yet and the user has not chosen (OPENBLAS_CORETYPE), it is told to
use its AVX-512 kernels. Importing this module does it; it must come before NumPy.
"""

import os
import sys

_NAME, _KERNELS = "OPENBLAS_CORETYPE", "SkylakeX"


def _wants_avx512() -> bool:
    if _NAME in os.environ or "numpy" in sys.modules:
        return False
    try:
        with open("/proc/cpuinfo") as f:
            text = f.read(4096)
    except OSError:
        return False
    flags = ("avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512cd")
    return "AuthenticAMD" in text and all(f in text for f in flags)


if _wants_avx512():
    os.environ[_NAME] = _KERNELS
    import numpy as np

    np.dot(np.ones((2, 2)), np.ones((2, 2)))  # the choice is made by now
    del os.environ[_NAME]
