"""Pictures turned, shifted, sheared, zoomed, and with other colours."""

from typing import Any

import numpy as np
from scipy import ndimage


def _centered(matrix, height, width):
    """The matrix around the middle of the picture, as Keras of 1.12 has that."""
    x, y = height / 2 + 0.5, width / 2 + 0.5
    there = np.array([[1, 0, x], [0, 1, y], [0, 0, 1]])
    back = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]])
    return there @ matrix @ back


def _matrix(theta, tx, ty, shear, zx, zy):
    """The matrix of all the changes; None if there are none."""
    parts = []
    if theta:
        c, s = np.cos(np.deg2rad(theta)), np.sin(np.deg2rad(theta))
        parts.append([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    if tx or ty:
        parts.append([[1, 0, tx], [0, 1, ty], [0, 0, 1]])
    if shear:
        c, s = np.cos(np.deg2rad(shear)), np.sin(np.deg2rad(shear))
        parts.append([[1, -s, 0], [0, c, 0], [0, 0, 1]])
    if zx != 1 or zy != 1:
        parts.append([[zx, 0, 0], [0, zy, 0], [0, 0, 1]])
    found = None
    for part in parts:
        found = np.array(part) if found is None else found @ np.array(part)
    return found


def apply_affine_transform(
    x: Any, theta: Any = 0, tx: Any = 0, ty: Any = 0, shear: Any = 0, zx: Any = 1,
    zy: Any = 1, row_axis: Any = 0, col_axis: Any = 1, channel_axis: Any = 2,
    fill_mode: Any = "nearest", cval: Any = 0.0, order: int = 1,
) -> Any:  # fmt: skip
    """A picture turned by `theta` degrees, shifted, sheared and zoomed.

    Args:
        x: float[...], a picture. tx, ty: in pixels. shear: in degrees. zx, zy: factors.
        row_axis, col_axis, channel_axis: of x.
        fill_mode: "nearest", "constant", "reflect" or "wrap": what is outside.
        cval: what is outside, for "constant".
    """
    matrix = _matrix(theta, tx, ty, shear, zx, zy)
    if matrix is None:
        return x
    matrix = _centered(matrix, x.shape[row_axis], x.shape[col_axis])
    channels = [
        ndimage.affine_transform(
            channel,
            matrix[:2, :2],
            matrix[:2, 2],
            order=order,
            mode=fill_mode,
            cval=cval,
        )
        for channel in np.moveaxis(x, channel_axis, 0)
    ]
    return np.moveaxis(np.stack(channels), 0, channel_axis)


def random_rotation(
    x: Any, rg: Any, row_axis: Any = 1, col_axis: Any = 2, channel_axis: Any = 0,
    fill_mode: Any = "nearest", cval: Any = 0.0,
    interpolation_order: int = 1,
) -> Any:  # fmt: skip
    """A picture turned by up to `rg` degrees; see apply_affine_transform."""
    theta = np.random.uniform(-rg, rg)
    return apply_affine_transform(
        x, theta, row_axis=row_axis, col_axis=col_axis, channel_axis=channel_axis,
        fill_mode=fill_mode, cval=cval,
        order=interpolation_order,
    )  # fmt: skip


def random_shift(
    x: Any, wrg: Any, hrg: Any, row_axis: Any = 1, col_axis: Any = 2,
    channel_axis: Any = 0, fill_mode: Any = "nearest", cval: Any = 0.0,
    interpolation_order: int = 1,
) -> Any:  # fmt: skip
    """A picture shifted by up to these shares of its width and height."""
    tx = np.random.uniform(-hrg, hrg) * x.shape[row_axis]
    ty = np.random.uniform(-wrg, wrg) * x.shape[col_axis]
    return apply_affine_transform(
        x, tx=tx, ty=ty, row_axis=row_axis, col_axis=col_axis,
        channel_axis=channel_axis, fill_mode=fill_mode, cval=cval,
        order=interpolation_order,
    )  # fmt: skip


def random_shear(
    x: Any, intensity: Any, row_axis: Any = 1, col_axis: Any = 2, channel_axis: Any = 0,
    fill_mode: Any = "nearest", cval: Any = 0.0,
    interpolation_order: int = 1,
) -> Any:  # fmt: skip
    """A picture sheared by up to `intensity` degrees."""
    shear = np.random.uniform(-intensity, intensity)
    return apply_affine_transform(
        x, shear=shear, row_axis=row_axis, col_axis=col_axis,
        channel_axis=channel_axis, fill_mode=fill_mode, cval=cval,
        order=interpolation_order,
    )  # fmt: skip


def random_zoom(
    x: Any, zoom_range: Any, row_axis: Any = 1, col_axis: Any = 2,
    channel_axis: Any = 0, fill_mode: Any = "nearest", cval: Any = 0.0,
    interpolation_order: int = 1,
) -> Any:  # fmt: skip
    """A picture zoomed by factors in `zoom_range`, a pair.

    Raises:
        ValueError: it is no pair.
    """
    if len(zoom_range) != 2:
        raise ValueError(
            f"`zoom_range` should be a tuple or list of two floats. Received: "
            f"{zoom_range}"
        )
    zx, zy = (1, 1) if zoom_range == (1, 1) else np.random.uniform(*zoom_range, 2)
    return apply_affine_transform(
        x, zx=zx, zy=zy, row_axis=row_axis, col_axis=col_axis,
        channel_axis=channel_axis, fill_mode=fill_mode, cval=cval,
        order=interpolation_order,
    )  # fmt: skip


# ------------------------------------------------------------------ colours
def apply_channel_shift(x: Any, intensity: Any, channel_axis: Any = 0) -> Any:
    """A picture with `intensity` added, kept within its own limits."""
    return np.clip(x + intensity, np.min(x), np.max(x))


def random_channel_shift(x: Any, intensity_range: Any, channel_axis: Any = 0) -> Any:
    """A picture with up to `intensity_range` added or taken away."""
    intensity = np.random.uniform(-intensity_range, intensity_range)
    return apply_channel_shift(x, intensity, channel_axis)


def apply_brightness_shift(x: Any, brightness: Any) -> Any:
    """A picture, float[height, width, channels], made lighter by a factor."""
    low, high = np.min(x), np.max(x)
    scaled = (x - low) * 255 / (high - low) if high > low else np.zeros_like(x)
    lighter = np.floor(scaled) * np.float32(brightness)
    return np.floor(np.clip(lighter, 0, 255)).astype(x.dtype)


def random_brightness(x: Any, brightness_range: Any) -> Any:
    """A picture made lighter by a factor in `brightness_range`, a pair.

    Raises:
        ValueError: it is no pair.
    """
    if len(brightness_range) != 2:
        raise ValueError(
            "`brightness_range should be tuple or list of two floats. Received: "
            f"{brightness_range}"
        )
    return apply_brightness_shift(x, np.random.uniform(*brightness_range))
