"""LSTMs over time and frequency.

References: Li et al., LSTM time and frequency recurrence for automatic speech
recognition (2015); Sainath and Li, Modeling time-frequency patterns with LSTM vs.
convolutional architectures for LVCSR tasks (2016).
"""

import collections
from typing import Any

from twinflow.contrib.rnn.cells_lstm import clipped
from twinflow.contrib.rnn.sharding import joined_variable
from twinflow.contrib.seq2seq.attention import size_of
from twinflow.graph.variable_scope import (
    get_variable,
    get_variable_scope,
    variable_scope,
)
from twinflow.ops.arrays.padding import pad
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import sigmoid, tanh
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.product import matmul
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.random.initializers_plain import Zeros
from twinflow.rnn.cells.base import RNNCell


def _depth(inputs):
    depth = inputs.shape.with_rank(2)[-1].value
    if depth is None:
        raise ValueError("Cannot infer input_size from static shape inference.")
    return depth


def _windows(inputs, start, count, size, skip):
    """`count` windows of the columns from `start` on."""
    places = [start + i * skip for i in range(count)]
    return [inputs[:, p : p + size] for p in places]


class TimeFreqLSTMCell(RNNCell):
    """An LSTM that goes over windows of its input, lowest frequencies first.

    Args:
        num_units: the size. use_peepholes: whether gates see the memory.
        cell_clip: the largest absolute value of the memory. initializer: of the
            variables. num_unit_shards: the parts of the matrix.
        forget_bias: added in the forget gate. feature_size: the size of a window.
        frequency_skip: the step between windows. reuse: see the other cells.
    """

    def __init__(
        self, num_units: Any, use_peepholes: bool = False, cell_clip: Any = None,
        initializer: Any = None, num_unit_shards: Any = 1, forget_bias: Any = 1.0,
        feature_size: Any = None, frequency_skip: Any = 1, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes = num_units, use_peepholes
        self._cell_clip, self._initializer = cell_clip, initializer
        self._shards, self._forget_bias = num_unit_shards, forget_bias
        self._feature_size, self._frequency_skip = feature_size, frequency_skip

    output_size = property(lambda self: self._num_units, doc="`num_units`.")
    state_size = property(lambda self: 2 * self._num_units, doc="That of c and h.")

    def call(self, inputs: Any, state: Any) -> Any:
        around = get_variable_scope()
        first = self._initializer or around.initializer
        with variable_scope(around, initializer=first):
            return self._steps(inputs, state)

    def _steps(self, inputs, state):
        n, size, skip = self._num_units, self._feature_size, self._frequency_skip
        count = int((_depth(inputs) - size) / skip) + 1
        windows = _windows(inputs, 0, count, size, skip)
        shape = [windows[0].shape[1].value + 2 * n, 4 * n]
        w = joined_variable("W", shape, inputs.dtype, self._shards)
        b = get_variable("B", [4 * n], inputs.dtype, Zeros())
        names = ["W_F_diag", "W_I_diag", "W_O_diag"] if self._use_peepholes else []
        diagonals = [get_variable(name, [n], inputs.dtype) for name in names]
        below = zeros([size_of(inputs, 0), n], inputs.dtype)
        states, outputs = [], []
        for i, x in enumerate(windows):
            c, h = state[:, 2 * i * n : (2 * i + 1) * n], state[:, (2 * i + 1) * n :]
            gates = bias_add(matmul(concat([x, h[:, :n], below], 1), w), b)
            c, below = self._step(gates, c, diagonals)
            states += [c, below]
            outputs.append(below)
        return concat(outputs, 1), concat(states, 1)

    def _step(self, gates, c, diagonals):
        i, j, f, o = split(gates, 4, 1)
        f = f + self._forget_bias
        if diagonals:
            to_f, to_i, to_o = diagonals
            f, i = f + to_f * c, i + to_i * c
        c = clipped(sigmoid(f) * c + sigmoid(i) * tanh(j), self._cell_clip)
        return c, sigmoid(o + to_o * c if diagonals else o) * tanh(c)


class GridLSTMCell(RNNCell):
    """An LSTM over time and another over the frequencies of the input, in a grid.

    Args:
        num_units: the size. use_peepholes: whether gates see the memories.
        share_time_frequency_weights: whether both have the same weights.
        cell_clip: the largest absolute value of memories. initializer: of the
            variables. num_unit_shards: the parts of the matrices.
        forget_bias: added in the forget gates. feature_size: the size of a window.
        frequency_skip: the step between windows.
        num_frequency_blocks: a list, the number of windows of each block.
        start_freqindex_list, end_freqindex_list: the columns of each block.
        couple_input_forget_gates: whether a memory forgets as much as it takes in.
        state_is_tuple: whether the state is a tuple, or all side by side.
        reuse: see the other cells.
    Raises:
        ValueError: there are no `num_frequency_blocks`, or they do not fit.
    """

    def __init__(
        self, num_units: Any, use_peepholes: bool = False,
        share_time_frequency_weights: bool = False, cell_clip: Any = None,
        initializer: Any = None, num_unit_shards: Any = 1, forget_bias: Any = 1.0,
        feature_size: Any = None, frequency_skip: Any = None,
        num_frequency_blocks: Any = None, start_freqindex_list: Any = None,
        end_freqindex_list: Any = None, couple_input_forget_gates: bool = False,
        state_is_tuple: bool = True, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes = num_units, use_peepholes
        self._shared, self._coupled = (
            share_time_frequency_weights,
            couple_input_forget_gates,
        )
        self._cell_clip, self._initializer = cell_clip, initializer
        self._shards, self._forget_bias = num_unit_shards, forget_bias
        self._feature_size, self._frequency_skip = feature_size, frequency_skip
        self._starts, self._ends = start_freqindex_list, end_freqindex_list
        self._blocks, self._state_is_tuple = num_frequency_blocks, state_is_tuple
        if self._blocks is None:
            raise ValueError("Must specify num_frequency_blocks")
        self._total_blocks = sum(self._blocks)
        self._state_tuple_type = None
        if state_is_tuple:
            names = self._fields_of("state")
            kind = collections.namedtuple("GridLSTMStateTuple", names)
            self._state_tuple_type = kind

    def _fields_of(self, prefix):
        return [
            f"{prefix}_f{f:02d}_b{b:02d}_{what}"
            for b, count in enumerate(self._blocks)
            for f in range(count)
            for what in "cm"
        ]

    @property
    def output_size(self) -> Any:
        """The sizes of both outputs of all windows."""
        return self._num_units * self._total_blocks * 2

    @property
    def state_size(self) -> Any:
        """The size of each part of the state, or their sum."""
        if not self._state_is_tuple:
            return self._num_units * self._total_blocks * 2
        kind = self._state_tuple_type
        return kind(*[self._num_units] * len(kind._fields))

    state_tuple_type = property(
        lambda self: self._state_tuple_type, doc="The class of states."
    )

    def call(self, inputs: Any, state: Any) -> Any:
        outputs, states = self._direction(inputs, state, "state")
        state = (
            self._state_tuple_type(*states)
            if self._state_is_tuple
            else concat(states, 1)
        )
        return concat(outputs, 1), state

    def _direction(self, inputs, state, prefix, offset=0, turned=False):
        """Lists of outputs and states of all blocks."""
        outputs, states = [], []
        around = get_variable_scope()
        first = self._initializer or around.initializer
        for i, windows in enumerate(self._features(inputs, offset)):
            with variable_scope(around, initializer=first):
                found = self._block(
                    windows[::-1] if turned else windows, i, state, prefix
                )
            outputs += found[0]
            states += found[1]
        return outputs, states

    def _features(self, inputs, offset):
        """The windows of each block; `offset` moves the columns, zeros fill up."""
        depth = _depth(inputs)
        if offset > 0:
            inputs = pad(inputs, [[0, 0], [0, offset]])[:, offset:]
        elif offset < 0:
            inputs = pad(inputs, [[0, 0], [-offset, 0]])[:, :depth]
        starts, ends = self._starts, self._ends
        if not starts:
            if len(self._blocks) != 1:
                raise ValueError(
                    "Length of num_frequency_blocks is not 1, but instead is "
                    f"{len(self._blocks)}"
                )
            starts, ends = [0], [depth]
        if len(starts) != len(ends):
            raise ValueError(
                "Length of start and end freqindex_list does not match "
                f"{len(starts)} {len(ends)}"
            )
        if len(self._blocks) != len(starts):
            raise ValueError(
                "Length of num_frequency_blocks is not equal to start_freqindex_list "
                f"{len(self._blocks)} {len(starts)}"
            )
        size, skip = self._feature_size, self._frequency_skip
        found = []
        for start, end, wanted in zip(starts, ends, self._blocks, strict=True):
            count = int((end - start - size) / skip) + 1
            if count != wanted:
                raise ValueError(
                    f"Invalid num_frequency_blocks, requires {wanted} but gets {count},"
                    " please check the input size and filter config are correct."
                )
            found.append(_windows(inputs, start, count, size, skip))
        return found

    def _block(self, windows, block, state, prefix):
        """Lists of outputs and states of the windows of a block."""
        weights = _Weights(self, windows[0], block)
        x, n = windows[0], self._num_units
        first = zeros([size_of(x, 0), n], x.dtype)
        below, outputs, states = (first, first), [], []
        for i, x in enumerate(windows):
            if self._state_is_tuple:
                name = f"{prefix}_f{i:02d}_b{block:02d}"
                before = getattr(state, f"{name}_c"), getattr(state, f"{name}_m")
            else:
                before = split(state[:, 2 * i * n : 2 * (i + 1) * n], 2, 1)
            (c, h), below = weights.step(x, before, below)
            outputs += [h, below[1]]
            states += [c, h]
        return outputs, states


class _Weights:
    """The weights of a block; `f` are those over frequencies, `t` over time."""

    def __init__(self, cell, x, block):
        self.cell, self.block, self.dtype = cell, block, x.dtype
        n = cell._num_units
        self.shape = [x.shape[1].value + 2 * n, (3 if cell._coupled else 4) * n]
        self.f = self._matrix("f")
        self.t = self.f if cell._shared else self._matrix("t")
        self.peeps = {}
        kinds = ["freq"] if cell._shared else ["freq", "time"]
        for kind in kinds if cell._use_peepholes else []:
            for gate in "IO" if cell._coupled else "FIO":
                for of in "ft":
                    name = f"W_{gate}_diag_{kind}{of}_{block}"
                    found = get_variable(name, [n], self.dtype)
                    self.peeps[gate, kind, of] = found

    def _matrix(self, kind):
        w = joined_variable(
            f"W_{kind}_{self.block}", self.shape, self.dtype, self.cell._shards
        )
        b = get_variable(f"B_{kind}_{self.block}", self.shape[1:], self.dtype, Zeros())
        return w, b

    def _gate(self, gate, kind, x, c_below, c_before):
        """A gate, with what it sees of the memories."""
        if self.cell._use_peepholes:
            kind = "freq" if self.cell._shared else kind
            x = x + self.peeps[gate, kind, "f"] * c_below
            x = x + self.peeps[gate, kind, "t"] * c_before
        return sigmoid(x)

    def step(self, x, before, below):
        """((c, h) in time, (c, h) in frequency) of a window."""
        seen = concat([x, before[1], below[1]], 1)
        c_time, o_time = self._memory("time", self.t, seen, before[0], before, below)
        c_freq, o_freq = self._memory("freq", self.f, seen, below[0], before, below)
        h_freq = self._gate("O", "freq", o_freq, c_freq, c_time) * tanh(c_freq)
        h_time = self._gate("O", "time", o_time, c_freq, c_time) * tanh(c_time)
        return (c_time, h_time), (c_freq, h_freq)

    def _memory(self, kind, weights, seen, c, before, below):
        """(the new memory, the output gate before its function)"""
        w, b = weights
        gates = bias_add(matmul(seen, w), b)
        if self.cell._coupled:
            i, j, o = split(gates, 3, 1)
        else:
            i, j, f, o = split(gates, 4, 1)
        i = self._gate("I", kind, i, below[0], before[0])
        if self.cell._coupled:
            f = 1.0 - i
        else:
            f = f + self.cell._forget_bias
            f = self._gate("F", kind, f, below[0], before[0])
        return clipped(f * c + i * tanh(j), self.cell._cell_clip), o


class BidirectionalGridLSTMCell(GridLSTMCell):
    """Two GridLSTMCells: one from low frequencies to high ones, one back.

    Args:
        num_units, use_peepholes, share_time_frequency_weights, cell_clip, initializer,
            num_unit_shards, forget_bias, feature_size, frequency_skip,
            num_frequency_blocks, start_freqindex_list, end_freqindex_list,
            couple_input_forget_gates, reuse: see GridLSTMCell.
        backward_slice_offset: how far the columns are moved for the way back.
    """

    def __init__(
        self, num_units: Any, use_peepholes: bool = False,
        share_time_frequency_weights: bool = False, cell_clip: Any = None,
        initializer: Any = None, num_unit_shards: Any = 1, forget_bias: Any = 1.0,
        feature_size: Any = None, frequency_skip: Any = None,
        num_frequency_blocks: Any = None, start_freqindex_list: Any = None,
        end_freqindex_list: Any = None, couple_input_forget_gates: bool = False,
        backward_slice_offset: Any = 0, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, use_peepholes, share_time_frequency_weights, cell_clip,
            initializer, num_unit_shards, forget_bias, feature_size, frequency_skip,
            num_frequency_blocks, start_freqindex_list, end_freqindex_list,
            couple_input_forget_gates, True, reuse,
        )  # fmt: skip
        self._offset = int(backward_slice_offset)
        names = [*self._fields_of("fwd_state"), *self._fields_of("bwd_state")]
        kind = collections.namedtuple("BidirectionalGridLSTMStateTuple", names)
        self._state_tuple_type = kind

    @property
    def output_size(self) -> Any:
        """The sizes of all outputs of all windows."""
        return 2 * self._num_units * self._total_blocks * 2

    def call(self, inputs: Any, state: Any) -> Any:
        with variable_scope("fwd"):
            forward, states = self._direction(inputs, state, "fwd_state")
        with variable_scope("bwd"):
            backward, more = self._direction(
                inputs, state, "bwd_state", self._offset, True
            )
        state = self._state_tuple_type(*states, *more)
        return concat([*forward, *backward], 1), state
