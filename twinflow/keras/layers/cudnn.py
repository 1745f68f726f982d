"""CuDNNLSTM and CuDNNGRU: the layers whose weights NVIDIA's library defined.

Here they run everywhere. Their gates use the sigmoid, and inputs and states have biases
of their own, in one variable behind each other. The library reads the numbers of each
gate's kernel [size, units] as a matrix [units, size]; so do the cells here, and weights
that were trained on a GPU keep their meaning.
"""

from typing import Any

from twinflow.base.shapes import TensorShape
from twinflow.base.trackable import changed
from twinflow.keras import activations
from twinflow.keras.layers.recurrent import of_cell
from twinflow.keras.layers.recurrent_settings import OF_LAYER, WEIGHTS, takes
from twinflow.keras.layers.rnn_cells import RecurrentCell
from twinflow.keras.layers.rnn_layer import RNN
from twinflow.keras.regularizers import get as regularizer
from twinflow.ops.core.elementwise import sigmoid, tanh
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.random.initializers import Ones


class _Cell(RecurrentCell):
    def __init__(self, settings):
        plain = {"use_bias": True, "dropout": 0.0, "recurrent_dropout": 0.0}
        self._start_cell({**plain, **settings}, {})
        self.activation = activations.tanh

    def draw_noise(self, x, training):
        """Turn the kernels once for all steps; there is no dropout."""
        weights = self.kernel, self.recurrent_kernel
        self.__dict__["_turned"] = [self._as_read(w) for w in weights]
        self.__dict__["_drawn"] = True

    def _as_read(self, kernel):
        shape = (self.units, kernel._shape[0])
        parts = split(kernel, self.gates, 1)
        return concat([transpose(reshape(k, shape)) for k in parts], 1)

    def _products(self, inputs, h):
        """x @ W + b and h @ U + b', for all gates."""
        self._masks(inputs, None)
        kernel, recurrent = self._turned
        ours, theirs = split(self.bias, 2)
        return matmul(inputs, kernel) + ours, matmul(h, recurrent) + theirs

    def build(self, input_shape):
        size = TensorShape(input_shape).as_list()[-1]
        self._add_weights(size, (2 * self.gates * self.units,), self._first_bias)

    def _first_bias(self, shape, dtype=None, partition_info=None):
        return self.bias_initializer(shape, dtype)


class _LSTMCell(_Cell):
    gates = 4

    def _set_sizes(self):
        self.state_size, self.output_size = (self.units, self.units), self.units

    def _first_bias(self, shape, dtype=None, partition_info=None):
        start, n = self.bias_initializer, self.units
        if not self.unit_forget_bias:
            return start(shape, dtype)
        parts = [start((5 * n,), dtype), Ones()((n,), dtype), start((2 * n,), dtype)]
        return concat(parts, 0)

    def call(self, inputs, states, training=None):
        h, c = states
        x, y = self._products(inputs, h)
        i, f, g, o = split(x + y, 4, 1)
        c = sigmoid(f) * c + sigmoid(i) * tanh(g)
        h = sigmoid(o) * tanh(c)
        return h, [h, c]


class _GRUCell(_Cell):
    gates = 3

    def call(self, inputs, states, training=None):
        h = states[0]
        x, y = self._products(inputs, h)
        (x_z, x_r, x_c), (h_z, h_r, h_c) = split(x, 3, 1), split(y, 3, 1)
        z, r = sigmoid(x_z + h_z), sigmoid(x_r + h_r)
        h = z * h + (1 - z) * tanh(x_c + r * h_c)
        return h, [h]


_OPTIONS = OF_LAYER[:-1]  # not unroll
_SETTINGS = ("units", *WEIGHTS, "activity_regularizer", *_OPTIONS)


class _CuDNN(RNN):
    _cell: type[_Cell]
    _rank: dict[Any, Any] = {"ndim": 3}

    def _start_layer(self, settings, kwargs):
        options = {name: settings.pop(name) for name in _OPTIONS}
        activity = settings.pop("activity_regularizer")
        RNN.__init__(self, self._cell(settings), **options, **kwargs)
        self._activity_regularizer = regularizer(activity)

    def build(self, input_shape: Any) -> None:
        """Make the weights."""
        super().build(input_shape)
        changed(self)

    def _children(self):
        """The weights: in TensorFlow they are parts of the layer, not of a cell."""
        return self.cell._children()

    @classmethod
    def from_config(cls, config: Any) -> Any:
        """A layer from what `get_config` gave."""
        return cls(**config)


for _name in (*WEIGHTS, "units"):
    setattr(_CuDNN, _name, of_cell(_name))


@takes((*_SETTINGS, "unit_forget_bias"), _CuDNN._start_layer)
class CuDNNLSTM(_CuDNN):
    """Long short-term memory with sigmoid gates and two biases.

    Args: see LSTM.
    Example:
        tf.keras.layers.CuDNNLSTM(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """

    _cell = _LSTMCell
    unit_forget_bias = of_cell("unit_forget_bias")


@takes(_SETTINGS, _CuDNN._start_layer)
class CuDNNGRU(_CuDNN):
    """A gated recurrent unit with sigmoid gates, two biases, and the late reset gate.

    Args: see GRU.
    Example:
        tf.keras.layers.CuDNNGRU(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """

    _cell = _GRUCell
