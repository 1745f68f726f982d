"""What the loops share: batch sizes, first states, steps that end at a row's length."""

from twinflow.base import dispatch, nest
from twinflow.base.errors import InvalidArgumentError
from twinflow.base.tensor import Tensor
from twinflow.graph.cond import cond
from twinflow.keras.engine.base_layer import Layer
from twinflow.ops.core.compare import greater_equal, less, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.reduction import reduce_max, reduce_min
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.tensor_array.arrays import TensorArray
from twinflow.rnn.cells.base import RNNCell, zeros_of


def batch_size_of(inputs, axis):
    """The size of the batch: an int if an input tells, else an int32 scalar.

    Raises:
        ValueError: an input has too few axes.
    """
    for x in inputs:
        if x.shape.ndims is None:
            continue
        if x.shape.ndims <= axis:
            raise ValueError(f"Expected input tensor {x!s} to have rank at least 2")
        if x.shape[axis].value is not None:
            return x.shape[axis].value
    return shape_of(inputs[0])[axis]


def first_state(cell, batch_size, dtype):
    """What the cell starts with."""
    if hasattr(cell, "get_initial_state"):
        return cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)
    return cell.zero_state(batch_size, dtype)


def dtype_of(dtype, state):
    """`dtype`, or that of the state.

    Raises:
        ValueError: there is no state, or its parts differ.
    """
    if dtype is not None:
        return dtype
    found = {t.dtype for t in nest.flatten(state)}
    if not found:
        raise ValueError("Unable to infer dtype from empty state.")
    if len(found) > 1:
        raise ValueError(
            "State has tensors of different inferred_dtypes. Unable to infer a single "
            "representative dtype."
        )
    return found.pop()


def keeps_lists(cell):
    """Whether a cell is one of tf.keras.layers, whose state is a list."""
    plain = isinstance(cell, Layer) and not isinstance(cell, RNNCell)
    return plain and not hasattr(cell, "zero_state")


def _blame_state(error, cell, state):
    """Note on an error of a cell that its state has other sizes than it says."""
    sizes = getattr(cell, "state_size", None)
    flat, wanted = nest.flatten(state), nest.flatten(sizes)
    pairs = [(t._shape, n) for t, n in zip(flat, wanted, strict=False)]
    plain = [s for s, n in pairs if s and isinstance(n, int) and s[-1] not in (n, None)]
    if plain or len(flat) != len(wanted):
        shapes = ", ".join(str(t.shape) for t in flat)
        error.add_note(
            f"The state has the shape {shapes}, the state_size of the cell is {sizes}: "
            "give an initial_state of cell.zero_state(batch_size, dtype)."
        )


class CellStep:
    """One step of a cell for rows of several lengths.

    From its length on a row gives zeros and keeps its state.

    Args:
        cell: the cell. sequence_length: int32[batch], or None for whole rows.
        batch_size: an int or scalar. dtype: that of the output, or None.
        state: the first state, for the dtype.
        skip: whether steps that all rows, or none, take part in are told apart.
    """

    def __init__(self, cell, sequence_length, batch_size, dtype, state, skip=False):
        self.cell, self.length, self.skip = cell, sequence_length, skip
        if sequence_length is not None:
            kind = dtype_of(dtype, state)
            self.zero_output = nest.map_structure(
                lambda size: zeros_of(batch_size, size, kind), cell.output_size
            )
            if skip:
                self.shortest = reduce_min(sequence_length)
                self.longest = reduce_max(sequence_length)

    def __call__(self, time, inputs, state):
        """The output and the next state."""
        if self.length is None:
            return self._called(inputs, state)
        nothing = [*nest.flatten(self.zero_output), *nest.flatten(state)]
        if not self.skip:
            over = greater_equal(time, self.length)
            found = self._chosen(over, nothing, self._flat(inputs, state))
        else:
            found = self._between(time, nothing, inputs, state)
        for t, like in zip(found, nothing, strict=True):
            if isinstance(t, Tensor) and t.symbolic:
                t.set_shape(like.shape)
        n = len(nest.flatten(self.zero_output))
        return (
            nest.pack_sequence_as(self.zero_output, found[:n]),
            nest.pack_sequence_as(state, found[n:]),
        )

    def _between(self, time, nothing, inputs, state):
        """The step is not taken once all rows have ended."""

        def some():
            new = self._flat(inputs, state)
            return cond(
                less(time, self.shortest),
                lambda: new,
                lambda: self._chosen(greater_equal(time, self.length), nothing, new),
                strict=True,
            )

        done = greater_equal(time, self.longest)
        found = cond(done, lambda: nothing, some, strict=True)
        return found if isinstance(found, list) else [found]

    def _called(self, inputs, state):
        try:
            return self._cell_called(inputs, state)
        except (ValueError, InvalidArgumentError) as error:
            _blame_state(error, self.cell, state)
            raise

    def _cell_called(self, inputs, state):
        if not keeps_lists(self.cell):
            return self.cell(inputs, state)
        listed = nest.is_sequence(state)
        output, new = self.cell(inputs, state if listed else [state])
        return output, new if listed else new[0]

    def _flat(self, inputs, state):
        output, new = self._called(inputs, state)
        nest.assert_same_structure(state, new)
        return [*nest.flatten(output), *nest.flatten(new)]

    def _chosen(self, over, old, new):
        """The new values of the rows that go on, the old ones of the others."""

        def choose(a, b):
            plain = isinstance(a, TensorArray) or a.shape.ndims == 0
            return b if plain else where(over, a, b)

        return [choose(a, b) for a, b in zip(old, new, strict=True)]


def lengths_of(sequence_length):
    """The lengths as int32[batch]; None stays.

    Raises:
        ValueError: they are not a vector.
    """
    if sequence_length is None:
        return None
    found = cast(convert_to_tensor(sequence_length), "int32")
    if found.shape.ndims not in (None, 1):
        raise ValueError(
            "sequence_length must be a vector of length batch_size, but saw shape: "
            f"{found.shape}"
        )
    return found


def in_graph():
    """Whether a graph is being built."""
    return not dispatch.current_mode().eager
