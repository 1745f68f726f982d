"""Pooling of tf.layers, as classes and as functions."""

from twinflow.base.written import REQUIRED
from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.keras.layers import pooling
from twinflow.layers.scoping import function_of, scoped

_POOLING = scoped(pool_size=REQUIRED, strides=REQUIRED, data_format="channels_last")


@_POOLING
class AveragePooling1D(pooling.AveragePooling1D, ScopedLayer):
    pass


@_POOLING
class AveragePooling2D(pooling.AveragePooling2D, ScopedLayer):
    pass


@_POOLING
class AveragePooling3D(pooling.AveragePooling3D, ScopedLayer):
    pass


@_POOLING
class MaxPooling1D(pooling.MaxPooling1D, ScopedLayer):
    pass


@_POOLING
class MaxPooling2D(pooling.MaxPooling2D, ScopedLayer):
    pass


@_POOLING
class MaxPooling3D(pooling.MaxPooling3D, ScopedLayer):
    pass


average_pooling1d = function_of(AveragePooling1D)
average_pooling2d = function_of(AveragePooling2D)
average_pooling3d = function_of(AveragePooling3D)
max_pooling1d = function_of(MaxPooling1D)
max_pooling2d = function_of(MaxPooling2D)
max_pooling3d = function_of(MaxPooling3D)
