"""Rows of ops/random/stateless.py and ops/random/truncated.py."""

import math
import statistics

import numpy as np

from tests.support.op_cases.random import BAD_SHAPES, DRAWN, uniforms
from tests.support.op_cases.table import case, error, floats
from twinflow.base import dtypes

_SEED = np.array([1, 2])
_LAST = {"tol": {"float16": 1e-3, "float32": 1e-6, "float64": 1e-11},
         "reason": "logarithms and cosines differ in the last places"}  # fmt: skip
_BAD = [
    *(error(*e.inputs, _SEED, text=e.text) for e in BAD_SHAPES),
    error([2], [1, 2, 3], text="seed must have shape [2], not [3]"),
    error([2], [1.0, 2.0], type=TypeError, text="has DataType float32 not in list of"),
    error([2], [1, 2], dtype=dtypes.bfloat16, type=TypeError,
          text="DataType bfloat16 not in list of allowed values: float16, float32, "
          "float64"),
]  # fmt: skip

# What TensorFlow 1.12 draws with the seed [1, 2].
_UNIFORM = {
    "float16": [0.54296875, 0.2353515625, 0.060546875],
    "float32": [0.8440604209899902, 0.19204533100128174, 0.9962232112884521],
    "float64": [0.7524837538451801, 0.9697857725627486, 0.17592233912897481],
}
_NORMAL = {
    "float16": [0.5439453125, 0.2073974609375, 0.07354736328125],
    "float32": [0.544110119342804, 0.20738030970096588, 0.0735643208026886],
    "float64": [-0.1423118100189212, 0.7406072461585091, -1.469047669443883],
}
_TRUNCATED = {  # another block for each two numbers of float64
    **_NORMAL, "float64": [-0.1423118100189212, 0.7406072461585091, -0.552387756244845],
}  # fmt: skip


for _name in ("float16", "float32", "float64"):
    _attrs = {"dtype": dtypes.as_dtype(_name)}
    _u, _z = np.array(_UNIFORM[_name]), np.array(_NORMAL[_name])
    _row = {"attrs": _attrs, "dtypes": [_name], "errors": _BAD}
    case("StatelessRandomUniform", [3, 1], _SEED, reference=_u.reshape(3, 1), **_row)
    case("StatelessRandomNormal", [1, 3], _SEED, reference=_z[None], **_row, **_LAST)
    _z = np.array(_TRUNCATED[_name])
    case("StatelessTruncatedNormal", [3], _SEED, reference=_z, **_row, **_LAST)
case("StatelessRandomUniform", [2], np.array([-5, 3], np.int32), dtypes=["float32"],
     reference=np.array([0.9125537872314453, 0.7662849426269531]))  # fmt: skip


def _classes(logits, n, seed, output_dtype=dtypes.int64):
    p = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    u = np.array(_UNIFORM["float64"]).reshape(len(p), n)
    found = [np.searchsorted(np.cumsum(q), v) for q, v in zip(p, u)]
    return np.array(found, output_dtype.np)


_FEW = [
    error([1.0], 3, _SEED, text="logits should be a matrix, got shape [1]"),
    error([[1.0]], 3, [1], text="seed must have shape [2], not [1]"),
]
for _dtype in (dtypes.int64, dtypes.int32):
    case("StatelessMultinomial", floats(3, 4), 1, _SEED, reference=_classes,
         attrs={"output_dtype": _dtype}, errors=_FEW)  # fmt: skip
case("StatelessMultinomial", floats(1, 4), 3, _SEED, reference=_classes)


# ------------------------------------------------------------------ given bounds
def _between(shape, means, stddevs, lows, highs, **_):
    normal = statistics.NormalDist()
    u = uniforms(shape, 52, np.float64) + 2.0**-53
    rows = np.broadcast_arrays(np.zeros(shape[0]), means, stddevs, lows, highs)
    out = np.empty(shape)
    for i, (_, m, s, low, high) in enumerate(zip(*rows)):
        sign = -1 if low > m else 1
        a, b = sorted((sign * (low - m) / s, sign * (high - m) / s))
        p, q = normal.cdf(a), normal.cdf(b)
        for j, v in enumerate(u[i]):
            out[i, j] = m + s * sign * normal.inv_cdf(p + v * (q - p))
    return out


def _wrong(*parameters, text):
    return error([2, 3], *map(np.float32, parameters), text=text)


case(
    "ParameterizedTruncatedNormal", [3, 4], np.array([0.0, 1.0, -2.0]), np.array(2.0),
    np.array([-1.0]), np.array([5.0, 4.0, 3.0]), attrs=DRAWN, reference=_between,
    errors=[
        _wrong(0, 1, 3, 1, text="Invalid parameters"),
        _wrong(0, -3, -2, 2, text="Invalid parameters"),
        _wrong(0, 1, -math.inf, math.inf, text="Invalid parameters"),
        _wrong([1, 2, 3], 1, -2, 2, text="means should have length 1 or shape[0], got"),
        _wrong(0, 1, [[1]], 2, text="minvals should be a scalar or vector, got shape"),
        error([], 0.0, 1.0, -2.0, 2.0, text="Shape tensor must not be empty"),
    ], **_LAST,
)  # fmt: skip
