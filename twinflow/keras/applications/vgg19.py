"""VGG19: nineteen layers of small convolutions."""

from twinflow.keras.applications.imagenet_utils import (
    decode_predictions,
    preprocess_input,
)
from twinflow.keras.applications.vgg import vgg

__all__ = ["VGG19", "decode_predictions", "preprocess_input"]

_FILES = (
    ("vgg19_weights_tf_dim_ordering_tf_kernels.h5", "cbe5617147190e668d6c5d5026f83318"),
    (
        "vgg19_weights_tf_dim_ordering_tf_kernels_notop.h5",
        "253f8cb515780f3b799900260a226db6",
    ),
)


def VGG19(
    include_top=True, weights="imagenet", input_tensor=None, input_shape=None,
    pooling=None, classes=1000,
):  # fmt: skip
    """VGG19; images of 224x224, at least 32x32; see Note [Applications].

    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.VGG19(
            weights=None, input_shape=(32, 32, 3), classes=10)
        model.output_shape  # (None, 10)
    Simonyan and Zisserman, "Very Deep Convolutional Networks for Large-Scale Image
    Recognition", 2014, configuration E.
    """
    return vgg(
        "vgg19", (2, 2, 4, 4, 4), _FILES, include_top, weights, input_tensor,
        input_shape, pooling, classes,
    )  # fmt: skip
