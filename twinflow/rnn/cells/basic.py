"""The simplest cell, and the gated one."""

from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.keras import activations, initializers
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.ops.core.elementwise import sigmoid, tanh
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.product import matmul
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.random.initializers import Constant, Zeros
from twinflow.rnn.cells.base import LayerRNNCell, depth_of, of_units


def activation_of(activation):
    """A function from its name; tanh if not given."""
    return activations.get(activation) if activation else tanh


def is_tanh(activation):
    """Whether an activation is that of tf or of tf.keras."""
    return activation is tanh or activation is activations.tanh


class BasicRNNCell(LayerRNNCell):
    """h' = activation([x, h] W + b).

    Args:
        num_units: the size of the state and of the output.
        activation: a function or its name; tanh if not given.
        reuse: whether the variables must be there already. name: that of the scope.
        dtype: that of the variables; that of the first input if not given.
        kwargs: see tf.layers.Layer.
    Example:
        cell = tf.nn.rnn_cell.BasicRNNCell(4)
        y, state = cell(tf.ones([2, 3]), tf.zeros([2, 4]))
        y.shape.as_list()  # [2, 4]
    """

    scoped_call = False
    _settings = ("num_units", "activation", "reuse")

    def __init__(
        self, num_units: Any, activation: Any = None, reuse: Any = None,
        name: str | None = None, dtype: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, activation_of(activation)

    state_size = output_size = of_units()

    def build(self, inputs_shape: Any) -> None:
        n = self._num_units
        self._kernel = self.add_variable("kernel", [depth_of(inputs_shape) + n, n])
        self._bias = self.add_variable("bias", [n], initializer=Zeros())
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        gates = matmul(concat([inputs, state], 1), self._kernel)
        output = self._activation(bias_add(gates, self._bias))
        return output, output


class GRUCell(LayerRNNCell):
    """The gated recurrent unit.

        r, u = split(sigmoid([x, h] Wg + bg))
        c = activation([x, r h] Wc + bc)
        h' = u h + (1 - u) c

    Args:
        num_units: the size of the state and of the output.
        activation: a function or its name; tanh if not given.
        reuse: whether the variables must be there already. name: that of the scope.
        kernel_initializer, bias_initializer: of the matrices and of the biases (1 for
            the gates and 0 for the candidate if not given).
        dtype: that of the variables; that of the first input if not given.
        kwargs: see tf.layers.Layer.
    Reference: Cho et al., Learning phrase representations using RNN encoder-decoder
    for statistical machine translation (2014).
    """

    scoped_call = False
    _settings = (
        "num_units", "kernel_initializer", "bias_initializer", "activation", "reuse",
    )  # fmt: skip

    def __init__(
        self, num_units: Any, activation: Any = None, reuse: Any = None,
        kernel_initializer: Any = None, bias_initializer: Any = None,
        name: str | None = None, dtype: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, activation_of(activation)
        self._kernel_initializer = initializers.get(kernel_initializer)
        self._bias_initializer = initializers.get(bias_initializer)

    state_size = output_size = of_units()

    def build(self, inputs_shape: Any) -> None:
        n, depth = self._num_units, depth_of(inputs_shape)
        one, zero = Constant(1.0), Zeros()
        self._gate_kernel, self._gate_bias = self._pair("gates", depth, 2 * n, one)
        self._candidate_kernel, self._candidate_bias = self._pair(
            "candidate", depth, n, zero
        )
        self.built = True

    def _pair(self, name, depth, n, bias):
        """A matrix for inputs and state, and a bias."""
        kernel = self.add_variable(
            f"{name}/kernel", [depth + self._num_units, n],
            initializer=self._kernel_initializer,
        )  # fmt: skip
        bias = self.add_variable(
            f"{name}/bias", [n], initializer=self._bias_initializer or bias
        )
        return kernel, bias

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        gates = matmul(concat([inputs, state], 1), self._gate_kernel)
        r, u = split(sigmoid(bias_add(gates, self._gate_bias)), 2, 1)
        candidate = matmul(concat([inputs, r * state], 1), self._candidate_kernel)
        c = self._activation(bias_add(candidate, self._candidate_bias))
        new = u * state + (1 - u) * c
        return new, new
