"""Rows of ops/nn/fractional.py and ops/nn/lrn.py."""

import itertools

import numpy as np

from tests.support.op_cases.table import case, distinct, error, floats
from twinflow.ops.random.streams import Stream

# ------------------------------------------------------------------ fractions
_ROWS, _COLS = np.array([0, 2, 3, 5]), np.array([0, 1, 3, 4])


def _regions(overlapping):
    for (i, a, b), (j, c, d) in itertools.product(
        zip(range(3), _ROWS, _ROWS[1:]), zip(range(3), _COLS, _COLS[1:])
    ):
        yield i, j, np.s_[:, a : b + overlapping, c : d + overlapping]


def _max_grad(x, y, dy, rows, cols, overlapping):
    dx = np.zeros_like(x)
    for i, j, region in _regions(overlapping):
        dx[region] += dy[:, i, j][:, None, None] * (
            x[region] == x[region].max((1, 2), keepdims=True)
        )
    return dx


def _max_pick(x, y, values, rows, cols, overlapping):
    out = np.zeros_like(y)
    for i, j, region in _regions(overlapping):
        mask = x[region] == x[region].max((1, 2), keepdims=True)
        out[:, i, j] = (values[region] * mask).sum((1, 2))
    return out


def _mean(x, rows, cols, overlapping):
    out = np.zeros((x.shape[0], 3, 3, x.shape[3]))
    for i, j, region in _regions(overlapping):
        out[:, i, j] = x[region].mean((1, 2))
    return out


def _mean_grad(shape, dy, rows, cols, overlapping):
    dx = np.zeros(shape)
    for i, j, region in _regions(overlapping):
        n = dx[region][0, :, :, 0].size
        dx[region] += dy[:, i, j][:, None, None] / n
    return dx


_SHAPE, _SMALL = (2, 5, 4, 2), (2, 3, 3, 2)
for _overlapping in (False, True):
    _attrs = {"overlapping": _overlapping}
    _sequences = (_ROWS, _COLS)
    _x, _y = distinct(*_SHAPE).draw(5), floats(*_SMALL).draw(5)
    _more = {"attrs": _attrs, "grad": (2,)}
    case("FractionalMaxPoolGrad", _x, _y, floats(*_SMALL), *_sequences,
         reference=_max_grad, **_more)  # fmt: skip
    case("TwinFractionalMaxPick", _x, _y, floats(*_SHAPE), *_sequences,
         reference=_max_pick, **_more)  # fmt: skip
    case("FractionalAvgPoolGrad", _SHAPE, floats(*_SMALL), *_sequences,
         reference=_mean_grad, attrs=_attrs, grad=(1,))  # fmt: skip
    case("TwinFractionalMean", floats(*_SHAPE), *_sequences, reference=_mean,
         attrs=_attrs, grad=(0,))  # fmt: skip

_RATIO = (1.0, 2.0, 2.0, 1.0)
_FIXED = {"pooling_ratio": _RATIO, "deterministic": True, "stream": Stream((1,))}
_HALVES = [np.array([0, 2, 4]), np.array([0, 2, 4])]


def _blocks(x, reduce):
    return [reduce(x.reshape(2, 2, 2, 2, 2, 1), (2, 4)), *_HALVES]


_WRONG = [
    error(np.zeros((4, 4, 1)), text="tensor_in must be 4-dimensional"),
    error(np.zeros((1, 4, 4, 1)), pooling_ratio=(1.0, 2.0), text="of 2 must be at le"),
    error(np.zeros((1, 4, 4, 1)), pooling_ratio=(1.0, 9.0, 2.0, 1.0), text="from 1 to"),
    error(np.zeros((1, 4, 4, 1)), pooling_ratio=(2.0, 2.0, 2.0, 1.0), text="not yet"),
]
case("FractionalMaxPool", distinct(2, 4, 4, 1), attrs=_FIXED, errors=_WRONG,
     reference=lambda x, **_: _blocks(x, np.max))  # fmt: skip
case("FractionalAvgPool", floats(2, 4, 4, 1), attrs=_FIXED, errors=_WRONG,
     reference=lambda x, **_: _blocks(x, np.mean))  # fmt: skip
_INTS = np.arange(32, dtype=np.int32).reshape(2, 4, 4, 1)
case("FractionalAvgPool", _INTS, attrs=_FIXED,
     reference=lambda x, **_: _blocks(x, lambda v, a: v.sum(a, dtype=np.int32) // 4),
     )  # fmt: skip


# ------------------------------------------------------------------ near channels
def _near(x, radius):
    return np.stack([
        x[..., max(0, c - radius) : c + radius + 1].sum(-1) for c in range(x.shape[-1])
    ], -1)  # fmt: skip


def _norm(x, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5):
    return bias + alpha * _near(x * x, depth_radius)


def _lrn(x, beta=0.5, **attrs):
    return x * _norm(x, **attrs) ** -beta


def _lrn_grad(dy, x, y, beta=0.5, **attrs):
    norm = _norm(x, **attrs)
    around = _near(dy * y / norm, attrs.get("depth_radius", 5))
    return dy * norm**-beta - 2 * attrs.get("alpha", 1.0) * beta * x * around


_SHARP = {"depth_radius": 1, "bias": 0.7, "alpha": 0.4, "beta": 0.75}
_ROUNDED = {
    "tol": {"float32": 4e-6, "float16": 4e-3, "bfloat16": 4e-2},
    "reason": "sums of many rounded products",
}
_WRONG = [
    error(np.zeros((4, 4, 3)), text="in must be 4-dimensional [Op:LRN]"),
    error(
        np.zeros((1, 4, 4, 3)), depth_radius=-1, text="depth_radius = -1 larger than"
    ),
]
_UNLIKE = error(np.zeros((1, 2, 2, 3)), np.zeros((1, 2, 2, 4)), np.zeros((1, 2, 2, 3)),
                text="and out_image should have the same shape")  # fmt: skip
for _attrs in ({}, _SHARP):
    _image = floats(1, 2, 2, 4)
    case("LRN", _image, reference=_lrn, attrs=_attrs, errors=_WRONG,
         dtypes=("float16", "bfloat16", "float32", "float64"), **_ROUNDED)  # fmt: skip
    case("LRNGrad", _image, _image, _image, reference=_lrn_grad, attrs=_attrs,
         errors=[_UNLIKE], **_ROUNDED)  # fmt: skip
