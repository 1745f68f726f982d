"""Convolutions and pooling over one, two or three spatial axes."""

from typing import Any

import numpy as np

from twinflow.base.annotations import ShapeValue
from twinflow.base.dimension import Dimension
from twinflow.base.dispatch import current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import expand_dims, squeeze
from twinflow.ops.nn.conv import Conv2D, Conv2DBackpropInput, conv2d_transpose
from twinflow.ops.nn.conv3d import Conv3D
from twinflow.ops.nn.conv_family import apply_conv, call_transpose
from twinflow.ops.nn.pool import avg_pool, max_pool
from twinflow.ops.nn.pool3d import avg_pool3d, max_pool3d
from twinflow.ops.nn.space import with_space_to_batch
from twinflow.ops.nn.window import differ

_FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def _channels_first(data_format):
    return data_format is not None and data_format.startswith("NC")


def _numbers(value, what, n):
    """One number per spatial axis, ones by default."""
    if value is None:
        return (1,) * n
    value = tuple(int(v) for v in value)
    if len(value) != n:
        raise ValueError(f"len({what})={len(value)} but should be {n}")
    if min(value) < 1:
        raise ValueError(f"all values of {what} must be positive")
    return value


def _steps(n, strides, dilation_rate):
    rates = _numbers(dilation_rate, "dilation_rate", n)
    strides = _numbers(strides, "strides", n)
    if max(strides) > 1 and max(rates) > 1:
        raise ValueError(
            "strides > 1 not supported in conjunction with dilation_rate > 1"
        )
    return strides, rates


def _full(numbers, data_format):
    """Numbers of the spatial axes with ones for batch and channels."""
    if _channels_first(data_format):
        return (1, 1, *numbers)
    return (1, *numbers, 1)


def _check_format(data_format, n):
    last, first = _FORMATS[n]
    if data_format is None:
        return last
    extra = ("NHWC", "NCHW") if n == 1 else ()
    if data_format not in (last, first, *extra):
        have = f". Have: {data_format}" if n == 3 else "."
        raise ValueError(f'data_format must be "{last}" or "{first}"{have}')
    return data_format


def convolution(
    input: TensorValue, filter: TensorValue, padding: str, strides: Any = None,
    dilation_rate: Any = None, name: str | None = None, data_format: str | None = None,
) -> Tensor:  # fmt: skip
    """The correlation of x with filters along 1, 2 or 3 spatial axes.

    y[b, i, ..., k] = sum over p, ..., c of
    x[b, i * strides[0] + p * dilation_rate[0], ..., c] * filter[p, ..., c, k]

    Args:
        input: float[batch, spatial..., in_channels] ("NC...": channels second).
        filter: float[filter sizes..., in_channels, out_channels].
        padding: "SAME" or "VALID".
        strides: ints, one per spatial axis; 1 by default.
        dilation_rate: ints, one per spatial axis: how far apart the entries of a filter
            are; 1 by default, and where strides are not 1.
        name: the name of the call.
        data_format: "NWC", "NCW", "NHWC", "NCHW", "NDHWC" or "NCDHW"; channels last if
            None.
    Returns:
        float[batch, output sizes..., out_channels]
    Raises:
        ValueError: the arguments do not fit.
    Example:
        tf.nn.convolution(tf.ones([1, 4, 1]), tf.ones([3, 1, 1]), "VALID")  # 3., 3.
    """
    with current_mode().name_scope(name or "convolution") as scope:
        input = convert_to_tensor(input, name="input")
        filter = convert_to_tensor(filter, name="filter")
        n = _spatial_rank(input, filter, data_format)
        strides, rates = _steps(n, strides, dilation_rate)
        current_mode().leave_ids(12 if max(rates) > 1 else 1)
        if max(rates) > 1 and padding not in ("SAME", "VALID"):
            raise ValueError(f"Invalid padding method {padding!r}")
        data_format = _check_format(data_format, n)
        if n == 1:
            steps = (strides[0], rates[0])
            return _along_one_axis(input, filter, *steps, padding, data_format, scope)
        layout = (_full(strides, data_format), padding, data_format)
        op = Conv2D if n == 2 else Conv3D
        return apply_conv(
            op, (input, filter), *layout, _full(rates, data_format), scope
        )


def _spatial_rank(input, filter, data_format):
    x, f = input._shape, filter._shape
    if x is None and f is None:
        raise ValueError("rank of input or filter must be known")
    rank = len(x if f is None else f)
    if not 3 <= rank <= 5:
        raise ValueError("`input` and `filter` must have rank at least 3 and at most 5")
    if x is not None and f is not None and len(x) == rank:
        c = x[1 if _channels_first(data_format) else rank - 1]
        if differ(c, f[-2]):
            raise ValueError(
                "number of input channels does not match corresponding dimension of "
                f"filter, {Dimension(c)} != {Dimension(f[-2])}"
            )
    return rank - 2


def _along_one_axis(value, filters, stride, rate, padding, data_format, name=None):
    """A convolution of lines, as images of height 1."""
    first = _channels_first(data_format)
    axis, kind = (2, "NCHW") if first else (1, "NHWC")
    value = expand_dims(value, axis)
    filters = expand_dims(filters, 0)
    layout = (_full((1, stride), kind), padding, kind, _full((1, rate), kind))
    y = apply_conv(Conv2D, (value, filters), *layout)
    return squeeze(y, [axis], name)


def conv1d(
    value: TensorValue, filters: TensorValue, stride: Any, padding: str,
    use_cudnn_on_gpu: Any = None, data_format: str | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The correlation of lines with filters.

    y[b, i, k] = sum over p, c of x[b, i * stride + p, c] * filters[p, c, k]

    Args:
        value: float[batch, width, in_channels] (NCW: channels second).
        filters: float[filter_width, in_channels, out_channels].
        stride: an int. padding: "SAME" or "VALID". use_cudnn_on_gpu: has no effect.
        data_format: "NWC" (the default) or "NCW". name: the name of the call.
    Returns:
        float[batch, out_width, out_channels]
    Raises:
        ValueError: data_format is unknown.
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        tf.nn.conv1d(tf.ones([1, 4, 1]), tf.ones([3, 1, 1]), 1, "VALID")  # 3., 3.
    """
    with current_mode().name_scope(name or "conv1d"):
        data_format = _check_format(data_format, 1)
        return _along_one_axis(value, filters, stride, 1, padding, data_format)


def conv1d_transpose(
    value: TensorValue, filter: TensorValue, output_shape: TensorValue, stride: Any,
    padding: str = "SAME", data_format: str = "NWC", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The transpose (gradient) of `conv1d`, as a layer that enlarges lines.

    Args:
        value: float[batch, width, in_channels].
        filter: float[filter_width, output_channels, in_channels].
        output_shape: int32[3], the shape of the result.
        stride: an int. padding: "SAME" or "VALID". data_format: "NWC" or "NCW".
        name: the name of the call.
    Returns:
        float of `output_shape`
    Raises:
        ValueError: the channels do not fit, or padding or data_format is unknown.
    """
    with current_mode().name_scope(name or "conv1d_transpose"):
        if data_format not in (None, "NWC", "NCW"):
            raise ValueError('data_format must be "NWC" or "NCW".')
        value, filter = convert_to_tensor(value), convert_to_tensor(filter)
        first = data_format == "NCW"
        axis, kind = (2, "NCHW") if first else (1, "NHWC")
        sizes = _with_one(output_shape, axis)
        layout = (_full((1, stride), kind), padding, kind)
        value, filter = expand_dims(value, axis), expand_dims(filter, 0)
        return squeeze(conv2d_transpose(value, filter, sizes, *layout), [axis])


def _with_one(output_shape, axis):
    """The shape of a line as that of an image of height 1."""
    if isinstance(output_shape, list | tuple | np.ndarray):
        if len(output_shape) != 3:
            raise ValueError(
                f"output_shape must have shape (3,), got ({len(output_shape)},)"
            )
        return [*output_shape[:axis], 1, *output_shape[axis:]]
    sizes = convert_to_tensor(output_shape, name="output_shape")
    return concat([sizes[:axis], convert_to_tensor([1], sizes.dtype), sizes[axis:]], 0)


def atrous_conv2d(
    value: TensorValue, filters: TensorValue, rate: TensorValue, padding: str,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """A convolution of images whose filters have holes.

    y[b, i, j, k] = sum over p, q, c of
    value[b, i + rate * p, j + rate * q, c] * filters[p, q, c, k]

    Args:
        value: float[batch, height, width, in_channels].
        filters: float[filter_height, filter_width, in_channels, out_channels].
        rate: an int: how far apart the entries of a filter are.
        padding: "SAME" or "VALID". name: the name of the call.
    Returns:
        float[batch, out_height, out_width, out_channels]
    Raises:
        ValueError: the channels do not fit, or padding is unknown.
    Example:
        x, f = tf.ones([1, 5, 5, 1]), tf.ones([2, 2, 1, 1])
        tf.nn.atrous_conv2d(x, f, 2, "VALID")  # float32[1, 3, 3, 1]
    """
    rates = np.broadcast_to(rate, (2,))
    return convolution(value, filters, padding, dilation_rate=rates, name=name)


def atrous_conv2d_transpose(
    value: TensorValue, filters: TensorValue, output_shape: ShapeValue,
    rate: TensorValue, padding: str, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The transpose (gradient) of `atrous_conv2d`.

    Args:
        value: float[batch, height, width, in_channels].
        filters: float[filter_height, filter_width, out_channels, in_channels].
        output_shape: int32[4], the shape of the result.
        rate: an int: how far apart the entries of a filter are.
        padding: "SAME" or "VALID". name: the name of the call.
    Returns:
        float of `output_shape`
    Raises:
        ValueError: the channels do not fit, rate < 1, or padding is unknown.
    """
    with current_mode().name_scope(name or "atrous_conv2d_transpose") as scope:
        value, filters = convert_to_tensor(value), convert_to_tensor(filters)
        x, f = value._shape or (None,) * 4, filters._shape or (None,) * 4
        if len(x) == len(f) == 4 and differ(x[3], f[3]):
            raise ValueError(
                "value's input channels does not match filters' input channels, "
                f"{x[3]} != {f[3]}"
            )
        if rate < 1:
            raise ValueError(f"rate {rate} cannot be less than one")
        layout = ((1, 1, 1, 1), padding, "NHWC", (1, rate, rate, 1))
        inputs = (value, filters, output_shape)
        return call_transpose(Conv2DBackpropInput, *inputs, layout, scope)


# ------------------------------------------------------------------ pooling
_POOLS = {
    ("MAX", 1): max_pool, ("MAX", 2): max_pool, ("MAX", 3): max_pool3d,
    ("AVG", 1): avg_pool, ("AVG", 2): avg_pool, ("AVG", 3): avg_pool3d,
}  # fmt: skip


def pool(
    input: TensorValue, window_shape: Any, pooling_type: str, padding: str,
    dilation_rate: Any = None, strides: Any = None, name: str | None = None,
    data_format: Any = None,
) -> Tensor:  # fmt: skip
    """The largest entry or the mean of windows along 1, 2 or 3 spatial axes.

    Args:
        input: float[batch, spatial..., channels] ("NC...": channels second).
        window_shape: ints, one per spatial axis. pooling_type: "MAX" or "AVG".
        padding: "SAME" or "VALID"; "VALID" where dilation_rate is not 1.
        dilation_rate: ints, one per spatial axis: how far apart the entries of a window
            are; 1 by default, and where strides are not 1.
        strides: ints, one per spatial axis; 1 by default.
        name: the name of the call. data_format: see `convolution`.
    Returns:
        float[batch, output sizes..., channels]
    Raises:
        ValueError: the arguments do not fit.
    Example:
        tf.nn.pool([[[1.], [3.], [2.]]], [2], "MAX", "VALID")  # [[[3.], [3.]]]
    """
    with current_mode().name_scope(name or f"{pooling_type.lower()}_pool") as scope:
        input = convert_to_tensor(input, name="input")
        n = len(window_shape)
        strides, rates = _check_pool(input, window_shape, padding, dilation_rate,
                                     strides, pooling_type)  # fmt: skip
        first = _channels_first(data_format)
        start = 2 if first else 1
        if n == 1 and data_format not in (None, "NWC", "NCW"):
            raise ValueError('data_format must be either "NWC" or "NCW".')
        kind = _FORMATS[max(n, 2)][first] if n == 1 else data_format or _FORMATS[n][0]
        one = (1,) if n == 1 else ()
        ksize, steps = (_full((*one, *v), kind) for v in (window_shape, strides))

        def op(x, _, padding):
            x = expand_dims(x, start) if one else x
            function = _POOLS[pooling_type, n]
            y = function(x, ksize, steps, padding, kind, scope)
            return squeeze(y, [start]) if one else y

        spatial = range(start, start + n)
        return with_space_to_batch(input, rates, padding, op, window_shape, spatial)


def _check_pool(input, window_shape, padding, dilation_rate, strides, pooling_type):
    n = len(window_shape)
    if not 1 <= n <= 3:
        raise ValueError("It is required that 1 <= num_spatial_dims <= 3.")
    input.shape.with_rank(n + 2)
    strides, rates = _steps(n, strides, dilation_rate)
    if padding == "SAME" and max(rates) > 1:
        raise ValueError(
            "pooling with SAME padding is not implemented for dilation_rate > 1"
        )
    if any(s > k for s, k in zip(strides, window_shape)):
        raise ValueError(
            "strides > window_shape not supported due to inconsistency between "
            "CPU and GPU implementations"
        )
    if (pooling_type, n) not in _POOLS:
        raise ValueError(f"{n}-D {pooling_type} pooling is not supported.")
    return strides, rates
