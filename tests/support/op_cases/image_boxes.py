"""Rows of ops.image: nms, boxes and glimpse, in plain Python."""

import math

import numpy as np

from tests.support.op_cases.random import DRAWN, uniforms
from tests.support.op_cases.table import case, error, floats

_F = np.float32
_random = np.random.RandomState(0)
_corner = _random.uniform(0, 1, (30, 2))
_size = _random.uniform(-0.4, 0.4, (30, 2))
BOXES = np.concatenate([_corner, _corner + _size], 1).astype(_F)
SCORES = (_random.permutation(30) / 30).astype(_F)
OVERLAPS = _random.uniform(0, 1, (30, 30)).astype(_F)


# ------------------------------------------------------------------ suppression
def overlap(a, b):
    """Intersection over union of two boxes."""

    def span(box, k):
        return sorted((float(box[k]), float(box[k + 2])))

    common, areas = 1.0, [1.0, 1.0]
    for k in range(2):
        (a0, a1), (b0, b1) = span(a, k), span(b, k)
        common *= max(min(a1, b1) - max(a0, b0), 0)
        areas[0] *= a1 - a0
        areas[1] *= b1 - b0
    return common / (sum(areas) - common) if min(areas) > 0 else 0.0


def selected(scores, count, least, suppresses):
    """Best first, each unless a chosen one suppresses it."""
    chosen: list = []
    for i in sorted(range(len(scores)), key=lambda i: -scores[i]):
        if len(chosen) == count:
            break
        if scores[i] > least and not any(suppresses(i, j) for j in chosen):
            chosen.append(i)
    return np.array(chosen, np.int32)


def suppressed(boxes, scores, count, iou_threshold, least=-math.inf, **_):
    """The reference of NonMaxSuppression."""
    return selected(
        scores, count, least,
        lambda i, j: overlap(boxes[i], boxes[j]) > iou_threshold,
    )  # fmt: skip


def padded(boxes, scores, count, threshold, least, pad_to_max_output_size):
    """The reference of NonMaxSuppressionV4."""
    found = suppressed(boxes, scores, count, threshold, least)
    n = np.array(len(found), np.int32)
    return [np.pad(found, (0, count - n if pad_to_max_output_size else 0)), n]


HALF, LEAST = _F(0.5), _F(0.2)
BAD_BOXES = [
    ((BOXES[0], SCORES, 3), "boxes must be 2-D[4]"),
    ((BOXES[:, :3], SCORES, 3), "boxes must have 4 columns"),
    ((BOXES, SCORES[None], 3), "scores must be 1-D[1,30]"),
    ((BOXES, SCORES[:5], 3), "scores has incompatible shape"),
    ((BOXES, SCORES, [3]), "max_output_size must be 0-D, got shape [1]"),
]


def errors_with(*more):
    """The calls that must fail, with the thresholds of the op."""
    found = [error(*inputs, *more, text=text) for inputs, text in BAD_BOXES]
    if more:
        wrong = (_F(1.5), *more[1:])
        found.append(error(BOXES, SCORES, 3, *wrong, text="must be in [0, 1]"))
        wrong = (np.array([0.5], _F), *more[1:])
        found.append(error(BOXES, SCORES, 3, *wrong, text="must be 0-D, got shape [1]"))
    return found


for count in (0, 5, 50):
    case(
        "NonMaxSuppression", BOXES, SCORES, count, attrs={"iou_threshold": 0.3},
        reference=suppressed, data_dependent=True, errors=errors_with(),
    )  # fmt: skip
    case(
        "NonMaxSuppressionV2", BOXES, SCORES, count, HALF, reference=suppressed,
        data_dependent=True, errors=errors_with(HALF),
    )  # fmt: skip
    case(
        "NonMaxSuppressionV3", BOXES, SCORES, count, _F(0.1), LEAST,
        reference=suppressed, data_dependent=True, errors=errors_with(HALF, LEAST),
    )  # fmt: skip
    for pad in (False, True):
        case(
            "NonMaxSuppressionV4", BOXES, SCORES, count, HALF, LEAST, reference=padded,
            attrs={"pad_to_max_output_size": pad}, data_dependent=True,
            errors=errors_with(HALF, LEAST),
        )  # fmt: skip
    case(
        "NonMaxSuppressionWithOverlaps", OVERLAPS, SCORES, count, HALF, LEAST,
        reference=lambda o, scores, n, threshold, least: selected(
            scores, n, least, lambda i, j: o[i, j] > threshold
        ),
        data_dependent=True,
        errors=[
            error(OVERLAPS[0], SCORES, 3, HALF, LEAST, text="overlaps must be 2-D[30]"),
            error(OVERLAPS[:3], SCORES, 3, HALF, LEAST, text="overlaps must be square"),
        ],
    )  # fmt: skip


# ------------------------------------------------------------------ drawing
def outlined(images, boxes):
    """The reference of DrawBoundingBoxes, pixel by pixel."""
    colors = [(1, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0.5, 0, 0.5), (0.5, 0.5, 0),
              (0.5, 0, 0), (0, 0, 0.5), (0, 1, 1), (1, 0, 1)]  # fmt: skip
    out = images.copy()
    _, height, width, depth = images.shape
    for b, n in np.ndindex(*boxes.shape[:2]):
        scaled = boxes[b, n] * np.array([height - 1, width - 1] * 2, _F)
        top, left, bottom, right = (int(v) for v in scaled)
        color = (*colors[n % 10], 1)[:depth] if depth > 1 else (1,)
        for y, x in np.ndindex(height, width):
            on_row = y in (top, bottom) and left <= x <= right
            on_column = x in (left, right) and top <= y <= bottom
            if (on_row or on_column) and top <= bottom and left <= right:
                out[b, y, x] = color
    return out


LOW = _random.uniform(-0.2, 0.6, (2, 12, 2))
DRAWN_BOXES = np.concatenate([LOW, LOW + _random.uniform(0, 0.7, (2, 12, 2))], 2)
DRAWN_BOXES = DRAWN_BOXES.astype(_F)
for depth in (1, 3, 4):
    image = _random.uniform(0, 1, (2, 9, 11, depth)).astype(_F)
    case(
        "DrawBoundingBoxes", image, DRAWN_BOXES, reference=outlined, errors=[
            error(image[0], DRAWN_BOXES, text="rank of the images should be 4"),
            error(image, DRAWN_BOXES[0], text="rank of the boxes tensor should be 3"),
            error(image[:1], DRAWN_BOXES, text="The batch sizes should be the same"),
            error(np.zeros((2, 3, 3, 2), _F), DRAWN_BOXES, text="Channel depth"),
        ],
    )  # fmt: skip


# ------------------------------------------------------------------ sampling
def sampled(size, boxes, covered, aspect_ratio_range, area_range, **_):
    """The reference of SampleDistortedBoundingBox: one attempt after the other."""
    height, width = int(size[0]), int(size[1])
    for u in uniforms((100, 4), 23, _F).astype(np.float64):
        part = crop_of(u, height, width, aspect_ratio_range, area_range)
        if part and any(holds(part, b, height, width, covered) for b in boxes[0]):
            break
    else:
        part = (0, 0, height, width)
    y, x, h, w = part
    box = [y / height, x / width, (y + h) / height, (x + w) / width]
    found = [np.array(v, size.dtype) for v in ([y, x, 0], [h, w, -1])]
    return [*found, np.array(box, _F).reshape(1, 1, 4)]


def crop_of(u, height, width, ratios, areas):
    """(top, left, rows, columns) of one attempt, or None."""
    ratio = ratios[0] + u[0] * (ratios[1] - ratios[0])
    least, most = (a * height * width for a in areas)
    tall = round(math.sqrt(most / ratio))
    while round(tall * ratio) > width:
        tall -= 1
    tall = min(tall, height)
    rows = min(round(math.sqrt(least / ratio)), tall)
    rows += int(u[1] * (tall - rows + 1))
    rows += rows * round(rows * ratio) < least
    rows -= rows * round(rows * ratio) > most
    columns = round(rows * ratio)
    if not (least <= rows * columns <= most and rows <= height and columns <= width):
        return None
    top = int(u[2] * max(height - rows, 1))
    return top, int(u[3] * max(width - columns, 1)), rows, columns


def holds(part, box, height, width, covered):
    """Whether enough of a box is inside."""
    y, x, h, w = part
    y1, x1, y2, x2 = (int(b * n) for b, n in zip(box, (height, width) * 2))
    tall = min(y + h, y2) - max(y, y1)
    wide = min(x + w, x2) - max(x, x1)
    area = (y2 - y1) * (x2 - x1)
    return area >= 1 and max(tall, 0) * max(wide, 0) / area >= covered


SIZE = np.array([60, 80, 3], np.int32)
OBJECTS = np.array([[[0.5, 0.1, 0.75, 0.3], [0.1, 0.6, 0.4, 0.9]]], _F)
RANGES = {"aspect_ratio_range": (0.75, 1.33), "area_range": (0.05, 1.0)}
BAD_SAMPLES = [
    ((SIZE[None], OBJECTS), {}, "image_size must be 1-dimensional[1,3]"),
    ((SIZE[:2], OBJECTS), {}, "image_size must contain 3 elements[2]"),
    ((-SIZE, OBJECTS), {}, "image height cannot be >= int32 max"),
    ((SIZE, OBJECTS[0]), {}, "input boxes must be 3-dimensional"),
    ((SIZE, OBJECTS[..., :3]), {}, "bounding boxes must have shape [4] or [*, 4]"),
    ((SIZE, OBJECTS[:, :0]), {}, "No bounding boxes provided as input."),
    ((SIZE, -OBJECTS), {}, "must be in [0.0, 1.0]: -0.5"),
    ((SIZE, OBJECTS), {"area_range": (0.5, 2.0)}, "Area range must be less then"),
    ((SIZE, OBJECTS), {"area_range": (0.0, 1.0)}, "Area range must be non-negative"),
    ((SIZE, OBJECTS), {"aspect_ratio_range": (1.0,)}, "must specify 2 dimensions"),
    ((SIZE, OBJECTS), {"max_attempts": 0}, "Max attempts must be non-negative: 0"),
]
for covered, kind in ((0.1, np.int32), (0.9, np.int64), (2.0, np.uint8)):
    case(
        "SampleDistortedBoundingBoxV2", SIZE.astype(kind), OBJECTS, _F(covered),
        attrs={**RANGES, **DRAWN}, reference=sampled if kind != np.uint8 else [
            np.array([0, 0, 0], kind), np.array([60, 80, 255], kind),
            np.array([[[0, 0, 1, 1]]], _F),
        ],
        errors=[
            error(*bad, LEAST, text=text, **attrs) for bad, attrs, text in BAD_SAMPLES
        ],
    )  # fmt: skip
case(
    "SampleDistortedBoundingBox", SIZE, OBJECTS, reference=lambda *args, **attrs: (
        sampled(*args, attrs.pop("min_object_covered"), **attrs)
    ),
    attrs={**RANGES, **DRAWN, "min_object_covered": 0.5},
)  # fmt: skip
case(
    "SampleDistortedBoundingBoxV2", SIZE, OBJECTS[:, :0], LEAST,
    attrs={**RANGES, **DRAWN, "use_image_if_no_bounding_boxes": True},
    reference=[
        np.zeros(3, np.int32), np.array([60, 80, -1], np.int32),
        np.array([[[0, 0, 1, 1]]], _F),
    ],
)  # fmt: skip


# ------------------------------------------------------------------ windows
def window(images, size, offsets, centered, normalized, **_):
    """The reference of ExtractGlimpse where nothing is outside."""
    out = []
    for image, at in zip(images, offsets.astype(np.float64)):
        begin = []
        for k in range(2):
            n = image.shape[k]
            v = at[k] * n if normalized else at[k]
            v = v / 2 + n / 2 if centered else v
            begin.append(int(v - size[k] / 2))
        y, x = begin
        out.append(image[y : y + size[0], x : x + size[1]])
    return np.array(out)


PHOTOS = _random.uniform(0, 1, (2, 9, 8, 2)).astype(_F)
GLIMPSES = [
    error(PHOTOS[0], [3, 3], np.zeros((2, 2), _F), text="input must be 4-dimensional"),
    error(PHOTOS, [3], np.zeros((2, 2), _F), text="must be a vector of size 2"),
    error(PHOTOS, [3, 3], np.zeros(2, _F), text="input must be a matrix[2]"),
    error(PHOTOS, [3, 3], np.zeros((1, 2), _F), text="dimension should be batch[1,2]"),
    error(PHOTOS, [3, 3], np.zeros((2, 3), _F), text="should be of size 2 (y,x)[2,3]"),
]
for centered, normalized, at in (
    (True, True, [[0.1, -0.2], [0.3, 0.3]]), (False, True, [[0.5, 0.4], [0.6, 0.5]]),
    (True, False, [[1, 2], [-3, 0]]), (False, False, [[4, 3], [5, 4]]),
):  # fmt: skip
    case(
        "ExtractGlimpse", PHOTOS, [3, 4], np.array(at, _F), reference=window,
        attrs={"centered": centered, "normalized": normalized, **DRAWN},
        errors=GLIMPSES,
    )  # fmt: skip
for noise in (True, False):  # of an image with one value it is that value
    plain, beyond = np.full((1, 4, 5, 1), 0.5, _F), np.array([[2, 0]], _F)
    case(
        "ExtractGlimpse", plain, [7, 6], beyond,
        attrs={"uniform_noise": noise, **DRAWN},
        reference=np.full((1, 7, 6, 1), 0.5, _F),
    )  # fmt: skip


def cropped(image, size, **_):
    """The reference of RandomCrop."""
    y, x = (
        int(u * (n - k + 1))
        for u, n, k in zip(uniforms((2,), 52, np.float64), image.shape, size)
    )
    return image[y : y + size[0], x : x + size[1]]


case(
    "RandomCrop", floats(9, 8, 3), [4, 5], attrs=DRAWN, reference=cropped, grad=(),
    errors=[
        error(np.zeros((9, 8), _F), [4, 5], text="input must be 3-dimensional[9,8]"),
        error(np.zeros((9, 8, 1), _F), [4], text="crop_size must be a vector of"),
        error(np.zeros((9, 8, 1), _F), [10, 5], text="height must be >= target_height"),
    ],
)  # fmt: skip
case(
    "RandomCrop", np.arange(12).reshape(3, 4, 1), [3, 4], attrs=DRAWN,
    reference=lambda image, *_, **__: image,
)  # fmt: skip
