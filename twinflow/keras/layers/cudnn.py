"""CuDNNLSTM and CuDNNGRU: the layers whose weights NVIDIA's library defined.

Here they run everywhere. Their gates use the sigmoid, and inputs and states have biases
of their own, in one variable behind each other. The library reads the numbers of each
gate's kernel [size, units] as a matrix [units, size]; so do the cells here, and weights
that were trained on a GPU keep their meaning.
"""

from twinflow.base.shapes import TensorShape
from twinflow.base.trackable import changed
from twinflow.keras import activations
from twinflow.keras.layers.recurrent import of_cell
from twinflow.keras.layers.rnn_cells import RecurrentCell
from twinflow.keras.layers.rnn_layer import RNN
from twinflow.keras.regularizers import get as regularizer
from twinflow.keras.saving.config import names_of
from twinflow.ops.core.elementwise import sigmoid, tanh
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.random.initializers import Ones


class _Cell(RecurrentCell):
    def __init__(self, units, options):
        super().__init__()
        self._start_cell(units, True, 0.0, 0.0, options)
        self.activation = activations.tanh
        self.output_size = units

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

    def __init__(self, units, unit_forget_bias, options):
        super().__init__(units, options)
        self.unit_forget_bias = unit_forget_bias
        self.state_size = (units, units)

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

    def __init__(self, units, options):
        super().__init__(units, options)
        self.state_size = units

    def call(self, inputs, states, training=None):
        h = states[0]
        x, y = self._products(inputs, h)
        (x_z, x_r, x_c), (h_z, h_r, h_c) = split(x, 3, 1), split(y, 3, 1)
        z, r = sigmoid(x_z + h_z), sigmoid(x_r + h_r)
        h = z * h + (1 - z) * tanh(x_c + r * h_c)
        return h, [h]


_OF_CELL = (
    "kernel_initializer", "recurrent_initializer", "bias_initializer",
    "kernel_regularizer", "recurrent_regularizer", "bias_regularizer",
    "kernel_constraint", "recurrent_constraint", "bias_constraint",
)  # fmt: skip


class _CuDNN(RNN):
    def _start_layer(self, cell, activity, given, kwargs):
        names = ("return_sequences", "return_state", "go_backwards", "stateful")
        super().__init__(cell, **{k: given[k] for k in names}, **kwargs)
        self._activity_regularizer = regularizer(activity)

    def build(self, input_shape):
        """Make the weights."""
        super().build(input_shape)
        changed(self)

    def _children(self):
        """The weights: in TensorFlow they are parts of the layer, not of a cell."""
        return self.cell._children()

    @classmethod
    def from_config(cls, config):
        """A layer from what `get_config` gave."""
        return cls(**config)


for _name in (*_OF_CELL, "units"):
    setattr(_CuDNN, _name, of_cell(_name))


class CuDNNLSTM(_CuDNN):
    """Long short-term memory with sigmoid gates and two biases.

    Args: see LSTM.
    Example:
        tf.keras.layers.CuDNNLSTM(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """

    def __init__(
        self, units, kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal", bias_initializer="zeros",
        unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None,
        bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
        recurrent_constraint=None, bias_constraint=None, return_sequences=False,
        return_state=False, go_backwards=False, stateful=False, **kwargs,
    ):  # fmt: skip
        given = locals()
        cell = _LSTMCell(units, unit_forget_bias, {k: given[k] for k in _OF_CELL})
        self._start_layer(cell, activity_regularizer, given, kwargs)

    config = names_of(__init__)
    unit_forget_bias = of_cell("unit_forget_bias")


class CuDNNGRU(_CuDNN):
    """A gated recurrent unit with sigmoid gates, two biases, and the late reset gate.

    Args: see GRU.
    Example:
        tf.keras.layers.CuDNNGRU(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """

    def __init__(
        self, units, kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal", bias_initializer="zeros",
        kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None,
        activity_regularizer=None, kernel_constraint=None, recurrent_constraint=None,
        bias_constraint=None, return_sequences=False, return_state=False,
        go_backwards=False, stateful=False, **kwargs,
    ):  # fmt: skip
        given = locals()
        cell = _GRUCell(units, {k: given[k] for k in _OF_CELL})
        self._start_layer(cell, activity_regularizer, given, kwargs)

    config = names_of(__init__)
