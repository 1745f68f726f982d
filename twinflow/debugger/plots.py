"""Tensors as pictures: a PNG where matplotlib is there, text where it is not."""

import importlib.util
import pkgutil
from typing import Any

import numpy as np

from twinflow.debugger.values import array_of, histogram, short

_SHADES = " .:-=+*#%@"
_WIDE = 64  # characters of a picture as text


def plot(value: Any, file: str = "") -> str:
    """Draw a tensor; returns the picture as text, or where it was put.

    Args:
        value: [height, width] or [height, width, 1, 3 or 4] is an image, with or
            without one dimension before it; of others the histogram is drawn.
        file: the name of a PNG; "tensor.png" if matplotlib is there.
    Raises:
        ValueError: the value has no numbers.
    """
    array = array_of(value)
    if array is None or array.dtype.kind in "OSUVc":
        raise ValueError(f"no picture of {short(value)}")
    image = _image(array)
    if importlib.util.find_spec("matplotlib") is None:
        return histogram(array) if image is None else _text(image)
    return _png(array, image, file or "tensor.png")


def _image(array: np.ndarray) -> np.ndarray | None:
    if array.ndim in (3, 4) and array.shape[0] == 1:
        array = array[0]
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    is_image = array.ndim == 2 or (array.ndim == 3 and array.shape[2] in (3, 4))
    return array if is_image and min(array.shape[:2]) > 1 else None


def _png(array: np.ndarray, image: Any, file: str) -> str:
    figure = pkgutil.resolve_name("matplotlib.figure:Figure")()
    axes = figure.add_subplot()
    if image is None:
        flat = array.astype(np.float64).reshape(-1)
        axes.hist(flat[np.isfinite(flat)], bins=50)
    elif image.ndim == 2:
        shown = axes.imshow(image.astype(np.float64), aspect="auto")
        figure.colorbar(shown)
    else:
        axes.imshow(_unit(image))
    axes.set_title(short(array), fontsize=8)
    figure.savefig(file)
    return f"{'histogram' if image is None else 'image'} in {file}"


def _unit(image: np.ndarray) -> np.ndarray:
    if image.dtype.kind in "iu":
        return image
    wide = image.astype(np.float64)
    low, high = np.nanmin(wide), np.nanmax(wide)
    return (wide - low) / ((high - low) or 1)


def _text(image: np.ndarray) -> str:
    """A picture in characters, at most 64 wide."""
    gray = _unit(np.atleast_3d(image).astype(np.float64).mean(2))
    step = max(1, -(-gray.shape[1] // _WIDE))
    rows = np.nan_to_num(gray[:: 2 * step, ::step])
    shades = np.minimum((rows * len(_SHADES)).astype(int), len(_SHADES) - 1)
    return "\n".join("".join(_SHADES[i] for i in row) for row in shades)
