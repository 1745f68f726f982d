"""Recurrent layers by name: SimpleRNN, GRU, LSTM."""

from twinflow.keras.layers.rnn_cells import GRUCell, LSTMCell, SimpleRNNCell
from twinflow.keras.layers.rnn_layer import RNN
from twinflow.keras.regularizers import get as regularizer
from twinflow.keras.saving.config import names_of


def of_cell(name):
    """A property of a layer that its cell has."""
    return property(lambda self: getattr(self.cell, name), doc="That of the cell.")


class _OfCell(RNN):
    """An RNN with a cell of its own, whose settings are its settings."""

    _of_cell: tuple = ()

    def _start_layer(self, cell, activity, options, kwargs):
        super().__init__(cell, **options, **kwargs)
        self._activity_regularizer = regularizer(activity)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for name in cls.__dict__.get("_of_cell", ()):
            setattr(cls, name, of_cell(name))

    @classmethod
    def from_config(cls, config):
        """A layer from what `get_config` gave."""
        if config.get("implementation") == 0:
            config = {**config, "implementation": 1}
        return cls(**config)


def _split(arguments):
    """(settings of the cell, those of the RNN) of what `locals()` of __init__ gave."""
    own = ("self", "__class__", "kwargs", "activity_regularizer", "return_sequences")
    own += ("return_state", "go_backwards", "stateful", "unroll")
    cell = {k: v for k, v in arguments.items() if k not in own}
    layer = {k: v for k, v in arguments.items() if k in own[4:]}
    if "dtype" in arguments["kwargs"]:
        cell["dtype"] = arguments["kwargs"]["dtype"]
    return cell, layer


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

    def __init__(
        self, units, activation="tanh", use_bias=True,
        kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
        bias_initializer="zeros", kernel_regularizer=None, recurrent_regularizer=None,
        bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
        recurrent_constraint=None, bias_constraint=None, dropout=0.0,
        recurrent_dropout=0.0, return_sequences=False, return_state=False,
        go_backwards=False, stateful=False, unroll=False, **kwargs,
    ):  # fmt: skip
        cell, options = _split(locals())
        made = SimpleRNNCell(**cell)
        self._start_layer(made, activity_regularizer, options, kwargs)

    _of_cell = names_of(SimpleRNNCell.__init__)
    config = names_of(__init__)


class GRU(_OfCell):
    """A gated recurrent unit along time; see GRUCell for its equations.

    Args: see SimpleRNN.
        recurrent_activation: that of the gates.
        implementation: 1 = a mask of dropout for each gate, 2 = one for all.
        reset_after: whether the reset gate comes after the product.
    Example:
        tf.keras.layers.GRU(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """

    def __init__(
        self, units, activation="tanh", recurrent_activation="hard_sigmoid",
        use_bias=True, kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal", bias_initializer="zeros",
        kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None,
        activity_regularizer=None, kernel_constraint=None, recurrent_constraint=None,
        bias_constraint=None, dropout=0.0, recurrent_dropout=0.0, implementation=1,
        return_sequences=False, return_state=False, go_backwards=False, stateful=False,
        unroll=False, reset_after=False, **kwargs,
    ):  # fmt: skip
        cell, options = _split(locals())
        made = GRUCell(**cell)
        self._start_layer(made, activity_regularizer, options, kwargs)

    _of_cell = names_of(GRUCell.__init__)
    config = names_of(__init__)


class LSTM(_OfCell):
    """Long short-term memory along time; see LSTMCell for its equations.

    Args: see SimpleRNN.
        recurrent_activation: that of the gates.
        unit_forget_bias: whether the bias of the forget gate begins with ones.
        implementation: 1 = a mask of dropout for each gate, 2 = one for all.
    Example:
        tf.keras.layers.LSTM(4)(tf.ones([2, 5, 3]))  # float32[2, 4]
    """

    def __init__(
        self, units, activation="tanh", recurrent_activation="hard_sigmoid",
        use_bias=True, kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal", bias_initializer="zeros",
        unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None,
        bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
        recurrent_constraint=None, bias_constraint=None, dropout=0.0,
        recurrent_dropout=0.0, implementation=1, return_sequences=False,
        return_state=False, go_backwards=False, stateful=False, unroll=False, **kwargs,
    ):  # fmt: skip
        cell, options = _split(locals())
        made = LSTMCell(**cell)
        self._start_layer(made, activity_regularizer, options, kwargs)

    _of_cell = names_of(LSTMCell.__init__)
    config = names_of(__init__)
