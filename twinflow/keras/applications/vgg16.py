"""VGG16: sixteen layers of small convolutions."""

from twinflow.keras.applications.imagenet_utils import (
    decode_predictions,
    preprocess_input,
)
from twinflow.keras.applications.vgg import vgg

__all__ = ["VGG16", "decode_predictions", "preprocess_input"]

_FILES = (
    ("vgg16_weights_tf_dim_ordering_tf_kernels.h5", "64373286793e3c8b2b4e3219cbf3544b"),
    (
        "vgg16_weights_tf_dim_ordering_tf_kernels_notop.h5",
        "6d6bbae143d832006294945121d1f1fc",
    ),
)


def VGG16(
    include_top=True, weights="imagenet", input_tensor=None, input_shape=None,
    pooling=None, classes=1000,
):  # fmt: skip
    """VGG16; images of 224x224, at least 32x32; see Note [Applications].

    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.VGG16(
            weights=None, input_shape=(32, 32, 3), classes=10)
        model.output_shape  # (None, 10)
    Simonyan and Zisserman, "Very Deep Convolutional Networks for Large-Scale Image
    Recognition", 2014, configuration D.
    """
    return vgg(
        "vgg16", (2, 2, 3, 3, 3), _FILES, include_top, weights, input_tensor,
        input_shape, pooling, classes,
    )  # fmt: skip
