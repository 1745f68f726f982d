"""A cell that looks at memories, by mechanisms of attention."""

from typing import Any, NamedTuple

from twinflow.base import nest
from twinflow.base.advice import advised
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.contrib.seq2seq.attention import AttentionMechanism, linear_layer, size_of
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.constant import identity
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import expand_dims, squeeze
from twinflow.ops.debugging.checks import assert_equal
from twinflow.ops.tensor_array.arrays import TensorArray
from twinflow.rnn.cells.base import RNNCell, assert_like_rnncell, zeros_of

_MISMATCH = (
    "Non-matching batch sizes between the memory (encoder output) and {what}.  Are you "
    "using the BeamSearchDecoder?  {advice}"
)
_TILE = (
    "You may need to tile your {what} via the tf.contrib.seq2seq.tile_batch function "
    "with argument multiple=beam_width."
)
_CONSTRUCTED = _MISMATCH.format(
    what="initial_cell_state", advice=_TILE.format(what="initial state")
)
_ZEROED = _MISMATCH.format(
    what="the requested batch size",
    advice="If so, make sure your encoder output has been tiled to beam_width via "
    "tf.contrib.seq2seq.tile_batch, and the batch_size= argument passed to zero_state "
    "is batch_size * beam_width.",
)
_APPLIED = _MISMATCH.format(
    what="the query (decoder output)", advice=_TILE.format(what="memory input")
)


class _Fields(NamedTuple):
    cell_state: Any
    attention: Any
    time: Any
    alignments: Any
    alignment_history: Any
    attention_state: Any


class AttentionWrapperState(_Fields):
    """The state of AttentionWrapper.

    Args:
        cell_state: that of the cell. attention: float[batch, size], what it saw last.
        time: int32[], the step. alignments: float[batch, memory], of each mechanism.
        alignment_history: TensorArrays of all alignments, or ().
        attention_state: the states of the mechanisms.
    """

    __slots__ = ()

    def clone(self, **kwargs: Any) -> Any:
        """This state with other fields; tensors keep the shapes that are known.

        Raises:
            ValueError: a tensor has another shape than the old one.
        Example:
            state = tf.contrib.seq2seq.AttentionWrapperState(*range(6))
            state.clone(cell_state=7)[0]  # 7
        """
        return nest.map_structure(_with_shape_of, self, super()._replace(**kwargs))


def _with_shape_of(old, new):
    if not isinstance(old, Tensor) or not isinstance(new, Tensor):
        return new
    if not new.shape.is_compatible_with(old.shape):
        raise ValueError(f"Shapes {old.shape} and {new.shape} are not compatible")
    if new.symbolic:
        new.set_shape(old.shape)
    return new


def attended(mechanism, output, state, layer):
    """(attention, alignments, next state) of a mechanism.

    Args:
        output: float[batch, size], the output of the cell. state: of the mechanism.
        layer: a layer of output and context, or None.
    """
    alignments, state = mechanism(output, state=state)
    context = squeeze(matmul(expand_dims(alignments, 1), mechanism.values), [1])
    if layer is not None:
        return layer(concat([output, context], 1)), alignments, state
    return context, alignments, state


class AttentionWrapper(RNNCell):
    """A cell whose inputs have what it saw last behind them.

    Args:
        cell: an RNNCell.
        attention_mechanism: an AttentionMechanism, or a list of them.
        attention_layer_size: the size of a layer of output and context, for each
            mechanism; what is seen is the context if not given.
        alignment_history: whether the state keeps all alignments.
        cell_input_fn: makes the cell's inputs of (inputs, attention); tf.concat if not
            given.
        output_attention: whether to put out what was seen, not the cell's output.
        initial_cell_state: the first state of the cell for `zero_state`.
        name: of the scope.
        attention_layer: the layers themselves, in place of their sizes.
    Raises:
        TypeError: an argument is of the wrong kind.
        ValueError: there are not as many layers as mechanisms.
    Example:
        memory = tf.ones([2, 5, 8])  # the outputs of an encoder
        attention = tf.contrib.seq2seq.LuongAttention(4, memory)
        cell = tf.contrib.seq2seq.AttentionWrapper(
            tf.nn.rnn_cell.GRUCell(4), attention, attention_layer_size=6)
        y, state = cell(tf.ones([2, 3]), cell.zero_state(2, tf.float32))
        y  # float32[2, 6]
    """

    def __init__(
        self, cell: Any, attention_mechanism: Any, attention_layer_size: Any = None,
        alignment_history: bool = False, cell_input_fn: Any = None,
        output_attention: bool = True, initial_cell_state: Any = None,
        name: str | None = None, attention_layer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name=name)
        assert_like_rnncell("cell", cell)
        self._cell, self._history = cell, alignment_history
        self._is_multi = isinstance(attention_mechanism, list | tuple)
        self._attention_mechanisms = self._mechanisms(attention_mechanism)
        self._cell_input_fn = cell_input_fn or _joined
        if not callable(self._cell_input_fn):
            found = type(cell_input_fn).__name__
            raise advised(
                TypeError, f"cell_input_fn must be callable, saw type: {found}"
            )
        self._output_attention = output_attention
        if attention_layer_size is not None and attention_layer is not None:
            raise ValueError(
                "Only one of attention_layer_size and attention_layer should be set"
            )
        self._attention_layers, self._attention_layer_size = self._layers(
            attention_layer_size, attention_layer
        )
        self._initial_cell_state = None
        if initial_cell_state is not None:
            with name_scope(name, "AttentionWrapperInit"):
                n = size_of(nest.flatten(initial_cell_state)[-1], 0)
                self._initial_cell_state = self._checked(
                    initial_cell_state, n, "constructing", _CONSTRUCTED,
                    "check_initial_cell_state",
                )  # fmt: skip

    def _mechanisms(self, given):
        if not self._is_multi and not isinstance(given, AttentionMechanism):
            raise TypeError(
                "attention_mechanism must be an AttentionMechanism or list of multiple "
                f"AttentionMechanism instances, saw type: {type(given).__name__}"
            )
        found = tuple(given) if self._is_multi else (given,)
        for one in found:
            if not isinstance(one, AttentionMechanism):
                raise TypeError(
                    "attention_mechanism must contain only instances of "
                    f"AttentionMechanism, saw type: {type(one).__name__}"
                )
        return found

    def _layers(self, sizes, layers):
        """(the layers or Nones, the size of what is seen)"""
        mechanisms = self._attention_mechanisms
        widths = [m.values.shape[-1].value for m in mechanisms]
        if sizes is not None:
            sizes = self._each(sizes, "attention_layer_size", "integer")
            found = [
                linear_layer("attention_layer", size, m.dtype)
                for size, m in zip(sizes, mechanisms, strict=True)
            ]
            return found, sum(sizes)
        if layers is not None:
            found = self._each(layers, "attention_layer", "layer")
            seen = [self._cell.output_size + width for width in widths]
            outs = [
                layer.compute_output_shape([None, n])[-1].value
                for layer, n in zip(found, seen, strict=True)
            ]
            return found, sum(outs)
        return [None] * len(mechanisms), sum(widths)

    def _each(self, given, name, what):
        """A tuple of one thing for each mechanism."""
        found = tuple(given if isinstance(given, list | tuple) else (given,))
        n = len(self._attention_mechanisms)
        if len(found) != n:
            raise ValueError(
                f"If provided, {name} must contain exactly one {what} per "
                f"attention_mechanism, saw: {len(found)} vs {n}"
            )
        return found

    def _checked(self, state, batch_size, doing, text, name):
        """The state; the run fails if its batch is not that of the memories."""
        message = f"When {doing} AttentionWrapper {self._base_name}: {text}"
        checks = [
            assert_equal(batch_size, m.batch_size, message=message)
            for m in self._attention_mechanisms
        ]
        with control_dependencies([c for c in checks if c is not None]):
            return nest.map_structure(lambda t: identity(t, name=name), state)

    def _item_or_tuple(self, items):
        found = tuple(items)
        return found if self._is_multi else found[0]

    @property
    def output_size(self) -> Any:
        """That of what is seen, or that of the cell."""
        if self._output_attention:
            return self._attention_layer_size
        return self._cell.output_size

    @property
    def state_size(self) -> Any:
        """An AttentionWrapperState of sizes."""
        all_of = self._attention_mechanisms
        return AttentionWrapperState(
            cell_state=self._cell.state_size,
            time=TensorShape([]),
            attention=self._attention_layer_size,
            alignments=self._item_or_tuple(m.alignments_size for m in all_of),
            attention_state=self._item_or_tuple(m.state_size for m in all_of),
            alignment_history=self._item_or_tuple(
                m.alignments_size if self._history else () for m in all_of
            ),
        )

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """The first state; see RNNCell.zero_state.

        Returns:
            AttentionWrapperState; `clone(cell_state=...)` gives it another cell state.
        Raises:
            InvalidArgumentError: the batch is not that of the memories.
        """
        with self._zero_scope():
            state = self._initial_cell_state
            if state is None:
                state = self._cell.zero_state(batch_size, dtype)
            state = self._checked(
                state,
                batch_size,
                "calling zero_state of",
                _ZEROED,
                "checked_cell_state",
            )
            all_of = self._attention_mechanisms
            alignments = [m.initial_alignments(batch_size, dtype) for m in all_of]
            states = [m.initial_state(batch_size, dtype) for m in all_of]
            return AttentionWrapperState(
                cell_state=state,
                time=zeros([], "int32"),
                attention=zeros_of(batch_size, self._attention_layer_size, dtype),
                alignments=self._item_or_tuple(alignments),
                attention_state=self._item_or_tuple(states),
                alignment_history=self._item_or_tuple(
                    self._array(dtype, a) for a in alignments
                ),
            )

    def _array(self, dtype, alignments):
        if not self._history:
            return ()
        shape = alignments.shape
        return TensorArray(dtype, 0, dynamic_size=True, element_shape=shape)

    def call(self, inputs: Any, state: Any) -> Any:
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(
                "Expected state to be instance of AttentionWrapperState. Received type "
                f"{type(state)} instead."
            )
        seen = self._cell_input_fn(inputs, state.attention)
        output, cell_state = self._cell(seen, state.cell_state)
        n = size_of(output, 0)
        output = self._checked(output, n, "applying", _APPLIED, "checked_cell_output")
        columns = [self._seen(i, output, state) for i in range(len(self._layered()))]
        attentions, alignments, states, histories = zip(*columns)
        attention = concat(attentions, 1)
        found = AttentionWrapperState(
            time=state.time + 1,
            cell_state=cell_state,
            attention=attention,
            attention_state=self._item_or_tuple(states),
            alignments=self._item_or_tuple(alignments),
            alignment_history=self._item_or_tuple(histories),
        )
        return (attention if self._output_attention else output), found

    def _layered(self):
        return list(zip(self._attention_mechanisms, self._attention_layers))

    def _seen(self, i, output, state):
        """(attention, alignments, next state, history) of a mechanism."""
        mechanism, layer = self._layered()[i]
        states, history = state.attention_state, state.alignment_history
        if self._is_multi:
            states, history = states[i], history[i]
        attention, alignments, new = attended(mechanism, output, states, layer)
        if self._history:
            history = history.write(state.time, alignments)
        return attention, alignments, new, history if self._history else ()


def _joined(inputs, attention):
    return concat([inputs, attention], -1)
