"""Strings as bytes: base64, raw numbers, compressed data."""

import base64
import re
import zlib
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.dispatch import apply
from twinflow.base.errors import DataLossError, invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import same
from twinflow.ops.strings.arrays import filled, flat, mapped

_WEB_SAFE = re.compile(rb"[A-Za-z0-9_-]*")


def _encode_kernel(input, pad):
    encoded = (base64.urlsafe_b64encode(v) for v in flat(input))
    values = encoded if pad else (v.rstrip(b"=") for v in encoded)
    return filled(values, np.shape(input))


EncodeBase64 = define("EncodeBase64", infer=same, host=_encode_kernel)


def encode_base64(
    input: TensorValue, pad: bool = False, name: str | None = None
) -> Tensor:
    """The strings in web-safe base64.

    Args:
        input: a string tensor. pad: fill up with `=` to multiples of 4.
        name: the name of the node in a graph.
    Example:
        tf.encode_base64(["hello"])  # [b"aGVsbG8"]
    """
    return apply(EncodeBase64, (input,), {"pad": pad}, name)


def _decoded(value):
    bare = value[:-2] if value.endswith(b"==") else value.removesuffix(b"=")
    if len(bare) % 4 == 1:
        raise invalid("Base64 string length cannot be 1 modulo 4.")
    padded = len(value) != len(bare)
    if not _WEB_SAFE.fullmatch(bare) or (padded and len(value) % 4):
        raise invalid("Invalid character found in base64.")
    return base64.urlsafe_b64decode(bare + b"=" * (-len(bare) % 4))


DecodeBase64 = define("DecodeBase64", infer=same, host=mapped(_decoded))


def decode_base64(input: TensorValue, name: str | None = None) -> Tensor:
    """What strings in web-safe base64, padded or not, stand for.

    Args:
        input: a string tensor. name: the name of the node in a graph.
    Raises:
        InvalidArgumentError: a string is no base64.
    Example:
        tf.decode_base64(["aGVsbG8"])  # [b"hello"]
    """
    return apply(DecodeBase64, (input,), None, name)


# ---------------------------------------------------------------------- raw numbers


def _infer_raw(bytes, **_):
    return None if bytes._shape is None else (*bytes._shape, None)


def _raw_kernel(bytes, out_type, little_endian):
    values, kind = flat(bytes), out_type.np
    if not values:
        return np.zeros((*np.shape(bytes), 0), kind)
    size = len(values[0])
    for v in values:
        if len(v) != size:
            raise invalid(
                "DecodeRaw requires input strings to all be the same size, but element "
                f"{values.index(v)} has size {size} != {len(v)}"
            )
    if size % kind.itemsize:
        raise invalid(
            f"Input to DecodeRaw has length {size} that is not a multiple of "
            f"{kind.itemsize}, the size of {dtypes.cpp_name(out_type)}"
        )
    order = "<" if little_endian else ">"
    found = np.frombuffer(b"".join(values), kind.newbyteorder(order)).astype(kind)
    return found.reshape(*np.shape(bytes), size // kind.itemsize)


DecodeRaw = define("DecodeRaw", infer=_infer_raw, host=_raw_kernel)


def decode_raw(
    bytes: Any, out_type: DTypeValue, little_endian: bool = True,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The bytes of strings as numbers.

    Args:
        bytes: a string tensor; all strings have one length.
        out_type: an int or float DType. little_endian: the order of the bytes.
        name: the name of the node in a graph.
    Returns:
        A tensor of `out_type` with one more axis, along a string.
    Raises:
        InvalidArgumentError: the lengths differ, or are no multiple of a number's.
    Example:
        tf.decode_raw(["ab", "cd"], tf.uint8)  # [[97, 98], [99, 100]]
    """
    attrs = {
        "out_type": dtypes.as_dtype(out_type).base_dtype,
        "little_endian": little_endian,
    }
    return apply(DecodeRaw, (bytes,), attrs, name)


# ---------------------------------------------------------------------- compressed
_WINDOWS = {"ZLIB": zlib.MAX_WBITS, "GZIP": zlib.MAX_WBITS | 16}


def _inflated(value, window):
    try:
        return zlib.decompress(value, window)
    except zlib.error as error:
        number, _, text = str(error).removeprefix("Error ").partition(" ")
        text = text.rpartition("data: ")[2]
        text = f"inflate() failed with error {number}: {text}"
        raise DataLossError(None, None, text) from None


def _decompress_kernel(bytes, compression_type):
    if not compression_type:
        return filled(flat(bytes), np.shape(bytes))
    window = _WINDOWS[compression_type]
    return filled((_inflated(v, window) for v in flat(bytes)), np.shape(bytes))


DecodeCompressed = define("DecodeCompressed", infer=same, host=_decompress_kernel)


def decode_compressed(
    bytes: Any, compression_type: str = "", name: str | None = None
) -> Any:
    """The strings decompressed.

    Args:
        bytes: a string tensor. compression_type: "ZLIB", "GZIP", or "" = not at all.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError: another type. DataLossError: the data are damaged.
    """
    if compression_type and compression_type not in _WINDOWS:
        raise invalid(
            "Only ZLIB, GZIP or NONE are supported compressions, got "
            f"{compression_type!r}."
        )
    return apply(
        DecodeCompressed, (bytes,), {"compression_type": compression_type}, name
    )
