"""Rows of ops/math/trigonometry.py, ops/core/rounding.py and ops/math/clip.py."""

import math

import numpy as np

from tests.support.op_cases.table import case, distinct, error, floats
from twinflow.ops.core.rounding import log_sigmoid
from twinflow.ops.math.clip import (
    clip_by_average_norm,
    clip_by_global_norm,
    clip_by_norm,
    clip_by_value,
    global_norm,
    saturate_cast,
)

_HALF = ("float16", "bfloat16", "float32", "float64")


def _function(op, reference, low=-2.0, high=2.0, dtypes=_HALF, **more):
    case(
        op, floats(3, 4, low=low, high=high), reference=reference, dtypes=dtypes, **more
    )
    case(op, floats(low=low, high=high), reference=reference, **more)


_function("Sin", np.sin)
_function("Cos", np.cos)
_function("Tan", np.tan, -1.2, 1.2)
_function("Asin", np.arcsin, -0.9, 0.9)
_function("Acos", np.arccos, -0.9, 0.9)
_function("Atan", np.arctan)
_function("Sinh", np.sinh)
_function("Cosh", np.cosh)
_function("Asinh", np.arcsinh)
_function("Acosh", np.arccosh, 1.3, 3.0)
_function("Atanh", np.arctanh, -0.9, 0.9)
case("Atan2", floats(3, 4, low=0.5), floats(4), reference=np.arctan2)
case("Atan2", floats(low=-2, high=-0.5), floats(2), reference=np.arctan2)

_function("Softplus", lambda x: np.log1p(np.exp(x)))
case("Softplus", np.array([-100.0, 100.0]), reference=lambda x: np.logaddexp(x, 0))
_function("Erf", np.vectorize(math.erf))
_function("Erfc", np.vectorize(math.erfc))
case(log_sigmoid, floats(3), reference=lambda x: -np.log1p(np.exp(-x)))

for _op, _ufunc in (("Floor", np.floor), ("Ceil", np.ceil), ("Rint", np.rint),
                    ("Round", np.rint)):  # fmt: skip
    _function(_op, _ufunc)
case("Rint", np.array([0.5, 1.5, -0.5, 2.5]), reference=np.array([0.0, 2.0, -0.0, 2.0]))

_odd = np.array([1.0, np.nan, np.inf, -np.inf])
for _op, _ufunc in (
    ("IsNan", np.isnan),
    ("IsInf", np.isinf),
    ("IsFinite", np.isfinite),
):
    case(_op, _odd, reference=_ufunc, dtypes=_HALF)

case(
    "CheckNumerics", floats(3), attrs={"message": "m"}, reference=lambda x, message: x,
    errors=[
        error(np.array([1.0, np.nan]), text="m : Tensor had NaN values"),
        error(np.array([1.0, np.inf]), text="m : Tensor had Inf values"),
    ],
)  # fmt: skip

case(
    clip_by_value, distinct(3, 4), -1.01, 1.01, reference=np.clip,
    errors=[error(np.zeros(2), np.zeros((3, 2)), 1.0, type=ValueError, text="Shape")],
)  # fmt: skip


def _clipped(x, limit, axes=None):
    norm = np.sqrt(np.sum(x * x, axes, keepdims=True))
    return x * limit / np.maximum(norm, limit)


case(clip_by_norm, floats(3, 4), 1.0, reference=_clipped)
case(
    clip_by_norm,
    floats(3, 4, low=1.0),
    1.0,
    [1],
    reference=lambda x, n, a: _clipped(x, n, 1),
)
case(clip_by_norm, floats(3, 4), 100.0, reference=_clipped)
case(clip_by_norm, np.zeros(3), 1.0, reference=np.zeros(3), grad=())
case(
    clip_by_average_norm, floats(3, 4), 0.1,
    reference=lambda x, n: x * n / np.maximum(np.sqrt(np.sum(x * x)) / x.size, n),
)  # fmt: skip


def _norm(xs):
    return np.sqrt(sum(np.sum(x * x) for x in xs))


case(global_norm, [floats(3), floats(2, 2)], reference=_norm)
case(
    clip_by_global_norm, [floats(3, low=1.0), floats(2, 2)], 1.0,
    reference=lambda xs, n: [x * n / _norm(xs) for x in xs] + [_norm(xs)],
    errors=[error([np.array([np.nan])], 1.0, text="Found Inf or NaN global norm.")],
)  # fmt: skip
case(
    saturate_cast, np.array([300.0, -5.0, 7.0]), "uint8",
    reference=np.array([255, 0, 7], np.uint8), grad=(),
)  # fmt: skip
