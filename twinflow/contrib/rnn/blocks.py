"""Cells and layers that are one op: LSTMs and gated recurrent units."""

import abc
from typing import Any

from twinflow.base.dispatch import apply, current_mode
from twinflow.contrib.seq2seq.attention import size_of
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.ops.arrays.gather_batch import sequence_mask
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import range, zeros
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.joining import concat, stack, unstack
from twinflow.ops.core.reduction import reduce_max
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.core.transposing import transpose
from twinflow.ops.nn.gru_block import GRUBlockCell as GRUBlockCellOp
from twinflow.ops.nn.lstm_block import BlockLSTM
from twinflow.ops.nn.lstm_block import LSTMBlockCell as LSTMBlockCellOp
from twinflow.ops.random.initializers_plain import Constant
from twinflow.rnn.cells.base import LayerRNNCell, of_units
from twinflow.rnn.cells.lstm import LSTMStateTuple


def lstm_block_cell(
    x: Any, cs_prev: Any, h_prev: Any, w: Any, b: Any, wci: Any = None, wcf: Any = None,
    wco: Any = None, forget_bias: Any = None, cell_clip: Any = None,
    use_peephole: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """(i, cs, f, o, ci, co, h) of a step; see `ops.nn.lstm_block`.

    Raises:
        ValueError: the number of units is not known.
    """
    units = convert_to_tensor(cs_prev).shape.with_rank(2)[1].value
    if wci is None:
        if units is None:
            raise ValueError("cell_size from `cs_prev` should not be None.")
        wci = wcf = wco = zeros([units], convert_to_tensor(cs_prev).dtype)
    inputs = (x, cs_prev, h_prev, w, wci, wcf, wco, b)
    return apply(
        LSTMBlockCellOp, inputs, _attrs(forget_bias, cell_clip, use_peephole), name
    )


def _attrs(forget_bias, cell_clip, use_peephole):
    return {
        "forget_bias": 1.0 if forget_bias is None else float(forget_bias),
        "cell_clip": -1.0 if cell_clip is None else float(cell_clip),
        "use_peephole": bool(use_peephole),
    }


def block_lstm(
    seq_len_max: Any, x: Any, w: Any, b: Any, cs_prev: Any = None, h_prev: Any = None,
    wci: Any = None, wcf: Any = None, wco: Any = None, forget_bias: Any = None,
    cell_clip: Any = None, use_peephole: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Lists (i, cs, f, o, ci, co, h) of all steps of a list of inputs.

    Raises:
        ValueError: the number of units is not known.
    """
    rows = stack(list(x))
    units = w.shape.with_rank(2)[1].value
    if units is None:
        raise ValueError("cell_size from `b` should not be None.")
    units //= 4
    first = zeros([size_of(rows, 1), units], rows.dtype)
    if wci is None:
        wci = wcf = wco = zeros([units], rows.dtype)
    inputs = (
        seq_len_max, rows, first if cs_prev is None else cs_prev,
        first if h_prev is None else h_prev, w, wci, wcf, wco, b,
    )  # fmt: skip
    attrs = _attrs(forget_bias, cell_clip, use_peephole)
    found = apply(BlockLSTM, inputs, attrs, name)
    return [unstack(t, num=len(x)) for t in found]


_PEEPS = ("w_i_diag", "w_f_diag", "w_o_diag")


class LSTMBlockCell(LayerRNNCell):
    """The LSTM of tf.nn.rnn_cell.LSTMCell as one op, with the same variables.

    Args:
        num_units: the size. forget_bias: added in the forget gate.
        cell_clip: the memory stays within [-cell_clip, cell_clip], if it is positive.
        use_peephole: let the gates look at the memory.
        reuse, name, dtype: see the other cells.
    Raises:
        ValueError: the state is not a pair.
    """

    scoped_call = False

    def __init__(
        self, num_units: Any, forget_bias: Any = 1.0, cell_clip: Any = None,
        use_peephole: bool = False, reuse: Any = None,
        name: str | None = "lstm_cell", dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units, self._forget_bias = num_units, forget_bias
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self._use_peephole = use_peephole
        self.input_spec = InputSpec(ndim=2)

    @property
    def state_size(self) -> Any:
        """Those of c and h."""
        return LSTMStateTuple(self._num_units, self._num_units)

    output_size = of_units()

    def build(self, inputs_shape: Any) -> Any:
        depth = inputs_shape[1].value
        if depth is None:
            raise ValueError(
                "Expecting inputs_shape[1] to be set: " + str(inputs_shape)
            )
        n = self._num_units
        self._kernel = self.add_variable("kernel", [depth + n, 4 * n])
        self._bias = self.add_variable("bias", [4 * n], initializer=Constant(0.0))
        names = _PEEPS if self._use_peephole else ()
        self._diagonals = [self.add_variable(name, [n]) for name in names]
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        c, h = state
        _, c, _, _, _, _, h = lstm_block_cell(
            inputs, c, h, self._kernel, self._bias, *(self._diagonals or [None] * 3),
            forget_bias=self._forget_bias, cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )  # fmt: skip
        return h, LSTMStateTuple(c, h)


class GRUBlockCell(LayerRNNCell):
    """The gated recurrent unit of tf.nn.rnn_cell.GRUCell as one op.

    Args:
        num_units: the size; `cell_size` is its older name.
        reuse, name, dtype: see the other cells.
    Raises:
        ValueError: both names of the size are given, or none.
    """

    scoped_call = False

    def __init__(
        self, num_units: Any = None, cell_size: Any = None, reuse: Any = None,
        name: str | None = "gru_cell", dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        if (cell_size is None) == (num_units is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        self._num_units = cell_size if num_units is None else num_units
        self.input_spec = InputSpec(ndim=2)

    state_size = output_size = of_units()

    _kinds = (("w_ru", "b_ru"), ("w_c", "b_c"))

    def build(self, input_shape: Any) -> Any:
        depth = input_shape[1].value
        if depth is None:
            raise ValueError("Expecting input_shape[1] to be set: " + str(input_shape))
        n, found = self._num_units, []
        for (kernel, bias), parts, first in zip(self._kinds, [2, 1], [1.0, 0.0]):
            w = self.add_variable(kernel, [depth + n, parts * n])
            b = self.add_variable(bias, [parts * n], initializer=Constant(first))
            found.append((w, b))
        self._gates, self._candidate = found
        self.built = True

    def call(self, inputs: Any, h_prev: Any) -> Any:
        (w_ru, b_ru), (w_c, b_c) = self._gates, self._candidate
        *_, h = apply(GRUBlockCellOp, (inputs, h_prev, w_ru, w_c, b_ru, b_c))
        return h, h


class GRUBlockCellV2(GRUBlockCell):
    """GRUBlockCell with the names of variables that tf.nn.rnn_cell.GRUCell has.

    Args:
        num_units, cell_size, reuse, name, dtype: see GRUBlockCell.
    """

    _kinds = (
        ("gates/kernel", "gates/bias"),
        ("candidate/kernel", "candidate/bias"),
    )


class LSTMBlockWrapper(ScopedLayer, abc.ABC):
    """A layer over whole sequences; subclasses give `num_units` and `_call_cell`."""

    @property
    @abc.abstractmethod
    def num_units(self) -> Any:
        """The number of units."""

    @abc.abstractmethod
    def _call_cell(self, inputs, first_c, first_h, dtype, sequence_length):
        """(the memories, the outputs), float[time, batch, units]"""

    def call(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None,
        sequence_length: Any = None,
    ) -> Any:  # fmt: skip
        listed = isinstance(inputs, list)
        rows = stack(inputs) if listed else inputs
        shape = rows.shape.with_rank(3)
        if not shape[2].value:
            raise ValueError(f"Expecting inputs_shape[2] to be set: {shape}")
        steps, n = size_of(rows, 0), size_of(rows, 1)
        c, h = self._first(initial_state, n, dtype, rows)
        lengths = sequence_length
        if lengths is not None:
            lengths = convert_to_tensor(lengths)
        states, outputs = self._call_cell(rows, c, h, rows.dtype, lengths)
        if lengths is not None:
            mask = sequence_mask(lengths, maxlen=steps, dtype=rows.dtype)
            mask = expand_dims(transpose(mask, [1, 0]), 2)
            current_mode().leave_ids(2)  # its columns, repeated
            outputs *= mask
            states = concat([expand_dims(c, 0), states], 0)
            hs = concat([expand_dims(h, 0), outputs], 0)
            c, h = _at(states, lengths, n), _at(hs, lengths, n)
        else:
            c, h = states[-1], outputs[-1]
        if listed:
            outputs = unstack(outputs)
        return outputs, LSTMStateTuple(c, h)

    def _first(self, given, n, dtype, rows):
        if given is not None:
            if len(given) != 2:
                raise ValueError(
                    "Expecting initial_state to be a tuple with length 2 or None"
                )
            return given
        if dtype is None:
            raise ValueError("Either initial_state or dtype needs to be specified")
        first = zeros(stack([n, self.num_units]), dtype)
        return first, first


def _at(rows, lengths, n):
    """rows[length, b] of each example b."""
    batch = cast(range(n), lengths.dtype)
    return gather_nd(rows, stack([lengths, batch], 1))


class LSTMBlockFusedCell(LSTMBlockWrapper):
    """The LSTM of `LSTMBlockCell` over whole sequences, as one op.

    Call it with float[time, batch, size] or a list of steps, and by name
    `initial_state` (a pair) or `dtype`, and `sequence_length`.

    Args:
        num_units, forget_bias, cell_clip, use_peephole, reuse, dtype, name: see
            LSTMBlockCell.
    Example:
        cell = tf.contrib.rnn.LSTMBlockFusedCell(4)
        y, (c, h) = cell(tf.ones([5, 2, 3]), dtype=tf.float32)
        y  # float32[5, 2, 4]
    """

    scoped_call = False

    def __init__(
        self, num_units: Any, forget_bias: Any = 1.0, cell_clip: Any = None,
        use_peephole: bool = False, reuse: Any = None, dtype: Any = None,
        name: str | None = "lstm_fused_cell",
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units, self._forget_bias = num_units, forget_bias
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self._use_peephole = use_peephole
        self.input_spec = InputSpec(ndim=3)

    num_units = of_units("The number of units.")

    def build(self, input_shape: Any) -> Any:
        n, depth = self._num_units, input_shape[2].value
        self._kernel = self.add_variable("kernel", [depth + n, 4 * n])
        self._bias = self.add_variable("bias", [4 * n], initializer=Constant(0.0))
        names = _PEEPS if self._use_peephole else ()
        self._diagonals = [self.add_variable(name, [n]) for name in names]
        self.built = True

    def _call_cell(self, inputs, first_c, first_h, dtype, sequence_length):
        peeps = self._diagonals or [zeros([self._num_units], dtype)] * 3
        longest = size_of(inputs, 0)
        if sequence_length is not None:
            longest = reduce_max(sequence_length)
        longest = cast(longest, "int64")
        args = (
            longest, inputs, first_c, first_h, self._kernel, *peeps, self._bias,
        )  # fmt: skip
        attrs = _attrs(self._forget_bias, self._cell_clip, self._use_peephole)
        _, states, _, _, _, _, outputs = apply(BlockLSTM, args, attrs)
        return states, outputs
