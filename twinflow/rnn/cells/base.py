"""RNNCell: one step of a recurrent network, and what steps share."""

from typing import Any

from twinflow.base import dispatch, nest
from twinflow.base.annotations import overridable
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.graph.variable_scope import get_variable_scope, variable_scope
from twinflow.keras import activations, initializers
from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import shape as shape_of


def assert_like_rnncell(cell_name, cell):
    """Refuse what cannot be used as a cell.

    Args:
        cell_name: the name of the argument, for the message.
    Raises:
        TypeError: the cell lacks a size, a first state, or cannot be called.
    """
    first = hasattr(cell, "get_initial_state") or hasattr(cell, "zero_state")
    faults = [
        text
        for text, good in {
            "'output_size' property is missing": hasattr(cell, "output_size"),
            "'state_size' property is missing": hasattr(cell, "state_size"),
            "either 'zero_state' or 'get_initial_state' method is required": first,
            "is not callable": callable(cell),
        }.items()
        if not good
    ]
    if faults:
        raise TypeError(
            f"The argument {cell_name!r} ({cell}) is not an RNNCell: "
            f"{', '.join(faults)}."
        )


def of_unknown_length(size):
    """Whether a size is a tensor of which not even the number of entries is known."""
    shape = size._shape if isinstance(size, Tensor) else ()
    return shape is None or None in shape


def dims_of(size):
    """A size (an int, a TensorShape, a tensor) as a list of ints or scalars."""
    if isinstance(size, Tensor):
        count = 1 if not size.shape.ndims else size.shape[0].value
        return [size] if not size.shape.ndims else [size[i] for i in range(count)]
    if isinstance(size, TensorShape):
        return size.as_list()
    return [int(d) for d in nest.flatten(size)]


def static_dims(dims):
    """The same with None in place of tensors that only a run knows."""
    return [_static(d) for d in dims]


def _static(d):
    if not isinstance(d, Tensor):
        return d
    known = d._host_value() if d.symbolic else d._a
    return None if known is d else int(known)


def zeros_of(batch_size, size, dtype):
    """Zeros of dtype[batch_size, *size].

    Raises:
        ValueError: something is not known.
    """
    if of_unknown_length(size):
        return zeros(concat([dims_of(batch_size), size], 0), dtype)
    dims = [*dims_of(batch_size), *dims_of(size)]
    if None in dims:
        raise ValueError(
            f"Provided a prefix or suffix of None: {batch_size} and {size}"
        )
    found = zeros(dims, dtype)
    if found.symbolic:
        found.set_shape(static_dims(dims))
    return found


class RNNCell(ScopedLayer):
    """One step of a recurrent network: `(output, next_state) = cell(input, state)`.

    A subclass gives `state_size` and `output_size` and computes in `call(inputs,
    state)`; variables that it gets there by tf.get_variable are its own.

    Args:
        trainable, name, dtype, kwargs: see tf.layers.Layer.
    Example:
        class Decay(tf.nn.rnn_cell.RNNCell):
            state_size = output_size = 3
            def call(self, inputs, state):
                new = 0.9 * state + inputs
                return new, new
    """

    _is_tf_rnn_cell = True  # tf.keras.layers.RNN gives it a lone state as it is

    def __init__(
        self, trainable: bool = True, name: str | None = None, dtype: Any = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self.__dict__["_around"] = None  # the variable scope of the first call

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, ...]:
        """One step.

        Args:
            inputs: float[batch, input_size]. state: float[batch, size] for each size in
                `state_size`, in its structure.
            scope: the variable scope; named after the class if not given.
        Returns:
            (float[batch, output_size], the next state)
        """
        if scope is not None:
            with variable_scope(scope, custom_getter=self._kept) as scope:
                return super().__call__(inputs, state, scope=scope)
        if self._around is None:
            self.__dict__["_around"] = variable_scope(
                get_variable_scope(), custom_getter=self._kept
            )
        with self._around:
            return super().__call__(inputs, state)

    def _kept(self, getter, *args, **kwargs):
        """A variable that was asked for in this cell's scope, as one of its own."""
        variable = getter(*args, **kwargs)
        if variable not in self._weights:
            self._own(variable, variable.name.removesuffix(":0"))
        return variable

    @property
    def state_size(self) -> Any:
        """The sizes of the states: ints or TensorShapes, in any structure."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """The size of the output: an int or a TensorShape."""
        raise NotImplementedError("Abstract method")

    @overridable
    def build(self, _: Any) -> Any:
        """Nothing: variables are made by tf.get_variable in `call`."""

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: Any = None
    ) -> Any:
        """Zeros for a batch of the size and dtype of `inputs`, or those given.

        Raises:
            ValueError: neither is given, or they contradict each other.
        """
        if inputs is not None:
            inputs = convert_to_tensor(inputs, name="inputs")
            _check_same(inputs, batch_size, dtype)
            batch_size = inputs.shape[0].value or shape_of(inputs)[0]
            dtype = inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                "batch_size and dtype cannot be None while constructing initial state: "
                f"batch_size={batch_size}, dtype={dtype}"
            )
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros to start with.

        Args:
            batch_size: an int or an int32 scalar. dtype: the DType.
        Returns:
            dtype[batch_size, size] for each size in `state_size`, in its structure.
        """
        ids = 10 if isinstance(batch_size, Tensor) else 8

        def start(size):
            with dispatch.current_mode().counted(ids):
                return zeros_of(batch_size, size, dtype)

        with self._zero_scope():
            return nest.map_structure(start, self.state_size)

    def _zero_scope(self):
        name = f"{type(self).__name__}ZeroState"
        return dispatch.current_mode().name_scope(name)


def _check_same(inputs, batch_size, dtype):
    found = inputs.shape[0].value
    if batch_size is not None and static_dims([batch_size])[0] != found:
        raise ValueError(
            "batch size from input tensor is different from the input param. Input "
            f"tensor batch: {found}, batch_size: {batch_size}"
        )
    if dtype is not None and inputs.dtype != dtype:
        raise ValueError(
            "dtype from input tensor is different from the input param. Input tensor "
            f"dtype: {inputs.dtype}, dtype: {dtype}"
        )


class LayerRNNCell(RNNCell):
    """A cell that makes its variables in `build`, with `add_variable`.

    Attributes:
        _settings: the names of what `get_config` gives; an attribute begins with "_".
    """

    _settings: tuple[str, ...] = ()

    def get_config(self) -> Any:
        """The settings; initializers and the activation in a form that can be saved."""
        found = {name: getattr(self, f"_{name}") for name in self._settings}
        for name, value in found.items():
            if name.endswith("initializer"):
                found[name] = initializers.serialize(value)
            elif name == "activation":
                found[name] = activations.serialize(value)
        return super().get_config() | found

    def __call__(
        self, inputs: Any, state: Any, scope: str | None = None, *args: Any,
        **kwargs: Any,
    ) -> tuple[Any, ...]:  # fmt: skip
        """One step; see RNNCell."""
        return ScopedLayer.__call__(self, inputs, state, *args, scope=scope, **kwargs)


def of_units(doc="`num_units`."):
    """The property that gives the size that the cell was made with."""
    return property(lambda self: self._num_units, doc=doc)


def depth_of(inputs_shape):
    """The number of features of the input.

    Raises:
        ValueError: it is not known.
    """
    shape = TensorShape(inputs_shape)
    depth = shape[-1].value
    if depth is None:
        raise ValueError(
            "Expected inputs.shape[-1] to be known, saw shape: "
            f"{tuple(shape.as_list())}"
        )
    return depth
