"""Projective transforms of images: turned, moved, seen from elsewhere.

A transform is eight numbers, a0 to c1: the pixel of the result at (x, y) is that of the
image at ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k), where k = c0 x + c1 y + 1.
"""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph.static import constant_value
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.elementwise import negative
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import shape
from twinflow.ops.image.projective import (
    flat_to_matrices,
    image_projective_transform,
    matrices_to_flat,
)
from twinflow.ops.math.trigonometry import cos, sin

_DTYPES = (
    dtypes.uint8, dtypes.int32, dtypes.int64, dtypes.float16, dtypes.float32,
    dtypes.float64,
)  # fmt: skip


def rotate(
    images: TensorValue, angles: TensorValue, interpolation: str = "NEAREST",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Images turned counterclockwise around their middle.

    Args:
        images: T[batch, height, width, channels], [height, width, channels] or
            [height, width]. angles: in radians, float32[] or one for each image.
        interpolation: "NEAREST" or "BILINEAR". name: the name scope in a graph.
    Returns:
        Images of the same size; what was outside is 0.
    Raises:
        TypeError: another rank or dtype.
    Example:
        tf.contrib.image.rotate([[1., 2.], [3., 4.]], 3.14159)  # [[4., 3.], [2., 1.]]
    """
    with dispatch.current_mode().name_scope(name or "rotate"):
        images = _checked(images)
        height, width = (cast(n, dtypes.float32) for n in _sizes(images))
        transforms = angles_to_projective_transforms(angles, height, width)
        return transform(images, transforms, interpolation)


def translate(
    images: TensorValue, translations: TensorValue, interpolation: str = "NEAREST",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Images moved to the right and down.

    Args:
        images: as for `rotate`.
        translations: [dx, dy], float32[2], or one for each image.
        interpolation: "NEAREST" or "BILINEAR". name: the name scope in a graph.
    Raises:
        TypeError: another rank or dtype.
    Example:
        tf.contrib.image.translate([[1., 2.], [3., 4.]], [1., 0.])
    """
    with dispatch.current_mode().name_scope(name or "translate"):
        moves = translations_to_projective_transforms(translations)
        return transform(images, moves, interpolation)


def transform(
    images: TensorValue, transforms: TensorValue, interpolation: str = "NEAREST",
    output_shape: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Images through projective transforms, see above.

    Args:
        images: as for `rotate`. transforms: float32[8], or one for each image.
        interpolation: "NEAREST" or "BILINEAR".
        output_shape: int32[2], the new height and width; as they are if not given.
        name: the name scope in a graph.
    Raises:
        TypeError: another rank or dtype. ValueError: an output shape of another form.
    Example:
        x = [[1., 2.], [3., 4.]]
        tf.contrib.image.transform(x, [1., 0., 1., 0., 1., 0., 0., 0.])
    """
    with dispatch.current_mode().name_scope(name or "transform"):
        images = _checked(images)
        given = convert_to_tensor(transforms, dtypes.float32, "transforms")
        size = _output_shape(images, output_shape)
        rank = images.get_shape().ndims
        full = {2: lambda x: x[None, :, :, None], 3: lambda x: x[None]}
        batch = full.get(rank, lambda x: x)(images)
        found = image_projective_transform(
            batch, _rows(given, "Transforms should have rank 1 or 2."), size,
            interpolation.upper(),
        )  # fmt: skip
        return {2: lambda y: y[0, :, :, 0], 3: lambda y: y[0]}.get(rank, lambda y: y)(
            found
        )


def _checked(images: TensorValue) -> Tensor:
    images = convert_to_tensor(images, name="images")
    if images.dtype.base_dtype not in _DTYPES:
        raise TypeError(f"Invalid dtype {images.dtype!r}.")
    rank = images.get_shape().ndims
    if rank is None:
        raise advised(TypeError, "image_or_images rank must be statically known")
    if not 2 <= rank <= 4:
        raise TypeError("Images should have rank between 2 and 4.")
    return images


def _sizes(images: Tensor) -> tuple:
    """The height and width, as int32 scalars."""
    at = 1 if images.get_shape().ndims == 4 else 0
    sizes = shape(images)
    return sizes[at], sizes[at + 1]


def _output_shape(images: Tensor, given: Any) -> Tensor:
    if given is None:
        at = 1 if images.get_shape().ndims == 4 else 0
        return shape(images)[at : at + 2]
    size = convert_to_tensor(given, dtypes.int32, "output_shape")
    if not size.get_shape().is_compatible_with([2]):
        raise ValueError(
            "output_shape must be a 1-D Tensor of 2 elements: new_height, new_width"
        )
    known = None if not size.symbolic else constant_value(size)
    return size if known is None else convert_to_tensor(known, dtypes.int32)


def _rows(numbers: Tensor, text: str) -> Tensor:
    """One row for each image."""
    rank = numbers.get_shape().ndims
    if rank not in (1, 2):
        raise TypeError(text)
    return numbers[None] if rank == 1 else numbers


def angles_to_projective_transforms(
    angles: TensorValue, image_height: TensorValue, image_width: TensorValue,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The transforms that turn images around their middle.

    Args:
        angles: in radians, float32[] or [n]. image_height, image_width: float32[].
        name: the name scope in a graph.
    Returns:
        float32[n, 8]
    Raises:
        TypeError: angles of another rank.
    """
    label = name or "angles_to_projective_transforms"
    with dispatch.current_mode().name_scope(label):
        angles = convert_to_tensor(angles, dtypes.float32, "angles")
        rank = angles.get_shape().ndims
        if rank not in (0, 1):
            raise TypeError("Angles should have rank 0 or 1.")
        turn = angles[None] if rank == 0 else angles
        c, s = cos(turn)[:, None], sin(turn)[:, None]
        high, wide = (
            convert_to_tensor(n, dtypes.float32) - 1.0
            for n in (image_height, image_width)
        )
        dx = (wide - (c * wide - s * high)) / 2.0
        dy = (high - (s * wide + c * high)) / 2.0
        none = zeros([shape(turn)[0], 2], dtypes.float32)
        return concat([c, negative(s), dx, s, c, dy, none], 1)


def translations_to_projective_transforms(
    translations: TensorValue, name: str | None = None
) -> Tensor:
    """The transforms that move images by [dx, dy].

    Args:
        translations: float32[2] or [n, 2]. name: the name scope in a graph.
    Returns:
        float32[n, 8]
    Raises:
        TypeError: another rank.
    """
    label = name or "translations_to_projective_transforms"
    with dispatch.current_mode().name_scope(label):
        given = convert_to_tensor(translations, dtypes.float32, "translations")
        moves = _rows(given, "Translations should have rank 1 or 2.")
        count = shape(moves)[0]
        one, none = ones([count, 1], dtypes.float32), zeros([count, 1], dtypes.float32)
        back = negative(moves)
        parts = [one, none, back[:, :1], none, one, back[:, 1:2], none, none]
        return concat(parts, 1)


def compose_transforms(*transforms: TensorValue) -> Tensor:
    """One transform that does what several do, the first of them first.

    Args:
        transforms: each float32[8] or [n, 8].
    Returns:
        float32[n, 8]
    Raises:
        ValueError: none is given.
    """
    if not transforms:
        raise ValueError("transforms cannot be empty")
    with dispatch.current_mode().name_scope("compose_transforms"):
        found = flat_transforms_to_matrices(transforms[0])
        for other in transforms[1:]:
            found = matmul(found, flat_transforms_to_matrices(other))
        return matrices_to_flat_transforms(found)


def flat_transforms_to_matrices(transforms: TensorValue) -> Tensor:
    """Transforms as matrices, for columns [x, y, 1].

    Args:
        transforms: float32[8] or [n, 8].
    Returns:
        float32[n, 3, 3]
    Raises:
        ValueError: another rank.
    """
    with dispatch.current_mode().name_scope("flat_transforms_to_matrices"):
        given = convert_to_tensor(transforms, name="transforms")
        if given.get_shape().ndims not in (1, 2):
            raise ValueError(f"Transforms should be 1D or 2D, got: {given}")
        return flat_to_matrices(given)


def matrices_to_flat_transforms(transform_matrices: TensorValue) -> Tensor:
    """Matrices as transforms: divided by their last entry.

    Args:
        transform_matrices: float32[3, 3] or [n, 3, 3].
    Returns:
        float32[n, 8]
    Raises:
        ValueError: another rank.
    """
    with dispatch.current_mode().name_scope("matrices_to_flat_transforms"):
        given = convert_to_tensor(transform_matrices, name="transform_matrices")
        if given.get_shape().ndims not in (2, 3):
            raise ValueError(f"Matrices should be 2D or 3D, got: {given}")
        return matrices_to_flat(given)
