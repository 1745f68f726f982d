"""Brighter, duller, redder: images whose values are moved by some amount."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dispatch import apply, current_mode
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import (
    add,
    maximum,
    multiply,
    rsqrt,
    sqrt,
    square,
    subtract,
)
from twinflow.ops.core.infer import at_least, dim_is, ranked, text
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.size import size
from twinflow.ops.image.check import by_shape, no_slope
from twinflow.ops.image.color import (
    channels,
    convert_image_dtype,
    hue_of,
    hue_parts,
    saturation_of,
)
from twinflow.ops.image.shape import after, check, nonempty
from twinflow.ops.random.draws import random_uniform, scoped


# ------------------------------------------------------------------ ops
def _infer(channels=None):
    def infer(images, *scalars):
        s = images._shape
        for x in scalars:
            ranked(x._shape, 0)
        at_least(s, 3)
        if s is not None and channels:
            dim_is(s[-1], channels)
        return s

    return infer


def _check(*names, channels=None):
    def wrong(images, *scalars):
        s = images.shape
        if len(s) < 3:
            return f"input must be at least 3-D, got shape{text(s)}"
        for name, x in zip(names, scalars):
            if x.ndim:
                return f"{name} must be scalar: {text(x.shape)}"
        if channels and s[-1] != channels:
            return (
                f"input must have {channels} channels but instead has {s[-1]} channels."
            )
        return None

    return by_shape(wrong)


@bind_first
def _contrast(xp, images, contrast_factor):
    x = images.astype(np.float32)
    if xp is np:
        return _stretched(x, contrast_factor)
    mean = xp.mean(x, (-3, -2), keepdims=True)
    return (x - mean) * contrast_factor + mean


def _stretched(x, factor):
    """NumPy's contrast, by whole rows and BLAS: 3 channels make slow inner loops."""
    if not x.size:
        return x
    *lead, height, width, depth = x.shape
    ones = np.full((1, height * width), np.float32(1))
    mean = ones @ x.reshape(*lead, -1, depth) / np.float32(height * width)
    mean = np.tile(mean, width)
    y = x.reshape(*lead, height, width * depth) - mean
    y *= factor
    y += mean
    return y.reshape(x.shape)


def _clipped_contrast(xp):
    contrast = _contrast(xp)

    def kernel(images, contrast_factor, min_value, max_value):
        return xp.clip(contrast(images, contrast_factor), min_value, max_value)

    return kernel


def _contrast_slope(dy, contrast_factor):
    """The op is linear in the images, and its matrix is symmetric."""
    return apply(AdjustContrastv2, (dy, contrast_factor))


def _factor_slope(dy, images):
    mean = reduce_mean(images, [-3, -2], keepdims=True)
    return reduce_sum(multiply(dy, subtract(images, mean)))


AdjustContrastv2 = define(
    "AdjustContrastv2",
    infer=_infer(),
    kernel=_contrast,
    **_check("contrast_factor"),
    grad=[_contrast_slope, _factor_slope],
)

AdjustContrast = define(
    "AdjustContrast",
    infer=_infer(),
    kernel=_clipped_contrast,
    **_check("contrast_factor", "min_value", "max_value"),
)


@bind_first
def _hue(xp, images, delta):
    hue, low, top = hue_of(xp, *channels(xp, images))
    turned = hue + delta
    parts = hue_parts(xp, turned - xp.floor(turned))
    mixed = [xp.where(p == 1, top, low + (top - low) * p) for p in parts]
    return xp.stack(mixed, -1)


AdjustHue = define(
    "AdjustHue",
    infer=_infer(3),
    kernel=_hue,
    **_check("delta", channels=3),
    grad=[no_slope("AdjustHue")] * 2,
)


@bind_first
def _saturation(xp, images, scale):
    hue, low, top = hue_of(xp, *channels(xp, images))
    saturation = saturation_of(xp, low, top) * scale
    color = xp.clip(saturation, np.float32(0), np.float32(1)) * top
    low = top - color
    return xp.stack([low + color * p for p in hue_parts(xp, hue)], -1)


AdjustSaturation = define(
    "AdjustSaturation",
    infer=_infer(3),
    kernel=_saturation,
    **_check("scale", channels=3),
    grad=[no_slope("AdjustSaturation")] * 2,
)


# ------------------------------------------------------------------ fixed amounts
def adjust_brightness(image: TensorValue, delta: TensorValue) -> Tensor:
    """`image` + delta, on the scale from 0 to 1.

    Args:
        image: number tensor of any shape; ints are clipped to their range.
        delta: float scalar, usually in (-1, 1).
    Returns:
        A tensor like `image`.
    Example:
        tf.image.adjust_brightness(tf.constant([100], tf.uint8), 0.1)  # [125]
    """
    with scoped(None, "adjust_brightness") as scope:
        image = convert_to_tensor(image, name="image")
        light = convert_image_dtype(image, dtypes.float32)
        adjusted = add(light, cast(delta, dtypes.float32), scope)
        return convert_image_dtype(adjusted, image.dtype, True)


def adjust_contrast(images: TensorValue, contrast_factor: Any) -> Tensor:
    """(x - mean) * contrast_factor + mean, with the mean of each channel of an image.

    Args:
        images: number[..., height, width, channels]; ints are clipped to their range.
        contrast_factor: float32 scalar.
    Returns:
        A tensor like `images`.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): fewer than 3 axes.
    Example:
        tf.image.adjust_contrast([[[0.2], [0.4]]], 2.)  # 0.1, 0.5
    """
    with scoped(None, "adjust_contrast") as scope:
        images = convert_to_tensor(images, name="images")
        light = convert_image_dtype(images, dtypes.float32)
        adjusted = apply(AdjustContrastv2, (light, contrast_factor), None, scope)
        return convert_image_dtype(adjusted, images.dtype, True)


def adjust_gamma(
    image: TensorValue, gamma: TensorValue = 1, gain: TensorValue = 1
) -> Tensor:
    """gain * x ** gamma, where x is on the scale from 0 to 1.

    Args:
        image: number tensor of any shape. gamma: a number of at least 0, or a tensor.
        gain: a number or tensor.
    Returns:
        float32, of the shape and in the number range of `image`.
    Raises:
        ValueError: `gamma` is negative (InvalidArgumentError for a tensor).
    Example:
        tf.image.adjust_gamma([0.25], gamma=0.5)  # [0.5]
    """
    with scoped(None, "adjust_gamma"):
        image = convert_to_tensor(image, name="image")
        checks = check(gamma >= 0, "Gamma should be a non-negative real number.")
        gamma = after(checks, gamma)
        low, high = image.dtype.limits
        scale = constant(float(high - low), dtypes.float32)
        return (cast(image, dtypes.float32) / scale) ** gamma * scale * gain


def adjust_hue(
    image: TensorValue, delta: TensorValue, name: str | None = None
) -> Tensor:
    """The colors of an image, moved along the circle of hues.

    Args:
        image: number[..., height, width, 3], RGB.
        delta: float32 scalar in [-1, 1], by how much of the circle.
        name: the name scope in a graph.
    Returns:
        A tensor like `image`.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shape is another.
    Example:
        tf.image.adjust_hue([[[1., 0., 0.]]], 1 / 3)  # 0., 1., 0.
    """
    with scoped(name, "adjust_hue"):
        image = convert_to_tensor(image, name="image")
        light = convert_image_dtype(image, dtypes.float32)
        return convert_image_dtype(apply(AdjustHue, (light, delta)), image.dtype)


def adjust_saturation(
    image: TensorValue, saturation_factor: Any, name: str | None = None
) -> Tensor:
    """The saturation of each pixel times a factor, at most 1; see tf.image.rgb_to_hsv.

    Args:
        image: number[..., height, width, 3], RGB.
        saturation_factor: float32 scalar. name: the name scope in a graph.
    Returns:
        A tensor like `image`.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shape is another.
    Example:
        tf.image.adjust_saturation([[[1., 0., 0.]]], 0.5)  # 1, 0.5, 0.5
    """
    with scoped(name, "adjust_saturation"):
        image = convert_to_tensor(image, name="image")
        light = convert_image_dtype(image, dtypes.float32)
        return convert_image_dtype(
            apply(AdjustSaturation, (light, saturation_factor)), image.dtype
        )


def per_image_standardization(image: TensorValue) -> Tensor:
    """(x - mean) / max(stddev, 1 / sqrt(number of values)), over the whole image.

    Args:
        image: number[height, width, channels].
    Returns:
        float32, of the shape of `image`.
    Raises:
        ValueError: `image` has another rank, or is empty.
    Example:
        tf.image.per_image_standardization([[[1.], [3.]]])  # -1, 1
    """
    with scoped(None, "per_image_standardization") as scope:
        image = convert_to_tensor(image, name="image")
        if image._shape is not None and len(image._shape) != 3:
            raise ValueError(
                f"'image' (shape {image.shape}) must be three-dimensional."
            )
        image = after(nonempty(image), image)
        current_mode().leave_ids(2)
        count = cast(size(image), dtypes.float32)
        image = cast(image, dtypes.float32)
        mean = reduce_mean(image)
        variance = subtract(reduce_mean(square(image)), square(mean))
        spread = maximum(sqrt(maximum(variance, 0.0)), rsqrt(count))
        return div(subtract(image, mean), spread, scope)


# ------------------------------------------------------------------ random amounts
def _factor(lower, upper, seed):
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")
    return random_uniform([], lower, upper, seed=seed)


def _delta(max_delta, seed):
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return random_uniform([], -max_delta, max_delta, seed=seed)


def random_brightness(
    image: TensorValue, max_delta: Any, seed: int | None = None
) -> Tensor:
    """`tf.image.adjust_brightness` by a random delta in [-max_delta, max_delta).

    Args:
        image: see there. max_delta: float, at least 0.
        seed: an int; see tf.set_random_seed.
    Raises:
        ValueError: `max_delta` is negative.
    Example:
        tf.image.random_brightness(tf.ones([2, 3, 3]), 0.2).shape  # (2, 3, 3)
    """
    return adjust_brightness(image, _delta(max_delta, seed))


def random_contrast(
    image: TensorValue, lower: Any, upper: Any, seed: int | None = None
) -> Tensor:
    """`tf.image.adjust_contrast` by a random factor in [lower, upper).

    Args:
        image: see there. lower, upper: floats, 0 <= lower < upper.
        seed: an int; see tf.set_random_seed.
    Raises:
        ValueError: the bounds are not as above.
    Example:
        tf.image.random_contrast(tf.ones([2, 3, 3]), 0.5, 1.5).shape  # (2, 3, 3)
    """
    return adjust_contrast(image, _factor(lower, upper, seed))


def random_hue(image: TensorValue, max_delta: Any, seed: int | None = None) -> Tensor:
    """`tf.image.adjust_hue` by a random delta in [-max_delta, max_delta).

    Args:
        image: see there. max_delta: float in [0, 0.5].
        seed: an int; see tf.set_random_seed.
    Raises:
        ValueError: `max_delta` is not in [0, 0.5].
    Example:
        tf.image.random_hue(tf.ones([2, 3, 3]), 0.1).shape  # (2, 3, 3)
    """
    if max_delta > 0.5:
        raise ValueError("max_delta must be <= 0.5.")
    return adjust_hue(image, _delta(max_delta, seed))


def random_saturation(
    image: TensorValue, lower: Any, upper: Any, seed: int | None = None
) -> Tensor:
    """`tf.image.adjust_saturation` by a random factor in [lower, upper).

    Args:
        image: see there. lower, upper: floats, 0 <= lower < upper.
        seed: an int; see tf.set_random_seed.
    Raises:
        ValueError: the bounds are not as above.
    Example:
        tf.image.random_saturation(tf.ones([2, 3, 3]), 0.5, 1.5).shape  # (2, 3, 3)
    """
    return adjust_saturation(image, _factor(lower, upper, seed))
