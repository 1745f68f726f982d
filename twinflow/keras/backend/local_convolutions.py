"""Convolutions whose kernels differ from place to place, of Keras's backend."""

import itertools
from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.keras.layers.arguments import format_or_refused, joined_dims
from twinflow.ops.core.joining import stack
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.transposing import transpose


def local_conv(
    inputs: TensorValue, kernel: Any, kernel_size: Any, strides: Any,
    output_shape: Any, data_format: Any = None,
) -> Tensor:  # fmt: skip
    """A convolution with a matrix of its own for each place.

    Args:
        inputs: float[batch, *space, channels], or with the channels first.
        kernel: float[places, kernel size * channels, filters].
        kernel_size, strides, output_shape: tuples, a number for each axis of space.
        data_format: "channels_last", "channels_first", or None for the default.
    Returns:
        float[batch, *output_shape, filters], or with the filters first.
    Raises:
        ValueError: another data format.
    """
    form = format_or_refused(data_format)
    windows = []
    for place in itertools.product(*map(range, output_shape)):
        cuts = [
            slice(i * s, i * s + k)
            for i, s, k in zip(place, strides, kernel_size, strict=True)
        ]
        key = tuple(joined_dims(slice(None), cuts, slice(None), form))
        windows.append(reshape(inputs[key], (-1, kernel._shape[1])))
    found = transpose(matmul(stack(windows), kernel), (1, 0, 2))
    found = reshape(found, (-1, *output_shape, kernel._shape[2]))
    if form == "channels_last":
        return found
    n = len(output_shape)
    return transpose(found, (0, n + 1, *range(1, n + 1)))


def local_conv1d(
    inputs: TensorValue, kernel: Any, kernel_size: Any, strides: Any,
    data_format: Any = None,
) -> Tensor:  # fmt: skip
    """`local_conv` along time; the number of steps follows from the kernel."""
    places = (kernel._shape[0],)
    return local_conv(inputs, kernel, kernel_size, strides, places, data_format)


def local_conv2d(
    inputs: TensorValue, kernel: Any, kernel_size: Any, strides: Any,
    output_shape: Any, data_format: Any = None,
) -> Tensor:  # fmt: skip
    """`local_conv` of images."""
    return local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format)
