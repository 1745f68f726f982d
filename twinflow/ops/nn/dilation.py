"""Grey-scale dilation and erosion of images: largest sums of window and filter.

The gradient goes to the first largest entry of each window. The two ops named Twin are
the transposes of the gradients, in TensorFlow's absence of a second derivative.
"""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply, current_mode
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import REAL, InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.rearrange import reverse
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import negative
from twinflow.ops.core.infer import one_of, rank_of, ranked, same_dim
from twinflow.ops.nn import xla_dilation
from twinflow.ops.nn.window import (
    as_ints,
    check_length,
    count,
    differ,
    dilation_windows,
    filter_entries,
    lowest,
)

_PICKED = (
    "(input: T, filter: T, values: T) -> (output: T); strides=(1, 1, 1, 1), "
    "rates=(1, 1, 1, 1), padding='SAME'"
)


def _check(strides, rates, padding):
    one_of("Dilation2D", "padding", padding, ("SAME", "VALID"))
    check_length("Dilation2D", "strides", strides, 4)
    check_length("Dilation2D", "rates", rates, 4)
    if min(strides) < 1:
        raise InferError(f"Stride must be > 0, but got {min(strides)}")
    if min(rates) < 1:
        raise InferError(f"Rate must be > 0, but got {min(rates)}")
    for what, value in (("Stride", strides), ("Rate", rates)):
        if value[0] != 1 or value[3] != 1:
            raise InferError(f"{what} is only supported across spatial dimensions.")


def _shape(input, filter, strides, rates, padding):
    _check(strides, rates, padding)
    x = ranked(input._shape, 4, "input must be 4-dimensional{}")
    f = rank_of(filter, 3, "filter")
    message = f"input and filter must have the same depth: {x[3]} vs {f[2]}"
    depth = same_dim(x[3], f[2], message)
    rows, cols = (count(x[a], f[a - 1], strides[a], rates[a], padding) for a in (1, 2))
    return (x[0], rows, cols, depth)


def _check_backprop(input, filter, out_backprop, **layout):
    wanted, found = _shape(input, filter, **layout), out_backprop._shape
    if found is None:
        return
    if len(found) != 4 or any(differ(p, q) for p, q in zip(wanted, found)):
        raise InferError("out_backprop has incompatible size.")


def _infer_input(input, filter, out_backprop, **layout):
    _check_backprop(input, filter, out_backprop, **layout)
    return input._shape


def _infer_filter(input, filter, out_backprop, **layout):
    _check_backprop(input, filter, out_backprop, **layout)
    return filter._shape


def _infer_picked(input, filter, values, **layout):
    return _shape(input, filter, **layout)


# ------------------------------------------------------------------ NumPy
def _places(axes):
    """(entry, windows, places in the input) for each entry of the filter."""
    for entry in filter_entries(axes):
        inside = [a.inside(i) for a, i in zip(axes, entry)]
        windows, inner = ((slice(None), *part) for part in zip(*inside))
        yield entry, windows, inner


def _dilated(x, w, strides, rates, padding):
    axes = dilation_windows(x, w, strides, rates, padding)
    shape = (x.shape[0], axes[0].count, axes[1].count, x.shape[3])
    y = np.full(shape, lowest(x.dtype), x.dtype)
    for entry, windows, inner in _places(axes):
        part = y[windows]
        np.maximum(part, x[inner] + w[entry], out=part)
    return y


def _chosen(x, w, strides, rates, padding):
    """(mask of windows, entry, windows, places) where the first largest sum is."""
    y = _dilated(x, w, strides, rates, padding)
    free = np.ones(y.shape, bool)
    for entry, windows, inner in _places(
        dilation_windows(x, w, strides, rates, padding)
    ):
        mask = (x[inner] + w[entry] == y[windows]) & free[windows]
        free[windows] &= ~mask
        yield mask, entry, windows, inner


def _to_input(x, w, dy, **layout):
    dx = np.zeros_like(x)
    for mask, _, windows, inner in _chosen(x, w, **layout):
        dx[inner] += np.where(mask, dy[windows], dx.dtype.type(0))
    return dx


def _to_filter(x, w, dy, **layout):
    dw = np.zeros_like(w)
    for mask, entry, windows, _ in _chosen(x, w, **layout):
        part = np.where(mask, dy[windows], dw.dtype.type(0))
        dw[entry] = part.sum((0, 1, 2), dtype=dw.dtype)
    return dw


def _pick_input(x, w, values, **layout):
    y = np.zeros_like(_dilated(x, w, **layout))
    for mask, _, windows, inner in _chosen(x, w, **layout):
        y[windows] = np.where(mask, values[inner], y[windows])
    return y


def _pick_filter(x, w, values, **layout):
    y = np.zeros_like(_dilated(x, w, **layout))
    for mask, entry, windows, _ in _chosen(x, w, **layout):
        y[windows] = np.where(mask, values[entry], y[windows])
    return y


# ------------------------------------------------------------------ ops
def _call(op, inputs, strides, rates, padding, name=None):
    attrs = {"strides": strides, "rates": rates, "padding": padding}
    return apply(op, inputs, attrs, name)


def _slope(find):
    """The rule that hands dy to the op that `find` gives."""

    def rule(dy, input, filter, strides, rates, padding):
        return _call(find(), (input, filter, dy), strides, rates, padding)

    return rule


Dilation2D = define(
    "Dilation2D",
    infer=_shape,
    kernel=quiet(lambda xp: _dilated),
    lower=xla_dilation.dilated,
    grad=[_slope(lambda: BackpropInput), _slope(lambda: BackpropFilter)],
)


def _family(line, infer, kernel, lower, inverse, types=None):
    return define(
        line,
        infer=infer,
        kernel=quiet(lambda xp: kernel),
        lower=lower,
        types=types,
        grad=[
            lambda input: zeros_like(input),
            lambda filter: zeros_like(filter),
            _slope(inverse),
        ],
    )


BackpropInput = _family(
    "Dilation2DBackpropInput", _infer_input, _to_input,
    xla_dilation.to_input, lambda: PickInput,
)  # fmt: skip
BackpropFilter = _family(
    "Dilation2DBackpropFilter", _infer_filter, _to_filter,
    xla_dilation.to_filter, lambda: PickFilter,
)  # fmt: skip
PickInput = _family(
    f"TwinDilation2DInput{_PICKED}", _infer_picked, _pick_input,
    xla_dilation.pick_input, lambda: BackpropInput, REAL,
)  # fmt: skip
PickFilter = _family(
    f"TwinDilation2DFilter{_PICKED}", _infer_picked, _pick_filter,
    xla_dilation.pick_filter, lambda: BackpropFilter, REAL,
)  # fmt: skip


def dilation2d(
    input: TensorValue, filter: TensorValue, strides: Any, rates: Any, padding: str,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The largest sum of each window and the filter, channel by channel.

    y[b, i, j, c] = max over p, q of
    x[b, i * strides[1] + p * rates[1], j * strides[2] + q * rates[2], c] +
    filter[p, q, c]

    Args:
        input: number[batch, height, width, channels].
        filter: number[filter_height, filter_width, channels].
        strides: 4 ints, 1 for batch and channels.
        rates: 4 ints, likewise: how far apart the entries of the filter are.
        padding: "SAME" or "VALID"; padding never wins. name: the name of the call.
    Returns:
        number[batch, out_height, out_width, channels]
    Raises:
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        x, ones = [[[[1.], [3.], [2.]]]], [1, 1, 1, 1]
        tf.nn.dilation2d(x, tf.zeros([1, 2, 1]), ones, ones, "VALID")  # 3, 3
    """
    strides = as_ints(strides, "strides", "dilation2d")
    rates = as_ints(rates, "rates", "dilation2d")
    return _call(Dilation2D, (input, filter), strides, rates, padding, name)


def erosion2d(
    value: TensorValue, kernel: Any, strides: Any, rates: Any, padding: str,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The smallest difference of each window and the kernel, channel by channel.

    y[b, i, j, c] = min over p, q of
    x[b, i * strides[1] - p * rates[1], j * strides[2] - q * rates[2], c] -
    kernel[p, q, c]: the negative dilation of -x by the kernel turned round.

    Args:
        value: number[batch, height, width, channels].
        kernel: number[kernel_height, kernel_width, channels].
        strides, rates, padding, name: see `dilation2d`.
    Returns:
        number[batch, out_height, out_width, channels]
    Raises:
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        x, ones = [[[[1.], [3.], [2.]]]], [1, 1, 1, 1]
        tf.nn.erosion2d(x, tf.zeros([1, 2, 1]), ones, ones, "VALID")  # 1, 2
    """
    with current_mode().name_scope(name or "erosion2d") as scope:
        value, kernel = convert_to_tensor(value), convert_to_tensor(kernel)
        turned = reverse(kernel, [0, 1])
        layout = (strides, rates, padding)
        return negative(dilation2d(negative(value), turned, *layout, scope))
