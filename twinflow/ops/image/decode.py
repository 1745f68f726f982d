"""Images from JPEG, PNG and GIF files, decoded on the host."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import dim_is, ints, ranked, text
from twinflow.ops.image import files as image_files
from twinflow.ops.image.check import (
    as_text,
    check_contents,
    first,
    infer_decoded,
    whole_bytes,
)
from twinflow.ops.image.files import GIF, JPEG, PNG

_METHODS = ("", "INTEGER_FAST", "INTEGER_ACCURATE")


# ------------------------------------------------------------------ checks
def _infer_crop(contents, crop_window, channels=0, **_):
    s = infer_decoded(contents, channels)
    if crop_window is None:
        return s
    window = ints(crop_window)
    dim_is(len(window), 4)
    return (*window[2:], s[2])


def _check_channels(contents, channels, *_, **__):
    if channels not in (0, 1, 3, 4):
        return f"channels must be 0, 1, 3, or 4, got {channels}"
    return check_contents(contents)


def _check_jpeg(contents, *window, channels, ratio, dct_method, **_):
    return first(
        _check_channels(contents, channels),
        None if ratio in (1, 2, 4, 8) else f"ratio must be 1, 2, 4, or 8, got {ratio}",
        None if dct_method in _METHODS else
        "dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}",
        _check_window(*window) if window else None,
    )  # fmt: skip


def _check_window(window):
    found = np.shape(window)
    if found != (4,):
        return f"crop_size must have four elements {text(found)}"
    return None


# ------------------------------------------------------------------ decoding
def _decoded(data, only=None, channels=0, deep=False, **jpeg):
    """The pixels of a JPEG, PNG or GIF file, whichever it is.

    Args:
        only: GIF where the op is for these, so that a fourth axis counts the frames.
        jpeg: how to decode JPEG.
    """
    kind = image_files.kind_of(data)
    if kind is None:
        raise invalid(f"Expected image (JPEG, PNG, or GIF), got {_start(data)}")
    if kind == PNG:
        return _png(data, channels, deep)
    if deep:
        raise invalid(f"{kind} does not support uint16 output")
    allowed = (0, 1, 3) if kind == JPEG else (0, 3)
    if channels not in allowed:
        words = "0, 1, or 3 for JPEG" if kind == JPEG else "0 or 3 for GIF"
        raise invalid(f"channels must be {words}, got {channels}")
    return _jpeg(data, channels, **jpeg) if kind == JPEG else _gif(data, only)


def _start(data):
    """How a file begins, for an error."""
    if not data:
        return "empty file"
    shown = "".join(
        chr(b) if 32 <= b < 127 else f"\\{b:03o}" for b in data[:16]
    )  # fmt: skip
    return f"unknown format starting with '{shown}'"


def _jpeg(data, channels, ratio=1, try_recover_truncated=False, window=None, **_):
    y, x, height, width = (0, 0, 1, 1) if window is None else ints(window)
    if min(y, x) < 0 or min(height, width) <= 0:
        raise _bad_jpeg(data)
    last = None if window is None else y + height
    try:
        image = image_files.decode_jpeg(
            data, channels, ratio, try_recover_truncated, last
        )
    except image_files.DAMAGED:
        raise _bad_jpeg(data) from None
    if window is None:
        return image
    rows, columns, _ = image.shape
    if y + height > rows or x + width > columns:
        raise _bad_jpeg(data)
    return np.ascontiguousarray(image[y : y + height, x : x + width])


def _bad_jpeg(data):
    return invalid(f"Invalid JPEG data or crop window, data size {len(data)}")


def _png(data, channels, deep):
    if data[12:16] != b"IHDR":
        raise invalid(f"Invalid PNG header, data size {len(data)}")
    try:
        return image_files.decode_png(data, channels, deep)
    except image_files.DAMAGED:
        raise invalid(f"Invalid PNG data, size {len(data)}") from None


def _gif(data, only):
    try:
        frames = image_files.decode_gif(data)
    except image_files.DAMAGED as error:
        raise invalid(f"Invalid GIF data (size {len(data)}), {error}") from None
    if only == GIF:
        return frames
    if len(frames) > 1:
        raise invalid(
            f"Got {len(frames)} frames, but animated gifs can only be decoded by "
            "tf.image.decode_gif or tf.image.decode_image"
        )
    return frames[0]


def _jpeg_kernel(contents, **attrs):
    return _decoded(whole_bytes(contents), **attrs)


def _crop_kernel(contents, crop_window, **attrs):
    return _decoded(whole_bytes(contents), window=crop_window, **attrs)


def _png_kernel(contents, channels, dtype):
    return _decoded(
        whole_bytes(contents), channels=channels, deep=dtype is dtypes.uint16
    )


def _gif_kernel(contents):
    image = _decoded(whole_bytes(contents), GIF, channels=3)
    return image if image.ndim == 4 else image[None]


def _shape_kernel(contents, output_type):
    data = whole_bytes(contents)
    try:
        shape = image_files.jpeg_shape(data)
        if not data.startswith(b"\xff\xd8"):
            raise ValueError("no JPEG")
    except image_files.DAMAGED:
        raise invalid(f"Invalid JPEG data, size {len(data)}") from None
    return np.array(shape, output_type.np)


DecodeJpeg = define(
    "DecodeJpeg", infer=infer_decoded, host=_jpeg_kernel, check=_check_jpeg, strict=True
)

DecodeAndCropJpeg = define(
    "DecodeAndCropJpeg",
    on_host="crop_window",
    infer=_infer_crop,
    host=_crop_kernel,
    check=_check_jpeg,
    strict=True,
)

DecodePng = define(
    "DecodePng",
    infer=infer_decoded,
    host=_png_kernel,
    check=_check_channels,
    strict=True,
)

DecodeGif = define(
    "DecodeGif",
    infer=lambda contents: (ranked(contents._shape, 0), (None, None, None, 3))[1],
    host=_gif_kernel,
    check=check_contents,
    strict=True,
)


ExtractJpegShape = define(
    "ExtractJpegShape",
    infer=lambda contents, output_type: (ranked(contents._shape, 0), (3,))[1],
    host=_shape_kernel,
    check=check_contents,
    strict=True,
)


# ------------------------------------------------------------------ public
def decode_jpeg(
    contents: TensorValue, channels: int = 0, ratio: int = 1,
    fancy_upscaling: bool = True, try_recover_truncated: bool = False,
    acceptable_fraction: int = 1, dct_method: str = "", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The pixels of a JPEG file (a PNG or a GIF with one frame will do as well).

    Pillow decodes, with libjpeg's accurate integer transform: pixels may differ a
    little from those of TensorFlow, which takes the fast one by default.

    Args:
        contents: string scalar, the bytes of the file.
        channels: 0 = as in the file, 1 = gray, 3 = RGB.
        ratio: 1, 2, 4 or 8, by which to divide the height and width.
        fancy_upscaling, acceptable_fraction: accepted; they change nothing.
        try_recover_truncated: fill up what is missing of a file that was cut off.
        dct_method: "", "INTEGER_FAST" or "INTEGER_ACCURATE"; it changes nothing.
        name: the name of the node in a graph.
    Returns:
        uint8[height, width, channels]
    Raises:
        tf.errors.InvalidArgumentError: it is no such file, or a bad argument.
        tf.errors.UnimplementedError: Pillow is not installed.
    Example:
        jpeg = tf.image.encode_jpeg(np.zeros([4, 6, 3], np.uint8))
        tf.image.decode_jpeg(jpeg, channels=1).shape  # (4, 6, 1)
    """
    attrs = _jpeg_attrs(
        channels, ratio, fancy_upscaling, try_recover_truncated, acceptable_fraction,
        dct_method,
    )  # fmt: skip
    return apply(DecodeJpeg, (contents,), attrs, name)


def _jpeg_attrs(channels, ratio, fancy, recover, fraction, dct_method):
    return {
        "channels": channels or 0, "ratio": ratio, "fancy_upscaling": fancy,
        "try_recover_truncated": recover, "acceptable_fraction": float(fraction),
        "dct_method": as_text(dct_method),
    }  # fmt: skip


def decode_and_crop_jpeg(
    contents: TensorValue, crop_window: Any, channels: int = 0, ratio: int = 1,
    fancy_upscaling: bool = True, try_recover_truncated: bool = False,
    acceptable_fraction: int = 1, dct_method: str = "", name: str | None = None,
) -> Tensor:  # fmt: skip
    """A rectangle of the pixels of a JPEG file.

    Args:
        contents, channels, ratio and the rest: see `tf.image.decode_jpeg`.
        crop_window: int32[4], (first row, first column, height, width).
    Returns:
        uint8[height, width, channels]
    Raises:
        tf.errors.InvalidArgumentError: see there, or the rectangle is not inside.
    Example:
        jpeg = tf.image.encode_jpeg(np.zeros([4, 6, 3], np.uint8))
        tf.image.decode_and_crop_jpeg(jpeg, [0, 0, 2, 3]).shape  # (2, 3, 3)
    """
    attrs = _jpeg_attrs(
        channels, ratio, fancy_upscaling, try_recover_truncated, acceptable_fraction,
        dct_method,
    )  # fmt: skip
    return apply(DecodeAndCropJpeg, (contents, crop_window), attrs, name)


def decode_png(
    contents: TensorValue, channels: int = 0, dtype: DTypeValue = dtypes.uint8,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The pixels of a PNG file (a JPEG or a GIF with one frame will do as well).

    Args:
        contents: string scalar, the bytes of the file.
        channels: 0 = as in the file, 1 = gray, 3 = RGB, 4 = RGBA.
        dtype: uint8 or uint16. name: the name of the node in a graph.
    Returns:
        dtype[height, width, channels]
    Raises:
        tf.errors.InvalidArgumentError: it is no such file, or a bad argument.
        tf.errors.UnimplementedError: Pillow is not installed.
    Example:
        png = tf.image.encode_png(tf.zeros([2, 2, 3], tf.uint8))
        tf.image.decode_png(png)  # uint8[2, 2, 3]
    """
    attrs = {"channels": channels or 0, "dtype": dtypes.as_dtype(dtype)}
    return apply(DecodePng, (contents,), attrs, name)


def decode_gif(contents: TensorValue, name: str | None = None) -> Tensor:
    """The frames of a GIF file.

    Args:
        contents: string scalar, the bytes of the file. name: for a graph.
    Returns:
        uint8[frames, height, width, 3], each frame with what shines through it.
    Raises:
        tf.errors.InvalidArgumentError: it is no such file.
        tf.errors.UnimplementedError: Pillow is not installed.
    Example:
        gif = bytes.fromhex("47494638396101000100800000ffffff00000021f9040000000000"
                            "2c00000000010001000002024401003b")
        tf.image.decode_gif(gif)  # [[[[255, 255, 255]]]]
    """
    return apply(DecodeGif, (contents,), None, name)


def extract_jpeg_shape(
    contents: TensorValue, output_type: DTypeValue = dtypes.int32,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The height, width and channels of a JPEG file, without decoding it.

    Args:
        contents: string scalar. output_type: int32 or int64. name: for a graph.
    Returns:
        output_type[3]
    Raises:
        tf.errors.InvalidArgumentError: it is no JPEG file.
    Example:
        jpeg = tf.image.encode_jpeg(np.zeros([4, 6, 3], np.uint8))
        tf.image.extract_jpeg_shape(jpeg)  # [4, 6, 3]
    """
    attrs = {"output_type": dtypes.as_dtype(output_type)}
    return apply(ExtractJpegShape, (contents,), attrs, name)
