# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.keras.applications import densenet as densenet
def DenseNet121(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any:
    r"""DenseNet of 121 layers; images of 224x224, at least 32x32.

    Args:
        see Note [Applications].
    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.DenseNet121(
            weights=None, input_shape=(32, 32, 3), classes=10)
        model.output_shape  # (None, 10)
    Huang et al., "Densely Connected Convolutional Networks", 2016, table 1.
    """
def DenseNet169(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any:
    r"""DenseNet of 169 layers; images of 224x224, at least 32x32.

    Args:
        see Note [Applications].
    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.DenseNet169(
            weights=None, input_shape=(32, 32, 3), classes=10)
        model.output_shape  # (None, 10)
    Huang et al., "Densely Connected Convolutional Networks", 2016, table 1.
    """
def DenseNet201(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any:
    r"""DenseNet of 201 layers; images of 224x224, at least 32x32.

    Args:
        see Note [Applications].
    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.DenseNet201(
            weights=None, input_shape=(32, 32, 3), classes=10)
        model.output_shape  # (None, 10)
    Huang et al., "Densely Connected Convolutional Networks", 2016, table 1.
    """
from twinflow.keras.applications import imagenet_utils as imagenet_utils
from twinflow.keras.applications import inception_resnet_v2 as inception_resnet_v2
def InceptionResNetV2(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any:
    r"""Inception-ResNet v2; images of 299x299, at least 75x75.

    Args:
        see Note [Applications].
    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.InceptionResNetV2(
            weights=None, input_shape=(75, 75, 3), classes=10)
        model.output_shape  # (None, 10)
    Szegedy et al., "Inception-v4, Inception-ResNet and the Impact of Residual
    Connections on Learning", 2016.
    """
from twinflow.keras.applications import inception_v3 as inception_v3
def InceptionV3(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any:
    r"""Inception v3; images of 299x299, at least 75x75.

    Args:
        see Note [Applications].
    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.InceptionV3(
            weights=None, input_shape=(75, 75, 3), classes=10)
        model.output_shape  # (None, 10)
    Szegedy et al., "Rethinking the Inception Architecture for Computer Vision", 2015.
    """
from twinflow.keras.applications import mobilenet as mobilenet
from twinflow.keras.applications.mobilenet import MobileNet as MobileNet
from twinflow.keras.applications import mobilenet_v2 as mobilenet_v2
from twinflow.keras.applications.mobilenet_v2 import MobileNetV2 as MobileNetV2
from twinflow.keras.applications import nasnet as nasnet
from twinflow.keras.applications.nasnet import NASNetLarge as NASNetLarge
from twinflow.keras.applications.nasnet import NASNetMobile as NASNetMobile
from twinflow.keras.applications import resnet50 as resnet50
def ResNet50(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any:
    r"""ResNet50; images of 224x224, at least 32x32.

    Args:
        see Note [Applications].
    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.ResNet50(
            weights=None, input_shape=(32, 32, 3), classes=10)
        model.output_shape  # (None, 10)
    He et al., "Deep Residual Learning for Image Recognition", 2015, table 1; a stage's
    strides are at its first 1x1 convolution.
    """
from twinflow.keras.applications import vgg16 as vgg16
def VGG16(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any:
    r"""VGG16; images of 224x224, at least 32x32.

    Args:
        see Note [Applications].
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
from twinflow.keras.applications import vgg19 as vgg19
def VGG19(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any:
    r"""VGG19; images of 224x224, at least 32x32.

    Args:
        see Note [Applications].
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
from twinflow.keras.applications import xception as xception
def Xception(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any:
    r"""Xception; images of 299x299, at least 71x71.

    Args:
        see Note [Applications].
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

__all__ = [
"densenet", "DenseNet121", "DenseNet169", "DenseNet201", "imagenet_utils",
"inception_resnet_v2", "InceptionResNetV2", "inception_v3", "InceptionV3", "mobilenet",
"MobileNet", "mobilenet_v2", "MobileNetV2", "nasnet", "NASNetLarge", "NASNetMobile",
"resnet50", "ResNet50", "vgg16", "VGG16", "vgg19", "VGG19", "xception", "Xception"
]
