"""Hue, saturation and value of images, changed in the YIQ space of colors."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.image.color import convert_image_dtype
from twinflow.ops.image.yiq import AdjustHsvInYiq
from twinflow.ops.random.draws import random_uniform


def adjust_hsv_in_yiq(
    image: Any, delta_hue: Any = 0, scale_saturation: Any = 1, scale_value: Any = 1,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Turn the colors of an image around their brightness, and scale them.

    Args:
        image: numbers[..., height, width, 3], RGB. delta_hue: the angle.
        scale_saturation: factor of I and Q. scale_value: factor of all three.
        name: the name scope.
    Returns:
        An image of the dtype and shape of `image`.
    Raises:
        ValueError: fewer than three axes.
        InvalidArgumentError: not three channels, where that is known later.
    """
    with name_scope(name, "adjust_hsv_in_yiq", [image]):
        image = convert_to_tensor(image, name="image")
        pixels = convert_image_dtype(image, dtypes.float32)
        by = delta_hue, scale_saturation, scale_value
        return convert_image_dtype(apply(AdjustHsvInYiq, (pixels, *by)), image.dtype)


def random_hsv_in_yiq(
    image: Any, max_delta_hue: float = 0, lower_saturation: float = 1,
    upper_saturation: float = 1, lower_value: float = 1, upper_value: float = 1,
    seed: int | None = None,
) -> Tensor:  # fmt: skip
    """`adjust_hsv_in_yiq` with an angle and factors that are drawn.

    Args:
        image: numbers[..., height, width, 3]. max_delta_hue: of the angle, both ways.
        lower_saturation, upper_saturation, lower_value, upper_value: of the factors.
        seed: of what is drawn.
    Returns:
        An image of the dtype and shape of `image`.
    Raises:
        ValueError: a bound is negative, or they are turned.
    """
    if max_delta_hue < 0:
        raise ValueError("max_delta must be non-negative.")
    if lower_saturation < 0:
        raise ValueError("lower_saturation must be non-negative.")
    if lower_value < 0:
        raise ValueError("lower_value must be non-negative.")
    if lower_saturation > upper_saturation:
        raise ValueError("lower_saturation must be < upper_saturation.")
    if lower_value > upper_value:
        raise ValueError("lower_value must be < upper_value.")

    def drawn(low: float, high: float, usual: float) -> Any:
        return usual if low == high else random_uniform([], low, high, seed=seed)

    return adjust_hsv_in_yiq(
        image, drawn(-max_delta_hue, max_delta_hue, 0),
        drawn(lower_saturation, upper_saturation, lower_saturation),
        drawn(lower_value, upper_value, lower_value),
    )  # fmt: skip
