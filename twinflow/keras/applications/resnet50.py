"""ResNet50: fifty layers with shortcuts around each three."""

from twinflow.base.frames import warn_user
from twinflow.keras.applications.architecture import application
from twinflow.keras.applications.blocks import chain, conv, norm, relu
from twinflow.keras.applications.imagenet_utils import (
    decode_predictions,
    preprocess_input,
)
from twinflow.keras.layers.merge import Add
from twinflow.keras.layers.pooling import MaxPooling2D
from twinflow.keras.layers.resizing import ZeroPadding2D

__all__ = ["ResNet50", "decode_predictions", "preprocess_input"]

_STAGES = ((64, 3), (128, 4), (256, 6), (512, 3))  # (filters, blocks) from stage 2 on


@application(
    "resnet50", 224, 32,
    ("a7b3fe01876f51b976af0dea6bc144eb", "a268eb855778b3df3c7506639542a6af"), "v0.2",
)  # fmt: skip
def ResNet50(frame):
    """ResNet50

    He et al., "Deep Residual Learning for Image Recognition", 2015, table 1; a stage's
    strides are at its first 1x1 convolution.
    """
    x = chain(
        frame.start,
        ZeroPadding2D(3, name="conv1_pad"),
        _conv(64, 7, strides=2, name="conv1"),
        norm("bn_conv1"),
        relu(),
        ZeroPadding2D(1, name="pool1_pad"),
        MaxPooling2D(3, strides=2),
    )
    for stage, (filters, blocks) in enumerate(_STAGES, 2):
        for block in range(blocks):
            strides = 2 if block == 0 and stage > 2 else 1
            x = _block(x, filters, f"{stage}{'abcdef'[block]}", strides, block == 0)
    if not frame.include_top and frame.pooling not in ("avg", "max"):
        warn_user(
            "The output shape of `ResNet50(include_top=False)` has been changed since "
            "Keras 2.2.0.",
        )
    return frame.ended(x, "fc1000", "avg_pool")


def _conv(filters, kernel, strides=1, padding="valid", name=None):
    """A convolution with a bias, drawn after He."""
    return conv(
        filters, kernel, strides, padding, name, use_bias=True,
        kernel_initializer="he_normal",
    )  # fmt: skip


def _block(x, filters, name, strides, project):
    """Three convolutions, and x added to them, projected at the start of a stage."""
    y = chain(
        x,
        _conv(filters, 1, strides, name=f"res{name}_branch2a"),
        norm(f"bn{name}_branch2a"),
        relu(),
        _conv(filters, 3, padding="same", name=f"res{name}_branch2b"),
        norm(f"bn{name}_branch2b"),
        relu(),
        _conv(4 * filters, 1, name=f"res{name}_branch2c"),
        norm(f"bn{name}_branch2c"),
    )
    if project:
        shortcut = _conv(4 * filters, 1, strides, name=f"res{name}_branch1")
        x = chain(x, shortcut, norm(f"bn{name}_branch1"))
    return relu()(Add()([y, x]))
