"""Edges in images, and how far two images are apart."""

import math
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.padding import pad
from twinflow.ops.core.compare import equal, greater_equal
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import (
    add,
    log,
    multiply,
    pow,
    square,
    squared_difference,
    subtract,
)
from twinflow.ops.core.joining import concat, stack, tile
from twinflow.ops.core.reduction import reduce_all, reduce_mean, reduce_prod, reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.image.color import convert_image_dtype
from twinflow.ops.image.shape import after
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.conv_separable import depthwise_conv2d
from twinflow.ops.nn.pool import avg_pool
from twinflow.ops.random.draws import scoped

_SOBEL = np.array(
    [[[-1, -2, -1], [0, 0, 0], [1, 2, 1]], [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]]
)
_WINDOW, _SIGMA = 11, 1.5
_K1, _K2 = 0.01, 0.03
_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


# ------------------------------------------------------------------ edges
def image_gradients(image: TensorValue) -> tuple[Tensor, Tensor]:
    """How much each pixel differs from the one below and the one to the right.

    Args:
        image: number[batch, height, width, channels].
    Returns:
        (dy, dx), each like `image`; the last row of dy and the last column of dx are 0.
    Raises:
        ValueError: `image` has not 4 axes.
    Example:
        dy, dx = tf.image.image_gradients(tf.constant([[[[1.], [3.]]]]))
        dx  # 2., 0.
    """
    image = convert_to_tensor(image)
    if image._shape is None or len(image._shape) != 4:
        raise ValueError(
            "image_gradients expects a 4D tensor [batch_size, h, w, d], not "
            f"{image.shape}."
        )
    down = subtract(image[:, 1:], image[:, :-1])
    right = subtract(image[:, :, 1:], image[:, :, :-1])
    dy = concat([down, zeros_like(image[:, :1])], 1)
    dx = concat([right, zeros_like(image[:, :, :1])], 2)
    whole = shape(image)
    return reshape(dy, whole), reshape(dx, whole)


def sobel_edges(image: TensorValue) -> Tensor:
    """The Sobel operator: smoothed differences along the height and the width.

    Args:
        image: float[batch, height, width, channels], at least 2x2.
    Returns:
        float[batch, height, width, channels, 2], (dy, dx) for each channel.
    Example:
        tf.image.sobel_edges(tf.ones([1, 4, 4, 3]))  # float32[1, 4, 4, 3, 2]
    """
    image = convert_to_tensor(image)
    static, run = image.shape, shape(image)
    kernel = constant(_SOBEL.transpose(1, 2, 0)[:, :, None], image.dtype)
    filters = tile(kernel, [1, 1, run[-1], 1], name="sobel_filters")
    padded = pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT")
    found = depthwise_conv2d(padded, filters, [1, 1, 1, 1], "VALID")
    found = reshape(found, concat([run, [2]], 0))
    if found.symbolic:
        found.set_shape(static.concatenate([2]))
    return found


def total_variation(images: TensorValue, name: str | None = None) -> Tensor:
    """The sum of the absolute differences of neighbouring pixels, a measure of noise.

    Args:
        images: number[height, width, channels], or a batch of them.
        name: the name scope in a graph.
    Returns:
        A scalar, or [batch], of the dtype of `images`.
    Raises:
        ValueError: `images` has another rank.
    Example:
        tf.image.total_variation(tf.constant([[[1.], [3.]]]))  # 2.0
    """
    with scoped(name, "total_variation"):
        images = convert_to_tensor(images)
        rank = None if images._shape is None else len(images._shape)
        if rank == 3:
            down, right = images[1:] - images[:-1], images[:, 1:] - images[:, :-1]
            axes = None
        elif rank == 4:
            down = images[:, 1:] - images[:, :-1]
            right = images[:, :, 1:] - images[:, :, :-1]
            axes = [1, 2, 3]
        else:
            raise ValueError("'images' must be either 3 or 4-dimensional.")
        parts = (reduce_sum(absolute(d), axes) for d in (down, right))
        return add(*parts)


# ------------------------------------------------------------------ two images
def compatible_shapes(img1, img2):
    """(their shapes, what checks them when the graph runs) of images to compare.

    Raises:
        ValueError: they cannot be compared, as far as it is known.
    """
    return shape(img1), shape(img2), _compatible(img1, img2)


def _compatible(a, b):
    """Checks that two batches of images can be compared.

    Raises:
        ValueError: they cannot, as far as it is known.
    """
    s, t = (x.shape.with_rank_at_least(3) for x in (a, b))
    s[-3:].assert_is_compatible_with(t[-3:])
    if s.ndims is not None and t.ndims is not None:
        for p, q in zip(reversed(s.as_list()[:-3]), reversed(t.as_list()[:-3])):
            if p not in (1, None) and q not in (1, None) and p != q:
                raise ValueError(f"Two images are not compatible: {s} and {t}")
    if s.is_fully_defined() and t.is_fully_defined():
        return []
    run = shape(a), shape(b)
    same = reduce_all(equal(run[0][-3:], run[1][-3:]))
    checks = Assert(greater_equal(size(run[0]), 3), [*run], summarize=10)
    return [c for c in (checks, Assert(same, [*run], summarize=10)) if c is not None]


def _floats(a, b, max_val):
    """Two images and the largest value, as float32."""
    max_val = cast(max_val, a.dtype)
    return [convert_image_dtype(x, dtypes.float32) for x in (a, b, max_val)]


def psnr(
    a: TensorValue, b: TensorValue, max_val: Any, name: str | None = None
) -> Tensor:
    """The peak signal-to-noise ratio 20 log10(max_val) - 10 log10(mean((a - b)^2)).

    Args:
        a, b: number[..., height, width, channels], batches of images.
        max_val: the distance between the smallest and the largest possible value.
        name: the name scope in a graph.
    Returns:
        float32[...], in dB; inf for equal images.
    Raises:
        ValueError: the shapes do not fit.
    Example:
        tf.image.psnr(tf.zeros([8, 8, 3]), tf.ones([8, 8, 3]), max_val=10.)  # 20
    """
    with scoped(name, "PSNR"):
        a, b = convert_to_tensor(a), convert_to_tensor(b)
        a, b, top = _floats(a, b, max_val)
        error = reduce_mean(squared_difference(a, b), [-3, -2, -1])
        peak = 20 * log(top) / math.log(10.0)
        noise = multiply(np.float32(10 / np.log(10)), log(error))
        return identity(after(_compatible(a, b), subtract(peak, noise, "psnr")))


def _gauss():
    """float32[11, 11, 1, 1]: the window, of sum 1."""
    x = np.arange(_WINDOW, dtype=np.float64) - (_WINDOW - 1) / 2
    g = np.exp(-np.add.outer(x**2, x**2) / (2 * _SIGMA**2))
    return (g / g.sum()).astype(np.float32)[:, :, None, None]


def _large_enough(images):
    """Checks that the window fits into the images."""
    s = images.shape[-3:-1]
    if s.is_fully_defined() and min(s.as_list()) >= _WINDOW:
        return []
    run = shape(images)
    fits = reduce_all(greater_equal(run[-3:-1], _WINDOW))
    op = Assert(fits, [run, constant(_WINDOW)], summarize=8)
    return [] if op is None else [op]


def _ssim_per_channel(a, b, max_val):
    """(SSIM, contrast and structure alone), both float32[..., channels]."""
    a = after(_large_enough(a) + _large_enough(b), a)
    kernel = tile(constant(_gauss()), [1, 1, shape(a)[-1], 1])

    def mean(x):
        """The weighted mean around each pixel."""
        s = shape(x)
        x = reshape(x, concat([[-1], s[-3:]], 0))
        y = depthwise_conv2d(x, kernel, [1, 1, 1, 1], "VALID")
        return reshape(y, concat([s[:-3], shape(y)[1:]], 0))

    c1, c2 = square(_K1 * max_val), square(_K2 * max_val)
    m, n = mean(a), mean(b)
    means, squares = m * n * 2.0, square(m) + square(n)
    light = (means + c1) / (squares + c1)
    both, spread = mean(a * b) * 2.0, mean(square(a) + square(b))
    structure = (both - means + c2) / (spread - squares + c2)
    axes = [-3, -2]
    return reduce_mean(light * structure, axes), reduce_mean(structure, axes)


def ssim(img1: Any, img2: Any, max_val: Any) -> Tensor:
    """The structural similarity of images, the mean over an 11x11 Gaussian window.

    (2 m n + c1) (2 cov + c2) / ((m^2 + n^2 + c1) (var1 + var2 + c2)), with the means m,
    n and c1 = (0.01 max_val)^2, c2 = (0.03 max_val)^2.

    Args:
        img1, img2: number[..., height, width, channels], at least 11x11.
        max_val: the distance between the smallest and the largest possible value.
    Returns:
        float32[...] in (-1, 1], 1 for equal images.
    Raises:
        ValueError: the shapes do not fit.
        tf.errors.InvalidArgumentError: the images are too small.
    Reference: Wang, Bovik, Sheikh, Simoncelli: Image quality assessment: from error
        visibility to structural similarity (IEEE TIP 2004), sigma = 1.5.
    Example:
        tf.image.ssim(tf.ones([16, 16, 3]), tf.ones([16, 16, 3]), max_val=1.)  # 1
    """
    with scoped(None, "SSIM"):
        img1, img2 = convert_to_tensor(img1), convert_to_tensor(img2)
        img1 = after(_compatible(img1, img2), img1)
        found, _ = _ssim_per_channel(*_floats(img1, img2, max_val))
        return reduce_mean(found, [-1])


def ssim_multiscale(
    img1: Any, img2: Any, max_val: Any, power_factors: Any = _SCALES
) -> Tensor:
    """The product over scales of `tf.image.ssim`'s parts to the power of their weights.

    From scale to scale the images are halved by the mean of 2x2 pixels, odd sizes after
    their last pixel is repeated.

    Args:
        img1, img2: number[..., height, width, channels]; 11x11 at the last scale.
        max_val: the distance between the smallest and the largest possible value.
        power_factors: the weight of each scale.
    Returns:
        float32[...] in [0, 1], 1 for equal images.
    Raises:
        ValueError: the shapes do not fit.
        tf.errors.InvalidArgumentError: the images are too small.
    Reference: Wang, Simoncelli, Bovik: Multiscale structural similarity for image
        quality assessment (Asilomar 2003).
    Example:
        x = tf.ones([1, 176, 176, 3])
        tf.image.ssim_multiscale(x, x, max_val=1.)  # 1
    """
    with scoped(None, "MS-SSIM"):
        img1, img2 = convert_to_tensor(img1), convert_to_tensor(img2)
        img1 = after(_compatible(img1, img2), img1)
        *images, top = _floats(img1, img2, max_val)
        parts = []
        for k in range(len(power_factors)):
            with scoped(None, f"Scale{k}"):
                images = [_halved(x) for x in images] if k else images
                whole, structure = _ssim_per_channel(*images, top)
                parts.append(relu(structure))
        parts[-1] = relu(whole)
        powers = pow(stack(parts, -1), constant(list(power_factors), dtypes.float32))
        return reduce_mean(reduce_prod(powers, [-1]), [-1])


def _halved(images):
    """Images of half the height and width, [..., height, width, channels]."""
    s = shape(images)
    flat = reshape(images, concat([[-1], s[-3:]], 0))
    odd = [[0, 0], [0, s[-3] % 2], [0, s[-2] % 2], [0, 0]]
    odd = reshape(stack([n for row in odd for n in row]), [4, 2])
    half = avg_pool(pad(flat, odd, "SYMMETRIC"), [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    out = reshape(half, concat([s[:-3], shape(half)[1:]], 0))
    if out.symbolic and images._shape is not None:
        out.set_shape(TensorShape(images.shape[:-3]).concatenate(half.shape[1:]))
    return out
