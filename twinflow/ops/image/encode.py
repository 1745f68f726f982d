"""JPEG and PNG files from images."""

import random
from typing import Any

from twinflow.base import dtypes, errors
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import ranked, text
from twinflow.ops.image import files as image_files
from twinflow.ops.image.check import as_text
from twinflow.ops.image.color import convert_image_dtype
from twinflow.ops.image.decode import decode_jpeg
from twinflow.ops.random.draws import scoped


def _infer_encoded(image, **_):
    ranked(image._shape, 3)
    return ()


_FORMATS = {"": (1, 3), "grayscale": (1,), "rgb": (3,)}
_UNITS = {"in": 1, "cm": 2}


def _allowed(attr, value, known):
    if value in known:
        return None
    names = ", ".join(f'"{k}"' for k in known)
    return (
        f"Value for attr '{attr}' of \"{value}\" is not in the list of allowed "
        f"values: {names}"
    )


def _check_encode_jpeg(image, format, quality, density_unit, **_):
    wrong = _allowed("format", format, _FORMATS)
    wrong = wrong or _allowed("density_unit", density_unit, _UNITS)
    if wrong or not 0 <= quality <= 100:
        return wrong or f"quality must be in [0,100], got {quality}"
    if image.ndim != 3:
        return f"image must be 3-dimensional{text(image.shape)}"
    if image.shape[2] not in _FORMATS[format]:
        found = f"got {text(image.shape)}"
        if not format:
            return f"image must have 1 or 3 channels, {found}"
        return f"format {format} expects {_FORMATS[format][0]} channels, {found}"
    return None


def _encode_jpeg(
    image, format, quality, progressive, optimize_size, chroma_downsampling,
    density_unit, x_density, y_density, xmp_metadata,
):  # fmt: skip
    if isinstance(xmp_metadata, str):
        xmp_metadata = xmp_metadata.encode()
    try:
        return image_files.encode_jpeg(
            image, quality, progressive, optimize_size, chroma_downsampling,
            _UNITS[density_unit], (x_density, y_density), xmp_metadata,
        )  # fmt: skip
    except image_files.DAMAGED as error:
        raise errors.invalid(f"JPEG encoding failed: {error}") from None


EncodeJpeg = define(
    "EncodeJpeg",
    infer=_infer_encoded,
    host=_encode_jpeg,
    check=_check_encode_jpeg,
    strict=True,
)


def _check_encode_png(image, compression):
    if not -1 <= compression <= 9:
        return f"compression should be in [-1,9], got {compression}"
    if image.ndim != 3:
        return f"image must be 3-dimensional{text(image.shape)}"
    if image.shape[2] not in (1, 2, 3, 4):
        return f"image must have 1, 2, 3, or 4 channels, got {image.shape[2]}"
    return None


def _encode_png(image, compression):
    if not image.size:
        raise errors.InternalError(None, None, "PNG encoding failed")
    return image_files.image_png.encode(image, compression)


EncodePng = define(
    "EncodePng",
    infer=_infer_encoded,
    host=_encode_png,
    check=_check_encode_png,
    strict=True,
)


def encode_jpeg(
    image: TensorValue, format: str = "", quality: int = 95, progressive: bool = False,
    optimize_size: bool = False, chroma_downsampling: bool = True,
    density_unit: str = "in", x_density: int = 300, y_density: int = 300,
    xmp_metadata: Any = "", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The bytes of a JPEG file.

    Args:
        image: uint8[height, width, 1 or 3].
        format: "" = by the channels, "grayscale" or "rgb".
        quality: 0 to 100. progressive: let it be shown coarsely first.
        optimize_size: spend time to make it smaller.
        chroma_downsampling: keep colors at half the height and width.
        density_unit: "in" or "cm". x_density, y_density: pixels per unit.
        xmp_metadata: bytes to put in. name: the name of the node in a graph.
    Returns:
        A string scalar.
    Raises:
        tf.errors.InvalidArgumentError: a bad shape or argument.
        tf.errors.UnimplementedError: Pillow is not installed.
    Example:
        tf.image.encode_jpeg(tf.zeros([8, 8, 3], tf.uint8), quality=80)
    """
    attrs = {
        "format": as_text(format), "quality": quality, "progressive": progressive,
        "optimize_size": optimize_size, "chroma_downsampling": chroma_downsampling,
        "density_unit": as_text(density_unit), "x_density": x_density,
        "y_density": y_density, "xmp_metadata": xmp_metadata,
    }  # fmt: skip
    return apply(EncodeJpeg, (image,), attrs, name)


def encode_png(
    image: TensorValue, compression: int = -1, name: str | None = None
) -> Tensor:
    """The bytes of a PNG file.

    Args:
        image: uint8 or uint16 [height, width, 1 to 4], gray or RGB, perhaps with alpha.
        compression: 0 = none to 9 = most; -1 = a good one.
        name: the name of the node in a graph.
    Returns:
        A string scalar.
    Raises:
        tf.errors.InvalidArgumentError: a bad shape or argument.
    Example:
        tf.image.encode_png(tf.zeros([8, 8, 3], tf.uint8))
    """
    return apply(EncodePng, (image,), {"compression": compression}, name)


def adjust_jpeg_quality(
    image: TensorValue, jpeg_quality: Any, name: str | None = None
) -> Tensor:
    """An image as JPEG of some quality would bring it back.

    Args:
        image: number[height, width, 3]. jpeg_quality: an int from 0 to 100.
        name: the name scope in a graph.
    Returns:
        A tensor like `image`.
    Raises:
        tf.errors.UnimplementedError: Pillow is not installed.
    Example:
        tf.image.adjust_jpeg_quality(tf.ones([8, 8, 3]), 50).shape  # (8, 8, 3)
    """
    with scoped(name, "adjust_jpeg_quality"):
        image = convert_to_tensor(image, name="image")
        encoded = encode_jpeg(
            convert_image_dtype(image, dtypes.uint8), quality=jpeg_quality
        )
        return convert_image_dtype(decode_jpeg(encoded), image.dtype)


def random_jpeg_quality(
    image: TensorValue, min_jpeg_quality: Any, max_jpeg_quality: Any,
    seed: int | None = None,
) -> Tensor:  # fmt: skip
    """`tf.image.adjust_jpeg_quality` by a random quality in [min, max).

    The quality is drawn once, when this function is called.

    Args:
        image: see there. min_jpeg_quality, max_jpeg_quality: ints from 0 to 100.
        seed: an int, of a generator made for this call.
    Raises:
        ValueError: the bounds are not as above.
    Example:
        tf.image.random_jpeg_quality(tf.ones([8, 8, 3]), 50, 95)  # float32[8, 8, 3]
    """
    low, high = min_jpeg_quality, max_jpeg_quality
    if min(low, high) < 0 or max(low, high) > 100:
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if low >= high:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    return adjust_jpeg_quality(image, random.Random(seed).randrange(low, high))
