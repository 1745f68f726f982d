"""Convolutions by description: an op, the gradient of its input, that of its filter.

All have the attributes strides, padding, data_format and dilations: their layout.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from twinflow.base.dispatch import apply, current_mode
from twinflow.base.op import InferError, Op, define
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import sizes
from twinflow.ops.nn.window import (
    FORMATS,
    FORMATS_3D,
    as_ints,
    channel,
    count,
    differ,
    placed,
    spatial,
)


class Shapes(NamedTuple):
    """What a family asks of its inputs and attributes; each raises InferError.

    Attributes:
        check: of ``(**layout)``.
        sized: of ``(shape or None, what, form)``, an input's: the sizes. The form of
            the op is "", "Input" or "Filter".
        depth: of the channels of input and filter: those of the output.
        fit: of ``(form, x, f, dy, **layout)``, sizes.
    """

    check: Callable
    sized: Callable
    depth: Callable
    fit: Callable


def define_convolution(
    names: tuple[str, str, str], shapes: Shapes, numpy: Any, xla: Any,
    wrapped: Callable = lambda kernel: kernel, export: Callable | None = None,
    **facts: Any,
) -> tuple[Op, Op, Op]:  # fmt: skip
    """Define the three ops of a family.

    Args:
        names: their types. shapes: see Shapes. export, facts: see base.op.
        numpy, xla: what has the kernels and the forms: conv, conv_input, conv_filter.
        wrapped: what makes a kernel of one.
    """
    ops = _Ops()
    infer, infer_input, infer_filter = _shape_rules(*shapes)
    slopes, slopes_of_input, slopes_of_filter = _slopes(ops)
    ops.forward = define(
        names[0],
        infer=infer,
        kernel=wrapped(lambda xp: numpy.conv),
        lower=xla.conv,
        grad=slopes,
        export=export,
        **facts,
    )
    ops.of_input = define(
        names[1],
        on_host="input_sizes",
        infer=infer_input,
        kernel=wrapped(lambda xp: numpy.conv_input),
        lower=xla.conv_input,
        grad=slopes_of_input,
        **facts,
    )
    ops.of_filter = define(
        names[2],
        on_host="filter_sizes",
        infer=infer_filter,
        kernel=wrapped(lambda xp: numpy.conv_filter),
        lower=xla.conv_filter,
        grad=slopes_of_filter,
        **facts,
    )
    return ops.forward, ops.of_input, ops.of_filter


class _Ops:
    """The three ops of a family; their gradients are made of each other."""

    forward: Op
    of_input: Op
    of_filter: Op


def _shape_rules(check, sized, depth, fit):
    """The shape rules of the three ops, see Shapes."""

    def infer(input, filter, **layout):
        check(**layout)
        x, f = sized(input._shape, "input", ""), sized(filter._shape, "filter", "")
        channels = depth(x[channel(layout["data_format"])], f)
        return placed(x[0], counts(x, f, **layout), channels, layout["data_format"])

    def infer_input(input_sizes, filter, out_backprop, **layout):
        check(**layout)
        given = sizes(input_sizes), filter._shape, out_backprop._shape
        names = ("input_sizes", "filter", "out_backprop")
        x, f, dy = (sized(*pair, "Input") for pair in zip(given, names, strict=True))
        fit("Input", x, f, dy, **layout)
        return x

    def infer_filter(input, filter_sizes, out_backprop, **layout):
        check(**layout)
        given = input._shape, sizes(filter_sizes), out_backprop._shape
        names = ("input", "filter_sizes", "out_backprop")
        x, f, dy = (sized(*pair, "Filter") for pair in zip(given, names, strict=True))
        fit("Filter", x, f, dy, **layout)
        return f

    return infer, infer_input, infer_filter


def _slopes(ops):
    """The gradient rules of the three ops: each is linear in both of its inputs."""

    def to_input(dy, shape_input, filter, strides, padding, data_format, dilations):
        layout = (strides, padding, data_format, dilations)
        return apply_conv(ops.of_input, (shape_input, filter, dy), *layout)

    def to_filter(dy, input, shape_filter, strides, padding, data_format, dilations):
        layout = (strides, padding, data_format, dilations)
        return apply_conv(ops.of_filter, (input, shape_filter, dy), *layout)

    def input_to_filter(dy, out_backprop, shape_filter, strides, padding, data_format,
                        dilations):  # fmt: skip
        layout = (strides, padding, data_format, dilations)
        return apply_conv(ops.of_filter, (dy, shape_filter, out_backprop), *layout)

    def input_to_output(dy, filter, strides, padding, data_format, dilations):
        layout = (strides, padding, data_format, dilations)
        return apply_conv(ops.forward, (dy, filter), *layout)

    def filter_to_input(dy, shape_input, out_backprop, strides, padding, data_format,
                        dilations):  # fmt: skip
        layout = (strides, padding, data_format, dilations)
        return apply_conv(ops.of_input, (shape_input, dy, out_backprop), *layout)

    def filter_to_output(dy, input, strides, padding, data_format, dilations):
        layout = (strides, padding, data_format, dilations)
        return apply_conv(ops.forward, (input, dy), *layout)

    return (
        [to_input, to_filter],
        [input_to_filter, input_to_output],
        [filter_to_input, filter_to_output],
    )


# ------------------------------------------------------------------ what shapes ask
def counts(x, f, strides, padding, data_format, dilations):
    """The spatial sizes of the output."""
    return tuple(
        count(x[a], k, strides[a], dilations[a], padding)
        for a, k in zip(spatial(data_format), f, strict=False)
    )


def check_steps(steps, data_format, what, small):
    """Raise InferError unless steps are those of space, 1 or more.

    Args:
        what: their name. small: the texts for one below, {} for it.
    """
    if steps[0] != 1 or steps[channel(data_format)] != 1:
        raise InferError(
            f"Current implementation does not yet support {what} in the batch and "
            "depth dimensions."
        )
    low = min(steps[a] for a in spatial(data_format))
    if low < 1:
        raise InferError(*(text.format(low) for text in small))


def fit_backprop(start, x, f, dy, strides, padding, data_format, dilations):
    """Raise InferError unless the shapes of input, filter and out_backprop fit."""
    at = channel(data_format)
    if differ(x[0], dy[0]):
        raise InferError(
            f"{start} input and out_backprop must have the same batch size"
            f"input batch: {x[0]}outbackprop batch: {dy[0]} batch_dim: 0"
        )
    if differ(x[at], f[-2]):
        raise InferError(
            f"{start} input depth must be evenly divisible by filter depth"
        )
    if differ(dy[at], f[-1]):
        raise InferError(
            f"{start} filter and out_backprop must have the same out_depth"
        )
    found = counts(x, f, strides, padding, data_format, dilations)
    for i, (a, n) in enumerate(zip(spatial(data_format), found, strict=True)):
        if differ(n, dy[a]):
            raise InferError(
                f"{start} Size of out_backprop doesn't match computed: actual = "
                f"{dy[a]}, computed = {n} spatial_dim: {a} input: {x[a]} filter: "
                f"{f[i]} output: {dy[a]} stride: {strides[a]} dilation: {dilations[a]}"
            )


# ------------------------------------------------------------------ calls
def apply_conv(op, inputs, strides, padding, data_format, dilations, name=None):
    """Call a convolution op."""
    attrs = {
        "strides": strides, "padding": padding, "data_format": data_format,
        "dilations": dilations,
    }  # fmt: skip
    return apply(op, inputs, attrs, name)


def call_conv(op, inputs, strides, padding, data_format, dilations, name):
    """Call a convolution op as its public function does."""
    strides = as_ints(strides, "strides", op.type)
    dilations = as_ints(dilations, "dilations", op.type)
    if not data_format:
        data_format = (FORMATS_3D if "3D" in op.type else FORMATS)[0]
    return apply_conv(op, inputs, strides, padding, data_format, dilations, name)


def call_transpose(op, value, filter, output_shape, layout, scope):
    """Call the gradient of an input as a convolution that enlarges it.

    Args:
        op: the gradient of the input. value, filter: tensors.
        output_shape: as the user gave it.
        layout: strides, padding, data_format and dilations. scope: the name.
    Raises:
        ValueError: the arguments do not fit.
    """
    _, padding, data_format, _ = layout
    n, at = len(data_format), channel(data_format)
    check_transpose(value, filter, output_shape, padding, at, n)
    if not current_mode().eager:
        output_shape = convert_to_tensor(output_shape, name="output_shape")
    return call_conv(op, (output_shape, filter, value), *layout, scope)


def check_transpose(value, filter, output_shape, padding, at, n):
    """Raise ValueError where a transposed convolution's arguments do not fit.

    Args:
        value, filter: tensors. output_shape: as the user gave it.
        padding: "SAME" or "VALID". at: the axis of the channels. n: the rank.
    """
    for what, t in (("value", value), ("filter", filter)):
        if t._shape is not None and len(t._shape) != n:
            raise ValueError(f"{what} must have {n} axes, got shape {t.shape}")
    f, x = filter._shape or (None,) * n, value._shape or (None,) * n
    if differ(x[at], f[-1]):
        raise ValueError(
            f"input channels does not match filter's input channels, {x[at]} != {f[-1]}"
        )
    if isinstance(output_shape, list | tuple | np.ndarray):
        if len(output_shape) != n:
            raise ValueError(
                f"output_shape must have shape ({n},), got ({len(output_shape)},)"
            )
        found = output_shape[at]
        if isinstance(found, int | np.integer) and differ(found, f[-2]):
            raise ValueError(
                "output_shape does not match filter's output channels, "
                f"{found} != {f[-2]}"
            )
    if padding not in ("VALID", "SAME"):
        raise ValueError(f"padding must be either VALID or SAME: {padding}")
