"""Pooling of tf.layers, as classes and as functions."""

from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.keras.layers import pooling
from twinflow.layers.passing import applied, given


class _Pooling:
    """What all have in common: how they are made."""

    scoped_call = False

    def __init__(
        self,
        pool_size, strides, padding="valid", data_format="channels_last",
        name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**given(locals()))


class AveragePooling1D(_Pooling, pooling.AveragePooling1D, ScopedLayer):
    """tf.keras.layers.AveragePooling1D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.AveragePooling1D. name: its name and that of its scope.
    """


class AveragePooling2D(_Pooling, pooling.AveragePooling2D, ScopedLayer):
    """tf.keras.layers.AveragePooling2D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.AveragePooling2D. name: its name and that of its scope.
    """


class AveragePooling3D(_Pooling, pooling.AveragePooling3D, ScopedLayer):
    """tf.keras.layers.AveragePooling3D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.AveragePooling3D. name: its name and that of its scope.
    """


class MaxPooling1D(_Pooling, pooling.MaxPooling1D, ScopedLayer):
    """tf.keras.layers.MaxPooling1D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.MaxPooling1D. name: its name and that of its scope.
    """


class MaxPooling2D(_Pooling, pooling.MaxPooling2D, ScopedLayer):
    """tf.keras.layers.MaxPooling2D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.MaxPooling2D. name: its name and that of its scope.
    """


class MaxPooling3D(_Pooling, pooling.MaxPooling3D, ScopedLayer):
    """tf.keras.layers.MaxPooling3D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.MaxPooling3D. name: its name and that of its scope.
    """


def average_pooling1d(
    inputs, pool_size, strides, padding="valid", data_format="channels_last",
    name=None,
):  # fmt: skip
    """The output of a new tf.layers.AveragePooling1D.

    Args: see tf.layers.AveragePooling1D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    return applied(AveragePooling1D, locals())


def average_pooling2d(
    inputs, pool_size, strides, padding="valid", data_format="channels_last",
    name=None,
):  # fmt: skip
    """The output of a new tf.layers.AveragePooling2D.

    Args: see tf.layers.AveragePooling2D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    return applied(AveragePooling2D, locals())


def average_pooling3d(
    inputs, pool_size, strides, padding="valid", data_format="channels_last",
    name=None,
):  # fmt: skip
    """The output of a new tf.layers.AveragePooling3D.

    Args: see tf.layers.AveragePooling3D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    return applied(AveragePooling3D, locals())


def max_pooling1d(
    inputs, pool_size, strides, padding="valid", data_format="channels_last",
    name=None,
):  # fmt: skip
    """The output of a new tf.layers.MaxPooling1D.

    Args: see tf.layers.MaxPooling1D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    return applied(MaxPooling1D, locals())


def max_pooling2d(
    inputs, pool_size, strides, padding="valid", data_format="channels_last",
    name=None,
):  # fmt: skip
    """The output of a new tf.layers.MaxPooling2D.

    Args: see tf.layers.MaxPooling2D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    return applied(MaxPooling2D, locals())


def max_pooling3d(
    inputs, pool_size, strides, padding="valid", data_format="channels_last",
    name=None,
):  # fmt: skip
    """The output of a new tf.layers.MaxPooling3D.

    Args: see tf.layers.MaxPooling3D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    return applied(MaxPooling3D, locals())
