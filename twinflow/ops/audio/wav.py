"""WAV files of 16-bit numbers."""

import struct
from typing import Any, NamedTuple

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import ranked
from twinflow.ops.strings.arrays import filled, one

_SHORT = "Data too short when trying to read string"
_ONE = 32768.0
_HEAD = struct.Struct("<4sI4s4sIHHIIHH4sI")


class DecodedWav(NamedTuple):
    """What `decode_wav` gives.

    Attributes:
        audio: float32[samples, channels], from -1 to 1. sample_rate: int32, in Hz.
    """

    audio: Tensor
    sample_rate: Tensor


class _Reader:
    """Goes through the bytes of a file."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, size):
        end = self.place + size
        if end > len(self.data):
            raise invalid(_SHORT)
        found, self.place = self.data[self.place : end], end
        return found

    def expect(self, text):
        found = self.take(len(text))
        if found != text:
            raise invalid(
                f"Header mismatch: Expected {text.decode()} but found "
                f"{found.decode('latin-1')}"
            )

    def numbers(self, layout):
        return struct.unpack(layout, self.take(struct.calcsize(layout)))


def _format(reader):
    """(channels, rate) of the first part of a file."""
    reader.expect(b"RIFF")
    reader.take(4)
    reader.expect(b"WAVE")
    reader.expect(b"fmt ")
    size, kind, channels, rate, _, _, bits = reader.numbers("<IHHIIHH")
    if size not in (16, 18):
        raise invalid(
            f"Bad file size for WAV: Expected 16 or 18, but got{size}",
        )
    if kind != 1:
        raise invalid(f"Bad audio format for WAV: Expected 1 (PCM), but got{kind}")
    if bits != 16:
        raise invalid(f"Can only read 16-bit WAV files, but received {bits}")
    reader.take(size - 16)
    return channels, rate


def _samples(data):
    """(float32[samples, channels], the rate) of a file."""
    reader = _Reader(data)
    channels, rate = _format(reader)
    while reader.place < len(data):
        kind, size = reader.numbers("<4sI")
        content = reader.take(size)
        if kind == b"data":
            n = size // (2 * channels)
            found = np.frombuffer(content, "<i2", n * channels).reshape(n, channels)
            return (found / _ONE).astype(np.float32), rate
    raise invalid("No data chunk found in WAV")


def _fitted(array, n, axis, last):
    """An array cut to `n` entries, or filled up: with the last one, or with zeros."""
    missing = n - array.shape[axis]
    if n == -1 or missing == 0:
        return array
    if missing < 0:
        return array[:n] if axis == 0 else array[:, :n]
    widths = [(0, 0), (0, 0)]
    widths[axis] = (0, missing)
    return np.pad(array, widths, mode="edge" if last else "constant")


def _decode(contents, desired_channels, desired_samples):
    found, rate = _samples(bytes(one(contents)))
    found = _fitted(found, desired_channels, 1, last=True)
    return _fitted(found, desired_samples, 0, last=False), np.int32(rate)


def _infer_decoded(contents, desired_channels, desired_samples):
    ranked(contents._shape, 0)
    sizes = []
    for what, n in (("samples", desired_samples), ("channels", desired_channels)):
        if n < -1:
            raise InferError(f"{what} must be non-negative, got {n}")
        sizes.append(None if n == -1 else n)
    return [tuple(sizes), ()]


DecodeWav = define("DecodeWav", infer=_infer_decoded, host=_decode)


def decode_wav(
    contents: Any, desired_channels: int = -1, desired_samples: int = -1,
    name: str | None = None,
) -> DecodedWav:  # fmt: skip
    """The samples of a WAV file of 16-bit numbers.

    Args:
        contents: string, the bytes of the file.
        desired_channels: how many channels to give: the first ones, or the last one
            again and again; all by default.
        desired_samples: how many samples to give, filled up with zeros; all by default.
        name: of the node.
    Returns:
        DecodedWav(audio, sample_rate): float32[samples, channels] and int32.
    Raises:
        InvalidArgumentError: it is no such file.
    """
    attrs = {"desired_channels": desired_channels, "desired_samples": desired_samples}
    return DecodedWav(*apply(DecodeWav, (contents,), attrs, name))


def _encode(audio, sample_rate):
    rate = int(sample_rate)
    if rate <= 0:
        raise invalid(
            f"sample_rate must be in (0, 2^32), got: {rate % 2**64}",
        )
    if not audio.size:
        raise invalid("audio is null")
    channels = audio.shape[1]
    scaled = np.asarray(audio, np.float64) * _ONE
    rounded = np.trunc(scaled + np.copysign(0.5, scaled))  # halves away from zero
    data = np.clip(rounded, -_ONE, _ONE - 1).astype("<i2").tobytes()
    block = 2 * channels
    head = _HEAD.pack(
        b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, channels, rate, rate * block,
        block, 16, b"data", len(data),
    )  # fmt: skip
    return filled([head + data], ())


def _infer_encoded(audio, sample_rate):
    ranked(audio._shape, 2)
    ranked(sample_rate._shape, 0)
    return ()


EncodeWav = define("EncodeWav", infer=_infer_encoded, host=_encode)


def encode_wav(
    audio: TensorValue, sample_rate: TensorValue, name: str | None = None
) -> Tensor:
    """A WAV file of 16-bit numbers.

    Args:
        audio: float32[samples, channels]; what is not in [-1, 1) is cut.
        sample_rate: int32, in Hz. name: of the node.
    Returns:
        string: the bytes of the file.
    Raises:
        InvalidArgumentError: there are no samples, or the rate is not positive.
    """
    return apply(EncodeWav, (audio, sample_rate), None, name)
