"""Decoders with attention that go through lists of steps.

Reference: Vinyals et al., Grammar as a foreign language (2014).
"""

import copy
from typing import Any

from twinflow.base import nest
from twinflow.base.dispatch import current_mode
from twinflow.contrib.legacy_seq2seq.decoders import likeliest_row, looped, switched
from twinflow.contrib.rnn.wrappers import (
    EmbeddingWrapper,
    OutputProjectionWrapper,
    projection,
)
from twinflow.contrib.seq2seq.attention import size_of
from twinflow.graph.variable_scope import (
    get_variable,
    get_variable_scope,
    variable_scope,
)
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import tanh
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import reshape
from twinflow.ops.nn.conv import conv2d
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.ops.nn.softmax import softmax
from twinflow.rnn.static import static_rnn


class _Heads:
    """Heads of attention to states float[batch, length, size]."""

    def __init__(self, states, num_heads):
        shape = states.shape
        if shape[2].value is None:
            raise ValueError(
                f"Shape[2] of attention_states must be known: {states.shape}"
            )
        self.length = size_of(states, 1)
        self.size = shape[2].value
        self.hidden = reshape(states, [-1, self.length, 1, self.size])
        self.keys, self.scales = [], []
        for a in range(num_heads):
            k = get_variable(f"AttnW_{a}", [1, 1, self.size, self.size])
            self.keys.append(conv2d(self.hidden, k, [1, 1, 1, 1], "SAME"))
            self.scales.append(get_variable(f"AttnV_{a}", [self.size]))

    def first(self, batch, dtype):
        """What the heads see at first: zeros."""
        found = [zeros([batch, self.size], dtype) for _ in self.keys]
        for t in found:
            if t.symbolic:
                t.set_shape([None, self.size])
        return found

    def __call__(self, query):
        """What each head sees."""
        if nest.is_sequence(query):
            flat = nest.flatten(query)
            for t in flat:
                if t.shape.ndims is not None and t.shape.ndims != 2:
                    raise ValueError(f"The state must have two axes: {t.shape}")
            query = concat(flat, 1)
        return [self._seen(a, query) for a in range(len(self.keys))]

    def _seen(self, a, query):
        with variable_scope(f"Attention_{a}"):
            y = reshape(projection(query, self.size), [-1, 1, 1, self.size])
            score = reduce_sum(self.scales[a] * tanh(self.keys[a] + y), [2, 3])
            share = reshape(softmax(score), [-1, self.length, 1, 1])
            found = reduce_sum(share * self.hidden, [1, 2])
            return reshape(found, [-1, self.size])


def attention_decoder(
    decoder_inputs: Any, initial_state: Any, attention_states: Any, cell: Any,
    output_size: Any = None, num_heads: Any = 1, loop_function: Any = None,
    dtype: Any = None, scope: Any = None, initial_state_attention: bool = False,
) -> Any:  # fmt: skip
    """`rnn_decoder` that sees states of an encoder at each step.

    Args:
        decoder_inputs, initial_state, cell, loop_function: see `rnn_decoder`.
        attention_states: float[batch, length, size], what is seen.
        output_size: that of the outputs; the cell's if not given.
        num_heads: how often it looks. dtype: that of the variables; float32 if not
            given. scope: the variable scope; "attention_decoder" if not given.
        initial_state_attention: whether the first state looks, too.
    Returns:
        (a list of float[batch, output_size], the last state)
    Raises:
        ValueError: there are no inputs or heads, or the size of the states is not
            known.
    """
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    if attention_states.shape[2].value is None:
        raise ValueError(
            f"Shape[2] of attention_states must be known: {attention_states.shape}"
        )
    width = cell.output_size if output_size is None else output_size
    with variable_scope(scope or "attention_decoder", dtype=dtype) as around:
        mode = current_mode()
        with mode.counted(5):
            batch = size_of(decoder_inputs[0], 0)
        heads = _Heads(attention_states, num_heads)
        state, outputs, former = initial_state, [], None
        with mode.counted(2 + 2 * num_heads):
            seen = heads.first(batch, around.dtype)
        if initial_state_attention:
            seen = heads(initial_state)
        for i, x in enumerate(decoder_inputs):
            if i > 0:
                get_variable_scope().reuse_variables()
            x = looped(loop_function, former, i, x)
            depth = x.shape.with_rank(2)[1].value
            if depth is None:
                raise ValueError(f"Could not infer input size from input: {x}")
            output, state = cell(projection([x, *seen], depth), state)
            if i == 0 and initial_state_attention:
                with variable_scope(get_variable_scope(), reuse=True):
                    seen = heads(state)
            else:
                seen = heads(state)
            with variable_scope("AttnOutputProjection"):
                output = projection([output, *seen], width)
            former = output if loop_function is not None else None
            outputs.append(output)
    return outputs, state


def embedding_attention_decoder(
    decoder_inputs: Any, initial_state: Any, attention_states: Any, cell: Any,
    num_symbols: Any, embedding_size: Any, num_heads: Any = 1, output_size: Any = None,
    output_projection: Any = None, feed_previous: bool = False,
    update_embedding_for_previous: bool = True, dtype: Any = None, scope: Any = None,
    initial_state_attention: bool = False,
) -> Any:  # fmt: skip
    """`attention_decoder` of integers, which are rows of a table.

    Args:
        decoder_inputs, output_projection, feed_previous,
            update_embedding_for_previous: see `embedding_rnn_decoder`.
        initial_state, attention_states, cell, num_heads, output_size, dtype,
            initial_state_attention: see `attention_decoder`.
        num_symbols, embedding_size: the shape of the table.
        scope: the variable scope; "embedding_attention_decoder" if not given.
    Returns:
        (a list of outputs, the last state)
    """
    width = cell.output_size if output_size is None else output_size
    if output_projection is not None:
        output_projection[1].shape.assert_is_compatible_with([num_symbols])
    with variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        table = get_variable("embedding", [num_symbols, embedding_size])
        loop = None
        if feed_previous:
            loop = likeliest_row(
                table, output_projection, update_embedding_for_previous
            )
        rows = [embedding_lookup(table, i) for i in decoder_inputs]
        return attention_decoder(
            rows, initial_state, attention_states, cell, width, num_heads, loop,
            initial_state_attention=initial_state_attention,
        )  # fmt: skip


def embedding_attention_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_encoder_symbols: Any,
    num_decoder_symbols: Any, embedding_size: Any, num_heads: Any = 1,
    output_projection: Any = None, feed_previous: Any = False, dtype: Any = None,
    scope: Any = None, initial_state_attention: bool = False,
) -> Any:  # fmt: skip
    """`embedding_rnn_seq2seq` whose decoder sees the outputs of the encoder.

    Args:
        encoder_inputs, decoder_inputs, cell, num_encoder_symbols,
            num_decoder_symbols, embedding_size, output_projection, feed_previous,
            dtype: see `embedding_rnn_seq2seq`.
        num_heads, initial_state_attention: see `attention_decoder`.
        scope: the variable scope; "embedding_attention_seq2seq" if not given.
    Returns:
        (a list of outputs, the last state)
    """
    name = scope or "embedding_attention_seq2seq"
    with variable_scope(name, dtype=dtype) as around:
        reader = EmbeddingWrapper(
            copy.deepcopy(cell), num_encoder_symbols, embedding_size
        )
        outputs, state = static_rnn(reader, encoder_inputs, dtype=around.dtype)
        rows = [reshape(y, [-1, 1, cell.output_size]) for y in outputs]
        states, width = concat(rows, 1), None
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
            width = num_decoder_symbols

        def decoded(feed, update):
            return embedding_attention_decoder(
                decoder_inputs, state, states, cell, num_decoder_symbols,
                embedding_size, num_heads, width, output_projection, feed,
                update, initial_state_attention=initial_state_attention,
            )  # fmt: skip

        return switched(feed_previous, decoded)
