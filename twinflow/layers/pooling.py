"""Pooling of tf.layers, as classes and as functions."""

from twinflow.keras import pooling
from twinflow.keras.scoped import Layer as ScopedLayer


class AveragePooling1D(pooling.AveragePooling1D, ScopedLayer):
    """tf.keras.layers.AveragePooling1D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.AveragePooling1D. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        pool_size, strides, padding="valid", data_format="channels_last",
        name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(
            pool_size=pool_size, strides=strides, padding=padding,
            data_format=data_format, name=name, **kwargs,
        )  # fmt: skip


class AveragePooling2D(pooling.AveragePooling2D, ScopedLayer):
    """tf.keras.layers.AveragePooling2D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.AveragePooling2D. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        pool_size, strides, padding="valid", data_format="channels_last",
        name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(
            pool_size=pool_size, strides=strides, padding=padding,
            data_format=data_format, name=name, **kwargs,
        )  # fmt: skip


class AveragePooling3D(pooling.AveragePooling3D, ScopedLayer):
    """tf.keras.layers.AveragePooling3D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.AveragePooling3D. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        pool_size, strides, padding="valid", data_format="channels_last",
        name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(
            pool_size=pool_size, strides=strides, padding=padding,
            data_format=data_format, name=name, **kwargs,
        )  # fmt: skip


class MaxPooling1D(pooling.MaxPooling1D, ScopedLayer):
    """tf.keras.layers.MaxPooling1D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.MaxPooling1D. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        pool_size, strides, padding="valid", data_format="channels_last",
        name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(
            pool_size=pool_size, strides=strides, padding=padding,
            data_format=data_format, name=name, **kwargs,
        )  # fmt: skip


class MaxPooling2D(pooling.MaxPooling2D, ScopedLayer):
    """tf.keras.layers.MaxPooling2D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.MaxPooling2D. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        pool_size, strides, padding="valid", data_format="channels_last",
        name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(
            pool_size=pool_size, strides=strides, padding=padding,
            data_format=data_format, name=name, **kwargs,
        )  # fmt: skip


class MaxPooling3D(pooling.MaxPooling3D, ScopedLayer):
    """tf.keras.layers.MaxPooling3D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.MaxPooling3D. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        pool_size, strides, padding="valid", data_format="channels_last",
        name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(
            pool_size=pool_size, strides=strides, padding=padding,
            data_format=data_format, name=name, **kwargs,
        )  # fmt: skip


def average_pooling1d(
    inputs, pool_size, strides, padding="valid", data_format="channels_last",
    name=None,
):  # fmt: skip
    """The output of a new tf.layers.AveragePooling1D.

    Args: see tf.layers.AveragePooling1D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    layer = AveragePooling1D(
        pool_size=pool_size, strides=strides, padding=padding,
        data_format=data_format, name=name,
    )  # fmt: skip
    return layer.apply(inputs)


def average_pooling2d(
    inputs, pool_size, strides, padding="valid", data_format="channels_last",
    name=None,
):  # fmt: skip
    """The output of a new tf.layers.AveragePooling2D.

    Args: see tf.layers.AveragePooling2D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    layer = AveragePooling2D(
        pool_size=pool_size, strides=strides, padding=padding,
        data_format=data_format, name=name,
    )  # fmt: skip
    return layer.apply(inputs)


def average_pooling3d(
    inputs, pool_size, strides, padding="valid", data_format="channels_last",
    name=None,
):  # fmt: skip
    """The output of a new tf.layers.AveragePooling3D.

    Args: see tf.layers.AveragePooling3D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    layer = AveragePooling3D(
        pool_size=pool_size, strides=strides, padding=padding,
        data_format=data_format, name=name,
    )  # fmt: skip
    return layer.apply(inputs)


def max_pooling1d(
    inputs, pool_size, strides, padding="valid", data_format="channels_last",
    name=None,
):  # fmt: skip
    """The output of a new tf.layers.MaxPooling1D.

    Args: see tf.layers.MaxPooling1D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    layer = MaxPooling1D(
        pool_size=pool_size, strides=strides, padding=padding,
        data_format=data_format, name=name,
    )  # fmt: skip
    return layer.apply(inputs)


def max_pooling2d(
    inputs, pool_size, strides, padding="valid", data_format="channels_last",
    name=None,
):  # fmt: skip
    """The output of a new tf.layers.MaxPooling2D.

    Args: see tf.layers.MaxPooling2D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    layer = MaxPooling2D(
        pool_size=pool_size, strides=strides, padding=padding,
        data_format=data_format, name=name,
    )  # fmt: skip
    return layer.apply(inputs)


def max_pooling3d(
    inputs, pool_size, strides, padding="valid", data_format="channels_last",
    name=None,
):  # fmt: skip
    """The output of a new tf.layers.MaxPooling3D.

    Args: see tf.layers.MaxPooling3D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    layer = MaxPooling3D(
        pool_size=pool_size, strides=strides, padding=padding,
        data_format=data_format, name=name,
    )  # fmt: skip
    return layer.apply(inputs)
