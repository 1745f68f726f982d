"""The hash functions that TensorFlow buckets strings with.

Strings of one length are hashed together, as columns of uint64 arithmetic.

References: FarmHash's Fingerprint64 (Geoff Pike, 2014, farmhashna), MurmurHash64A
(Austin Appleby), SipHash-2-4 (Aumasson and Bernstein, 2012).
"""

import functools
from typing import Any

import numpy as np

from twinflow.base import native

_K0, _K1, _K2 = (
    np.uint64(k) for k in (0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F)
)
_MURMUR, _SEED = np.uint64(0xC6A4A7935BD1E995), 0xDECAFCAFFE
_SIP = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)


def by_length(function):
    """The hash of many strings from that of columns of equal length.

    Args:
        function: ``(uint8[n, length], *args) -> uint64[n]``.
    Returns:
        ``(list of bytes, *args) -> uint64[n]``
    """

    @functools.wraps(function)
    def hashed(values, *args):
        groups: dict = {}
        for i, v in enumerate(values):
            groups.setdefault(len(v), []).append(i)
        out = np.empty(len(values), np.uint64)
        for length, places in groups.items():
            data = np.frombuffer(b"".join(values[i] for i in places), np.uint8)
            out[places] = function(data.reshape(len(places), length), *args)
        return out

    return hashed


def _u64(s, at):
    """The little-endian uint64 at a place of every string."""
    return np.ascontiguousarray(s[:, at : at + 8]).view("<u8")[:, 0]


def _u32(s, at):
    return np.ascontiguousarray(s[:, at : at + 4]).view("<u4")[:, 0].astype(np.uint64)


def _u8(s, at):
    return s[:, at].astype(np.uint64)


def _rotate(x, right):
    right = np.uint64(right)
    return (x >> right) | (x << (np.uint64(64) - right))


def _shift_mix(x):
    return x ^ (x >> np.uint64(47))


def _mix(u, v, mul):
    """HashLen16 of FarmHash."""
    a = _shift_mix((u ^ v) * mul)
    return _shift_mix((v ^ a) * mul) * mul


# ---------------------------------------------------------------------- FarmHash
def farm64(values: Any) -> np.ndarray:
    """FarmHash's Fingerprint64 of strings, a list or an array: uint64[n]."""
    if native.fast is not None:
        return by_native(values, 1)[:, 0]
    return _farm64(np.ravel(np.asarray(values, object)).tolist())


def by_native(values: Any, words: int) -> np.ndarray:
    """uint64[n, words]: FarmHash's fingerprints, of 64 bits or of 128."""
    if not isinstance(values, list):
        values = np.ascontiguousarray(values, object)
    count = len(values) if isinstance(values, list) else values.size
    out = np.empty((count, words), np.uint64)
    native.fast.fingerprints(values, out, words)
    return out


@by_length
def _farm64(s):
    n = s.shape[1]
    if n <= 16:
        return _farm16(s, n)
    if n <= 32:
        return _farm32(s, n)
    return _farm_64(s, n) if n <= 64 else _farm_long(s, n)


def _farm16(s, n):
    mul = _K2 + np.uint64(2 * n)
    if n >= 8:
        a, b = _u64(s, 0) + _K2, _u64(s, n - 8)
        return _mix(_rotate(b, 37) * mul + a, (_rotate(a, 25) + b) * mul, mul)
    if n >= 4:
        a = np.uint64(n) + (_u32(s, 0) << np.uint64(3))
        return _mix(a, _u32(s, n - 4), mul)
    if n == 0:
        return np.full(len(s), _K2)
    y = _u8(s, 0) + (_u8(s, n >> 1) << np.uint64(8))
    z = np.uint64(n) + (_u8(s, n - 1) << np.uint64(2))
    return _shift_mix(y * _K2 ^ z * _K0) * _K2


def _farm32(s, n):
    mul = _K2 + np.uint64(2 * n)
    a, b = _u64(s, 0) * _K1, _u64(s, 8)
    c, d = _u64(s, n - 8) * mul, _u64(s, n - 16) * _K2
    y = _rotate(a + b, 43) + _rotate(c, 30) + d
    return _mix(y, a + _rotate(b + _K2, 18) + c, mul)


def _farm_64(s, n):
    mul = _K2 + np.uint64(2 * n)
    a, b = _u64(s, 0) * _K2, _u64(s, 8)
    c, d = _u64(s, n - 8) * mul, _u64(s, n - 16) * _K2
    y = _rotate(a + b, 43) + _rotate(c, 30) + d
    z = _mix(y, a + _rotate(b + _K2, 18) + c, mul)
    e, f = _u64(s, 16) * mul, _u64(s, 24)
    g, h = (y + _u64(s, n - 32)) * mul, (z + _u64(s, n - 24)) * mul
    left = _rotate(e + f, 43) + _rotate(g, 30) + h
    return _mix(left, e + _rotate(f + a, 18) + g, mul)


def _weak(s, at, a, b):
    """Two words from 32 bytes and two seeds."""
    w, x, y, z = (_u64(s, at + i) for i in (0, 8, 16, 24))
    a = a + w
    b = _rotate(b + a + z, 21)
    c, a = a, a + x + y
    return a + z, b + _rotate(a, 44) + c


def _farm_round(s, at, x, y, z, v, w, mul, factors):
    """One block of 64 bytes; `factors` differ in the last one."""
    nine = np.uint64(factors)
    x = _rotate(x + y + v[0] + _u64(s, at + 8), 37) * mul
    y = _rotate(y + v[1] + _u64(s, at + 48), 42) * mul
    x = x ^ (w[1] * nine)
    y = y + v[0] * nine + _u64(s, at + 40)
    z = _rotate(z + w[0], 33) * mul
    v = _weak(s, at, v[1] * mul, x + w[0])
    w = _weak(s, at + 32, z + w[1], y + _u64(s, at + 16))
    return z, y, x, v, w


def _farm_long(s, n):
    zero = np.zeros(len(s), np.uint64)
    y = zero + np.uint64((81 * int(_K1) + 113) % 2**64)
    z = _shift_mix(y * _K2 + np.uint64(113)) * _K2
    x = zero + np.uint64(81 * int(_K2) % 2**64) + _u64(s, 0)
    v = w = (zero, zero)
    for at in range(0, (n - 1) // 64 * 64, 64):
        x, y, z, v, w = _farm_round(s, at, x, y, z, v, w, _K1, 1)
    mul = _K1 + ((z & np.uint64(0xFF)) << np.uint64(1))
    w = (w[0] + np.uint64((n - 1) & 63), w[1])
    v = (v[0] + w[0], v[1])
    w = (w[0] + v[0], w[1])
    x, y, z, v, w = _farm_round(s, n - 64, x, y, z, v, w, mul, 9)
    left = _mix(v[0], w[0], mul) + _shift_mix(y) * _K0 + z
    return _mix(left, _mix(v[1], w[1], mul) + x, mul)


# ---------------------------------------------------------------------- MurmurHash
@by_length
def murmur64(s, seed=_SEED):
    """TensorFlow's Hash64 (MurmurHash64A with its own seed) of strings: uint64[n]."""
    n = s.shape[1]
    h = np.full(len(s), np.uint64(seed ^ n * int(_MURMUR) % 2**64))
    for at in range(0, n - n % 8, 8):
        k = _shift_mix(_u64(s, at) * _MURMUR) * _MURMUR
        h = (h ^ k) * _MURMUR
    if n % 8:
        h = (h ^ _tail(s, n)) * _MURMUR
    return _shift_mix(_shift_mix(h) * _MURMUR)


def _tail(s, n):
    """The last n % 8 bytes as a little-endian number."""
    rest = np.zeros((len(s), 8), np.uint8)
    rest[:, : n % 8] = s[:, n - n % 8 :]
    return _u64(rest, 0)


# ---------------------------------------------------------------------- SipHash
@by_length
def sip64(s, key):
    """SipHash-2-4 of strings with a key of two ints: uint64[n]."""
    n = s.shape[1]
    k = [int(part) % 2**64 for part in key]
    v = [np.full(len(s), np.uint64(c ^ k[i % 2])) for i, c in enumerate(_SIP)]
    words = [_u64(s, at) for at in range(0, n - n % 8, 8)]
    words.append(_tail(s, n) | np.uint64((n & 0xFF) << 56))
    for m in words:
        v[3] = v[3] ^ m
        v = _sip_round(_sip_round(v))
        v[0] = v[0] ^ m
    v[2] = v[2] ^ np.uint64(0xFF)
    for _ in range(4):
        v = _sip_round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def _sip_round(v):
    a, b, c, d = v
    a, c = a + b, c + d
    b, d = _rotate(b, 51) ^ a, _rotate(d, 48) ^ c
    a = _rotate(a, 32)
    c, a = c + b, a + d
    b, d = _rotate(b, 47) ^ c, _rotate(d, 43) ^ a
    return [a, b, _rotate(c, 32), d]
