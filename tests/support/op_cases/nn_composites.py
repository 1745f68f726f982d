"""Rows of ops/nn/convolution.py, ops/nn/space.py, ops/nn/conv_separable.py."""

import numpy as np

from tests.support.op_cases import windows
from tests.support.op_cases.nn_depthwise import spread_filters
from tests.support.op_cases.table import case, distinct, error, floats
from twinflow.ops.nn import convolution as nn
from twinflow.ops.nn.conv import conv2d_transpose
from twinflow.ops.nn.conv3d import conv3d_transpose
from twinflow.ops.nn.conv_separable import depthwise_conv2d, separable_conv2d
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.ops.nn.space import with_space_to_batch

_LETTERS = {1: "NWC", 2: "NHWC", 3: "NDHWC"}


def _full(numbers, n):
    return (1, *(numbers or (1,) * n), 1)


def _convolve(x, w, padding, strides=None, dilation_rate=None, data_format=None):
    n = x.ndim - 2
    first = data_format is not None and data_format[1] == "C"
    x = np.moveaxis(x, 1, -1) if first else x
    strides, rates = strides or (1,) * n, dilation_rate or (1,) * n
    if n == 1:
        x, w, strides, rates = x[:, None], w[None], (1, *strides), (1, *rates)
    kind = {"padding": padding, "data_format": _LETTERS[max(n, 2)]}
    y = windows.conv(x, w, strides=_full(strides, n), dilations=_full(rates, n), **kind)
    y = y[:, 0] if n == 1 else y
    return np.moveaxis(y, -1, 1) if first else y


def _conv_rows(x, w, *args, **attrs):
    case(nn.convolution, floats(*x), floats(*w), *args, attrs=attrs,
         reference=_convolve, needs="rank", **windows.SUMS)  # fmt: skip


_conv_rows((2, 7, 2), (3, 2, 3), "SAME", strides=[2])
_conv_rows((2, 2, 7), (3, 2, 3), "VALID", dilation_rate=[2], data_format="NCW")
_conv_rows((1, 5, 4, 2), (3, 2, 2, 3), "SAME", dilation_rate=[2, 3])
_conv_rows((1, 2, 4, 5), (3, 2, 2, 3), "VALID", strides=[1, 2], data_format="NCHW")
_conv_rows((1, 4, 3, 3, 1), (2, 2, 2, 1, 2), "SAME", strides=[2, 1, 1])
_X, _F = np.zeros((1, 4, 4, 3)), np.zeros((2, 2, 3, 4))
_WRONG = [
    error(_X, np.zeros((2, 2, 2, 4)), "SAME", type=ValueError,
          text="match corresponding dimension of filter, 3 != 2"),
    error(_X, _F, "SAME", type=ValueError, text="len(strides)=1 but should be 2",
          strides=[1]),
    error(_X, _F, "SAME", type=ValueError, text="values of dilation_rate must be posi",
          dilation_rate=[0, 1]),
    error(_X, _F, "SAME", type=ValueError, text="strides > 1 not supported in conj",
          strides=[2, 2], dilation_rate=[2, 2]),
    error(_X, _F, "same", type=ValueError, text="Invalid padding method 'same'",
          dilation_rate=[2, 2]),
    error(_X, _F, "SAME", type=ValueError, text='must be "NHWC" or "NCHW".',
          data_format="NHCW"),
]  # fmt: skip
case(nn.convolution, floats(1, 3, 3, 1), floats(2, 2, 1, 1), "VALID", errors=_WRONG,
     reference=_convolve, needs="rank", **windows.SUMS)  # fmt: skip
case(nn.conv1d, floats(2, 6, 2), floats(3, 2, 3), 2, "SAME",
     reference=lambda x, w, s, p: _convolve(x, w, p, [s]), **windows.SUMS)  # fmt: skip
case(nn.atrous_conv2d, floats(1, 5, 4, 2), floats(2, 2, 2, 3), 2, "VALID",
     reference=lambda x, w, r, p: _convolve(x, w, p, None, [r, r]),
     needs="rank", **windows.SUMS)  # fmt: skip

# ------------------------------------------------------------------ transposed
_ONES = (1, 1, 1, 1)


def _transposed(x, w, sizes, strides, padding="SAME", dilations=_ONES):
    kind = {"padding": padding, "data_format": _LETTERS[x.ndim - 2]}
    dilations = dilations if x.ndim == 4 else (1, *dilations)
    return windows.conv_input(sizes, w, x, strides=strides, dilations=dilations, **kind)


def _atrous(x, w, sizes, rate, padding):
    return _transposed(x, w, sizes, _ONES, padding, (1, rate, rate, 1))


def _line(x, w, sizes, stride, padding):
    sizes = (sizes[0], 1, *sizes[1:])
    y = _transposed(x[:, None], w[None], sizes, (1, 1, stride, 1), padding)
    return y[:, 0]


_PAIR = [
    error(np.zeros((1, 2, 2, 5)), _F, [1, 4, 4, 3], (1, 2, 2, 1), type=ValueError,
          text="input channels does not match filter's input channels, 5 != 4"),
    error(np.zeros((1, 2, 2, 4)), _F, [1, 4, 4], (1, 2, 2, 1), type=ValueError,
          text="output_shape must have shape (4,), got (3,)"),
    error(np.zeros((1, 2, 2, 4)), _F, [1, 4, 4, 9], (1, 2, 2, 1), type=ValueError,
          text="output_shape does not match filter's output channels, 9 != 3"),
]  # fmt: skip
case(conv2d_transpose, floats(1, 2, 3, 2), floats(3, 2, 2, 2), [1, 4, 5, 2],
     (1, 2, 2, 1), reference=_transposed, errors=_PAIR, **windows.SUMS)  # fmt: skip
case(conv3d_transpose, floats(1, 2, 2, 1, 2), floats(2, 2, 1, 1, 2), [1, 3, 4, 2, 1],
     (1, 2, 2, 2, 1), reference=_transposed, **windows.SUMS)  # fmt: skip
case(nn.conv1d_transpose, floats(1, 3, 2), floats(2, 1, 2), [1, 6, 1], 2, "SAME",
     reference=_line, **windows.SUMS)  # fmt: skip
case(nn.atrous_conv2d_transpose, floats(1, 2, 3, 2), floats(2, 2, 1, 2), [1, 4, 5, 1],
     2, "VALID", reference=_atrous, **windows.SUMS)  # fmt: skip


# ------------------------------------------------------------------ separable
def _depthwise(x, w, strides, padding, rate=None):
    rates = (1, *(rate or (1, 1)), 1)
    layout = {"padding": padding, "data_format": "NHWC"}
    return windows.conv(
        x, spread_filters(w), strides=strides, dilations=rates, **layout
    )


def _separable(x, w, p, strides, padding, rate=None):
    return _depthwise(x, w, strides, padding, rate) @ p[0, 0]


case(depthwise_conv2d, floats(1, 5, 4, 2), floats(2, 3, 2, 2), (1, 2, 2, 1), "SAME",
     reference=_depthwise, **windows.SUMS)  # fmt: skip
case(depthwise_conv2d, floats(1, 5, 4, 2), floats(2, 3, 2, 1), _ONES, "SAME",
     attrs={"rate": (2, 1)}, reference=_depthwise, **windows.SUMS)  # fmt: skip
case(separable_conv2d, floats(1, 4, 4, 2), floats(2, 2, 2, 2), floats(1, 1, 4, 3),
     _ONES, "VALID", attrs={"rate": (2, 2)}, reference=_separable,
     tol={"float32": 1e-5}, reason="two convolutions")  # fmt: skip


# ------------------------------------------------------------------ pooling
def _pooled(x, window_shape, pooling_type, padding, strides=None):
    n, pool = x.ndim - 2, windows.max_pool
    pool = windows.avg_pool if pooling_type == "AVG" else pool
    sizes = {"ksize": _full(window_shape, n), "strides": _full(strides, n)}
    return pool(x, padding=padding, **sizes)


def _spread_max(x, window_shape, *_, **__):
    """The largest of each entry and the one two further."""
    return np.maximum(x[:, :-2], x[:, 2:])


case(nn.pool, distinct(2, 5, 2), [2], "MAX", "SAME", attrs={"strides": [2]},
     reference=_pooled)  # fmt: skip
case(nn.pool, floats(1, 4, 5, 2), [2, 3], "AVG", "SAME", reference=_pooled)
case(nn.pool, distinct(1, 3, 3, 3, 1), [2, 2, 2], "MAX", "VALID", reference=_pooled)
_SAME = error(np.zeros((1, 4, 1)), [2], "MAX", "SAME", type=ValueError,
              text="pooling with SAME padding is not implemented for dilation_rate > 1",
              dilation_rate=[2])  # fmt: skip
_WIDE = error(np.zeros((1, 4, 1)), [2], "MAX", "SAME", type=ValueError,
              text="strides > window_shape not supported due to", strides=[3],
              dilation_rate=[1])  # fmt: skip
_KIND = error(np.zeros((1, 4, 1)), [2], "MIN", "VALID", type=ValueError,
              text="1-D MIN pooling is not supported.")  # fmt: skip
case(nn.pool, distinct(2, 6, 2), [2], "MAX", "VALID", attrs={"dilation_rate": [2]},
     reference=_spread_max, errors=[_SAME, _WIDE, _KIND])  # fmt: skip


def _twice(x, n, padding):
    return nn.pool(x, [2], "AVG", padding)


def _spaced(x, dilation_rate, padding):
    return with_space_to_batch(x, dilation_rate, padding, _twice, [2])


_spaced.__name__ = "with_space_to_batch"
_NO_RATE = [
    error(np.zeros((1, 4, 1)), [0], "SAME", type=ValueError, text="must be positive"),
    error(np.zeros((1, 4, 1)), 2, "SAME", type=ValueError, text="rate must be rank 1"),
]
case(_spaced, floats(1, 7, 2), [3], "VALID", errors=_NO_RATE,
     reference=lambda x, *_: (x[:, :-3] + x[:, 3:]) / 2)  # fmt: skip


def _padded_means(x, *_):
    """The mean of the entries one before and one after, zeros outside."""
    x = np.pad(x, ((0, 0), (1, 1), (0, 0)))
    return (x[:, :-2] + x[:, 2:]) / 2


case(_spaced, floats(1, 5, 2), [2], "SAME", reference=_padded_means)

# ------------------------------------------------------------------ tables in parts
_IDS = np.array([[4, 0], [3, 3]])


def _parts(a, b, ids, strategy):
    return embedding_lookup([a, b], ids, strategy)


_parts.__name__ = "embedding_lookup"


def _dealt(a, b, ids, strategy):
    if strategy == "div":
        return np.concatenate([a, b])[ids]
    return np.where((ids % 2)[..., None] == 0, a[ids // 2 % 3], b[ids // 2 % 2])


case(_parts, floats(3, 2), floats(2, 2), _IDS, "mod", reference=_dealt, grad=(0, 1))
case(_parts, floats(3, 2), floats(2, 2), _IDS, "div", reference=_dealt, grad=(0, 1))
