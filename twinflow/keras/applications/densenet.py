"""DenseNet: every layer of a block sees the outputs of all before it."""

from typing import Any

from twinflow.base.annotations import Array
from twinflow.keras.applications import imagenet_utils
from twinflow.keras.applications.architecture import application
from twinflow.keras.applications.blocks import (
    chain,
    channel_axis,
    concat,
    conv,
    norm,
    relu,
)
from twinflow.keras.applications.imagenet_utils import decode_predictions
from twinflow.keras.layers.pooling import AveragePooling2D, MaxPooling2D
from twinflow.keras.layers.resizing import ZeroPadding2D

__all__ = [
    "DenseNet121", "DenseNet169", "DenseNet201", "decode_predictions",
    "preprocess_input",
]  # fmt: skip

_ORIGIN = "https://github.com/keras-team/keras-applications/releases/download/densenet/"
_REFERENCE = 'Huang et al., "Densely Connected Convolutional Networks", 2016, table 1.'
_GROWTH = 32  # channels that a layer adds


def _densenet(size, depths, *hashes):
    """The function of a DenseNet; `depths`: the layers of each block."""

    def features(frame):
        x = chain(
            frame.start,
            ZeroPadding2D(3),
            conv(64, 7, 2, "valid", "conv1/conv"),
            *_norm_relu("conv1/bn", "conv1/relu"),
            ZeroPadding2D(1),
            MaxPooling2D(3, strides=2, name="pool1"),
        )
        for stage, depth in enumerate(depths, 2):
            for i in range(1, depth + 1):
                x = _layer(x, f"conv{stage}_block{i}")
            if stage < 5:
                x = _transition(x, f"pool{stage}")
        x = chain(x, *_norm_relu("bn", "relu"))
        return frame.ended(x, "fc1000", "avg_pool", "avg_pool", "max_pool")

    features.__name__ = f"DenseNet{size}"
    features.__doc__ = f"DenseNet of {size} layers\n\n{_REFERENCE}"
    return application(f"densenet{size}", 224, 32, hashes, _ORIGIN)(features)


def preprocess_input(x: Any, data_format: Any = None) -> Array:
    """Pixels from 0 to 255, normalised by channel; see imagenet_utils ("torch")."""
    return imagenet_utils.preprocess_input(x, data_format, "torch")


def _norm_relu(norm_name, relu_name):
    return norm(norm_name, epsilon=1.001e-5), relu(relu_name)


def _layer(x, name):
    """x and the channels that a narrow convolution after a 1x1 one adds."""
    y = chain(
        x,
        *_norm_relu(f"{name}_0_bn", f"{name}_0_relu"),
        conv(4 * _GROWTH, 1, padding="valid", name=f"{name}_1_conv"),
        *_norm_relu(f"{name}_1_bn", f"{name}_1_relu"),
        conv(_GROWTH, 3, name=f"{name}_2_conv"),
    )
    return concat([x, y], f"{name}_concat")


def _transition(x, name):
    """Half of the channels, half of the size."""
    half = x.shape.as_list()[channel_axis()] // 2
    return chain(
        x,
        *_norm_relu(f"{name}_bn", f"{name}_relu"),
        conv(half, 1, padding="valid", name=f"{name}_conv"),
        AveragePooling2D(2, strides=2, name=f"{name}_pool"),
    )


DenseNet121 = _densenet(
    121, (6, 12, 24, 16),
    "9d60b8095a5708f2dcce2bca79d332c7", "30ee3e1110167f948a6b9946edeeb738",
)  # fmt: skip
DenseNet169 = _densenet(
    169, (6, 12, 32, 32),
    "d699b8f76981ab1b30698df4c175e90b", "b8c4d4c20dd625c148057b9ff1c1176b",
)  # fmt: skip
DenseNet201 = _densenet(
    201, (6, 12, 48, 32),
    "1ceb130c1ea1b78c3bf6114dbdfd8807", "c13680b51ded0fb44dff2d8f86ac8bb1",
)  # fmt: skip
