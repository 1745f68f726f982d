"""Images seen through projective transforms."""

import numpy as np

from twinflow.base import native
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones
from twinflow.ops.core.infer import ints, ranked, text
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.slicing import slice
from twinflow.ops.core.xla_calls import InXla
from twinflow.ops.image.check import by_shape, pair
from twinflow.ops.matrix.inverse import matrix_inverse

_METHODS = ("NEAREST", "BILINEAR")


def _infer(images, transforms, output_shape, interpolation):
    s = ranked(images._shape, 4)
    return (s[0], *pair(output_shape), s[3])


def _check(images, transforms, output_shape, interpolation):
    if images.ndim != 4:
        return "Input images must have rank 4"
    few = transforms.ndim != 2 or transforms.shape[1] != 8
    if few or transforms.shape[0] not in (1, images.shape[0]):
        return "Input transform should be num_images x 8 or 1 x 8"
    if np.shape(output_shape) != (2,):
        return f"output shape must be 1-dimensional{text(np.shape(output_shape))}"
    if min(ints(output_shape)) <= 0:
        return "new image height and width must be positive"
    if interpolation not in _METHODS:
        return (
            f"Invalid interpolation {interpolation}. Supported types: NEAREST, BILINEAR"
        )
    return None


def _places(xp, transforms, height, width):
    """The column and row, float32[n, height, width], that each pixel looks at."""
    x = np.arange(width, dtype=np.float32)
    y = np.arange(height, dtype=np.float32)[:, None]
    a = [transforms[:, i, None, None] for i in range(8)]
    scale = a[6] * x + a[7] * y + np.float32(1)
    at = (a[0] * x + a[1] * y + a[2]) / scale, (a[3] * x + a[4] * y + a[5]) / scale
    return [xp.where(xp.isfinite(p), p, np.float32(-(2**20))) for p in at]


def _reader(xp, images):
    """A function: the pixels at rows and columns, 0 outside."""
    count, height, width, depth = images.shape
    last = xp.zeros((1, depth), images.dtype)
    pixels = xp.concatenate([images.reshape(count * height * width, depth), last])
    first = np.arange(count, dtype=np.int32)[:, None, None] * (height * width)

    def read(rows, columns):
        inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        at = xp.where(inside, rows, 0).astype(np.int32) * width + first
        at = at + xp.where(inside, columns, 0).astype(np.int32)
        at = xp.where(inside, at, count * height * width)
        return xp.take(pixels, at, axis=0)

    return read


def _half_away(xp, x):
    """x rounded to whole numbers, halves away from zero."""
    return xp.trunc(x + xp.where(x < 0, np.float32(-0.5), np.float32(0.5)))


def _on_arrays(xp, images, transforms, size, interpolation):
    read = _reader(xp, images)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = _places(xp, transforms, *size)
    if interpolation == "NEAREST":
        return read(_half_away(xp, y), _half_away(xp, x))
    left, top = xp.floor(x), xp.floor(y)
    right, down = (x - left)[..., None], (y - top)[..., None]

    def row(at):
        a, b = (read(at, p) for p in (left, left + 1))
        if not np.issubdtype(a.dtype, np.floating):
            a, b = a.astype(np.float32), b.astype(np.float32)
        return (1 - right) * a + right * b

    return ((1 - down) * row(top) + down * row(top + 1)).astype(images.dtype)


_PIXEL = np.full((1, 1, 1, 1), 3, np.float32)
_SAME = np.eye(1, 8, dtype=np.float32)
_SMALL = (_PIXEL.shape, np.float32), (1, 1, 1, 1, 1, 1, 0, 1), _PIXEL, _SAME
_IN_XLA = InXla("transform_for_xla", _SMALL, _PIXEL.tolist())


def _transformed(jax):
    """By native/sampling.c where that reads the arrays."""
    xp = np if jax is None else jax.numpy

    def run(images, transforms, output_shape, interpolation):
        images, transforms = xp.asarray(images), xp.asarray(transforms)
        size = tuple(ints(output_shape))
        count, *_, depth = images.shape
        facts = (
            *images.shape, *size, len(transforms) > 1, interpolation == "NEAREST"
        )  # fmt: skip
        shape = count, *size, depth
        if 0 in shape:
            return xp.zeros(shape, images.dtype)

        def otherwise(images, transforms):
            return _on_arrays(xp, images, transforms, size, interpolation)

        if images.dtype != np.float32 or transforms.dtype != np.float32:
            return otherwise(images, transforms)
        if jax is not None:
            result = shape, np.float32
            return _IN_XLA.call(jax, otherwise, result, facts, images, transforms)
        if not hasattr(native.fast, "transformed"):
            return otherwise(images, transforms)
        out = np.empty(shape, np.float32)
        plain = map(np.ascontiguousarray, (images, transforms))
        native.fast.transformed(*plain, out, facts)
        return out

    return run


def _slope(dy, images, transforms, interpolation):
    """The gradient seen through the inverse transforms, as TensorFlow has it."""
    inverse = matrices_to_flat(matrix_inverse(flat_to_matrices(transforms)))
    size = slice(shape(images), [1], [2])
    return image_projective_transform(dy, inverse, size, interpolation)


ImageProjectiveTransformV2 = define(
    "ImageProjectiveTransformV2",
    on_host="output_shape",
    infer=_infer,
    kernel=lambda xp: _transformed(None),
    lower=_transformed,
    grad=[_slope, None],
    **by_shape(_check),
)


def _same_size(rule):
    """A rule of the newer op, for results as large as the images."""

    def run(images, transforms, interpolation):
        size = getattr(images, "_shape", np.shape(images))
        size = (None, None) if size is None else size[1:3]
        return rule(images, transforms, size, interpolation)

    return run


ImageProjectiveTransform = define(
    "ImageProjectiveTransform",
    infer=_same_size(_infer),
    kernel=lambda xp: _same_size(_transformed(None)),
    lower=lambda jax: _same_size(_transformed(jax)),
    **by_shape(_same_size(_check)),
)


def image_projective_transform(
    images: TensorValue, transforms: TensorValue, output_shape: TensorValue,
    interpolation: str = "NEAREST", name: str | None = None,
) -> Tensor:  # fmt: skip
    """Each pixel is the one of the image that the transform says, 0 outside.

    Args:
        images: T[batch, height, width, channels].
        transforms: float32[batch, 8] or [1, 8], a0 to c1: the pixel at (x, y) is taken
            from ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k), k = c0 x + c1 y + 1.
        output_shape: int32[2], the new height and width.
        interpolation: "NEAREST" or "BILINEAR". name: the name in a graph.
    """
    args = images, transforms, output_shape
    attrs = {"interpolation": interpolation}
    return apply(ImageProjectiveTransformV2, args, attrs, name)


def flat_to_matrices(transforms: TensorValue) -> Tensor:
    """float32[n, 3, 3] of float32[n, 8]: the last entry is 1."""
    flat = reshape(transforms, [-1, 8])
    last = ones([shape(flat)[0], 1], flat.dtype)
    return reshape(concat([flat, last], 1), [-1, 3, 3])


def matrices_to_flat(matrices: TensorValue) -> Tensor:
    """float32[n, 8] of float32[n, 3, 3], scaled so that the last entry is 1."""
    flat = reshape(convert_to_tensor(matrices), [-1, 9])
    return flat[:, :8] / flat[:, 8:9]
