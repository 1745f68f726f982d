"""NASNet: two cells that a search found, and how they are stacked."""

from typing import TYPE_CHECKING, Any

from twinflow.base.frames import warn_user
from twinflow.keras.applications.architecture import Frame
from twinflow.keras.applications.blocks import relu
from twinflow.keras.applications.imagenet_utils import decode_predictions
from twinflow.keras.applications.nasnet_cells import (
    normal_cell,
    reduction_cell,
    stem,
)
from twinflow.keras.applications.unit_pixels import preprocess_input
from twinflow.keras.backend import defaults

if TYPE_CHECKING:
    from twinflow.keras.engine.model import Model

__all__ = ["NASNetLarge", "NASNetMobile", "decode_predictions", "preprocess_input"]

_ORIGIN = "https://github.com/titu1994/Keras-NASNet/releases/download/v1.2/"
_FILES = {  # here: (file name, hash) with the top and without; there: the names
    "mobile": (
        ("nasnet_mobile.h5", "020fb642bf7360b370c678b08e0adf61"),
        ("nasnet_mobile_no_top.h5", "1ed92395b5b598bdda52abe5c0dbfd63"),
        ("NASNet-mobile.h5", "NASNet-mobile-no-top.h5"),
    ),
    "large": (
        ("nasnet_large.h5", "11577c9a518f0070763c2b964a382f17"),
        ("nasnet_large_no_top.h5", "d81d89dc07e6e56530c4e77faddd61b5"),
        ("NASNet-large.h5", "NASNet-large-no-top.h5"),
    ),
}


def NASNetMobile(
    input_shape: Any = None, include_top: bool = True, weights: str | None = "imagenet",
    input_tensor: Any = None, pooling: str | None = None, classes: int = 1000,
) -> "Model":  # fmt: skip
    """NASNet-A (4 @ 1056); images of 224x224, at least 32x32.

    Args:
        see Note [Applications].
    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.NASNetMobile(
            weights=None, input_shape=(32, 32, 3), classes=10)
        model.output_shape  # (None, 10)
    Zoph et al., "Learning Transferable Architectures for Scalable Image Recognition",
    2017, figure 4.
    """
    arguments = include_top, weights, input_tensor, input_shape, pooling, classes
    return _nasnet("mobile", 224, _Plan(1056, 4, 32, False), *arguments)


def NASNetLarge(
    input_shape: Any = None, include_top: bool = True, weights: str | None = "imagenet",
    input_tensor: Any = None, pooling: Any = None, classes: int = 1000,
) -> Any:  # fmt: skip
    """NASNet-A (6 @ 4032); images of 331x331, at least 32x32; see NASNetMobile."""
    arguments = include_top, weights, input_tensor, input_shape, pooling, classes
    return _nasnet("large", 331, _Plan(4032, 6, 96, True), *arguments)


class _Plan:
    """How the cells are stacked.

    Args:
        width: the channels at the end. blocks: normal cells between two reductions.
        stem: filters of the first convolution.
        skip: whether a cell after a reduction sees the input of what came before it.
    """

    def __init__(self, width, blocks, stem, skip):
        self.filters, self.blocks = width // 24, blocks
        self.stem, self.skip = stem, skip

    def features(self, x):
        n, k = self.filters, self.blocks
        x = stem(x, self.stem)
        x, p = reduction_cell(x, None, n // 4, "stem_1")
        x, p = reduction_cell(x, p, n // 2, "stem_2")
        for stage in range(3):
            if stage:
                before = p
                x, p = reduction_cell(x, p, n * 2**stage, f"reduce_{stage * k}")
                p = before if self.skip else p
            start = stage * k + min(stage, 1)  # the number of its first normal cell
            for i in range(k):
                x, p = normal_cell(x, p, n * 2**stage, str(start + i))
        return relu()(x)


def _nasnet(kind, size, plan, include_top, weights, input_tensor, input_shape, *rest):
    if isinstance(input_shape, tuple) and None in input_shape and weights == "imagenet":
        raise ValueError(
            "When specifying the input shape of a NASNet and loading `ImageNet` "
            "weights, the input_shape argument must be static (no None entries). Got: "
            f"`input_shape={input_shape}`."
        )
    chosen = defaults.image_data_format()
    if chosen != "channels_last":
        warn_user(
            "The NASNet family of models is only available for the input data format "
            '"channels_last" (width, height, channels). However your settings specify '
            'the default data format "channels_first" (channels, width, height). You '
            'should set `image_data_format="channels_last"` in your Keras config '
            "located at ~/.keras/keras.json. The model being returned right now will "
            'expect inputs to follow the "channels_last" data format.',
        )
    defaults.set_image_data_format("channels_last")
    try:
        frame = Frame(
            size, 32, include_top, weights, input_tensor, input_shape, *rest, flat=True
        )
        x = frame.ended(plan.features(frame.start))
        return frame.model(x, "NASNet", _ORIGIN, *_FILES[kind])
    finally:
        defaults.set_image_data_format(chosen)
