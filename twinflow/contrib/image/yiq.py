"""Hue, saturation and value of images, changed in the YIQ space of colors."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.advice import advised
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import equal, greater_equal
from twinflow.ops.core.constant import constant, convert_to_tensor, identity
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.joining import stack
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import rank, reshape, shape
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.image.color import convert_image_dtype
from twinflow.ops.image.yiq import TO_RGB, TO_YIQ
from twinflow.ops.math.trigonometry import cos, sin
from twinflow.ops.random.draws import random_uniform

_THREE = "input must have 3 channels but instead has "


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
        dtype, dims = image.dtype, image.shape
        if dims.ndims is not None and dims.ndims < 3:
            raise advised(
                ValueError,
                f"Shape must be at least rank 3 but is rank {dims.ndims} for "
                "'adjust_hsv_in_yiq/AdjustHsvInYiq' (op: 'AdjustHsvInYiq')",
            )
        pixels = convert_image_dtype(identity(image), dtypes.float32)
        with control_dependencies(_checks(pixels)):
            flat = reshape(pixels, [-1, 3])
        found = matmul(flat, _turn(delta_hue, scale_saturation, scale_value))
        found = reshape(found, shape(pixels))
        found.set_shape(dims)
        return identity(convert_image_dtype(found, dtype))


def _checks(pixels: Tensor) -> list:
    known = pixels.shape[-1].value if pixels.shape.ndims else None
    channels = shape(pixels)[-1] if known is None else f"{known} channels."
    several = greater_equal(rank(pixels), 3)
    three = equal(shape(pixels)[-1], 3)
    checks = [
        Assert(several, ["input must be at least 3-D, got shape", shape(pixels)]),
        Assert(three, [_THREE, channels] if known is None else [_THREE + channels]),
    ]
    return [c for c in checks if c is not None]


def _turn(angle: Any, saturation: Any, value: Any) -> Tensor:
    """The matrix float32[3, 3] that a row of RGB is multiplied by."""
    angle, saturation, value = (
        convert_to_tensor(v, dtypes.float32) for v in (angle, saturation, value)
    )
    u, w = saturation * cos(angle), saturation * sin(angle)
    one, zero = constant(1.0), constant(0.0)
    turned = stack(
        [stack([one, zero, zero]), stack([zero, u, w]), stack([zero, -w, u])]
    )
    to, back = (constant(m.T.astype(np.float32)) for m in (TO_YIQ, TO_RGB))
    return multiply(matmul(matmul(to, turned), back), value)


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
