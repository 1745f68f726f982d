"""Rows of ops/image/color.py and ops/image/adjust.py, against the standard library."""

import colorsys

import numpy as np

from tests.support.op_cases.table import case, error, floats
from twinflow.base.errors import FailedPreconditionError
from twinflow.ops.image import adjust as image_adjust
from twinflow.ops.image import color as image_color

_F = np.float32
BYTES = np.random.RandomState(0).randint(0, 256, (4, 5, 3)).astype(np.uint8)
LIGHT = np.random.RandomState(1).uniform(0, 1, (2, 4, 5, 3)).astype(_F)
COARSE = {"float32": 3e-6}
WHY = "sums and quotients in float32"


def pixelwise(f):
    """`f` of three numbers, for each pixel."""
    return lambda x, *_: np.array([f(*p) for p in x.reshape(-1, 3)]).reshape(x.shape)


PIXELS = [
    error(np.zeros((2, 4)), type=FailedPreconditionError, text="only has 4 channels."),
    error(np.array(1.0), text="input must be at least 1D"),
]
_KINDS = ("float16", "bfloat16", "float32", "float64")
case(
    "RGBToHSV", floats(3, 4, 3, low=0.05, high=1), dtypes=_KINDS, errors=PIXELS,
    reference=pixelwise(colorsys.rgb_to_hsv), tol={
        "float16": 5e-3, "bfloat16": 5e-2, "float32": 1e-5, "float64": 1e-12,
    }, reason="hues are quotients of differences",
)  # fmt: skip
case(
    "HSVToRGB", floats(3, 4, 3, low=0, high=1), dtypes=_KINDS, errors=PIXELS,
    reference=pixelwise(colorsys.hsv_to_rgb), tol={
        "float16": 5e-3, "bfloat16": 5e-2, "float32": 1e-5, "float64": 1e-12,
    }, reason="six times the hue is taken apart",
)  # fmt: skip
GRAYS = np.array([[0.0, 0, 0], [0.5, 0.5, 0.5], [1, 0, 0], [1, 0, 1]])
case("RGBToHSV", GRAYS, reference=pixelwise(colorsys.rgb_to_hsv))


def linear(m):
    """The last axis times a matrix."""
    return lambda x: x @ np.array(m)


for _name in ("rgb_to_yiq", "yiq_to_rgb", "rgb_to_yuv", "yuv_to_rgb"):
    case(
        getattr(image_color, _name), floats(2, 3, 3, low=0, high=1),
        reference=linear(getattr(image_color, "_" + _name.upper())),
    )  # fmt: skip
case(
    image_color.rgb_to_grayscale, floats(2, 3, 3, low=0, high=1), dtypes=("float32",),
    reference=lambda x: x @ np.array([[0.2989], [0.587], [0.114]]), grad=(),
)  # fmt: skip
case(
    image_color.rgb_to_grayscale, BYTES,
    reference=lambda x: (
        (x / 255) @ np.array([[0.2989], [0.587], [0.114]]) * 255.5
    ).astype(np.uint8),
)  # fmt: skip
case(
    image_color.grayscale_to_rgb, floats(2, 3, 1),
    reference=lambda x: np.repeat(x, 3, -1),
    errors=[error(np.zeros((2, 3, 3)), type=ValueError, text="not compatible")],
)  # fmt: skip

for _from, _to, _result in (
    (np.array([0, 255, 7], np.uint8), "float32", np.array([0, 1, 7 / 255], _F)),
    (np.array([0, 255, 7], np.uint8), "int16", np.array([0, 255, 7], np.int16) * 128),
    (np.array([0, 2**15 - 1], np.int16), "uint8", np.array([0, 255], np.uint8)),
    (np.array([0.0, 0.999, 0.5], _F), "uint8", np.array([0, 255, 127], np.uint8)),
):
    case(image_color.convert_image_dtype, _from, _to, reference=_result, grad=())
case(
    image_color.convert_image_dtype, np.array([-1.0, 2.0], _F), "uint8", True,
    reference=np.array([0, 255], np.uint8), grad=(),
)  # fmt: skip


# ------------------------------------------------------------------ adjustments
def contrast(x, factor, *bounds):
    """(x - mean) * factor + mean."""
    mean = x.mean((-3, -2), keepdims=True, dtype=np.float64)
    y = (x - mean) * float(factor) + mean
    return np.clip(y, *bounds).astype(_F) if bounds else y.astype(_F)


def turned(x, delta):
    """Another hue."""

    def pixel(r, g, b):
        h, s, v = colorsys.rgb_to_hsv(r, g, b)
        return colorsys.hsv_to_rgb((h + float(delta)) % 1, s, v)

    return pixelwise(pixel)(x.astype(np.float64)).astype(_F)


def saturated(x, scale):
    """Another saturation."""

    def pixel(r, g, b):
        h, s, v = colorsys.rgb_to_hsv(r, g, b)
        return colorsys.hsv_to_rgb(h, min(max(s * float(scale), 0), 1), v)

    return pixelwise(pixel)(x.astype(np.float64)).astype(_F)


FLAT = np.zeros((2, 3), _F)
THREE = "input must be at least 3-D, got shape[2,3]"
for _factor in (0.3, 2.0, -1.0):
    case(
        "AdjustContrastv2", LIGHT, _F(_factor), reference=contrast, grad=(),
        tol=COARSE, reason=WHY, errors=[
            error(FLAT, _F(1), text=THREE),
            error(LIGHT, np.ones(2, _F), text="contrast_factor must be scalar: [2]"),
        ],
    )  # fmt: skip
case(
    "AdjustContrast", BYTES, _F(2), _F(10), _F(200), reference=contrast,
    tol={"float32": 1e-5}, reason=WHY,
    errors=[error(FLAT, _F(1), _F(0), _F(1), text=THREE)],
)  # fmt: skip
for _op, _reference, _values in (
    ("AdjustHue", turned, (0.1, -0.3, 0.5, 1.0)),
    ("AdjustSaturation", saturated, (0.5, 2.0, 0.0)),
):
    for _value in _values:
        case(
            _op, LIGHT, _F(_value), reference=_reference, grad=(),
            tol={"float32": 1e-5}, reason=WHY, errors=[
                error(FLAT, _F(1), text=THREE),
                error(LIGHT[..., :2], _F(1), text="must have 3 channels but instead"),
                error(LIGHT, np.ones(2, _F), text="must be scalar: [2]"),
            ],
        )  # fmt: skip

case(
    image_adjust.adjust_brightness, BYTES, 0.2, grad=(),
    reference=lambda x, d: np.minimum((x / 255 + d) * 255.5, 255).astype(np.uint8),
)  # fmt: skip
case(
    image_adjust.adjust_brightness, floats(3, 4), 0.5, dtypes=("float32",), grad=(),
    reference=lambda x, d: x + d,
)  # fmt: skip
case(
    image_adjust.adjust_gamma, floats(3, 4, low=0, high=1), 2.0, 0.5, grad=(),
    reference=lambda x, gamma, gain: (gain * x**gamma).astype(_F),
    errors=[error(np.zeros(2), -1.0, type=ValueError, text="non-negative real")],
)  # fmt: skip
case(
    image_adjust.per_image_standardization, floats(4, 5, 3), grad=(),
    reference=lambda x: ((x - x.mean()) / x.std()).astype(_F), tol={"float32": 1e-5},
    reason="the mean of squares less the square of the mean",
    errors=[error(np.zeros((2, 3)), type=ValueError, text="must be three-dimensional")],
)  # fmt: skip
case(
    image_adjust.per_image_standardization, np.full((2, 2, 1), 3, np.uint8),
    reference=np.zeros((2, 2, 1), _F),
)  # fmt: skip
