"""Batch normalization of tf.layers, as a class and as a function."""

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.keras.layers import normalization
from twinflow.layers.scoping import ONES, ZEROS, function_of, scoped


@scoped(
    beta_initializer=ZEROS, gamma_initializer=ONES, moving_mean_initializer=ZEROS,
    moving_variance_initializer=ONES,
)  # fmt: skip
class BatchNormalization(normalization.BatchNormalization, ScopedLayer):
    def call(self, inputs: TensorValue, training: TensorValue | None = False) -> Tensor:
        """The output; unlike that of tf.keras it does not ask the learning phase."""
        return super().call(inputs, training=training)


batch_normalization = function_of(
    BatchNormalization,
    "training trainable name reuse renorm renorm_clipping renorm_momentum fused "
    "virtual_batch_size adjustment",
    training=False,
    reuse=None,
)
