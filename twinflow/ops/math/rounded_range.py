"""Numbers rounded to the steps of a range that reaches as far on both sides of 0."""

import numpy as np

from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.ops.core.infer import unchanged


def _steps(num_bits, signed):
    if signed:
        return -(2 ** (num_bits - 1)), 2 ** (num_bits - 1) - 1
    return 0, 2**num_bits - 1


def _rounded(x, low, high, num_bits, signed, range_given):
    if not 1 <= num_bits <= (62 if signed else 63):
        raise invalid(
            f"num_bits is out of range: {num_bits} with signed_input_ {signed:d}"
        )
    kind = x.dtype.type
    if not range_given:
        low, high = (x.min(), x.max()) if x.size else (kind(0), kind(0))
    low, high = kind(low), kind(high)
    if low > high:
        raise invalid(f"Invalid range: input_min {low:g} > input_max {high:g}")
    first, last = map(kind, _steps(num_bits, signed))
    by_low = first / low if first * low > 0 else np.inf
    by_high = last / high if last * high > 0 else np.inf
    if by_low < by_high:
        scale, step = by_low, low / first
        high = last * step
    elif np.isfinite(by_high):
        scale, step = by_high, high / last
        low = first * step
    else:
        return np.zeros_like(x)
    cut = np.clip(x, low, high) if range_given else x
    return (np.floor(cut * scale + kind(0.5)) * step).astype(x.dtype)


def _one(x):
    return np.asarray(x).ravel()[0]


def _second(input, input_min, input_max, signed_input, num_bits, range_given):
    ends = _one(input_min), _one(input_max)
    return _rounded(input, *ends, num_bits, signed_input, range_given)


def _third(input, input_min, input_max, num_bits, signed_input, range_given):
    ends = _one(input_min), _one(input_max)
    return _rounded(input, *ends, int(_one(num_bits)), signed_input, range_given)


_THROUGH = [lambda dy: dy]
QuantizeAndDequantize, QuantizeAndDequantizeV2 = (
    define(kind, unchanged, host=_second, grad=_THROUGH)
    for kind in ("QuantizeAndDequantize", "QuantizeAndDequantizeV2")
)
QuantizeAndDequantizeV3 = define(
    "QuantizeAndDequantizeV3", unchanged, host=_third, grad=_THROUGH
)
