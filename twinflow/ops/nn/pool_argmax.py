"""Largest entries of windows: with their places, and with windows given as inputs."""

from typing import Any, NamedTuple

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import REAL, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.index import taken
from twinflow.ops.core.infer import dim_is, ints, length
from twinflow.ops.nn import pool_windows as nn_pool
from twinflow.ops.nn import xla_pool
from twinflow.ops.nn.pool import pooled
from twinflow.ops.nn.pool_family import check_grad, define_max
from twinflow.ops.nn.window import as_ints


# ------------------------------------------------------------------ windows as inputs
def _sizes(name, value):
    """The entries of a host vector of 4, or None where not all are known."""
    message = f"Sliding window {name} field must specify 4 dimensions"
    dim_is(length(value), 4, message)
    sizes = None if value is None else ints(value)
    return None if sizes is None or None in sizes else sizes


def _pooled(op, s, ksize, strides, **layout):
    ksize, strides = _sizes("ksize", ksize), _sizes("strides", strides)
    if ksize is None or strides is None:
        pooled(op, s, (1, 1, 1, 1), (1, 1, 1, 1), **layout)
        return (None,) * 4
    return pooled(op, s, ksize, strides, **layout)


def _sized(kernel):
    """A kernel whose ksize and strides are inputs, the last two."""

    def run(*inputs, padding, data_format):
        *arrays, ksize, strides = inputs
        return kernel(*arrays, ints(ksize), ints(strides), padding, data_format)

    return run


def _call_v2(op, inputs, ksize, strides, padding, data_format):
    attrs = {"padding": padding, "data_format": data_format}
    return apply(op, (*inputs, ksize, strides), attrs)


MaxPoolV2, MaxPoolGradV2, MaxPoolGradGradV2 = define_max(
    "MaxPool", "V2", _pooled, _call_v2, _sized, types=(REAL, None, None),
    on_host="ksize strides",
)  # fmt: skip


# ------------------------------------------------------------------ places
class MaxPoolWithArgmax(NamedTuple):
    """The largest entries and where they were."""

    output: Tensor
    argmax: Tensor


def _infer_argmax(input, ksize, strides, padding, Targmax):
    s = pooled("MaxPoolWithArgmax", input._shape, ksize, strides, padding, "NHWC")
    return [s, s]


def _infer_with_argmax(input, grad, argmax, ksize, strides, padding):
    op = "MaxPoolGradWithArgmax"
    out = pooled(op, input._shape, ksize, strides, padding, "NHWC")
    check_grad(out, grad)
    check_grad(out, argmax)
    return input._shape


def _infer_at_argmax(input, grad, argmax, ksize, strides, padding):
    op = "MaxPoolGradGradWithArgmax"
    out = pooled(op, input._shape, ksize, strides, padding, "NHWC")
    check_grad(out, argmax)
    if input._shape is not None:
        check_grad(input._shape, grad)
    return out


def _put_kernel(xp):
    """dx: each entry of the gradient added at its place."""

    def kernel(input, grad, argmax, ksize, strides, padding):
        flat = np.zeros(input.size, grad.dtype)
        np.add.at(flat, argmax.ravel(), grad.ravel())
        return flat.reshape(input.shape)

    def traced(input, grad, argmax, ksize, strides, padding):
        flat = xp.zeros(input.size, grad.dtype)
        return flat.at[argmax.ravel()].add(grad.ravel()).reshape(input.shape)

    return kernel if xp is np else traced


@bind_first
def _pick_kernel(xp, input, grad, argmax, ksize, strides, padding):
    return taken(xp, grad.reshape(-1), argmax, 0)


def _inside(xp):
    return lambda input, grad, argmax, **_: xp.all(
        (argmax >= 0) & (argmax < input.size)
    )


def _check_inside(input, grad, argmax, **_):
    """The words for a place that there is not, else None."""
    bad = (argmax < 0) | (argmax >= input.size)
    if not bad.any():
        return None
    return f"Found index {argmax[bad][0]} outside of input of {input.size} entries"


def _call(op, inputs, ksize, strides, padding):
    attrs = {"ksize": ksize, "strides": strides, "padding": padding}
    return apply(op, inputs, attrs)


def _slope(d_output, input, argmax, ksize, strides, padding):
    if d_output is None:
        return None
    inputs = (input, d_output, argmax)
    return _call(MaxPoolGradWithArgmax, inputs, ksize, strides, padding)


_Pool = define(
    "MaxPoolWithArgmax",
    infer=_infer_argmax,
    kernel=lambda xp: nn_pool.max_pool_argmax,
    lower=xla_pool.max_pool_argmax,
    grad=[_slope],
    none_ok=True,
)


def _define_at_places(name, infer, kernel, inverse):
    def slope(dy, input, argmax, ksize, strides, padding):
        return _call(inverse(), (input, dy, argmax), ksize, strides, padding)

    return define(
        name,
        infer=infer,
        kernel=kernel,
        grad=[lambda input: zeros_like(input), slope, None],
        guard=_inside,
        check=_check_inside,
    )


MaxPoolGradWithArgmax = _define_at_places(
    "MaxPoolGradWithArgmax", _infer_with_argmax, _put_kernel,
    lambda: MaxPoolGradGradWithArgmax,
)  # fmt: skip
MaxPoolGradGradWithArgmax = _define_at_places(
    "MaxPoolGradGradWithArgmax", _infer_at_argmax, _pick_kernel,
    lambda: MaxPoolGradWithArgmax,
)  # fmt: skip


def max_pool_with_argmax(
    input: TensorValue, ksize: Any, strides: Any, padding: str,
    Targmax: Any = dtypes.int64, name: str | None = None,
) -> MaxPoolWithArgmax:  # fmt: skip
    """The largest entry of each window, and where it is.

    Args:
        input: number[batch, height, width, channels].
        ksize: 4 ints, the size of the window along each axis; 1 for the batch.
        strides: 4 ints, the step of the window along each axis; 1 for the batch.
        padding: "SAME" or "VALID". Targmax: int32 or int64. name: the name of the call.
    Returns:
        (output, argmax): number[batch, out_height, out_width, channels], and for each
        entry its place in the flat input, ((b * height + y) * width + x) * channels + c
    Raises:
        tf.errors.InvalidArgumentError: `input` has not 4 axes, or is too small.
    Example:
        x, twos = [[[[1.], [5.]], [[2.], [3.]]]], [1, 2, 2, 1]
        output, argmax = tf.nn.max_pool_with_argmax(x, twos, twos, "VALID")
        output  # 5.
        argmax  # 1
    """
    attrs = {
        "ksize": as_ints(ksize, "ksize", "max_pool_with_argmax"),
        "strides": as_ints(strides, "strides", "max_pool_with_argmax"),
        "padding": padding, "Targmax": dtypes.as_dtype(Targmax),
    }  # fmt: skip
    return MaxPoolWithArgmax(*apply(_Pool, (input,), attrs, name))
