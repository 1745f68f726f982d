"""Several cells, one upon the other."""

from typing import Any

from twinflow.base import nest
from twinflow.base.logging import warn
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.core.joining import concat, split
from twinflow.rnn.cells.base import RNNCell

_SHARED = (
    "Two cells of the MultiRNNCell are one object and share its weights, whose sizes "
    "fit the first one only: make a new cell for each, as by "
    "[GRUCell(n) for _ in range(layers)]."
)


class MultiRNNCell(RNNCell):
    """Cells in a row: the output of each is the input of the next.

    Args:
        cells: a list of cells.
        state_is_tuple: whether the state is the tuple of theirs, or all side by side.
    Raises:
        ValueError: there are no cells, or a state is a tuple and may not be.
        TypeError: `cells` is not a list.
    Example:
        cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(n) for n in [8, 4]])
    """

    def __init__(self, cells: Any, state_is_tuple: bool = True) -> None:
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not nest.is_sequence(cells):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        if len({id(cell) for cell in cells}) < len(cells):
            warn(
                "At least two cells provided to MultiRNNCell are the same object and "
                "will share weights."
            )
        self._cells, self._state_is_tuple = cells, state_is_tuple
        sizes = [cell.state_size for cell in cells]
        if not state_is_tuple and any(map(nest.is_sequence, sizes)):
            raise ValueError(
                "Some cells return tuples of states, but the flag state_is_tuple is "
                f"not set.  State sizes are: {sizes}"
            )

    @property
    def state_size(self) -> Any:
        """The sizes of the cells' states, a tuple or their sum."""
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        """That of the last cell."""
        return self._cells[-1].output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> tuple[Any, ...]:
        """Zeros of the cells; see RNNCell.zero_state."""
        if not self._state_is_tuple:
            return super().zero_state(batch_size, dtype)
        with self._zero_scope():
            return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)

    def call(self, inputs: Any, state: Any) -> tuple[Any, ...]:
        states = []
        for i, (cell, old) in enumerate(
            zip(self._cells, self._states(state), strict=True)
        ):
            with variable_scope(f"cell_{i}"):
                try:
                    inputs, new = cell(inputs, old)
                except ValueError as error:
                    if any(cell is other for other in self._cells[:i]):
                        error.add_note(_SHARED)
                    raise
            states.append(new)
        return inputs, tuple(states) if self._state_is_tuple else concat(states, 1)

    def _states(self, state):
        """The state of each cell."""
        if not self._state_is_tuple:
            return split(state, [cell.state_size for cell in self._cells], 1)
        if not nest.is_sequence(state):
            raise ValueError(
                f"Expected state to be a tuple of length {len(self.state_size)}, but "
                f"received: {state!s}"
            )
        return state
