"""Many images as one."""

import math
from typing import Any

from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.joining import concat, stack, unstack
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.transposing import transpose


def image_grid(
    input_tensor: Any, grid_shape: Any, image_shape: Any = (32, 32),
    num_channels: int = 3,
) -> Any:  # fmt: skip
    """A batch of images as one image, row by row.

    Args:
        input_tensor: float[batch, height, width, channels], or a row for each image.
        grid_shape: (rows, columns). image_shape: (height, width).
        num_channels: of each.
    Returns:
        float[1, rows * height, columns * width, channels].
    Raises:
        ValueError: the sizes do not fit.
    Example:
        x = tf.contrib.gan.eval.image_grid(tf.zeros([6, 8, 8, 1]), (2, 3), (8, 8), 1)
        x  # float32[1, 16, 24, 1]
    """
    rows, columns = grid_shape
    height, width = image_shape
    sizes = input_tensor.shape.as_list()
    if rows * columns != int(sizes[0]):
        raise ValueError(
            f"Grid shape {grid_shape} incompatible with minibatch size {int(sizes[0])}."
        )
    if len(sizes) == 2:
        fits = height * width * num_channels == sizes[1]
    elif len(sizes) == 4:
        fits = sizes[1:] == [height, width, num_channels]
    else:
        raise ValueError("Unrecognized input tensor format.")
    if not fits:
        raise ValueError(
            "Image shape and number of channels incompatible with input tensor."
        )
    images = reshape(input_tensor, [rows, columns, height, width, num_channels])
    joined = transpose(images, [0, 2, 1, 3, 4])
    return reshape(joined, [1, rows * height, columns * width, num_channels])


def _validate_images(images):
    for image in images:
        image.shape.with_rank(3)
        image.shape.assert_is_fully_defined()
        if image.shape.as_list()[2] not in (1, 3):
            raise ValueError("image_reshaper only supports 1 or 3 channel images.")


def image_reshaper(images: Any, num_cols: int | None = None) -> Any:
    """Images as one, the last row filled up with black.

    Args:
        images: a list of float[height, width, channels], or a tensor of them.
        num_cols: how many columns; about as many as rows if not given.
    Returns:
        float[1, rows * height, columns * width, channels].
    Raises:
        ValueError: a size is not known, or there are not 1 or 3 channels.
    """
    found = images if isinstance(images, list | tuple) else unstack(images)
    _validate_images(found)
    columns = num_cols or math.ceil(math.sqrt(len(found)))
    rows = -(-len(found) // columns)
    found = [*found, *[zeros_like(found[-1])] * (rows * columns - len(found))]
    lines = [concat(found[i : i + columns], 1) for i in range(0, len(found), columns)]
    return stack([concat(lines, 0)])
