"""The simple layers of tf.layers, as classes and as functions."""

from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.keras.layers import core, reshaping
from twinflow.layers.passing import applied, given
from twinflow.ops.random.initializers import Zeros

_ZEROS = Zeros()


class Dense(core.Dense, ScopedLayer):
    """tf.keras.layers.Dense, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Dense. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        units, activation=None, use_bias=True, kernel_initializer=None,
        bias_initializer=_ZEROS, kernel_regularizer=None, bias_regularizer=None,
        activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
        trainable=True, name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**given(locals()))


class Dropout(core.Dropout, ScopedLayer):
    """tf.keras.layers.Dropout, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Dropout. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        rate=0.5, noise_shape=None, seed=None, name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**given(locals()))

    def call(self, inputs, training=False):
        """The output; unlike that of tf.keras it does not ask the learning phase."""
        return super().call(inputs, training=training)


class Flatten(reshaping.Flatten, ScopedLayer):
    """tf.keras.layers.Flatten, its variables made by tf.get_variable.

    Args: see tf.keras.layers.Flatten. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        data_format=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**given(locals()))


def dense(
    inputs, units, activation=None, use_bias=True, kernel_initializer=None,
    bias_initializer=_ZEROS, kernel_regularizer=None, bias_regularizer=None,
    activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
    trainable=True, name=None, reuse=None,
):  # fmt: skip
    """The output of a new tf.layers.Dense.

    Args: see tf.layers.Dense.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
    return applied(Dense, locals())


def dropout(
    inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None,
):  # fmt: skip
    """The output of a new tf.layers.Dropout.

    Args: see tf.layers.Dropout.
        inputs: the tensor to call it on. training: see the layer's call.
        name: the variable scope; numbered if not given.
    """
    return applied(Dropout, locals())


def flatten(
    inputs, name=None,
):  # fmt: skip
    """The output of a new tf.layers.Flatten.

    Args: see tf.layers.Flatten.
        inputs: the tensor to call it on.
        name: the variable scope; numbered if not given.
    """
    return applied(Flatten, locals())
