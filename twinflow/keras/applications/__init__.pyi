# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.keras.applications import densenet as densenet
def DenseNet121(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any: ...
def DenseNet169(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any: ...
def DenseNet201(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any: ...
from twinflow.keras.applications import imagenet_utils as imagenet_utils
from twinflow.keras.applications import inception_resnet_v2 as inception_resnet_v2
def InceptionResNetV2(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any: ...
from twinflow.keras.applications import inception_v3 as inception_v3
def InceptionV3(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any: ...
from twinflow.keras.applications import mobilenet as mobilenet
from twinflow.keras.applications.mobilenet import MobileNet as MobileNet
from twinflow.keras.applications import mobilenet_v2 as mobilenet_v2
from twinflow.keras.applications.mobilenet_v2 import MobileNetV2 as MobileNetV2
from twinflow.keras.applications import nasnet as nasnet
from twinflow.keras.applications.nasnet import NASNetLarge as NASNetLarge
from twinflow.keras.applications.nasnet import NASNetMobile as NASNetMobile
from twinflow.keras.applications import resnet50 as resnet50
def ResNet50(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any: ...
from twinflow.keras.applications import vgg16 as vgg16
def VGG16(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any: ...
from twinflow.keras.applications import vgg19 as vgg19
def VGG19(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any: ...
from twinflow.keras.applications import xception as xception
def Xception(include_top: Any = ..., weights: Any = ..., input_tensor: Any = ..., input_shape: Any = ..., pooling: Any = ..., classes: Any = ...) -> Any: ...

__all__ = [
"densenet", "DenseNet121", "DenseNet169", "DenseNet201", "imagenet_utils",
"inception_resnet_v2", "InceptionResNetV2", "inception_v3", "InceptionV3", "mobilenet",
"MobileNet", "mobilenet_v2", "MobileNetV2", "nasnet", "NASNetLarge", "NASNetMobile",
"resnet50", "ResNet50", "vgg16", "VGG16", "vgg19", "VGG19", "xception", "Xception"
]
