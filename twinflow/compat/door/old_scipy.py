"""What `scipy.misc` had until SciPy 1.10: images by Pillow, and some functions.

Images are as they were there: floats are spread over 0 to 255, sizes are (height,
width), and an axis of 3 or 4 is that of the colors.
"""

import functools
from typing import Any

import numpy as np
from scipy import datasets, interpolate, special

from twinflow.ops.image.files import pillow

_FILTERS = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "cubic": 3}


def bytescale(
    data: Any, cmin: Any = None, cmax: Any = None, high: int = 255, low: int = 0
) -> np.ndarray:
    """An array spread over uint8: `cmin` becomes `low`, `cmax` becomes `high`.

    Raises:
        ValueError: the bounds do not fit.
    """
    data = np.asarray(data)
    if data.dtype == np.uint8:
        return data
    if high > 255 or low < 0 or high < low:
        raise ValueError(f"Need 0 <= low <= high <= 255, got {low} and {high}.")
    cmin = data.min() if cmin is None else cmin
    cmax = data.max() if cmax is None else cmax
    if cmax < cmin:
        raise ValueError("`cmax` should be larger than `cmin`.")
    scaled = (data - cmin) * (float(high - low) / ((cmax - cmin) or 1)) + low
    return (scaled.clip(low, high) + 0.5).astype(np.uint8)


def toimage(
    arr: Any, high: int = 255, low: int = 0, cmin: Any = None, cmax: Any = None,
    pal: Any = None, mode: str | None = None, channel_axis: int | None = None,
) -> Any:  # fmt: skip
    """The Pillow image of an array [height, width], or one with 3 or 4 colors.

    Raises:
        ValueError: the array is complex or has another shape.
    """
    data = np.asarray(arr)
    if np.iscomplexobj(data):
        raise ValueError("Cannot convert a complex-valued array.")
    if data.ndim == 2:
        if mode == "F":
            return pillow().fromarray(data.astype(np.float32))
        image = pillow().fromarray(bytescale(data, cmin, cmax, high, low))
        if pal is not None:
            image.putpalette(np.asarray(pal, np.uint8).tobytes())
        return image if mode in (None, "L", "P") else image.convert(mode)
    colors = [i for i, n in enumerate(data.shape) if n in (3, 4)]
    if data.ndim != 3 or not colors:
        raise ValueError(
            "'arr' does not have a suitable array shape for any mode: expected "
            f"[height, width] or an axis of 3 or 4 colors, got {data.shape}."
        )
    threes = [i for i in colors if data.shape[i] == 3]
    axis = (threes or colors)[0] if channel_axis is None else channel_axis
    data = np.moveaxis(bytescale(data, cmin, cmax, high, low), axis, 2)
    image = pillow().fromarray(np.ascontiguousarray(data))
    return image if mode in (None, image.mode) else image.convert(mode)


def fromimage(im: Any, flatten: bool = False, mode: str | None = None) -> np.ndarray:
    """The array of a Pillow image, as float32 grey with `flatten`."""
    if mode is not None and mode != im.mode:
        im = im.convert(mode)
    elif mode is None and im.mode == "P":
        im = im.convert("RGBA" if "transparency" in im.info else "RGB")
    if flatten:
        im = im.convert("F")
    elif im.mode == "1":
        im = im.convert("L")
    return np.array(im)


def imread(name: Any, flatten: bool = False, mode: str | None = None) -> np.ndarray:
    """The array of an image file."""
    with pillow().open(name) as image:
        return fromimage(image, flatten, mode)


def imsave(name: Any, arr: Any, format: str | None = None) -> None:
    """Write an array as an image file."""
    image = toimage(arr, channel_axis=2)
    image.save(name, **({} if format is None else {"format": format}))


def imresize(
    arr: Any, size: Any, interp: str = "bilinear", mode: str | None = None
) -> np.ndarray:
    """An image of another size.

    Args:
        arr: as in `toimage`. size: percent (an int), a factor (a float), or (height,
            width). interp: nearest, lanczos, bilinear, bicubic or cubic. mode: that of
            the image.
    Returns:
        uint8 (float32 for mode F)
    """
    image = toimage(arr, mode=mode)
    if np.ndim(size):
        wanted = (int(size[1]), int(size[0]))
    else:
        factor = size if isinstance(size, float | np.floating) else size / 100.0
        wanted = tuple(int(n * factor) for n in image.size)
    return fromimage(image.resize(wanted, resample=_FILTERS[interp]))


def imrotate(arr: Any, angle: float, interp: str = "bilinear") -> np.ndarray:
    """An image turned counter-clockwise by `angle` degrees."""
    return fromimage(toimage(arr).rotate(angle, resample=_FILTERS[interp]))


def imshow(arr: Any) -> None:
    """Show an array as an image, in another program."""
    toimage(arr).show()


def central_diff_weights(Np: int, ndiv: int = 1) -> np.ndarray:
    """Weights of `Np` values at a distance of 1 for a derivative in the middle.

    Raises:
        ValueError: `Np` is even, or not above `ndiv`.
    """
    if Np < ndiv + 1 or Np % 2 == 0:
        raise ValueError(f"The number of points must be odd and above {ndiv}: {Np}.")
    half = Np >> 1
    powers = np.vander(np.arange(-half, half + 1.0), increasing=True)
    return special.factorial(ndiv) * np.linalg.inv(powers)[ndiv]


def derivative(
    func: Any, x0: Any, dx: float = 1.0, n: int = 1, args: tuple = (), order: int = 3
) -> Any:
    """The n-th derivative of a function at x0, by central differences.

    Raises:
        ValueError: `order` is even, or not above `n`.
    """
    weights = central_diff_weights(order, n)
    places = range(-(order >> 1), (order >> 1) + 1)
    found = sum(w * func(x0 + k * dx, *args) for w, k in zip(weights, places))
    return found / dx**n


def _example(name):
    """A picture of scipy.datasets, under its name here."""

    @functools.wraps(getattr(datasets, name))
    def picture(*args: Any, **kwargs: Any) -> Any:
        return getattr(datasets, name)(*args, **kwargs)

    return picture


NAMES = {
    "bytescale": bytescale, "toimage": toimage, "fromimage": fromimage,
    "imread": imread, "imsave": imsave, "imresize": imresize, "imrotate": imrotate,
    "imshow": imshow, "central_diff_weights": central_diff_weights,
    "derivative": derivative, "logsumexp": special.logsumexp, "comb": special.comb,
    "factorial": special.factorial, "factorial2": special.factorial2,
    "factorialk": special.factorialk, "pade": interpolate.pade,
    "ascent": _example("ascent"), "face": _example("face"),
    "electrocardiogram": _example("electrocardiogram"),
}  # fmt: skip
