"""Sequential: layers in a row."""

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.keras import backend
from twinflow.keras.base_layer import Layer
from twinflow.keras.model import Model, trace


class Sequential(Model):
    """Layers that are called one after the other.

    Variables are made at the first call, or at once if the first layer was given an
    `input_shape`.

    Args:
        layers: a list of layers. name: its name.
    Raises:
        TypeError: something else is added.
    Example:
        tf.keras.Sequential([tf.keras.layers.Dense(10), tf.keras.layers.Dense(2)])
    """

    def __init__(self, layers=None, name=None):
        super().__init__(name=name)
        self._row = []
        self._input = self._output = None  # (DType, shape) where known
        for layer in layers or []:
            self.add(layer)

    def add(self, layer):
        """Append a layer."""
        if not isinstance(layer, Layer):
            raise TypeError(
                f"The added layer must be an instance of class Layer. Found: {layer}"
            )
        shape = layer._batch_input_shape
        if not self._row and shape is not None:
            dtype = dtypes.as_dtype(layer.dtype or backend.floatx())
            self._input = self._output = (dtype, shape)
        self._row.append(layer)
        if self._output is not None:
            self._output = trace(layer, [self._output])
        self.built = self._output is not None

    def pop(self):
        """Take the last layer away.

        Raises:
            TypeError: there are none.
        """
        if not self._row:
            raise TypeError("There are no layers in the model.")
        self._row.pop()
        if self._input is not None:
            self._trace(self._input)

    def build(self, input_shape=None):
        """Make the variables for an input of this shape."""
        if isinstance(input_shape, TensorShape):
            self.built = True
        elif input_shape is not None:
            self._trace((dtypes.as_dtype(backend.floatx()), input_shape))

    def _trace(self, signature):
        self._input = self._output = signature
        for layer in self._row:
            self._output = trace(layer, [self._output])
        self.built = bool(self._row)

    def call(self, inputs, training=None, mask=None):
        """The output of the last layer; `training` goes to the layers that take it."""
        x = inputs
        for layer in self._row:
            if training is not None and layer._takes("training"):
                x = layer(x, training=training)
            else:
                x = layer(x)
        return x

    @property
    def layers(self):
        """The layers in a row."""
        return list(self._row)

    @property
    def input_shape(self):
        """The shape of the input, a tuple.

        Raises:
            AttributeError: it is not known yet.
        """
        return _known(self._input, "input", self)

    @property
    def output_shape(self):
        """The shape of the output, a tuple.

        Raises:
            AttributeError: it is not known yet.
        """
        return _known(self._output, "output", self)


def _known(signature, what, model):
    if signature is None:
        raise AttributeError(
            f"The {what} shape of {model.name!r} is not known: give the first layer an "
            "`input_shape`, or call `build(input_shape)`."
        )
    return tuple(signature[1])
