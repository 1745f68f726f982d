"""Encoders and decoders that go through lists of steps."""

import copy
from typing import Any

from twinflow.contrib.rnn.wrappers import EmbeddingWrapper, OutputProjectionWrapper
from twinflow.graph.variable_scope import (
    get_variable,
    get_variable_scope,
    variable_scope,
)
from twinflow.ops.core.constant import stop_gradient
from twinflow.ops.math.positions import argmax
from twinflow.ops.nn.bias import xw_plus_b
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.rnn.static import static_rnn


def rnn_decoder(
    decoder_inputs: Any, initial_state: Any, cell: Any, loop_function: Any = None,
    scope: Any = None,
) -> Any:  # fmt: skip
    """Run a cell over a list of inputs, or over what it has put out itself.

    Args:
        decoder_inputs: a list of float[batch, size]. initial_state: the first state.
        cell: an RNNCell.
        loop_function: called with (the output, the step before); gives the next input.
        scope: the variable scope; "rnn_decoder" if not given.
    Returns:
        (a list of outputs, the last state)
    """
    with variable_scope(scope or "rnn_decoder"):
        state, outputs, former = initial_state, [], None
        for i, x in enumerate(decoder_inputs):
            if loop_function is not None and former is not None:
                with variable_scope("loop_function", reuse=True):
                    x = loop_function(former, i)
            if i > 0:
                get_variable_scope().reuse_variables()
            output, state = cell(x, state)
            outputs.append(output)
            if loop_function is not None:
                former = output
    return outputs, state


def basic_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, dtype: Any = None,
    scope: Any = None,
) -> Any:  # fmt: skip
    """Read a list with a copy of the cell, then write one with the cell.

    Args:
        encoder_inputs, decoder_inputs: lists of float[batch, size]. cell: an RNNCell.
        dtype: that of the first state; float32 if not given. scope: the variable scope.
    Returns:
        (a list of outputs, the last state)
    """
    with variable_scope(scope or "basic_rnn_seq2seq"):
        reader = copy.deepcopy(cell)
        _, state = static_rnn(reader, encoder_inputs, dtype=dtype or "float32")
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, loop_function: Any = None,
    dtype: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """As `basic_rnn_seq2seq`, with the same variables for reading and writing."""
    with variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(
            cell, encoder_inputs, dtype=dtype or "float32", scope=scope
        )
        get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function, scope)


def embedding_rnn_decoder(
    decoder_inputs: Any, initial_state: Any, cell: Any, num_symbols: Any,
    embedding_size: Any, output_projection: Any = None, feed_previous: bool = False,
    update_embedding_for_previous: bool = True, scope: Any = None,
) -> Any:  # fmt: skip
    """`rnn_decoder` of integers, which are rows of a table.

    Args:
        decoder_inputs: a list of int[batch]. num_symbols, embedding_size: of the table.
        output_projection: (W, b) from outputs to symbols, or None.
        feed_previous: take the likeliest symbol as the next input.
        update_embedding_for_previous: let gradients pass through that symbol's row.
    Returns:
        (a list of outputs, the last state)
    """
    with variable_scope(scope or "embedding_rnn_decoder"):
        table = get_variable("embedding", [num_symbols, embedding_size])

        def likeliest(former, _):
            if output_projection is not None:
                former = xw_plus_b(former, *output_projection)
            row = embedding_lookup(table, argmax(former, 1))
            return row if update_embedding_for_previous else stop_gradient(row)

        rows = [embedding_lookup(table, i) for i in decoder_inputs]
        loop = likeliest if feed_previous else None
        return rnn_decoder(rows, initial_state, cell, loop)


def embedding_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_encoder_symbols: Any,
    num_decoder_symbols: Any, embedding_size: Any, output_projection: Any = None,
    feed_previous: bool = False, dtype: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """`basic_rnn_seq2seq` of integers, with a table for each side.

    Args:
        encoder_inputs, decoder_inputs: lists of int[batch].
        feed_previous: a bool; see `embedding_rnn_decoder`.
    Returns:
        (a list of outputs, the last state)
    """
    with variable_scope(scope or "embedding_rnn_seq2seq") as around:
        if dtype is not None:
            around.set_dtype(dtype)
        reader = EmbeddingWrapper(
            copy.deepcopy(cell), num_encoder_symbols, embedding_size
        )
        _, state = static_rnn(reader, encoder_inputs, dtype=dtype or "float32")
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
        return embedding_rnn_decoder(
            decoder_inputs, state, cell, num_decoder_symbols, embedding_size,
            output_projection, feed_previous,
        )  # fmt: skip
