"""MobileNet: a convolution of each channel, then one across the channels."""

from typing import TYPE_CHECKING, Any

from twinflow.keras.applications.architecture import Frame
from twinflow.keras.applications.blocks import chain, channel_axis, conv, norm, relu6
from twinflow.keras.applications.image_sides import trained_side, usual_side
from twinflow.keras.applications.imagenet_utils import decode_predictions
from twinflow.keras.applications.unit_pixels import preprocess_input
from twinflow.keras.layers.convolutional_separable import DepthwiseConv2D
from twinflow.keras.layers.core import Activation, Dropout
from twinflow.keras.layers.pooling import GlobalAveragePooling2D
from twinflow.keras.layers.reshaping import Reshape
from twinflow.keras.layers.resizing import ZeroPadding2D

if TYPE_CHECKING:
    from twinflow.keras.engine.model import Model

__all__ = ["MobileNet", "decode_predictions", "preprocess_input"]

_ORIGIN = "https://github.com/fchollet/deep-learning-models/releases/download/v0.6/"
_ALPHAS = {0.25: "2_5", 0.5: "5_0", 0.75: "7_5", 1.0: "1_0"}  # with trained weights
_SIDES = (128, 160, 192, 224)  # with trained weights
_BLOCKS = (  # (filters, strides)
    (64, 1),
    (128, 2),
    (128, 1),
    (256, 2),
    (256, 1),
    (512, 2),
    *[(512, 1)] * 5,
    (1024, 2),
    (1024, 1),
)


def MobileNet(
    input_shape: Any = None, alpha: float = 1.0, depth_multiplier: int = 1,
    dropout: float = 1e-3, include_top: bool = True, weights: str | None = "imagenet",
    input_tensor: Any = None, pooling: Any = None, classes: int = 1000,
) -> "Model":  # fmt: skip
    """MobileNet; images of 224x224, at least 32x32; see Note [Applications].

    Args:
        alpha: what the numbers of filters are multiplied by.
        depth_multiplier: how many channels come of each in a depthwise convolution.
        dropout: the rate before the classifier. the rest: see Note [Applications].
    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.MobileNet(
            alpha=0.25, weights=None, input_shape=(32, 32, 3), classes=10)
        model.output_shape  # (None, 10)
    Howard et al., "MobileNets: Efficient Convolutional Neural Networks for Mobile
    Vision Applications", 2017, table 1.
    """
    frame = Frame(
        usual_side(input_shape, _SIDES), 32, include_top, weights, input_tensor,
        input_shape, pooling, classes,
    )  # fmt: skip
    if weights == "imagenet":
        _check_trained(alpha, depth_multiplier)
    side = trained_side(frame, _SIDES)
    x = chain(
        frame.start,
        ZeroPadding2D(((0, 1), (0, 1)), name="conv1_pad"),
        conv(int(32 * alpha), 3, 2, "valid", "conv1"),
        norm("conv1_bn"),
        relu6("conv1_relu"),
    )
    for i, (filters, strides) in enumerate(_BLOCKS, 1):
        x = _block(x, int(filters * alpha), depth_multiplier, strides, i)
    if include_top:
        x = _classifier(x, int(1024 * alpha), dropout, classes)
    else:
        x = frame.pooled(x)
    start = f"mobilenet_{_ALPHAS.get(alpha)}_{side}_tf"
    files = (f"{start}.h5", None), (f"{start}_no_top.h5", None)
    return frame.model(x, f"mobilenet_{alpha:0.2f}_{side}", _ORIGIN, *files)


def _check_trained(alpha, depth_multiplier):
    """Raise ValueError unless there are weights for these."""
    if depth_multiplier != 1:
        raise ValueError(
            "If imagenet weights are being loaded, depth multiplier must be 1"
        )
    if alpha not in _ALPHAS:
        raise ValueError(
            "If imagenet weights are being loaded, alpha can be one of`0.25`, `0.50`, "
            "`0.75` or `1.0` only."
        )


def _block(x, filters, depth_multiplier, strides, i):
    """A depthwise convolution and a 1x1 one."""
    if strides == 2:
        x = ZeroPadding2D(((0, 1), (0, 1)), name=f"conv_pad_{i}")(x)
    depthwise = DepthwiseConv2D(
        3, strides, "same" if strides == 1 else "valid", depth_multiplier,
        use_bias=False, name=f"conv_dw_{i}",
    )  # fmt: skip
    return chain(
        x,
        depthwise,
        norm(f"conv_dw_{i}_bn"),
        relu6(f"conv_dw_{i}_relu"),
        conv(filters, 1, name=f"conv_pw_{i}"),
        norm(f"conv_pw_{i}_bn"),
        relu6(f"conv_pw_{i}_relu"),
    )


def _classifier(x, filters, dropout, classes):
    """Pooling and a 1x1 convolution as the classifier."""
    shape = (filters, 1, 1) if channel_axis() == 1 else (1, 1, filters)
    return chain(
        x,
        GlobalAveragePooling2D(),
        Reshape(shape, name="reshape_1"),
        Dropout(dropout, name="dropout"),
        conv(classes, 1, use_bias=True, name="conv_preds"),
        Reshape((classes,), name="reshape_2"),
        Activation("softmax", name="act_softmax"),
    )
