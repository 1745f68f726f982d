"""Kinds of cells with long short-term memory."""

from typing import Any

from twinflow.base.logging import warn
from twinflow.contrib.rnn.sharding import joined_variable
from twinflow.contrib.rnn.wrappers import linear
from twinflow.graph.variable_scope import (
    get_variable,
    get_variable_scope,
    variable_scope,
)
from twinflow.ops.core.elementwise import sigmoid, tanh
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.product import matmul
from twinflow.ops.math.clip import clip_by_value
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.moments import batch_normalization, l2_normalize, moments
from twinflow.ops.random.initializers_plain import Constant, Zeros
from twinflow.rnn.cells.base import RNNCell
from twinflow.rnn.cells.basic import activation_of
from twinflow.rnn.cells.lstm import LSTMStateTuple

_SLOW = (
    "%s: Using a concatenated state is slower and will soon be deprecated.  Use "
    "state_is_tuple=True."
)


def layer_norm(x, name, gain, shift):
    """x normalised over the units of each example, with a scale and an offset."""
    size = x.shape.as_list()[-1:]
    with variable_scope(name):
        gamma = get_variable("gamma", size, x.dtype, Constant(gain))
        beta = get_variable("beta", size, x.dtype, Constant(shift))
    mean, variance = moments(x, [1], keep_dims=True)
    return batch_normalization(x, mean, variance, beta, gamma, 1e-12)


def clipped(x, limit):
    """x within [-limit, limit]; x itself if there is no limit."""
    return x if limit is None else clip_by_value(x, -limit, limit)


class _Projected(RNNCell):
    """A cell with a memory of `num_units` and an output that may be projected."""

    @property
    def state_size(self) -> Any:
        """The sizes of c and h."""
        return LSTMStateTuple(self._num_units, self.output_size)

    @property
    def output_size(self) -> Any:
        """`num_proj` or `num_units`."""
        return self._num_proj or self._num_units

    def _diagonal(self, name, x):
        return get_variable(name, [self._num_units], x.dtype)


class CoupledInputForgetGateLSTMCell(_Projected):
    """An LSTM that forgets as much as it takes in.

        f = sigmoid(. + forget_bias),  c' = f c + (1 - f) activation(j)

    Args:
        num_units: the size of the memory. use_peepholes: whether gates see the memory.
        initializer: of the variables. num_proj: the size of the output, if projected.
        proj_clip: the largest absolute value of what is projected.
        num_unit_shards, num_proj_shards: the parts of the matrices.
        forget_bias: added in the forget gate. state_is_tuple: see LSTMCell.
        activation: a function. reuse: see the other cells.
        layer_norm, norm_gain, norm_shift: see LayerNormBasicLSTMCell.
    Reference: Greff et al., LSTM: a search space odyssey (2015).
    """

    def __init__(
        self, num_units: Any, use_peepholes: bool = False, initializer: Any = None,
        num_proj: Any = None, proj_clip: Any = None, num_unit_shards: Any = 1,
        num_proj_shards: Any = 1, forget_bias: Any = 1.0, state_is_tuple: bool = True,
        activation: Any = tanh, reuse: Any = None, layer_norm: bool = False,
        norm_gain: Any = 1.0, norm_shift: Any = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            warn(_SLOW, self)
        self._num_units, self._num_proj = num_units, num_proj
        self._use_peepholes, self._initializer = use_peepholes, initializer
        self._proj_clip, self._forget_bias = proj_clip, forget_bias
        self._unit_shards, self._proj_shards = num_unit_shards, num_proj_shards
        self._state_is_tuple, self._activation = state_is_tuple, activation
        self._layer_norm, self._gains = layer_norm, (norm_gain, norm_shift)

    @property
    def state_size(self) -> Any:
        """The sizes of c and h, or their sum."""
        n, m = self._num_units, self.output_size
        return LSTMStateTuple(n, m) if self._state_is_tuple else n + m

    def _norm(self, x, name):
        return layer_norm(x, name, *self._gains) if self._layer_norm else x

    def call(self, inputs: Any, state: Any) -> Any:
        around = get_variable_scope()
        first = self._initializer or around.initializer
        with variable_scope(around, initializer=first):
            return self._step(inputs, state)

    def _step(self, inputs, state):
        n, m = self._num_units, self.output_size
        c, h = state if self._state_is_tuple else split(state, [n, m], 1)
        depth, dtype = inputs.shape.with_rank(2)[1].value, inputs.dtype
        if depth is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        w = joined_variable("W", [depth + m, 3 * n], dtype, self._unit_shards)
        b = get_variable("B", [3 * n], dtype, Zeros())
        gates = matmul(concat([inputs, h], 1), w)
        parts = split(gates if self._layer_norm else bias_add(gates, b), 3, 1)
        names = ["transform", "forget", "output"]
        j, f, o = map(self._norm, parts, names)
        f = f + self._forget_bias
        if self._use_peepholes:
            to_f = self._diagonal("W_F_diag", inputs)
            to_o = self._diagonal("W_O_diag", inputs)
            f = f + to_f * c
        f = sigmoid(f)
        c = self._norm(f * c + (1 - f) * self._activation(j), "state")
        h = sigmoid(o + to_o * c if self._use_peepholes else o) * self._activation(c)
        if self._num_proj is not None:
            p = joined_variable("W_P", [n, m], dtype, self._proj_shards)
            h = clipped(matmul(h, p), self._proj_clip)
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else concat([c, h], 1)


class LayerNormLSTMCell(_Projected):
    """tf.nn.rnn_cell.LSTMCell with gates and memory that may be normalised.

    Args:
        num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip,
            forget_bias, activation, reuse: see tf.nn.rnn_cell.LSTMCell.
        layer_norm, norm_gain, norm_shift: see LayerNormBasicLSTMCell.
    Reference: Ba et al., Layer normalization (2016).
    """

    def __init__(
        self, num_units: Any, use_peepholes: bool = False, cell_clip: Any = None,
        initializer: Any = None, num_proj: Any = None, proj_clip: Any = None,
        forget_bias: Any = 1.0, activation: Any = None, layer_norm: bool = False,
        norm_gain: Any = 1.0, norm_shift: Any = 0.0, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._num_proj = num_units, num_proj
        self._use_peepholes, self._initializer = use_peepholes, initializer
        self._cell_clip, self._proj_clip = cell_clip, proj_clip
        self._forget_bias, self._activation = forget_bias, activation_of(activation)
        self._layer_norm, self._gains = layer_norm, (norm_gain, norm_shift)

    def _norm(self, x, name):
        return layer_norm(x, name, *self._gains) if self._layer_norm else x

    def _gates(self, args, size):
        """With `layer_norm` the bias is there, and does nothing."""
        if not self._layer_norm:
            return linear(args, size)
        gates = linear(args, size, bias=False)
        get_variable("bias", [size], gates.dtype, Constant(0.0))
        return gates

    def call(self, inputs: Any, state: Any) -> Any:
        around = get_variable_scope()
        first = self._initializer or around.initializer
        with variable_scope(around, initializer=first):
            return self._step(inputs, state)

    def _step(self, inputs, state):
        c, h = state
        if inputs.shape.with_rank(2)[1].value is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        parts = split(self._gates([inputs, h], 4 * self._num_units), 4, 1)
        names = ["input", "transform", "forget", "output"]
        i, j, f, o = map(self._norm, parts, names)
        f = f + self._forget_bias
        if self._use_peepholes:
            names = ["w_f_diag", "w_i_diag", "w_o_diag"]
            to_f, to_i, to_o = [self._diagonal(name, inputs) for name in names]
            f, i = f + to_f * c, i + to_i * c
        c = sigmoid(f) * c + sigmoid(i) * self._activation(j)
        c = clipped(self._norm(c, "state"), self._cell_clip)
        h = sigmoid(o + to_o * c if self._use_peepholes else o) * self._activation(c)
        if self._num_proj is not None:
            with variable_scope("projection"):
                h = linear(h, self._num_proj, bias=False)
            h = clipped(h, self._proj_clip)
        return h, LSTMStateTuple(c, h)


class WeightNormLSTMCell(_Projected):
    """tf.nn.rnn_cell.LSTMCell with columns of weights that are normalised.

    Args:
        num_units: the size of the memory. norm: whether to normalise.
        use_peepholes, cell_clip, initializer, num_proj, proj_clip, forget_bias,
            activation, reuse: see tf.nn.rnn_cell.LSTMCell.
    Reference: Salimans and Kingma, Weight normalization (2016).
    """

    def __init__(
        self, num_units: Any, norm: bool = True, use_peepholes: bool = False,
        cell_clip: Any = None, initializer: Any = None, num_proj: Any = None,
        proj_clip: Any = None, forget_bias: Any = 1, activation: Any = None,
        reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name="wn_lstm_cell")
        self._num_units, self._num_proj, self._norm = num_units, num_proj, norm
        self._use_peepholes, self._initializer = use_peepholes, initializer
        self._cell_clip, self._proj_clip = cell_clip, proj_clip
        self._forget_bias, self._activation = forget_bias, activation or tanh

    def _product(self, args, size, bias):
        """[args] W + b, where each part of W that an arg goes through is normalised."""
        depths = [t.shape[1].value for t in args]
        x = args[0] if len(args) == 1 else concat(args, 1)
        w = get_variable("kernel", [sum(depths), size], x.dtype)
        if self._norm:
            rows = split(w, depths, 0)
            scaled = [
                l2_normalize(part, axis=0) * get_variable(f"norm_{i}", [size], x.dtype)
                for i, part in enumerate(rows)
            ]
            w = concat(scaled, 0)
        found = matmul(x, w)
        if not bias:
            return found
        return found + get_variable("bias", [size], x.dtype, Constant(0.0))

    def call(self, inputs: Any, state: Any) -> Any:
        first = self._initializer or get_variable_scope().initializer
        with variable_scope("wn_lstm_cell", initializer=first):
            return self._step(inputs, state)

    def _step(self, inputs, state):
        c, h = state
        gates = self._product([inputs, h], 4 * self._num_units, True)
        i, j, f, o = split(gates, 4, 1)
        f = f + self._forget_bias
        if self._use_peepholes:
            names = ["w_f_diag", "w_i_diag", "w_o_diag"]
            to_f, to_i, to_o = [self._diagonal(name, inputs) for name in names]
            f, i = f + to_f * c, i + to_i * c
        c = c * sigmoid(f) + sigmoid(i) * self._activation(j)
        c = clipped(c, self._cell_clip)
        h = self._activation(c) * sigmoid(o + to_o * c if self._use_peepholes else o)
        if self._num_proj is not None:
            with variable_scope("projection"):
                h = self._product([h], self._num_proj, False)
            h = clipped(h, self._proj_clip)
        return h, LSTMStateTuple(c, h)
