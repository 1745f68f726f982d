"""Transposed convolutions of tf.layers, as classes and as functions."""

from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.keras.layers import convolutional_transpose
from twinflow.layers.passing import applied, given
from twinflow.ops.random.initializers import Zeros

_ZEROS = Zeros()


class Conv2DTranspose(convolutional_transpose.Conv2DTranspose, ScopedLayer):
    """tf.keras.layers.Conv2DTranspose, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Conv2DTranspose. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        filters, kernel_size, strides=(1, 1), padding="valid",
        data_format="channels_last", activation=None, use_bias=True,
        kernel_initializer=None, bias_initializer=_ZEROS,
        kernel_regularizer=None, bias_regularizer=None,
        activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
        trainable=True, name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**given(locals()))


class Conv3DTranspose(convolutional_transpose.Conv3DTranspose, ScopedLayer):
    """tf.keras.layers.Conv3DTranspose, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Conv3DTranspose. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        filters, kernel_size, strides=(1, 1, 1), padding="valid",
        data_format="channels_last", activation=None, use_bias=True,
        kernel_initializer=None, bias_initializer=_ZEROS,
        kernel_regularizer=None, bias_regularizer=None,
        activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
        trainable=True, name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**given(locals()))


def conv2d_transpose(
    inputs, filters, kernel_size, strides=(1, 1), padding="valid",
    data_format="channels_last", activation=None, use_bias=True,
    kernel_initializer=None, bias_initializer=_ZEROS, kernel_regularizer=None,
    bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
    bias_constraint=None, trainable=True, name=None, reuse=None,
):  # fmt: skip
    """The output of a new tf.layers.Conv2DTranspose.

    Args: see tf.layers.Conv2DTranspose.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
    return applied(Conv2DTranspose, locals())


def conv3d_transpose(
    inputs, filters, kernel_size, strides=(1, 1, 1), padding="valid",
    data_format="channels_last", activation=None, use_bias=True,
    kernel_initializer=None, bias_initializer=_ZEROS, kernel_regularizer=None,
    bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
    bias_constraint=None, trainable=True, name=None, reuse=None,
):  # fmt: skip
    """The output of a new tf.layers.Conv3DTranspose.

    Args: see tf.layers.Conv3DTranspose.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
    return applied(Conv3DTranspose, locals())
