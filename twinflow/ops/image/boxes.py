"""Boxes drawn on images, and boxes drawn at random around what is in them."""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import dim_is, ranked, text
from twinflow.ops.random import philox
from twinflow.ops.random.draws import scoped
from twinflow.ops.random.streams import define_draw, draw

_COLORS = np.array(
    [
        [1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0.5, 0, 0.5, 1],
        [0.5, 0.5, 0, 1], [0.5, 0, 0, 1], [0, 0, 0.5, 1], [0, 1, 1, 1], [1, 0, 1, 1],
    ],
    np.float32,
)  # fmt: skip
_DEPTHS = (1, 3, 4)
_DEPTH = "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)"
_WORDS = 4  # random numbers of one attempt: ratio, height, top, left


# ------------------------------------------------------------------ drawing
def _infer_draw(images, boxes):
    if ranked(images._shape, 4)[3] not in (None, *_DEPTHS):
        raise InferError(_DEPTH)
    dim_is(ranked(boxes._shape, 3)[2], 4)
    return images._shape


def _check_draw(images, boxes):
    s, b = images.shape, boxes.shape
    if len(s) != 4:
        return "The rank of the images should be 4"
    if len(b) != 3:
        return "The rank of the boxes tensor should be 3"
    if b[2] != 4:
        return f"boxes must have 4 columns{text(b)}"
    if s[0] != b[0]:
        return "The batch sizes should be the same"
    return None if s[3] in _DEPTHS else _DEPTH


def _drawn(images, boxes):
    canvases = images.copy()
    colors = _COLORS.copy()
    if images.shape[3] == 1:
        colors[:, 0] = 1
    for canvas, rows in zip(canvases, boxes):
        height, width, depth = canvas.shape
        scale = np.array([height - 1, width - 1] * 2, np.float32)
        for i, corners in enumerate((rows * scale).astype(np.int64).tolist()):
            _frame(canvas, *corners, colors[i % len(colors), :depth])
    return canvases


def _frame(canvas, top, left, bottom, right, color):
    """The sides of a box as far as they are on the canvas."""
    height, width, _ = canvas.shape
    if top > bottom or left > right or top >= height or left >= width:
        return
    if bottom < 0 or right < 0:
        return
    rows = slice(max(top, 0), min(bottom, height - 1) + 1)
    columns = slice(max(left, 0), min(right, width - 1) + 1)
    if top >= 0:
        canvas[top, columns] = color
    if bottom < height:
        canvas[bottom, columns] = color
    if left >= 0:
        canvas[rows, left] = color
    if right < width:
        canvas[rows, right] = color


DrawBoundingBoxes = define(
    "DrawBoundingBoxes", infer=_infer_draw, host=_drawn, check=_check_draw, strict=True
)


def draw_bounding_boxes(
    images: TensorValue, boxes: TensorValue, name: str | None = None
) -> Tensor:
    """Images with the outlines of boxes on them, one pixel wide.

    Box i is drawn in color i % 10 of yellow, blue, red, lime, purple, olive, maroon,
    navy, aqua and fuchsia; on images of one channel in white.

    Args:
        images: float[batch, height, width, depth], in [0, 1]; depth is 1, 3 or 4.
        boxes: float32[batch, n, 4], (y1, x1, y2, x2) in parts of the height and width.
        name: the name of the node in a graph.
    Returns:
        A tensor like `images`.
    Raises:
        tf.errors.InvalidArgumentError: a shape is not as above.
    Example:
        images = tf.zeros([1, 10, 10, 3])
        boxes = [[[0.1, 0.1, 0.9, 0.5]]]
        tf.image.draw_bounding_boxes(images, boxes)  # float32[1, 10, 10, 3]
    """
    return apply(DrawBoundingBoxes, (images, boxes), None, name)


# ------------------------------------------------------------------ sampling
def _infer_sample(image_size, bounding_boxes, *covered, **_):
    dim_is(ranked(image_size._shape, 1)[0], 3)
    dim_is(ranked(bounding_boxes._shape, 3)[2], 4)
    for x in covered:
        ranked(x._shape, 0)
    return [(3,), (3,), (1, 1, 4)]


def _check_sample(
    image_size, bounding_boxes, covered, *, aspect_ratio_range, area_range,
    max_attempts, use_image_if_no_bounding_boxes, **_,
):  # fmt: skip
    return (
        _check_size(image_size)
        or _check_objects(bounding_boxes, use_image_if_no_bounding_boxes)
        or _check_covered(covered)
        or _check_range("Aspect ratio", aspect_ratio_range, np.inf)
        or _check_range("Area", area_range, 1)
        or _check_attempts(max_attempts)
    )


def _check_size(size):
    if size.ndim != 1:
        return f"image_size must be 1-dimensional{text(size.shape)}"
    if size.shape[0] != 3:
        return f"image_size must contain 3 elements{text(size.shape)}"
    for what, n in zip(("height", "width"), size.tolist()):
        if not 0 <= n < 2**31 - 1:
            return f"image {what} cannot be >= int32 max"
    return None


def _check_objects(boxes, may_be_none):
    if boxes.ndim != 3:
        return (
            "input boxes must be 3-dimensional [batch, num_boxes, coords]: "
            f"{text(boxes.shape)}"
        )
    if boxes.shape[2] != 4:
        return f"bounding boxes must have shape [4] or [*, 4], got {text(boxes.shape)}"
    if not boxes.size and not may_be_none:
        return (
            "No bounding boxes provided as input. One must enable "
            "use_image_if_no_bounding_boxes if you wish to not provide any bounding "
            "boxes."
        )
    wrong = boxes[(boxes < 0) | (boxes > 1)]
    if wrong.size:
        return f"All bounding box coordinates must be in [0.0, 1.0]: {wrong[0]:g}"
    return None


def _check_covered(covered):
    if np.ndim(covered):
        found = text(np.shape(covered))
        return f"min_object_covered must be 0-D, got shape {found}"
    if covered < 0:
        return f"Min object covered must be non-negative: {covered:g}"
    return None


def _check_range(what, bounds, most):
    if len(bounds) != 2:
        return f"{what} range field must specify 2 dimensions"
    shown = f"[{bounds[0]:g}, {bounds[1]:g}]"
    if min(bounds) <= 0:
        return f"{what} range must be non-negative: {shown}"
    if max(bounds) > most:
        return f"{what} range must be less then or equal to 1.0: {shown}"
    return None


def _check_attempts(count):
    return None if count > 0 else f"Max attempts must be non-negative: {count}"


@bind_first
def _guard_sample(
    xp, image_size, bounding_boxes, *covered, aspect_ratio_range, area_range,
    max_attempts, use_image_if_no_bounding_boxes, min_object_covered=0, **_,
):  # fmt: skip
    boxes = bounding_boxes
    known = (
        _check_range("Aspect ratio", aspect_ratio_range, np.inf)
        or _check_range("Area", area_range, 1)
        or _check_attempts(max_attempts)
        or not (boxes.size or use_image_if_no_bounding_boxes)
    )
    inside = xp.all((boxes >= 0) & (boxes <= 1))
    enough = (covered[0] if covered else min_object_covered) >= 0
    return (not known) & inside & xp.all(image_size >= 0) & enough


def _crops(xp, u, height, width, aspect, area):
    """(top, left, rows, columns, whether it can be), one for each attempt."""
    f = np.float32
    ratio = u[:, 0] * f(aspect[1] - aspect[0]) + f(aspect[0])
    least, most = f(area[0]) * width * height, f(area[1]) * width * height
    tall = xp.rint(xp.sqrt(most / ratio))
    fitting = xp.floor((width + f(0.5) - f(1e-7)) / ratio)
    fitting = fitting - (xp.rint(fitting * ratio) > width)
    tall = xp.where(xp.rint(tall * ratio) > width, fitting, tall)
    tall = xp.minimum(tall, height)
    rows = xp.minimum(xp.rint(xp.sqrt(least / ratio)), tall)
    rows = rows + _whole(xp, u[:, 1], tall - rows + 1)
    columns = xp.rint(rows * ratio)
    rows = rows + (rows * columns < least)
    columns = xp.rint(rows * ratio)
    rows = rows - (rows * columns > most)
    columns = xp.rint(rows * ratio)
    size = rows * columns
    fits = (rows <= height) & (columns <= width) & (rows > 0) & (columns > 0)
    possible = fits & (size >= least) & (size <= most)
    top = _whole(xp, u[:, 2], xp.maximum(height - rows, 1))
    left = _whole(xp, u[:, 3], xp.maximum(width - columns, 1))
    return top, left, rows, columns, possible


def _whole(xp, u, count):
    """A whole number below `count` from a uniform one."""
    return xp.minimum(xp.floor(u * count), count - 1)


def _covers(xp, crops, boxes, height, width, covered):
    """Whether each crop has enough of at least one box in it."""
    top, left, rows, columns, _ = (c[:, None] for c in crops)
    scale = xp.stack([height, width, height, width])
    y1, x1, y2, x2 = xp.floor(boxes.reshape(-1, 4) * scale).T
    tall = xp.minimum(top + rows, y2) - xp.maximum(top, y1)
    wide = xp.minimum(left + columns, x2) - xp.maximum(left, x1)
    inside = xp.maximum(tall, 0) * xp.maximum(wide, 0)
    area = (y2 - y1) * (x2 - x1)
    enough = inside / xp.maximum(area, 1) >= covered
    return xp.any(enough & (area >= 1), 1)


def _sample(
    xp, key, position, image_size, bounding_boxes, min_object_covered,
    aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes,
):  # fmt: skip
    shape = (max_attempts, _WORDS)
    u = philox.uniform(xp, key, position, shape, np.float32)
    sizes = image_size.astype(np.float32)
    height, width = sizes[0], sizes[1]
    crops = _crops(xp, u, height, width, aspect_ratio_range, area_range)
    good = crops[-1]
    if bounding_boxes.size:
        covered = np.float32(1) * min_object_covered
        good = good & _covers(xp, crops, bounding_boxes, height, width, covered)
    else:
        good = good & False
    found = xp.any(good)
    zero = xp.zeros_like(height)
    whole = (zero, zero, height, width)
    at = xp.argmax(good)
    top, left, rows, columns = (
        xp.where(found, c[at], w) for c, w in zip(crops, whole)
    )  # fmt: skip
    kind = image_size.dtype
    box = [top / height, left / width, (top + rows) / height, (left + columns) / width]
    return (
        xp.stack([top, left, zero]).astype(np.int32).astype(kind),
        xp.stack([rows, columns, zero - 1]).astype(np.int32).astype(kind),
        xp.stack(box).astype(np.float32).reshape(1, 1, 4),
    )


def _check_v1(image_size, bounding_boxes, *, min_object_covered, **attrs):
    return _check_sample(image_size, bounding_boxes, min_object_covered, **attrs)


def _sample_v1(xp, key, position, image_size, boxes, *, min_object_covered, **attrs):
    return _sample(xp, key, position, image_size, boxes, min_object_covered, **attrs)


SampleDistortedBoundingBox = define_draw(
    "SampleDistortedBoundingBox",
    infer=_infer_sample,
    draw=_sample_v1,
    check=_check_v1,
    guard=_guard_sample,
    strict=True,
)

SampleDistortedBoundingBoxV2 = define_draw(
    "SampleDistortedBoundingBoxV2",
    infer=_infer_sample,
    draw=_sample,
    check=_check_sample,
    guard=_guard_sample,
    strict=True,
)


def sample_distorted_bounding_box(
    image_size: Any, bounding_boxes: Any, seed: int | None = None, seed2: Any = None,
    min_object_covered: Any = 0.1, aspect_ratio_range: Any = None,
    area_range: Any = None, max_attempts: Any = None,
    use_image_if_no_bounding_boxes: Any = None, name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """A random part of an image that has enough of some object in it.

    Args:
        image_size: int[3], the height, width and channels.
        bounding_boxes: float32[batch, n, 4], (y1, x1, y2, x2) of the objects, in parts
            of the height and width.
        seed: an int; see tf.set_random_seed. seed2: taken where there is no `seed`.
        min_object_covered: which part of one object has to be inside.
        aspect_ratio_range: the bounds of width / height; (0.75, 1.33) by default.
        area_range: the bounds of its part of the image; (0.05, 1) by default.
        max_attempts: how often to try, 100 by default; then it is the whole image.
        use_image_if_no_bounding_boxes: take the whole image where there are no boxes.
        name: the name scope in a graph.
    Returns:
        (begin int[3], size int[3], bboxes float32[1, 1, 4]): `tf.slice(image, begin,
        size)` cuts the part out, and `tf.image.draw_bounding_boxes` shows it.
    Raises:
        tf.errors.InvalidArgumentError: there are no boxes, or a range is not as above.
    Example:
        begin, size, box = tf.image.sample_distorted_bounding_box(
            [64, 64, 3], [[[0.2, 0.2, 0.8, 0.8]]], seed=1)
        box  # float32[1, 1, 4]
    """
    with scoped(name, "sample_distorted_bounding_box"):
        attrs = {
            "aspect_ratio_range": tuple(aspect_ratio_range or (0.75, 1.33)),
            "area_range": tuple(area_range or (0.05, 1.0)),
            "max_attempts": 100 if max_attempts is None else max_attempts,
            "use_image_if_no_bounding_boxes": bool(use_image_if_no_bounding_boxes),
        }
        inputs = (image_size, bounding_boxes, min_object_covered)
        seed = seed2 if seed is None else seed
        return tuple(draw(SampleDistortedBoundingBoxV2, inputs, attrs, seed))
