"""Decoding image files whose kind only the run knows."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.image.bmp import decode_bmp
from twinflow.ops.image.color import convert_image_dtype
from twinflow.ops.image.decode import decode_gif, decode_jpeg, decode_png
from twinflow.ops.image.shape import after, chosen
from twinflow.ops.random.draws import scoped
from twinflow.ops.strings.basic import substr


def is_jpeg(contents: TensorValue, name: str | None = None) -> Tensor:
    """Whether a string begins as a JPEG file does: a bool scalar.

    Args:
        contents: string scalar. name: the name of the result in a graph.
    Example:
        tf.image.is_jpeg(b"hello")  # False
    """
    with scoped(name, "is_jpeg") as scope:
        return equal(substr(contents, 0, 3), b"\xff\xd8\xff", scope)


def decode_image(
    contents: TensorValue, channels: Any = None, dtype: DTypeValue = dtypes.uint8,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The pixels of a BMP, GIF, JPEG or PNG file, whichever it is.

    Args:
        contents: string scalar, the bytes of the file.
        channels: 0 or None = as in the file, 1 = gray, 3 = RGB, 4 = RGBA.
        dtype: what to convert to, by `tf.image.convert_image_dtype`.
        name: the name scope in a graph.
    Returns:
        dtype[height, width, channels]; [frames, height, width, 3] of a GIF file.
    Raises:
        ValueError: another number of channels.
        tf.errors.InvalidArgumentError: it is no such file, or cannot have the channels.
        tf.errors.UnimplementedError: Pillow is not installed.
    Example:
        png = tf.image.encode_png(tf.constant([[[255, 0, 0]]], tf.uint8))
        tf.image.decode_image(png)  # [[[255, 0, 0]]]
    """
    if channels not in (None, 0, 1, 3, 4):
        raise ValueError("channels must be in (None, 0, 1, 3, 4)")
    channels, dtype = channels or 0, dtypes.as_dtype(dtype)
    deep = dtypes.uint8 if dtype is dtypes.uint8 else dtypes.uint16
    with scoped(name, "decode_image"):
        contents = convert_to_tensor(contents, dtypes.string)
        branches = [
            (b"\xff\xd8\xff", lambda: decode_jpeg(
                _only(contents, channels, "JPEG", (0, 1, 3)), channels)),
            (b"\x89PN", lambda: decode_png(contents, channels, deep)),
            (b"GIF", lambda: decode_gif(_only(contents, channels, "GIF", (0, 3)))),
        ]  # fmt: skip
        return _branch(contents, branches, channels, dtype)


def _branch(contents, branches, channels, dtype):
    """The first of the branches whose bytes the file begins with, else BMP."""
    if not branches:
        return convert_image_dtype(_bmp(contents, channels), dtype)
    (magic, decode), *rest = branches
    return chosen(
        equal(substr(contents, 0, 3), magic),
        lambda: convert_image_dtype(decode(), dtype),
        lambda: _branch(contents, rest, channels, dtype),
    )


def _bmp(contents, channels):
    known = equal(substr(contents, 0, 2), b"BM")
    checks = Assert(known, ["Unable to decode bytes as JPEG, PNG, GIF, or BMP"])
    contents = after([] if checks is None else [checks], contents)
    return decode_bmp(_only(contents, channels, "BMP", (0, 3, 4)))


def _only(contents, channels, kind, allowed):
    """`contents`, refused where the kind of file cannot have these channels."""
    if channels in allowed:
        return contents
    shown = ", ".join(str(n) for n in ("None", *allowed) if n != 4)
    message = f"Channels must be in ({shown}) when decoding {kind} images"
    checks = Assert(constant(False), [message])
    return after([] if checks is None else [checks], contents)
