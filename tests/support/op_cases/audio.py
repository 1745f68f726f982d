"""Rows of ops.audio: the numbers are those of TensorFlow 1.12."""

import numpy as np

from tests.support.op_cases.table import case, error
from twinflow.ops.strings.arrays import filled

_SOUND = np.array([[0.0, 0.5], [-0.5, 1.2], [-1.5, 0.25]], np.float32)
_READ = np.array([[0.0, 0.5], [-0.5, 32767 / 32768], [-1.0, 0.25]], np.float32)
_HEAD = (
    b"RIFF0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x80>\0\0\0\xfa\0\0\x04\0\x10\0data"
    b"\x0c\0\0\0"
)
_FILE = _HEAD + b"\0\0\0@\0\xc0\xff\x7f\0\x80\0 "


def _text(data):
    return filled([data], ())


_RATE = np.int32(16000)
case(
    "EncodeWav", _SOUND, _RATE, reference=_text(_FILE), dtypes=("float32",),
    errors=[error(np.zeros([0, 2], np.float32), _RATE, text="audio is null")],
)  # fmt: skip
case(
    "DecodeWav", _text(_FILE), reference=[_READ, _RATE],
    attrs={"desired_channels": -1, "desired_samples": -1},
    errors=[
        error(_text(b"junk"), text="Expected RIFF but found junk"),
        error(_text(_FILE[:50]), text="Data too short when trying to read string"),
    ],
)  # fmt: skip
case(
    "DecodeWav", _text(_FILE), attrs={"desired_channels": 3, "desired_samples": 2},
    reference=[_READ[:2][:, [0, 1, 1]], _RATE],
)  # fmt: skip
_WAVE = np.array([0, 0.5, -0.25, 0.75, 1, -1, 0.125, 0.5], np.float32)[:, None]
_POWER = np.array([[
    [0.140625, 0.078125, 0.765625],
    [0.765625, 1.765625, 1.265625],
    [0.015625, 0.578125, 0.140625],
]], np.float32)  # fmt: skip
_FRAMES = {"window_size": 4, "stride": 2}
case(
    "AudioSpectrogram", _WAVE, attrs=_FRAMES | {"magnitude_squared": True},
    reference=_POWER, dtypes=("float32",),
    errors=[
        error(
            _WAVE, window_size=1, stride=2, magnitude_squared=False,
            text="Spectrogram initialization failed for window size 1 and stride 2",
        )
    ],
)  # fmt: skip
case(
    "AudioSpectrogram", _WAVE, attrs=_FRAMES | {"magnitude_squared": False},
    reference=np.sqrt(_POWER), dtypes=("float32",),
)  # fmt: skip
case(
    "Mfcc", np.arange(18, dtype=np.float32).reshape(1, 2, 9), np.int32(8000),
    attrs={
        "upper_frequency_limit": 3500.0, "lower_frequency_limit": 50.0,
        "filterbank_channel_count": 5, "dct_coefficient_count": 3,
    },
    reference=np.array(
        [[[1.01036, -1.84333, -0.24302], [3.67503, -1.29966, -0.24133]]], np.float32
    ),
    dtypes=("float32",), tol={"float32": 1e-5},
    reason="the numbers are written with five digits",
)  # fmt: skip
