"""Convolutions of tf.layers, as classes and as functions."""

from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.keras.layers import convolutional
from twinflow.layers.passing import applied, given
from twinflow.ops.random.initializers import Zeros

_ZEROS = Zeros()


class Conv1D(convolutional.Conv1D, ScopedLayer):
    """tf.keras.layers.Conv1D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Conv1D. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        filters, kernel_size, strides=1, padding="valid",
        data_format="channels_last", dilation_rate=1, activation=None,
        use_bias=True, kernel_initializer=None, bias_initializer=_ZEROS,
        kernel_regularizer=None, bias_regularizer=None,
        activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
        trainable=True, name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**given(locals()))


class Conv2D(convolutional.Conv2D, ScopedLayer):
    """tf.keras.layers.Conv2D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Conv2D. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        filters, kernel_size, strides=(1, 1), padding="valid",
        data_format="channels_last", dilation_rate=(1, 1), activation=None,
        use_bias=True, kernel_initializer=None, bias_initializer=_ZEROS,
        kernel_regularizer=None, bias_regularizer=None,
        activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
        trainable=True, name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**given(locals()))


class Conv3D(convolutional.Conv3D, ScopedLayer):
    """tf.keras.layers.Conv3D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Conv3D. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        filters, kernel_size, strides=(1, 1, 1), padding="valid",
        data_format="channels_last", dilation_rate=(1, 1, 1), activation=None,
        use_bias=True, kernel_initializer=None, bias_initializer=_ZEROS,
        kernel_regularizer=None, bias_regularizer=None,
        activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
        trainable=True, name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**given(locals()))


def conv1d(
    inputs, filters, kernel_size, strides=1, padding="valid",
    data_format="channels_last", dilation_rate=1, activation=None, use_bias=True,
    kernel_initializer=None, bias_initializer=_ZEROS, kernel_regularizer=None,
    bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
    bias_constraint=None, trainable=True, name=None, reuse=None,
):  # fmt: skip
    """The output of a new tf.layers.Conv1D.

    Args: see tf.layers.Conv1D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
    return applied(Conv1D, locals())


def conv2d(
    inputs, filters, kernel_size, strides=(1, 1), padding="valid",
    data_format="channels_last", dilation_rate=(1, 1), activation=None,
    use_bias=True, kernel_initializer=None, bias_initializer=_ZEROS,
    kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
    kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
    reuse=None,
):  # fmt: skip
    """The output of a new tf.layers.Conv2D.

    Args: see tf.layers.Conv2D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
    return applied(Conv2D, locals())


def conv3d(
    inputs, filters, kernel_size, strides=(1, 1, 1), padding="valid",
    data_format="channels_last", dilation_rate=(1, 1, 1), activation=None,
    use_bias=True, kernel_initializer=None, bias_initializer=_ZEROS,
    kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
    kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
    reuse=None,
):  # fmt: skip
    """The output of a new tf.layers.Conv3D.

    Args: see tf.layers.Conv3D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
    return applied(Conv3D, locals())
