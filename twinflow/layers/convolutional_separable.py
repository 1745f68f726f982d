"""Separable convolutions of tf.layers, as classes and as functions."""

from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.keras.layers import convolutional_separable
from twinflow.layers.passing import applied, given
from twinflow.ops.random.initializers import Zeros

_ZEROS = Zeros()


class SeparableConv1D(convolutional_separable.SeparableConv1D, ScopedLayer):
    """tf.keras.layers.SeparableConv1D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.SeparableConv1D. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        filters, kernel_size, strides=1, padding="valid",
        data_format="channels_last", dilation_rate=1, depth_multiplier=1,
        activation=None, use_bias=True, depthwise_initializer=None,
        pointwise_initializer=None, bias_initializer=_ZEROS,
        depthwise_regularizer=None, pointwise_regularizer=None,
        bias_regularizer=None, activity_regularizer=None,
        depthwise_constraint=None, pointwise_constraint=None,
        bias_constraint=None, trainable=True, name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**given(locals()))


class SeparableConv2D(convolutional_separable.SeparableConv2D, ScopedLayer):
    """tf.keras.layers.SeparableConv2D, its variables made by tf.get_variable.

    Args: see tf.keras.layers.SeparableConv2D. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        filters, kernel_size, strides=(1, 1), padding="valid",
        data_format="channels_last", dilation_rate=(1, 1), depth_multiplier=1,
        activation=None, use_bias=True, depthwise_initializer=None,
        pointwise_initializer=None, bias_initializer=_ZEROS,
        depthwise_regularizer=None, pointwise_regularizer=None,
        bias_regularizer=None, activity_regularizer=None,
        depthwise_constraint=None, pointwise_constraint=None,
        bias_constraint=None, trainable=True, name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**given(locals()))


def separable_conv1d(
    inputs, filters, kernel_size, strides=1, padding="valid",
    data_format="channels_last", dilation_rate=1, depth_multiplier=1,
    activation=None, use_bias=True, depthwise_initializer=None,
    pointwise_initializer=None, bias_initializer=_ZEROS, depthwise_regularizer=None,
    pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None,
    depthwise_constraint=None, pointwise_constraint=None, bias_constraint=None,
    trainable=True, name=None, reuse=None,
):  # fmt: skip
    """The output of a new tf.layers.SeparableConv1D.

    Args: see tf.layers.SeparableConv1D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
    return applied(SeparableConv1D, locals())


def separable_conv2d(
    inputs, filters, kernel_size, strides=(1, 1), padding="valid",
    data_format="channels_last", dilation_rate=(1, 1), depth_multiplier=1,
    activation=None, use_bias=True, depthwise_initializer=None,
    pointwise_initializer=None, bias_initializer=_ZEROS, depthwise_regularizer=None,
    pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None,
    depthwise_constraint=None, pointwise_constraint=None, bias_constraint=None,
    trainable=True, name=None, reuse=None,
):  # fmt: skip
    """The output of a new tf.layers.SeparableConv2D.

    Args: see tf.layers.SeparableConv2D.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
    return applied(SeparableConv2D, locals())
