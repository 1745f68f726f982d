"""Summary protos from arrays: what the summary ops put into event files.

Histograms have fixed borders, each a tenth above the one before, so that all of a tag
have the same; runs of empty buckets are written as one.
"""

import functools
import io
import sys
import wave

import numpy as np

from twinflow.base.dtypes import from_numpy
from twinflow.base.errors import invalid
from twinflow.formats.protos import HistogramProto, Summary, SummaryMetadata
from twinflow.formats.tensor_proto import to_proto
from twinflow.ops.image import png

_MOST = sys.float_info.max
_BAD = (255, 0, 0, 255)


def scalars(tags, values):
    """A Summary with a value for each tag."""
    summary = Summary()
    for tag, value in zip(tags, np.ravel(values).tolist(), strict=True):
        summary.value.add(tag=tag, simple_value=value)
    return summary


# ---------------------------------------------------------------------- histograms
@functools.cache
def _limits():
    """The upper borders of the buckets, float64[n]."""
    up, v = [], 1e-12
    while v < 1e20:
        up.append(v)
        v *= 1.1
    up.append(_MOST)
    return np.array([-x for x in reversed(up)] + [0.0] + up)


def histogram(tag, values):
    """A Summary with the histogram of an array.

    Raises:
        InvalidArgumentError: a value is not finite.
    """
    flat = np.ravel(values).astype(np.float64)
    for name, test in ("Nan", np.isnan), ("Infinity", np.isinf):
        if test(flat).any():
            raise invalid(f"{name} in summary histogram for: {tag}")
    summary = Summary()
    summary.value.add(tag=tag, histo=histogram_of(flat))
    return summary


def histogram_of(flat, times=None):
    """The HistogramProto of float64[n], each number counted `times`: int[n]."""
    limits = _limits()
    times = np.ones(flat.size, np.int64) if times is None else times
    places = np.searchsorted(limits, flat, side="right")
    counts = np.bincount(places, times, minlength=len(limits))[: len(limits)]
    empty = counts == 0
    last = np.append(~(empty[:-1] & empty[1:]), True)  # of a run of empty ones
    return HistogramProto(
        min=flat.min() if flat.size else _MOST,
        max=flat.max() if flat.size else -_MOST,
        num=times.sum(), sum=(flat * times).sum(),
        sum_squares=(flat * flat * times).sum(),
        bucket_limit=limits[last], bucket=counts[last],
    )  # fmt: skip


# ---------------------------------------------------------------------- images, sound
def images(tag, tensor, max_images, bad_color=_BAD):
    """A Summary with the first images of a batch, as PNG.

    Args:
        tensor: number[n, height, width, 1, 3 or 4]; floats are scaled to 0..255.
        bad_color: of pixels that are not finite.
    Raises:
        InvalidArgumentError: the shape does not do.
    """
    shape = tensor.shape
    if len(shape) != 4 or shape[3] not in (1, 3, 4):
        text = ",".join(map(str, shape))
        raise invalid(f"Tensor must be 4-D with last dim 1, 3, or 4, not [{text}]")
    summary, count = Summary(), min(max_images, shape[0])
    for i in range(count):
        name = f"{tag}/image" + (f"/{i}" if max_images > 1 else "")
        pixels = _pixels(tensor[i], np.asarray(bad_color, np.uint8)[: shape[3]])
        image = summary.value.add(tag=name).image
        image.height, image.width, image.colorspace = shape[1:]
        image.encoded_image_string = png.encode(pixels, -1)
    return summary


def _pixels(image, bad):
    """uint8: positive floats from black to their largest, others around grey."""
    if image.dtype == np.uint8:
        return image
    image = image.astype(np.float32)
    fine = np.isfinite(image).all(-1)
    seen = image[fine]
    low, high = (seen.min(), seen.max()) if seen.size else (0.0, 0.0)
    if low < 0:
        size, top, zero = max(-low, abs(high)), np.float32(127), np.float32(128)
    else:
        size, top, zero = high, np.float32(255), np.float32(0)
    scale = top / size if size >= 1e-6 else np.float32(0)
    out = np.empty(image.shape, np.uint8)
    out[fine] = (seen * scale + zero).astype(np.uint8)
    out[~fine] = bad
    return out


def audio(tag, tensor, sample_rate, max_outputs):
    """A Summary with the first clips of a batch, as 16-bit WAV.

    Args:
        tensor: float32[n, frames] or [n, frames, channels] in [-1, 1].
        sample_rate: in Hz.
    """
    if tensor.ndim not in (2, 3):
        raise invalid(f"input must be 2-D or 3-D, not of rank {tensor.ndim}")
    clips = tensor[..., None] if tensor.ndim == 2 else tensor
    summary = Summary()
    for i in range(min(max_outputs, len(clips))):
        name = f"{tag}/audio" + (f"/{i}" if max_outputs > 1 else "")
        clip = summary.value.add(tag=name).audio
        clip.sample_rate, clip.content_type = float(sample_rate), "audio/wav"
        clip.length_frames, clip.num_channels = clips[i].shape
        clip.encoded_audio_string = _wav(clips[i], int(sample_rate))
    return summary


def _wav(clip, rate):
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(clip.shape[1])
        file.setsampwidth(2)
        file.setframerate(max(rate, 1))
        loud = np.clip(np.round(clip * np.float32(32768)), -32768, 32767)
        file.writeframes(loud.astype("<i2").tobytes())
    return out.getvalue()


def tensor(tag, array, metadata):
    """A Summary with any tensor.

    Args:
        metadata: a serialised SummaryMetadata.
    """
    summary = Summary()
    value = summary.value.add(tag=tag, tensor=to_proto(array, from_numpy(array.dtype)))
    if metadata:
        value.metadata.CopyFrom(SummaryMetadata.FromString(metadata))
    return summary


def merged(summaries):
    """One Summary of several serialised ones.

    Raises:
        InvalidArgumentError: two have the same tag.
    """
    out, tags = Summary(), set()
    for data in summaries:
        out.MergeFromString(data)
    for value in out.value:
        if value.tag in tags:
            raise invalid(f"Duplicate tag {value.tag} found in summary inputs")
        tags.add(value.tag)
    return out
