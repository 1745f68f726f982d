"""tf.nn.static_rnn and its kin: a cell called once for each of a list of inputs."""

from typing import Any

from twinflow.base import nest
from twinflow.base.advice import advised
from twinflow.graph.scopes import control_dependencies
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.arrays.rearrange import reverse_sequence
from twinflow.ops.core.constant import identity
from twinflow.ops.core.joining import concat, stack, unstack
from twinflow.rnn.cells.base import assert_like_rnncell
from twinflow.rnn.steps import CellStep, batch_size_of, first_state, lengths_of


def static_rnn(
    cell: Any, inputs: Any, initial_state: Any = None, dtype: Any = None,
    sequence_length: Any = None, scope: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Run a cell over a list of inputs; the graph grows by a cell for each.

    Args:
        cell: an RNNCell.
        inputs: a list of float[batch, input_size], or of structures of them.
        initial_state: the first state; zeros of `dtype` if not given.
        dtype: that of the first state.
        sequence_length: int32[batch]: from its length on a row gives zeros and keeps
            its state.
        scope: the variable scope; `rnn` if not given.
    Returns:
        (a list of outputs, the last state)
    Raises:
        TypeError: `cell` is no cell, or `inputs` is no list.
        ValueError: there are no inputs, or a shape or the dtype is missing.
    Example:
        cell, x = tf.nn.rnn_cell.GRUCell(4), tf.ones([2, 5, 3])
        ys, state = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
        len(ys)  # 5
    """
    assert_like_rnncell("cell", cell)
    _check_inputs(inputs)
    with variable_scope(scope or "rnn") as around:
        batch = _batch_size(inputs)
        state = initial_state
        if state is None:
            if not dtype:
                raise ValueError(
                    "If no initial_state is provided, dtype must be specified"
                )
            state = first_state(cell, batch, dtype)
        lengths = lengths_of(sequence_length)
        step = CellStep(cell, lengths, batch, dtype, state, skip=True)
        outputs = []
        for time, x in enumerate(inputs):
            if time:
                around.reuse_variables()
            output, state = step(time, x, state)
            outputs.append(output)
        return outputs, state


def _check_inputs(inputs):
    if not nest.is_sequence(inputs):
        raise advised(TypeError, "inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")


def _batch_size(inputs):
    """The size of the batch; the inputs must agree in it, and their depth be known."""
    flat = nest.flatten(inputs)
    if flat[0].shape.ndims == 1:
        return batch_size_of(flat, 0)
    batch = flat[0].shape.with_rank_at_least(2)[0]
    for x in flat:
        shape = x.shape.with_rank_at_least(2)
        batch = batch.merge_with(shape[0])
        for i, size in enumerate(shape[1:]):
            if size.value is None:
                raise ValueError(
                    f"Input size (dimension {i} of inputs) must be accessible via "
                    "shape inference, but saw value None."
                )
    return batch.value if batch.value is not None else batch_size_of(flat, 0)


def static_bidirectional_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, initial_state_fw: Any = None,
    initial_state_bw: Any = None, dtype: Any = None, sequence_length: Any = None,
    scope: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Run one cell from the first input to the last, and another one back.

    Args:
        cell_fw, cell_bw: the RNNCells of the two directions.
        inputs, dtype, sequence_length: see tf.nn.static_rnn.
        initial_state_fw, initial_state_bw: the first states.
        scope: the variable scope; `bidirectional_rnn` if not given.
    Returns:
        (a list of outputs, forward and backward side by side; the last state of each)
    Raises:
        TypeError, ValueError: see tf.nn.static_rnn.
    """
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    _check_inputs(inputs)
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as forward:
            output_fw, state_fw = static_rnn(
                cell_fw, inputs, initial_state_fw, dtype, sequence_length, forward
            )
        with variable_scope("bw") as backward:
            back = _turned(inputs, sequence_length)
            found, state_bw = static_rnn(
                cell_bw, back, initial_state_bw, dtype, sequence_length, backward
            )
    output_bw = _turned(found, sequence_length)
    pairs = zip(nest.flatten(output_fw), nest.flatten(output_bw), strict=True)
    both = [concat([a, b], 1) for a, b in pairs]
    return nest.pack_sequence_as(output_fw, both), state_fw, state_bw


def _turned(inputs, lengths):
    """A list in reverse: of each row as much as it is long."""
    if lengths is None:
        return list(reversed(inputs))
    columns = zip(*(nest.flatten(x) for x in inputs), strict=True)
    turned = [_turned_rows(column, lengths) for column in columns]
    return [
        nest.pack_sequence_as(x, list(row))
        for x, row in zip(inputs, zip(*turned, strict=True), strict=True)
    ]


def _turned_rows(column, lengths):
    found = unstack(reverse_sequence(stack(list(column)), lengths, 0, 1))
    for t, like in zip(found, column, strict=True):
        if t.symbolic:
            t.set_shape(like.shape)
    return found


def static_state_saving_rnn(
    cell: Any, inputs: Any, state_saver: Any, state_name: Any,
    sequence_length: Any = None, scope: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """As tf.nn.static_rnn, with the state taken from and given to a saver.

    Args:
        cell, inputs, sequence_length, scope: see tf.nn.static_rnn.
        state_saver: an object with `state(name)` and `save_state(name, value)`.
        state_name: the name of the state, or a structure of names like `state_size`.
    Returns:
        (a list of outputs, the last state); they come after the state was saved.
    Raises:
        TypeError, ValueError: see tf.nn.static_rnn; or the names do not fit the state.
    """
    size = cell.state_size
    if nest.is_sequence(size) != nest.is_sequence(state_name):
        raise ValueError(
            "state_name should be the same type as cell.state_size.  state_name: "
            f"{state_name}, cell.state_size: {size}"
        )
    names, sizes = nest.flatten(state_name), nest.flatten(size)
    if len(names) != len(sizes):
        raise ValueError(
            f"#elems(state_name) != #elems(state_size): {len(names)} vs. {len(sizes)}"
        )
    first = nest.pack_sequence_as(size, [state_saver.state(n) for n in names])
    outputs, state = static_rnn(
        cell, inputs, first, sequence_length=sequence_length, scope=scope
    )
    pairs = zip(names, nest.flatten(state), strict=True)
    saved = [state_saver.save_state(n, s) for n, s in pairs]
    with control_dependencies(saved):
        outputs[-1] = nest.map_structure(identity, outputs[-1])
        return outputs, nest.map_structure(identity, state)
