"""MobileNet v2: narrow ends, wide depthwise convolutions between them."""

from typing import TYPE_CHECKING, Any

from twinflow.keras.applications.architecture import Frame
from twinflow.keras.applications.blocks import (
    chain,
    channel_axis,
    conv,
    even_padding,
    norm,
    relu6,
    sides,
)
from twinflow.keras.applications.image_sides import trained_side, usual_side
from twinflow.keras.applications.imagenet_utils import decode_predictions
from twinflow.keras.applications.unit_pixels import preprocess_input
from twinflow.keras.backend.variables import is_keras_tensor
from twinflow.keras.layers.convolutional_separable import DepthwiseConv2D
from twinflow.keras.layers.merge import Add
from twinflow.keras.layers.resizing import ZeroPadding2D

if TYPE_CHECKING:
    from twinflow.keras.engine.model import Model

__all__ = ["MobileNetV2", "decode_predictions", "preprocess_input"]

_ORIGIN = (
    "https://github.com/JonathanCMitchell/mobilenet_v2_keras/releases/download/v1.1/"
)
_ALPHAS = (0.35, 0.50, 0.75, 1.0, 1.3, 1.4)  # with trained weights
_SIDES = (96, 128, 160, 192, 224)  # with trained weights
_STAGES = (  # (expansion, filters, blocks, strides of the first)
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)


def MobileNetV2(
    input_shape: Any = None, alpha: float = 1.0, include_top: bool = True,
    weights: str | None = "imagenet", input_tensor: Any = None,
    pooling: str | None = None, classes: int = 1000, *, depth_multiplier: int = 1,
) -> "Model":  # fmt: skip
    """MobileNet v2; images of 224x224, at least 32x32; see Note [Applications].

    Args:
        alpha: what the numbers of filters are multiplied by.
        depth_multiplier: only 1, as in old programs. the rest: see Note [Applications].
    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.MobileNetV2(
            alpha=0.35, weights=None, input_shape=(32, 32, 3), classes=10)
        model.output_shape  # (None, 10)
    Sandler et al., "MobileNetV2: Inverted Residuals and Linear Bottlenecks", 2018,
    table 2.
    """
    if depth_multiplier != 1:
        raise ValueError(
            f"MobileNetV2 takes depth_multiplier=1 only; got {depth_multiplier}."
        )
    side = _expected_side(input_shape, input_tensor)
    frame = Frame(
        side, 32, include_top, weights, input_tensor, input_shape, pooling, classes
    )
    if weights == "imagenet" and alpha not in _ALPHAS:
        raise ValueError(
            "If imagenet weights are being loaded, alpha can be one of `0.35`, `0.50`, "
            "`0.75`, `1.0`, `1.3` or `1.4` only."
        )
    side = trained_side(frame, _SIDES)
    x = _features(frame.start, alpha)
    x = frame.ended(x, "Logits")
    start = f"mobilenet_v2_weights_tf_dim_ordering_tf_kernels_{float(alpha)}_{side}"
    files = (f"{start}.h5", None), (f"{start}_no_top.h5", None)
    return frame.model(x, f"mobilenetv2_{alpha:0.2f}_{side}", _ORIGIN, *files)


def _expected_side(input_shape, input_tensor):
    """The side to assume, of the shape or the tensor; they must agree."""
    if input_tensor is None:
        return usual_side(input_shape, _SIDES)
    try:
        has_history = is_keras_tensor(input_tensor)
    except ValueError:
        raise ValueError(
            f"input_tensor: {input_tensor} is type: {type(input_tensor)} which is not "
            "a valid type: expected a tensor."
        ) from None
    if not has_history and input_shape is None:
        return usual_side(None, _SIDES)
    if not has_history:
        raise ValueError(
            f"input_tensor specified: {input_tensor} is not a keras tensor: give it "
            "without input_shape, or make it with tf.keras.Input."
        )
    own = input_tensor.shape.as_list()[1:]
    if input_shape is None:
        return usual_side(own, _SIDES)
    if sides(own)[1] != sides(tuple(input_shape))[1]:
        raise ValueError(
            f"input_shape: {input_shape} and input_tensor: {input_tensor} do not meet "
            "the same shape requirements"
        )
    return usual_side(input_shape, _SIDES)


def _features(x, alpha):
    x = ZeroPadding2D(even_padding(x, 3), name="Conv1_pad")(x)
    first = conv(_multiple_of_8(32 * alpha), 3, 2, "valid", "Conv1")
    x = chain(x, first, _norm("bn_Conv1"), relu6("Conv1_relu"))
    number = 0
    for expansion, filters, blocks, strides in _STAGES:
        for i in range(blocks):
            width = _multiple_of_8(int(filters * alpha))
            name = f"block_{number}" if number else "expanded_conv"
            x = _block(x, expansion, width, strides if i == 0 else 1, name)
            number += 1
    width = _multiple_of_8(1280 * alpha) if alpha > 1.0 else 1280
    last = conv(width, 1, padding="valid", name="Conv_1")
    return chain(x, last, _norm("Conv_1_bn"), relu6("out_relu"))


def _multiple_of_8(n):
    """The nearest multiple of 8 that is at least 8 and at least nine tenths of n."""
    nearest = max(8, int(n + 4) // 8 * 8)
    return nearest + 8 if nearest < 0.9 * n else nearest


def _norm(name):
    return norm(name, momentum=0.999)


def _block(x, expansion, filters, strides, name):
    """Wider, a depthwise convolution, narrow again; and x, if it has that shape."""
    width, y = x.shape.as_list()[channel_axis()], x
    if expansion > 1:
        wide = conv(expansion * width, 1, name=f"{name}_expand")
        y = chain(y, wide, _norm(f"{name}_expand_BN"), relu6(f"{name}_expand_relu"))
    if strides == 2:
        y = ZeroPadding2D(even_padding(y, 3), name=f"{name}_pad")(y)
    depthwise = DepthwiseConv2D(
        3, strides, "same" if strides == 1 else "valid", use_bias=False,
        name=f"{name}_depthwise",
    )  # fmt: skip
    y = chain(
        y,
        depthwise,
        _norm(f"{name}_depthwise_BN"),
        relu6(f"{name}_depthwise_relu"),
        conv(filters, 1, name=f"{name}_project"),
        _norm(f"{name}_project_BN"),
    )
    return Add(name=f"{name}_add")([x, y]) if strides == 1 and width == filters else y
