"""Recurrent layers by name: SimpleRNN, GRU, LSTM."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.keras.layers.recurrent_settings import OF_LAYER, takes
from twinflow.keras.layers.rnn_cells import GRUCell, LSTMCell, SimpleRNNCell
from twinflow.keras.layers.rnn_layer import RNN
from twinflow.keras.regularizers import get as regularizer
from twinflow.keras.saving.config import names_of

# How many nodes TensorFlow makes of a plain layer: Note [Ids].
_IDS = {
    (SimpleRNNCell, 1): 106, (GRUCell, 1): 250, (GRUCell, 2): 214,
    (LSTMCell, 1): 316, (LSTMCell, 2): 210,
}  # fmt: skip


def of_cell(name):
    """A property of a layer that its cell has."""
    return property(lambda self: getattr(self.cell, name), doc="That of the cell.")


class _OfCell(RNN):
    """An RNN with a cell of its own, whose settings are its settings."""

    _of_cell: tuple[Any, ...] = ()
    _rank: dict[Any, Any] = {"ndim": 3}

    def _start_layer(self, cell, settings, kwargs):
        options = {name: settings[name] for name in OF_LAYER}
        RNN.__init__(self, cell, **options, **kwargs)
        self._activity_regularizer = regularizer(settings["activity_regularizer"])

    def call(
        self, inputs: Any, mask: Any = None, training: Any = None,
        initial_state: Any = None, constants: Any = None,
    ) -> Any:  # fmt: skip
        given = (mask, training, initial_state, constants)
        with current_mode().counted(self._ids(inputs, given)):
            return super().call(inputs, *given)

    def _ids(self, inputs, given):
        """How many nodes TensorFlow makes, where that is known; else None."""
        cell = self.cell
        plain = not isinstance(inputs, list | tuple) and all(g is None for g in given)
        kept = not (self.stateful or self.unroll)
        ids = _IDS.get((type(cell), getattr(cell, "implementation", 1)))
        if not (ids and plain and kept) or cell.dropout or cell.recurrent_dropout:
            return None
        return ids if inputs._shape[1] is not None else ids - 13

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for name in cls.__dict__.get("_of_cell", ()):
            setattr(cls, name, of_cell(name))

    @classmethod
    def from_config(cls, config: Any) -> Any:
        """A layer from what `get_config` gave."""
        if config.get("implementation") == 0:
            config = {**config, "implementation": 1}
        return cls(**config)


def cell_of(cls, settings, kwargs):
    """A cell with its part of the settings of a layer."""
    own = {name: settings[name] for name in names_of(cls.__init__)}
    if "dtype" in kwargs:
        own["dtype"] = kwargs["dtype"]
    return cls(**own)


def _with(cell_class):
    """A decorator: the layer has the settings of a cell, and those of an RNN."""
    of_cell_names = names_of(cell_class.__init__)

    def start(layer, settings, kwargs):
        cell = cell_of(cell_class, settings, kwargs)
        layer._start_layer(cell, settings, kwargs)

    def decorate(cls):
        for name in of_cell_names:
            setattr(cls, name, of_cell(name))
        return takes((*of_cell_names, "activity_regularizer", *OF_LAYER), start)(cls)

    return decorate


@_with(SimpleRNNCell)
class SimpleRNN(_OfCell):
    """h' = activation(x @ kernel + h @ recurrent_kernel + bias) along time.

    Args:
        units: the size of the state and the output.
        activation: a name or function. use_bias: whether to add a bias.
        kernel_*, recurrent_*, bias_*: initializer (a name or function), regularizer (a
            function from the variable to a loss), constraint (from the updated value to
            the one to keep), for the weights of inputs and states, and the bias.
        activity_regularizer: a function from the output to a loss (graph mode).
        dropout, recurrent_dropout: shares of the inputs and states to drop.
        return_sequences, return_state, go_backwards, stateful, unroll: see RNN.
        kwargs: `name`, `dtype`, `input_shape` ...
    Example:
        tf.keras.layers.SimpleRNN(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """


@_with(GRUCell)
class GRU(_OfCell):
    """A gated recurrent unit along time; see GRUCell for its equations.

    Args: see SimpleRNN.
        recurrent_activation: that of the gates.
        implementation: 1 = a mask of dropout for each gate, 2 = one for all.
        reset_after: whether the reset gate comes after the product.
    Example:
        tf.keras.layers.GRU(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """


@_with(LSTMCell)
class LSTM(_OfCell):
    """Long short-term memory along time; see LSTMCell for its equations.

    Args: see SimpleRNN.
        recurrent_activation: that of the gates.
        unit_forget_bias: whether the bias of the forget gate begins with ones.
        implementation: 1 = a mask of dropout for each gate, 2 = one for all.
    Example:
        tf.keras.layers.LSTM(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """
