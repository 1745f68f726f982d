"""ConvLSTM2D: an LSTM whose products are convolutions."""

from typing import Any

from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.layers.arguments import (
    data_format_of,
    in_full,
    joined_dims,
    op_format,
    padding_of,
    split_dims,
    tuple_of,
)
from twinflow.keras.layers.convolutional import known_channels, output_sizes
from twinflow.keras.layers.recurrent import _OfCell, cell_of
from twinflow.keras.layers.recurrent_settings import CONVOLUTION, WEIGHTS, takes
from twinflow.keras.layers.rnn_cells import RecurrentCell, noise
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.shape import shape
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.conv import conv2d
from twinflow.ops.random.initializers import Ones

_OF_CELL = (
    *CONVOLUTION, "activation", "recurrent_activation", "use_bias", *WEIGHTS,
    "unit_forget_bias", "dropout", "recurrent_dropout",
)  # fmt: skip


def _start_cell(cell, settings, kwargs):
    cell._start_cell({**settings, "units": settings["filters"]}, kwargs)
    cell.filters = settings["filters"]
    for name in ("kernel_size", "strides", "dilation_rate"):
        setattr(cell, name, tuple_of(settings[name], 2, name))
    cell.padding = padding_of(settings["padding"])
    cell.data_format = data_format_of(settings["data_format"])


@takes(_OF_CELL, _start_cell)
class ConvLSTM2DCell(RecurrentCell):
    """An LSTM of images: inputs and states are convolved, not multiplied.

    Args: see ConvLSTM2D.
    """

    gates = 4

    def _set_sizes(self):
        self.state_size, self.output_size = (self.units, self.units), None

    def build(self, input_shape):
        _, channels = known_channels(input_shape, self.data_format)
        wide = 4 * self.filters
        self._add_own("kernel", (*self.kernel_size, channels, wide))
        self._add_own("recurrent_kernel", (*self.kernel_size, self.filters, wide))
        start = self._first_bias if self.unit_forget_bias else None
        self._add_own_bias((wide,), start)
        self.built = True

    def _first_bias(self, shape, dtype=None, partition_info=None):
        """Ones for the forget gate."""
        n, start = self.filters, self.bias_initializer
        parts = [start((n,), dtype), Ones()((n,), dtype), start((2 * n,), dtype)]
        return concat(parts, 0)

    def state_dims(self, dims):
        """The sizes of a state for an input of these sizes."""
        batch, space, _ = split_dims(dims, self.data_format)
        out = output_sizes(
            space, self.kernel_size, self.padding, self.strides, self.dilation_rate
        )
        return joined_dims(batch, out, self.filters, self.data_format)

    def draw_noise(self, x, training):
        """Draw the masks of dropout for the steps to come: of channels."""
        channels = self.kernel._shape[2]
        thin = noise(x, channels, self.dropout, training, 1)
        state = noise(x, self.filters, self.recurrent_dropout, training, 1)
        self.__dict__.update(_noise=thin, _recurrent_noise=state, _drawn=True)

    def _thinned(self, x, masks):
        if masks is None:
            return x
        if self.data_format == "channels_first":
            return multiply(x, masks[0][:, :, None, None])
        return multiply(x, masks[0][:, None, None, :])

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """States of zeros for the images of one step."""
        now = shape(inputs)
        dims = [now[i] if d is None else d for i, d in enumerate(inputs._shape)]
        return [zeros(self.state_dims(dims), inputs.dtype) for _ in range(2)]

    def call(self, inputs, states, training=None):
        h, c = states
        thin, recurrent = self._masks(inputs, training)
        form = op_format(self.data_format)
        x = conv2d(
            self._thinned(inputs, thin), self.kernel,
            in_full(self.strides, self.data_format), self.padding.upper(), True, form,
            in_full(self.dilation_rate, self.data_format),
        )  # fmt: skip
        if self.bias is not None:
            x = bias_add(x, self.bias, form)
        h = self._thinned(h, recurrent)
        x = x + conv2d(h, self.recurrent_kernel, (1, 1, 1, 1), "SAME", True, form)
        axis = 1 if self.data_format == "channels_first" else 3
        i, f, g, o = split(x, 4, axis)
        gate = self.recurrent_activation
        c = gate(f) * c + gate(i) * self.activation(g)
        h = gate(o) * self.activation(c)
        return h, [h, c]


def _start_layer(layer, settings, kwargs):
    settings |= {n: kwargs.pop(n, False) for n in ("return_state", "unroll")}
    cell = cell_of(ConvLSTM2DCell, settings, kwargs)
    layer._start_layer(cell, settings, kwargs)
    layer.input_spec = [InputSpec(ndim=5)]


@takes(
    (*_OF_CELL, "activity_regularizer", "return_sequences", "go_backwards", "stateful"),
    _start_layer, last=("dropout", "recurrent_dropout"),
)  # fmt: skip
class ConvLSTM2D(_OfCell):
    """An LSTM of images along time: inputs and states are convolved.

    Args:
        filters: the channels of the state and the output.
        kernel_size, strides, padding, data_format, dilation_rate: those of the
            convolution of the inputs; see Conv2D.
        The rest: see LSTM.
    Example:
        x = tf.ones([1, 3, 5, 5, 2])
        tf.keras.layers.ConvLSTM2D(4, 3)(x)  # float32[1, 3, 3, 4]
    Reference: Shi et al., Convolutional LSTM network (NIPS 2015).
    """

    _of_cell = _OF_CELL
    config = ("return_state", "unroll")

    def get_initial_state(self, inputs: Any) -> list[Tensor]:
        """States of zeros for the batch and the images of `inputs`, a list."""
        return self.cell.get_initial_state(inputs[:, 0])

    def _state_dims(self, batch):
        dims = [batch, *self.input_spec[0].shape[2:]]
        return [tuple(self.cell.state_dims(dims))] * 2

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        state = self.cell.state_dims([dims[0], *dims[2:]])
        out = [dims[0], dims[1], *state[1:]] if self.return_sequences else state
        if not self.return_state:
            return TensorShape(out)
        return [TensorShape(out), TensorShape(state), TensorShape(state)]
