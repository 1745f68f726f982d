"""The layers that the architectures are made of, as their tables name them."""

from typing import Any

from twinflow.keras.backend import defaults
from twinflow.keras.layers.advanced_activations import ReLU
from twinflow.keras.layers.convolutional import Conv2D
from twinflow.keras.layers.core import Activation
from twinflow.keras.layers.merge import Concatenate
from twinflow.keras.layers.normalization import BatchNormalization


def chain(x: Any, *layers: Any) -> Any:
    """x through one layer after the other."""
    for layer in layers:
        x = layer(x)
    return x


def channel_axis() -> Any:
    """The axis of the channels in a batch of images."""
    return 1 if defaults.image_data_format() == "channels_first" else 3


def sides(shape: Any) -> Any:
    """Height and width of a batch of images or of one, from a full shape."""
    return shape[-2:] if channel_axis() == 1 else shape[-3:-1]


def conv(
    filters: Any, kernel: Any, strides: Any = 1, padding: Any = "same",
    name: str | None = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """A convolution; without bias, as a normalization follows."""
    kwargs = {"use_bias": False, **kwargs}
    return Conv2D(filters, kernel, strides, padding, name=name, **kwargs)


def norm(name: str | None = None, **kwargs: Any) -> Any:
    """A normalization of each channel."""
    return BatchNormalization(axis=channel_axis(), name=name, **kwargs)


def relu(name: str | None = None) -> Any:
    """max(x, 0)"""
    return Activation("relu", name=name)


def relu6(name: str | None = None) -> Any:
    """min(max(x, 0), 6)"""
    return ReLU(6.0, name=name)


def concat(xs: Any, name: str | None = None, axis: Any = None) -> Any:
    """The channels of all, side by side."""
    return Concatenate(axis=axis or channel_axis(), name=name)(xs)


def even_padding(x: Any, kernel: Any) -> Any:
    """((top, bottom), (left, right)) before a convolution with strides of 2.

    What is odd in size is padded alike on both sides, what is even (or not known) one
    less at the start: the windows lie where those of the trained network lay.
    """
    reach = kernel // 2
    rows, columns = sides(x.shape.as_list())
    if rows is None:
        rows = columns = 0
    return tuple((reach - 1 + side % 2, reach) for side in (rows, columns))
