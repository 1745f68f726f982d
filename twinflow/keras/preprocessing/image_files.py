"""Pictures of Pillow as arrays, and back."""

from typing import Any

import numpy as np

from twinflow.base.damage import UnreadableFile, reported
from twinflow.keras.backend import defaults

try:
    from PIL import Image
except ImportError:
    Image = None

_FILTERS = {"nearest": "NEAREST", "bilinear": "BILINEAR", "bicubic": "BICUBIC"}


def _needs_pillow(what):
    if Image is None:
        raise ImportError(
            f"Could not import PIL.Image. The use of `{what}` requires PIL: python -m "
            "pip install Pillow"
        )


def array_to_img(
    x: Any, data_format: Any = None, scale: bool = True, dtype: Any = None
) -> Any:
    """An array as a picture.

    Args:
        x: float[height, width, 1, 3 or 4]. data_format: "channels_first" for those.
        scale: whether to stretch the values to [0, 255]. dtype: floatx if not given.
    Raises:
        ValueError: it has another shape. ImportError: Pillow is not installed.
    """
    _needs_pillow("array_to_img")
    x = np.asarray(x, dtype or defaults.floatx())
    if x.ndim != 3:
        raise ValueError(
            "Expected image array to have rank 3 (single image). Got array with shape: "
            f"{x.shape}"
        )
    if (data_format or defaults.image_data_format()) == "channels_first":
        x = x.transpose(1, 2, 0)
    if scale:
        x = x - np.min(x)
        x = x * 255 / np.max(x) if np.max(x) else x
    if x.shape[2] not in (1, 3, 4):
        raise ValueError(f"Unsupported channel number: {x.shape[2]}")
    x = x.astype("uint8")
    return Image.fromarray(x[:, :, 0] if x.shape[2] == 1 else x)


def img_to_array(img: Any, data_format: Any = None, dtype: Any = None) -> Any:
    """A picture as float[height, width, channels].

    Args:
        data_format: "channels_first" for that. dtype: floatx if not given.
    Raises:
        ValueError: it has another number of axes, or the format is not known.
    """
    data_format = data_format or defaults.image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError("Unknown data_format: ", data_format)
    x = np.asarray(img, dtype or defaults.floatx())
    if x.ndim == 2:
        x = x[:, :, None]
    if x.ndim != 3:
        raise ValueError("Unsupported image shape: ", x.shape)
    return x.transpose(2, 0, 1) if data_format == "channels_first" else x


def load_img(
    path: Any, grayscale: bool = False, color_mode: Any = "rgb",
    target_size: Any = None, interpolation: Any = "nearest",
) -> Any:  # fmt: skip
    """A picture from a file.

    Args:
        path: the path. grayscale: the older form of color_mode="grayscale".
        color_mode: "grayscale", "rgb" or "rgba". target_size: (height, width) or None.
        interpolation: "nearest", "bilinear" or "bicubic".
    Raises:
        ValueError: an argument is not known. ImportError: Pillow is not installed.
    """
    _needs_pillow("load_img")
    modes = {"grayscale": "L", "rgba": "RGBA", "rgb": "RGB"}
    color_mode = "grayscale" if grayscale else color_mode
    if color_mode not in modes:
        raise ValueError('color_mode must be "grayscale", "rgb", or "rgba"')
    if interpolation not in _FILTERS:
        raise ValueError(
            f"Invalid interpolation method {interpolation} specified. Supported "
            f"methods are {', '.join(_FILTERS)}"
        )
    with reported(str(path), UnreadableFile), Image.open(path) as opened:
        image = opened.convert(modes[color_mode])
    if target_size is not None and image.size != (target_size[1], target_size[0]):
        how = getattr(Image.Resampling, _FILTERS[interpolation])
        image = image.resize((target_size[1], target_size[0]), how)
    return image


def save_img(
    path: Any, x: Any, data_format: Any = None, file_format: Any = None,
    scale: bool = True, **kwargs: Any,
) -> Any:  # fmt: skip
    """Write an array as a picture; see array_to_img."""
    image = array_to_img(x, data_format, scale)
    image.save(path, format=file_format, **kwargs)
