"""tf.nn.raw_rnn: a loop over time whose inputs, states and end the user chooses."""

from typing import Any

from twinflow.base import nest
from twinflow.base.shapes import TensorShape
from twinflow.graph.variable_scope import variable_scope
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.compare import logical_not, logical_or, where
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.tensor_array.arrays import TensorArray
from twinflow.rnn.cells.base import (
    assert_like_rnncell,
    dims_of,
    of_unknown_length,
    static_dims,
    zeros_of,
)


def raw_rnn(
    cell: Any, loop_fn: Any, parallel_iterations: Any = None, swap_memory: bool = False,
    scope: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Run a cell for as long as `loop_fn` says, on the inputs that it gives.

    Args:
        cell: an RNNCell.
        loop_fn: a function from (time, cell_output, cell_state, loop_state) to
            (elements_finished bool[batch], next_input, next_cell_state, emit_output,
            next_loop_state). At first it is called with (0, None, None, None); its
            state is then the first one, and `emit_output` says what is emitted (None =
            the cell's output).
        scope: the variable scope; `rnn` if not given.
        parallel_iterations, swap_memory: see tf.while_loop.
    Returns:
        (TensorArrays of what was emitted, the last cell state, the last loop state)
    Raises:
        TypeError: `cell` is no cell, or `loop_fn` no function.
        ValueError: `loop_fn` gives other structures than it began with.
    """
    assert_like_rnncell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with variable_scope(scope or "rnn"):
        loop = _Loop(cell, loop_fn)
        return loop.run(parallel_iterations or 32, swap_memory)


class _Loop:
    def __init__(self, cell, loop_fn):
        self.cell, self.loop_fn = cell, loop_fn
        self.time = constant(0)
        found = loop_fn(self.time, None, None, None)
        self.finished, self.inputs, state, emit, self.first_loop_state = found
        inputs = nest.flatten(self.inputs)
        static = inputs[0].shape[0]
        for x in inputs:
            static = static.merge_with(x.shape[0])
        self.batch = static.value
        nest.assert_same_structure(state, cell.state_size)
        self.state = nest.map_structure(convert_to_tensor, state)
        batch = self.batch if self.batch is not None else shape_of(inputs[0])[0]
        self._set_emitted(emit, batch)

    def _set_emitted(self, emit, batch):
        """The arrays of what is emitted, and what rows that have ended emit."""
        if emit is None:
            like = self.cell.output_size
            dtype = nest.flatten(self.state)[0].dtype
            kinds = [(dtype, size) for size in nest.flatten(like)]
        else:
            like = emit
            kinds = [(e.dtype, _size(e)) for e in nest.flatten(emit)]
        arrays = [
            TensorArray(
                dtype, 0, dynamic_size=True, name=f"rnn_output_{i}",
                element_shape=_element_shape(self.batch, size),
            )
            for i, (dtype, size) in enumerate(kinds)
        ]  # fmt: skip
        zeros = [zeros_of(batch, size, dtype) for dtype, size in kinds]
        self.emitted = nest.pack_sequence_as(like, arrays)
        self.zero_emit = nest.pack_sequence_as(like, zeros)

    def once(self, time, finished, inputs, emitted, state, loop_state):
        """One step of the cell, and what `loop_fn` makes of it."""
        output, cell_state = self.cell(inputs, state)
        nest.assert_same_structure(state, cell_state)
        nest.assert_same_structure(self.cell.output_size, output)
        found = self.loop_fn(time + 1, output, cell_state, loop_state)
        next_finished, next_inputs, next_state, emit, next_loop_state = found
        nest.assert_same_structure(state, next_state)
        nest.assert_same_structure(inputs, next_inputs)
        nest.assert_same_structure(emitted, emit)
        if next_loop_state is not None:
            loop_state = next_loop_state

        def chosen(old, new):
            plain = isinstance(old, TensorArray) or old.shape.ndims == 0
            return new if plain else where(finished, old, new)

        emit = nest.map_structure(chosen, self.zero_emit, emit)
        state = nest.map_structure(chosen, state, next_state)
        emitted = nest.map_structure(lambda a, e: a.write(time, e), emitted, emit)
        finished = logical_or(finished, next_finished)
        return time + 1, finished, next_inputs, emitted, state, loop_state

    def run(self, parallel_iterations, swap_memory):
        """What was emitted, the last state and the last loop state."""
        loop_state = self.first_loop_state
        start = [
            self.time, self.finished, self.inputs, self.emitted, self.state,
            constant(0) if loop_state is None else loop_state,
        ]  # fmt: skip
        *_, emitted, state, last = while_loop(
            lambda time, finished, *_: logical_not(reduce_all(finished)),
            self.once, start, parallel_iterations=parallel_iterations,
            swap_memory=swap_memory,
        )  # fmt: skip
        return emitted, state, None if loop_state is None else last


def _element_shape(batch, size):
    """What is known of the shape of what a step emits."""
    if of_unknown_length(size):
        return TensorShape(None)
    return TensorShape([batch, *static_dims(dims_of(size))])


def _size(emit):
    """The shape of something that one row emits."""
    return emit.shape if emit.shape.is_fully_defined() else shape_of(emit)
