"""Signals in frames: windows, spectra over time, and mel scales."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.annotations import AxisValue, DTypeValue
from twinflow.base.convert import is_tensor_like
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.padding import pad
from twinflow.ops.arrays.unknown_rank import on_last_axes
from twinflow.ops.core.compare import where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import ones, ones_like
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.elementwise import (
    add,
    log,
    maximum,
    multiply,
    pow,
    realdiv,
    square,
)
from twinflow.ops.core.index import gather, unsorted_segment_sum
from twinflow.ops.core.infer import static_value
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.rounding import ceil
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.math.trigonometry import cos
from twinflow.ops.signal.dct import dct
from twinflow.ops.signal.fourier_real import irfft, rfft


# ------------------------------------------------------------------ sizes
def _int(value, name):
    """A scalar argument: an int where it is known, else a tensor."""
    found = static_value(value) if is_tensor_like(value) else value
    if found is None:
        return value
    if np.ndim(found) != 0:
        raise advised(ValueError, f"{name} must be a scalar, got {value!r}")
    return int(found)


def _step(frame_step):
    step = _int(frame_step, "frame_step")
    if type(step) is int and step < 1:
        raise ValueError(f"frame_step must be at least 1, got {step}")
    return step


def _at_least(x, rank):
    if x._shape is not None and len(x._shape) < rank:
        raise advised(ValueError, f"Shape {x.shape} must have rank at least {rank}")
    return x


def _of_last_axes(count):
    """For a function of the last axes: take tensors of unknown rank, too."""

    def wrap(function):
        @functools.wraps(function)
        def of_any_rank(x, *args):
            if _at_least(x, count)._shape is not None:
                return function(x, *args)
            return on_last_axes(lambda x: function(x, *args), x, count)

        return of_any_rank

    return wrap


def _sizes(t):
    """The sizes of the axes: ints where they are known, else scalar tensors."""
    s = t._shape
    asked = shape(t) if None in s else None
    return [asked[i] if d is None else d for i, d in enumerate(s)]


def _shaped(t, sizes):
    unknown = any(map(is_tensor_like, sizes))
    return reshape(t, stack(sizes) if unknown else sizes)


def _most(a, b):
    return maximum(a, b) if is_tensor_like(a) or is_tensor_like(b) else max(a, b)


def _starts(count, step, length):
    """int32[count, length]: where the entries of each frame lie."""
    if any(map(is_tensor_like, (count, step, length))):
        first = expand_dims(multiply(range_of(count), step), 1)
        return add(first, expand_dims(range_of(length), 0))
    return constant((np.arange(count)[:, None] * step + np.arange(length)), "int32")


# ------------------------------------------------------------------ frames
def frame(
    signal: Any, frame_length: Any, frame_step: Any, pad_end: bool = False,
    pad_value: TensorValue = 0, axis: AxisValue = -1, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Cut an axis into frames that may overlap.

    y[..., i, j, ...] = signal[..., i * frame_step + j, ...]

    Args:
        signal: a tensor[..., n, ...]. frame_length, frame_step: ints or int scalars.
        pad_end: also cut the frames that reach past the end, filled with pad_value.
        pad_value: a scalar. axis: an int. name: the name of the scope.
    Returns:
        a tensor[..., frames, frame_length, ...]
    Raises:
        ValueError: a scalar signal, or sizes that are no scalars.
    Example:
        tf.contrib.signal.frame([1, 2, 3, 4], 2, 1)  # [[1, 2], [2, 3], [3, 4]]
    """
    with dispatch.current_mode().name_scope(name or "frame"):
        x = _at_least(convert_to_tensor(signal, name="signal"), 1)
        axis = _int(axis, "axis")
        if x._shape is None and axis >= 0:
            raise ValueError(
                "frame needs to know the number of axes of the signal, or an axis that "
                f"is counted from the last, got {axis}. Call set_shape."
            )
        length, step = _int(frame_length, "frame_length"), _step(frame_step)
        if pad_end and not is_tensor_like(pad_value) and np.ndim(pad_value):
            raise advised(ValueError, f"pad_value must be a scalar, got {pad_value!r}")
        cut = _of_last_axes(-axis if axis < 0 else 1)(_frames)
        return cut(x, length, step, axis, pad_end, pad_value)


def _frames(x, length, step, axis, pad_end, pad_value):
    axis = axis % len(x._shape)
    total = _sizes(x)[axis]
    if not pad_end:
        count = _most(0, (total - length) // step + 1)
        x = reshape(x, shape(x))  # its slope adds up what overlaps: no IndexedSlices
    else:
        count = -(-total // step)
        more = _most(0, length + step * (count - 1) - total)
        x = _padded(x, axis, more, pad_value)
    return gather(x, _starts(count, step, length), axis=axis)


def _padded(x, axis, more, value=0):
    """`x` with `more` entries after an axis."""
    if not is_tensor_like(more):
        grow = [[0, more if i == axis else 0] for i in range(len(x._shape))]
        return pad(x, grow, constant_values=value) if more else x
    after = [more if i == axis else 0 for i in range(len(x._shape))]
    grow = stack([constant([0] * len(after)), stack(after)], axis=1)
    out = pad(x, grow, constant_values=value)
    if out.symbolic:
        out.set_shape([None if i == axis else d for i, d in enumerate(x._shape)])
    return out


def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Tensor:
    """The sum of frames, each frame_step after the one before; undoes `frame`.

    Args:
        signal: number[..., frames, frame_length].
        frame_step: an int or int scalar, at most frame_length. name: the scope.
    Returns:
        number[..., (frames - 1) * frame_step + frame_length]
    Raises:
        ValueError: fewer than two axes, or frame_step is too large.
    Example:
        tf.contrib.signal.overlap_and_add([[1, 2], [3, 4]], 1)  # [1, 5, 4]
    """
    with dispatch.current_mode().name_scope(name or "overlap_and_add"):
        if is_tensor_like(frame_step) and not frame_step.dtype.is_integer:
            raise ValueError(f"frame_step must be an integer. Got {frame_step.dtype}")
        if isinstance(frame_step, float):
            raise ValueError(f"frame_step must be an integer. Got {dtypes.float32!r}")
        step = _step(frame_step)
        return _overlapped(convert_to_tensor(signal, name="signal"), step)


@_of_last_axes(2)
def _overlapped(x, step):
    *outer, count, length = _sizes(x)
    if type(step) is type(length) is int and step > length:
        raise ValueError(
            f"frame_step ({step}) must be less than or equal to frame_length ({length})"
        )
    total = step * (count - 1) + length
    flat = _shaped(x, [*outer, count * length])
    n = len(outer)
    front = transpose(flat, [n, *range(n)])
    places = reshape(_starts(count, step, length), [-1])
    summed = unsorted_segment_sum(front, places, total)
    return transpose(summed, [*range(1, n + 1), 0])


# ------------------------------------------------------------------ windows
def _raised_cosine(length, periodic, dtype, a, b, name):
    """a - b cos(2 pi k / n), where n is even."""
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {dtype!r}")
    with dispatch.current_mode().name_scope(name):
        length = _int(length, "window_length")
        if length == 1 and type(length) is int:
            return ones([1], dtype)
        n = length + cast(periodic, dtypes.int32) * (1 - length % 2) - 1
        k = cast(range_of(length), dtype)
        turn = realdiv(multiply(k, 2 * math.pi), cast(_most(n, 1), dtype))
        window = a - multiply(cos(turn), b)
        if type(length) is int:
            return window
        one = multiply(ones_like(window, dtypes.int32), length)
        return where(one > 1, window, ones_like(window))


def hann_window(
    window_length: Any, periodic: bool = True, dtype: DTypeValue = dtypes.float32,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The window 0.5 - 0.5 cos(2 pi k / n).

    Args:
        window_length: an int or int scalar. periodic: for spectra; else symmetric.
        dtype: a float DType. name: the name of the scope.
    Returns:
        dtype[window_length]
    Raises:
        ValueError: another dtype.
    Example:
        tf.contrib.signal.hann_window(4)  # [0., 0.5, 1., 0.5]
    """
    name = name or "hann_window"
    return _raised_cosine(window_length, periodic, dtype, 0.5, 0.5, name)


def hamming_window(
    window_length: Any, periodic: bool = True, dtype: DTypeValue = dtypes.float32,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The window 0.54 - 0.46 cos(2 pi k / n); see `hann_window`."""
    name = name or "hamming_window"
    return _raised_cosine(window_length, periodic, dtype, 0.54, 0.46, name)


_HANN = functools.partial(hann_window, periodic=True)


# ------------------------------------------------------------------ spectra
def _power_of_two(length):
    """The least power of two that is not smaller."""
    if type(length) is int:
        return 1 << max(length - 1, 0).bit_length()
    size = log(cast(length, dtypes.float32)) / math.log(2.0)
    return cast(pow(2.0, ceil(size)), dtypes.int32)


def stft(
    signals: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
    window_fn: Callable[..., Any] = _HANN, pad_end: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The spectrum of each frame of signals.

    Args:
        signals: float32[..., n]. frame_length, frame_step, pad_end: see `frame`.
        fft_length: the length of the transform; a power of two by default.
        window_fn: ``(frame_length, dtype) -> window``, or None.
        name: the name of the scope.
    Returns:
        complex64[..., frames, fft_length // 2 + 1]
    Example:
        tf.contrib.signal.stft(tf.ones([8]), 4, 2)  # complex64[3, 3]
    """
    with dispatch.current_mode().name_scope(name or "stft"):
        x = convert_to_tensor(signals, name="signals")
        length = _int(frame_length, "frame_length")
        n = _power_of_two(length) if fft_length is None else fft_length
        frames = frame(x, length, frame_step, pad_end)
        if window_fn is not None:
            frames = multiply(frames, window_fn(length, dtype=frames.dtype))
        return rfft(frames, _vector(_int(n, "fft_length")))


def _vector(n):
    return stack([n]) if is_tensor_like(n) else [n]


def inverse_stft_window_fn(
    frame_step: Any,
    forward_window_fn: Callable[..., Any] = _HANN,
    name: str | None = None,
) -> Callable[..., Any]:
    """The window with which `inverse_stft` undoes `stft`.

    Args:
        frame_step: that of both. forward_window_fn: the window of `stft`.
        name: the name of the scope.
    Returns:
        ``(frame_length, dtype) -> window``, for the `window_fn` of `inverse_stft`
    """
    step = _step(frame_step)

    def window_of(frame_length, dtype):
        scope = name or "inverse_stft_window_fn"
        with dispatch.current_mode().name_scope(scope):
            length = _int(frame_length, "frame_length")
            forward = forward_window_fn(length, dtype=dtype)
            overlaps = -(-length // step)
            squares = _padded(square(forward), 0, overlaps * step - length)
            total = reduce_sum(_shaped(squares, [overlaps, step]), 0)
            own = range_of(length) % step
            return realdiv(forward, gather(total, own))

    return window_of


def inverse_stft(
    stfts: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
    window_fn: Callable[..., Any] = _HANN, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The signals with these spectra of their frames.

    Args:
        stfts: complex64[..., frames, fft_length // 2 + 1].
        frame_length, frame_step, fft_length: those of `stft`.
        window_fn: see `inverse_stft_window_fn`; None = none. name: the scope.
    Returns:
        float32[..., (frames - 1) * frame_step + frame_length]
    Example:
        stfts = tf.contrib.signal.stft(tf.ones([8]), 4, 2)
        tf.contrib.signal.inverse_stft(stfts, 4, 2)  # float32[8]
    """
    with dispatch.current_mode().name_scope(name or "inverse_stft"):
        x = convert_to_tensor(stfts, name="stfts")
        length = _int(frame_length, "frame_length")
        n = _power_of_two(length) if fft_length is None else fft_length
        n = _int(n, "fft_length")
        return _joined(x, length, _step(frame_step), n, window_fn)


@_of_last_axes(2)
def _joined(x, length, step, n, window_fn):
    frames = irfft(x, _vector(n))[..., :length]
    frames = _padded(frames, len(x._shape) - 1, _most(0, length - n))
    if window_fn is not None:
        frames = multiply(frames, window_fn(length, dtype=x.dtype.real_dtype))
    return overlap_and_add(frames, step)


# ------------------------------------------------------------------ mel
def _mel(hertz):
    return 1127.0 * np.log(1.0 + hertz / 700.0)


def _mel_weights(count, highest, edges, dtype, name):
    """The matrix for a number of frequencies that only a run knows."""
    low, middle, high = (
        constant(part, dtype) for part in (edges[:-2], edges[1:-1], edges[2:])
    )
    steps = cast(range_of(1, count), dtype) / cast(count - 1, dtype)
    places = expand_dims(1127.0 * log(1.0 + steps * (highest / 700.0)), 1)
    rise, fall = (places - low) / (middle - low), (high - places) / (high - middle)
    weights = maximum(0.0, where(rise < fall, rise, fall))
    return pad(weights, [[1, 0], [0, 0]], name=name or "linear_to_mel_weight_matrix")


def _check_mel(bins, sample_rate, lower, upper, dtype):
    if bins <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {bins}")
    if sample_rate <= 0.0:
        raise ValueError(f"sample_rate must be positive. Got: {sample_rate}")
    if lower < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {lower}")
    if lower >= upper:
        raise ValueError(
            f"lower_edge_hertz {lower:.1f} >= upper_edge_hertz {upper:.1f}"
        )
    if upper > sample_rate / 2:
        raise ValueError(
            "upper_edge_hertz must not be larger than the Nyquist frequency "
            f"(sample_rate / 2). Got: {upper} for sample_rate: {sample_rate}"
        )
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {dtype!r}")


def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20, num_spectrogram_bins: int = 129,
    sample_rate: TensorValue = 8000, lower_edge_hertz: Any = 125.0,
    upper_edge_hertz: Any = 3800.0, dtype: DTypeValue = dtypes.float32,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The matrix that sums the bins of a spectrum into triangles on the mel scale.

    mel(f) = 1127 log(1 + f / 700)

    Args:
        num_mel_bins: how many triangles. num_spectrogram_bins: how many frequencies,
            from 0 to sample_rate / 2.
        sample_rate: in Hz. lower_edge_hertz, upper_edge_hertz: the ends of the scale.
        dtype: a float DType. name: the name of the node in a graph.
    Returns:
        dtype[num_spectrogram_bins, num_mel_bins]
    Raises:
        ValueError: an argument is out of range.
    Example:
        mel = tf.contrib.signal.linear_to_mel_weight_matrix()
        tf.matmul(tf.ones([2, 129]), mel).shape  # (2, 20)
    """
    dtype, bins = dtypes.as_dtype(dtype), num_mel_bins
    _check_mel(bins, sample_rate, lower_edge_hertz, upper_edge_hertz, dtype)
    edges = np.linspace(_mel(lower_edge_hertz), _mel(upper_edge_hertz), bins + 2)
    if isinstance(num_spectrogram_bins, Tensor):
        return _mel_weights(num_spectrogram_bins, sample_rate / 2, edges, dtype, name)
    if num_spectrogram_bins <= 0:
        raise advised(ValueError, f"Requires num > 0: {num_spectrogram_bins}")
    places = _mel(np.linspace(0.0, sample_rate / 2, num_spectrogram_bins))[1:, None]
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    rise, fall = (places - low) / (middle - low), (high - places) / (high - middle)
    weights = np.maximum(0.0, np.minimum(rise, fall))
    weights = np.concatenate([np.zeros((1, bins)), weights])
    return constant(
        weights.astype(dtype.np), name=name or "linear_to_mel_weight_matrix"
    )


def mfccs_from_log_mel_spectrograms(
    log_mel_spectrograms: Any, name: str | None = None
) -> Tensor:
    """The cosine transform of spectra on the mel scale, divided by sqrt(2 n).

    Args:
        log_mel_spectrograms: float32[..., n], logarithms. name: the name of the scope.
    Returns:
        a tensor like it
    Raises:
        ValueError: n is 0.
    Example:
        mel = tf.ones([1, 4])
        tf.contrib.signal.mfccs_from_log_mel_spectrograms(mel)  # 2.83, 0.0, 0.0, 0.0
    """
    scope = name or "mfccs_from_log_mel_spectrograms"
    with dispatch.current_mode().name_scope(scope):
        x = convert_to_tensor(log_mel_spectrograms, dtypes.float32)
        return _mfccs(x)


@_of_last_axes(1)
def _mfccs(x):
    n = _sizes(x)[-1]
    if type(n) is int and n == 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {x}")
    scale = pow(cast(n, dtypes.float32) * 2.0, -0.5)
    return multiply(dct(x), scale)
