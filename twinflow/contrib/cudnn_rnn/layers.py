"""The layers: LSTMs, gated recurrent units and plain networks over sequences."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.contrib.cudnn_rnn.networks import run_network
from twinflow.contrib.cudnn_rnn.parameters import (
    Form,
    check_direction,
    check_input_mode,
    joined,
)
from twinflow.contrib.cudnn_rnn.saveables import (
    CudnnGRUSaveable,
    CudnnLSTMSaveable,
    CudnnRNNReluSaveable,
    CudnnRNNTanhSaveable,
)
from twinflow.contrib.seq2seq.attention import size_of
from twinflow.graph.scopes import add_to_collection
from twinflow.keras import initializers
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.ops.core.creation import zeros
from twinflow.ops.random.initializers import GlorotUniform
from twinflow.ops.random.initializers_plain import Constant
from twinflow.ops.variables.collections import GraphKeys

_KINDS = (dtypes.float16, dtypes.float32, dtypes.float64)


class _Network(ScopedLayer):
    """What the layers share.

    Args:
        num_layers, num_units: the number of layers, and of units in each direction.
        input_mode: "linear_input". direction: "unidirectional" or "bidirectional".
        dropout: the part of inputs between layers that is dropped in training.
        seed: of the dropout. dtype: of the variables.
        kernel_initializer, bias_initializer: of the matrices (Glorot's, uniform) and
            of the biases (0). name: of the layer.
    """

    scoped_call = False
    _rnn_mode = ""
    _saveable_cls: Any = None

    def __init__(
        self, num_layers: Any, num_units: Any, input_mode: str = "linear_input",
        direction: str = "unidirectional", dropout: Any = 0.0, seed: Any = None,
        dtype: Any = dtypes.float32, kernel_initializer: Any = None,
        bias_initializer: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(dtype=dtype, name=name)
        check_direction(direction)
        check_input_mode(input_mode)
        if dtypes.as_dtype(dtype) not in _KINDS:
            raise ValueError(
                f"Only support float16, float32, float64, provided {dtype!r}"
            )
        self._num_layers, self._num_units = num_layers, num_units
        self._input_mode, self._direction = input_mode, direction
        self._dropout, self._seed, self._plain = dropout, seed, dtypes.as_dtype(dtype)
        self._input_size, self._saveable = None, None
        first = kernel_initializer, bias_initializer
        self._kernel_initializer, self._bias_initializer = map(initializers.get, first)

    num_layers = property(lambda self: self._num_layers)
    num_units = property(lambda self: self._num_units)
    input_mode = property(lambda self: self._input_mode)
    direction = property(lambda self: self._direction)
    rnn_mode = property(lambda self: self._rnn_mode)
    num_dirs = property(lambda self: 1 + (self._direction == "bidirectional"))
    saveable = property(lambda self: self._saveable)

    @property
    def input_size(self) -> Any:
        """The size of the inputs; ValueError before it is known."""
        if not self._input_size:
            raise ValueError("'input_size' is unknown since layer has not been built.")
        return self._input_size

    def _form(self, what):
        if self._input_size is None:
            name = type(self).__name__
            raise RuntimeError(f"{name}.{what} invoked before input shape is known")
        return Form(
            self._rnn_mode, self._num_layers, self._num_units, self._input_size,
            self._direction,
        )  # fmt: skip

    @property
    def canonical_weight_shapes(self) -> Any:
        """The shapes of all matrices; RuntimeError before the layer is built."""
        return self._form("canonical_weight_shapes").weight_shapes()

    @property
    def canonical_bias_shapes(self) -> Any:
        """The shapes of all biases; RuntimeError before the layer is built."""
        return self._form("canonical_bias_shapes").bias_shapes()

    def build(self, input_shape: Any) -> None:
        if self.built:
            return
        if len(input_shape) != 3:
            raise ValueError(
                f"Expecting input_shape with 3 dims, got {len(input_shape)}"
            )
        size = input_shape[-1].value
        if size is None:
            raise advised(
                ValueError,
                "The last dimension of the inputs to `CudnnRNN` should be defined. "
                "Found `None`.",
            )
        self._input_size = size
        self.input_spec = InputSpec(ndim=3, axes={-1: size})
        total = self._form("build").size()
        self.kernel = self.add_variable(
            "opaque_kernel", [total], self._plain, initializer=self._first_params
        )
        if not current_mode().eager:
            self._create_saveable()
        self.built = True

    def _first_params(self, shape, dtype=None, partition_info=None):
        form = self._form("build")
        of_weight = self._kernel_initializer or GlorotUniform()
        of_bias = self._bias_initializer or Constant(0.0)
        weights = [of_weight(s, dtype=dtype) for s in form.weight_shapes()]
        return joined(weights, [of_bias(s, dtype=dtype) for s in form.bias_shapes()])

    def _create_saveable(self):
        name = self.kernel.name.rpartition("/")[0]
        self._saveable = self._saveable_cls(
            self.kernel, self._num_layers, self._num_units, self._input_size,
            self._input_mode, self._direction, scope=name, name=f"{name}_saveable",
        )  # fmt: skip
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    def state_shape(self, batch_size: Any) -> Any:
        """The shapes of the states: ([layers * directions, batch, units],)"""
        return ([self._num_layers * self.num_dirs, batch_size, self._num_units],)

    def call(self, inputs: Any, initial_state: Any = None, training: Any = True) -> Any:
        if initial_state is not None and not isinstance(initial_state, tuple):
            raise ValueError(
                "Invalid initial_state type: %s, expecting tuple.", type(initial_state)
            )
        if initial_state is None:
            shapes = self.state_shape(size_of(inputs, 1))
            initial_state = tuple(zeros(s, inputs.dtype) for s in shapes)
        h, *c = initial_state
        outputs, h, c = run_network(
            self._form("call"), self.kernel, inputs, h, *c, rate=self._dropout,
            seed=self._seed, training=training,
        )  # fmt: skip
        return outputs, (h,) if c is None else (h, c)


class CudnnLSTM(_Network):
    """LSTM layers over float[time, batch, size].

    Call it with the inputs, and by name `initial_state` (h, c) and `training`; it gives
    (float[time, batch, units * directions], (h, c)).

    Args:
        num_layers, num_units: the number of layers, and of units in each direction.
        input_mode: "linear_input". direction: "unidirectional" or "bidirectional".
        dropout: the part of inputs between layers that is dropped in training.
        seed: of the dropout. dtype: of the variables.
        kernel_initializer, bias_initializer: of the matrices and of the biases.
        name: of the layer.
    Example:
        lstm = tf.contrib.cudnn_rnn.CudnnLSTM(2, 4)
        y, (h, c) = lstm(tf.ones([5, 3, 2]))
        y  # float32[5, 3, 4]
    """

    _rnn_mode = "lstm"
    _saveable_cls = CudnnLSTMSaveable

    def state_shape(self, batch_size: Any) -> Any:
        """The shapes of h and c."""
        return super().state_shape(batch_size) * 2


class CudnnGRU(_Network):
    """Layers of gated recurrent units; see CudnnLSTM, with the state (h,).

    Args:
        see CudnnLSTM.
    """

    _rnn_mode = "gru"
    _saveable_cls = CudnnGRUSaveable


class CudnnRNNTanh(_Network):
    """Plain recurrent layers with tanh; see CudnnLSTM, with the state (h,).

    Args:
        see CudnnLSTM.
    """

    _rnn_mode = "rnn_tanh"
    _saveable_cls = CudnnRNNTanhSaveable


class CudnnRNNRelu(_Network):
    """Plain recurrent layers with relu; see CudnnLSTM, with the state (h,).

    Args:
        see CudnnLSTM.
    """

    _rnn_mode = "rnn_relu"
    _saveable_cls = CudnnRNNReluSaveable
