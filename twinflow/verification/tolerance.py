"""How far rounding may carry a value between two ways of running a program.

Engines add up in other orders and fuse products with sums; what follows amplifies the
differences. An element may differ by some units in the last place of the largest
element of its tensor: 64 where one op was run on the same inputs, and more at the
boundaries, where the rounding of a whole function has come together. Integers, bools
and texts are equal, or they differ; in summaries it is the numbers that count.
"""

import re
from typing import Any

import numpy as np

from twinflow.verification.kept import Kept
from twinflow.verification.summaries import same_summaries

ULPS = {
    "op": 64,
    "call": 4096,
    "gradient": 65536,
    "run": 16384,
    "element": 4096,
    "against": 65536,
    "replay": 256,
}

_TIME = re.compile(rb"\b1[4-9]\d{8}\b")  # seconds since 1970, in names of files


def same(a: Kept, b: Kept, kind: str, apart: float = 0.0) -> bool:
    """Whether two values are the same but for rounding.

    Args:
        kind: where they were seen, see ULPS. apart: how much more they may differ.
    """
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype == "string" and a.array is not None and b.array is not None:
        pairs = zip(a.array.ravel(), b.array.ravel(), strict=True)
        return all(p == q or _same_text(p, q, kind) for p, q in pairs)
    if a.digest == b.digest or a.array is None or b.array is None:
        return a.digest == b.digest or np.dtype(object) == _kind(a)
    return _near(a.array, b.array, ULPS.get(kind, 64), apart)


def _same_text(a: bytes, b: bytes, kind: str) -> bool:
    near = ULPS.get(kind, 64) * float(np.finfo(np.float32).eps)
    return _TIME.sub(b"", a) == _TIME.sub(b"", b) or same_summaries(a, b, near)


def _kind(a: Kept) -> Any:
    """object for values whose arrays were not kept: their digests say too much."""
    return np.dtype(object) if a.dtype.startswith(("float", "bfloat")) else None


def _near(a: Any, b: Any, ulps: int, apart: float) -> bool:
    if a.dtype.kind not in "fcV":
        return bool(np.array_equal(a, b))
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    unit = unit_of(a)
    with np.errstate(all="ignore"):
        x, y = a.astype(wide), b.astype(wide)
        finite = np.abs(x[np.isfinite(x)])
        limit = ulps * unit * max(float(finite.max(initial=0.0)), 1e-30) + apart
        equal = (x == y) | (np.isnan(x) & np.isnan(y))
        return bool((equal | (np.abs(x - y) <= limit)).all())


def unit_of(a: Any) -> float:
    """The unit in the last place of 1 in the dtype of an array."""
    try:
        return float(np.finfo(a.dtype).eps)
    except ValueError:
        return 2.0**-7  # bfloat16


def errors(a: Kept, b: Kept) -> dict:
    """How far two arrays are apart: absolute, relative, units in the last place."""
    if a.array is None or b.array is None or a.shape != b.shape:
        return {}
    if a.array.dtype.kind not in "fciubV":
        return {}
    with np.errstate(all="ignore"):
        x, y = (np.asarray(v.array, np.complex128) for v in (a, b))
        apart = np.abs(x - y)
        scale = np.maximum(np.abs(x), np.abs(y))
        absolute = float(np.nan_to_num(apart, nan=np.inf).max(initial=0.0))
        relative = float(
            np.nan_to_num(apart / np.where(scale, scale, 1)).max(initial=0)
        )
    found = {"absolute": absolute, "relative": relative}
    if a.array.dtype.kind in "fV":
        found["ulp"] = relative / unit_of(a.array)
    return found
