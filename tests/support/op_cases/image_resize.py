"""Rows of ops/image/resize.py and ops/image/crop.py: pixel by pixel, in plain Python.

The ops compute in float32 whatever comes in, too coarsely for differences: that the
gradients are the transposes is in tests/ops/test_image.py.
"""

import math

import numpy as np

from tests.support.op_cases.table import case, error, floats
from twinflow.base import dtypes
from twinflow.base.errors import OutOfRangeError

_F = np.float32
SIZES = [((5, 7), [3, 4]), ((3, 4), [7, 5]), ((4, 2), [4, 1]), ((1, 1), [2, 3])]


def scale(size, out, align):
    """How far apart the places of two pixels are."""
    return _F(size - 1) / _F(out - 1) if align and out > 1 else _F(size) / _F(out)


def linear(i, size, out, align):
    """The weights of the pixels that pixel i of the result is made of."""
    at = _F(i) * scale(size, out, align)
    low = int(at)
    return [(low, 1 - (at - low)), (min(low + 1, size - 1), at - low)]


def cubic(i, size, out, align):
    """The same, for Keys' kernel with a = -0.75 in steps of 1/1024."""
    at, a = _F(i) * scale(size, out, align), -0.75
    low = int(at)
    part = round(float((at - low) * 1024)) / 1024

    def weight(x):
        x = abs(x)
        if x <= 1:
            return (a + 2) * x**3 - (a + 3) * x**2 + 1
        return a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a

    return [(min(max(low + k, 0), size - 1), weight(k - part)) for k in (-1, 0, 1, 2)]


def area(i, size, out, align):
    """The same, for the part of each pixel that is covered."""
    step = scale(size, out, align)
    start, stop = _F(i) * step, _F(i + 1) * step
    found = []
    for k in range(math.floor(start), math.ceil(stop)):
        covered = min(k + 1, stop) - max(k, start)
        found.append((min(k, size - 1), covered / step))
    return found


def nearest(i, size, out, align):
    """The one pixel."""
    at = float(_F(i) * scale(size, out, align))
    return [(min(math.floor(at + 0.5) if align else math.floor(at), size - 1), 1)]


def matrix(weights, size, out, align):
    """float64[out, size]: the linear map of one axis."""
    m = np.zeros((out, size))
    for i in range(out):
        for k, w in weights(i, size, out, align):
            m[i, k] += w
    return m


def resized(weights, kind=np.float32):
    """The reference of a resizing."""

    def reference(x, size, align_corners=False):
        rows = matrix(weights, x.shape[1], size[0], align_corners)
        columns = matrix(weights, x.shape[2], size[1], align_corners)
        y = np.einsum("ih,jw,bhwc->bijc", rows, columns, x.astype(np.float64))
        return y.astype(kind or x.dtype)

    return reference


def transposed(weights, kind=None):
    """The reference of a gradient towards an image."""

    def reference(dy, x, align_corners=False):
        h, w = x.shape[1:3] if isinstance(x, np.ndarray) else x
        rows = matrix(weights, h, dy.shape[1], align_corners)
        columns = matrix(weights, w, dy.shape[2], align_corners)
        dx = np.einsum("ih,jw,bijc->bhwc", rows, columns, dy.astype(np.float64))
        return dx.astype(kind or dy.dtype)

    return reference


RANK = error(np.zeros((2, 2, 1)), [2, 2], text="input must be 4-dimensional[2,2,1]")
ERRORS = [
    RANK,
    error(np.zeros((1, 2, 2, 1)), 2, text="shape_t must be 1-dimensional[]"),
    error(np.zeros((1, 2, 2, 1)), [2], text="shape_t must have two elements[1]"),
    error(np.zeros((1, 2, 2, 1)), [2, 0], text="output dimensions must be positive"),
    error(np.zeros((1, 0, 2, 1)), [2, 1], text="image must be of non-zero size"),
    error(np.zeros((1, 2, 2, 0)), [2, 1], text="must have at least one channel"),
]
METHODS = [("ResizeBilinear", linear), ("ResizeBicubic", cubic), ("ResizeArea", area)]
BYTES = np.random.RandomState(0).randint(0, 256, (2, 5, 7, 3)).astype(np.uint8)
COARSE = {"float32": 3e-6}

for align in (False, True):
    attrs = {"align_corners": align}
    for op, weights in METHODS:
        # one pixel with aligned corners has no area to divide by
        for (h, w), out in SIZES[: 3 if align and weights is area else 4]:
            case(
                op, floats(2, h, w, 3), out, attrs=attrs, grad=(),
                reference=resized(weights), errors=ERRORS, tol=COARSE,
                reason="weights, places and sums in float32",
            )  # fmt: skip
        case(
            op, BYTES, [4, 9], attrs=attrs, reference=resized(weights), tol=COARSE,
            reason="weights, places and sums in float32",
        )  # fmt: skip
    for (h, w), out in SIZES:
        case(
            "ResizeNearestNeighbor", floats(2, h, w, 2), out, attrs=attrs,
            reference=resized(nearest, None), errors=ERRORS,
            dtypes=("float16", "float32", "float64"),
        )  # fmt: skip
        case(
            "ResizeNearestNeighborGrad", floats(2, *out, 2), [h, w], attrs=attrs,
            reference=transposed(nearest, np.float64),
            dtypes=("float32", "float64"), errors=[RANK],
        )  # fmt: skip
        for op, weights in METHODS[:2]:
            dy = np.random.RandomState(1).uniform(-1, 1, (2, *out, 3)).astype(_F)
            for kind in (np.float32, np.float64):
                case(
                    f"{op}Grad", dy, np.zeros((2, h, w, 3), kind), attrs=attrs, grad=(),
                    reference=transposed(weights, kind), dtypes=[np.dtype(kind).name],
                    tol={"float32": 3e-6, "float64": 1e-6},
                    reason="weights and places in float32",
                )  # fmt: skip
    case(
        "ResizeNearestNeighbor", BYTES, [4, 9], attrs=attrs,
        reference=resized(nearest, None),
    )  # fmt: skip


# ------------------------------------------------------------------ crops
BOXES = np.array(
    [[0.1, 0.2, 0.7, 0.9], [0.93, 0.8, 0.1, 0.2], [-0.3, -0.2, 1.2, 1.3]], _F
)
WHICH = np.array([0, 1, 1], np.int32)


def place(y, low, high, size, count):
    """Where row y of a crop lies; None = outside."""
    low, high, last = _F(low), _F(high), _F(size - 1)
    if count > 1:
        at = low * last + _F(y) * ((high - low) * last / _F(count - 1))
    else:
        at = _F(0.5) * (low + high) * last
    return float(at) if 0 <= at <= last else None


def corners(box, image, crop, method):
    """(row, column) of the crop -> the weights of the pixels; none = outside."""
    found = {}
    for y in range(crop[0]):
        for x in range(crop[1]):
            at = [
                place(i, box[k], box[k + 2], image[k], crop[k])
                for k, i in enumerate((y, x))
            ]
            found[y, x] = [] if None in at else weights_at(*at, method)
    return found


def weights_at(y, x, method):
    """The pixels around a place."""
    if method == "nearest":
        return [(math.floor(y + 0.5), math.floor(x + 0.5), 1.0)]
    y0, x0 = math.floor(y), math.floor(x)
    return [
        (i, j, p * q)
        for i, p in ((y0, 1 - y + y0), (math.ceil(y), y - y0))
        for j, q in ((x0, 1 - x + x0), (math.ceil(x), x - x0))
    ]


def cropped(image, boxes, which, crop, method="bilinear", extrapolation_value=0.0):
    """The reference of CropAndResize."""
    out = np.full((len(boxes), *crop, image.shape[3]), extrapolation_value, _F)
    for n, (box, b) in enumerate(zip(boxes, which)):
        for at, parts in corners(box, image.shape[1:3], crop, method).items():
            if parts:
                out[(n, *at)] = sum(w * image[b, i, j] for i, j, w in parts)
    return out


def image_slope(dy, boxes, which, size, T, method="bilinear"):
    """The reference of CropAndResizeGradImage."""
    out = np.zeros(size)
    for n, (box, b) in enumerate(zip(boxes, which)):
        crop = corners(box, size[1:3], dy.shape[1:3], method)
        for at, parts in crop.items():
            for i, j, w in parts:
                out[b, i, j] += w * dy[(n, *at)]
    return out.astype(T.np)


def boxes_slope(dy, image, boxes, which, **_):
    """The reference of CropAndResizeGradBoxes: differences of the crops."""
    out, eps = np.zeros(boxes.shape, _F), 1e-2
    for n in range(len(boxes)):
        for k in range(4):
            moved = np.array([boxes[n], boxes[n]], np.float64)
            moved[:, k] += [eps, -eps]
            high, low = (
                (cropped(image, m[None], which[n : n + 1], dy.shape[1:3]) * dy[n]).sum()
                for m in moved
            )
            out[n, k] = (high - low) / (2 * eps)
    return out


INSIDE = np.array([[0.13, 0.22, 0.68, 0.87], [0.91, 0.8, 0.13, 0.22]], _F)
SMOOTH = np.add.outer(np.arange(6.0) * 0.5, np.arange(7.0) * 0.25)[None, ..., None]
SMOOTH = np.concatenate([SMOOTH, 3 - SMOOTH]).astype(_F)  # flat pieces: no kinks
ROUGH = {"float32": 1e-5}
GOOD = np.zeros((2, 4, 4, 1)), BOXES, WHICH
CROP_ERRORS = [
    error(np.zeros((4, 4, 1)), BOXES, WHICH, [2, 2], text="input image must be 4-D"),
    error(GOOD[0], BOXES[0], WHICH, [2, 2], text="boxes must be 2-D[4]"),
    error(GOOD[0], BOXES[:, :3], WHICH, [2, 2], text="boxes must have 4 columns"),
    error(GOOD[0], BOXES, WHICH[:2], [2, 2], text="box_index has incompatible shape"),
    error(GOOD[0], BOXES, WHICH[None], [2, 2], text="box_index must be 1-D[1,3]"),
    error(*GOOD, 2, text="crop_size must be 1-D[]"),
    error(*GOOD, [2], text="crop_size must have two elements[1]"),
    error(*GOOD, [2, 0], text="crop dimensions must be positive"),
    error(*GOOD, [2, 2], method="x", text="not in the list of allowed values"),
    error(
        GOOD[0], BOXES, WHICH + 1, [2, 2], type=OutOfRangeError,
        text="box_index has values outside [0, batch_size)",
    ),
]  # fmt: skip

for method in ("bilinear", "nearest"):
    for crop in ([3, 4], [1, 1], [9, 5]):
        case(
            "CropAndResize", floats(2, 5, 7, 2), BOXES, WHICH, crop, grad=(),
            attrs={"method": method, "extrapolation_value": 7.5}, reference=cropped,
            errors=CROP_ERRORS, tol=ROUGH, reason="places in float32",
        )  # fmt: skip
        dy = np.random.RandomState(2).uniform(-1, 1, (3, *crop, 2)).astype(_F)
        for T in (dtypes.float32, dtypes.float64):
            case(
                "CropAndResizeGradImage", dy, BOXES, WHICH, [2, 5, 7, 2], grad=(),
                attrs={"method": method, "T": T}, reference=image_slope,
                dtypes=[T.name], tol={"float32": 1e-5, "float64": 1e-5},
                reason="places in float32",
                errors=[
                    error(dy, BOXES, WHICH, [2, 5, 7], text="must have 4 elements[3]"),
                    error(dy[0], BOXES, WHICH, [2, 5, 7, 2], text="grads image must"),
                ],
            )  # fmt: skip
case(
    "CropAndResize", BYTES, BOXES, WHICH, [4, 4], reference=cropped, tol=ROUGH,
    reason="places in float32", grad=(),
)  # fmt: skip
case(
    "CropAndResizeGradBoxes",
    np.random.RandomState(3).uniform(0.5, 1, (2, 3, 4, 1)).astype(_F),
    SMOOTH, INSIDE, np.array([0, 1], np.int32), reference=boxes_slope, grad=(),
    tol={"float32": 1e-4}, reason="the reference is a difference of float32 crops",
)  # fmt: skip
