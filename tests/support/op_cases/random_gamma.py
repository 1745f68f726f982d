"""Rows of the ops that draw by trial, against the same trials in Python's numbers."""

import itertools
import math

import numpy as np

from tests.support.op_cases.random import BAD_SHAPES, DRAWN, STREAM, WORD, block
from tests.support.op_cases.table import case, error
from twinflow.base import dtypes

_LAST = {"tol": {"float16": 2e-3, "float32": 1e-6, "float64": 1e-11},
         "reason": "logarithms and cosines differ in the last places"}  # fmt: skip


def _uniforms(i, trial, count):
    """The four numbers of a trial of element i."""
    found = []
    for b in (2 * trial, 2 * trial + 1):
        w = block(b * count + i, STREAM.key)
        found += [w[0] * WORD + w[1], w[2] * WORD + w[3]]
    return [(v >> 12) / 2**52 for v in found]


def _gamma(alpha, i, count):
    d = (alpha + 1 if alpha < 1 else alpha) - 1 / 3
    for trial in itertools.count():
        a, b, c, boost = _uniforms(i, trial, count)
        z = math.sqrt(-2 * math.log(1 - a)) * math.cos(2 * math.pi * b)
        v = (1 + z / math.sqrt(9 * d)) ** 3
        if v <= 0 or math.log(1 - c) >= z * z / 2 + d - d * v + d * math.log(v):
            continue
        return d * v * ((1 - boost) ** (1 / alpha) if alpha < 1 else 1)


def _small(rate, u):
    """The first count whose distribution function is above u."""
    k, p = 0, math.exp(-rate)
    total = p
    while u >= total:
        k += 1
        p *= rate / k
        total += p
    return k


def _poisson(rate, i, count):
    if rate < 10:
        return _small(rate, _uniforms(i, 0, count)[0]) if rate > 0 else 0
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    for trial in itertools.count(1):
        x, v, *_ = _uniforms(i, trial, count)
        x, v = x - 0.5, 1 - v
        s = 0.5 - abs(x)
        k = math.floor((2 * a / s + b) * x + rate + 0.43)
        if s >= 0.07 and v <= 0.9277 - 3.6224 / (b - 2):
            return k
        if k < 0 or (s < 0.013 and v > s):
            continue
        height = v * (1.1239 + 1.1328 / (b - 3.4)) / (a / s**2 + b)
        if math.log(height) <= k * math.log(rate) - rate - math.lgamma(k + 1):
            return k


def _drawn(one):
    def reference(shape, parameter, **_):
        whole = np.broadcast_to(parameter, (*shape, *np.shape(parameter)))
        flat = [one(float(p), i, whole.size) for i, p in enumerate(whole.ravel())]
        return np.array(flat, np.float64).reshape(whole.shape)

    return reference


case(
    "RandomGamma", [5, 2], np.array([0.25, 0.75, 1.0, 3.0, 40.0]), attrs=DRAWN, grad=(),
    reference=_drawn(_gamma), dtypes=["float16", "float32", "float64"], **_LAST,
    errors=[
        *(error(*e.inputs, np.float32([1]), text=e.text) for e in BAD_SHAPES),
        error([2], np.int32([1]), type=TypeError, text="not in list of allowed values"),
    ],
)  # fmt: skip
case("RandomGamma", [3], np.array(2.0), attrs=DRAWN, grad=(), reference=_drawn(_gamma),
     **_LAST)  # fmt: skip
case("RandomGamma", [2], np.array([-1.0]), attrs=DRAWN, grad=(),
     reference=np.full((2, 1), np.nan))  # fmt: skip

_RATES = np.array([0.0, 0.5, 4.0, 9.75, 12.5, 300.0])
case("RandomPoisson", [4], _RATES, attrs=DRAWN, reference=_drawn(_poisson),
     dtypes=["float16", "float32", "float64"])  # fmt: skip
for _kind in (dtypes.int32, dtypes.int64):
    case(
        "RandomPoissonV2", [3, 3], _RATES, attrs={"dtype": _kind, **DRAWN},
        reference=lambda s, r, dtype, **_: _drawn(_poisson)(s, r).astype(dtype.np),
    )  # fmt: skip
    case(
        "RandomPoissonV2", [4], np.array([0, 3, 50], _kind.np),
        attrs={"dtype": dtypes.float64, **DRAWN}, dtypes=["float64"],
        reference=_drawn(_poisson),
    )  # fmt: skip
