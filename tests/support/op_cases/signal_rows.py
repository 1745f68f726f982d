"""Rows of ops/signal/frames.py."""

import numpy as np

from tests.support.op_cases.table import case, error, floats
from twinflow.ops.core.complex import imag, real
from twinflow.ops.signal import frames as signal


def _frames(x, length, step, pad_end=False, pad_value=0, axis=-1):
    n = x.shape[axis]
    count = -(-n // step) if pad_end else max(0, 1 + (n - length) // step)
    x = np.moveaxis(x, axis, 0)
    if pad_end:
        more = np.full((length * step, *x.shape[1:]), pad_value, x.dtype)
        x = np.concatenate([x, more])
    places = np.arange(count)[:, None] * step + np.arange(length)
    axis %= x.ndim
    return np.moveaxis(x[places], (0, 1), (axis, axis + 1))


for _length, _step, _attrs in (
    (3, 2, {}), (2, 3, {}), (9, 1, {}), (3, 2, {"pad_end": True, "pad_value": 7}),
    (2, 1, {"axis": 0}), (2, 2, {"axis": 1, "pad_end": True}), (1, 1, {}),
):  # fmt: skip
    case(
        signal.frame, floats(3, 4, 7), _length, _step, attrs=_attrs, reference=_frames,
        needs="rank" if "axis" in _attrs else "",
        errors=[error(1.0, 2, 1, type=ValueError, text="must have rank at least 1")],
    )  # fmt: skip


def _added(x, step):
    count, length = x.shape[-2:]
    out = np.zeros((*x.shape[:-2], step * (count - 1) + length))
    for i in range(count):
        out[..., i * step : i * step + length] += x[..., i, :]
    return out


_LARGE = error(
    np.zeros((2, 2)), 3, type=ValueError,
    text="frame_step (3) must be less than or equal to frame_length (2)",
)  # fmt: skip
for _step in (1, 2, 3):
    case(
        signal.overlap_and_add, floats(2, 4, 3), _step, reference=_added,
        errors=[_LARGE],
    )  # fmt: skip


def _window(n, a, periodic=True):
    size = n + (periodic and n % 2 == 0) - 1
    w = a - (1 - a) * np.cos(2 * np.pi * np.arange(n) / max(size, 1))
    return np.ones(1, np.float32) if n == 1 else w.astype(np.float32)


for _function, _a in (signal.hann_window, 0.5), (signal.hamming_window, 0.54):
    for _n in (1, 4, 5):
        for _periodic in (True, False):
            case(
                _function, _n, _periodic, reference=_window(_n, _a, _periodic),
                tol={"float32": 2e-6}, reason="angles in float32",
                errors=[
                    error(3, True, "int32", type=ValueError, text="a floating point")
                ],
            )  # fmt: skip


def spectra(x, length, step, fft_length=None):
    y = signal.stft(x, length, step, fft_length)
    return real(y), imag(y)


def _spectra(x, length, step, fft_length=None):
    n = fft_length or 1 << (length - 1).bit_length()
    framed = _frames(x, length, step)[..., :n] * _window(length, 0.5)[:n]
    y = np.fft.rfft(framed, n)
    return [y.real.astype(np.float32), y.imag.astype(np.float32)]


def there_and_back(x, length, step):
    y = signal.stft(x, length, step)
    window = signal.inverse_stft_window_fn(step)
    return signal.inverse_stft(y, length, step, window_fn=window)[..., 4:8]


for _length in (4, 5, 3):
    case(
        spectra, floats(2, 12), _length, 2, reference=_spectra, grad=(),
        dtypes=("float32",), tol={"float32": 4e-6}, reason="sums of float32",
    )  # fmt: skip
case(
    spectra, floats(2, 12), 4, 2, 8, reference=_spectra, grad=(), dtypes=("float32",),
    tol={"float32": 4e-6}, reason="sums of float32",
)  # fmt: skip
case(
    there_and_back, floats(2, 16), 4, 2, reference=lambda x, n, s: x[..., 4:8],
    grad=(), dtypes=("float32",), tol={"float32": 4e-6}, reason="sums of float32",
)  # fmt: skip


def _cosines(x):
    n = x.shape[-1]
    k, j = np.arange(n)[:, None], np.arange(n)
    y = x @ (2 * np.cos(np.pi * k * (2 * j + 1) / (2 * n))).T / np.sqrt(2 * n)
    return y.astype(np.float32)


case(
    signal.mfccs_from_log_mel_spectrograms, floats(2, 6), reference=_cosines, grad=(),
    dtypes=("float32",), tol={"float32": 4e-6}, reason="sums of float32",
)  # fmt: skip


_BAD_MEL = [
    error(0, type=ValueError, text="num_mel_bins must be positive. Got: 0"),
    error(4, 9, -1, type=ValueError, text="sample_rate must be positive. Got: -1"),
    error(4, 9, 80, -1.0, type=ValueError, text="lower_edge_hertz must be non-neg"),
    error(4, 9, 80, 9.0, 8.0, type=ValueError, text="9.0 >= upper_edge_hertz 8.0"),
    error(4, 9, 80, 9.0, 80.0, type=ValueError, text="larger than the Nyquist frequ"),
]
case(
    signal.linear_to_mel_weight_matrix, 2, 5, 8000, 0.0, 4000.0, errors=_BAD_MEL,
    reference=np.array(
        [[0, 0], [0.602113, 0.397887], [0, 0.87328], [0, 0.376891], [0, 0]], np.float32
    ),
    tol={"float32": 1e-5}, reason="numbers of six digits",
)  # fmt: skip
