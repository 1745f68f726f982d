"""Xception: separable convolutions with shortcuts around them."""

from twinflow.keras.applications.architecture import application
from twinflow.keras.applications.blocks import chain, conv, norm, relu
from twinflow.keras.applications.imagenet_utils import decode_predictions
from twinflow.keras.applications.unit_pixels import preprocess_input
from twinflow.keras.layers.convolutional_separable import SeparableConv2D
from twinflow.keras.layers.merge import Add
from twinflow.keras.layers.pooling import MaxPooling2D

__all__ = ["Xception", "decode_predictions", "preprocess_input"]

_BLOCKS = (  # filters of the convolutions of blocks 2 to 13
    (128, 128),
    (256, 256),
    (728, 728),
    *[(728, 728, 728)] * 8,
    (728, 1024),
)


@application(
    "xception", 299, 71,
    ("0a58e3b7378bc2990ea3b43d5981f1f6", "b0042744bf5b25fce3cb969f33bebb97"), "v0.4",
)  # fmt: skip
def Xception(frame):
    """Xception

    Chollet, "Xception: Deep Learning with Depthwise Separable Convolutions", 2016.
    """
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
    return frame.ended(x, top="avg_pool")


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
