"""Convolutions of tf.layers, as classes and as functions."""

from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.keras.layers import (
    convolutional,
    convolutional_separable,
    convolutional_transpose,
)
from twinflow.layers.scoping import ZEROS, function_of, scoped

_CHANGES = dict(
    data_format="channels_last", bias_initializer=ZEROS, trainable=True, name=None
)
_WHOLE = scoped(kernel_initializer=None, **_CHANGES)
_SEPARABLE = scoped(depthwise_initializer=None, pointwise_initializer=None, **_CHANGES)


@_WHOLE
class Conv1D(convolutional.Conv1D, ScopedLayer):
    pass


@_WHOLE
class Conv2D(convolutional.Conv2D, ScopedLayer):
    pass


@_WHOLE
class Conv3D(convolutional.Conv3D, ScopedLayer):
    pass


@_WHOLE
class Conv2DTranspose(convolutional_transpose.Conv2DTranspose, ScopedLayer):
    pass


@_WHOLE
class Conv3DTranspose(convolutional_transpose.Conv3DTranspose, ScopedLayer):
    pass


@_SEPARABLE
class SeparableConv1D(convolutional_separable.SeparableConv1D, ScopedLayer):
    pass


@_SEPARABLE
class SeparableConv2D(convolutional_separable.SeparableConv2D, ScopedLayer):
    pass


conv1d = function_of(Conv1D, reuse=None)
conv2d = function_of(Conv2D, reuse=None)
conv3d = function_of(Conv3D, reuse=None)
conv2d_transpose = function_of(Conv2DTranspose, reuse=None)
conv3d_transpose = function_of(Conv3DTranspose, reuse=None)
separable_conv1d = function_of(SeparableConv1D, reuse=None)
separable_conv2d = function_of(SeparableConv2D, reuse=None)
