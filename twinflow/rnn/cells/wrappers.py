"""Cells around a cell: dropout, residual connections, devices."""

import hashlib
from typing import Any

from twinflow.base import dispatch, nest
from twinflow.base.advice import advised
from twinflow.base.shapes import TensorShape
from twinflow.graph.scopes import device as device_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.division import div
from twinflow.ops.core.rounding import floor
from twinflow.ops.nn.dropout import dropout
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.tensor_array.arrays import TensorArray
from twinflow.rnn.cells.base import RNNCell, assert_like_rnncell
from twinflow.rnn.cells.lstm import LSTMStateTuple


class Wrapper(RNNCell):
    """A cell that has the sizes of another one."""

    def __init__(self, cell: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._cell = cell

    state_size = property(lambda self: self._cell.state_size, doc="That of the cell.")
    output_size = property(lambda self: self._cell.output_size, doc="That of the cell.")

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """That of the cell; see RNNCell.zero_state."""
        with self._zero_scope():
            return self._cell.zero_state(batch_size, dtype)


def _memory_stays(substate):
    """Dropout for all of a state but the memory of LSTM cells, and arrays."""
    if isinstance(substate, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not isinstance(substate, TensorArray)


class DropoutWrapper(Wrapper):
    """A cell with dropout of its input, output and state.

    Args:
        cell: the cell.
        input_keep_prob, output_keep_prob, state_keep_prob: the probabilities with which
            a number stays; a float or a float scalar.
        variational_recurrent: whether all steps drop the same numbers.
        input_size: the sizes of the input, needed for that if the input is dropped.
        dtype: that of input, output and state, needed for that.
        seed: makes what is dropped reproducible.
        dropout_state_filter_visitor: a function that says which parts of the state may
            be dropped; all but the memory of LSTM cells if not given.
    Raises:
        TypeError: `cell` is no cell, or the visitor is no function.
        ValueError: a probability is not in [0, 1], or something needed is missing.
    Reference: Gal and Ghahramani, A theoretically grounded application of dropout in
    recurrent neural networks (2016), for `variational_recurrent`.
    """

    def __init__(
        self, cell: Any, input_keep_prob: Any = 1.0, output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0, variational_recurrent: bool = False,
        input_size: Any = None, dtype: Any = None, seed: int | None = None,
        dropout_state_filter_visitor: Any = None,
    ) -> None:  # fmt: skip
        assert_like_rnncell("cell", cell)
        super().__init__(cell)
        visitor = dropout_state_filter_visitor
        if visitor is not None and not callable(visitor):
            raise advised(TypeError, "dropout_state_filter_visitor must be callable")
        self._filter, self._seed = visitor or _memory_stays, seed
        self._keep = {
            "input": _probability("input_keep_prob", input_keep_prob),
            "state": _probability("state_keep_prob", state_keep_prob),
            "output": _probability("output_keep_prob", output_keep_prob),
        }
        self._noise: Any = None
        if variational_recurrent:
            self._noise = self._drawn(cell, input_size, dtype)

    def _drawn(self, cell, input_size, dtype):
        """The numbers that say what all steps drop."""
        if dtype is None:
            raise ValueError("When variational_recurrent=True, dtype must be provided")
        if _drops(self._keep["input"]) and input_size is None:
            raise ValueError(
                "When variational_recurrent=True and input_keep_prob < 1.0 or is "
                "unknown, input_size must be provided"
            )
        sizes = {"state": cell.state_size, "output": cell.output_size}
        if _drops(self._keep["input"]):
            sizes["input"] = input_size

        def noise(what):
            def draw(i, size):
                shape = [1, *TensorShape(size).as_list()]
                return random_uniform(shape, dtype=dtype, seed=self._seed_of(what, i))

            return draw

        return {what: _numbered(noise(what), size) for what, size in sizes.items()}

    def _seed_of(self, what, i):
        if self._seed is None:
            return None
        text = f"{self._seed}{what}_{i}".encode()
        return int(hashlib.md5(text).hexdigest()[:8], 16) & 0x7FFFFFFF

    @property
    def wrapped_cell(self) -> Any:
        """The cell."""
        return self._cell

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, ...]:
        """One step; see RNNCell."""
        inputs = self._dropped("input", inputs)
        output, state = self._cell(inputs, state, scope=scope)
        if _drops(self._keep["state"]):
            chosen = nest.get_traverse_shallow_structure(self._filter, state)
            state = self._dropped("state", state, chosen)
        return self._dropped("output", output), state

    def _dropped(self, what, values, chosen=None):
        """`values` with some numbers dropped, of those parts that are `chosen`."""
        keep = self._keep[what]
        if not _drops(keep):
            return values
        chosen = values if chosen is None else chosen

        def drop(i, wanted, value, noise=None):
            if wanted is False:
                return value
            if noise is None:
                return dropout(value, keep, seed=self._seed_of(what, i))
            found = div(value, keep) * floor(keep + noise)
            if found.symbolic:
                found.set_shape(value.shape)
            return found

        if self._noise is None:
            return _numbered(drop, chosen, values)
        return _numbered(drop, chosen, values, self._noise[what])


def _numbered(function, *structures):
    """`function(number, leaf, ...)` of the leaves of the first structure."""
    count = iter(range(10**9))
    return nest.map_structure_up_to(
        structures[0], lambda *leaves: function(next(count), *leaves), *structures
    )


def _drops(keep):
    return not isinstance(keep, float) or keep < 1


def _probability(name, keep):
    """A probability as a float where it is known, else as a tensor."""
    with dispatch.current_mode().name_scope("DropoutWrapperInit"):
        tensor = convert_to_tensor(keep)
    if tensor.symbolic and tensor._host_value() is tensor:
        return tensor
    found = float(tensor._host_value() if tensor.symbolic else tensor)
    if not 0 <= found <= 1:
        raise ValueError(f"Parameter {name} must be between 0 and 1: {int(found)}")
    return found


class ResidualWrapper(Wrapper):
    """A cell whose inputs are added to its outputs.

    Args:
        cell: the cell.
        residual_fn: a function from inputs and outputs to what is given instead.
    Raises:
        ValueError, TypeError: (when called) inputs and outputs do not fit each other.
    """

    def __init__(self, cell: Any, residual_fn: Any = None) -> None:
        super().__init__(cell)
        self._residual_fn = residual_fn or _added

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, ...]:
        """One step; see RNNCell."""
        outputs, state = self._cell(inputs, state, scope=scope)
        return self._residual_fn(inputs, outputs), state


def _added(inputs, outputs):
    nest.assert_same_structure(inputs, outputs)

    def add(x, y):
        x.shape.assert_is_compatible_with(y.shape)
        return x + y

    return nest.map_structure(add, inputs, outputs)


class DeviceWrapper(Wrapper):
    """A cell that runs on a device.

    Args:
        cell: the cell. device: the name of the device, or a function; see tf.device.
    """

    def __init__(self, cell: Any, device: Any) -> None:
        super().__init__(cell)
        self._device = device

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """That of the cell; see RNNCell.zero_state."""
        with device_scope(self._device):
            return super().zero_state(batch_size, dtype)

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, ...]:
        """One step; see RNNCell."""
        with device_scope(self._device):
            return self._cell(inputs, state, scope=scope)
