"""Cells whose units see only themselves in the state, and simple recurrent units.

References: Li et al., Independently recurrent neural network (2018); Gonnet and
Deselaers, IndyLSTMs: independently recurrent LSTMs (2019); Lei and Zhang, Training
RNNs as fast as CNNs (2017).
"""

from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.keras import initializers
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.ops.core.elementwise import sigmoid
from twinflow.ops.core.joining import concat, split, tile
from twinflow.ops.core.product import matmul
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.random.initializers_plain import Constant, RandomUniform, Zeros
from twinflow.rnn.cells.base import LayerRNNCell, depth_of, of_units
from twinflow.rnn.cells.basic import activation_of
from twinflow.rnn.cells.lstm import LSTMStateTuple

_SPREAD = RandomUniform(-1.0, 1.0)  # what the weights of the state begin at


class _Independent(LayerRNNCell):
    """What the cells share: their settings, and weights of inputs and state."""

    scoped_call = False

    def __init__(
        self, num_units: Any, activation: Any = None, reuse: Any = None,
        kernel_initializer: Any = None, bias_initializer: Any = None,
        name: str | None = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, activation_of(activation)
        self._kernel_initializer = initializers.get(kernel_initializer)
        self._bias_initializer = initializers.get(bias_initializer)

    def _weight_set(self, depth, parts, scope="", kernel="kernel_w", bias=0.0):
        """(of inputs, of the state, the bias)"""
        n, first = self._num_units, self._kernel_initializer
        made = self._bias_initializer or Constant(bias)
        return (
            self.add_variable(scope + kernel, [depth, parts * n], initializer=first),
            self.add_variable(scope + "kernel_u", [1, parts * n], initializer=_SPREAD),
            self.add_variable(scope + "bias", [parts * n], initializer=made),
        )


def _sum(weights, inputs, state, parts=1):
    w, u, b = weights
    state = state if parts == 1 else tile(state, [1, parts])
    return bias_add(matmul(inputs, w) + state * u, b)


class IndRNNCell(_Independent):
    """h' = activation(x W + u h + b), with a vector u.

    Args:
        num_units: the size. activation: a function or its name; tanh if not given.
        reuse, name, dtype: see the other cells.
    """

    def __init__(
        self, num_units: Any, activation: Any = None, reuse: Any = None,
        name: str | None = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(num_units, activation, reuse, name=name, dtype=dtype)

    state_size = output_size = of_units()

    def build(self, inputs_shape: Any) -> None:
        self._all = self._weight_set(depth_of(inputs_shape), 1)
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        new = self._activation(_sum(self._all, inputs, state))
        return new, new


class IndyGRUCell(_Independent):
    """tf.nn.rnn_cell.GRUCell with vectors in place of the matrices of the state.

    Args:
        num_units: the size. activation: a function or its name; tanh if not given.
        kernel_initializer, bias_initializer: of the weights and of the biases.
        reuse, name, dtype: see the other cells.
    """

    def __init__(
        self, num_units: Any, activation: Any = None, reuse: Any = None,
        kernel_initializer: Any = None, bias_initializer: Any = None,
        name: str | None = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, activation, reuse, kernel_initializer, bias_initializer, name,
            dtype,
        )  # fmt: skip

    state_size = output_size = of_units()

    def build(self, inputs_shape: Any) -> None:
        depth = depth_of(inputs_shape)
        self._gates = self._weight_set(depth, 2, "gates/", bias=1.0)
        self._candidate = self._weight_set(depth, 1, "candidate/", "kernel")
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        r, u = split(sigmoid(_sum(self._gates, inputs, state, 2)), 2, 1)
        c = self._activation(_sum(self._candidate, inputs, r * state))
        new = u * state + (1 - u) * c
        return new, new


class IndyLSTMCell(_Independent):
    """tf.nn.rnn_cell.BasicLSTMCell with vectors in place of the state's matrices.

    Args:
        num_units: the size. forget_bias: added in the forget gate.
        activation, kernel_initializer, bias_initializer, reuse, name, dtype: see
            IndyGRUCell.
    """

    def __init__(
        self, num_units: Any, forget_bias: Any = 1.0, activation: Any = None,
        reuse: Any = None, kernel_initializer: Any = None, bias_initializer: Any = None,
        name: str | None = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, activation, reuse, kernel_initializer, bias_initializer, name,
            dtype,
        )  # fmt: skip
        self._forget_bias = forget_bias

    @property
    def state_size(self) -> Any:
        """Those of c and h."""
        return LSTMStateTuple(self._num_units, self._num_units)

    output_size = of_units()

    def build(self, inputs_shape: Any) -> None:
        self._all = self._weight_set(depth_of(inputs_shape), 4)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        c, h = state
        i, j, f, o = split(_sum(self._all, inputs, h, 4), 4, 1)
        new_c = c * sigmoid(f + self._forget_bias) + sigmoid(i) * self._activation(j)
        new_h = self._activation(new_c) * sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)


class SRUCell(LayerRNNCell):
    """The simple recurrent unit, whose gates see only the input.

        x~, f, r, x' = split(x W),  f, r = sigmoid([f, r] + b)
        c' = f c + (1 - f) x~,  h = r activation(c') + (1 - r) x'

    Args:
        num_units: the size. activation: a function or its name; tanh if not given.
        reuse, name, kwargs: see the other cells.
    """

    scoped_call = False

    def __init__(
        self, num_units: Any, activation: Any = None, reuse: Any = None,
        name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, activation_of(activation)

    state_size = output_size = of_units()

    def build(self, inputs_shape: Any) -> None:
        n = self._num_units
        self._kernel = self.add_variable("kernel", [depth_of(inputs_shape), 4 * n])
        self._bias = self.add_variable("bias", [2 * n], initializer=Zeros())
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        x_bar, f, r, x = split(matmul(inputs, self._kernel), 4, 1)
        gates = sigmoid(bias_add(concat([f, r], 1), self._bias))
        f, r = split(gates, 2, 1)
        c = f * state + (1.0 - f) * x_bar
        return r * self._activation(c) + (1.0 - r) * x, c
