"""Rows of ops/nn/conv_depthwise.py."""

import numpy as np

from tests.support.op_cases import windows
from tests.support.op_cases.table import case, error, floats

_ONES = (1, 1, 1, 1)
_NAME = "DepthwiseConv2dNative"


def spread_filters(w):
    """The filters of a full convolution that keeps the channels apart."""
    h, wide, c, m = w.shape
    out = np.zeros((h, wide, c, c * m))
    for i in range(c):
        out[:, :, i, i * m : (i + 1) * m] = w[:, :, i]
    return out


def _gathered(w, m):
    c = w.shape[2]
    parts = [w[:, :, i, i * m : (i + 1) * m] for i in range(c)]
    return np.stack(parts, 2)


def _conv(x, w, **attrs):
    return windows.conv(x, spread_filters(w), **attrs)


def _input(sizes, w, dy, **attrs):
    return windows.conv_input(sizes, spread_filters(w), dy, **attrs)


def _filter(x, sizes, dy, **attrs):
    h, w, c, m = sizes
    return _gathered(windows.conv_filter(x, (h, w, c, c * m), dy, **attrs), m)


def _rows(x, w, stride=1, dilation=1, padding="SAME", data_format="NHWC", **more):
    at = windows.spatial(data_format)
    kind = {"padding": padding, "data_format": data_format}
    steps = tuple(stride if a in at else 1 for a in range(4))
    apart = tuple(dilation if a in at else 1 for a in range(4))
    attrs = {"strides": steps, "dilations": apart, **kind}
    full = (*w[:3], w[2] * w[3])
    axes = windows.layout(attrs)[3]
    dy = np.array(windows.conv_shape(x, full, attrs))[np.argsort(axes)]
    more = {"attrs": attrs, **(more or windows.SUMS)}
    case(_NAME, floats(*x), floats(*w), reference=_conv, **more)
    case(f"{_NAME}BackpropInput", x, floats(*w), floats(*dy), reference=_input, **more)
    case(f"{_NAME}BackpropFilter", floats(*x), w, floats(*dy), reference=_filter,
         **more)  # fmt: skip


_rows((2, 4, 5, 3), (3, 2, 3, 1))
_rows((2, 4, 5, 2), (2, 2, 2, 3), padding="VALID")
_rows((1, 5, 6, 2), (3, 3, 2, 2), stride=2)
_rows((2, 5, 4, 3), (2, 3, 3, 1), stride=2, padding="VALID")
_rows((1, 6, 5, 2), (3, 2, 2, 1), dilation=2)
_rows((1, 2, 5, 4), (3, 2, 2, 2), data_format="NCHW")
_rows((1, 3, 5, 4), (2, 2, 3, 1), stride=2, data_format="NCHW")

_X, _F = np.zeros((1, 4, 4, 3)), np.zeros((2, 2, 3, 2))
_PLAIN = dict(strides=_ONES, padding="VALID", data_format="NHWC", dilations=_ONES)
_AXES = "does not yet support strides in the batch and depth dimensions."
_WRONG = [
    error(_X, _F[:, :, :2], text="must have the same depth: 3 vs 2 [Op:Depthwise"),
    error(_X[0], _F, text="input must be 4-dimensional[4,4,3]"),
    error(_X, _F[0], text="filter must be 4-dimensional: [2,3,2]"),
    error(_X, _F, strides=(2, 1, 1, 1), text=_AXES),
    error(_X, _F, strides=(1, 0, 0, 1), text="Stride must be > 0, but got 0"),
    error(_X, _F, strides=(1, 1), text="strides field must specify 4 dimensions"),
]
case(_NAME, floats(1, 2, 2, 1), floats(1, 2, 1, 1), reference=_conv, attrs=_PLAIN,
     errors=_WRONG, **windows.SUMS)  # fmt: skip
_DY, _START = np.zeros((1, 3, 3, 6)), "DepthwiseConv2DBackpropInput: "
_WRONG = [
    error((1, 4, 4, 3), _F[:, :, :2], _DY, text=_START + "input and filter must have"),
    error((1, 4, 4, 3), _F, _DY[..., :5], text="depth_multiplier * in_depth not equal"),
    error((1, 4, 4, 3), _F, _DY[:, :2], text="Number of rows of out_backprop doesn't"),
    error((2, 4, 4, 3), _F, _DY, text=_START + "input and out_backprop must have the"),
]
case(f"{_NAME}BackpropInput", (1, 2, 2, 1), floats(1, 2, 1, 1), floats(1, 2, 1, 1),
     reference=_input, attrs=_PLAIN, errors=_WRONG, **windows.SUMS)  # fmt: skip
