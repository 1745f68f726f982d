"""Cells with long short-term memory."""

from typing import Any, NamedTuple

from twinflow.base.dtypes import DType
from twinflow.base.logging import warn
from twinflow.graph.partitioners import fixed_size_partitioner
from twinflow.keras import initializers
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.ops.core.elementwise import add, multiply, sigmoid
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.product import matmul
from twinflow.ops.math.clip import clip_by_value
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.lstm_gates import eager_lstm_gates
from twinflow.ops.random.initializers import Zeros
from twinflow.rnn.cells.base import LayerRNNCell, depth_of, of_units
from twinflow.rnn.cells.basic import activation_of, is_tanh


class LSTMStateTuple(NamedTuple):
    """The state of an LSTM cell: the memory `c` and the output `h`."""

    c: Any
    h: Any

    @property
    def dtype(self) -> DType:
        """The dtype of both.

        Raises:
            TypeError: they differ.
        """
        if self.c.dtype != self.h.dtype:
            raise TypeError(
                f"Inconsistent internal state: {self.c.dtype} vs {self.h.dtype}"
            )
        return self.c.dtype


def _warn_of_concatenation(cell):
    warn(
        "%s: Using a concatenated state is slower and will soon be deprecated.  Use "
        "state_is_tuple=True.",
        cell,
    )


class BasicLSTMCell(LayerRNNCell):
    """Long short-term memory without peepholes, clipping or projection.

        i, j, f, o = split([x, h] W + b)
        c' = sigmoid(f + forget_bias) c + sigmoid(i) activation(j)
        h' = sigmoid(o) activation(c')

    Args:
        num_units: the size of the memory and of the output.
        forget_bias: added to the bias of the forget gate.
        state_is_tuple: whether states are LSTMStateTuples, or c and h side by side.
        activation: a function or its name; tanh if not given.
        reuse: whether the variables must be there already. name: that of the scope.
        dtype: that of the variables; that of the first input if not given.
        kwargs: see tf.layers.Layer.
    Reference: Zaremba et al., Recurrent neural network regularization (2014).
    """

    scoped_call = False
    _settings = ("num_units", "forget_bias", "state_is_tuple", "activation", "reuse")

    def __init__(
        self, num_units: Any, forget_bias: Any = 1.0, state_is_tuple: bool = True,
        activation: Any = None, reuse: Any = None, name: str | None = None,
        dtype: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        if not state_is_tuple:
            _warn_of_concatenation(self)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._forget_bias = num_units, forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation_of(activation)

    @property
    def state_size(self) -> Any:
        """The sizes of c and h, or their sum."""
        n = self._num_units
        return LSTMStateTuple(n, n) if self._state_is_tuple else 2 * n

    output_size = of_units()

    def build(self, inputs_shape: Any) -> None:
        n = self._num_units
        self._kernel = self.add_variable("kernel", [depth_of(inputs_shape) + n, 4 * n])
        self._bias = self.add_variable("bias", [4 * n], initializer=Zeros())
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        c, h = state if self._state_is_tuple else split(state, 2, 1)
        gates = bias_add(matmul(concat([inputs, h], 1), self._kernel), self._bias)
        new_c, new_h = self._step(gates, c)
        if self._state_is_tuple:
            return new_h, LSTMStateTuple(new_c, new_h)
        return new_h, concat([new_c, new_h], 1)

    def _step(self, gates, c):
        if is_tanh(self._activation):
            found = eager_lstm_gates(gates, c, self._forget_bias)
            if found is not None:
                return found
        i, j, f, o = split(gates, 4, 1)
        kept = multiply(c, sigmoid(add(f, self._forget_bias)))
        new_c = add(kept, multiply(sigmoid(i), self._activation(j)))
        return new_c, multiply(self._activation(new_c), sigmoid(o))


class LSTMCell(LayerRNNCell):
    """Long short-term memory.

        i, j, f, o = split([x, h] W + b)
        c' = sigmoid(f + forget_bias + wf c) c + sigmoid(i + wi c) activation(j)
        h' = (sigmoid(o + wo c') activation(c')) P

    where wf, wi, wo are there with `use_peepholes` and P with `num_proj`.

    Args:
        num_units: the size of the memory.
        use_peepholes: whether the gates see the memory.
        cell_clip: the largest absolute value of the memory, or None.
        initializer: of the matrices and peepholes.
        num_proj: the size of the output, if it is projected.
        proj_clip: the largest absolute value of what is projected, or None.
        num_unit_shards, num_proj_shards: parts of the matrices; only 1.
        forget_bias: added to the bias of the forget gate.
        state_is_tuple: whether states are LSTMStateTuples, or c and h side by side.
        activation: a function or its name; tanh if not given.
        reuse: whether the variables must be there already. name: that of the scope.
        dtype: that of the variables; that of the first input if not given.
        kwargs: see tf.layers.Layer.
    Reference: Sak et al., Long short-term memory recurrent neural network architectures
    for large scale acoustic modeling (Interspeech 2014).
    """

    scoped_call = False
    _settings = (
        "num_units", "use_peepholes", "cell_clip", "num_proj", "proj_clip",
        "num_unit_shards", "num_proj_shards", "forget_bias", "state_is_tuple",
        "reuse", "initializer", "activation",
    )  # fmt: skip

    def __init__(
        self, num_units: Any, use_peepholes: bool = False, cell_clip: Any = None,
        initializer: Any = None, num_proj: Any = None, proj_clip: Any = None,
        num_unit_shards: Any = None, num_proj_shards: Any = None,
        forget_bias: Any = 1.0, state_is_tuple: bool = True,
        activation: Any = None, reuse: Any = None, name: str | None = None,
        dtype: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        if not state_is_tuple:
            _warn_of_concatenation(self)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._use_peepholes = num_units, use_peepholes
        self._cell_clip, self._proj_clip = cell_clip, proj_clip
        self._num_proj, self._forget_bias = num_proj, forget_bias
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._initializer = initializers.get(initializer)
        self._state_is_tuple = state_is_tuple
        self._activation = activation_of(activation)

    @property
    def state_size(self) -> Any:
        """The sizes of c and h, or their sum."""
        n, m = self._num_units, self.output_size
        return LSTMStateTuple(n, m) if self._state_is_tuple else n + m

    @property
    def output_size(self) -> Any:
        """`num_proj` or `num_units`."""
        return self._num_proj or self._num_units

    def build(self, inputs_shape: Any) -> None:
        n = self._num_units
        rows = depth_of(inputs_shape) + self.output_size
        self._kernel = self._matrix("kernel", [rows, 4 * n], self._num_unit_shards)
        self._bias = self.add_variable("bias", [4 * n], initializer=Zeros())
        if self._use_peepholes:
            self._w_f_diag = self._matrix("w_f_diag", [n])
            self._w_i_diag = self._matrix("w_i_diag", [n])
            self._w_o_diag = self._matrix("w_o_diag", [n])
        if self._num_proj is not None:
            self._proj_kernel = self._matrix(
                "projection/kernel", [n, self._num_proj], self._num_proj_shards
            )
        self.built = True

    def _matrix(self, name, shape, shards=None):
        parts = None if shards is None else fixed_size_partitioner(shards)
        return self.add_variable(
            name, shape, initializer=self._initializer, partitioner=parts
        )

    def call(self, inputs: Any, state: Any) -> tuple[Any, ...]:
        c, h = state if self._state_is_tuple else self._split_state(state)
        if inputs.shape.with_rank(2)[1].value is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        gates = bias_add(matmul(concat([inputs, h], 1), self._kernel), self._bias)
        c, m = self._step(gates, c)
        if self._num_proj is not None:
            m = _clipped(matmul(m, self._proj_kernel), self._proj_clip)
        return m, LSTMStateTuple(c, m) if self._state_is_tuple else concat([c, m], 1)

    def _step(self, gates, c):
        plain = self._cell_clip is None and not self._use_peepholes
        if plain and is_tanh(self._activation):
            found = eager_lstm_gates(gates, c, self._forget_bias)
            if found is not None:
                return found
        i, j, f, o = split(gates, 4, 1)
        f = f + self._forget_bias
        if self._use_peepholes:
            f, i = f + self._w_f_diag * c, i + self._w_i_diag * c
        c = sigmoid(f) * c + sigmoid(i) * self._activation(j)
        c = _clipped(c, self._cell_clip)
        if self._use_peepholes:
            o = o + self._w_o_diag * c
        return c, sigmoid(o) * self._activation(c)

    def _split_state(self, state):
        """c and h of a state that has them side by side."""
        return split(state, [self._num_units, self.output_size], 1)


def _clipped(x, limit):
    return x if limit is None else clip_by_value(x, -limit, limit)
