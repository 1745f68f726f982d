"""Cells whose dimensions see each other's outputs: Grid LSTM and its kin.

Reference: Kalchbrenner et al., Grid long short-term memory (2015).
"""

import contextlib
from collections.abc import Callable
from typing import Any, NamedTuple

from twinflow.contrib.layers.dense import fully_connected
from twinflow.contrib.layers.initializers import xavier_initializer
from twinflow.graph.variable_scope import (
    get_variable,
    get_variable_scope,
    variable_scope,
)
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.product import matmul
from twinflow.rnn.cells.base import RNNCell
from twinflow.rnn.cells.basic import BasicRNNCell, GRUCell
from twinflow.rnn.cells.lstm import BasicLSTMCell, LSTMCell, LSTMStateTuple


class _Dimension(NamedTuple):
    """What a dimension is used for."""

    idx: int
    is_input: bool
    is_output: bool
    is_priority: bool
    non_recurrent_fn: Any


def _indices(values, count):
    found = [values] if isinstance(values, int) else list(values or [])
    for i in found:
        if not 0 <= i < count:
            raise ValueError(f"Invalid dims: {found}. Must be in [0, {count})")
    return found


class GridRNNCell(RNNCell):
    """A cell for each dimension; each takes the outputs of all as its input.

    Args:
        num_units: the size of each. num_dims: how many dimensions.
        input_dims, output_dims: the dimensions (an int or a list) whose states are what
            comes in, and whose outputs go out.
        priority_dims: those that are computed last and see what the others became.
        non_recurrent_dims: those that keep no state: a layer with non_recurrent_fn.
        tied: whether all dimensions have the same weights.
        cell_fn: a function from num_units to a cell; LSTMCell if None.
        state_is_tuple, output_is_tuple: whether these are tuples, or side by side.
    Raises:
        ValueError: a dimension is out of range. TypeError: cell_fn gives no cell.
    Example:
        cell = tf.contrib.grid_rnn.Grid2LSTMCell(4)
        (y,), state = cell(tf.ones([2, 3]), cell.zero_state(2, tf.float32))
        y  # float32[2, 4]
    """

    def __init__(
        self, num_units: int, num_dims: int = 1, input_dims: Any = None,
        output_dims: Any = None, priority_dims: Any = None,
        non_recurrent_dims: Any = None, tied: bool = False,
        cell_fn: Callable[..., Any] | None = None, non_recurrent_fn: Any = None,
        state_is_tuple: bool = True, output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        if num_dims < 1:
            raise ValueError(f"dims must be >= 1: {num_dims}")
        uses = [
            _indices(d, num_dims)
            for d in (input_dims, output_dims, priority_dims, non_recurrent_dims)
        ]
        self._dims = [
            _Dimension(i, *(i in u for u in uses[:3]),
                       non_recurrent_fn if i in uses[3] else None)
            for i in range(num_dims)
        ]  # fmt: skip
        self._recurrent = [i for i in range(num_dims) if i not in uses[3]]
        self._num_units, self._tied = num_units, tied
        self._state_is_tuple, self._output_is_tuple = state_is_tuple, output_is_tuple
        make = cell_fn or (lambda n: LSTMCell(n, state_is_tuple=state_is_tuple))
        first = make(num_units)
        if not isinstance(first, RNNCell):
            raise TypeError(
                f"cell_fn must return an RNNCell instance, saw: {type(first)}"
            )
        others = [first if tied else make(num_units) for _ in range(num_dims - 1)]
        self.__dict__["_cells"] = [first, *others]

    @property
    def output_size(self) -> Any:
        """A size for each output dimension, or their sum."""
        sizes = [self._num_units for d in self._dims if d.is_output]
        return tuple(sizes) if self._output_is_tuple else sum(sizes)

    @property
    def state_size(self) -> Any:
        """The state of each dimension that keeps one, or their sum."""
        sizes = [self._cells[0].state_size] * len(self._recurrent)
        if self._state_is_tuple:
            return tuple(sizes)
        return self._cell_state_size() * len(sizes)

    def _cell_state_size(self):
        size = self._cells[0].state_size
        return sum(size) if isinstance(size, tuple) else size

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, ...]:
        """One step in all dimensions.

        Args:
            inputs: float[batch, size], or a tuple of one for each input dimension.
            state: like state_size. scope: the variable scope; the class's name if None.
        Returns:
            (outputs, the next state), like output_size and state_size.
        Raises:
            ValueError: there are too few states or inputs.
        """
        expected = len(self._recurrent)
        if self._state_is_tuple and (
            not isinstance(state, tuple) or len(state) != expected
        ):
            raise ValueError(f"Expected state as a tuple of {expected} element")
        with variable_scope(scope or type(self).__name__):
            memories, outputs = self._extract_states(state)
            self._project_input(inputs, memories, outputs)
            new_outputs, new_states = list(outputs), [None] * len(self._dims)
            done = False
            for late in False, True:
                seen = list(new_outputs)
                for dimension in self._dims:
                    if dimension.is_priority == late:
                        self._step(
                            dimension, done, seen, memories, new_outputs, new_states
                        )
                        done = True
            given = [new_outputs[d.idx] for d in self._dims if d.is_output]
            kept = [new_states[i] for i in self._recurrent]
            return (
                self._given(given, self._output_is_tuple),
                self._given(kept, self._state_is_tuple),
            )

    @staticmethod
    def _given(parts, is_tuple):
        if is_tuple:
            return tuple(parts)
        return parts[0] if len(parts) == 1 else concat(parts, 1)

    def _has_memory(self):
        return self._cell_state_size() > self._num_units

    def _extract_states(self, state):
        """The memories (None without) and outputs of each dimension, None if unkept."""
        memories, outputs = [None] * len(self._dims), [None] * len(self._dims)
        if not self._state_is_tuple:
            state = split(state, len(self._recurrent), 1) if self._recurrent else []
        for i, kept in zip(self._recurrent, state, strict=True):
            if not self._has_memory():
                outputs[i] = kept
            elif isinstance(kept, tuple):
                memories[i], outputs[i] = kept
            else:
                memories[i], outputs[i] = split(kept, 2, 1)
        return memories, outputs

    def _project_input(self, inputs, memories, outputs):
        """Put what comes in where the states of the input dimensions are."""
        wanted = [d.idx for d in self._dims if d.is_input]
        given = [inputs] if not isinstance(inputs, tuple | list) else inputs
        if inputs is None or not wanted:
            return
        if len(given) != len(wanted):
            raise ValueError(f"Expect inputs as a tuple of {len(wanted)} tensors")
        for i, x in zip(wanted, given, strict=True):
            size = x.shape[1].value
            if not size:
                continue
            shape = [size, self._num_units]
            outputs[i] = matmul(x, get_variable(f"project_m_{i}", shape, x.dtype))
            if self._has_memory():
                weights = get_variable(f"project_c_{i}", shape, x.dtype)
                memories[i] = matmul(x, weights)

    def _step(self, dimension, reuse, seen, memories, new_outputs, new_states):
        """What one dimension becomes: all see the same, and have own memories."""
        i = dimension.idx
        kind = "recurrent" if i in self._recurrent else "non_recurrent"
        with variable_scope(kind) as outer:
            if self._tied and reuse:
                outer.reuse_variables()
            if kind == "non_recurrent":
                known = [m for m in seen if m is not None]
                new_outputs[i] = self._layer(dimension, known)
                return
            *others, last = seen
            state = last
            if self._has_memory():
                state = LSTMStateTuple(memories[i], last)
                if not self._state_is_tuple:
                    state = concat(list(state), 1)
            x = concat(others, 1) if others else last[:, :0]
            with _cell_scope(i, self._tied):
                new_outputs[i], new_states[i] = self._cells[i](x, state)

    def _layer(self, dimension, seen):
        initializer = get_variable_scope().initializer
        with _cell_scope(dimension.idx, self._tied):
            return fully_connected(
                concat(seen, 1), self._num_units,
                activation_fn=dimension.non_recurrent_fn,
                weights_initializer=initializer or xavier_initializer(),
            )  # fmt: skip


def _cell_scope(index, tied):
    """The scope of one dimension, none where all share one."""
    return contextlib.nullcontext() if tied else variable_scope(f"cell_{index}")


def _at_first(num_dims, non_recurrent_fn=None):
    """The settings of cells whose first dimension takes, gives, and comes last."""
    first = {"num_dims": num_dims, "input_dims": 0, "output_dims": 0}
    kept = None if non_recurrent_fn is None else 0
    return first | {
        "priority_dims": 0, "non_recurrent_dims": kept,
        "non_recurrent_fn": non_recurrent_fn,
    }  # fmt: skip


class Grid1BasicRNNCell(GridRNNCell):
    """A BasicRNNCell in one dimension; see GridRNNCell."""

    def __init__(
        self, num_units: int, state_is_tuple: bool = True, output_is_tuple: bool = True
    ) -> None:
        super().__init__(
            num_units, cell_fn=BasicRNNCell, state_is_tuple=state_is_tuple,
            output_is_tuple=output_is_tuple, **_at_first(1),
        )  # fmt: skip


class Grid2BasicRNNCell(GridRNNCell):
    """BasicRNNCells in two dimensions; see GridRNNCell."""

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Any = None,
        state_is_tuple: bool = True, output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, tied=tied, cell_fn=BasicRNNCell, state_is_tuple=state_is_tuple,
            output_is_tuple=output_is_tuple, **_at_first(2, non_recurrent_fn),
        )  # fmt: skip


class Grid1BasicLSTMCell(GridRNNCell):
    """A BasicLSTMCell in one dimension; see GridRNNCell."""

    def __init__(
        self, num_units: int, forget_bias: float = 1, state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, cell_fn=_basic_lstm(forget_bias, state_is_tuple),
            state_is_tuple=state_is_tuple, output_is_tuple=output_is_tuple,
            **_at_first(1),
        )  # fmt: skip


class Grid2BasicLSTMCell(GridRNNCell):
    """BasicLSTMCells in two dimensions; see GridRNNCell."""

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Any = None,
        forget_bias: float = 1, state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, tied=tied, cell_fn=_basic_lstm(forget_bias, state_is_tuple),
            state_is_tuple=state_is_tuple, output_is_tuple=output_is_tuple,
            **_at_first(2, non_recurrent_fn),
        )  # fmt: skip


class Grid1LSTMCell(GridRNNCell):
    """An LSTMCell in one dimension; see GridRNNCell."""

    def __init__(
        self, num_units: int, use_peepholes: bool = False, forget_bias: float = 1.0,
        state_is_tuple: bool = True, output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, cell_fn=_lstm(use_peepholes, forget_bias, state_is_tuple),
            state_is_tuple=state_is_tuple, output_is_tuple=output_is_tuple,
            **_at_first(1),
        )  # fmt: skip


class _GridLSTMCell(GridRNNCell):
    """LSTMCells in several dimensions; see GridRNNCell."""

    _count: int

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Any = None,
        use_peepholes: bool = False, forget_bias: float = 1.0,
        state_is_tuple: bool = True, output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, tied=tied,
            cell_fn=_lstm(use_peepholes, forget_bias, state_is_tuple),
            state_is_tuple=state_is_tuple, output_is_tuple=output_is_tuple,
            **_at_first(self._count, non_recurrent_fn),
        )  # fmt: skip


class Grid2LSTMCell(_GridLSTMCell):
    """LSTMCells in two dimensions; see GridRNNCell."""

    _count = 2


class Grid3LSTMCell(_GridLSTMCell):
    """LSTMCells in three dimensions; see GridRNNCell."""

    _count = 3


class Grid2GRUCell(GridRNNCell):
    """GRUCells in two dimensions; see GridRNNCell."""

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Any = None,
        state_is_tuple: bool = True, output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, tied=tied, cell_fn=GRUCell, state_is_tuple=state_is_tuple,
            output_is_tuple=output_is_tuple, **_at_first(2, non_recurrent_fn),
        )  # fmt: skip


def _basic_lstm(forget_bias, is_tuple):
    return lambda n: BasicLSTMCell(n, forget_bias, state_is_tuple=is_tuple)


def _lstm(use_peepholes, forget_bias, is_tuple):
    return lambda n: LSTMCell(
        n, use_peepholes, forget_bias=forget_bias, state_is_tuple=is_tuple
    )
