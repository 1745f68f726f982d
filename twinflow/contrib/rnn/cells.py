"""Cells of tf.contrib.rnn."""

from typing import Any

from twinflow.contrib.rnn.wrappers import linear
from twinflow.graph.variable_scope import (
    get_variable,
    get_variable_scope,
    variable_scope,
)
from twinflow.ops.core.elementwise import sigmoid, tanh
from twinflow.ops.core.joining import concat, split
from twinflow.ops.nn.dropout import dropout
from twinflow.ops.nn.moments import batch_normalization, moments
from twinflow.ops.random.initializers_plain import Constant
from twinflow.rnn.cells.base import RNNCell, of_units
from twinflow.rnn.cells.lstm import LSTMStateTuple


class LayerNormBasicLSTMCell(RNNCell):
    """An LSTM whose gates and memory are normalised over the units of each example.

    Args:
        num_units: the size of the memory and of the output.
        forget_bias: added in the forget gate. input_size: accepted.
        activation: a function. layer_norm: whether to normalise at all.
        norm_gain, norm_shift: what the scale and the offset begin at.
        dropout_keep_prob: a number or tensor; recurrent dropout of the candidates.
        dropout_prob_seed: of the dropout. reuse: see the other cells.
    Reference: Ba et al., Layer normalization (2016).
    """

    def __init__(
        self, num_units: Any, forget_bias: Any = 1.0, input_size: Any = None,
        activation: Any = tanh, layer_norm: bool = True, norm_gain: Any = 1.0,
        norm_shift: Any = 0.0, dropout_keep_prob: Any = 1.0,
        dropout_prob_seed: Any = None, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._forget_bias = num_units, forget_bias
        self._activation, self._normed = activation, layer_norm
        self._first = {"gamma": Constant(norm_gain), "beta": Constant(norm_shift)}
        self._keep_prob, self._drop_seed = dropout_keep_prob, dropout_prob_seed

    @property
    def state_size(self) -> Any:
        """Those of c and h."""
        return LSTMStateTuple(self._num_units, self._num_units)

    output_size = of_units()

    def call(self, inputs: Any, state: Any) -> Any:
        c, h = state
        x = concat([inputs, h], 1)
        gates = split(linear(x, 4 * self._num_units, not self._normed, None), 4, 1)
        names = ["input", "transform", "forget", "output"]
        i, j, f, o = map(self._norm, gates, names)
        g = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            g = dropout(g, self._keep_prob, seed=self._drop_seed)
        new_c = c * sigmoid(f + self._forget_bias) + sigmoid(i) * g
        new_c = self._norm(new_c, "state")
        new_h = self._activation(new_c) * sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)

    def _norm(self, x, name):
        if not self._normed:
            return x
        size = x.shape.as_list()[-1:]
        with variable_scope(name):
            gamma, beta = (
                get_variable(n, size, x.dtype, first)
                for n, first in self._first.items()
            )
        mean, variance = moments(x, [1], keep_dims=True)
        return batch_normalization(x, mean, variance, beta, gamma, 1e-12)


class UGRNNCell(RNNCell):
    """One gate says how much of the state stays.

        g, c = split([x, h] W + b),  h' = sigmoid(g + forget_bias) (h - f(c)) + f(c)

    Args:
        num_units: the size. initializer: of the variables. forget_bias: see above.
        activation: f. reuse: see the other cells.
    Reference: Collins et al., Capacity and trainability in recurrent neural networks.
    """

    def __init__(
        self, num_units: Any, initializer: Any = None, forget_bias: Any = 1.0,
        activation: Any = tanh, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._forget_bias = num_units, forget_bias
        self._initializer, self._activation = initializer, activation

    state_size = output_size = of_units()

    def call(self, inputs: Any, state: Any) -> Any:
        around = get_variable_scope()
        with variable_scope(around, initializer=self._initializer):
            x = linear(concat([inputs, state], 1), 2 * self._num_units)
        gate, candidate = split(x, 2, 1)
        g, c = sigmoid(gate + self._forget_bias), self._activation(candidate)
        new = g * state + (1.0 - g) * c
        return new, new
