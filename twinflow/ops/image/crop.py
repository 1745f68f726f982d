"""Boxes cut out of images and brought to one size.

Row y of the crop of a box (y1, x1, y2, x2) lies at y1 (H - 1) + y (y2 - y1) (H - 1) /
(crop_height - 1) of an image with H rows, or in the middle of the box if it is the only
one; columns likewise. What lies outside the image takes a fixed value.
"""

from typing import Any

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.dispatch import apply
from twinflow.base.numpy_warnings import quiet
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import dim_is, ints, one_of, ranked, same_dim, text
from twinflow.ops.image.check import first, no_slope, pair, wrong_boxes, wrong_rank

_METHODS = ("bilinear", "nearest")
_SLOPES = frozenset((dtypes.float16, dtypes.float32, dtypes.float64))


# ------------------------------------------------------------------ checks
def _boxes(boxes, box_ind):
    """How many boxes there are."""
    b, i = ranked(boxes._shape, 2), ranked(box_ind._shape, 1)
    dim_is(b[1], 4)
    return same_dim(b[0], i[0])


def _infer(image, boxes, box_ind, crop_size, method, extrapolation_value):
    one_of("CropAndResize", "method", method, _METHODS)
    s = ranked(image._shape, 4)
    return (_boxes(boxes, box_ind), *pair(crop_size), s[3])


def _check_boxes(boxes, box_ind):
    if wrong := wrong_boxes(boxes):
        return wrong
    if box_ind.ndim != 1:
        return f"box_index must be 1-D{text(box_ind.shape)}"
    if box_ind.shape[0] != boxes.shape[0]:
        return "box_index has incompatible shape"
    return None


def _inside(xp, box_ind, batch):
    return xp.all((box_ind >= 0) & (box_ind < batch))


def _refuse_outside(xp, box_ind, batch):
    """NumPy's kernels refuse; in XLA the guard has looked already."""
    if xp is np and not _inside(xp, box_ind, batch):
        raise errors.OutOfRangeError(
            None, None, "box_index has values outside [0, batch_size)"
        )


def _check_crop(crop_size):
    found = np.shape(crop_size)
    if len(found) != 1:
        return f"crop_size must be 1-D{text(found)}"
    if found[0] != 2:
        return f"crop_size must have two elements{text(found)}"
    return None if min(ints(crop_size)) > 0 else "crop dimensions must be positive"


def _check_image(image, what):
    wrong = wrong_rank(image, 4, f"{what} must be 4-D")
    if wrong or (image.shape[1] > 0 and image.shape[2] > 0):
        return wrong
    dims = "grads" if what == "grads image" else "image"
    return f"{dims} dimensions must be positive"


def _check_method(kind, method, allowed=_METHODS):
    """The message of an eager call; infer refuses the same in graphs."""
    try:
        one_of(kind, "method", method, allowed)
    except InferError as error:
        return str(error)
    return None


def _check(image, boxes, box_ind, crop_size, method, extrapolation_value):
    return first(
        _check_method("CropAndResize", method),
        _check_image(image, "input image"),
        _check_boxes(boxes, box_ind),
        _check_crop(crop_size),
    )


@bind_first
def _guard(xp, image, boxes, box_ind, crop_size, **_):
    return (min(ints(crop_size)) > 0) & _inside(xp, box_ind, image.shape[0])


# ------------------------------------------------------------------ sampling
def _places(xp, low, high, size, count):
    """(place float32[n, count], whether it lies inside) along one axis."""
    last, steps = np.float32(size - 1), np.arange(count, dtype=np.float32)
    low, high = low[:, None], high[:, None]
    if count > 1:
        at = low * last + steps * ((high - low) * last / np.float32(count - 1))
    else:
        at = np.float32(0.5) * (low + high) * last
    inside = (at >= 0) & (at <= last)
    return xp.where(inside, at, np.float32(0)), inside


class _Grid:
    """Where the pixels of the crops lie: rows [n, h, 1], columns [n, 1, w]."""

    def __init__(self, xp, boxes, size, crop):
        y, in_y = _places(xp, boxes[:, 0], boxes[:, 2], size[0], crop[0])
        x, in_x = _places(xp, boxes[:, 1], boxes[:, 3], size[1], crop[1])
        self.xp, self.y, self.x = xp, y[:, :, None], x[:, None, :]
        self.inside = (in_y[:, :, None] & in_x[:, None, :])[..., None]

    def corners(self):
        """((top, bottom), (left, right)) as indices."""
        return [[f(v).astype(np.intp) for f in (self.xp.floor, self.xp.ceil)]
                for v in (self.y, self.x)]  # fmt: skip

    def parts(self):
        """How far the places are below and right of the corners."""
        floor = self.xp.floor
        return (self.y - floor(self.y))[..., None], (self.x - floor(self.x))[..., None]

    def nearest(self):
        """The nearest (row, column); halves are rounded up."""
        half = np.float32(0.5)
        return [self.xp.floor(v + half).astype(np.intp) for v in (self.y, self.x)]


def _pixels(xp, image, box_ind, rows, columns):
    found = xp.asarray(image)[box_ind[:, None, None], rows, columns]
    return found.astype(np.float32)


def _four(grid, image, box_ind):
    """The pixels ((top left, top right), (bottom left, bottom right))."""
    rows, columns = grid.corners()
    return [[_pixels(grid.xp, image, box_ind, r, c) for c in columns] for r in rows]


def _mixed(grid, image, box_ind):
    (tl, tr), (bl, br) = _four(grid, image, box_ind)
    down, right = grid.parts()
    top = tl + (tr - tl) * right
    return top + (bl + (br - bl) * right - top) * down


@bind_first
def _kernel(xp, image, boxes, box_ind, crop_size, method, extrapolation_value):
    _refuse_outside(xp, box_ind, image.shape[0])
    grid = _Grid(xp, boxes, image.shape[1:3], ints(crop_size))
    if method == "nearest":
        found = _pixels(xp, image, box_ind, *grid.nearest())
    else:
        found = _mixed(grid, image, box_ind)
    return xp.where(grid.inside, found, np.float32(extrapolation_value))


# ------------------------------------------------------------------ slopes
def _spread(xp, terms, box_ind, rows, columns, size):
    """An array of `size` with the terms added where they belong."""
    if xp is not np:
        at = box_ind[:, None, None], rows, columns
        return xp.zeros(size, np.float32).at[at].add(terms)
    flat = (box_ind[:, None, None].astype(np.intp) * size[1] + rows) * size[2] + columns
    flat = flat[..., None] * size[3] + np.arange(size[3])
    total = np.bincount(flat.ravel(), terms.ravel(), minlength=int(np.prod(size)))
    return total.reshape(size)


@bind_first
def _grad_image_kernel(xp, grads, boxes, box_ind, image_size, T, method):
    size = ints(image_size)
    _refuse_outside(xp, box_ind, size[0])
    grid = _Grid(xp, boxes, size[1:3], grads.shape[1:3])
    grads = xp.where(grid.inside, grads, np.float32(0))
    if method == "nearest":
        terms = [(grads, *grid.nearest())]
    else:
        terms = _weighted(grads, grid)
    total = sum(_spread(xp, t, box_ind, r, c, size) for t, r, c in terms)
    return total.astype(T.np)


def _weighted(grads, grid):
    """What each of the four pixels around gets, with its rows and columns."""
    down, right = grid.parts()
    (top, bottom), (left, right_column) = grid.corners()
    lower = down * grads
    upper = grads - lower
    return [
        (upper - right * upper, top, left), (right * upper, top, right_column),
        (lower - right * lower, bottom, left), (right * lower, bottom, right_column),
    ]  # fmt: skip


@bind_first
def _grad_boxes_kernel(xp, grads, image, boxes, box_ind, method):
    _refuse_outside(xp, box_ind, image.shape[0])
    size, crop = image.shape[1:3], grads.shape[1:3]
    grid = _Grid(xp, boxes, size, crop)
    (tl, tr), (bl, br) = _four(grid, image, box_ind)
    down, right = grid.parts()
    grads = xp.where(grid.inside, grads, np.float32(0))
    by_row = grads * ((1 - right) * (bl - tl) + right * (br - tr))
    by_column = grads * ((1 - down) * (tr - tl) + down * (br - bl))
    y1, y2 = _ends(xp, xp.sum(by_row, (2, 3)), size[0], crop[0])
    x1, x2 = _ends(xp, xp.sum(by_column, (1, 3)), size[1], crop[1])
    return xp.stack([y1, x1, y2, x2], 1).astype(np.float32)


def _ends(xp, slopes, size, count):
    """The slopes of both ends of an axis from those of its places [n, count]."""
    last = np.float32(size - 1)
    far = np.arange(count, dtype=np.float32) * last / np.float32(max(count - 1, 1))
    if count == 1:
        far = np.full(1, np.float32(0.5) * last)
    return xp.sum(slopes * (last - far), 1), xp.sum(slopes * far, 1)


def _infer_grad_image(grads, boxes, box_ind, image_size, T, method):
    one_of("CropAndResizeGradImage", "method", method, _METHODS)
    same_dim(ranked(grads._shape, 4)[0], _boxes(boxes, box_ind))
    if image_size is None:
        return (None,) * 4
    return ranked(ints(image_size), 4)


def _check_grad_image(grads, boxes, box_ind, image_size, T, method):
    found = np.shape(image_size)
    if len(found) != 1:
        return f"image_size must be 1-D{text(found)}"
    if found[0] != 4:
        return f"image_size must have 4 elements{text(found)}"
    wrong = first(
        _check_method("CropAndResizeGradImage", method),
        _check_image(grads, "grads image"),
        _check_boxes(boxes, box_ind),
    )
    return wrong or _check_size(ints(image_size), grads)


def _check_size(image_size, grads):
    _, height, width, depth = image_size
    if min(height, width) < 1:
        return "image dimensions must be positive"
    if depth != grads.shape[3]:
        return "image_size and grads are incompatible"
    return None


def _check_grad_boxes(grads, image, boxes, box_ind, method):
    return first(
        _check_method("CropAndResizeGradBoxes", method, _METHODS[:1]),
        _check_image(grads, "grads image"),
        _check_image(image, "input image"),
        _check_boxes(boxes, box_ind),
    )


def _infer_grad_boxes(grads, image, boxes, box_ind, method):
    one_of("CropAndResizeGradBoxes", "method", method, _METHODS[:1])
    ranked(image._shape, 4)
    same_dim(ranked(grads._shape, 4)[0], _boxes(boxes, box_ind))
    return (boxes._shape or (None,))[0], 4


# ------------------------------------------------------------------ ops
def _image_rule(dy, image, boxes, box_ind, method):
    if image.dtype not in _SLOPES:
        return None
    inputs = (dy, boxes, box_ind, image._shape_value())
    return apply(CropAndResizeGradImage, inputs, {"T": image.dtype, "method": method})


def _boxes_rule(dy, image, boxes, box_ind):
    return apply(CropAndResizeGradBoxes, (dy, image, boxes, box_ind))


CropAndResize = define(
    "CropAndResize",
    on_host="crop_size",
    infer=_infer,
    kernel=quiet(_kernel),
    check=_check,
    guard=_guard,
    strict=True,
    grad=[_image_rule, _boxes_rule],
)

CropAndResizeGradImage = define(
    "CropAndResizeGradImage",
    on_host="image_size",
    infer=_infer_grad_image,
    kernel=quiet(_grad_image_kernel),
    check=_check_grad_image,
    guard=lambda xp: (
        lambda grads, boxes, box_ind, image_size, **_: _inside(
            xp, box_ind, ints(image_size)[0]
        )
    ),
    strict=True,
    grad=[
        lambda dy, shape_grads, boxes, box_ind, method: apply(
            CropAndResize, (dy, boxes, box_ind, shape_grads[1:3]), {"method": method}
        ),
        lambda dy, grads, boxes, box_ind: apply(
            CropAndResizeGradBoxes, (grads, dy, boxes, box_ind)
        ),
    ],
)

CropAndResizeGradBoxes = define(
    "CropAndResizeGradBoxes",
    infer=_infer_grad_boxes,
    kernel=quiet(_grad_boxes_kernel),
    check=_check_grad_boxes,
    guard=lambda xp: (
        lambda grads, image, boxes, box_ind, **_: _inside(xp, box_ind, image.shape[0])
    ),
    strict=True,
    grad=[no_slope("CropAndResizeGradBoxes")] * 3,
)


def crop_and_resize(
    image: TensorValue, boxes: TensorValue, box_ind: Any, crop_size: Any,
    method: str = "bilinear", extrapolation_value: float = 0, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Boxes cut out of a batch of images and resized to one size.

    The place of each pixel is given in the docstring of this module; a box with y1 > y2
    is turned upside down. The gradient goes to `image` and to `boxes`.

    Args:
        image: number[batch, height, width, channels].
        boxes: float32[n, 4], (y1, x1, y2, x2) where 0 is the first and 1 the last row
            or column.
        box_ind: int32[n], the image that each box is of.
        crop_size: int32[2], the height and width of the crops.
        method: "bilinear" or "nearest".
        extrapolation_value: what is outside the image.
        name: the name of the node in a graph.
    Returns:
        float32[n, crop_size[0], crop_size[1], channels]
    Raises:
        tf.errors.InvalidArgumentError: there is no image with one of `box_ind`, or a
            shape is not as above (in a graph: ValueError).
    Example:
        images = tf.reshape(tf.range(9.), [1, 3, 3, 1])
        box = [[0., 0., 0.5, 0.5]]
        tf.image.crop_and_resize(images, box, [0], [2, 2])  # 0., 1., 3., 4.
    """
    attrs = {"method": method, "extrapolation_value": float(extrapolation_value)}
    return apply(CropAndResize, (image, boxes, box_ind, crop_size), attrs, name)
