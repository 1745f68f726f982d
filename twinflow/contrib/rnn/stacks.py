"""Several bidirectional layers on top of each other."""

from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import range as range_
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import rank, shape
from twinflow.ops.core.transposing import transpose
from twinflow.rnn.dynamic import bidirectional_dynamic_rnn
from twinflow.rnn.static import static_bidirectional_rnn


def stack_bidirectional_rnn(
    cells_fw: Any, cells_bw: Any, inputs: Any, initial_states_fw: Any = None,
    initial_states_bw: Any = None, dtype: Any = None, sequence_length: Any = None,
    scope: Any = None,
) -> Any:  # fmt: skip
    """Layers of tf.nn.static_bidirectional_rnn; each reads the outputs of the former.

    Args:
        cells_fw, cells_bw: lists of cells, a pair for each layer.
        inputs: a list of float[batch, input_size].
        initial_states_fw, initial_states_bw: lists of first states.
        dtype, sequence_length: see tf.nn.static_rnn. scope: "stack_bidirectional_rnn".
    Returns:
        (outputs, the last forward state of each layer, the backward ones)
    Raises:
        ValueError: the lists are empty or of different lengths.
    """
    firsts = _checked(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    last_fw, last_bw, outputs = [], [], inputs
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (fw, bw, first_fw, first_bw) in enumerate(firsts):
            with variable_scope(f"cell_{i}") as around:
                outputs, state_fw, state_bw = static_bidirectional_rnn(
                    fw, bw, outputs, first_fw, first_bw, dtype, sequence_length, around
                )
            last_fw.append(state_fw)
            last_bw.append(state_bw)
    return outputs, tuple(last_fw), tuple(last_bw)


def stack_bidirectional_dynamic_rnn(
    cells_fw: Any, cells_bw: Any, inputs: Any, initial_states_fw: Any = None,
    initial_states_bw: Any = None, dtype: Any = None, sequence_length: Any = None,
    parallel_iterations: Any = None, time_major: bool = False, scope: Any = None,
) -> Any:  # fmt: skip
    """Layers of tf.nn.bidirectional_dynamic_rnn; see `stack_bidirectional_rnn`.

    Args:
        inputs: float[batch, time, size], or [time, batch, size] if `time_major`.
    Returns:
        (float[batch, time, forward + backward], forward states, backward states)
    """
    firsts = _checked(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    last_fw, last_bw, outputs = [], [], inputs
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (fw, bw, first_fw, first_bw) in enumerate(firsts):
            with variable_scope(f"cell_{i}"):
                outputs, (state_fw, state_bw) = bidirectional_dynamic_rnn(
                    fw, bw, outputs, sequence_length, first_fw, first_bw, dtype,
                    parallel_iterations, time_major=time_major,
                )  # fmt: skip
                outputs = concat(outputs, 2)
            last_fw.append(state_fw)
            last_bw.append(state_bw)
    return outputs, tuple(last_fw), tuple(last_bw)


def _checked(cells_fw, cells_bw, firsts_fw, firsts_bw):
    """(forward cell, backward cell, first states) of each layer."""
    n = len(cells_fw) if isinstance(cells_fw, list) else 0
    for name, cells in (("fw", cells_fw), ("bw", cells_bw)):
        if not isinstance(cells, list) or not cells:
            text = f"Must specify at least one {name} cell for BidirectionalRNN."
            raise ValueError(text)
    if n != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for name, firsts in (("fw", firsts_fw), ("bw", firsts_bw)):
        if firsts is not None and (not isinstance(firsts, list) or len(firsts) != n):
            raise ValueError(
                f"initial_states_{name} must be a list of state tensors "
                f"(one per layer), but got {firsts!r}."
            )
    none = [None] * n
    return list(zip(cells_fw, cells_bw, firsts_fw or none, firsts_bw or none))


def transpose_batch_time(x: Any) -> Any:
    """x with its first two axes exchanged; x itself where it has fewer.

    Args:
        x: a tensor [batch, time, ...].
    """
    known = x.shape.ndims
    if known is not None and known < 2:
        return x
    if known is not None:
        return transpose(x, [1, 0, *range(2, known)])
    return transpose(x, concat([[1, 0], range_(2, rank(x))], 0))


def best_effort_input_batch_size(flat_input: Any) -> Any:
    """The batch size of time-major inputs: an int where it is known, else a tensor."""
    for x in flat_input:
        x = x if isinstance(x, Tensor) else convert_to_tensor(x)
        known = x.shape.as_list() if x.shape.ndims is not None else []
        if len(known) > 1 and known[1] is not None:
            return known[1]
    return shape(flat_input[0])[1]
