"""VGG19: nineteen layers of small convolutions."""

from twinflow.keras.applications.architecture import application
from twinflow.keras.applications.imagenet_utils import (
    decode_predictions,
    preprocess_input,
)
from twinflow.keras.applications.vgg import vgg

__all__ = ["VGG19", "decode_predictions", "preprocess_input"]


@application(
    "vgg19", 224, 32,
    ("cbe5617147190e668d6c5d5026f83318", "253f8cb515780f3b799900260a226db6"), "v0.1",
)  # fmt: skip
def VGG19(frame):
    """VGG19

    Simonyan and Zisserman, "Very Deep Convolutional Networks for Large-Scale Image
    Recognition", 2014, configuration E.
    """
    return vgg(frame, (2, 2, 4, 4, 4))
