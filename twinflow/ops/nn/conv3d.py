"""Three-dimensional convolutions and their gradients."""

from typing import Any

import numpy as np

from twinflow.base.annotations import ShapeValue
from twinflow.base.dispatch import current_mode
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import ranked, same_dim
from twinflow.ops.nn import im2col, xla_conv
from twinflow.ops.nn.conv_family import (
    Shapes,
    call_conv,
    call_transpose,
    check_steps,
    define_convolution,
    fit_backprop,
)
from twinflow.ops.nn.window import FORMATS_3D, check_layout, check_length

_ONES = (1, 1, 1, 1, 1)
_SMALL_STRIDE = (
    "Spatial strides should be larger than 0.",
    "Stride must be > 0, but got {}",
)
_SMALL_RATE = (
    "Dilated rates should be larger than 0.",
    "Dilation rate must be >= 1, but got {}",
)


def _check(padding, data_format, strides, dilations):
    check_layout("Conv3D", padding, data_format, FORMATS_3D)
    check_length("Conv3D", "strides", strides, 5)
    if len(dilations) != 5:
        raise InferError(
            "Dilation rates field must specify 5 dimensions",
            "Conv3D requires the dilation attribute to contain 5 values, but got: "
            f"{len(dilations)}",
        )
    check_steps(strides, data_format, "strides", _SMALL_STRIDE)
    check_steps(dilations, data_format, "dilation rates", _SMALL_RATE)


def _sized(shape, what, form):
    if form:
        what = f"Conv3DBackprop{form}Op: {what.removesuffix('_sizes')}"
    return ranked(shape, 5, f"{what} must be 5-dimensional")


def _depth(c, f):
    same_dim(c, f[3], "input and filter must have the same depth")
    return f[4]


def _fit(which, *sizes, **layout):
    fit_backprop(f"Conv3DBackprop{which}Op:", *sizes, **layout)


Conv3D, Conv3DBackpropInputV2, Conv3DBackpropFilterV2 = define_convolution(
    ("Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2"),
    Shapes(_check, _sized, _depth, _fit),
    im2col,
    xla_conv,
)


def _by_tensor(newer, place):
    """A rule or kernel of a newer op, which takes the shape of a tensor in its place.

    Args:
        newer: ``(*inputs, **attrs)``. place: of that input.
    """

    def run(*inputs, **attrs):
        shape = getattr(inputs[place], "_shape", np.shape(inputs[place]))
        given = [*inputs[:place], shape, *inputs[place + 1 :]]
        return newer(*given, **attrs, data_format="NDHWC")

    return run


def _older(kind, newer, place):
    return define(
        kind,
        infer=_by_tensor(newer.infer, place),
        kernel=lambda xp: _by_tensor(newer.kernel(xp), place),
        lower=lambda jax: _by_tensor(newer.lower(jax), place),
    )


Conv3DBackpropInput = _older("Conv3DBackpropInput", Conv3DBackpropInputV2, 0)
Conv3DBackpropFilter = _older("Conv3DBackpropFilter", Conv3DBackpropFilterV2, 1)


def conv3d(
    input: TensorValue, filter: TensorValue, strides: Any, padding: str,
    data_format: str = "NDHWC", dilations: Any = _ONES, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The correlation of volumes with filters.

    y[b, i, j, k, o] = sum over p, q, r, c of
    x[b, i * s1 + p * d1, j * s2 + q * d2, k * s3 + r * d3, c] * filter[p, q, r, c, o],
    s the strides and d the dilations

    Args:
        input: float[batch, depth, height, width, in_channels] (NCDHW: channels
            second).
        filter: float[filter_depth, filter_height, filter_width, in_channels,
            out_channels].
        strides: 5 ints in the order of `data_format`; 1 for batch and channels.
        padding: "SAME" or "VALID".
        data_format: "NDHWC" or "NCDHW".
        dilations: 5 ints, as `strides`: how far apart the entries of a filter are.
        name: the name of the call.
    Returns:
        float[batch, out_depth, out_height, out_width, out_channels]
    Raises:
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        x, f = tf.ones([1, 2, 3, 3, 1]), tf.ones([2, 2, 2, 1, 1])
        tf.nn.conv3d(x, f, [1, 1, 1, 1, 1], "VALID")  # 8., 8., 8., 8.
    """
    layout = (strides, padding, data_format, dilations)
    return call_conv(Conv3D, (input, filter), *layout, name)


def conv3d_backprop_filter_v2(
    input: TensorValue, filter_sizes: Any, out_backprop: Any, strides: Any,
    padding: Any, data_format: str = "NDHWC", dilations: Any = _ONES,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The gradient of `conv3d` with respect to its filter.

    Args:
        input: float[batch, depth, height, width, in_channels].
        filter_sizes: int32[5], the shape of that filter.
        out_backprop: the incoming gradient, in the shape of the convolution's output.
        strides: see `conv3d`. padding, data_format, dilations, name: likewise.
    """
    inputs = (input, filter_sizes, out_backprop)
    layout = (strides, padding, data_format, dilations)
    return call_conv(Conv3DBackpropFilterV2, inputs, *layout, name)


def conv3d_transpose(
    value: TensorValue, filter: TensorValue, output_shape: ShapeValue, strides: Any,
    padding: str = "SAME", data_format: str = "NDHWC", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The transpose (gradient) of `conv3d`, as a layer that enlarges volumes.

    Args:
        value: float[batch, depth, height, width, in_channels].
        filter: float[filter_depth, filter_height, filter_width, output_channels,
            in_channels].
        output_shape: int32[5], the shape of the result.
        strides: 5 ints. padding: "SAME" or "VALID". data_format: "NDHWC" or "NCDHW".
        name: the name of the call.
    Returns:
        float of `output_shape`
    Raises:
        ValueError: the channels do not fit, or padding is unknown.
    Example:
        x, f = tf.ones([1, 1, 2, 2, 1]), tf.ones([1, 2, 2, 1, 1])
        y = tf.nn.conv3d_transpose(x, f, [1, 1, 4, 4, 1], [1, 1, 2, 2, 1])
        y  # float32[1, 1, 4, 4, 1]
    """
    layout = (strides, padding, data_format or "NDHWC", _ONES)
    with current_mode().name_scope(name or "conv3d_transpose") as scope:
        value, filter = convert_to_tensor(value), convert_to_tensor(filter)
        inputs = (value, filter, output_shape)
        return call_transpose(Conv3DBackpropInputV2, *inputs, layout, scope)
