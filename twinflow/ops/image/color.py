"""Images in other number ranges and color spaces."""

import numpy as np

from twinflow.base import dispatch, dtypes, errors
from twinflow.base.annotations import DTypeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.creation import ones
from twinflow.ops.core.describe import published
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.infer import at_least, dim_is
from twinflow.ops.core.joining import concat, tile
from twinflow.ops.core.shape import shape
from twinflow.ops.image.check import by_shape
from twinflow.ops.math.clip import saturate_cast
from twinflow.ops.matrix.contraction import tensordot
from twinflow.ops.random.draws import scoped

_GRAY = [[0.2989], [0.5870], [0.1140]]
_RGB_TO_YIQ = [
    [0.299, 0.59590059, 0.2115],
    [0.587, -0.27455667, -0.52273617],
    [0.114, -0.32134392, 0.31119955],
]
_YIQ_TO_RGB = [
    [1, 1, 1],
    [0.95598634, -0.27201283, -1.10674021],
    [0.6208248, -0.64720424, 1.70423049],
]
_RGB_TO_YUV = [
    [0.299, -0.14714119, 0.61497538],
    [0.587, -0.28886916, -0.51496512],
    [0.114, 0.43601035, -0.10001026],
]
_YUV_TO_RGB = [
    [1, 1, 1],
    [0, -0.394642334, 2.03206185],
    [1.13988303, -0.58062185, 0],
]


# ------------------------------------------------------------------ number ranges
def convert_image_dtype(
    image: TensorValue, dtype: DTypeValue, saturate: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """An image in the number range of another dtype.

    Floats are in [0, 1), ints in [0, dtype.max]; what is outside overflows.

    Args:
        image: float or integer tensor of any shape. dtype: the DType to convert to.
        saturate: clip to the range of `dtype` before converting.
        name: the name of the result in a graph.
    Returns:
        dtype, of the shape of `image`.
    Example:
        image = tf.constant([0, 255], tf.uint8)
        tf.image.convert_image_dtype(image, tf.float32)  # [0., 1.]
    """
    image, dtype = convert_to_tensor(image, name="image"), dtypes.as_dtype(dtype)
    if dtype == image.dtype:
        return image if dispatch.current_mode().eager else identity(image, name)
    to = saturate_cast if saturate else cast
    with scoped(name, "convert_image") as scope:
        if image.dtype.is_integer and dtype.is_integer:
            return _between_ints(image, dtype, to, scope)
        if image.dtype.is_floating and dtype.is_floating:
            return cast(image, dtype, scope)
        if image.dtype.is_integer:
            return multiply(cast(image, dtype), 1.0 / image.dtype.max, scope)
        return to(multiply(image, dtype.max + 0.5), dtype, scope)


def _between_ints(image, dtype, to, name):
    have, wanted = image.dtype.max + 1, dtype.max + 1
    if have > wanted:
        return to(div(image, have // wanted), dtype, name)
    return multiply(to(image, dtype), wanted // have, name)


# ------------------------------------------------------------------ linear maps
def _mapped(images, matrix):
    """The last axis of `images` times a matrix."""
    kernel = constant(matrix, images.dtype, name="kernel")
    return tensordot(images, kernel, [[-1], [0]])


def rgb_to_grayscale(images: TensorValue, name: str | None = None) -> Tensor:
    """The brightness 0.2989 R + 0.587 G + 0.114 B of each pixel.

    Args:
        images: number[..., 3]. name: the name of the result in a graph.
    Returns:
        The dtype of `images`, [..., 1].
    Example:
        tf.image.rgb_to_grayscale([[[1., 0., 0.]]])  # 0.2989
    """
    with scoped(name, "rgb_to_grayscale") as scope:
        images = convert_to_tensor(images, name="images")
        gray = _mapped(convert_image_dtype(images, dtypes.float32), _GRAY)
        return convert_image_dtype(gray, images.dtype, name=scope)


def grayscale_to_rgb(images: TensorValue, name: str | None = None) -> Tensor:
    """The one channel of each pixel, three times.

    Args:
        images: number[..., 1]. name: the name of the result in a graph.
    Returns:
        The dtype of `images`, [..., 3].
    Raises:
        ValueError: the last axis is not of size 1.
    Example:
        tf.image.grayscale_to_rgb([[[7]]])  # [[[7, 7, 7]]]
    """
    with scoped(name, "grayscale_to_rgb") as scope:
        images = convert_to_tensor(images, name="images")
        s = images._shape
        if s is None:
            lead = ones(shape(shape(images)) - 1, dtypes.int32)
            return tile(images, concat([lead, [3]], 0), scope)
        return _settled(tile(images, (*(1,) * (len(s) - 1), 3), scope), s[:-1] + (3,))


def _settled(t, wanted):
    """`t`, refused if it cannot have the shape `wanted`."""
    if t.symbolic:
        t.set_shape(wanted)
    elif t._shape != wanted:
        raise ValueError(
            f"Tensor's shape {t._shape} is not compatible with supplied shape {wanted}"
        )
    return t


def _space(fname, matrix, text):
    def convert(images: TensorValue) -> Tensor:
        images = convert_to_tensor(images, name="images")
        return _mapped(images, matrix)

    grey, same_grey = "0.5, 0.5, 0.5", "0.5, 0.0, 0.0"
    inverse = fname.endswith("rgb")
    before, after = (same_grey, grey) if inverse else (grey, same_grey)
    doc = f"""{text}: one linear map of each pixel.

    Args:
        images: float[..., 3].
    Returns:
        A tensor like `images`.
    Example:
        tf.image.{fname}([[[{before}]]])  # {after}
    """
    return published(convert, fname, doc, "twinflow.image")


rgb_to_yiq = _space("rgb_to_yiq", _RGB_TO_YIQ, "From RGB in [0, 1] to YIQ")
yiq_to_rgb = _space("yiq_to_rgb", _YIQ_TO_RGB, "From YIQ to RGB in [0, 1]")
rgb_to_yuv = _space("rgb_to_yuv", _RGB_TO_YUV, "From RGB in [0, 1] to YUV")
yuv_to_rgb = _space("yuv_to_rgb", _YUV_TO_RGB, "From YUV to RGB in [0, 1]")


# ------------------------------------------------------------------ hue
def _infer_pixels(images):
    s = images._shape
    at_least(s, 1)
    if s is None:
        return None
    dim_is(s[-1], 3)
    return (*s[:-1], 3)


def _check_rank(images):
    return None if images.ndim else "input must be at least 1D[]"


def _refuse(images):
    if images.shape[-1] != 3:
        n = images.shape[-1]
        text = f"input must have 3 channels but input only has {n} channels."
        raise errors.FailedPreconditionError(None, None, text)


def channels(xp, images):
    """The last axis as arrays, each in one piece: NumPy is twice as fast on those."""
    planes = xp.moveaxis(images, -1, 0)
    return np.ascontiguousarray(planes) if xp is np else planes


def hue_of(xp, r, g, b):
    """(hue in [0, 1], the smallest channel, the largest channel)."""
    one = r.dtype.type
    low, top = xp.minimum(xp.minimum(r, g), b), xp.maximum(xp.maximum(r, g), b)
    span = top - low
    colored = span > 0
    norm = one(1) / (one(6) * xp.where(colored, span, one(1)))
    blue = norm * (r - g) + one(4 / 6)
    green = norm * (b - r) + one(2 / 6)
    hue = xp.where(r == top, norm * (g - b), xp.where(g == top, green, blue))
    hue = xp.where(colored, hue, one(0))
    return xp.where(hue < 0, hue + one(1), hue), low, top


def saturation_of(xp, low, top):
    """How much of the largest channel the smallest one lacks."""
    one, bright = top.dtype.type, top > 0
    return xp.where(bright, (top - low) / xp.where(bright, top, one(1)), one(0))


def hue_parts(xp, hue):
    """How much of red, green and blue a pure color of this hue has, each in [0, 1]."""
    one = hue.dtype.type
    h = hue * one(6)
    parts = (
        xp.abs(h - one(3)) - one(1),
        one(2) - xp.abs(h - one(2)),
        one(2) - xp.abs(h - one(4)),
    )
    return [xp.minimum(xp.maximum(p, one(0)), one(1)) for p in parts]


@bind_first
def _to_hsv(xp, images):
    _refuse(images)
    hue, low, top = hue_of(xp, *channels(xp, images))
    return xp.stack([hue, saturation_of(xp, low, top), top], -1)


@bind_first
def _to_rgb(xp, images):
    _refuse(images)
    hue, s, v = channels(xp, images)
    rest = images.dtype.type(1) - s
    parts = hue_parts(xp, hue)
    return xp.stack([(rest + s * p) * v for p in parts], -1)


RGBToHSV = define(
    "RGBToHSV", infer=_infer_pixels, kernel=_to_hsv, **by_shape(_check_rank)
)

HSVToRGB = define(
    "HSVToRGB", infer=_infer_pixels, kernel=_to_rgb, **by_shape(_check_rank)
)


def rgb_to_hsv(images: TensorValue, name: str | None = None) -> Tensor:
    """The hue, saturation and value of each pixel; not differentiable.

    V = max(R, G, B), S = (V - min(R, G, B)) / V, and H in [0, 1] is where the color
    lies on the circle red, yellow, green, cyan, blue, magenta.

    Args:
        images: float[..., 3], RGB in [0, 1]. name: the name of the node in a graph.
    Returns:
        A tensor like `images`.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the last axis is not 3.
    Example:
        tf.image.rgb_to_hsv([[[0., 1., 0.]]])  # 0.333, 1.0, 1.0
    """
    return apply(RGBToHSV, (images,), None, name)


def hsv_to_rgb(images: TensorValue, name: str | None = None) -> Tensor:
    """The inverse of `tf.image.rgb_to_hsv`; not differentiable.

    Args:
        images: float[..., 3], HSV in [0, 1]. name: the name of the node in a graph.
    Returns:
        A tensor like `images`.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the last axis is not 3.
    Example:
        tf.image.hsv_to_rgb([[[1 / 3, 1., 1.]]])  # 0, 1, 0
    """
    return apply(HSVToRGB, (images,), None, name)
