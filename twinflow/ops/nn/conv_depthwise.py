"""Depthwise convolutions: each channel has filters of its own."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import InferError
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import ranked, same_dim
from twinflow.ops.nn import depthwise, xla_depthwise
from twinflow.ops.nn.conv_family import (
    Shapes,
    call_conv,
    check_steps,
    counts,
    define_convolution,
)
from twinflow.ops.nn.window import channel, check_layout, differ, spatial

_ONES = (1, 1, 1, 1)


def _check(padding, data_format, strides, dilations):
    check_layout("DepthwiseConv2dNative", padding, data_format)
    for what, steps in (("stride", strides), ("dilation", dilations)):
        if len(steps) != 4:
            raise InferError(
                f"Sliding window {what}s field must specify 4 dimensions",
                f"DepthwiseConv2D requires the {what} attribute to contain 4 "
                f"values, but got: {len(steps)}",
            )
        small = (f"{what.title()} must be > 0, but got {{}}",)
        check_steps(steps, data_format, f"{what}s", small)


def _sized(shape, what, form):
    if form:
        what = f"DepthwiseConv2DBackprop{form}: {what.removesuffix('_sizes')}"
        return ranked(shape, 4, f"{what} must be 4-dimensional")
    colon = "" if what == "input" else ": "
    return ranked(shape, 4, f"{what} must be 4-dimensional{colon}{{}}")


def _times(c, m):
    return None if c is None or m is None else c * m


def _depth(c, f):
    message = f"input and filter must have the same depth: {c} vs {f[2]}"
    return _times(same_dim(c, f[2], message), f[3])


def _fit(which, x, f, dy, strides, padding, data_format, dilations):
    start, at = f"DepthwiseConv2DBackprop{which}:", channel(data_format)
    if differ(x[0], dy[0]):
        raise InferError(
            f"{start} input and out_backprop must have the same batch size"
        )
    if differ(x[at], f[2]):
        raise InferError(f"{start} input and filter must have the same in_depth")
    if differ(_times(x[at], f[3]), dy[at]):
        raise InferError(f"{start} depth_multiplier * in_depth not equal to out_depth")
    sizes = counts(x, f, strides, padding, data_format, dilations)
    for what, a, n in zip(("rows", "cols"), spatial(data_format), sizes, strict=True):
        if differ(n, dy[a]):
            raise InferError(
                f"{start} Number of {what} of out_backprop doesn't match computed: "
                f"actual = {dy[a]}, computed = {n}"
            )


def _export(parts):
    """TensorFlow's kernel overlooks dilations: the image is taken apart instead.

    Input space is rearranged into batches so that neighbours in a batch are as far from
    each other as the filter reaches, and back.
    """
    node = parts.node
    rates, (x, filter) = node.attrs["dilations"][1:3], parts.inputs
    size, of = node.inputs[1]._shape, node.inputs[0].dtype
    plain = rates == (1, 1) or node.attrs["data_format"] != "NHWC"
    if plain or size is None or None in size[:2]:
        return
    pads = [(k - 1) * r for k, r in zip(size[:2], rates, strict=True)]
    if node.attrs["padding"] == "VALID":
        pads = [0, 0]
    start = [p // 2 for p in pads]
    block, extra = _missing(parts, x, of, rates, pads)
    end = [p - s for p, s in zip(pads, start, strict=True)]
    end = parts.add("end", "Add", parts.const("pad", end), extra, T=dtypes.int32)
    pair = {"N": 2, "T": dtypes.int32, "axis": 1}
    paddings = parts.add("paddings", "Pack", parts.const("start", start), end, **pair)
    crops = parts.add("crops", "Pack", parts.const("zero", [0, 0]), extra, **pair)
    x = parts.add("SpaceToBatchND", "SpaceToBatchND", x, block, paddings, T=of)
    y = parts.add(
        "depthwise", "DepthwiseConv2dNative", x, filter, T=of, strides=_ONES,
        padding="VALID",
    )  # fmt: skip
    parts.add("", "BatchToSpaceND", y, block, crops, T=of)


def _missing(parts, x, dtype, rates, pads):
    """(the block shape, how much the padded height and width lack to be multiples)"""
    block = parts.const("block_shape", rates)
    whole = parts.add("shape", "Shape", x, T=dtype)
    bounds = [parts.const(f"stack_{i}", [v]) for i, v in enumerate((1, 3, 1))]
    inner = parts.add("size", "StridedSlice", whole, *bounds, T=dtypes.int32,
                      Index=dtypes.int32)  # fmt: skip
    full = parts.add("full", "Add", inner, parts.const("pads", pads), T=dtypes.int32)
    over = parts.add("over", "FloorMod", full, block, T=dtypes.int32)
    less = parts.add("less", "Sub", block, over, T=dtypes.int32)
    return block, parts.add("extra", "FloorMod", less, block, T=dtypes.int32)


_NAME = "DepthwiseConv2dNative"
DepthwiseConv2dNative, BackpropInput, BackpropFilter = define_convolution(
    (_NAME, f"{_NAME}BackpropInput", f"{_NAME}BackpropFilter"),
    Shapes(_check, _sized, _depth, _fit),
    depthwise,
    xla_depthwise,
    wrapped=quiet,
    export=_export,
)


def depthwise_conv2d_native(
    input: TensorValue, filter: TensorValue, strides: Any, padding: str,
    data_format: str = "NHWC", dilations: Any = _ONES, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The correlation of each channel with filters of its own.

    y[b, i, j, c * multiplier + m] = sum over p, q of
    x[b, i * stride + p * dilation, j * stride + q * dilation, c] * filter[p, q, c, m]

    Args:
        input: float[batch, height, width, channels] (NCHW: channels second).
        filter: float[filter_height, filter_width, channels, multiplier].
        strides: 4 ints in the order of `data_format`; 1 for batch and channels.
        padding: "SAME" or "VALID". data_format: "NHWC" or "NCHW".
        dilations: 4 ints, as `strides`: how far apart the entries of a filter are.
        name: the name of the call.
    Returns:
        float[batch, out_height, out_width, channels * multiplier]
    Raises:
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        x, f = tf.ones([1, 2, 2, 3]), tf.ones([2, 2, 3, 1])
        tf.nn.depthwise_conv2d_native(x, f, [1, 1, 1, 1], "VALID")  # 4., 4., 4.
    """
    layout = (strides, padding, data_format, dilations)
    return call_conv(DepthwiseConv2dNative, (input, filter), *layout, name)


def depthwise_conv2d_native_backprop_input(
    input_sizes: Any, filter: TensorValue, out_backprop: Any, strides: Any,
    padding: Any, data_format: str = "NHWC", dilations: Any = _ONES,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The gradient of `depthwise_conv2d_native` with respect to its input.

    Args:
        input_sizes: int32[4], the shape of that input.
        filter: float[filter_height, filter_width, channels, multiplier].
        out_backprop: the incoming gradient, in the shape of the output.
        strides: see `depthwise_conv2d_native`. padding, data_format, dilations, name:
            likewise.
    """
    inputs = (input_sizes, filter, out_backprop)
    layout = (strides, padding, data_format, dilations)
    return call_conv(BackpropInput, inputs, *layout, name)


def depthwise_conv2d_native_backprop_filter(
    input: TensorValue, filter_sizes: Any, out_backprop: Any, strides: Any,
    padding: Any, data_format: str = "NHWC", dilations: Any = _ONES,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The gradient of `depthwise_conv2d_native` with respect to its filter.

    Args:
        input: float[batch, height, width, channels].
        filter_sizes: int32[4], the shape of that filter.
        out_backprop: the incoming gradient, in the shape of the output.
        strides: see `depthwise_conv2d_native`. padding, data_format, dilations, name:
            likewise.
    """
    inputs = (input, filter_sizes, out_backprop)
    layout = (strides, padding, data_format, dilations)
    return call_conv(BackpropFilter, inputs, *layout, name)
