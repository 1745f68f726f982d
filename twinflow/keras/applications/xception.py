"""Xception: separable convolutions with shortcuts around them."""

from twinflow.keras.applications import imagenet_utils
from twinflow.keras.applications.architecture import Frame
from twinflow.keras.applications.blocks import chain, conv, norm, relu
from twinflow.keras.applications.imagenet_utils import decode_predictions
from twinflow.keras.layers.convolutional_separable import SeparableConv2D
from twinflow.keras.layers.merge import Add
from twinflow.keras.layers.pooling import MaxPooling2D

__all__ = ["Xception", "decode_predictions", "preprocess_input"]

_ORIGIN = "https://github.com/fchollet/deep-learning-models/releases/download/v0.4/"
_FILES = (
    (
        "xception_weights_tf_dim_ordering_tf_kernels.h5",
        "0a58e3b7378bc2990ea3b43d5981f1f6",
    ),
    (
        "xception_weights_tf_dim_ordering_tf_kernels_notop.h5",
        "b0042744bf5b25fce3cb969f33bebb97",
    ),
)
_BLOCKS = (  # filters of the convolutions of blocks 2 to 13
    (128, 128),
    (256, 256),
    (728, 728),
    *[(728, 728, 728)] * 8,
    (728, 1024),
)


def Xception(
    include_top=True, weights="imagenet", input_tensor=None, input_shape=None,
    pooling=None, classes=1000,
):  # fmt: skip
    """Xception; images of 299x299, at least 71x71; see Note [Applications].

    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.Xception(
            weights=None, input_shape=(71, 71, 3), classes=10)
        model.output_shape  # (None, 10)
    Chollet, "Xception: Deep Learning with Depthwise Separable Convolutions", 2016.
    """
    frame = Frame(
        299, 71, include_top, weights, input_tensor, input_shape, pooling, classes
    )
    x = chain(
        frame.start,
        conv(32, 3, 2, "valid", "block1_conv1"),
        norm("block1_conv1_bn"),
        relu("block1_conv1_act"),
        conv(64, 3, 1, "valid", "block1_conv2"),
        norm("block1_conv2_bn"),
        relu("block1_conv2_act"),
    )
    for number, filters in enumerate(_BLOCKS, 2):
        x = _block(x, filters, f"block{number}", active=number > 2)
    for i, filters in enumerate((1536, 2048), 1):
        name = f"block14_sepconv{i}"
        x = chain(x, *_separable(filters, name), relu(f"{name}_act"))
    x = frame.ended(x, top="avg_pool")
    return frame.model(x, "xception", _ORIGIN, *_FILES)


def _separable(filters, name):
    layer = SeparableConv2D(filters, 3, padding="same", use_bias=False, name=name)
    return layer, norm(f"{name}_bn")


def _block(x, filters, name, active):
    """Separable convolutions, and x added; a block of two of them halves the size."""
    shrinks, shortcut = len(filters) == 2, x
    if shrinks:
        shortcut = chain(x, conv(filters[-1], 1, 2), norm())
    for i, n in enumerate(filters, 1):
        step = f"{name}_sepconv{i}"
        if i > 1 or active:
            x = relu(f"{step}_act")(x)
        x = chain(x, *_separable(n, step))
    if shrinks:
        x = MaxPooling2D(3, strides=2, padding="same", name=f"{name}_pool")(x)
    return Add()([x, shortcut])


def preprocess_input(x, data_format=None):
    """Pixels from 0 to 255 as numbers from -1 to 1; see imagenet_utils ("tf")."""
    return imagenet_utils.preprocess_input(x, data_format, "tf")
