"""VGG16: sixteen layers of small convolutions."""

from twinflow.keras.applications.architecture import application
from twinflow.keras.applications.imagenet_utils import (
    decode_predictions,
    preprocess_input,
)
from twinflow.keras.applications.vgg import vgg

__all__ = ["VGG16", "decode_predictions", "preprocess_input"]


@application(
    "vgg16", 224, 32,
    ("64373286793e3c8b2b4e3219cbf3544b", "6d6bbae143d832006294945121d1f1fc"), "v0.1",
)  # fmt: skip
def VGG16(frame):
    """VGG16

    Simonyan and Zisserman, "Very Deep Convolutional Networks for Large-Scale Image
    Recognition", 2014, configuration D.
    """
    return vgg(frame, (2, 2, 3, 3, 3))
