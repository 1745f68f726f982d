"""Windows of images: around given points, with noise beyond, and at random places."""

from typing import Any

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import dim_is, ints, ranked, same_dim, text
from twinflow.ops.image.check import pair
from twinflow.ops.random import philox
from twinflow.ops.random.streams import define_draw, draw


def _infer(input, size, offsets, **_):
    s, o = ranked(input._shape, 4), ranked(offsets._shape, 2)
    dim_is(o[1], 2)
    return (same_dim(s[0], o[0]), *pair(size), s[3])


def _check(input, size, offsets, **_):
    if input.ndim != 4:
        return (
            "input must be 4-dimensional (batch_size, height, width, depth)"
            f"{text(input.shape)}"
        )
    if np.shape(size) != (2,):
        return f"input must be a vector of size 2 (height, width){text(np.shape(size))}"
    if min(ints(size)) < 0:
        return f"the size must not be negative, got {ints(size)}"
    if not input.size:
        return f"input must not be empty, got {text(input.shape)}"
    return _check_offsets(offsets, input.shape[0])


def _check_offsets(offsets, batch):
    found = text(offsets.shape)
    if offsets.ndim != 2:
        return f"input must be a matrix{found}"
    if offsets.shape[0] != batch:
        return f"first dimension should be batch{found}"
    if offsets.shape[1] != 2:
        return f"second dimension should be of size 2 (y,x){found}"
    return None


def _start(xp, offset, size, count, centered, normalized):
    """The first row (or column) of each window."""
    at, f = offset.astype(np.float32), np.float32
    if normalized:
        at = at * f(size)
    if centered:
        at = at / f(2) + f(size) / f(2)
    return xp.trunc(at - f(count) / f(2)).astype(np.int32)


def _axis(xp, start, size, count):
    """(index int[batch, count] of each row, whether it is in the image)."""
    at = start[:, None] + np.arange(count, dtype=np.int32)
    return xp.clip(at, 0, size - 1), (at >= 0) & (at < size)


@np.errstate(all="ignore")  # see base.numpy_warnings
def _noise(xp, key, position, input, shape, uniform_noise):
    """Numbers distributed as the pixels of each image are."""
    if uniform_noise:
        low = xp.min(input, (1, 2, 3), keepdims=True)
        span = xp.max(input, (1, 2, 3), keepdims=True) - low
        return low + span * philox.uniform(xp, key, position, shape, np.float32)
    low, high = (f(input, (1, 2), keepdims=True) for f in (xp.min, xp.max))
    mean, spread = (f(input, (1, 2), keepdims=True) for f in (xp.mean, xp.std))
    normal = philox.normal(xp, key, position, shape, np.float32)
    return xp.clip(mean + spread * normal, low, high)


def _glimpse(
    xp, key, position, input, size, offsets, centered, normalized, uniform_noise
):
    count, s = ints(size), input.shape
    (rows, in_rows), (columns, in_columns) = (
        _axis(xp, _start(xp, offsets[:, i], s[1 + i], n, centered, normalized),
              s[1 + i], n)
        for i, n in enumerate(count)
    )  # fmt: skip
    batch = np.arange(s[0])[:, None, None]
    found = xp.asarray(input)[batch, rows[:, :, None], columns[:, None, :]]
    inside = (in_rows[:, :, None] & in_columns[:, None, :])[..., None]
    if xp is np and inside.all():
        return found
    noise = _noise(xp, key, position, input, found.shape, uniform_noise)
    return xp.where(inside, found, noise).astype(np.float32)


ExtractGlimpse = define_draw(
    "ExtractGlimpse",
    on_host="size",
    attrs={"seed": 0, "seed2": 0},
    infer=_infer,
    draw=_glimpse,
    check=_check,
    strict=True,
)


def extract_glimpse(
    input: TensorValue, size: TensorValue, offsets: Any, centered: bool = True,
    normalized: bool = True, uniform_noise: bool = True, name: str | None = None,
) -> Tensor:  # fmt: skip
    """A window of each image, around a point of its own.

    What lies outside the image is noise: uniform between the smallest and the largest
    value of the image, or normal with the mean and deviation of the channel, clipped to
    its values.

    Args:
        input: float32[batch, height, width, channels].
        size: int32[2], the height and width of the windows.
        offsets: float32[batch, 2], the row and column of the middle of each window.
        centered: (0, 0) is the middle of the image; otherwise its top left corner.
        normalized: 1 is the height and width (half of them if `centered`); otherwise
            the offsets are in pixels.
        uniform_noise: which noise. name: the name of the node in a graph.
    Returns:
        float32[batch, size[0], size[1], channels]
    Raises:
        tf.errors.InvalidArgumentError (eager) or ValueError (graph): the shape of an
            argument is not as above.
    Example:
        images = tf.reshape(tf.range(9.), [1, 3, 3, 1])
        tf.image.extract_glimpse(images, [1, 1], [[0., 0.]])  # 4.
    """
    attrs = {
        "centered": bool(centered),
        "normalized": bool(normalized),
        "uniform_noise": bool(uniform_noise),
    }
    return draw(ExtractGlimpse, (input, size, offsets), attrs, None, name)


def _check_crop(image, size, **_):
    if image.ndim != 3:
        return f"input must be 3-dimensional{text(image.shape)}"
    if np.shape(size) != (2,):
        return f"crop_size must be a vector of size 2{text(np.shape(size))}"
    for what, have, target in zip(("height", "width"), image.shape, ints(size)):
        if not 0 <= target <= have:
            return (
                f"{what} must be >= target_{what}: {what} = {have}, target_{what} = "
                f"{target}"
            )
    return None


def _cropped(xp, key, position, image, size):
    u = philox.uniform(xp, key, position, (2,), np.float64)
    rows, columns = (
        xp.floor(u[i] * (image.shape[i] - n + 1)).astype(np.int64) + np.arange(n)
        for i, n in enumerate(ints(size))
    )
    return xp.asarray(image)[rows[:, None], columns]


RandomCrop = define_draw(
    "RandomCrop",
    on_host="size",
    infer=lambda image, size, **_: (*pair(size), ranked(image._shape, 3)[2]),
    draw=_cropped,
    check=_check_crop,
    strict=True,
)
