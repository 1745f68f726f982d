"""Rows of ops/nn/pool.py and ops/nn/pool3d.py."""

import numpy as np

from tests.support.op_cases import windows
from tests.support.op_cases.table import case, distinct, error, floats

_HALF = ("float16", "bfloat16", "float32", "float64")
_SUFFIX = {4: "", 5: "3D"}


def _rows(shape, k, stride, padding, data_format=None, ties=False):
    n = len(shape)
    data_format = data_format or {4: "NHWC", 5: "NDHWC"}[n]
    ksize, strides = [1] * n, [1] * n
    for a in windows.spatial(data_format):
        ksize[a], strides[a] = k, stride
    layout = {"padding": padding, "data_format": data_format}
    attrs = {"ksize": tuple(ksize), "strides": tuple(strides), **layout}
    random = np.random.RandomState(k)
    x = random.permutation(int(np.prod(shape))).reshape(shape) / 8.0
    x = np.floor(x / 4) if ties else x
    y = windows.max_pool(x, **attrs)
    dy = floats(*y.shape)
    kind = _SUFFIX[n]
    more = {"attrs": attrs, "grad": (2,)}
    case(f"MaxPool{kind}", distinct(*shape), reference=windows.max_pool, attrs=attrs)
    if n == 4:
        case("MaxPool", x.astype(np.int32), reference=windows.max_pool, attrs=attrs)
    case(f"MaxPool{kind}Grad", x, y, dy, reference=windows.max_pool_grad, **more)
    case(f"MaxPool{kind}GradGrad", x, y, floats(*shape),
         reference=windows.max_pool_grad_grad, **more)  # fmt: skip
    more = {"attrs": attrs, "dtypes": _HALF}
    case(f"AvgPool{kind}", floats(*shape), reference=windows.avg_pool, **more)
    case(f"AvgPool{kind}Grad", shape, dy, reference=windows.avg_pool_grad, **more)


_rows((2, 4, 4, 3), 2, 2, "VALID")
_rows((2, 4, 6, 2), 2, 2, "SAME", ties=True)
_rows((2, 5, 4, 2), 3, 2, "SAME", ties=True)
_rows((1, 4, 5, 2), 3, 1, "SAME")
_rows((1, 5, 5, 2), 2, 3, "VALID")
_rows((1, 2, 5, 5), 3, 2, "VALID", "NCHW", ties=True)
_rows((1, 4, 2, 4, 2), 2, 2, "VALID")
_rows((1, 3, 4, 3, 1), 2, 2, "SAME", ties=True)
_rows((1, 3, 3, 2, 1), 2, 1, "SAME")
_rows((1, 2, 3, 3, 3), 3, 2, "VALID", "NCDHW", ties=True)

_X = np.zeros((1, 4, 4, 3))
_PAIRS = {"ksize": (1, 1, 1, 2), "strides": (1, 1, 1, 2), "padding": "VALID"}
_NO_POOL = [
    error(_X[0], text="tensor_in_shape must have 2 spatial dimensions. 3 0"),
    error(_X, ksize=(2, 2), text="Length for attr 'ksize' of 2 must be at least"),
]
case("MaxPool", distinct(1, 2, 2, 4), reference=windows.max_pool, attrs=_PAIRS,
     errors=_NO_POOL)  # fmt: skip

_X3 = np.zeros((1, 4, 4, 4, 3))
_WINDOW = (1, 2, 2, 2, 1)
_PLAIN = {"ksize": _WINDOW, "strides": _WINDOW, "padding": "VALID"}
_DEPTH = "Pooling is not yet supported on the depth dimension. [Op:MaxPool3D]"
_NO_POOL3 = [
    error(_X3[0], text="tensor_in must be 5-dimensional [Op:MaxPool3D]"),
    error(_X3, ksize=(1, 2, 2, 1), text="Length for attr 'ksize' of 4 must be at least "
          "minimum 5"),
    error(_X3, ksize=(2, 2, 2, 2, 1), text="is not yet supported on the batch dim"),
    error(_X3, ksize=(1, 2, 2, 2, 2), text=_DEPTH),
    error(_X3, strides=(1, 0, 1, 1, 1), text="Stride must be > 0, but got 0 [Op:Max"),
    error(_X3, data_format="NHWC", text="attr 'data_format' of \"NHWC\" is not in the"),
]  # fmt: skip
case("MaxPool3D", distinct(1, 2, 2, 2, 2), reference=windows.max_pool, attrs=_PLAIN,
     errors=_NO_POOL3)  # fmt: skip
_NO_GRAD3 = [error((4, 4, 4, 3), _X3, text="must be 1-dimensional and 5 elements")]
case("AvgPool3DGrad", (1, 2, 2, 2, 1), floats(1, 1, 1, 1, 1), attrs=_PLAIN,
     reference=windows.avg_pool_grad, errors=_NO_GRAD3)  # fmt: skip
