"""Encoders and decoders that go through lists of steps."""

import copy
from typing import Any

from twinflow.base import dtypes, nest
from twinflow.contrib.rnn.wrappers import EmbeddingWrapper, OutputProjectionWrapper
from twinflow.graph.cond import cond
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


def looped(loop_function, former, i, x):
    """The input of step `i`: `x`, or what the loop function makes of the output."""
    if loop_function is None or former is None:
        return x
    with variable_scope("loop_function", reuse=True):
        return loop_function(former, i)


def likeliest_row(table, output_projection=None, update=True):
    """The loop function that takes the row of the likeliest symbol."""

    def likeliest(former, _):
        if output_projection is not None:
            former = xw_plus_b(former, *output_projection)
        row = embedding_lookup(table, argmax(former, 1))
        return row if update else stop_gradient(row)

    return likeliest


def switched(feed_previous, decoded, update=False):
    """`decoded(feed_previous, True)`, of which a tensor chooses when the graph runs.

    Then gradients pass through rows of the likeliest symbols only with `update`.
    """
    if isinstance(feed_previous, bool):
        return decoded(feed_previous, True)
    sizes = []

    def traced(feed):
        reuse = None if feed else True
        with variable_scope(get_variable_scope(), reuse=reuse):
            found = decoded(feed, update)
        sizes.append(found)
        return nest.flatten(found)

    flat = cond(feed_previous, lambda: traced(True), lambda: traced(False))
    return nest.pack_sequence_as(sizes[0], flat)


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
            x = looped(loop_function, former, i, x)
            if i > 0:
                get_variable_scope().reuse_variables()
            output, state = cell(x, state)
            outputs.append(output)
            if loop_function is not None:
                former = output
    return outputs, state


def basic_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any,
    dtype: Any = dtypes.float32, scope: Any = None,
) -> Any:  # fmt: skip
    """Read a list with a copy of the cell, then write one with the cell.

    Args:
        encoder_inputs, decoder_inputs: lists of float[batch, size]. cell: an RNNCell.
        dtype: that of the first state; float32 by default. scope: the variable scope.
    Returns:
        (a list of outputs, the last state)
    """
    with variable_scope(scope or "basic_rnn_seq2seq"):
        reader = copy.deepcopy(cell)
        _, state = static_rnn(reader, encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, loop_function: Any = None,
    dtype: Any = dtypes.float32, scope: Any = None,
) -> Any:  # fmt: skip
    """As `basic_rnn_seq2seq`, with the same variables for reading and writing."""
    with variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
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
        rows = [embedding_lookup(table, i) for i in decoder_inputs]
        update = update_embedding_for_previous
        loop = (
            likeliest_row(table, output_projection, update) if feed_previous else None
        )
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

        def decoded(feed, update):
            return embedding_rnn_decoder(
                decoder_inputs, state, cell, num_decoder_symbols, embedding_size,
                output_projection, feed, update,
            )  # fmt: skip

        return switched(feed_previous, decoded)


def embedding_tied_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_symbols: Any,
    embedding_size: Any, num_decoder_symbols: Any = None, output_projection: Any = None,
    feed_previous: Any = False, dtype: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """`tied_rnn_seq2seq` of integers, with one table for both sides.

    Args:
        encoder_inputs, decoder_inputs: lists of int[batch]. cell: an RNNCell.
        num_symbols, embedding_size: the shape of the table.
        num_decoder_symbols: the size of the outputs; `num_symbols` if not given.
        output_projection, feed_previous, dtype: see `embedding_rnn_seq2seq`.
        scope: the variable scope; "embedding_tied_rnn_seq2seq" if not given.
    Returns:
        (a list of outputs, the last state)
    """
    width = num_symbols if num_decoder_symbols is None else num_decoder_symbols
    if output_projection is not None:
        output_projection[1].shape.assert_is_compatible_with([width])
    name = scope or "embedding_tied_rnn_seq2seq"
    with variable_scope(name, dtype=dtype) as around:
        table = get_variable("embedding", [num_symbols, embedding_size])
        read = [embedding_lookup(table, i) for i in encoder_inputs]
        written = [embedding_lookup(table, i) for i in decoder_inputs]
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, width)

        def decoded(feed, update):
            loop = likeliest_row(table, output_projection, update) if feed else None
            return tied_rnn_seq2seq(read, written, cell, loop, around.dtype)

        return switched(feed_previous, decoded)


def one2many_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs_dict: Any, enc_cell: Any, dec_cells_dict: Any,
    num_encoder_symbols: Any, num_decoder_symbols_dict: Any, embedding_size: Any,
    feed_previous: Any = False, dtype: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """An encoder for several decoders.

    Args:
        encoder_inputs: a list of int[batch]. enc_cell: an RNNCell.
        decoder_inputs_dict, dec_cells_dict, num_decoder_symbols_dict: what
            `embedding_rnn_seq2seq` takes, by the names of the decoders.
        num_encoder_symbols, embedding_size, feed_previous, dtype: see there.
        scope: the variable scope; "one2many_rnn_seq2seq" if not given.
    Returns:
        (a dict of lists of outputs, a dict of the last states)
    """
    outputs, states = {}, {}
    name = scope or "one2many_rnn_seq2seq"
    with variable_scope(name, dtype=dtype) as around:
        reader = EmbeddingWrapper(enc_cell, num_encoder_symbols, embedding_size)
        _, state = static_rnn(reader, encoder_inputs, dtype=around.dtype)
        for key, inputs in decoder_inputs_dict.items():
            symbols = num_decoder_symbols_dict[key]
            with variable_scope(f"one2many_decoder_{key}", dtype=around.dtype):
                cell = OutputProjectionWrapper(dec_cells_dict[key], symbols)
                decoded = _decoding(inputs, state, cell, symbols, embedding_size)
                outputs[key], states[key] = switched(feed_previous, decoded, True)
    return outputs, states


def _decoding(inputs, state, cell, symbols, embedding_size):
    def decoded(feed, update):
        return embedding_rnn_decoder(
            inputs, state, cell, symbols, embedding_size, None, feed, update
        )

    return decoded
