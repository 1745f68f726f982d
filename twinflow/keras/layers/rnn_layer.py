"""RNN: a cell run along time."""

from typing import Any

import numpy as np

from twinflow.base import nest
from twinflow.base.shapes import TensorShape
from twinflow.keras.backend.sessions import set_value
from twinflow.keras.engine.base_layer import Layer, _converted
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.engine.nodes import has_history, is_deferred
from twinflow.keras.layers.rnn_cells import (
    StackedRNNCells,
    state_shapes,
    takes,
    zero_states,
)
from twinflow.keras.layers.unrolling import rnn
from twinflow.keras.saving.layer_configs import deserialize, serialize
from twinflow.ops.variables.resource import ResourceVariable
from twinflow.ops.variables.state import assign

_NO_BATCH = (
    "If a RNN is stateful, it needs to know its batch size. Specify the batch size of "
    "your input tensors: \n- If using a Sequential model, specify the batch size by "
    "passing a `batch_input_shape` argument to your first layer.\n- If using the "
    "functional API, specify the batch size by passing a `batch_shape` argument to "
    "your Input layer."
)
_NO_TIME = (
    "Cannot unroll a RNN if the time dimension is undefined or equal to 1. \n- If "
    "using a Sequential model, specify the time dimension by passing an `input_shape` "
    "or `batch_input_shape` argument to your first layer. If your first layer is an "
    "Embedding, you can also use the `input_length` argument.\n- If using the "
    "functional API, specify the time dimension by passing a `shape` or `batch_shape` "
    "argument to your Input layer."
)


class RNN(Layer):
    """A cell run along time: float[batch, time, size] to float[batch, units].

    Args:
        cell: a cell, or a list of cells to be stacked: something with `state_size` and
            `call(inputs, states)`, which gives (output, states).
        return_sequences: whether to give the outputs of all steps:
            float[batch, time, units].
        return_state: whether to give the last states too, after the output.
        go_backwards: whether to begin at the end.
        stateful: whether a batch goes on with the states of the one before.
        unroll: whether a graph gets nodes for each step, not a loop.
        kwargs: `name`, `dtype`, `input_shape` ...
    Raises:
        ValueError: `cell` is no cell.
    Example:
        y = tf.keras.layers.RNN(tf.keras.layers.GRUCell(4))(tf.ones([2, 5, 3]))
        y.shape.as_list()  # [2, 4]
    """

    state_spec: Any

    supports_masking = True

    def __init__(
        self, cell: Any, return_sequences: bool = False, return_state: bool = False,
        go_backwards: bool = False, stateful: bool = False, unroll: bool = False,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        if isinstance(cell, list | tuple):
            cell = StackedRNNCells(cell)
        if not hasattr(cell, "call"):
            raise ValueError(
                "`cell` should have a `call` method. The RNN was passed:", cell
            )
        if not hasattr(cell, "state_size"):
            raise ValueError(
                "The RNN cell should have an attribute `state_size` (tuple of "
                "integers, one integer per RNN state)."
            )
        if "input_shape" not in kwargs and (
            {"input_dim", "input_length"} & set(kwargs)
        ):
            length = kwargs.pop("input_length", None)
            kwargs["input_shape"] = (length, kwargs.pop("input_dim", None))
        super().__init__(**kwargs)
        self.cell = cell
        self.return_sequences, self.return_state = return_sequences, return_state
        self.go_backwards, self.stateful, self.unroll = go_backwards, stateful, unroll
        self.input_spec, self.state_spec = [InputSpec(**self._rank)], None
        self.__dict__.update(_states=None, _num_constants=None)

    _rank: dict[Any, Any] = {"min_ndim": 3}  # cells may take steps of any rank
    config: tuple[Any, ...] = (
        "return_sequences", "return_state", "go_backwards", "stateful", "unroll",
    )  # fmt: skip

    # ------------------------------------------------------------------ states
    @property
    def states(self) -> Any:
        """The states that a stateful layer goes on with; None before the first."""
        if self._states is None:
            found = tuple(None for _ in state_shapes(self.cell))
            return list(found) if isinstance(self.cell.state_size, int) else found
        return self._states

    @states.setter
    def states(self, states: Any) -> Any:
        self.__dict__["_states"] = states

    def get_initial_state(self, inputs: Any) -> Any:
        """States of zeros for the batch size of `inputs`, a list."""
        if hasattr(self.cell, "get_initial_state"):
            found = self.cell.get_initial_state(inputs=inputs)
            return list(found) if isinstance(found, list | tuple) else [found]
        return zero_states(self.cell, inputs)

    def reset_states(self, states: Any = None) -> None:
        """Set the states of a stateful layer to `states`, or to zeros.

        Args:
            states: a list of arrays.
        Raises:
            AttributeError: the layer is not stateful.
            ValueError: the batch size is not known, or an array does not fit.
        """
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        sizes = state_shapes(self.cell)
        if self._states is None or self._states[0] is None:
            spec = self.input_spec
            spec = spec[0] if isinstance(spec, list) else spec
            batch = spec.shape[0] if spec is not None and spec.shape else None
            self._make_states(batch)
        if states is None:
            values = [np.zeros(tuple(v._shape)) for v in self._states]
        else:
            values = list(states) if isinstance(states, list | tuple) else [states]
        if len(values) != len(sizes):
            raise ValueError(
                f"Layer {self.name} expects {len(sizes)} states, but it received "
                f"{len(values)} state values. Input received: {states}"
            )
        for i, (v, a) in enumerate(zip(self._states, values, strict=True)):
            if np.shape(a) != tuple(v._shape):
                raise ValueError(
                    f"State {i} is incompatible with layer {self.name}: expected "
                    f"shape={tuple(v._shape)}, found shape={np.shape(a)}"
                )
            set_value(v, a)

    def _make_states(self, batch):
        if batch is None:
            raise ValueError(_NO_BATCH)
        dtype = self.dtype or "float32"
        states = [
            ResourceVariable(np.zeros(s, dtype), trainable=False, name="state")
            for s in self._state_dims(batch)
        ]
        self.__dict__["_states"] = states

    def _state_dims(self, batch):
        """The shapes of the states for a batch of this size."""
        return [(batch, *s) for s in state_shapes(self.cell)]

    # ------------------------------------------------------------------ calling
    def build(self, input_shape: Any) -> None:
        shapes = input_shape if isinstance(input_shape, list) else [input_shape]
        dims = TensorShape(shapes[0]).as_list()
        batch = dims[0] if self.stateful else None
        spec = InputSpec(shape=(batch, None, *self._known(dims)))
        self.input_spec = [spec, *self.input_spec[1:]]
        if isinstance(self.cell, Layer):
            step = [(dims[0], *dims[2:])]
            for shape in self.__dict__.get("_constant_shapes") or ():
                step.append(tuple(shape))
            if not self.cell.built:
                self.cell._take_dtype(self._dtype)
                self.cell.build(step if len(step) > 1 else step[0])
                self.cell.built = True
        if self.state_spec is not None:
            self._check_states()
        if self.stateful and self._states is None:
            self._make_states(dims[0])
        self.built = True

    def _check_states(self):
        """Raise ValueError where given states are not those of the cell."""
        sizes = state_shapes(self.cell)
        given = [tuple(spec.shape[1:]) for spec in self.state_spec]
        if given != sizes:
            known = self.cell.state_size
            known = list(known) if isinstance(known, list | tuple) else [known]
            raise ValueError(
                "An `initial_state` was passed that is not compatible with "
                f"`cell.state_size`. Received `state_spec`={self.state_spec}; however "
                f"`cell.state_size` is {known}"
            )

    def _known(self, dims):
        return dims[2:]

    def __call__(
        self, inputs: Any, initial_state: Any = None, constants: Any = None,
        **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Build the layer if need be, and compute.

        Args:
            initial_state: a tensor or a list: the states to begin with; zeros, or those
                that are kept, if not given.
            constants: a tensor or a list: what the cell gets at every step too.
        """
        inputs, states, constants = apart(
            inputs, initial_state, constants, self._num_constants
        )
        if not states and not constants:
            return super().__call__(inputs, **kwargs)
        more, specs = [], []
        if states:
            kwargs["initial_state"] = states
            more += states
            self.state_spec = [InputSpec(shape=t._shape) for t in states]
            specs += self.state_spec
        if constants:
            kwargs["constants"] = constants
            more += constants
            self.__dict__["_num_constants"] = len(constants)
            self.__dict__["_constant_shapes"] = [t._shape for t in constants]
            specs += [InputSpec(shape=t._shape) for t in constants]
        if not (has_history(more) or is_deferred(more)):
            self.input_spec = self.input_spec[:1]  # a trace of such a call has more
            return super().__call__(inputs, **kwargs)
        for name in ("initial_state", "constants"):  # they become inputs
            kwargs.pop(name, None)
        plain = self.input_spec
        self.input_spec = [*plain[:1], *specs]
        try:
            return super().__call__([inputs, *more], **kwargs)
        finally:
            self.input_spec = self.input_spec[:1]

    def call(
        self, inputs: Any, mask: Any = None, training: Any = None,
        initial_state: Any = None, constants: Any = None,
    ) -> Any:  # fmt: skip
        if isinstance(inputs, list | tuple):
            inputs, *more = inputs
            n = len(more) - (self._num_constants or 0)
            initial_state = more[:n] or initial_state
            constants = more[n:] or constants
        if isinstance(mask, list):
            mask = mask[0]
        states = self._first_states(inputs, initial_state)
        if self.unroll and inputs._shape[1] in (None, 1):
            raise ValueError(_NO_TIME)
        found = self._run(inputs, states, mask, training, constants)
        last, outputs, states = found[0], found[1], list(found[2])
        if self.stateful:
            self._keep_states(states)
        found = outputs if self.return_sequences else last
        return [found, *states] if self.return_state else found

    def _first_states(self, inputs, given):
        if given is not None:
            states = list(given)
        elif self.stateful:
            states = [v._as_tensor() for v in self._states]
        else:
            states = self.get_initial_state(inputs)
        sizes = state_shapes(self.cell)
        if len(states) != len(sizes):
            raise ValueError(
                f"Layer has {len(sizes)} states but was passed {len(states)} initial "
                "states."
            )
        return states

    def _run(self, inputs, states, mask, training, constants):
        cell, options = self.cell, {}
        if takes(cell, "training") and training is not None:
            options["training"] = training
        if hasattr(cell, "draw_noise"):
            cell.draw_noise(inputs[:, 0], training)
        n = len(states)

        def step(x, values):
            more = dict(options)
            if constants:
                more["constants"] = values[n:]
            lone = n == 1 and getattr(cell, "_is_tf_rnn_cell", False)
            y, new = cell.call(x, values[0] if lone else values[:n], **more)
            return y, list(new) if isinstance(new, list | tuple) else [new]

        try:
            return rnn(
                step, inputs, states, self.go_backwards, mask, constants, self.unroll
            )
        finally:
            if hasattr(cell, "forget_noise"):
                cell.forget_noise()

    def _keep_states(self, states):
        updates = [assign(v, s) for v, s in zip(self._states, states, strict=True)]
        self.add_update(updates, inputs=True)

    # ------------------------------------------------------------------ facts
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the input, if sequences are returned."""
        if isinstance(mask, list):
            mask = mask[0]
        found = mask if self.return_sequences else None
        if self.return_state:
            return [found, *(None for _ in state_shapes(self.cell))]
        return found

    def compute_output_shape(self, input_shape: Any) -> Any:
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        dims = TensorShape(input_shape).as_list()
        sizes = state_shapes(self.cell)
        size = getattr(self.cell, "output_size", None)
        out = list(sizes[0]) if size is None else TensorShape(size).as_list()
        found = [dims[0], dims[1], *out] if self.return_sequences else [dims[0], *out]
        if not self.return_state:
            return TensorShape(found)
        return [TensorShape(found), *(TensorShape([dims[0], *s]) for s in sizes)]

    def get_config(self) -> dict[str, Any]:
        found = super().get_config()
        if type(self).from_config.__func__ is RNN.from_config.__func__:
            found["cell"] = serialize(self.cell)
            if self._num_constants is not None:
                found["num_constants"] = self._num_constants
        return found

    @classmethod
    def from_config(
        cls, config: Any, custom_objects: Any = None, safe_mode: Any = None
    ) -> "RNN":
        """A layer from what `get_config` gave; see Note [Safe mode]."""
        config = dict(config)
        cell = deserialize(config.pop("cell"), custom_objects, safe_mode)
        constants = config.pop("num_constants", None)
        layer = cls(cell, **config)
        layer.__dict__["_num_constants"] = constants
        return layer


def apart(inputs, states, constants, num_constants):
    """(inputs, list of states, list of constants), also where all are in one list."""
    if isinstance(inputs, list):
        more = inputs[1:]
        if num_constants:
            constants, more = more[-num_constants:], more[:-num_constants]
        inputs, states = inputs[0], more or states
    return _converted(inputs), _listed(states), _listed(constants)


def _listed(x):
    if x is None:
        return None
    if isinstance(x, list | tuple):
        return [_converted(t) for t in nest.flatten(list(x))]
    return [_converted(x)]
