"""Parts of images, borders around them, and sizes that an image is fitted into."""

import math
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.advice import advised
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.padding import pad
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.division import truediv
from twinflow.ops.core.elementwise import minimum, multiply
from twinflow.ops.core.joining import stack
from twinflow.ops.core.rounding import floor, round
from twinflow.ops.core.shape import expand_dims, reshape, squeeze
from twinflow.ops.core.slicing import slice
from twinflow.ops.image import resize as image_resize
from twinflow.ops.image.shape import (
    after,
    as_image,
    at_least_3d,
    check,
    dims,
    larger,
    nonempty,
    settle,
    smaller,
)
from twinflow.ops.random.draws import scoped


class ResizeMethod:
    """How `tf.image.resize_images` finds the pixels."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


_METHODS = {
    ResizeMethod.BILINEAR: image_resize.resize_bilinear,
    ResizeMethod.NEAREST_NEIGHBOR: image_resize.resize_nearest_neighbor,
    ResizeMethod.BICUBIC: image_resize.resize_bicubic,
    ResizeMethod.AREA: image_resize.resize_area,
}


# ------------------------------------------------------------------ cropping
def central_crop(image: TensorValue, central_fraction: Any) -> Tensor:
    """The middle of an image.

    From each side int((size - size * central_fraction) / 2) pixels are left out.

    Args:
        image: T[height, width, channels] or T[batch, height, width, channels].
        central_fraction: float in (0, 1], the part of the height and width to keep.
    Returns:
        The part of `image`.
    Raises:
        ValueError: the fraction is not in (0, 1], or `image` has another rank.
    Example:
        tf.image.central_crop(tf.ones([4, 4, 3]), 0.5)  # float32[2, 2, 3]
    """
    with scoped(None, "central_crop"):
        image = convert_to_tensor(image, name="image")
        if central_fraction <= 0.0 or central_fraction > 1.0:
            raise ValueError("central_fraction must be within (0, 1]")
        if central_fraction == 1.0:
            return image
        at_least_3d(image)
        rank = None if image._shape is None else len(image._shape)
        if rank not in (3, 4):
            raise ValueError(
                "`image` should either be a Tensor with rank = 3 or rank = 4. "
                f"Had rank = {rank}."
            )
        height, width = dims(image)[-3:-1]
        top = _margin(height, central_fraction)
        left = _margin(width, central_fraction)
        return _part(image, top, left, height - top * 2, width - left * 2)


def _margin(size, fraction):
    """What is left out on each side of an axis."""
    if not is_tensor_like(size):
        return int((size - size * fraction) / 2)
    wide = cast(size, dtypes.float64)
    return cast((wide - wide * fraction) / 2, dtypes.int32)


def _part(image, top, left, height, width):
    """A rectangle of an image or batch."""
    lead = [0] * (len(image._shape) - 3)
    begin = _vector([*lead, top, left, 0])
    current_mode().leave_ids(0 if any(map(is_tensor_like, (top, height))) else 1)
    size = _vector([*(-1 for _ in lead), height, width, -1])
    return settle(slice(image, begin, size), height, width, image._shape[-1])


def _vector(entries):
    return stack(entries) if any(map(is_tensor_like, entries)) else tuple(entries)


def crop_to_bounding_box(
    image: TensorValue, offset_height: Any, offset_width: Any, target_height: Any,
    target_width: Any,
) -> Tensor:  # fmt: skip
    """The rectangle of an image whose top left pixel is (offset_height, offset_width).

    Args:
        image: T[height, width, channels] or T[batch, height, width, channels].
        offset_height, offset_width: ints or int32 scalars, at least 0.
        target_height, target_width: the size, ints or int32 scalars above 0.
    Returns:
        T[target_height, target_width, channels], or a batch of them.
    Raises:
        ValueError: the rectangle is empty or not inside the image, or the rank is
            another. InvalidArgumentError: the same, known only when it runs.
    Example:
        image = tf.ones([4, 4, 3])
        tf.image.crop_to_bounding_box(image, 1, 1, 2, 3)  # float32[2, 3, 3]
    """
    with scoped(None, "crop_to_bounding_box"):
        image, rank = as_image(image)
        checks = nonempty(image, _lead(image, rank))
        height, width = dims(image)[-3:-1]
        checks += check(offset_width >= 0, "offset_width must be >= 0.")
        checks += check(offset_height >= 0, "offset_height must be >= 0.")
        checks += _positive(target_height, target_width)
        fits = width >= target_width + offset_width
        checks += check(fits, "width must be >= target + offset.")
        fits = height >= target_height + offset_height
        checks += check(fits, "height must be >= target + offset.")
        image = after(checks, image)
        return _part(image, offset_height, offset_width, target_height, target_width)


def _lead(image, rank):
    """TensorFlow names one image as a batch of one."""
    return (1,) * (4 - rank)


def _positive(height, width):
    """Checks of a size that an image shall have."""
    checks = check(width > 0, "target_width must be > 0.")
    return checks + check(height > 0, "target_height must be > 0.")


def pad_to_bounding_box(
    image: TensorValue, offset_height: Any, offset_width: Any, target_height: Any,
    target_width: Any,
) -> Tensor:  # fmt: skip
    """An image of another size with `image` in it and zeros around.

    Args:
        image: T[height, width, channels] or T[batch, height, width, channels].
        offset_height, offset_width: how many rows of zeros are above the image and how
            many columns left of it; ints or int32 scalars, at least 0.
        target_height, target_width: the size of the result, ints or int32 scalars.
    Returns:
        T[target_height, target_width, channels], or a batch of them.
    Raises:
        ValueError: `image` does not fit in there, or the rank is another.
            InvalidArgumentError: the same, known only when it runs.
    Example:
        tf.image.pad_to_bounding_box(tf.ones([2, 2, 3]), 1, 1, 4, 5)  # float32[4, 5, 3]
    """
    with scoped(None, "pad_to_bounding_box"):
        image, rank = as_image(image)
        checks = nonempty(image, _lead(image, rank))
        *batch, height, width, depth = dims(image)
        right = target_width - offset_width - width
        below = target_height - offset_height - height
        checks += check(offset_height >= 0, "offset_height must be >= 0")
        checks += check(offset_width >= 0, "offset_width must be >= 0")
        checks += check(right >= 0, "width must be <= target - offset")
        checks += check(below >= 0, "height must be <= target - offset")
        borders = [offset_height, below, offset_width, right, 0, 0]
        borders = reshape(_vector([0, 0] * (rank - 3) + borders), (rank, 2))
        image = pad(after(checks, image), borders)
        return settle(image, *batch, target_height, target_width, depth)


def resize_image_with_crop_or_pad(
    image: TensorValue, target_height: Any, target_width: Any
) -> Tensor:
    """The middle of an image in the middle of one of another size.

    What is too large is cropped, what is too small is padded with zeros; an odd pixel
    is cut or added at the end.

    Args:
        image: T[height, width, channels] or T[batch, height, width, channels].
        target_height, target_width: ints or int32 scalars above 0.
    Returns:
        T[target_height, target_width, channels], or a batch of them.
    Raises:
        ValueError: a size is not positive, or the rank is another.
    Example:
        image = tf.ones([2, 6, 3])
        tf.image.resize_image_with_crop_or_pad(image, 4, 4)  # float32[4, 4, 3]
    """
    with scoped(None, "resize_image_with_crop_or_pad"):
        image, rank = as_image(image)
        checks = nonempty(image, _lead(image, rank))
        image = after(checks + _positive(target_height, target_width), image)
        height, width = dims(image)[-3:-1]
        more, wider = target_height - height, target_width - width
        cropped = crop_to_bounding_box(
            image, larger(-more // 2, 0), larger(-wider // 2, 0),
            smaller(target_height, height), smaller(target_width, width),
        )  # fmt: skip
        return pad_to_bounding_box(
            cropped, larger(more // 2, 0), larger(wider // 2, 0),
            target_height, target_width,
        )  # fmt: skip


# ------------------------------------------------------------------ resizing
def resize_images(
    images: TensorValue, size: TensorValue, method: Any = ResizeMethod.BILINEAR,
    align_corners: bool = False, preserve_aspect_ratio: bool = False,
) -> Tensor:  # fmt: skip
    """Images of another size; those that have it already are given back as they are.

    Args:
        images: number[height, width, channels], or a batch of them.
        size: int32[2], the new height and width.
        method: a value of tf.image.ResizeMethod.
        align_corners: see `tf.image.resize_bilinear`.
        preserve_aspect_ratio: take `size` as a limit, and one factor for both axes.
    Returns:
        float32[new_height, new_width, channels], or a batch of them; the dtype of
        `images` with NEAREST_NEIGHBOR, or where the size stays.
    Raises:
        ValueError: `images` has an unknown or another rank, `size` is not as above, or
            there is no such method.
    Example:
        tf.image.resize_images(tf.ones([4, 6, 3]), [8, 8])  # float32[8, 8, 3]
    """
    with scoped(None, "resize_images"):
        images = convert_to_tensor(images, name="images")
        if images._shape is None:
            raise advised(ValueError, "'images' contains no shape.")
        rank = len(images._shape)
        if rank not in (3, 4):
            raise ValueError("'images' must have either 3 or 4 dimensions.")
        with current_mode().counted(_resize_ids(images, size, preserve_aspect_ratio)):
            batch = images if rank == 4 else expand_dims(images, 0)
            found = _resized(batch, size, method, align_corners, preserve_aspect_ratio)
            same = found is batch
            found = found if rank == 4 else squeeze(found, [0])
        current_mode().leave_ids(-1 if same and not preserve_aspect_ratio else 0)
        return found


def _resize_ids(images, size, keep):
    """How many nodes TensorFlow has for a resized image: Note [Ids]."""
    s = images._shape
    ids = (1 if is_tensor_like(size) else 2) + (0 if len(s) == 4 else 3)
    known = sum(n is not None for n in s[-3:-1])
    return ids + 18 + 2 * (None in s) + 2 * known if keep else ids


def _resized(images, size, method, align_corners, keep):
    height, width = dims(images)[1:3]
    size = _new_size(size)
    if keep:
        size = _within(size, height, width)
    if _ints(size) and tuple(size) == (height, width):
        return images
    if method not in _METHODS:
        raise ValueError("Resize method is not implemented.")
    return _METHODS[method](images, _vector(size), align_corners)


def _ints(entries):
    return not any(map(is_tensor_like, entries))


def _new_size(size):
    """The new height and width: ints where they are known, else int32 scalars."""
    if isinstance(size, list | tuple) and all(type(n) is int for n in size):
        found = (len(size),)
    else:
        try:
            size = convert_to_tensor(size, dtypes.int32, name="size")
        except (TypeError, ValueError):
            raise ValueError("'size' must be a 1-D int32 Tensor") from None
        found = size._shape
    if found is not None and found != (2,) and found != (None,):
        raise ValueError(
            "'size' must be a 1-D Tensor of 2 elements: new_height, new_width"
        )
    if not is_tensor_like(size):
        return size
    known = size._host_value() if size.symbolic else size._a
    return [size[0], size[1]] if is_tensor_like(known) else [int(n) for n in known]


def _within(size, height, width):
    """The largest size within `size` that keeps the ratio of height to width."""
    if _ints([*size, height, width]):
        have = np.array([height, width], np.float32)
        scaled = np.rint(np.min(np.array(size, np.float32) / have) * have)
        return scaled.astype(int).tolist()
    have = [cast(n, dtypes.float32) for n in (height, width)]
    ratios = [truediv(cast(n, dtypes.float32), h) for n, h in zip(size, have)]
    factor = minimum(*ratios)
    return [cast(round(multiply(factor, h)), dtypes.int32) for h in have]


def resize_image_with_pad(
    image: TensorValue, target_height: Any, target_width: Any,
    method: Any = ResizeMethod.BILINEAR,
) -> Tensor:  # fmt: skip
    """An image resized to fit into a size, with zeros around that fill it up.

    Args:
        image: number[height, width, channels], or a batch of them.
        target_height, target_width: ints or int32 scalars above 0.
        method: a value of tf.image.ResizeMethod.
    Returns:
        float32[target_height, target_width, channels], or a batch of them.
    Raises:
        ValueError: a size is not positive, or the rank is another.
    Example:
        tf.image.resize_image_with_pad(tf.ones([2, 6, 3]), 4, 4)  # float32[4, 4, 3]
    """
    with scoped(None, "resize_image_with_pad"):
        image, rank = as_image(image)
        checks = nonempty(image, _lead(image, rank))
        image = after(checks + _positive(target_height, target_width), image)
        targets = target_height, target_width
        have = [_double(n) for n in dims(image)[-3:-1]]
        wanted = [_double(n) for n in targets]
        ratio = larger(have[1] / wanted[1], have[0] / wanted[0])
        exact = [n / ratio for n in have]
        margins = [larger(0, _whole((w - e) / 2)) for w, e in zip(wanted, exact)]
        resized = resize_images(image, [_whole(e) for e in exact], method)
        return pad_to_bounding_box(resized, *margins, *targets)


def _double(n):
    return cast(n, dtypes.float64) if is_tensor_like(n) else float(n)


def _whole(x):
    """The largest whole number below."""
    return cast(floor(x), dtypes.int32) if is_tensor_like(x) else math.floor(x)
