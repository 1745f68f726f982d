"""Cells: what a recurrent layer does at one step of time."""

from functools import partial
from typing import Any

from twinflow.base import nest
from twinflow.base.shapes import TensorShape
from twinflow.keras import activations
from twinflow.keras.engine.base_layer import Layer, arguments_of
from twinflow.keras.engine.tracing import holds_shapes
from twinflow.keras.layers.arguments import chosen, static_training
from twinflow.keras.layers.recurrent_settings import WEIGHTS
from twinflow.keras.layers.recurrent_settings import takes as takes_settings
from twinflow.keras.saving.layer_configs import deserialize, serialize
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import shape
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.dropout import dropout
from twinflow.ops.nn.lstm_gates import eager_lstm_gates
from twinflow.ops.random.initializers import Ones


def state_shapes(cell):
    """The shapes of the states of a cell, without the batch."""
    sizes = cell.state_size
    sizes = list(sizes) if isinstance(sizes, list | tuple) else [sizes]
    return [tuple(TensorShape(s).as_list()) for s in sizes]


def zero_states(cell, inputs=None, batch_size=None, dtype=None):
    """States of zeros, for the batch size of `inputs` or a given one."""
    if inputs is not None:
        batch, dtype = inputs._shape[0], inputs.dtype
        batch_size = shape(inputs)[0] if batch is None else batch
    if batch_size is None or dtype is None:
        raise ValueError(
            "batch_size and dtype cannot be None while constructing initial state: "
            f"batch_size={batch_size}, dtype={dtype}"
        )
    return [zeros((batch_size, *s), dtype) for s in state_shapes(cell)]


def noise(x, size, rate, training, count):
    """`count` masks of dropout for float[batch, size]; None where rate is 0."""
    if not 0 < rate < 1:
        return None
    training = static_training(training)
    if training is False:
        return None
    wanted = (shape(x)[0], size)
    return [
        chosen(
            training,
            lambda: dropout(ones(wanted, x.dtype), 1 - rate),
            lambda: ones(wanted, x.dtype),
        )
        for _ in range(count)
    ]


_OF_CELLS = (
    "units",
    "activation",
    "use_bias",
    *WEIGHTS,
    "dropout",
    "recurrent_dropout",
)
_OF_GATED = (*_OF_CELLS, "recurrent_activation", "implementation")
_PLAIN = {"units", "use_bias", "implementation", "reset_after", "unit_forget_bias"}


class RecurrentCell(Layer):
    """What the cells have in common: weights for inputs and states, and dropout.

    A mask of dropout is drawn once for all steps of a sequence: a recurrent layer calls
    `draw_noise` before the first one.
    """

    gates = 1

    def _start_cell(self, settings, kwargs):
        Layer.__init__(self, **kwargs)
        self._keep_of(settings)
        for name in _PLAIN & settings.keys():
            setattr(self, name, settings[name])
        self.dropout = min(1.0, max(0.0, settings["dropout"]))
        self.recurrent_dropout = min(1.0, max(0.0, settings["recurrent_dropout"]))
        self.__dict__.update(_noise=None, _recurrent_noise=None, _drawn=False)
        self._set_sizes()

    def _set_sizes(self):
        """Say what the sizes of state and output are."""
        self.state_size = self.output_size = self.units

    def _add_weights(self, size, bias_shape=None, bias_initializer=None):
        wide = self.gates * self.units
        self._add_own("kernel", (size, wide))
        self._add_own("recurrent_kernel", (self.units, wide))
        self._add_own_bias(bias_shape or (wide,), bias_initializer)
        self.built = True

    def draw_noise(self, x: Any, training: Any) -> None:
        """Draw the masks of dropout for the steps to come."""
        n = self.gates if getattr(self, "implementation", 2) == 1 else 1
        size = self.kernel._shape[0]
        self.__dict__["_noise"] = noise(x, size, self.dropout, training, n)
        self.__dict__["_recurrent_noise"] = noise(
            x, self.units, self.recurrent_dropout, training, n
        )
        self.__dict__["_drawn"] = True

    def forget_noise(self) -> None:
        """The next sequence draws anew."""
        self.__dict__["_drawn"] = False

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: Any = None
    ) -> Any:
        """States of zeros for the batch of `inputs`, or of this size and dtype."""
        found = zero_states(self, inputs, batch_size, dtype)
        return found if isinstance(self.state_size, list | tuple) else found[0]

    def _through(self, x, kernel, masks):
        """x @ kernel for all gates, x being thinned for each by its mask."""
        if masks is None:
            return matmul(x, kernel)
        if len(masks) == 1:
            return matmul(multiply(x, masks[0]), kernel)
        parts = split(kernel, self.gates, 1)
        pairs = zip(masks, parts, strict=True)
        return concat([matmul(multiply(x, m), k) for m, k in pairs], 1)

    def _masks(self, x, training):
        if not self._drawn:
            self.draw_noise(x, training)
            self.forget_noise()
        return self._noise, self._recurrent_noise


@takes_settings(_OF_CELLS, RecurrentCell._start_cell)
class SimpleRNNCell(RecurrentCell):
    """h' = activation(x @ kernel + h @ recurrent_kernel + bias).

    Args: see SimpleRNN.
    """

    def build(self, input_shape: Any) -> None:
        self._add_weights(TensorShape(input_shape).as_list()[-1])

    def call(self, inputs: Any, states: Any, training: Any = None) -> tuple[Any, ...]:
        thin, recurrent = self._masks(inputs, training)
        y = self._through(inputs, self.kernel, thin)
        if self.bias is not None:
            y = bias_add(y, self.bias)
        y = y + self._through(states[0], self.recurrent_kernel, recurrent)
        y = self.activation(y)
        return y, [y]


@takes_settings((*_OF_GATED, "reset_after"), RecurrentCell._start_cell)
class GRUCell(RecurrentCell):
    """A gated recurrent unit.

    z, r = recurrent_activation(x @ W + h @ U + b), c = activation(x @ W + (r * h) @ U +
    b), h' = z * h + (1 - z) * c. With `reset_after`, c takes r * (h @ U + b') instead.

    Args: see GRU.
    Reference: Cho et al., Learning phrase representations (EMNLP 2014).
    """

    gates = 3

    def build(self, input_shape: Any) -> None:
        wide = 3 * self.units
        shape_ = (2, wide) if self.reset_after else (wide,)
        self._add_weights(TensorShape(input_shape).as_list()[-1], shape_)

    def call(self, inputs: Any, states: Any, training: Any = None) -> tuple[Any, ...]:
        h = states[0]
        thin, recurrent = self._masks(inputs, training)
        x = self._through(inputs, self.kernel, thin)
        if self.bias is not None:
            x = bias_add(x, self.bias[0] if self.reset_after else self.bias)
        x_z, x_r, x_c = split(x, 3, 1)
        step = self._reset_after if self.reset_after else self._reset_before
        z, c = step(h, x_z, x_r, x_c, recurrent)
        h = z * h + (1 - z) * c
        return h, [h]

    def _reset_after(self, h, x_z, x_r, x_c, masks):
        y = self._through(h, self.recurrent_kernel, masks)
        if self.bias is not None:
            y = bias_add(y, self.bias[1])
        h_z, h_r, h_c = split(y, 3, 1)
        r = self.recurrent_activation(x_r + h_r)
        z = self.recurrent_activation(x_z + h_z)
        return z, self.activation(x_c + r * h_c)

    def _reset_before(self, h, x_z, x_r, x_c, masks):
        masks = masks or [None]
        m_z, m_r, m_c = masks if len(masks) == 3 else masks * 3
        u_z, u_r, u_c = split(self.recurrent_kernel, 3, 1)
        z = self.recurrent_activation(x_z + matmul(_thinned(h, m_z), u_z))
        r = self.recurrent_activation(x_r + matmul(_thinned(h, m_r), u_r))
        return z, self.activation(x_c + matmul(r * _thinned(h, m_c), u_c))


def _thinned(x, mask):
    return x if mask is None else multiply(x, mask)


@takes_settings((*_OF_GATED, "unit_forget_bias"), RecurrentCell._start_cell)
class LSTMCell(RecurrentCell):
    """Long short-term memory.

    i, f, o = recurrent_activation(x @ W + h @ U + b), c' = f * c + i * activation(...),
    h' = o * activation(c').

    Args: see LSTM.
    Reference: Hochreiter and Schmidhuber, Long short-term memory (1997); Gers et al.,
    Learning to forget (2000).
    """

    gates = 4

    def _set_sizes(self):
        self.state_size, self.output_size = (self.units, self.units), self.units

    def build(self, input_shape: Any) -> None:
        start = self._first_bias if self.unit_forget_bias else None
        self._add_weights(TensorShape(input_shape).as_list()[-1], None, start)

    def _first_bias(self, shape, dtype=None, partition_info=None):
        """Ones for the forget gate."""
        n, start = self.units, self.bias_initializer
        parts = [start((n,), dtype), Ones()((n,), dtype), start((2 * n,), dtype)]
        return concat(parts, 0)

    def call(self, inputs: Any, states: Any, training: Any = None) -> tuple[Any, ...]:
        h, c = states[0], states[1]
        thin, recurrent = self._masks(inputs, training)
        x = self._through(inputs, self.kernel, thin)
        x = x + self._through(h, self.recurrent_kernel, recurrent)
        if self.bias is not None:
            x = bias_add(x, self.bias)
        c, h = self._step(x, c)
        return h, [h, c]

    def _step(self, gates, c):
        gate, activation = self.recurrent_activation, self.activation
        if gate is activations.sigmoid and activation is activations.tanh:
            found = eager_lstm_gates(gates, c, crossed=True)
            if found is not None:
                return found
        i, f, g, o = split(gates, 4, 1)
        c = gate(f) * c + gate(i) * activation(g)
        return c, gate(o) * activation(c)


class StackedRNNCells(Layer):
    """Cells on top of each other, as one.

    Args:
        cells: a list of cells.
        kwargs: `reverse_state_order`, whether the states are in the opposite order of
            the cells; `name`, `dtype` ...
    Raises:
        ValueError: one of them has no `call` or no `state_size`.
    Example:
        cells = [tf.keras.layers.LSTMCell(4), tf.keras.layers.LSTMCell(4)]
        tf.keras.layers.RNN(cells)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """

    def __init__(self, cells: Any, **kwargs: Any) -> None:
        for cell in cells:
            if not hasattr(cell, "call"):
                raise ValueError(
                    "All cells must have a `call` method. received cells:", cells
                )
            if not hasattr(cell, "state_size"):
                raise ValueError(
                    "All cells must have a `state_size` attribute. received cells:",
                    cells,
                )
        self.reverse_state_order = kwargs.pop("reverse_state_order", False)
        super().__init__(**kwargs)
        self.cells = list(cells)

    def _in_order(self, of_cells):
        """A list with an entry for each cell, in the order of the states; and back."""
        return of_cells[::-1] if self.reverse_state_order else of_cells

    @property
    def state_size(self) -> Any:
        """The sizes of the states of all cells, a tuple."""
        return tuple(s for cell in self._in_order(self.cells) for s in _sizes(cell))

    @property
    def output_size(self) -> Any:
        """The size of what the last cell gives."""
        return getattr(self.cells[-1], "output_size", None) or _sizes(self.cells[-1])[0]

    def build(self, input_shape: Any) -> None:
        constants = []
        if isinstance(input_shape, list) and holds_shapes(input_shape):
            input_shape, *constants = input_shape
        shape_ = TensorShape(input_shape).as_list()
        for cell in self.cells:
            if isinstance(cell, Layer) and not cell.built:
                whole = constants and cell._takes("constants")
                cell.build([tuple(shape_), *constants] if whole else tuple(shape_))
                cell.built = True
            size = getattr(cell, "output_size", None) or _sizes(cell)[0]
            shape_ = [shape_[0], *TensorShape(size).as_list()]
        self.built = True

    def call(
        self, inputs: Any, states: Any, constants: Any = None, **kwargs: Any
    ) -> tuple[Any, ...]:
        states, each = list(states), []
        for cell in self._in_order(self.cells):
            n = len(_sizes(cell))
            each.append(states[:n])
            states = states[n:]
        new = []
        for cell, mine in zip(self.cells, self._in_order(each), strict=True):
            options = {k: v for k, v in kwargs.items() if takes(cell, k)}
            if constants and takes(cell, "constants"):
                options["constants"] = constants
            inputs, found = cell.call(inputs, mine, **options)
            new.append(list(found) if isinstance(found, list | tuple) else [found])
        return inputs, [s for found in self._in_order(new) for s in found]

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: Any = None
    ) -> Any:
        """The first states of all cells: zeros, unless a cell gives others."""
        found = []
        for cell in self._in_order(self.cells):
            first = getattr(cell, "get_initial_state", None) or partial(
                zero_states, cell
            )
            found.append(first(inputs=inputs, batch_size=batch_size, dtype=dtype))
        return nest.flatten(found)

    def draw_noise(self, x: Any, training: Any) -> None:
        """Draw the masks of dropout of the cells; see RecurrentCell."""
        for cell in self.cells:
            if hasattr(cell, "draw_noise"):
                cell.draw_noise(x, training)

    def forget_noise(self) -> None:
        """The next sequence draws anew."""
        for cell in self.cells:
            if hasattr(cell, "forget_noise"):
                cell.forget_noise()

    def get_config(self) -> dict[str, Any]:
        cells = [serialize(cell) for cell in self.cells]
        return {**super().get_config(), "cells": cells}

    @classmethod
    def from_config(
        cls, config: Any, custom_objects: Any = None, safe_mode: Any = None
    ) -> "StackedRNNCells":
        """A stack from what `get_config` gave; see Note [Safe mode]."""
        cells = [deserialize(c, custom_objects, safe_mode) for c in config["cells"]]
        return cls(cells, **{k: v for k, v in config.items() if k != "cells"})


def takes(cell, argument):
    """Whether `call` of a cell (of one of a stack) has an argument of this name."""
    if isinstance(cell, StackedRNNCells):
        return any(takes(c, argument) for c in cell.cells)
    return argument in arguments_of(getattr(cell.call, "__func__", cell.call))


def _sizes(cell):
    sizes = cell.state_size
    return list(sizes) if isinstance(sizes, list | tuple) else [sizes]
