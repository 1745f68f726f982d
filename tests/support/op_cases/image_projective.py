"""Rows of ops.image: projective transforms, components and greedy matching."""

import numpy as np

from tests.support.op_cases.table import case, error, floats

_F = np.float32
BENT = np.array([[1.1, 0.1, 0.2, 0.05, 0.9, -0.3, 0.01, 0.02]], _F)


def seen(images, transforms, size, interpolation):
    """The reference of ImageProjectiveTransformV2, pixel by pixel."""
    count, height, width, channels = images.shape
    out = np.zeros((count, *size, channels), images.dtype)

    def read(n, i, j):
        inside = 0 <= i < height and 0 <= j < width
        return images[n, i, j] if inside else np.zeros(channels)

    for n, i, j in np.ndindex(count, *size):
        a = transforms[min(n, len(transforms) - 1)].astype(np.float64)
        k = a[6] * j + a[7] * i + 1
        x, y = (a[:2] @ [j, i] + a[2]) / k, (a[3:5] @ [j, i] + a[5]) / k
        if interpolation == "NEAREST":
            out[n, i, j] = read(n, *(int(np.floor(p + 0.5)) for p in (y, x)))
            continue
        top, left = int(np.floor(y)), int(np.floor(x))
        out[n, i, j] = sum(
            read(n, top + p, left + q) * abs(1 - p - y + top) * abs(1 - q - x + left)
            for p in (0, 1)
            for q in (0, 1)
        )
    return out


RANK = error(np.zeros((3, 4), _F), BENT, [2, 2], text="rank")
for method in ("NEAREST", "BILINEAR"):
    case(
        "ImageProjectiveTransformV2", floats(2, 3, 4, 2), BENT, [4, 3], grad=(),
        attrs={"interpolation": method}, reference=seen, errors=[RANK],
        tol={"float32": 1e-4, "float64": 1e-4}, reason="places in float32",
    )  # fmt: skip


def hanging(image):
    """The reference of ImageConnectedComponents: the least number spreads."""
    numbers = np.arange(1, image.size + 1).reshape(image.shape) * (image != 0)
    while True:
        padded = np.pad(numbers, [(0, 0), (1, 1), (1, 1)])
        colors = np.pad(image, [(0, 0), (1, 1), (1, 1)])
        new = numbers.copy()
        for i, j in ((0, 1), (2, 1), (1, 0), (1, 2)):
            rows = slice(i, i + image.shape[1]), slice(j, j + image.shape[2])
            same = (colors[:, *rows] == image) & (image != 0)
            new = np.where(same, np.minimum(new, padded[:, *rows]), new)
        if (new == numbers).all():
            return new.astype(np.int64)
        numbers = new


case(
    "ImageConnectedComponents",
    np.random.RandomState(0).randint(0, 3, (2, 5, 6)).astype(np.int32),
    reference=hanging,
)

DISTANCES = np.array([[3, 1, 2], [1, 0.5, 4]], _F)
for top_k, found in ((-1, [[2, 1], [-1, 1, 0]]), (1, [[-1, 1], [-1, 1, -1]])):
    case(
        "BipartiteMatch", DISTANCES, _F(2), attrs={"top_k": top_k}, grad=(),
        dtypes=["float32"], reference=[np.array(f, np.int32) for f in found],
        errors=[
            error(DISTANCES[0], 2, text="distance_mat should be 2-dimensional, but"),
            error(DISTANCES, [2, 1], text="a tensor with 1 element, but got 2"),
            error(DISTANCES, 9, text="at least 9 rows in distance_mat, but only got 2"),
        ],
    )  # fmt: skip


def dotted(depths, **_):
    """The reference of a stereogram without hidden surfaces: what touches is merged."""
    drawn, rows = np.random.default_rng(0), []
    for row in np.ones((4, 30)) * depths.astype(np.float64).repeat(2, 0):
        parts = list(range(30))
        for x, z in enumerate(row):
            apart = int((1 - 0.5 * z) * 15 / (2 - 0.5 * z) + 0.5)
            left, right = x - apart // 2, x - apart // 2 + apart
            if left >= 0 and right < 30:
                old, new = parts[left], parts[right]
                parts = [new if part == old else part for part in parts]
        colors = {}
        for part in reversed(parts):
            if part not in colors:
                colors[part] = drawn.integers(256, size=1)
        rows.append([colors[part] for part in parts])
    return np.array(rows, np.uint8)


case(
    "SingleImageRandomDotStereograms", np.array([[0.25], [0.75]], _F),
    attrs={
        "hidden_surface_removal": False, "convergence_dots_size": 0,
        "dots_per_inch": 6, "mu": 0.5, "normalize": False,
        "output_image_shape": (30, 4, 1), "output_data_window": (30, 4),
    },
    reference=dotted, dtypes=["float32", "float64"], grad=(),
    errors=[error(np.array([0.25], _F), text="Shape must be rank 2 but is rank 1")],
)  # fmt: skip
