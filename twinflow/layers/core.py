"""The simple layers of tf.layers, as classes and as functions."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.keras.layers import core, reshaping
from twinflow.layers.scoping import ZEROS, function_of, scoped


@scoped(kernel_initializer=None, bias_initializer=ZEROS, trainable=True, name=None)
class Dense(core.Dense, ScopedLayer):
    pass


@scoped(rate=0.5, name=None)
class Dropout(core.Dropout, ScopedLayer):
    def call(self, inputs: TensorValue, training: Any = False) -> Tensor:
        """The output; unlike that of tf.keras it does not ask the learning phase."""
        return super().call(inputs, training=training)


@scoped()
class Flatten(reshaping.Flatten, ScopedLayer):
    pass


dense = function_of(Dense, reuse=None)
dropout = function_of(Dropout, "name", training=False)
flatten = function_of(Flatten, without="data_format", name=None)
