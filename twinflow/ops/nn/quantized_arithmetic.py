"""Sums, products and normalisations of quantised tensors.

Sums are taken in the range of the result, which has room for many of the largest
number; products are those of the integers. See quantized_numbers for the arithmetic.
"""

import numpy as np

from twinflow.ops.core.infer import (
    at_least,
    broadcast,
    ranked,
    same_dim,
    unchanged,
)
from twinflow.ops.nn.quantized import define_quantized, shifted
from twinflow.ops.nn.quantized_numbers import (
    from_floats,
    from_tensor,
    number,
    plain,
    range_of_product,
    storage,
    to_floats,
    to_tensor,
    wrapped,
)

_F = np.float32


# ---------------------------------------------------------------------- sums
def _sum(x, x_low, x_high, y, y_low, y_high, out_type, room, moved):
    """x + y in a range with room for so many; `moved` gives the integers of a part."""
    kind = storage(out_type)
    ranges = (number(x_low), number(x_high)), (number(y_low), number(y_high))
    high = np.max(np.abs(np.array(ranges, _F))) * _F(room)
    parts = [
        moved(plain(q), ends, kind, -high, high) for q, ends in zip((x, y), ranges)
    ]
    return [wrapped(parts[0] + parts[1], kind), -high, high]


def _by_steps(q, ends, kind, low, high):
    """The integer of 0, and that of a step as often as there are steps."""
    if q.size == 1:
        return from_floats(to_floats(q, q.dtype, *ends), kind, low, high).astype(
            np.int64
        )
    zero, one = from_floats(to_floats([0, 1], q.dtype, *ends), kind, low, high)
    return int(zero) + q.astype(np.int64) * int(one - zero)


def _one_by_one(q, ends, kind, low, high):
    floats = to_tensor(q, q.dtype, *ends)
    return from_tensor(floats, kind, low, high).astype(np.int64)


def _add(x, y, min_x, max_x, min_y, max_y, Toutput):
    args = x, min_x, max_x, y, min_y, max_y
    return _sum(*args, Toutput, 2**14, _by_steps)


def _bias_add(input, bias, min_input, max_input, min_bias, max_bias, out_type):
    args = input, min_input, max_input, bias, min_bias, max_bias
    return _sum(*args, out_type, 2**17, _one_by_one)


def _biased(input, bias, *_, **__):
    s, b = at_least(input._shape, 2), ranked(bias._shape, 1)
    if s is None:
        return None
    return (*s[:-1], same_dim(s[-1], b[0]))


QuantizedAdd = define_quantized(
    "QuantizedAdd", lambda x, y, *_, **__: broadcast(x, y), _add, "T1 T2 Toutput"
)
QuantizedBiasAdd = define_quantized(
    "QuantizedBiasAdd", _biased, _bias_add, "T1 T2 out_type"
)


# ---------------------------------------------------------------------- products
def _multiply(x, y, min_x, max_x, min_y, max_y, Toutput):
    (x, x_range), (y, y_range) = shifted(x, min_x, max_x), shifted(y, min_y, max_y)
    kind = storage(Toutput)
    return [wrapped(x * y, kind), *range_of_product(*x_range, *y_range, kind)]


QuantizedMul = define_quantized(
    "QuantizedMul", lambda x, y, *_, **__: broadcast(x, y), _multiply, "T1 T2 Toutput"
)


# ---------------------------------------------------------------------- normalising
def _instances(
    x, x_min, x_max, output_range_given, given_y_min, given_y_max, variance_epsilon,
    min_separation,
):  # fmt: skip
    """Each channel of each image, less its mean, over its deviation."""
    x = plain(x).astype(_F) * ((number(x_max) - number(x_min)) / _F(255))
    centred = x - x.mean((1, 2), keepdims=True)
    variance = (centred * centred).mean((1, 2), keepdims=True)
    found = centred * (_F(1) / np.sqrt(variance + _F(variance_epsilon)))
    if output_range_given:
        low, high = _F(given_y_min), _F(given_y_max)
    else:
        low, high = found.min(), found.max()
        high = max(high, low + _F(min_separation))
    return [from_tensor(found, np.uint8, low, high), low, high]


QuantizedInstanceNorm = define_quantized(
    "QuantizedInstanceNorm", unchanged, _instances, "T"
)
_RANGE = -_F(2**20), _F(2**20)  # of what a batch normalisation gives


def _batch(
    t, t_min, t_max, m, m_min, m_max, v, v_min, v_max, beta, beta_min, beta_max,
    gamma, gamma_min, gamma_max, out_type, variance_epsilon, scale_after_normalization,
):  # fmt: skip
    def floats(q, low, high):
        q = plain(q)
        return to_floats(q, q.dtype, number(low), number(high))

    kind = storage(out_type)
    scale = _F(1) / np.sqrt(floats(v, v_min, v_max) + _F(variance_epsilon))
    if scale_after_normalization:
        scale = scale * floats(gamma, gamma_min, gamma_max)
    offset = -floats(m, m_min, m_max) * scale + floats(beta, beta_min, beta_max)
    x, scale, offset, one = (
        np.asarray(from_floats(p, kind, *_RANGE), np.int64)
        for p in (floats(t, t_min, t_max), scale, offset, _F(1))
    )
    scaled = np.trunc(x * scale / one).astype(np.int64)
    return [wrapped(scaled + offset, kind), *_RANGE]


def _of_channels(t, *parts, **_):
    s = ranked(t._shape, 4)
    depth = s[3]
    for p in parts[2::3]:
        depth = same_dim(depth, ranked(p._shape, 1)[0])
    return (*s[:3], depth)


QuantizedBatchNormWithGlobalNormalization = define_quantized(
    "QuantizedBatchNormWithGlobalNormalization", _of_channels, _batch, "Tinput out_type"
)
