"""Whether two serialized Summary protos say the same but for rounding."""

from typing import Any

import numpy as np
from google.protobuf.message import DecodeError

from twinflow.formats import protos


def same_summaries(a: bytes, b: bytes, near: float) -> bool:
    """Whether both are summaries with the same tags and nearly the same numbers.

    Values at the limits of a histogram's buckets may have gone to the next one.

    Args:
        near: how far numbers may be apart, as a part of their size.
    """
    x, y = _parsed(a), _parsed(b)
    if x is None or y is None or len(x.value) != len(y.value):
        return False
    pairs = zip(x.value, y.value, strict=True)
    return all(_same_value(v, w, near) for v, w in pairs)


def _parsed(text: bytes) -> Any:
    found = protos.Summary()
    try:
        found.ParseFromString(text)
    except DecodeError:
        return None
    known = found.value and all(v.tag and v.WhichOneof("value") for v in found.value)
    return found if known else None


def _same_value(x: Any, y: Any, near: float) -> bool:
    def alike(a: float, b: float, size: float) -> bool:
        return bool(np.isclose(a, b, near, near * size, equal_nan=True))

    kind = x.WhichOneof("value")
    if (x.tag, kind) != (y.tag, y.WhichOneof("value")):
        return False
    if kind == "simple_value":
        return alike(x.simple_value, y.simple_value, 1e-6)
    if kind != "histo":
        return x == y
    x, y = x.histo, y.histo
    size = max(abs(x.min), abs(x.max))
    if x.num != y.num or not (alike(x.min, y.min, size) and alike(x.max, y.max, size)):
        return False
    whole = size * max(x.num, 1.0)
    sums = alike(x.sum, y.sum, whole)
    return sums and alike(x.sum_squares, y.sum_squares, size * whole)
