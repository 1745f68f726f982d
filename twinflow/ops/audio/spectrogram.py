"""Spectrograms, and mel-frequency cepstral coefficients of them."""

import numpy as np

from twinflow.base import logging
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import ranked

_FLOOR = 1e-12  # no energy is less, for its logarithm


def _length(window_size):
    """How many samples are transformed: the next power of two."""
    return 1 << max(window_size - 1, 0).bit_length()


def _frames(samples, window_size, stride):
    if samples is None:
        return None
    return max(0, 1 + (samples - window_size) // stride)


def _check(window_size, stride):
    if window_size < 2 or stride < 1:
        raise invalid(
            f"Spectrogram initialization failed for window size {window_size} and "
            f"stride {stride}"
        )


def _infer_spectrogram(input, window_size, stride, magnitude_squared):
    samples, channels = ranked(input._shape, 2)
    if window_size < 2 or stride < 1:
        return (channels, None, None)
    bins = 1 + _length(window_size) // 2
    return (channels, _frames(samples, window_size, stride), bins)


@np.errstate(all="ignore")  # see base.numpy_warnings
def _spectrogram(input, window_size, stride, magnitude_squared):
    _check(window_size, stride)
    samples, channels = input.shape
    frames = _frames(samples, window_size, stride)
    bins = 1 + _length(window_size) // 2
    if not frames:
        return np.zeros((channels, 0, bins), np.float32)
    angle = 2 * np.pi * np.arange(window_size) / window_size
    window = 0.5 - 0.5 * np.cos(angle)
    signal = np.asarray(input, np.float64).T
    views = np.lib.stride_tricks.sliding_window_view(signal, window_size, axis=1)
    found = np.fft.rfft(views[:, ::stride] * window, _length(window_size))
    power = found.real**2 + found.imag**2
    return (power if magnitude_squared else np.sqrt(power)).astype(np.float32)


AudioSpectrogram = define(
    "AudioSpectrogram", infer=_infer_spectrogram, host=_spectrogram
)


def audio_spectrogram(
    input: TensorValue, window_size: int, stride: int, magnitude_squared: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """How strong each frequency is over time.

    Args:
        input: float32[samples, channels]. window_size: how many samples a frame has.
        stride: how many samples lie between the starts of two frames.
        magnitude_squared: give the power, not the magnitude. name: of the node.
    Returns:
        float32[channels, frames, n / 2 + 1], n the power of two that window_size needs.
    Raises:
        InvalidArgumentError: window_size is below 2, or stride below 1.
    """
    attrs = {
        "window_size": window_size,
        "stride": stride,
        "magnitude_squared": magnitude_squared,
    }
    return apply(AudioSpectrogram, (input,), attrs, name)


# ---------------------------------------------------------------------- coefficients
def _mel(hertz):
    return 1127.0 * np.log1p(hertz / 700.0)


def _filters(bins, rate, low, high, count):
    """float64[bins, count]: how much of each frequency belongs to each channel; None
    where the frequencies end below `high`."""
    edges = _mel(low) + (_mel(high) - _mel(low)) / (count + 1) * np.arange(count + 2)
    step = 0.5 * rate / (bins - 1)
    first, last = int(1.5 + low / step), int(high / step)
    if last >= bins:
        return None
    filters = np.zeros((bins, count + 2))
    for i in range(first, last + 1):
        mel = _mel(i * step)
        k = int(np.searchsorted(edges[1:-1], mel, side="left"))  # the edge below
        upper = edges[k + 1]
        part = (upper - mel) / (upper - edges[k])
        filters[i, k], filters[i, k + 1] = part, 1 - part
    return filters[:, 1:-1]


def _check_mfcc(rate, low, high, bins, channels, coefficients):
    wanted = {
        f"lower_frequency_limit {low:g} must be from 0 to below "
        f"upper_frequency_limit {high:g}": 0 <= low < high,
        f"dct_coefficient_count {coefficients} must be from 1 to "
        f"filterbank_channel_count {channels}": 1 <= coefficients <= channels,
        "sample_rate must be above 0": rate > 0,
        "a spectrogram must have 2 frequencies or more": bins > 1,
    }
    for text, holds in wanted.items():
        if not holds:
            raise invalid(
                f"Mfcc initialization failed for channel count {bins} and sample rate "
                f"{rate}: {text}"
            )


@np.errstate(all="ignore")
def _mfcc(
    spectrogram, sample_rate, upper_frequency_limit, lower_frequency_limit,
    filterbank_channel_count, dct_coefficient_count,
):  # fmt: skip
    low, high = lower_frequency_limit, upper_frequency_limit
    bins, count = spectrogram.shape[2], filterbank_channel_count
    _check_mfcc(int(sample_rate), low, high, bins, count, dct_coefficient_count)
    filters = _filters(bins, float(sample_rate), low, high, count)
    if filters is None:
        logging.error("Input too short to compute filterbank")
        return np.zeros((*spectrogram.shape[:2], dct_coefficient_count), np.float32)
    energy = np.sqrt(np.asarray(spectrogram, np.float64)) @ filters
    k, j = np.arange(dct_coefficient_count)[:, None], np.arange(count) + 0.5
    cosines = np.sqrt(2 / count) * np.cos(np.pi / count * k * j)
    return (np.log(np.maximum(energy, _FLOOR)) @ cosines.T).astype(np.float32)


def _infer_mfcc(spectrogram, sample_rate, dct_coefficient_count, **_):
    ranked(sample_rate._shape, 0)
    channels, frames, _ = ranked(spectrogram._shape, 3)
    return (channels, frames, dct_coefficient_count)


Mfcc = define("Mfcc", infer=_infer_mfcc, host=_mfcc)


def mfcc(
    spectrogram: TensorValue, sample_rate: TensorValue,
    upper_frequency_limit: float = 4000, lower_frequency_limit: float = 20,
    filterbank_channel_count: int = 40, dct_coefficient_count: int = 13,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Mel-frequency cepstral coefficients: the form of a spectrum as an ear hears it.

    Args:
        spectrogram: float32[channels, frames, bins], squared magnitudes.
        sample_rate: int32, in Hz.
        upper_frequency_limit, lower_frequency_limit: what counts, in Hz.
        filterbank_channel_count: how many bands. dct_coefficient_count: how many
            coefficients of their logarithms. name: of the node.
    Returns:
        float32[channels, frames, dct_coefficient_count]; zeros, and a line in the log,
        where the spectrogram ends below `upper_frequency_limit`.
    Raises:
        InvalidArgumentError: the limits are not in order, the rate is below 1, there
            are fewer than two bins, or more coefficients than bands.
    """
    attrs = {
        "upper_frequency_limit": upper_frequency_limit,
        "lower_frequency_limit": lower_frequency_limit,
        "filterbank_channel_count": filterbank_channel_count,
        "dct_coefficient_count": dct_coefficient_count,
    }
    return apply(Mfcc, (spectrogram, sample_rate), attrs, name)
