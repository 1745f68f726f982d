"""Cells with convolutions.

Reference: Shi et al., Convolutional LSTM network: a machine learning approach for
precipitation nowcasting (2015).
"""

from typing import Any

from twinflow.base.shapes import TensorShape
from twinflow.graph.variable_scope import (
    get_variable,
    get_variable_scope,
    variable_scope,
)
from twinflow.ops.core.elementwise import sigmoid, tanh
from twinflow.ops.core.joining import concat, split
from twinflow.ops.nn.conv import conv2d
from twinflow.ops.nn.conv3d import conv3d
from twinflow.ops.nn.convolution import conv1d
from twinflow.ops.random.initializers_plain import Constant
from twinflow.rnn.cells.base import RNNCell
from twinflow.rnn.cells.lstm import LSTMStateTuple

_CONVOLUTIONS = {
    3: lambda x, w: conv1d(x, w, 1, "SAME"),
    4: lambda x, w: conv2d(x, w, [1] * 4, "SAME"),
    5: lambda x, w: conv3d(x, w, [1] * 5, "SAME"),
}


def convolved(args, filter_size, num_features, bias, bias_start=0.0):
    """The convolution of `args`, side by side, with the variables of the scope.

    Raises:
        ValueError: `args` do not all have three, four or five axes.
    """
    ranks = {t.shape.ndims for t in args}
    if len(ranks) > 1 or not ranks & set(_CONVOLUTIONS):
        raise ValueError(
            "Conv Linear expects all args to be 3D, 4D or 5D of same Dimensions: "
            f"{[t.shape.as_list() for t in args]}"
        )
    depth = sum(t.shape[-1].value for t in args)
    dtype = args[0].dtype
    kernel = get_variable("kernel", [*filter_size, depth, num_features], dtype)
    x = args[0] if len(args) == 1 else concat(args, -1)
    found = _CONVOLUTIONS[ranks.pop()](x, kernel)
    if not bias:
        return found
    return found + get_variable("biases", [num_features], dtype, Constant(bias_start))


class ConvLSTMCell(RNNCell):
    """An LSTM whose inputs and states are pictures, and whose products convolutions.

    Args:
        conv_ndims: 1, 2 or 3. input_shape: [..., channels], without the batch.
        output_channels: those of the state. kernel_shape: the sizes of the kernel.
        use_bias: whether there is a bias. skip_connection: whether inputs stand behind
            the outputs. forget_bias: added in the forget gate.
        initializers: the initializer of the variables. name: of the scope.
    Raises:
        ValueError: `input_shape` has another number of axes.
    """

    def __init__(
        self, conv_ndims: int, input_shape: Any, output_channels: Any,
        kernel_shape: Any, use_bias: bool = True, skip_connection: bool = False,
        forget_bias: Any = 1.0, initializers: Any = None,
        name: str | None = "conv_lstm_cell",
    ) -> None:  # fmt: skip
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError(
                f"Invalid input_shape {input_shape} for conv_ndims={conv_ndims}."
            )
        self._channels, self._kernel_shape = output_channels, list(kernel_shape)
        self._use_bias, self._skip_connection = use_bias, skip_connection
        self._forget_bias, self._initializer = forget_bias, initializers
        inner = list(input_shape[:-1])
        state = TensorShape([*inner, output_channels])
        self._state_size = LSTMStateTuple(state, state)
        more = input_shape[-1] if skip_connection else 0
        self._output_size = TensorShape([*inner, output_channels + more])

    state_size = property(lambda self: self._state_size, doc="Those of c and h.")
    output_size = property(lambda self: self._output_size, doc="That of the output.")

    def call(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        c, h = state
        around = get_variable_scope()
        first = self._initializer or around.initializer
        with variable_scope(around, initializer=first):
            gates = convolved(
                [inputs, h], self._kernel_shape, 4 * self._channels, self._use_bias
            )
        i, j, f, o = split(gates, 4, -1)
        c = sigmoid(f + self._forget_bias) * c + sigmoid(i) * tanh(j)
        output = tanh(c) * sigmoid(o)
        if self._skip_connection:
            output = concat([output, inputs], -1)
        return output, LSTMStateTuple(c, output)


class Conv1DLSTMCell(ConvLSTMCell):
    """ConvLSTMCell of rows.

    Args:
        name, kwargs: see ConvLSTMCell.
    """

    def __init__(self, name: str | None = "conv_1d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=1, name=name, **kwargs)


class Conv2DLSTMCell(ConvLSTMCell):
    """ConvLSTMCell of pictures.

    Args:
        name, kwargs: see ConvLSTMCell.
    """

    def __init__(self, name: str | None = "conv_2d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=2, name=name, **kwargs)


class Conv3DLSTMCell(ConvLSTMCell):
    """ConvLSTMCell of volumes.

    Args:
        name, kwargs: see ConvLSTMCell.
    """

    def __init__(self, name: str | None = "conv_3d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=3, name=name, **kwargs)
