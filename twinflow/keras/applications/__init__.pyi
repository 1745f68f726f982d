# Made by `make stubs` from the table of the index.
from twinflow.keras.applications import densenet as densenet
from twinflow.keras.applications.densenet import DenseNet121 as DenseNet121
from twinflow.keras.applications.densenet import DenseNet169 as DenseNet169
from twinflow.keras.applications.densenet import DenseNet201 as DenseNet201
from twinflow.keras.applications import imagenet_utils as imagenet_utils
from twinflow.keras.applications import inception_resnet_v2 as inception_resnet_v2
from twinflow.keras.applications.inception_resnet_v2 import InceptionResNetV2 as InceptionResNetV2
from twinflow.keras.applications import inception_v3 as inception_v3
from twinflow.keras.applications.inception_v3 import InceptionV3 as InceptionV3
from twinflow.keras.applications import mobilenet as mobilenet
from twinflow.keras.applications.mobilenet import MobileNet as MobileNet
from twinflow.keras.applications import mobilenet_v2 as mobilenet_v2
from twinflow.keras.applications.mobilenet_v2 import MobileNetV2 as MobileNetV2
from twinflow.keras.applications import nasnet as nasnet
from twinflow.keras.applications.nasnet import NASNetLarge as NASNetLarge
from twinflow.keras.applications.nasnet import NASNetMobile as NASNetMobile
from twinflow.keras.applications import resnet50 as resnet50
from twinflow.keras.applications.resnet50 import ResNet50 as ResNet50
from twinflow.keras.applications import vgg16 as vgg16
from twinflow.keras.applications.vgg16 import VGG16 as VGG16
from twinflow.keras.applications import vgg19 as vgg19
from twinflow.keras.applications.vgg19 import VGG19 as VGG19
from twinflow.keras.applications import xception as xception
from twinflow.keras.applications.xception import Xception as Xception

__all__ = [
"densenet", "DenseNet121", "DenseNet169", "DenseNet201", "imagenet_utils",
"inception_resnet_v2", "InceptionResNetV2", "inception_v3", "InceptionV3", "mobilenet",
"MobileNet", "mobilenet_v2", "MobileNetV2", "nasnet", "NASNetLarge", "NASNetMobile",
"resnet50", "ResNet50", "vgg16", "VGG16", "vgg19", "VGG19", "xception", "Xception"
]
