# Made by `make stubs` from the table of the index.
from twinflow.base.tensor import Tensor
from typing import Any
from twinflow.keras.engine.scoped_layer import Layer as Layer
from twinflow.keras.engine.input_spec import InputSpec as InputSpec
from twinflow.keras.engine.input_layer import Input as Input
from twinflow.layers.core import Dense as _Dense
class Dense(_Dense):
    r"""tf.keras.layers.Dense, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Dense. name: its name and that of its scope.
    """
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
    r"""tf.keras.layers.Dropout, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Dropout. name: its name and that of its scope.
    """
    rate: Any
    noise_shape: Any
    seed: Any
    def __init__(self, rate: Any = ..., noise_shape: Any = ..., seed: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.core import Flatten as _Flatten
class Flatten(_Flatten):
    r"""tf.keras.layers.Flatten, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Flatten. name: its name and that of its scope.
    """
    def __init__(self, data_format: Any = ..., **kwargs: Any) -> None: ...
def dense(inputs: Any, units: Any, activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.Dense.

    Args: see tf.layers.Dense.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
def dropout(inputs: Any, rate: Any = ..., noise_shape: Any = ..., seed: Any = ..., training: Any = ..., name: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.Dropout.

    Args: see tf.layers.Dropout.
        inputs: the tensor to call it on. training: see the layer's call.
        name: the variable scope; numbered if not given.
    """
def flatten(inputs: Any, name: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.Flatten.

    Args: see tf.layers.Flatten.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
from twinflow.layers.convolutional import Conv1D as _Conv1D
class Conv1D(_Conv1D):
    r"""tf.keras.layers.Conv1D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Conv1D. name: its name and that of its scope.
    """
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
    r"""tf.keras.layers.Conv2D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Conv2D. name: its name and that of its scope.
    """
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
    r"""tf.keras.layers.Conv3D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Conv3D. name: its name and that of its scope.
    """
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
def conv1d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.Conv1D.

    Args: see tf.layers.Conv1D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
def conv2d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.Conv2D.

    Args: see tf.layers.Conv2D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
def conv3d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.Conv3D.

    Args: see tf.layers.Conv3D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
from twinflow.layers.convolutional import Conv2DTranspose as _Conv2DTranspose
class Conv2DTranspose(_Conv2DTranspose):
    r"""tf.keras.layers.Conv2DTranspose, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Conv2DTranspose. name: its name and that of its scope.
    """
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
    r"""tf.keras.layers.Conv3DTranspose, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Conv3DTranspose. name: its name and that of its scope.
    """
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    kernel: Any
    def __init__(self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
def conv2d_transpose(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.Conv2DTranspose.

    Args: see tf.layers.Conv2DTranspose.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
def conv3d_transpose(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., activation: Any = ..., use_bias: Any = ..., kernel_initializer: Any = ..., bias_initializer: Any = ..., kernel_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., kernel_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.Conv3DTranspose.

    Args: see tf.layers.Conv3DTranspose.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
from twinflow.layers.convolutional import SeparableConv1D as _SeparableConv1D
class SeparableConv1D(_SeparableConv1D):
    r"""tf.keras.layers.SeparableConv1D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.SeparableConv1D. name: its name and that of its scope.
    """
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
    r"""tf.keras.layers.SeparableConv2D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.SeparableConv2D. name: its name and that of its scope.
    """
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
def separable_conv1d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., depth_multiplier: Any = ..., activation: Any = ..., use_bias: Any = ..., depthwise_initializer: Any = ..., pointwise_initializer: Any = ..., bias_initializer: Any = ..., depthwise_regularizer: Any = ..., pointwise_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., depthwise_constraint: Any = ..., pointwise_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.SeparableConv1D.

    Args: see tf.layers.SeparableConv1D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
def separable_conv2d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = ..., data_format: Any = ..., dilation_rate: Any = ..., depth_multiplier: Any = ..., activation: Any = ..., use_bias: Any = ..., depthwise_initializer: Any = ..., pointwise_initializer: Any = ..., bias_initializer: Any = ..., depthwise_regularizer: Any = ..., pointwise_regularizer: Any = ..., bias_regularizer: Any = ..., activity_regularizer: Any = ..., depthwise_constraint: Any = ..., pointwise_constraint: Any = ..., bias_constraint: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.SeparableConv2D.

    Args: see tf.layers.SeparableConv2D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
from twinflow.layers.pooling import AveragePooling1D as _AveragePooling1D
class AveragePooling1D(_AveragePooling1D):
    r"""tf.keras.layers.AveragePooling1D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.AveragePooling1D. name: its name and that of its scope.
    """
    def __init__(self, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.pooling import AveragePooling2D as _AveragePooling2D
class AveragePooling2D(_AveragePooling2D):
    r"""tf.keras.layers.AveragePooling2D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.AveragePooling2D. name: its name and that of its scope.
    """
    def __init__(self, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.pooling import AveragePooling3D as _AveragePooling3D
class AveragePooling3D(_AveragePooling3D):
    r"""tf.keras.layers.AveragePooling3D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.AveragePooling3D. name: its name and that of its scope.
    """
    def __init__(self, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.pooling import MaxPooling1D as _MaxPooling1D
class MaxPooling1D(_MaxPooling1D):
    r"""tf.keras.layers.MaxPooling1D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.MaxPooling1D. name: its name and that of its scope.
    """
    def __init__(self, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.pooling import MaxPooling2D as _MaxPooling2D
class MaxPooling2D(_MaxPooling2D):
    r"""tf.keras.layers.MaxPooling2D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.MaxPooling2D. name: its name and that of its scope.
    """
    def __init__(self, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
from twinflow.layers.pooling import MaxPooling3D as _MaxPooling3D
class MaxPooling3D(_MaxPooling3D):
    r"""tf.keras.layers.MaxPooling3D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.MaxPooling3D. name: its name and that of its scope.
    """
    def __init__(self, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
def average_pooling1d(inputs: Any, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.AveragePooling1D.

    Args: see tf.layers.AveragePooling1D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
def average_pooling2d(inputs: Any, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.AveragePooling2D.

    Args: see tf.layers.AveragePooling2D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
def average_pooling3d(inputs: Any, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.AveragePooling3D.

    Args: see tf.layers.AveragePooling3D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
def max_pooling1d(inputs: Any, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.MaxPooling1D.

    Args: see tf.layers.MaxPooling1D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
def max_pooling2d(inputs: Any, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.MaxPooling2D.

    Args: see tf.layers.MaxPooling2D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
def max_pooling3d(inputs: Any, pool_size: Any, strides: Any, padding: Any = ..., data_format: Any = ..., name: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.MaxPooling3D.

    Args: see tf.layers.MaxPooling3D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
from twinflow.layers.normalization import BatchNormalization as _BatchNormalization
class BatchNormalization(_BatchNormalization):
    r"""tf.keras.layers.BatchNormalization, its variables made by tf.get_variable.

    Args: see tf.keras.layers.BatchNormalization. name: its name and that of its scope.
    """
    beta_initializer: Any
    gamma_initializer: Any
    moving_mean_initializer: Any
    moving_variance_initializer: Any
    beta_regularizer: Any
    gamma_regularizer: Any
    beta_constraint: Any
    gamma_constraint: Any
    def __init__(self, axis: Any = ..., momentum: Any = ..., epsilon: Any = ..., center: Any = ..., scale: Any = ..., beta_initializer: Any = ..., gamma_initializer: Any = ..., moving_mean_initializer: Any = ..., moving_variance_initializer: Any = ..., beta_regularizer: Any = ..., gamma_regularizer: Any = ..., beta_constraint: Any = ..., gamma_constraint: Any = ..., renorm: Any = ..., renorm_clipping: Any = ..., renorm_momentum: Any = ..., fused: Any = ..., trainable: Any = ..., virtual_batch_size: Any = ..., adjustment: Any = ..., name: Any = ..., **kwargs: Any) -> None: ...
def batch_normalization(inputs: Any, axis: Any = ..., momentum: Any = ..., epsilon: Any = ..., center: Any = ..., scale: Any = ..., beta_initializer: Any = ..., gamma_initializer: Any = ..., moving_mean_initializer: Any = ..., moving_variance_initializer: Any = ..., beta_regularizer: Any = ..., gamma_regularizer: Any = ..., beta_constraint: Any = ..., gamma_constraint: Any = ..., training: Any = ..., trainable: Any = ..., name: Any = ..., reuse: Any = ..., renorm: Any = ..., renorm_clipping: Any = ..., renorm_momentum: Any = ..., fused: Any = ..., virtual_batch_size: Any = ..., adjustment: Any = ...) -> Tensor:
    r"""The output of a new tf.layers.BatchNormalization.

    Args: see tf.layers.BatchNormalization.
        inputs: the tensor to call it on. training: see the layer's call.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """

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
