"""Batch normalization of tf.layers, as classes and as functions."""

from twinflow.keras import normalization
from twinflow.keras.scoped import Layer as ScopedLayer
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
        super().__init__(
            axis=axis, momentum=momentum, epsilon=epsilon, center=center,
            scale=scale, beta_initializer=beta_initializer,
            gamma_initializer=gamma_initializer,
            moving_mean_initializer=moving_mean_initializer,
            moving_variance_initializer=moving_variance_initializer,
            beta_regularizer=beta_regularizer,
            gamma_regularizer=gamma_regularizer,
            beta_constraint=beta_constraint,
            gamma_constraint=gamma_constraint, renorm=renorm,
            renorm_clipping=renorm_clipping,
            renorm_momentum=renorm_momentum, fused=fused,
            trainable=trainable, virtual_batch_size=virtual_batch_size,
            adjustment=adjustment, name=name, **kwargs,
        )  # fmt: skip

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
    layer = BatchNormalization(
        axis=axis, momentum=momentum, epsilon=epsilon, center=center,
        scale=scale, beta_initializer=beta_initializer,
        gamma_initializer=gamma_initializer,
        moving_mean_initializer=moving_mean_initializer,
        moving_variance_initializer=moving_variance_initializer,
        beta_regularizer=beta_regularizer, gamma_regularizer=gamma_regularizer,
        beta_constraint=beta_constraint, gamma_constraint=gamma_constraint,
        trainable=trainable, name=name, renorm=renorm,
        renorm_clipping=renorm_clipping, renorm_momentum=renorm_momentum,
        fused=fused, virtual_batch_size=virtual_batch_size,
        adjustment=adjustment, _reuse=reuse, _scope=name,
    )  # fmt: skip
    return layer.apply(inputs, training=training)
