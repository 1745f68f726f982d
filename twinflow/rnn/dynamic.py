"""tf.nn.dynamic_rnn: a cell in a loop over time, in one direction or in both."""

import builtins
from typing import Any

from twinflow.base import nest
from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import control_dependencies
from twinflow.graph.variable_scope import variable_scope
from twinflow.graph.while_loop import while_loop
from twinflow.ops.arrays.rearrange import reverse, reverse_sequence
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import constant, convert_to_tensor, identity
from twinflow.ops.core.creation import range
from twinflow.ops.core.elementwise import maximum, minimum
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import reduce_all, reduce_max
from twinflow.ops.core.shape import rank
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.core.transposing import transpose
from twinflow.ops.debugging.checks import Assert
from twinflow.ops.tensor_array.arrays import TensorArray
from twinflow.rnn.cells.base import assert_like_rnncell, dims_of, static_dims
from twinflow.rnn.steps import (
    CellStep,
    batch_size_of,
    dtype_of,
    first_state,
    in_graph,
    lengths_of,
)


def dynamic_rnn(
    cell: Any, inputs: Any, sequence_length: Any = None, initial_state: Any = None,
    dtype: Any = None, parallel_iterations: Any = None, swap_memory: bool = False,
    time_major: bool = False, scope: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Run a cell over the time steps of its inputs.

    Args:
        cell: an RNNCell.
        inputs: float[batch, time, ...] (float[time, batch, ...] if `time_major`), or a
            structure of them.
        sequence_length: int32[batch]: from its length on a row gives zeros and keeps
            its state; all steps if not given.
        initial_state: the first state; zeros of `dtype` if not given.
        dtype: that of the first state and of the outputs.
        time_major: whether time is the first axis, not the second.
        scope: the variable scope; `rnn` if not given.
        parallel_iterations, swap_memory: see tf.while_loop.
    Returns:
        (outputs, with time and batch where the inputs have them; the last state)
    Raises:
        TypeError: `cell` is no cell. ValueError: a shape or the dtype is missing.
    Example:
        cell = tf.nn.rnn_cell.GRUCell(4)
        y, state = tf.nn.dynamic_rnn(cell, tf.ones([2, 5, 3]), dtype=tf.float32)
        y.shape.as_list()  # [2, 5, 4]
    """
    assert_like_rnncell("cell", cell)
    with variable_scope(scope or "rnn"):
        flat = nest.flatten(inputs)
        if not time_major:
            flat = [_swapped(convert_to_tensor(x)) for x in flat]
        flat = [convert_to_tensor(x) for x in flat]
        lengths = lengths_of(sequence_length)
        if lengths is not None:
            lengths = identity(lengths, name="sequence_length")
        batch_size = batch_size_of(flat, 1)
        state = initial_state
        if state is None:
            if not dtype:
                raise advised(
                    ValueError, "If there is no initial_state, you must give a dtype."
                )
            state = first_state(cell, batch_size, dtype)
        if lengths is not None and in_graph():
            lengths = _checked(lengths, batch_size)
        rows = nest.pack_sequence_as(inputs, flat)
        options = {
            "parallel_iterations": parallel_iterations or 32,
            "swap_memory": swap_memory,
        }
        outputs, state = _Loop(cell, rows, state, lengths, dtype).run(options)
        if not time_major:
            outputs = nest.map_structure(_swapped, outputs)
        return outputs, state


def _swapped(x):
    """`x` with its first two axes exchanged."""
    ndim = x.shape.ndims
    if ndim is not None and ndim < 2:
        return x
    if ndim is None:
        return transpose(x, concat([[1, 0], range(2, rank(x))], 0))
    with current_mode().counted(8):
        return transpose(x, [1, 0, *builtins.range(2, ndim)])


def _checked(lengths, batch_size):
    """The lengths; the run fails if there are not as many as rows."""
    found = lengths.shape[0].value
    if found is not None and found == batch_size:
        current_mode().leave_ids(11)
        return lengths
    wanted, sizes = stack([batch_size]), shape_of(lengths)
    check = Assert(
        reduce_all(equal(sizes, wanted)),
        [
            f"Expected shape for Tensor {lengths.name} is ",
            wanted,
            " but saw shape: ",
            sizes,
        ],
    )
    with control_dependencies([check]):
        return identity(lengths, name="CheckSeqLen")


class _Loop:
    """The loop over time; `inputs` have time as their first axis."""

    def __init__(self, cell, inputs, state, lengths, dtype):
        self.cell, self.inputs, self.state, self.lengths = cell, inputs, state, lengths
        flat = nest.flatten(inputs)
        self.shapes = [x.shape.with_rank_at_least(3) for x in flat]
        self._check()
        batch = batch_size_of(flat, 1)
        self.steps = shape_of(flat[0])[0]
        ids = 7 if isinstance(batch, Tensor) else 6
        with current_mode().counted(ids * len(nest.flatten(cell.output_size))):
            self.step = CellStep(cell, lengths, batch, dtype, state)
        self.rows = [
            self._array(f"input_{i}", x.dtype, x.shape[1:]).unstack(x)
            for i, x in enumerate(flat)
        ]
        kind = dtype_of(dtype, state)
        self.outputs = [
            self._array(f"output_{i}", kind, self._output_shape(size)[1:])
            for i, size in enumerate(nest.flatten(cell.output_size))
        ]

    def _check(self):
        first = self.shapes[0]
        for shape in self.shapes:
            if not shape[2:].is_fully_defined():
                raise ValueError(
                    "Input size (depth of inputs) must be accessible via shape "
                    "inference, but saw value None."
                )
            if shape[0].value != first[0].value:
                raise ValueError(
                    "Time steps is not the same for all the elements in the input in a "
                    "batch."
                )
            if shape[1].value != first[1].value:
                raise ValueError(
                    "Batch_size is not the same for all the elements in the input."
                )

    def _output_shape(self, size):
        """The static shape of an output, with time and batch."""
        time, batch = self.shapes[0].as_list()[:2]
        return TensorShape([time, batch, *static_dims(dims_of(size))])

    def _array(self, name, dtype, shape):
        return TensorArray(
            dtype, self.steps, element_shape=shape, tensor_array_name=f"rnn/{name}"
        )

    def once(self, time, outputs, state):
        """One time step."""
        rows = [a.read(time) for a in self.rows]
        for row, shape in zip(rows, self.shapes, strict=True):
            if row.symbolic:
                row.set_shape(shape[1:])
        row = nest.pack_sequence_as(self.inputs, rows)
        output, state = self.step(time, row, state)
        flat = nest.flatten(output)
        outputs = tuple(a.write(time, y) for a, y in zip(outputs, flat, strict=True))
        return time + 1, outputs, state

    def run(self, options):
        """The outputs and the last state."""
        bound = self.steps
        if self.lengths is not None:
            longest = maximum(constant(1), reduce_max(self.lengths))
            bound = minimum(self.steps, longest)
            current_mode().leave_ids(2)
        else:
            current_mode().leave_ids(4)
        start = (constant(0, name="time"), tuple(self.outputs), self.state)
        _, arrays, state = while_loop(
            lambda time, *_: time < bound, self.once, start,
            maximum_iterations=self.steps, **options,
        )  # fmt: skip
        sizes = nest.flatten(self.cell.output_size)
        outputs = [a.stack() for a in arrays]
        known = self.shapes[0][1].value is not None
        current_mode().leave_ids((1 + known) * len(outputs))
        for y, size in zip(outputs, sizes, strict=True):
            if y.symbolic:
                y.set_shape(self._output_shape(size))
        return nest.pack_sequence_as(self.cell.output_size, outputs), state


def bidirectional_dynamic_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, sequence_length: Any = None,
    initial_state_fw: Any = None, initial_state_bw: Any = None, dtype: Any = None,
    parallel_iterations: Any = None, swap_memory: bool = False,
    time_major: bool = False, scope: Any = None,
) -> tuple[tuple[Any, ...], ...]:  # fmt: skip
    """Run one cell from the first time step to the last, and another one back.

    Args:
        cell_fw, cell_bw: the RNNCells of the two directions.
        inputs, sequence_length, dtype, parallel_iterations, swap_memory, time_major:
            see tf.nn.dynamic_rnn.
        initial_state_fw, initial_state_bw: the first states.
        scope: the variable scope; `bidirectional_rnn` if not given.
    Returns:
        ((outputs forward, outputs backward), (last state of each))
    Raises:
        TypeError: a cell is no cell. ValueError: see tf.nn.dynamic_rnn.
    Example:
        forward, backward = tf.nn.rnn_cell.GRUCell(4), tf.nn.rnn_cell.GRUCell(4)
        (a, b), states = tf.nn.bidirectional_dynamic_rnn(
            forward, backward, tf.ones([2, 5, 3]), dtype=tf.float32)
        a.shape.as_list()  # [2, 5, 4]
    """
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    time_axis, batch_axis = (0, 1) if time_major else (1, 0)

    def turned(x):
        if sequence_length is None:
            return reverse(x, [time_axis])
        return reverse_sequence(
            x, sequence_length, seq_axis=time_axis, batch_axis=batch_axis
        )

    def run(cell, inputs, state, scope):
        return dynamic_rnn(
            cell, inputs, sequence_length, state, dtype, parallel_iterations,
            swap_memory, time_major, scope,
        )  # fmt: skip

    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as forward:
            output_fw, state_fw = run(cell_fw, inputs, initial_state_fw, forward)
        with variable_scope("bw") as backward:
            back = nest.map_structure(turned, inputs)
            found, state_bw = run(cell_bw, back, initial_state_bw, backward)
    output_bw = nest.map_structure(turned, found)
    return (output_fw, output_bw), (state_fw, state_bw)
