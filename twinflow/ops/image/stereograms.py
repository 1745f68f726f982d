"""Images of random dots that two eyes see as a surface.

Thimbleby, Inglis and Witten, Displaying 3D images: algorithms for single-image random
dot stereograms (1994).
"""

from typing import Any

import numpy as np

from twinflow.base.op import define
from twinflow.ops.core.infer import ranked


def _depths(values, attrs):
    """The depths from 0 (far) to 1 (near): those given, or scaled to it."""
    values = np.asarray(values, np.float64)
    least, most = attrs["normalize_min"], attrs["normalize_max"]
    if not attrs["normalize"]:
        return values
    if most < least:
        least, most = values.min(), values.max()
    return (values - least) / ((most - least) or 1.0)


def _rows(height, window, dots):
    """(the first row of the window, the first row of the dots that help the eyes)."""
    if not dots:
        return max((height - window) // 2, 0), height
    gap = max((height - window - dots) // 3, 0)
    return gap, height - gap - dots


def _placed(values, width, height, attrs):
    """The depth of each pixel, the border's outside of the window: [height, width]."""
    depths = _depths(values, attrs)
    columns, rows = (int(n) for n in attrs["output_data_window"])
    out = np.full([height, width], float(attrs["border_level"]))
    top, _ = _rows(height, rows, attrs["convergence_dots_size"])
    left = (width - columns) // 2
    down = np.arange(rows) * depths.shape[0] // rows
    across = np.arange(columns) * depths.shape[1] // columns
    out[top : top + rows, left : left + columns] = depths[down][:, across]
    return out


def _apart(z, eyes, mu):
    """How many pixels apart the two images of a point at depth z are."""
    if mu * z >= 1:  # it is as near as the eyes, or nearer
        return 0
    return int((1 - mu * z) * eyes / (2 - mu * z) + 0.5)


def _visible(row, x, eyes, mu):
    """Whether nothing nearer hides a point from an eye."""
    z, t, here = row[x], 1, 0.0
    while here < 1:
        here = z + 2 * (2 - mu * z) * t / (mu * eyes)
        for side in (x - t, x + t):
            if 0 <= side < len(row) and row[side] >= here:
                return False
        t += 1
    return True


def _join(same, left, right):
    """Note that two pixels are of one color: each points to the next one of it."""
    while same[left] not in (left, right):
        if same[left] < right:
            left = same[left]
        else:
            same[left], left, right = right, right, same[left]
    same[left] = right


def _colored(row, draw, eyes, attrs):
    """A row of pixels whose colors say how deep it is."""
    same, mu = list(range(len(row))), attrs["mu"]
    for x, z in enumerate(row):
        apart = _apart(z, eyes, mu)
        left = x - apart // 2
        right = left + apart
        shown = left >= 0 and right < len(row)
        if shown and (
            not attrs["hidden_surface_removal"] or _visible(row, x, eyes, mu)
        ):
            _join(same, left, right)
    out: list[Any] = [None] * len(row)
    for x in reversed(range(len(row))):
        out[x] = draw() if same[x] == x else out[same[x]]
    return out


def _sizes(attrs):
    """(width, height, channels) of the image."""
    width, height, *channels = (int(n) for n in attrs["output_image_shape"])
    return width, height, 3 if attrs["number_colors"] > 256 else (*channels, 1)[0]


def _stereogram(depth_values, **attrs):
    (width, height, channels), mu = _sizes(attrs), attrs["mu"]
    dots, levels = attrs["convergence_dots_size"], 256
    if attrs["number_colors"] == 2:
        levels = 2
    eyes = int(attrs["eye_separation"] * attrs["dots_per_inch"])
    source = np.random.default_rng(0)  # one image for the same depths

    def draw():
        return source.integers(levels, size=channels) * (255 // (levels - 1))

    depths = _placed(depth_values, width, height, attrs)
    out = np.array([_colored(row, draw, eyes, attrs) for row in depths], np.uint8)
    _, bottom = _rows(height, int(attrs["output_data_window"][1]), dots)
    half = _apart(0.0, eyes, mu) // 2
    for middle in (width // 2 - half, width // 2 + half):
        left = max(middle - dots // 2, 0)
        out[bottom : bottom + dots, left : middle - dots // 2 + dots] = 0
    return out


def _check(depth_values, **attrs):
    if np.ndim(depth_values) != 2 or not np.size(depth_values):
        return f"depth_values must be 2-D and not empty, not {np.shape(depth_values)}"
    image, window = attrs["output_image_shape"], attrs["output_data_window"]
    if len(image) not in (2, 3) or len(window) != 2 or min(*image, *window) < 1:
        return (
            "output_image_shape must be [X, Y] or [X, Y, channels] and "
            "output_data_window [X, Y], all of them positive, not "
            f"{list(image)} and {list(window)}"
        )
    if min(attrs["convergence_dots_size"], attrs["dots_per_inch"]) < 0:
        return "convergence_dots_size and dots_per_inch must not be negative"
    if not 0 <= attrs["mu"] < 1 or attrs["eye_separation"] < 0:
        return "mu must lie in [0, 1), and eye_separation must not be negative"
    if not np.all(np.isfinite(depth_values)):
        return "depth_values must be finite"
    if any(w > n for w, n in zip(window, image, strict=False)):
        return f"output_data_window {list(window)} is larger than {list(image)}"
    return None


def _infer(depth_values, **attrs):
    ranked(depth_values._shape, 2)
    width, height, channels = _sizes(attrs)
    return height, width, channels


SingleImageRandomDotStereograms = define(
    "SingleImageRandomDotStereograms", infer=_infer, host=_stereogram, check=_check
)
