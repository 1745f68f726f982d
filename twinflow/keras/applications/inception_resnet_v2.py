"""Inception-ResNet v2: Inception's branches as small additions to what they see."""

from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.keras.applications.architecture import application
from twinflow.keras.applications.blocks import channel_axis, conv, relu
from twinflow.keras.applications.imagenet_utils import decode_predictions
from twinflow.keras.applications.inception import (
    AVERAGE,
    LARGEST,
    STEM,
    branch,
    branches,
    normalised,
)
from twinflow.keras.applications.unit_pixels import preprocess_input
from twinflow.keras.layers.lambda_layer import Lambda

__all__ = ["InceptionResNetV2", "decode_predictions", "preprocess_input"]

_STAGES = (  # (name, its branches; name, scale, number of the blocks, their branches)
    (
        "mixed_5b",
        (
            [(96, 1)],
            [(48, 1), (64, 5)],
            [(64, 1), (96, 3), (96, 3)],
            [AVERAGE, (64, 1)],
        ),
        ("block35", 0.17, 10),
        ([(32, 1)], [(32, 1), (32, 3)], [(32, 1), (48, 3), (64, 3)]),
    ),
    (
        "mixed_6a",
        ([(384, 3, 2)], [(256, 1), (256, 3), (384, 3, 2)], [LARGEST]),
        ("block17", 0.1, 20),
        ([(192, 1)], [(128, 1), (160, (1, 7)), (192, (7, 1))]),
    ),
    (
        "mixed_7a",
        (
            [(256, 1), (384, 3, 2)],
            [(256, 1), (288, 3, 2)],
            [(256, 1), (288, 3), (320, 3, 2)],
            [LARGEST],
        ),
        ("block8", 0.2, 10),
        ([(192, 1)], [(192, 1), (224, (1, 3)), (256, (3, 1))]),
    ),
)


@application(
    "inception_resnet_v2", 299, 75,
    ("e693bd0210a403b3192acc6073ad2e96", "d19885ff4a710c122648d3b5c3b684e4"), "v0.7",
)  # fmt: skip
def InceptionResNetV2(frame):
    """Inception-ResNet v2

    Szegedy et al., "Inception-v4, Inception-ResNet and the Impact of Residual
    Connections on Learning", 2016.
    """
    x = branch(frame.start, STEM)
    for name, table, (block, scale, count), inner in _STAGES:
        x = branches(x, table, name)
        for i in range(1, count + 1):
            final = block == "block8" and i == count
            x = _added(x, inner, f"{block}_{i}", 1.0 if final else scale, not final)
    x = normalised(x, 1536, 1, names=("conv_7b", "conv_7b_bn", "conv_7b_ac"))
    return frame.ended(x, top="avg_pool")


def scaled_sum(inputs: Any, scale: Any) -> Tensor:
    """x + y * scale of a pair."""
    return inputs[0] + inputs[1] * scale


def _added(x, table, name, scale, active):
    """relu(x + scale * f(x)), f being branches and a 1x1 convolution."""
    y = branches(x, table, f"{name}_mixed")
    shape = x.shape.as_list()
    y = conv(shape[channel_axis()], 1, use_bias=True, name=f"{name}_conv")(y)
    x = Lambda(
        scaled_sum,  # by its name: a saved model holds no bytecode
        output_shape=tuple(shape[1:]), arguments={"scale": scale}, name=name,
    )([x, y])  # fmt: skip
    return relu(f"{name}_ac")(x) if active else x
