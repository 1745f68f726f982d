# Made by `make stubs` from the table of the index.
from twinflow.base.tensor import Tensor
from typing import Any
from twinflow.keras.engine.scoped_layer import Layer as Layer
from twinflow.keras.engine.input_spec import InputSpec as InputSpec
from twinflow.keras.engine.input_layer import Input as Input
from twinflow.layers.core import Dense as _Dense
class Dense(_Dense):
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, units: Any, activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.core import Dropout as _Dropout
class Dropout(_Dropout):
    rate: Any
    noise_shape: Any
    seed: Any
    def __init__(self, rate: Any = ..., noise_shape: Any = ..., seed: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.core import Flatten as _Flatten
class Flatten(_Flatten):
    def __init__(self, data_format: Any = ..., **kwargs: Any) -> None: ...
def dense(inputs: Any, units: Any, activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor: ...
def dropout(inputs: Any, rate: Any = ..., noise_shape: Any = ..., seed: Any = ..., training: Any = ..., name: Any = ...) -> Tensor: ...
def flatten(inputs: Any, name: Any = ...) -> Tensor: ...
from twinflow.layers.convolutional import Conv1D as _Conv1D
class Conv1D(_Conv1D):
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.convolutional import Conv2D as _Conv2D
class Conv2D(_Conv2D):
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.convolutional import Conv3D as _Conv3D
class Conv3D(_Conv3D):
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
def conv1d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor: ...
def conv2d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor: ...
def conv3d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor: ...
from twinflow.layers.convolutional import Conv2DTranspose as _Conv2DTranspose
class Conv2DTranspose(_Conv2DTranspose):
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.convolutional import Conv3DTranspose as _Conv3DTranspose
class Conv3DTranspose(_Conv3DTranspose):
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
def conv2d_transpose(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor: ...
def conv3d_transpose(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor: ...
from twinflow.layers.convolutional import SeparableConv1D as _SeparableConv1D
class SeparableConv1D(_SeparableConv1D):
    activation: Any
    depthwise_initializer: Any
    pointwise_initializer: Any
    bias_initializer: Any
    depthwise_regularizer: Any
    pointwise_regularizer: Any
    bias_regularizer: Any
    depthwise_constraint: Any
    pointwise_constraint: Any
    bias_constraint: Any
    depthwise_kernel: Any
    pointwise_kernel: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., depth_multiplier: Any = ..., activation: Any = ..., use_bias: Any = ..., depthwise_initializer: Any = ..., pointwise_initializer: Any = ..., bias_initializer: Any = ..., depthwise_regularizer: Any = ..., pointwise_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., depthwise_constraint: Any = ..., pointwise_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.convolutional import SeparableConv2D as _SeparableConv2D
class SeparableConv2D(_SeparableConv2D):
    activation: Any
    depthwise_initializer: Any
    pointwise_initializer: Any
    bias_initializer: Any
    depthwise_regularizer: Any
    pointwise_regularizer: Any
    bias_regularizer: Any
    depthwise_constraint: Any
    pointwise_constraint: Any
    bias_constraint: Any
    depthwise_kernel: Any
    pointwise_kernel: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., depth_multiplier: Any = ..., activation: Any = ..., use_bias: Any = ..., depthwise_initializer: Any = ..., pointwise_initializer: Any = ..., bias_initializer: Any = ..., depthwise_regularizer: Any = ..., pointwise_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., depthwise_constraint: Any = ..., pointwise_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
def separable_conv1d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., depth_multiplier: Any = ..., activation: Any = ..., use_bias: Any = ..., depthwise_initializer: Any = ..., pointwise_initializer: Any = ..., bias_initializer: Any = ..., depthwise_regularizer: Any = ..., pointwise_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., depthwise_constraint: Any = ..., pointwise_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor: ...
def separable_conv2d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., depth_multiplier: Any = ..., activation: Any = ..., use_bias: Any = ..., depthwise_initializer: Any = ..., pointwise_initializer: Any = ..., bias_initializer: Any = ..., depthwise_regularizer: Any = ..., pointwise_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., depthwise_constraint: Any = ..., pointwise_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor: ...
from twinflow.layers.pooling import AveragePooling1D as _AveragePooling1D
class AveragePooling1D(_AveragePooling1D):
    def __init__(self, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.pooling import AveragePooling2D as _AveragePooling2D
class AveragePooling2D(_AveragePooling2D):
    def __init__(self, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.pooling import AveragePooling3D as _AveragePooling3D
class AveragePooling3D(_AveragePooling3D):
    def __init__(self, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.pooling import MaxPooling1D as _MaxPooling1D
class MaxPooling1D(_MaxPooling1D):
    def __init__(self, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.pooling import MaxPooling2D as _MaxPooling2D
class MaxPooling2D(_MaxPooling2D):
    def __init__(self, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.pooling import MaxPooling3D as _MaxPooling3D
class MaxPooling3D(_MaxPooling3D):
    def __init__(self, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
def average_pooling1d(inputs: Any, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ...) -> Tensor: ...
def average_pooling2d(inputs: Any, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ...) -> Tensor: ...
def average_pooling3d(inputs: Any, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ...) -> Tensor: ...
def max_pooling1d(inputs: Any, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ...) -> Tensor: ...
def max_pooling2d(inputs: Any, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ...) -> Tensor: ...
def max_pooling3d(inputs: Any, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ...) -> Tensor: ...
from twinflow.layers.normalization import BatchNormalization as _BatchNormalization
class BatchNormalization(_BatchNormalization):
    beta_initializer: Any
    gamma_initializer: Any
    moving_mean_initializer: Any
    moving_variance_initializer: Any
    beta_regularizer: Any
    gamma_regularizer: Any
    beta_constraint: Any
    gamma_constraint: Any
    def __init__(self, axis: Any = ..., momentum: Any = ..., epsilon: Any = ..., center: Any = ..., scale: Any = ..., beta_initializer: Any = ..., gamma_initializer: Any = ..., moving_mean_initializer: Any = ..., moving_variance_initializer: Any = ..., beta_regularizer: Any = ..., gamma_regularizer: Any = ..., beta_constraint: Any = ..., gamma_constraint: Any = ..., renorm: Any = ..., renorm_clipping: Any = ..., renorm_momentum: Any = ..., fused: Any = ..., trainable: Any = ..., virtual_batch_size: Any = ..., adjustment: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
def batch_normalization(inputs: Any, axis: Any = ..., momentum: Any = ..., epsilon: Any = ..., center: Any = ..., scale: Any = ..., beta_initializer: Any = ..., gamma_initializer: Any = ..., moving_mean_initializer: Any = ..., moving_variance_initializer: Any = ..., beta_regularizer: Any = ..., gamma_regularizer: Any = ..., beta_constraint: Any = ..., gamma_constraint: Any = ..., training: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ..., renorm: Any = ..., renorm_clipping: Any = ..., renorm_momentum: Any = ..., fused: Any = ..., virtual_batch_size: Any = ..., adjustment: Any = ...) -> Tensor: ...

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
