"""Images of another size: the four methods of TensorFlow 1.12, and their transposes.

A resized image is a product with one matrix per axis, so the gradient is the product
with their transposes, whose gradient is the resizing again.
"""

import numpy as np

from twinflow.base import dtypes, pictures
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast
from twinflow.ops.core.infer import ints, ranked, text
from twinflow.ops.image import sampling
from twinflow.ops.image.check import by_shape, no_slope, pair, wrong_rank

_FEW = 8  # source pixels for one of the result: one after the other is faster
_CUBIC_SLOPES = {dtypes.float32, dtypes.float64}


# ------------------------------------------------------------------ shapes
def _infer(images, size, align_corners):
    s = ranked(images._shape, 4)
    return (s[0], *pair(size), s[3])


def _check(images, size, align_corners):
    wrong = wrong_rank(images, 4, "input must be 4-dimensional")
    return wrong or _check_size(size) or _check_image(images.shape)


def _check_size(size):
    shape = np.shape(size)
    if len(shape) != 1:
        return f"shape_t must be 1-dimensional{text(shape)}"
    if shape[0] != 2:
        return f"shape_t must have two elements{text(shape)}"
    return None if min(ints(size)) > 0 else "output dimensions must be positive"


def _check_image(s):
    if 0 in s[1:3]:
        return "input image must be of non-zero size"
    return None if s[3] else "image must have at least one channel"


def _infer_grad(grads, original_image, align_corners):
    g, s = ranked(grads._shape, 4), ranked(original_image._shape, 4)
    return (s[0] if g[0] is None else g[0], s[1], s[2], s[3] if g[3] is None else g[3])


def _check_grad(grads, original_image, align_corners):
    wrong = wrong_rank(grads, 4, "input_grad must be 4-dimensional")
    what = "original_image must be 4-dimensional"
    return wrong or wrong_rank(original_image, 4, what)


def _infer_nearest_grad(grads, size, align_corners):
    s = ranked(grads._shape, 4)
    return (s[0], *pair(size), s[3])


def _check_nearest_grad(grads, size, align_corners):
    wrong = wrong_rank(grads, 4, "input must be 4-dimensional")
    return wrong or _check_size(size)


# ------------------------------------------------------------------ along one axis
def _column(values, axis):
    """Values of one axis, to be multiplied with an array of 4 axes."""
    return values.reshape((-1,) + (1,) * (3 - axis))


def _taken(xp, x, index, axis):
    return xp.take(x, index, axis=axis, mode="clip")


def _linear(xp, x, out, axis, align_corners):
    lower, upper, part = sampling.linear(x.shape[axis], out, align_corners)
    low = _taken(xp, x, lower, axis).astype(np.float32)
    high = _taken(xp, x, upper, axis).astype(np.float32)
    high = high - low
    high = high * _column(part, axis)
    return high + low


def _linear_back(xp, dy, size, axis, align_corners):
    lower, upper, part = sampling.linear(size, dy.shape[axis], align_corners)
    high = dy * _column(part.astype(dy.dtype), axis)
    dx = sampling.sum_at(xp, dy - high, lower, size, axis)
    return sampling.sum_at(xp, high, upper, size, axis, dx)


def _cubic(xp, x, out, axis, align_corners):
    return _weighted(xp, x, *sampling.cubic(x.shape[axis], out, align_corners), axis)


def _weighted(xp, x, index, weight, axis):
    """The weighted sums of the entries `index` along `axis`."""
    total = None
    for i, w in zip(index.T, weight.T):
        part = _taken(xp, x, i, axis).astype(np.float32) * _column(w, axis)
        total = part if total is None else total + part
    return total


def _cubic_back(xp, dy, size, axis, align_corners):
    index, weight = sampling.cubic(size, dy.shape[axis], align_corners)
    dx = None
    for i, w in zip(index.T, weight.T):
        part = dy * _column(w.astype(dy.dtype), axis)
        dx = sampling.sum_at(xp, part, i, size, axis, dx)
    return dx


def _area(xp, x, out, axis, align_corners):
    index, weight = sampling.area(x.shape[axis], out, align_corners)
    if weight.shape[1] <= _FEW:
        return _weighted(xp, x, index, weight, axis)
    shape = x.shape[:axis] + weight.shape + x.shape[axis + 1 :]
    parts = _taken(xp, x, index.ravel(), axis).reshape(shape).astype(np.float32)
    parts = parts * weight.reshape(weight.shape + (1,) * (3 - axis))
    return xp.sum(parts, axis + 1, dtype=np.float32)


def _nearest(xp, x, out, axis, align_corners):
    return _taken(xp, x, sampling.nearest(x.shape[axis], out, align_corners), axis)


def _nearest_back(xp, dy, size, axis, align_corners):
    index = sampling.nearest(size, dy.shape[axis], align_corners)
    return sampling.sum_at(xp, dy, index, size, axis)


# ------------------------------------------------------------------ kernels
def _resizer(along, rows_first):
    """The kernel of a method: `along` each of the two axes."""

    @bind_first
    def bound(xp, images, size, align_corners):
        height, width = ints(size)
        steps = [(height, 1), (width, 2)]
        few_rows = 2 * height < images.shape[1]
        if along is _linear and xp is np and not few_rows:
            places = (sampling.linear(images.shape[a], n, align_corners)
                      for n, a in steps)  # fmt: skip
            found = pictures.resized(images, *places)
            if found is not None:
                return found
        for out, axis in steps if rows_first or few_rows else steps[::-1]:
            images = along(xp, images, out, axis, align_corners)
        return images

    return bound


def _back(along):
    """The kernel of the transpose, towards an image."""

    @bind_first
    def bound(xp, grads, original_image, align_corners):
        kind = original_image.dtype
        wide = np.float64 if kind == np.float64 else np.float32
        if not (grads.size and original_image.size):
            return xp.zeros(original_image.shape, kind)
        dx = grads.astype(wide)
        for axis in (2, 1):
            size = original_image.shape[axis]
            dx = along(xp, dx, size, axis, align_corners)
        return dx.astype(kind)

    return bound


@bind_first
def _nearest_back_kernel(xp, grads, size, align_corners):
    for out, axis in zip(ints(size), (1, 2)):
        grads = _nearest_back(xp, grads, out, axis, align_corners)
    return grads


# ------------------------------------------------------------------ ops
def _define(method, along, rows_first, grad):
    return define(
        f"Resize{method}",
        on_host="size",
        infer=_infer,
        **by_shape(_check),
        kernel=_resizer(along, rows_first),
        grad=[grad],
    )


def _again(method):
    """The rule of a transpose: resize."""

    def rule(dy, shape_grads, align_corners):
        attrs = {"align_corners": align_corners}
        return apply(_FORWARD[method], (dy, shape_grads[1:3]), attrs)

    return rule


def _define_back(method, along):
    """The transpose of a method, towards an image."""
    return define(
        f"Resize{method}Grad",
        infer=_infer_grad,
        **by_shape(_check_grad),
        kernel=_back(along),
        grad=[_again(method), None],
    )


def _linear_rule(dy, images, align_corners):
    return apply(ResizeBilinearGrad, (dy, images), {"align_corners": align_corners})


def _cubic_rule(dy, images, align_corners):
    attrs, kind = {"align_corners": align_corners}, images.dtype
    if kind in _CUBIC_SLOPES:
        return apply(ResizeBicubicGrad, (dy, images), attrs)
    wide = cast(images, dtypes.float32)
    return cast(apply(ResizeBicubicGrad, (dy, wide), attrs), kind)


def _nearest_rule(dy, shape_images, align_corners):
    inputs, attrs = (dy, shape_images[1:3]), {"align_corners": align_corners}
    return apply(ResizeNearestNeighborGrad, inputs, attrs)


ResizeBilinear = _define("Bilinear", _linear, False, _linear_rule)
ResizeBilinearGrad = _define_back("Bilinear", _linear_back)
ResizeBicubic = _define("Bicubic", _cubic, True, _cubic_rule)
ResizeBicubicGrad = _define_back("Bicubic", _cubic_back)
ResizeArea = _define("Area", _area, True, no_slope("ResizeArea"))
ResizeNearestNeighbor = _define("NearestNeighbor", _nearest, True, _nearest_rule)
_FORWARD = {
    "Bilinear": ResizeBilinear, "Bicubic": ResizeBicubic,
    "NearestNeighbor": ResizeNearestNeighbor,
}  # fmt: skip


ResizeNearestNeighborGrad = define(
    "ResizeNearestNeighborGrad",
    on_host="size",
    infer=_infer_nearest_grad,
    **by_shape(_check_nearest_grad),
    kernel=_nearest_back_kernel,
    grad=[_again("NearestNeighbor")],
)


# ------------------------------------------------------------------ public
def _resize(op, images, size, align_corners, name):
    attrs = {"align_corners": bool(align_corners)}
    return apply(op, (images, size), attrs, name)


def resize_bilinear(
    images: TensorValue, size: TensorValue, align_corners: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Images of another size, by linear interpolation between the 4 nearest pixels.

    Pixel (i, j) of the result lies at (i * height / size[0], j * width / size[1]).

    Args:
        images: number[batch, height, width, channels].
        size: int32[2], the new height and width.
        align_corners: let the corner pixels keep their places: the factor is
            (height - 1) / (size[0] - 1).
        name: the name of the node in a graph.
    Returns:
        float32[batch, size[0], size[1], channels]
    Raises:
        tf.errors.InvalidArgumentError (eager) or ValueError (graph): the shape of an
            argument is not as above, or a size is not positive.
    Example:
        tf.image.resize_bilinear([[[[0.], [2.]]]], [1, 4])  # 0, 1, 2, 2
    """
    return _resize(ResizeBilinear, images, size, align_corners, name)


def resize_bicubic(
    images: TensorValue, size: TensorValue, align_corners: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Images of another size, by cubic convolution of the 16 nearest pixels.

    Args, Returns and Raises: as `tf.image.resize_bilinear`.
    Reference: Keys: Cubic convolution interpolation for digital image processing
        (IEEE ASSP 1981), with a = -0.75 and weights in steps of 1/1024 pixel.
    Example:
        tf.image.resize_bicubic([[[[0.], [2.]]]], [1, 4])  # 0., 1., 2., 2.19
    """
    return _resize(ResizeBicubic, images, size, align_corners, name)


def resize_nearest_neighbor(
    images: TensorValue, size: TensorValue, align_corners: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Images of another size, made of the pixels there are.

    Args and Raises: as `tf.image.resize_bilinear`; with `align_corners` the places are
        rounded, without it they are cut off.
    Returns:
        The dtype of `images`, [batch, size[0], size[1], channels].
    Example:
        tf.image.resize_nearest_neighbor([[[[1], [2]]]], [1, 4])  # 1, 1, 2, 2
    """
    return _resize(ResizeNearestNeighbor, images, size, align_corners, name)


def resize_area(
    images: TensorValue, size: TensorValue, align_corners: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Images of another size: each pixel is the mean of the area that it covers.

    Args, Returns and Raises: as `tf.image.resize_bilinear`. It has no gradient.
    Example:
        tf.image.resize_area([[[[0.], [2.]]]], [1, 1])  # 1
    """
    return _resize(ResizeArea, images, size, align_corners, name)
