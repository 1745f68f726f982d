"""Rows of ops/nn/conv.py and ops/nn/conv3d.py."""

import numpy as np

from tests.support.op_cases.table import case, error, floats
from tests.support.op_cases.windows import (
    SUMS,
    conv,
    conv_filter,
    conv_input,
    conv_shape,
    layout,
    spatial,
)

_OPS = {
    4: ("Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"),
    5: ("Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2"),
}
_HALVES = {
    "tol": {"float16": 8e-3, "bfloat16": 8e-2, "float32": 4e-6},
    "reason": "gradients are rounded to a half in between",
    "dtypes": ("float32", "float64", "float16", "bfloat16"),
}


def _rows(x, w, stride=1, dilation=1, padding="SAME", data_format=None, **more):
    n = len(x)
    data_format = data_format or {4: "NHWC", 5: "NDHWC"}[n]
    steps, apart = [1] * n, [1] * n
    for a in spatial(data_format):
        steps[a], apart[a] = stride, dilation
    kind = {"padding": padding, "data_format": data_format}
    attrs = {"strides": tuple(steps), "dilations": tuple(apart), **kind}
    dy = np.array(conv_shape(x, w, attrs))[np.argsort(layout(attrs)[3])]
    more = {"attrs": attrs, **(more or SUMS)}
    x_, w_, dy_ = floats(*x), floats(*w), floats(*dy)
    forward, to_input, to_filter = _OPS[n]
    case(forward, x_, w_, reference=conv, **more)
    case(to_input, x, w_, dy_, reference=conv_input, **more)
    case(to_filter, x_, w, dy_, reference=conv_filter, **more)


_rows((2, 4, 5, 3), (3, 2, 3, 4))
_rows((2, 5, 4, 2), (3, 3, 2, 3), stride=2)
_rows((2, 5, 6, 2), (2, 3, 2, 3), stride=2, padding="VALID")
_rows((1, 6, 6, 2), (3, 2, 2, 9), dilation=2)
_rows((1, 6, 5, 1), (3, 3, 1, 2), dilation=2, padding="VALID")
_rows((2, 3, 3, 2), (1, 1, 2, 3))
_rows((2, 5, 5, 2), (1, 1, 2, 3), stride=2)
_rows((2, 5, 5, 2), (2, 2, 2, 3), stride=3)
_rows((1, 3, 17, 1), (3, 3, 1, 2))
_rows((2, 2, 5, 4), (3, 2, 2, 3), stride=2, data_format="NCHW")
_rows((2, 3, 4, 4), (4, 4, 3, 2), padding="VALID", data_format="NCHW")
_rows((1, 4, 4, 2), (2, 2, 2, 2), stride=2, **_HALVES)

_rows((1, 3, 4, 3, 2), (2, 2, 3, 2, 2))
_rows((2, 4, 3, 5, 1), (2, 3, 2, 1, 2), stride=2, padding="VALID")
_rows((1, 4, 5, 4, 1), (2, 2, 2, 1, 1), stride=2)
_rows((1, 5, 3, 3, 1), (3, 2, 1, 1, 2), dilation=2)
_rows((2, 2, 3, 2, 2), (1, 1, 1, 2, 3))
_rows((1, 2, 3, 4, 3), (2, 2, 2, 2, 2), data_format="NCDHW")

_X, _F = np.zeros((1, 4, 4, 3)), np.zeros((3, 3, 3, 4))
_ONES = (1, 1, 1, 1)
_PLAIN = dict(strides=_ONES, padding="VALID", data_format="NHWC", dilations=_ONES)
_DEPTHS = "input depth must be evenly divisible by filter depth: 3 vs 2 [Op:Conv2D]"
_AXES = "does not yet support strides in the batch and depth dimensions."
_WORDS = 'attr \'padding\' of "same" is not in the list of allowed values: "SAME", '
_NO_CONV = [
    error(_X, np.zeros((3, 3, 2, 4)), text=_DEPTHS),
    error(_X[0], _F, text="input must be 4-dimensional[4,4,3] [Op:Conv2D]"),
    error(_X, _F[0], text="filter must be 4-dimensional: [3,3,4] [Op:Conv2D]"),
    error(_X[:, :2], _F, text="dimension size caused by subtracting 3 from 2"),
    error(_X, _F, strides=(1, 0, 1, 1), text="strides should be larger than 0."),
    error(_X, _F, strides=(2, 1, 1, 1), text=_AXES),
    error(_X, _F, strides=(1, 1), text="strides field must specify 4 dimensions"),
    error(_X, _F, dilations=(1, 0, 1, 1), text="rates should be larger than 0."),
    error(_X, _F, padding="same", text=_WORDS),
]
case("Conv2D", floats(1, 2, 2, 1), floats(1, 2, 1, 1), reference=conv, attrs=_PLAIN,
     errors=_NO_CONV, **SUMS)  # fmt: skip

_X3, _F3 = np.zeros((1, 4, 4, 4, 3)), np.zeros((2, 2, 2, 3, 4))
_DY3 = np.zeros((1, 3, 3, 3, 4))
_ONES3 = (1, 1, 1, 1, 1)
_PLAIN3 = dict(strides=_ONES3, padding="VALID", data_format="NDHWC", dilations=_ONES3)
_ZERO3 = (1, 0, 1, 1, 1)
_BATCH3 = (2, 1, 1, 1, 1)
_NO_CONV3 = [
    error(_X3, _F3[:, :, :, :2], text="and filter must have the same depth [Op:Conv3D"),
    error(_X3[0], _F3, text="input must be 5-dimensional [Op:Conv3D]"),
    error(_X3, _F3[0], text="filter must be 5-dimensional [Op:Conv3D]"),
    error(_X3, _F3, strides=_ZERO3, text="Spatial strides should be larger than 0."),
    error(_X3, _F3, strides=_BATCH3, text=_AXES),
    error(_X3, _F3, strides=(1, 1), text="Length for attr 'strides' of 2 must be at"),
    error(_X3, _F3, dilations=(1, 1), text="rates field must specify 5 dimensions"),
    error(_X3, _F3, dilations=_ZERO3, text="Dilated rates should be larger than 0."),
    error(_X3, _F3, dilations=_BATCH3, text="not yet support dilation rates in the"),
    error(_X3, _F3, padding="same", text=_WORDS),
    error(_X3, _F3, data_format="NHWC", text='allowed values: "NDHWC", "NCDHW"'),
]
case("Conv3D", floats(1, 2, 2, 2, 1), floats(1, 2, 2, 1, 1), reference=conv,
     attrs=_PLAIN3, errors=_NO_CONV3, **SUMS)  # fmt: skip
_START = "Conv3DBackpropInputOp: "
_NO_INPUT = [
    error((2, 4, 4, 4, 3), _F3, _DY3, text=_START + "input and out_backprop must have"),
    error((1, 4, 4, 4, 2), _F3, _DY3, text=_START + "input depth must be evenly"),
    error((1, 4, 4, 4, 3), _F3, _DY3[..., :3], text="must have the same out_depth"),
    error((1, 4, 4, 4, 3), _F3, _DY3[:, :2], text="actual = 2, computed = 3 spatial_"),
    error((4, 4, 4, 3), _F3, _DY3, text=_START + "input must be 5-dimensional"),
]
case("Conv3DBackpropInputV2", (1, 2, 2, 2, 1), floats(1, 2, 2, 1, 1),
     floats(1, 2, 1, 1, 1), reference=conv_input, attrs=_PLAIN3, errors=_NO_INPUT,
     **SUMS)  # fmt: skip
