"""The networks VGG, by the number of convolutions in each of their five blocks."""

from typing import Any

from twinflow.keras.layers.convolutional import Conv2D
from twinflow.keras.layers.core import Dense
from twinflow.keras.layers.pooling import MaxPooling2D
from twinflow.keras.layers.reshaping import Flatten

_FILTERS = (64, 128, 256, 512, 512)  # of the blocks


def vgg(frame: Any, depths: Any) -> Any:
    """The output of a network VGG; `depths`: the convolutions of each block."""
    x = frame.start
    for block, (depth, filters) in enumerate(zip(depths, _FILTERS, strict=True), 1):
        for i in range(1, depth + 1):
            layer = Conv2D(
                filters, 3, padding="same", activation="relu",
                name=f"block{block}_conv{i}",
            )  # fmt: skip
            x = layer(x)
        x = MaxPooling2D(2, strides=2, name=f"block{block}_pool")(x)
    return _classifier(x, frame.classes) if frame.include_top else frame.pooled(x)


def _classifier(x, classes):
    x = Flatten(name="flatten")(x)
    x = Dense(4096, activation="relu", name="fc1")(x)
    x = Dense(4096, activation="relu", name="fc2")(x)
    return Dense(classes, activation="softmax", name="predictions")(x)
