# Made by `make stubs` from the table of the index.
from twinflow.contrib.slim.nets import alexnet as alexnet
from twinflow.contrib.slim.nets import inception as inception
from twinflow.contrib.slim.nets import overfeat as overfeat
from twinflow.contrib.slim.nets import resnet_utils as resnet_utils
from twinflow.contrib.slim.nets import resnet_v1 as resnet_v1
from twinflow.contrib.slim.nets import resnet_v2 as resnet_v2
from twinflow.contrib.slim.nets import vgg as vgg

__all__ = [
"alexnet", "inception", "overfeat", "resnet_utils", "resnet_v1", "resnet_v2", "vgg"
]
