"""Batch normalization of tf.layers, as classes and as functions."""

from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.keras.layers import normalization
from twinflow.layers.passing import applied, given
from twinflow.ops.random.initializers import Ones, Zeros

_ZEROS = Zeros()
_ONES = Ones()


class BatchNormalization(normalization.BatchNormalization, ScopedLayer):
    """tf.keras.layers.BatchNormalization, its variables made by tf.get_variable.

    Args: see tf.keras.layers.BatchNormalization. name: its name and that of its scope.
    """

    scoped_call = False

    def __init__(
        self,
        axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True,
        beta_initializer=_ZEROS, gamma_initializer=_ONES,
        moving_mean_initializer=_ZEROS, moving_variance_initializer=_ONES,
        beta_regularizer=None, gamma_regularizer=None, beta_constraint=None,
        gamma_constraint=None, renorm=False, renorm_clipping=None,
        renorm_momentum=0.99, fused=None, trainable=True,
        virtual_batch_size=None, adjustment=None, name=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(**given(locals()))

    def call(self, inputs, training=False):
        """The output; unlike that of tf.keras it does not ask the learning phase."""
        return super().call(inputs, training=training)


def batch_normalization(
    inputs, axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True,
    beta_initializer=_ZEROS, gamma_initializer=_ONES,
    moving_mean_initializer=_ZEROS, moving_variance_initializer=_ONES,
    beta_regularizer=None, gamma_regularizer=None, beta_constraint=None,
    gamma_constraint=None, training=False, trainable=True, name=None, reuse=None,
    renorm=False, renorm_clipping=None, renorm_momentum=0.99, fused=None,
    virtual_batch_size=None, adjustment=None,
):  # fmt: skip
    """The output of a new tf.layers.BatchNormalization.

    Args: see tf.layers.BatchNormalization.
        inputs: the tensor to call it on. training: see the layer's call.
        name: the variable scope; numbered if not given.
        reuse: whether the variables of that scope must be there already.
    """
    return applied(BatchNormalization, locals())
