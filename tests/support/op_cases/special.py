"""Rows of the gamma, beta, zeta and Bessel functions."""

import itertools
import math

import numpy as np
from scipy import special

from tests.support.op_cases.table import away_from_zero, case, error, floats
from twinflow.ops.special.bessel import bessel_i0, bessel_i1
from twinflow.ops.special.gamma import lbeta

_HALF = ("float16", "bfloat16", "float32", "float64")
_SHAPES = error(np.zeros(2), np.zeros(3), text="Incompatible shapes: [2] vs. [3]")
_XLA = {
    "tol": {"float32": 1e-5, "float64": 1e-11},
    "reason": "XLA's own approximations are this far from the truth",
}


def _positive(*shape):
    return floats(*shape, low=0.3, high=4.0)


_INT = error(
    [1], type=TypeError,
    text="'x' has DataType int32 not in list of allowed values: bfloat16, float16",
)  # fmt: skip
case("Lgamma", _positive(3, 4), reference=np.vectorize(math.lgamma), dtypes=_HALF[:1],
     grad=(), errors=[_INT])  # fmt: skip
case("Lgamma", _positive(3, 4), reference=np.vectorize(math.lgamma), **_XLA)
case("Lgamma", np.array([0, -1.5, np.inf, -np.inf]), grad=(),
     reference=np.array([np.inf, math.lgamma(-1.5), np.inf, np.inf]),
     **_XLA)  # fmt: skip
case("Digamma", _positive(3, 4), reference=special.psi, **_XLA)
case("Digamma", np.array([0, -1, -1.5, np.inf]), grad=(), **_XLA,
     reference=np.array([np.inf, np.inf, special.psi(-1.5), np.inf]))  # fmt: skip

_FLAT = error(
    np.float16([1]), np.float16([1]), type=TypeError,
    text="DataType float16 not in list of allowed values: float32, float64",
)  # fmt: skip
_ORDERS = np.array([0.0, 1.0, 2.0])
case("Polygamma", _ORDERS, _positive(4, 3), reference=special.polygamma, grad=[1],
     errors=[_SHAPES, _FLAT], **_XLA)  # fmt: skip
case("Polygamma", np.array([1.5, -1.0, 1.0, 2.0]), np.array([2.0, 2.0, 0.0, -1.0]),
     reference=np.array([np.nan, np.nan, np.inf, -np.inf]), grad=())  # fmt: skip
case("Zeta", floats(4, 1, low=1.5, high=5.0), _positive(3), reference=special.zeta,
     errors=[_SHAPES, _FLAT], **_XLA)  # fmt: skip
case("Zeta", np.array([1, 0.5, 2, 2.5, 2.5]), np.array([2, 2, -1, -1.5, 0]), grad=(),
     reference=np.array([np.inf, np.nan, np.inf, np.nan, np.inf]))  # fmt: skip
case(lbeta, _positive(2, 3), **_XLA, reference=lambda x: (
    special.gammaln(x).sum(-1) - special.gammaln(x.sum(-1))
))  # fmt: skip
case(lbeta, np.zeros((2, 0)), reference=np.array([-np.inf] * 2), grad=())

# ------------------------------------------------------------------ incomplete
_NO_SLOPE = {
    "tol": _XLA["tol"],
    "order": 1,
    "reason": "there is no op for the second derivative by a; XLA approximates",
}
_EDGES = np.array([0, -1, 1, 1, 2.0]), np.array([1, 1, -1, 0, np.inf])
for _op, _function, _at_edges in (
    ("Igamma", special.gammainc, [np.nan, np.nan, np.nan, 0, 1]),
    ("Igammac", special.gammaincc, [np.nan, np.nan, np.nan, 1, 0]),
):
    case(_op, _positive(3, 4), _positive(4), reference=_function, grad=[1],
         errors=[_SHAPES, _FLAT], **_XLA)  # fmt: skip
    case(_op, _positive(3, 4), _positive(4), reference=_function, **_NO_SLOPE)
    case(_op, *_EDGES, reference=np.array(_at_edges, np.float64), grad=())


def _slope(a, x):
    """dP/da by differences of fourth order."""
    e = 1e-3
    near = special.gammainc(a + e, x) - special.gammainc(a - e, x)
    far = special.gammainc(a + 2 * e, x) - special.gammainc(a - 2 * e, x)
    return (8 * near - far) / (12 * e)


def _sample_slope(a, x):
    return -_slope(a, x) / np.exp((a - 1) * np.log(x) - x - special.gammaln(a))


_DIFFERENCES = {
    "tol": {"float32": 1e-4, "float64": 1e-8},
    "reason": "the reference is a difference",
}
_PAIRS = np.array(list(itertools.product([0.7, 1.0, 3.0, 8.0], [0.2, 1.5, 4.0, 20.0])))
case("IgammaGradA", *_PAIRS.T.copy(), reference=_slope, **_DIFFERENCES)
_LIKELY = _PAIRS[np.abs(_PAIRS[:, 0] - _PAIRS[:, 1]) < 5]
case("RandomGammaGrad", *_LIKELY.T.copy(), reference=_sample_slope, **_DIFFERENCES)
case("IgammaGradA", *_EDGES, reference=np.array([np.nan] * 3 + [0, 0.0]), grad=())
case("RandomGammaGrad", *_EDGES, reference=np.array([np.nan] * 3 + [0, 0.0]))

case("Betainc", _positive(2, 3), _positive(2, 3), floats(2, 3, low=0.1, high=0.9),
     reference=special.betainc, errors=[
         error(np.zeros(2), np.zeros(3), np.float32(1),
               text="Shapes of a and b are inconsistent: [2] vs. [3]"),
         error(np.zeros(2), np.float32(1), np.zeros((1, 2)),
               text="Shapes of a and x are inconsistent: [2] vs. [1,2]"),
     ], **_XLA)  # fmt: skip
case("Betainc", _positive(), _positive(), floats(3, low=0.1, high=0.9),
     reference=special.betainc, **_XLA)  # fmt: skip
case("Betainc", np.array([0, 1, 1, 1, 1.0]), np.array([1.0, 0, 1, 1, 1]),
     np.array([0.5, 0.5, 0, 1, 1.5]), grad=(),
     reference=np.array([np.nan, np.nan, 0, 1, np.nan]))  # fmt: skip

# ------------------------------------------------------------------ Bessel
case("BesselI0e", away_from_zero(3, 4), reference=special.i0e, dtypes=_HALF)
case("BesselI1e", away_from_zero(3, 4), reference=special.i1e, dtypes=_HALF)
case("BesselI1e", np.array([0.0]), reference=special.i1e, grad=())
case(bessel_i0, away_from_zero(3), reference=special.i0)
case(bessel_i1, away_from_zero(3), reference=special.i1)
