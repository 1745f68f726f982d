"""Rows of ops/nn/dilation.py and ops/nn/pool_argmax.py."""

import numpy as np

from tests.support.op_cases import windows
from tests.support.op_cases.table import case, distinct, error, floats
from twinflow.base import dtypes
from twinflow.ops.nn.dilation import erosion2d

_HALF = ("float16", "bfloat16", "float32", "float64")
_ONES = (1, 1, 1, 1)


# ------------------------------------------------------------------ dilation
def _maxima(x, w, strides, rates, padding):
    """(largest sum, place in x, place in w) of each window."""
    best = {}
    layout = (x.shape[1:3], w.shape[:2], strides[1:3], rates[1:3], padding)
    for b in range(x.shape[0]):
        for c in range(x.shape[3]):
            for window, entry, place in windows.hits(*layout):
                found = x[(b, *place, c)] + w[(*entry, c)]
                at = (b, *window, c)
                if at not in best or found > best[at][0]:
                    best[at] = found, (b, *place, c), (*entry, c)
    return best


def _dilate(x, w, **layout):
    best = _maxima(x, w, **layout)
    y = np.zeros(np.max(list(best), 0) + 1, x.dtype)
    for at, (found, *_) in best.items():
        y[at] = found
    return y


def _dilate_input(x, w, dy, **layout):
    dx = np.zeros(x.shape)
    for at, (_, place, _) in _maxima(x, w, **layout).items():
        dx[place] += dy[at]
    return dx


def _dilate_filter(x, w, dy, **layout):
    dw = np.zeros(w.shape)
    for at, (_, _, place) in _maxima(x, w, **layout).items():
        dw[place] += dy[at]
    return dw


def _picked(which):
    def pick(x, w, values, **layout):
        y = np.zeros(_dilate(x, w, **layout).shape)
        for at, found in _maxima(x, w, **layout).items():
            y[at] = values[found[which]]
        return y

    return pick


def _apart(shape, filters):
    """Images and filters none of whose sums in a window are near each other."""
    random = np.random.RandomState(0)
    x = random.permutation(int(np.prod(shape))).reshape(shape) / 4.0
    n = int(np.prod(filters))
    w = random.permutation(n).reshape(filters) % 6 / 24 + random.randint(-4, 4, filters)
    return x, w


def _dilation_rows(shape, filters, stride=1, rate=1, padding="SAME", **more):
    attrs = {"strides": (1, stride, stride, 1), "rates": (1, rate, rate, 1)}
    attrs["padding"] = padding
    x, w = _apart(shape, filters)
    y = floats(*_dilate(x, w, **attrs).shape)
    last = {"grad": (2,), "attrs": attrs}
    case("Dilation2D", x, w, reference=_dilate, attrs=attrs, dtypes=_HALF, **more)
    name = "Dilation2DBackprop"
    case(f"{name}Input", x, w, y, reference=_dilate_input, **last)
    case(f"{name}Filter", x, w, y, reference=_dilate_filter, **last)
    case("TwinDilation2DInput", x, w, floats(*shape),
         reference=_picked(1), **last)  # fmt: skip
    case("TwinDilation2DFilter", x, w, floats(*filters),
         reference=_picked(2), **last)  # fmt: skip


_ROUNDED = {
    "tol": {"float16": 4e-3, "bfloat16": 3e-2},
    "reason": "the inputs are rounded before they are added",
}
_dilation_rows((2, 4, 5, 2), (2, 3, 2), **_ROUNDED)
_dilation_rows((1, 5, 6, 2), (3, 2, 2), stride=2, padding="VALID", **_ROUNDED)
_dilation_rows((1, 5, 4, 1), (2, 2, 1), rate=2, **_ROUNDED)
_X, _W = np.zeros((1, 4, 4, 3)), np.zeros((2, 2, 3))
_PLAIN = {"strides": _ONES, "rates": _ONES, "padding": "VALID"}
_WRONG = [
    error(_X, _W[:, :, :2], text="input and filter must have the same depth: 3 vs 2"),
    error(_X[0], _W, text="input must be 4-dimensional[4,4,3] [Op:Dilation2D]"),
    error(_X, _W[None], text="filter must be 3-dimensional: [1,2,2,3]"),
    error(_X, _W, strides=(2, 1, 1, 1), text="only supported across spatial dim"),
    error(_X, _W, strides=(1, 0, 1, 1), text="Stride must be > 0, but got 0"),
    error(_X, _W, rates=(1, 1), text="Length for attr 'rates' of 2 must be at least"),
]
case("Dilation2D", np.array([[[[1], [3]]]], np.int32), np.zeros((1, 2, 1), np.int32),
     reference=np.array([[[[3]]]], np.int32), attrs=_PLAIN, errors=_WRONG)  # fmt: skip
_UNLIKE = error(_X, _W, _X, text="out_backprop has incompatible size.")
case("Dilation2DBackpropInput", floats(1, 2, 2, 1), floats(1, 1, 1),
     floats(1, 2, 2, 1), reference=lambda x, w, dy, **_: dy, attrs=_PLAIN, grad=(2,),
     errors=[_UNLIKE])  # fmt: skip
case(erosion2d, *_apart((1, 4, 4, 2), (2, 2, 2)), attrs=_PLAIN,
     reference=lambda x, w, **_: -_dilate(-x, w[::-1, ::-1], **_))  # fmt: skip


# ------------------------------------------------------------------ pooling
_WINDOW = (1, 2, 2, 1)


def _sized(reference):
    def run(*inputs, padding, data_format):
        *arrays, ksize, strides = inputs
        return reference(*arrays, ksize=ksize, strides=strides, padding=padding)

    return run


def _argmax(x, Targmax=dtypes.int64, **attrs):
    y = windows.max_pool(x, **attrs)
    found = np.zeros(y.shape, Targmax.np)
    for window, place in windows.first_maxima(x, y, attrs):
        found[window] = np.ravel_multi_index(place, x.shape)
    return [y, found]


def _pool_rows(shape, ksize, strides, padding):
    attrs = {"padding": padding, "data_format": "NHWC"}
    sizes = (ksize, strides)
    whole = {"ksize": ksize, "strides": strides, "padding": padding}
    x = distinct(*shape).draw(3)
    y, places = _argmax(x, **whole)
    dy, more = floats(*y.shape), {"attrs": attrs, "grad": (2,)}
    case("MaxPoolV2", distinct(*shape), *sizes, reference=_sized(windows.max_pool),
         attrs=attrs)  # fmt: skip
    case("MaxPoolGradV2", x, y, dy, *sizes, reference=_sized(windows.max_pool_grad),
         **more)  # fmt: skip
    case("MaxPoolGradGradV2", x, y, floats(*shape), *sizes,
         reference=_sized(windows.max_pool_grad_grad), **more)  # fmt: skip
    case("MaxPoolWithArgmax", distinct(*shape), reference=_argmax, attrs=whole)
    more = {"attrs": whole, "grad": (1,)}
    case(
        "MaxPoolGradWithArgmax", x, dy, places, **more,
        reference=lambda x, dy, _, **a: windows.max_pool_grad(x, y, dy, **a),
    )  # fmt: skip
    case(
        "MaxPoolGradGradWithArgmax", x, floats(*shape), places, **more,
        reference=lambda x, dx, places, **a: dx.ravel()[places],
    )  # fmt: skip


_pool_rows((2, 4, 4, 2), _WINDOW, _WINDOW, "VALID")
_pool_rows((2, 5, 4, 2), (1, 3, 2, 1), (1, 2, 1, 1), "SAME")
_LAYOUT = {"padding": "VALID", "data_format": "NHWC"}
_WRONG = [
    error(
        _X[0], _WINDOW, _WINDOW, text="tensor_in_shape must have 2 spatial dimensions"
    ),
    error(_X, (2, 2), _WINDOW, text="window ksize field must specify 4 dimensions"),
]
case("MaxPoolV2", np.zeros((1, 2, 2, 1), np.int32), _WINDOW, _WINDOW, attrs=_LAYOUT,
     reference=np.zeros((1, 1, 1, 1), np.int32), errors=_WRONG)  # fmt: skip
_SMALL = {"ksize": _WINDOW, "strides": _WINDOW, "padding": "VALID"}
_ONE = np.ones((1, 1, 1, 1), np.int32)
case("MaxPoolWithArgmax", np.array([[5, 7], [7, 1]], np.int32).reshape(1, 2, 2, 1),
     attrs={**_SMALL, "Targmax": dtypes.int32}, reference=[7 * _ONE, _ONE])  # fmt: skip
_OUTSIDE = error(np.zeros((1, 2, 2, 1)), np.zeros((1, 1, 1, 1)),
                 np.full((1, 1, 1, 1), 4), text="Found index 4 outside of")  # fmt: skip
case("MaxPoolGradWithArgmax", floats(1, 2, 2, 1), floats(1, 1, 1, 1),
     np.full((1, 1, 1, 1), 2), attrs=_SMALL, grad=(1,), errors=[_OUTSIDE],
     reference=lambda x, dy, _, **a: np.eye(4)[2].reshape(x.shape) * dy)  # fmt: skip
