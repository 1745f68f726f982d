"""BMP files with 8, 24 or 32 bits a pixel and no compression."""

import struct

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.image.check import check_contents, infer_decoded, whole_bytes

_LEAST = 32  # bytes up to the number of bits a pixel


def _header(data):
    """(where the pixels begin, width, height, bits a pixel).

    The rows begin at the bottom, or where the height is negative at the top.
    """
    start = struct.unpack_from("<i", data, 10)[0]
    width, height = struct.unpack_from("<ii", data, 18)
    return start, width, height, struct.unpack_from("<H", data, 28)[0]


def _row_bytes(width, bits):
    """The bytes of a row, a multiple of 4."""
    return (bits * width + 31) // 32 * 4


def _pixels(data):
    """uint8[height, width, 1, 3 or 4], colors in the order red, green, blue, alpha."""
    start, width, height, bits = _header(data)
    channels, size = bits // 8, _row_bytes(width, bits)
    wanted = size * (abs(height) - 1) + width * channels
    body = data[start : start + wanted].ljust(size * abs(height), b"\0")
    rows = np.frombuffer(body, np.uint8).reshape(abs(height), size)
    image = rows[:, : width * channels].reshape(abs(height), width, channels)
    if height > 0:
        image = image[::-1]
    if channels >= 3:
        image = image[..., [2, 1, 0, 3][:channels]]
    return np.ascontiguousarray(image)


def _bmp_kernel(contents, channels):
    data = whole_bytes(contents)
    if len(data) < _LEAST:
        raise invalid(
            f"Incomplete bmp content, requires at least {_LEAST} bytes to find the "
            f"header size, width, height, and bpp, got {len(data)} bytes"
        )
    start, width, height, bits = _header(data)
    found = bits // 8
    if channels and channels != found:
        raise invalid(
            f"channels attribute {channels} does not match bits per pixel from file "
            f"{found}"
        )
    if found not in (1, 3, 4):
        raise invalid(f"Number of channels must be 1, 3 or 4, was {found}")
    _check_bmp(data, start, width, height, bits)
    return _pixels(data)


def _check_bmp(data, start, width, height, bits):
    if width <= 0 or height == 0 or start < 0:
        raise invalid(f"image must have positive sizes, got {width} x {height}")
    rows = _row_bytes(width, bits) * (abs(height) - 1)
    least = start + rows + width * bits // 8
    if len(data) < least:
        raise invalid(
            f"Incomplete bmp content, requires at least {least} bytes, got "
            f"{len(data)} bytes"
        )


def _check_bmp_channels(contents, channels):
    if channels not in (0, 1, 3, 4):
        return f"channels must be 0, 1, 3 or 4, got {channels}"
    return check_contents(contents)


DecodeBmp = define(
    "DecodeBmp",
    infer=infer_decoded,
    host=_bmp_kernel,
    check=_check_bmp_channels,
    strict=True,
)


def decode_bmp(
    contents: TensorValue, channels: int = 0, name: str | None = None
) -> Tensor:
    """The pixels of a BMP file with 8, 24 or 32 bits a pixel.

    Args:
        contents: string scalar, the bytes of the file.
        channels: 0, or how many the file must have: 1, 3 or 4.
        name: the name of the node in a graph.
    Returns:
        uint8[height, width, channels]
    Raises:
        tf.errors.InvalidArgumentError: it is no such file, or has other channels.
    Example:
        import struct
        sizes = (58, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0)
        header = struct.pack("<2s6I2H6I", b"BM", *sizes)
        tf.image.decode_bmp(header + bytes([1, 2, 3, 0]))  # [[[3, 2, 1]]]
    """
    return apply(DecodeBmp, (contents,), {"channels": channels or 0}, name)
