"""Surfaces hidden in images of random dots."""

from typing import Any

from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.image.stereograms import SingleImageRandomDotStereograms


def single_image_random_dot_stereograms(
    depth_values: TensorValue, hidden_surface_removal: bool | None = None,
    convergence_dots_size: int | None = None, dots_per_inch: int | None = None,
    eye_separation: float | None = None, mu: float | None = None,
    normalize: bool | None = None, normalize_max: float | None = None,
    normalize_min: float | None = None, border_level: float | None = None,
    number_colors: int | None = None, output_image_shape: Any = None,
    output_data_window: Any = None,
) -> Tensor:  # fmt: skip
    """An image of random dots in which two eyes see a surface.

    Thimbleby, Inglis and Witten (1994). The dots are the same for the same depths.

    Args:
        depth_values: float or int[rows, columns], larger where it is nearer.
        hidden_surface_removal: leave out what an eye cannot see (True).
        convergence_dots_size: pixels of two black dots at the bottom, which help to
            look at it (8). dots_per_inch: of the screen (72).
        eye_separation: inches between the eyes (2.5). mu: the depth of the field, as a
            part of the distance to the screen (0.3333).
        normalize: scale depths to 0 to 1 (True), from `normalize_min` (100) to
            `normalize_max` (-100), or from the least to the largest where it is less.
        border_level: the depth around the window (0).
        number_colors: 2 for black and white, to 256 for grays, more for colors (256).
        output_image_shape: [width, height, channels], [1024, 768, 1].
        output_data_window: [width, height] of the surface in it, [1022, 757].
    Returns:
        uint8[height, width, channels]; 3 channels for more than 256 colors.
    Raises:
        InvalidArgumentError: another rank, or a window larger than the image.
    Example:
        tf.contrib.image.single_image_random_dot_stereograms(
            [[0.0, 1.0]], output_image_shape=[90, 8, 1], output_data_window=[80, 4],
            convergence_dots_size=2, dots_per_inch=9).shape  # (8, 90, 1)
    """
    attrs = {k: v for k, v in locals().items() if k != "depth_values" and v is not None}
    return apply(SingleImageRandomDotStereograms, (depth_values,), attrs)
