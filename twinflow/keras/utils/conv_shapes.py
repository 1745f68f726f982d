"""Sizes and connections of convolutions: tensorflow.python.keras.utils.conv_utils."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

_LAYOUTS = {
    "channels_last": {3: "NWC", 4: "NHWC", 5: "NDHWC"},
    "channels_first": {3: "NCW", 4: "NCHW", 5: "NCDHW"},
}


def convert_data_format(data_format: str, ndim: int) -> str:
    """The layout of an op, as "NHWC", for a Keras data format and a rank.

    Raises:
        ValueError: another format, or a rank that is not from 3 to 5.
    """
    if data_format not in _LAYOUTS:
        raise ValueError("Invalid data_format:", data_format)
    if ndim not in _LAYOUTS[data_format]:
        raise ValueError("Input rank not supported:", ndim)
    return _LAYOUTS[data_format][ndim]


def convert_kernel(kernel: Any) -> np.ndarray:
    """A kernel turned around in its axes of space, as Theano has it.

    Raises:
        ValueError: its rank is not from 3 to 5.
    """
    kernel = np.asarray(kernel)
    if not 3 <= kernel.ndim <= 5:
        raise ValueError("Invalid kernel shape:", kernel.shape)
    return np.copy(np.flip(kernel, tuple(range(kernel.ndim - 2))))


# ---------------------------------------------------------------------- lengths
def conv_output_length(
    input_length: int | None, filter_size: int, padding: str, stride: int,
    dilation: int = 1,
) -> int | None:  # fmt: skip
    """How long the output of a convolution is along an axis; None is unknown."""
    _known(padding, "same", "valid", "full", "causal")
    if input_length is None:
        return None
    reach = (filter_size - 1) * dilation
    grown = {"valid": -reach, "full": reach}.get(padding, 0)
    return (input_length + grown + stride - 1) // stride


def conv_input_length(
    output_length: int | None, filter_size: int, padding: str, stride: int
) -> int | None:
    """How long the input of a convolution was along an axis; None is unknown."""
    _known(padding, "same", "valid", "full")
    if output_length is None:
        return None
    pad = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
    return (output_length - 1) * stride - 2 * pad + filter_size


def deconv_output_length(
    input_length: int | None, filter_size: int, padding: str, stride: int
) -> int | None:
    """How long the output of a transposed convolution is along an axis."""
    if input_length is None:
        return None
    grown = {
        "valid": max(filter_size - stride, 0),
        "full": -(stride + filter_size - 2),
    }
    return input_length * stride + grown.get(padding, 0)


def _known(padding: str, *choices: str) -> None:
    if padding not in choices:
        raise ValueError(f"padding must be one of {choices}, got {padding!r}.")


# ---------------------------------------------------------------------- connections
def conv_kernel_mask(
    input_shape: Any, kernel_shape: Any, strides: Any, padding: str
) -> np.ndarray:
    """Which inputs each output of a convolution of one filter is connected with.

    Args:
        input_shape: the sizes of the axes of space. kernel_shape, strides: an int or
            a tuple of as many. padding: "valid" or "same".
    Returns:
        bool[*input_shape, *output_shape].
    Raises:
        NotImplementedError: another padding. ValueError: ranks that differ.
    """
    if padding not in {"same", "valid"}:
        raise NotImplementedError(
            f"Padding type {padding} not supported. "
            'Only "valid" and "same" are implemented.'
        )
    rank = len(input_shape)
    kernel_shape, strides = _of_rank(kernel_shape, rank), _of_rank(strides, rank)
    if not len(kernel_shape) == len(strides) == rank:
        raise ValueError(
            "Number of strides, input and kernel dimensions must all match. Received: "
            f"{len(strides)}, {rank}, {len(kernel_shape)}."
        )
    out = conv_output_shape(input_shape, kernel_shape, strides, padding)
    mask = np.zeros((*input_shape, *out), bool)
    for place in itertools.product(*map(range, out)):
        ranges = conv_connected_inputs(
            input_shape, kernel_shape, place, strides, padding
        )
        mask[(*(slice(r.start, r.stop) for r in ranges), *place)] = True
    return mask


def conv_connected_inputs(
    input_shape: Sequence[int], kernel_shape: Sequence[int],
    output_position: Sequence[int], strides: Sequence[int], padding: str,
) -> list[range]:  # fmt: skip
    """The inputs that an output of a convolution sees: a range for each axis."""
    found = []
    for size, kernel, place, stride in zip(
        input_shape, kernel_shape, output_position, strides
    ):
        left = kernel // 2
        center = place * stride + (left if padding == "valid" else 0)
        first, last = max(0, center - left), min(size, center + kernel - left)
        found.append(range(first, last))
    return found


def conv_output_shape(
    input_shape: Sequence[int], kernel_shape: Any, strides: Any, padding: str
) -> tuple:
    """The sizes of the output of a convolution, of its axes of space."""
    rank = len(input_shape)
    kernel_shape, strides = _of_rank(kernel_shape, rank), _of_rank(strides, rank)
    sizes = zip(input_shape, kernel_shape, strides)
    return tuple(n and conv_output_length(n, k, padding, s) for n, k, s in sizes)


def _of_rank(value: Any, rank: int) -> tuple:
    return (value,) * rank if isinstance(value, int) else tuple(value)
