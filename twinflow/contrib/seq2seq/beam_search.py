"""The decoder that keeps the best sequences: beam search."""

from typing import Any, NamedTuple

import numpy as np

from twinflow.base import nest
from twinflow.base.logging import warn
from twinflow.base.shapes import TensorShape
from twinflow.contrib.seq2seq.attention import size_of
from twinflow.contrib.seq2seq.basic_decoder import check_layer, size_behind
from twinflow.contrib.seq2seq.beam_search_step import (
    BeamSearchDecoderOutput,
    BeamSearchDecoderState,
    attention_probs,
    beam_search_step,
    check_ndims,
    known_size,
    set_known,
)
from twinflow.contrib.seq2seq.decoder import Decoder
from twinflow.contrib.seq2seq.helper_inference import rows_from, start_and_end
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.arrays.gather_batch import sequence_mask
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.compare import equal, logical_and, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import range, zeros, zeros_like
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.joining import concat, stack, tile
from twinflow.ops.core.reduction import reduce_all, reduce_max
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.core.transposing import transpose
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.nn.gather_tree import gather_tree
from twinflow.ops.tensor_array.arrays import TensorArray
from twinflow.rnn.cells.base import assert_like_rnncell, dims_of, static_dims

_UNSORTED = (
    "The TensorArray %s in the cell state is not amenable to sorting based on the beam "
    "search result. For a TensorArray to be sorted, its elements shape must be defined "
    "and have at least a rank of 1, but saw shape: %s"
)
_UNFIT = (
    "TensorArray reordering expects elements to be reshapable to [batch_size, "
    "beam_size, -1] which is incompatible with the dynamic shape of %s elements. "
    "Consider setting reorder_tensor_arrays to False to disable TensorArray reordering "
    "during the beam search."
)


class FinalBeamSearchDecoderOutput(NamedTuple):
    """The sequences of a beam search.

    Args:
        predicted_ids: int32[batch, time, beams] (or time first), the best beam first;
            what stands behind the end of a sequence is the end.
        beam_search_decoder_output: the outputs of the steps, as they were put out.
    """

    predicted_ids: Any
    beam_search_decoder_output: Any


class BeamSearchDecoder(Decoder):
    """A decoder that keeps, at each step, the `beam_width` best sequences.

    The state and the memories of attention must have each example `beam_width` times:
    see `tile_batch`.

    Args:
        cell: an RNNCell.
        embedding: float[classes, size], or a function from classes to embeddings.
        start_tokens: int32[batch], the first classes.
        end_token: int32[], the class that ends a sequence.
        initial_state: the first state, for batch * beam_width.
        beam_width: an int.
        output_layer: a tf.layers.Layer that makes logits of the outputs.
        length_penalty_weight: 0.0 for no penalty of short sequences.
        coverage_penalty_weight: 0.0 for no penalty of unread parts of the memory.
        reorder_tensor_arrays: whether to sort the TensorArrays of the state, such as
            alignment histories, by beams at the end.
    Raises:
        TypeError: `cell` or `output_layer` is something else.
        ValueError: `start_tokens` is no vector, or `end_token` no scalar.
    Example:
        cell = tf.nn.rnn_cell.GRUCell(4)
        decoder = tf.contrib.seq2seq.BeamSearchDecoder(
            cell, tf.ones([5, 3]), tf.fill([2], 0), 1, cell.zero_state(6, tf.float32),
            beam_width=3, output_layer=tf.layers.Dense(5))
        outputs, _, _ = tf.contrib.seq2seq.dynamic_decode(
            decoder, maximum_iterations=4)
        outputs.predicted_ids.shape[2]  # 3
    """

    def __init__(
        self, cell: Any, embedding: Any, start_tokens: Any, end_token: Any,
        initial_state: Any, beam_width: Any, output_layer: Any = None,
        length_penalty_weight: Any = 0.0, coverage_penalty_weight: Any = 0.0,
        reorder_tensor_arrays: bool = True,
    ) -> None:  # fmt: skip
        assert_like_rnncell("cell", cell)
        check_layer(output_layer)
        self._cell, self._output_layer = cell, output_layer
        self._reorder_tensor_arrays = reorder_tensor_arrays
        self._embedding_fn, self._beam_width = rows_from(embedding), beam_width
        start, self._end_token = start_and_end(start_tokens, end_token)
        self._length_penalty_weight = length_penalty_weight
        self._coverage_penalty_weight = coverage_penalty_weight
        self._batch_size = size(start)
        self._initial_cell_state = nest.map_structure(
            self._split, initial_state, cell.state_size
        )
        self._start_tokens = tile(expand_dims(start, 1), [1, beam_width])
        self._start_inputs = self._embedding_fn(self._start_tokens)
        first = zeros([self._batch_size], "int32")
        self._finished = one_hot(
            first, beam_width, on_value=False, off_value=True, dtype="bool"
        )

    batch_size = property(lambda self: self._batch_size)

    @property
    def tracks_own_finished(self) -> bool:
        """True: after each step a place of the batch may hold another beam."""
        return True

    @property
    def output_size(self) -> Any:
        """BeamSearchDecoderOutput of TensorShapes."""
        beams = TensorShape([self._beam_width])
        return BeamSearchDecoderOutput(beams, beams, beams)

    def _dtype(self):
        return nest.flatten(self._initial_cell_state)[0].dtype

    @property
    def output_dtype(self) -> Any:
        """BeamSearchDecoderOutput of DTypes."""
        dtype, sizes = self._dtype(), size_behind(self._cell, self._output_layer)
        scores = nest.map_structure(lambda _: dtype, sizes)
        return BeamSearchDecoderOutput(scores, "int32", "int32")

    def initialize(self, name: str | None = None) -> Any:
        """(finished, first inputs, first state); only the first beam is possible."""
        dtype, n = self._dtype(), self._batch_size
        state = self._initial_cell_state
        logs = one_hot(
            zeros([n], "int32"), self._beam_width, dtype=dtype,
            on_value=convert_to_tensor(0.0, dtype=dtype),
            off_value=convert_to_tensor(-np.inf, dtype=dtype),
        )  # fmt: skip
        seen = attention_probs(state, self._coverage_penalty_weight)
        first = BeamSearchDecoderState(
            cell_state=state,
            log_probs=logs,
            finished=self._finished,
            lengths=zeros([n, self._beam_width], "int64"),
            accumulated_attention_probs=() if seen is None else zeros_like(seen),
        )
        return self._finished, self._start_inputs, first

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        """(FinalBeamSearchDecoderOutput, BeamSearchDecoderState) in order of beams."""
        longest = cast(reduce_max(final_state.lengths, axis=1), "int32")
        ids, parents = outputs.predicted_ids, outputs.parent_ids
        found = gather_tree(ids, parents, longest, self._end_token)
        if self._reorder_tensor_arrays:
            sorted_state = nest.map_structure(
                lambda t: self._sorted(t, parents, final_state.lengths),
                final_state.cell_state,
            )
            final_state = final_state._replace(cell_state=sorted_state)
        return FinalBeamSearchDecoderOutput(found, outputs), final_state

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """One step; see Decoder."""
        with name_scope(name, "BeamSearchDecoderStep"):
            inputs = nest.map_structure(lambda t: self._merge(t, t.shape[2:]), inputs)
            sizes = self._cell.state_size
            cell_state = nest.map_structure(self._merged, state.cell_state, sizes)
            outputs, cell_state = self._cell(inputs, cell_state)
            outputs = nest.map_structure(lambda t: self._split(t, t.shape[1:]), outputs)
            cell_state = nest.map_structure(self._split, cell_state, sizes)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            found, state = beam_search_step(
                time, outputs, cell_state, state, self._batch_size, self._beam_width,
                self._end_token, self._length_penalty_weight,
                self._coverage_penalty_weight,
            )  # fmt: skip
            inputs = cond(
                reduce_all(state.finished),
                lambda: self._start_inputs,
                lambda: self._embedding_fn(found.predicted_ids),
            )
        return found, state, inputs, state.finished

    # ------------------------------------------------------------------ shapes
    def _merge(self, t, inner):
        """[batch, beams, ...] as [batch * beams, ...]."""
        n = known_size(self._batch_size)
        whole = None if n is None else n * self._beam_width
        found = reshape(
            t, concat([[self._batch_size * self._beam_width], shape(t)[2:]], 0)
        )
        return set_known(found, TensorShape([whole]).concatenate(_inner(inner)))

    def _merged(self, t, inner):
        if isinstance(t, TensorArray):
            return t
        check_ndims(t)
        return self._merge(t, inner) if t.shape.ndims >= 2 else t

    def _split(self, t, inner):
        """[batch * beams, ...] as [batch, beams, ...]; arrays and scalars stay."""
        if isinstance(t, TensorArray):
            return t
        check_ndims(t)
        if t.shape.ndims < 1:
            return t
        lead = [known_size(self._batch_size), self._beam_width]
        found = reshape(
            t, concat([[self._batch_size, self._beam_width], shape(t)[1:]], 0)
        )
        set_known(found, TensorShape(lead).concatenate(t.shape[1:]))
        wanted = TensorShape(lead).concatenate(_inner(inner))
        if not found.shape.is_compatible_with(wanted):
            raise ValueError(
                "Unexpected behavior when reshaping between beam width and batch size."
                f"  The reshaped tensor has shape: {found.shape}.  We expected it to "
                f"have shape (batch_size, beam_width, depth) == {wanted}.  Perhaps you "
                "forgot to create a zero_state with batch_size=encoder_batch_size * "
                "beam_width?"
            )
        return set_known(found, wanted)

    def _sorted(self, t, parents, lengths):
        """The rows of a TensorArray in the order of the beams at the end."""
        if not isinstance(t, TensorArray):
            return t
        element = element_shape_of(t)
        if element.ndims is None or element.ndims < 1:
            warn(_UNSORTED, getattr(t.handle, "name", None), element)
            return t
        n = known_size(self._batch_size)
        if not may_be_beams(element, n, self._beam_width):
            return t
        rows = t.stack()
        check = check_batch_beam(rows, self._batch_size, self._beam_width)
        with control_dependencies([] if check is None else [check]):
            return gather_tree_from_array(rows, parents, lengths)


def _inner(size):
    """A size of a state as far as it is known."""
    return TensorShape(static_dims(dims_of(size)))


def element_shape_of(array):
    """What is known of the shape of a TensorArray's elements."""
    known = getattr(array, "_element_shape", None)
    if isinstance(known, list):
        return known[0] if known else TensorShape(None)
    return TensorShape(known)


def may_be_beams(element, batch_size, beam_width):
    """Whether elements may be [batch * beams, ...] or [batch, beams, ...].

    As in TensorFlow 1.12, a second size that is known must be that of the beams.
    """
    dims = element.as_list()
    if batch_size is None or dims[0] is None:
        return True
    second = None if len(dims) < 2 else dims[1]
    if dims[0] == batch_size * beam_width and second is None:
        return True
    if dims[0] == batch_size * beam_width == batch_size and second == beam_width:
        return True
    warn(
        "TensorArray reordering expects elements to be reshapable to %s which is "
        "incompatible with the current shape %s. Consider setting "
        "reorder_tensor_arrays to False to disable TensorArray reordering during the "
        "beam search.",
        TensorShape([batch_size, beam_width, None]),
        element,
    )
    return False


def check_batch_beam(t: Any, batch_size: Any, beam_width: Any) -> Any:
    """The check that steps are [batch * beams, ...] or [batch, beams, ...].

    Args:
        t: a tensor [time, ...].
    """
    sizes = shape(t)
    one = equal(sizes[1], batch_size * beam_width)
    if t.shape.ndims != 2:
        two = logical_and(equal(sizes[1], batch_size), equal(sizes[2], beam_width))
        one = one | two
    return Assert(one, [_UNFIT % (t.name if t.symbolic else "the")])


def gather_tree_from_array(t: Any, parent_ids: Any, sequence_length: Any) -> Any:
    """The rows of all steps in the order of the beams at the end.

    Args:
        t: a tensor [time, batch * beams, ...] or [time, batch, beams, ...].
        parent_ids: int32[time, batch, beams], the beam that each came from.
        sequence_length: int[batch, beams].
    Returns:
        A tensor like `t`.
    """
    times, n, width = (size_of(parent_ids, axis) for axis in (0, 1, 2))
    beams = reshape(range(width), [1, 1, width])
    beams = tile(beams, [times, n, 1])
    longest = cast(reduce_max(sequence_length, axis=1), "int32")
    order = gather_tree(beams, parent_ids, longest, width + 1)
    inside = transpose(sequence_mask(sequence_length, maxlen=times), [2, 0, 1])
    order = where(inside, order, beams)
    time = tile(reshape(range(times), [times, 1, 1]), [1, n, width])
    row = tile(reshape(range(n), [1, n, 1]), [times, 1, width])
    places = stack([time, row, order], -1)
    flat = reshape(t, [times, n, width, -1])
    return reshape(gather_nd(flat, places), shape(t))
