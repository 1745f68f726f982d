"""Whether two serialized Summary protos say the same but for rounding."""

from typing import Any

import numpy as np
from google.protobuf.message import DecodeError

from twinflow.formats import protos

_NEAR = 2.0**-10  # relative: the rounding of a step has come together


def same_summaries(a: bytes, b: bytes) -> bool:
    """Whether both are summaries with the same tags and nearly the same numbers.

    Values at the limits of a histogram's buckets may have gone to the next one.
    """
    x, y = _parsed(a), _parsed(b)
    if x is None or y is None or len(x.value) != len(y.value):
        return False
    return all(map(_same_value, x.value, y.value))


def _parsed(text: bytes) -> Any:
    found = protos.Summary()
    try:
        found.ParseFromString(text)
    except DecodeError:
        return None
    known = found.value and all(v.tag and v.WhichOneof("value") for v in found.value)
    return found if known else None


def _same_value(x: Any, y: Any) -> bool:
    kind = x.WhichOneof("value")
    if (x.tag, kind) != (y.tag, y.WhichOneof("value")):
        return False
    if kind == "simple_value":
        return _near(x.simple_value, y.simple_value, 1e-6)
    if kind != "histo":
        return x == y
    x, y = x.histo, y.histo
    size = max(abs(x.min), abs(x.max))
    if x.num != y.num or not (_near(x.min, y.min, size) and _near(x.max, y.max, size)):
        return False
    whole = size * max(x.num, 1.0)
    sums = _near(x.sum, y.sum, whole)
    return sums and _near(x.sum_squares, y.sum_squares, size * whole)


def _near(a: float, b: float, size: float) -> bool:
    return bool(np.isclose(a, b, _NEAR, _NEAR * size, equal_nan=True))
