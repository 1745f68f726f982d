"""Cells over time, with the interface of tf.contrib.recurrent."""

from typing import Any

from twinflow.base import nest
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.arrays.rearrange import reverse as reversed_along
from twinflow.ops.arrays.rearrange import reverse_sequence
from twinflow.rnn.dynamic import bidirectional_dynamic_rnn, dynamic_rnn


def functional_rnn(
    cell: Any, inputs: Any, sequence_length: Any = None, initial_state: Any = None,
    dtype: Any = None, time_major: bool = False, scope: Any = None,
    use_tpu: bool = False, reverse: bool = False,
) -> tuple[Any, ...]:  # fmt: skip
    """Run a cell over the time steps of its inputs.

    Args:
        reverse: whether to go from the end to the start. use_tpu: accepted.
        others: see tf.nn.dynamic_rnn.
    Returns:
        (outputs, with time and batch where the inputs have them; the last state)
    Example:
        cell = tf.nn.rnn_cell.GRUCell(4)
        x = tf.ones([2, 3, 5])
        y, last = tf.contrib.recurrent.functional_rnn(cell, x, dtype=tf.float32)
        y  # float32[2, 3, 4]
    """
    options = {
        "sequence_length": sequence_length, "initial_state": initial_state,
        "dtype": dtype, "time_major": time_major, "scope": scope,
    }  # fmt: skip
    if not reverse:
        return dynamic_rnn(cell, inputs, **options)
    turned = _turned(inputs, sequence_length, time_major)
    outputs, last = dynamic_rnn(cell, turned, **options)
    return _turned(outputs, sequence_length, time_major), last


def _turned(values, lengths, time_major):
    """Values in the other order of time."""
    time = 0 if time_major else 1

    def turn(x):
        if lengths is None:
            return reversed_along(x, [time])
        return reverse_sequence(x, lengths, seq_axis=time, batch_axis=1 - time)

    return nest.map_structure(turn, values)


def bidirectional_functional_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, initial_state_fw: Any = None,
    initial_state_bw: Any = None, dtype: Any = None, sequence_length: Any = None,
    time_major: bool = False, use_tpu: bool = False, fast_reverse: bool = False,
    scope: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Run a cell over the time steps of its inputs, and another one backwards.

    Args:
        fast_reverse: whether to turn whole sequences, whatever their lengths are.
        use_tpu: accepted. others: see tf.nn.bidirectional_dynamic_rnn.
    Returns:
        ((outputs forwards, backwards), (last state forwards, backwards))
    """
    if not fast_reverse:
        return bidirectional_dynamic_rnn(
            cell_fw, cell_bw, inputs, sequence_length, initial_state_fw,
            initial_state_bw, dtype, time_major=time_major, scope=scope,
        )  # fmt: skip
    with variable_scope(scope or "bidirectional_rnn"):
        forwards = functional_rnn(
            cell_fw, inputs, sequence_length, initial_state_fw, dtype, time_major, "fw"
        )
        turned = _turned(inputs, None, time_major)
        outputs, last = functional_rnn(
            cell_bw, turned, sequence_length, initial_state_bw, dtype, time_major, "bw"
        )
    outputs = _turned(outputs, None, time_major)
    return (forwards[0], outputs), (forwards[1], last)
