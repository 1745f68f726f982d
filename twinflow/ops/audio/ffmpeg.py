"""Sound and films through the ffmpeg program: tf.contrib.ffmpeg."""

import shutil
import subprocess
import tempfile
from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.errors import UnavailableError, invalid
from twinflow.base.logging import warning
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.audio.wav import EncodeWav
from twinflow.ops.core.infer import one_int, ranked

_FORMATS = ("mp3", "mp4", "ogg", "wav")
_MISSING = (
    "FFmpeg must be installed to run this op. FFmpeg can be found at "
    "http://www.ffmpeg.org."
)
_SECONDS = 600
_FULL = np.float32(2**15)


def _converted(contents, before, after):
    """What ffmpeg makes of the bytes of a file; b"" where it cannot read them."""
    program = shutil.which("ffmpeg")
    if program is None:
        raise UnavailableError(None, None, _MISSING)
    with tempfile.NamedTemporaryFile(prefix="twinflow-") as file:
        file.write(contents)
        file.flush()
        plain = [program, "-nostdin", "-loglevel", "error", *before, "-i", file.name]
        found = subprocess.run(
            [*plain, *after, "pipe:1"], capture_output=True, timeout=_SECONDS
        )
    if found.returncode:
        warning("ffmpeg: %s", found.stderr.decode(errors="replace").strip())
        return b""
    return found.stdout


def _text(value):
    return np.asarray(value).item().decode() if not isinstance(value, str) else value


# ---------------------------------------------------------------------- sound
def _decode(contents, file_format, samples_per_second, channel_count, stream=""):
    kind, rate, channels = (
        _text(file_format).lower(),
        *map(one_int, (samples_per_second, channel_count)),
    )
    if kind not in _FORMATS:
        raise invalid(
            f"file_format must be one of {{{', '.join(_FORMATS)}}}, but was: "
            f'"{_text(file_format)}"'
        )
    if rate <= 0:
        raise invalid(f"samples_per_second must be positive, but got: {rate}")
    if channels <= 0:
        raise invalid(f"channel_count must be positive, but got: {channels}")
    where = ["-map", f"0:{stream}"] if stream else []
    after = [*where, "-ac", str(channels), "-ar", str(rate), "-f", "s16le"]
    data = _converted(np.asarray(contents).item(), ["-f", kind], after)
    samples = np.frombuffer(data, "<i2").astype(np.float32) / _FULL
    return samples.reshape(-1, channels)


DecodeAudio = define(
    "DecodeAudio(contents: string) -> (sampled_audio: float32); file_format='', "
    "samples_per_second=0, channel_count=0",
    infer=lambda contents, channel_count, **_: (None, channel_count),
    host=_decode,
)
DecodeAudioV2 = define(
    "DecodeAudioV2(contents: string, file_format: string, samples_per_second: int32, "
    "channel_count: int32) -> (sampled_audio: float32); stream=''",
    infer=lambda *_, **__: (None, None),
    host=_decode,
)


def _encode(sampled_audio, file_format, samples_per_second, bits_per_second):
    if _text(file_format) != "wav":
        raise invalid(f'file_format must be "wav", but got: {_text(file_format)}')
    return EncodeWav.np(sampled_audio, np.int32(one_int(samples_per_second)))


EncodeAudio = define(
    "EncodeAudio(sampled_audio: float32) -> (contents: string); file_format='', "
    "samples_per_second=0, bits_per_second=192000",
    infer=lambda sampled_audio, **_: (),
    host=_encode,
)
EncodeAudioV2 = define(
    "EncodeAudioV2(sampled_audio: float32, file_format: string, samples_per_second: "
    "int32, bits_per_second: int32) -> (contents: string)",
    infer=lambda *_: (),
    host=_encode,
)


# ---------------------------------------------------------------------- films
def _frames(data):
    """The pictures of a stream of PPM files."""
    at = 0
    while at < len(data):
        width, height = data[at : at + 64].split(maxsplit=3)[1:3]
        header = data.index(b"\n255\n", at) + 5
        size = int(width) * int(height) * 3
        pixels = np.frombuffer(data[header : header + size], np.uint8)
        yield pixels.reshape(int(height), int(width), 3)
        at = header + size


def _decode_video(contents):
    after = ["-f", "image2pipe", "-vcodec", "ppm"]
    found = [*_frames(_converted(np.asarray(contents).item(), [], after))]
    return np.stack(found) if found else np.zeros((0, 0, 0, 3), np.uint8)


DecodeVideo = define(
    "DecodeVideo(contents: string) -> (output: uint8)",
    infer=lambda contents: (ranked(contents._shape, 0), (None, None, None, 3))[1],
    host=_decode_video,
)


# ---------------------------------------------------------------------- public
def decode_audio(
    contents: TensorValue, file_format: Any = None, samples_per_second: Any = None,
    channel_count: Any = None, stream: str | None = None,
) -> Tensor:  # fmt: skip
    """The samples of a sound file, read by the ffmpeg program.

    Args:
        contents: string[], the bytes. file_format: "mp3", "mp4", "ogg" or "wav".
        samples_per_second, channel_count: what the sound is converted to.
        stream: which one of the file, as "0"; the best one if not given.
    Returns:
        float32[samples, channels], from -1 to 1; no samples where ffmpeg fails.
    Raises:
        tf.errors.UnavailableError: there is no ffmpeg. InvalidArgumentError: no such
            format.
    """
    args = contents, file_format, samples_per_second, channel_count
    return apply(DecodeAudioV2, args, {"stream": stream or ""})


def encode_audio(
    audio: TensorValue, file_format: Any = None, samples_per_second: Any = None
) -> Tensor:
    """A WAV file of samples.

    Args:
        audio: float32[samples, channels]. file_format: "wav".
        samples_per_second: int32[].
    Returns:
        string[]
    Raises:
        tf.errors.InvalidArgumentError: another format.
    Example:
        tf.contrib.ffmpeg.encode_audio(tf.zeros([10, 1]), "wav", 8000)
    """
    return apply(EncodeAudioV2, (audio, file_format, samples_per_second, 192000))


def decode_video(contents: TensorValue) -> Tensor:
    """The pictures of a film, read by the ffmpeg program.

    Args:
        contents: string[], the bytes.
    Returns:
        uint8[pictures, height, width, 3]
    Raises:
        tf.errors.UnavailableError: there is no ffmpeg.
    """
    return apply(DecodeVideo, (contents,))
