# Made by `make stubs` from the table of the index.
from twinflow.keras.engine.scoped_layer import Layer as Layer
from twinflow.keras.engine.input_spec import InputSpec as InputSpec
from twinflow.keras.engine.input_layer import Input as Input
from twinflow.layers.core import Dense as Dense
from twinflow.layers.core import Dropout as Dropout
from twinflow.layers.core import Flatten as Flatten
from twinflow.layers.core import dense as dense
from twinflow.layers.core import dropout as dropout
from twinflow.layers.core import flatten as flatten
from twinflow.layers.convolutional import Conv1D as Conv1D
from twinflow.layers.convolutional import Conv2D as Conv2D
from twinflow.layers.convolutional import Conv3D as Conv3D
from twinflow.layers.convolutional import conv1d as conv1d
from twinflow.layers.convolutional import conv2d as conv2d
from twinflow.layers.convolutional import conv3d as conv3d
from twinflow.layers.convolutional_transpose import Conv2DTranspose as Conv2DTranspose
from twinflow.layers.convolutional_transpose import Conv3DTranspose as Conv3DTranspose
from twinflow.layers.convolutional_transpose import conv2d_transpose as conv2d_transpose
from twinflow.layers.convolutional_transpose import conv3d_transpose as conv3d_transpose
from twinflow.layers.convolutional_separable import SeparableConv1D as SeparableConv1D
from twinflow.layers.convolutional_separable import SeparableConv2D as SeparableConv2D
from twinflow.layers.convolutional_separable import separable_conv1d as separable_conv1d
from twinflow.layers.convolutional_separable import separable_conv2d as separable_conv2d
from twinflow.layers.pooling import AveragePooling1D as AveragePooling1D
from twinflow.layers.pooling import AveragePooling2D as AveragePooling2D
from twinflow.layers.pooling import AveragePooling3D as AveragePooling3D
from twinflow.layers.pooling import MaxPooling1D as MaxPooling1D
from twinflow.layers.pooling import MaxPooling2D as MaxPooling2D
from twinflow.layers.pooling import MaxPooling3D as MaxPooling3D
from twinflow.layers.pooling import average_pooling1d as average_pooling1d
from twinflow.layers.pooling import average_pooling2d as average_pooling2d
from twinflow.layers.pooling import average_pooling3d as average_pooling3d
from twinflow.layers.pooling import max_pooling1d as max_pooling1d
from twinflow.layers.pooling import max_pooling2d as max_pooling2d
from twinflow.layers.pooling import max_pooling3d as max_pooling3d
from twinflow.layers.normalization import BatchNormalization as BatchNormalization
from twinflow.layers.normalization import batch_normalization as batch_normalization

__all__ = [
"Layer", "InputSpec", "Input", "Dense", "Dropout", "Flatten", "dense", "dropout",
"flatten", "Conv1D", "Conv2D", "Conv3D", "conv1d", "conv2d", "conv3d",
"Conv2DTranspose", "Conv3DTranspose", "conv2d_transpose", "conv3d_transpose",
"SeparableConv1D", "SeparableConv2D", "separable_conv1d", "separable_conv2d",
"AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "MaxPooling1D",
"MaxPooling2D", "MaxPooling3D", "average_pooling1d", "average_pooling2d",
"average_pooling3d", "max_pooling1d", "max_pooling2d", "max_pooling3d",
"BatchNormalization", "batch_normalization"
]
