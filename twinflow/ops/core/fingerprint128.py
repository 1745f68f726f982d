"""FarmHash's Fingerprint128 (Geoff Pike, 2014, farmhashcc) of strings of one length."""

from typing import Any

import numpy as np

from twinflow.base import native
from twinflow.ops.core import fingerprint as one

_K0, _K1 = one._K0, one._K1
_MUL = np.uint64(0x9DDFEA08EB382D69)
_BLOCK, _CHUNK = 64, 32


def farm128(values: Any) -> np.ndarray:
    """uint64[n, 2]: the low and the high half of the hashes of strings."""
    if native.fast is not None:
        return one.by_native(values, 2)
    values = np.ravel(np.asarray(values, object)).tolist()
    with np.errstate(over="ignore"):
        return np.stack([_low(values), _high(values)], 1)


def _both(s):
    n = s.shape[1]
    if n >= 16:
        seed = one._u64(s, 0), one._u64(s, 8) + _K0
        return _seeded(s[:, 16:], n - 16, *seed)
    return _seeded(s, n, np.full(len(s), _K0), np.full(len(s), _K1))


_low = one.by_length(lambda s: _both(s)[0])
_high = one.by_length(lambda s: _both(s)[1])


def _pair(u, v):
    return one._mix(u, v, _MUL)


def _seeded(s, n, low, high):
    return _short(s, n, low, high) if n < 2 * _BLOCK else _long(s, n, low, high)


def _scrambled(x):
    return one._shift_mix(x * _K1) * _K1


def _short(s, n, a, b):
    if n <= 16:
        a = _scrambled(a)
        c = b * _K1 + one._farm16(s, n)
        d = one._shift_mix(a + (one._u64(s, 0) if n >= 8 else c))
    else:
        c = _pair(one._u64(s, n - 8) + _K1, a)
        d = _pair(b + np.uint64(n), c + one._u64(s, n - 16))
        a = a + d
        for at in range(0, n - 16, 16):
            a = (a ^ _scrambled(one._u64(s, at))) * _K1
            b = b ^ a
            c = (c ^ _scrambled(one._u64(s, at + 8))) * _K1
            d = d ^ c
    a, b = _pair(a, c), _pair(d, b)
    return a ^ b, _pair(b, a)


def _long(s, n, x, y):
    z = np.uint64(n) * _K1
    v = one._rotate(y ^ _K1, 49) * _K1 + one._u64(s, 0)
    v = v, one._rotate(v, 42) * _K1 + one._u64(s, 8)
    w = one._rotate(y + z, 35) * _K1 + x, one._rotate(x + one._u64(s, 88), 53) * _K1
    end = n // (2 * _BLOCK) * (2 * _BLOCK)
    for at in range(0, end, _BLOCK):
        x = one._rotate(x + y + v[0] + one._u64(s, at + 8), 37) * _K1 ^ w[1]
        y = one._rotate(y + v[1] + one._u64(s, at + 48), 42) * _K1
        y = y + v[0] + one._u64(s, at + 40)
        z = one._rotate(z + w[0], 33) * _K1
        v = one._weak(s, at, v[1] * _K1, x + w[0])
        w = one._weak(s, at + 32, z + w[1], y + one._u64(s, at + 16))
        z, x = x, z
    return _ended(s, n, n - end, x, y, z, v, w)


def _ended(s, n, left, x, y, z, v, w):
    """The last bytes, from the end, 32 at a time."""
    x = x + one._rotate(v[0] + z, 49) * _K0
    y = y * _K0 + one._rotate(w[1], 37)
    z = z * _K0 + one._rotate(w[0], 27)
    w, v = (w[0] * np.uint64(9), w[1]), (v[0] * _K0, v[1])
    for done in range(_CHUNK, left + _CHUNK, _CHUNK):
        at = n - done
        y = one._rotate(x + y, 42) * _K0 + v[1]
        first = w[0] + one._u64(s, at + 16)
        x = x * _K0 + first
        z = z + w[1] + one._u64(s, at)
        w = first, w[1] + v[0]
        a, b = one._weak(s, at, v[0] + z, v[1])
        v = a * _K0, b
    x, y = _pair(x, v[0]), _pair(y + z, w[0])
    return _pair(x + v[1], w[1]) + y, _pair(x + w[1], y + v[1])
