"""Batch normalization as one op, its gradient, and the gradient of that.

With m and v the mean and variance of each channel, r = 1 / sqrt(v + epsilon) and
h = (x - m) * r: y = scale * h + offset. When training, m and v are those of the batch.
"""

import math

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import InferError, bind_first, define
from twinflow.ops.core.constant import cast
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import add, multiply, negative, rsqrt, subtract
from twinflow.ops.core.infer import merge, one_of, ranked, same_dim, text
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.shape import reshape
from twinflow.ops.nn import normal
from twinflow.ops.nn.window import FORMATS, channel

_ATTRS = "epsilon=0.0001, data_format='NHWC', is_training=True"
_WIDE = frozenset((dtypes.float32, dtypes.float64))
_MIXED = {"T": _WIDE | {dtypes.float16, dtypes.bfloat16}, "U": _WIDE}


def _infer(x, scale, offset, mean, variance, epsilon, data_format, is_training):
    one_of("FusedBatchNorm", "data_format", data_format, FORMATS)
    c = _channels(x, data_format)
    for name, t in (("scale", scale), ("offset", offset)):
        c = _per_channel(name, t, c)
    for name, t in (("estimated_mean", mean), ("estimated_variance", variance)):
        if not is_training:
            c = _per_channel(name, t, c)
        elif t._shape not in ((0,), None, (None,)):
            raise InferError(f"{name} must be empty for training{text(t._shape)}")
    return [x._shape] + [(c,)] * 4


def _channels(x, data_format):
    return ranked(x._shape, 4, "input must be 4-dimensional{}")[channel(data_format)]


def _per_channel(name, t, c):
    return same_dim(c, ranked(t._shape, 1, f"{name} must be 1-dimensional{{}}")[0])


def _rows(xp, x, data_format, dtype):
    """x as [entries, channels], in the dtype of the statistics.

    NumPy is slow on short rows (59 us for a sum of 16 channels, 6 if 8 entries stand in
    a row), so there the entries of one line of the image share a row.
    """
    if data_format == "NCHW":
        x = x.transpose(0, 2, 3, 1)
    width = x.shape[2] if xp is np and x.size else 1
    shape = math.prod(x.shape[:3]) // width, width * x.shape[3]
    return x.reshape(shape).astype(dtype, copy=False)


def _laid(xp, per_channel, rows):
    """A number per channel in the shape of a row."""
    return xp.tile(per_channel, rows.shape[1] // max(per_channel.shape[0], 1))


def _total(xp, rows, channels):
    """The sum over all entries of each channel."""
    row = xp.sum(rows, 0)
    return row if row.shape[0] == channels else xp.sum(row.reshape(-1, channels), 0)


def _times(xp, fresh, row):
    """A product, in the place of `fresh`, which is nobody else's."""
    return np.multiply(fresh, row, fresh) if xp is np else fresh * row


def _back(xp, rows, like, data_format):
    """Rows in the shape and dtype of `like`."""
    n, *rest = like.shape
    if data_format == "NCHW":
        rows = rows.reshape(n, *rest[1:], rest[0])
        return xp.transpose(rows, (0, 3, 1, 2)).astype(like.dtype, copy=False)
    return rows.reshape(like.shape).astype(like.dtype, copy=False)


@bind_first
def _kernel(xp, x, scale, offset, mean, variance, epsilon, data_format, is_training):
    if xp is np and data_format == "NHWC":
        arrays = (x, scale, offset, mean, variance)
        found = normal.batch_norm(*arrays, epsilon, is_training)
        if found is not None:
            return found
    rows, kind = _rows(xp, x, data_format, scale.dtype), scale.dtype.type
    c = scale.shape[0]
    n = x.size // max(c, 1)
    if is_training:
        part = kind(1 / n if n else np.nan)  # NumPy would warn of 0 / 0
        mean = _total(xp, rows, c) * part
        centred = rows - _laid(xp, mean, rows)
        variance = _total(xp, centred * centred, c) * part
        reported = variance * kind(n / max(n - 1, 1))
    else:
        centred, reported = rows - _laid(xp, mean, rows), variance
    factor = scale / xp.sqrt(variance + kind(epsilon))
    y = _times(xp, centred, _laid(xp, factor, rows))
    y += _laid(xp, offset, rows)
    return _back(xp, y, x, data_format), mean, reported, mean, variance


@bind_first
def _grad_kernel(xp, dy, x, scale, mean, variance, epsilon, data_format, is_training):
    kind, c = scale.dtype.type, scale.shape[0]
    none = xp.zeros((0,), scale.dtype)
    if xp is np and data_format == "NHWC":
        arrays = (dy, x, scale, mean, variance)
        found = normal.batch_norm_back(*arrays, epsilon, is_training)
        if found is not None:
            return *found, none, none
    d = _rows(xp, dy, data_format, scale.dtype)
    rows = _rows(xp, x, data_format, scale.dtype)
    r = 1 / xp.sqrt(variance + kind(epsilon))
    h = _times(xp, rows - _laid(xp, mean, d), _laid(xp, r, d))
    d_offset, d_scale = _total(xp, d, c), _total(xp, d * h, c)
    if is_training:
        part = kind(1 / max(x.size // max(c, 1), 1))
        d = d - _laid(xp, d_offset * part, d)
        d -= _times(xp, h, _laid(xp, d_scale * part, d))
        dx = _times(xp, d, _laid(xp, scale * r, d))
    else:
        dx = d * _laid(xp, scale * r, d)
    dx = _back(xp, dx, x, data_format)
    return dx, d_scale, d_offset, none, none


def _infer_grad(dy, x, scale, mean, variance, epsilon, data_format, is_training):
    one_of("FusedBatchNormGrad", "data_format", data_format, FORMATS)
    s = merge(dy._shape, x._shape, "x and y_backprop must have one shape")
    c = _channels(x, data_format)
    c = _channels(dy, data_format) if c is None else c
    for name, t in (("scale", scale), ("reserve_space_1", mean),
                    ("reserve_space_2", variance)):  # fmt: skip
        c = _per_channel(name, t, c)
    return [s, (c,), (c,), (0,), (0,)]


def _rule(grad_op):
    def rule(
        d_y, x, scale, mean, variance, reserve_space_1, reserve_space_2, epsilon,
        data_format, is_training,
    ):  # fmt: skip
        if d_y is None:
            return (None,) * 5
        if is_training:
            mean, variance = reserve_space_1, reserve_space_2
        attrs = {
            "epsilon": epsilon, "data_format": data_format, "is_training": is_training,
        }  # fmt: skip
        found = apply(grad_op, (d_y, x, scale, mean, variance), attrs)
        return (*found[:3], None, None)

    return rule


def _second(
    d_x_backprop, d_scale_backprop, d_offset_backprop, y_backprop, x, scale,
    reserve_space_1, reserve_space_2, epsilon, data_format, is_training,
):  # fmt: skip
    """The gradient of the gradient, for y_backprop, x and scale.

    With A, B, D the incoming gradients of dx, dscale, doffset and E the mean over a
    channel: L = sum(A * dx) + B * sum(dy * h) + sum(D * dy), where
    dx = scale * r * (dy - E(dy) - h * E(dy * h)) when training, else scale * r * dy.
    """
    batch = _Batch(x, scale, reserve_space_1, reserve_space_2, epsilon, data_format)
    a, b, d = d_x_backprop, d_scale_backprop, d_offset_backprop
    dy = batch.wide(y_backprop)
    a = None if a is None else batch.wide(a)
    found = batch.trained(a, dy) if is_training else batch.frozen(a, dy)
    g_dy, g_x, g_scale = found if a is not None else (None, None, None)
    if b is not None:
        g_dy = _plus(g_dy, multiply(batch.spread(b), batch.h))
        slope = subtract(dy, batch.slope(dy)) if is_training else dy
        g_x = _plus(g_x, multiply(batch.spread(multiply(b, batch.rate)), slope))
    if d is not None:
        g_dy = _plus(g_dy, add(batch.spread(d), multiply(dy, 0.0)))
    g_dy = None if g_dy is None else cast(g_dy, y_backprop.dtype)
    g_x = None if g_x is None else cast(g_x, x.dtype)
    return g_dy, g_x, g_scale, None, None


def _plus(a, b):
    return b if a is None else add(a, b)


class _Batch:
    """The quantities of the docstring above; per channel, spread over a batch."""

    def __init__(self, x, scale, mean, variance, epsilon, data_format):
        self.dtype, self.nchw = scale.dtype, data_format == "NCHW"
        self.axes = (0, 2, 3) if self.nchw else (0, 1, 2)
        self.scale = scale
        self.rate = rsqrt(add(variance, epsilon))
        centred = subtract(self.wide(x), self.spread(mean))
        self.h = multiply(centred, self.spread(self.rate))

    def wide(self, x):
        return cast(x, self.dtype)

    def spread(self, per_channel):
        return reshape(per_channel, (-1, 1, 1)) if self.nchw else per_channel

    def mean(self, x):
        return reduce_mean(x, self.axes)

    def slope(self, u):
        """E(u) + h * E(u * h): what the derivative of h takes away from u."""
        along = self.spread(self.mean(multiply(u, self.h)))
        return add(self.spread(self.mean(u)), multiply(self.h, along))

    def frozen(self, a, dy):
        """The gradients of sum(a * scale * r * dy)."""
        if a is None:
            return None
        factor = self.spread(multiply(self.scale, self.rate))
        total = reduce_sum(multiply(a, dy), self.axes)
        return multiply(a, factor), zeros_like(self.h), multiply(total, self.rate)

    def trained(self, a, dy):
        """The gradients of sum(a * scale * r * (dy - E(dy) - h * E(dy * h)))."""
        if a is None:
            return None
        h, factor = self.h, multiply(self.scale, self.rate)
        plain = subtract(a, self.slope(a))
        p, q = self.mean(multiply(a, h)), self.mean(multiply(dy, h))
        ma, mdy = self.mean(a), self.mean(dy)
        both = multiply(p, q)
        inner = subtract(self.mean(multiply(a, dy)), multiply(ma, mdy))
        bend = multiply(h, self.spread(subtract(inner, multiply(both, 3.0))))
        bend = add(bend, multiply(self.spread(q), subtract(a, self.spread(ma))))
        bend = add(bend, multiply(self.spread(p), subtract(dy, self.spread(mdy))))
        g_x = multiply(bend, self.spread(negative(multiply(factor, self.rate))))
        g_scale = multiply(reduce_sum(multiply(plain, dy), self.axes), self.rate)
        return multiply(plain, self.spread(factor)), g_x, g_scale


def _family(version, types, grad_type):
    """FusedBatchNorm and its gradient op."""
    grad = define(
        grad_type,
        infer=_infer_grad,
        kernel=quiet(_grad_kernel),
        types=types,
        grad=_second,
        none_ok=True,
    )
    op = define(
        f"FusedBatchNorm{version}",
        infer=_infer,
        kernel=quiet(_kernel),
        types=types,
        grad=_rule(grad),
        none_ok=True,
    )
    return op, grad


FusedBatchNorm, FusedBatchNormGrad = _family("", _WIDE, "FusedBatchNormGrad")
_OUTPUTS = ("scale_backprop", "offset_backprop", "reserve_space_3", "reserve_space_4")
FusedBatchNormV2, FusedBatchNormGradV2 = _family(
    "V2",
    _MIXED,  # and so is U of the gradient, where the OpDef has float32
    "FusedBatchNormGradV2(y_backprop: T, x: T, scale: U, reserve_space_1: U, "
    "reserve_space_2: U) -> (x_backprop: T, "
    f"{', '.join(f'{name}: U' for name in _OUTPUTS)}); {_ATTRS}",
)
