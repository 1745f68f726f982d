"""A cell that looks back at its own last outputs."""

from typing import Any

from twinflow.base import nest
from twinflow.base.logging import warn
from twinflow.contrib.rnn.wrappers import projection
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.elementwise import tanh
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape
from twinflow.ops.nn.conv import conv2d
from twinflow.ops.nn.softmax import softmax
from twinflow.rnn.cells.base import RNNCell, assert_like_rnncell
from twinflow.rnn.cells.wrappers import Wrapper


class AttentionCellWrapper(RNNCell):
    """A cell with attention to its last `attn_length` outputs.

    Args:
        cell: an RNNCell. attn_length: how many outputs it sees.
        attn_size: the size of the output; that of the cell if not given.
        attn_vec_size: the size in which scores are computed; `attn_size` if not given.
        input_size: what inputs are projected to; their size if not given.
        state_is_tuple: whether the state is a tuple, or all side by side.
        reuse: see the other cells.
    Raises:
        TypeError: `cell` is no cell.
        ValueError: `attn_length` is not positive, or the cell has a tuple for a state.
    Reference: Cheng et al., Long short-term memory-networks for machine reading (2016).
    """

    def __init__(
        self, cell: Any, attn_length: Any, attn_size: Any = None,
        attn_vec_size: Any = None, input_size: Any = None, state_is_tuple: bool = True,
        reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if nest.is_sequence(cell.state_size) and not state_is_tuple:
            raise ValueError(
                "Cell returns tuple of states, but the flag state_is_tuple is not set. "
                f"State size is: {cell.state_size!s}"
            )
        if attn_length <= 0:
            raise ValueError(
                f"attn_length should be greater than zero, got {attn_length!s}"
            )
        if not state_is_tuple:
            warn(
                "%s: Using a concatenated state is slower and will soon be deprecated."
                "  Use state_is_tuple=True.",
                self,
            )
        self._cell, self._attn_length = cell, attn_length
        self._attn_size = cell.output_size if attn_size is None else attn_size
        self._vec_size = self._attn_size if attn_vec_size is None else attn_vec_size
        self._input_size, self._state_is_tuple = input_size, state_is_tuple

    @property
    def state_size(self) -> Any:
        """Those of the cell, of what it saw last, and of its last outputs."""
        n = self._attn_size
        sizes = (self._cell.state_size, n, n * self._attn_length)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        """`attn_size`."""
        return self._attn_size

    def call(self, inputs: Any, state: Any) -> Any:
        n, length = self._attn_size, self._attn_length
        if self._state_is_tuple:
            state, seen, last = state
        else:
            sizes = [self._cell.state_size, n, n * length]
            state, seen, last = split(state, sizes, 1)
        last = reshape(last, [-1, length, n])
        depth = self._input_size
        depth = inputs.shape[1].value if depth is None else depth
        output, state = self._cell(projection([inputs, seen], depth), state)
        whole = concat(nest.flatten(state), 1) if self._state_is_tuple else state
        seen, last = self._attended(whole, last)
        with variable_scope("attn_output_projection"):
            output = projection([output, seen], n)
        last = concat([last, expand_dims(output, 1)], 1)
        last = reshape(last, [-1, length * n])
        if self._state_is_tuple:
            return output, (state, seen, last)
        return output, concat([state, seen, last], 1)

    def _attended(self, query, last):
        """(what is seen, the last outputs but the first)"""
        n, m, length = self._attn_size, self._vec_size, self._attn_length
        with variable_scope("attention"):
            k = get_variable("attn_w", [1, 1, n, m], query.dtype)
            v = get_variable("attn_v", [m], query.dtype)
            rows = reshape(last, [-1, length, 1, n])
            keys = conv2d(rows, k, [1, 1, 1, 1], "SAME")
            y = reshape(projection(query, m), [-1, 1, 1, m])
            share = softmax(reduce_sum(v * tanh(keys + y), [2, 3]))
            found = reduce_sum(reshape(share, [-1, length, 1, 1]) * rows, [1, 2])
            return reshape(found, [-1, n]), last[:, 1:]


class CompiledWrapper(Wrapper):
    """A cell whose steps may be compiled; so all of twinflow's are.

    Args:
        cell: an RNNCell. compile_stateful: accepted.
    """

    def __init__(self, cell: Any, compile_stateful: Any = False) -> None:
        super().__init__(cell)
        self._compile_stateful = compile_stateful

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """One step of the cell."""
        return self._cell(inputs, state, scope)
