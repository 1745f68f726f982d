"""Layers around a layer: TimeDistributed, Bidirectional."""

from typing import Any

from twinflow.base import nest
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.engine.nodes import has_history, is_deferred
from twinflow.keras.layers.rnn_layer import apart
from twinflow.keras.saving.layer_configs import deserialize, serialize
from twinflow.ops.arrays.rearrange import reverse
from twinflow.ops.core.elementwise import add, multiply
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_any
from twinflow.ops.core.shape import reshape, shape


class Wrapper(Layer):
    """The base of layers around a layer.

    Args:
        layer: the layer. kwargs: `name`, `dtype`, `input_shape` ...
    Raises:
        ValueError: it is no layer.
    """

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Please initialize `{type(self).__name__}` layer with a `Layer` "
                f"instance. You passed: {layer}"
            )
        super().__init__(**kwargs)
        self.layer = layer

    @property
    def activity_regularizer(self) -> Any:
        """That of the layer inside."""
        return getattr(self.layer, "activity_regularizer", None)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "layer": serialize(self.layer)}

    @classmethod
    def from_config(
        cls, config: Any, custom_objects: Any = None, safe_mode: Any = None
    ) -> Any:
        """A layer from what `get_config` gave; see Note [Safe mode]."""
        layer = deserialize(config["layer"], custom_objects, safe_mode)
        return cls(layer, **{k: v for k, v in config.items() if k != "layer"})


def _build_inside(layer, dims, dtype):
    """Build a layer without a name scope of its own."""
    if not layer.built:
        layer._take_dtype(dtype)
        layer.build(TensorShape(dims))
        layer.built = True


def _merged_steps(x):
    """[batch, time, ...] as [batch * time, ...]."""
    rest = x._shape[2:]
    if None not in rest:
        return reshape(x, (-1, *rest))
    return reshape(x, concat([[-1], shape(x)[2:]], 0))


def _apart_steps(y, x):
    """[batch * time, ...] as [batch, time, ...], with the batch and time of `x`."""
    batch, steps = x._shape[:2]
    rest = y._shape[1:]
    free = rest
    if None in rest:
        free = tuple(shape(y)[i + 1] for i in range(len(rest)))
    now = shape(x)[1] if steps is None else steps
    found = reshape(y, (-1 if batch is None else batch, now, *free))
    if found.symbolic:
        found.set_shape((batch, steps, *rest))
    return found


class TimeDistributed(Wrapper):
    """A layer applied to each step of time by itself.

    Args:
        layer: the layer. kwargs: `name`, `dtype`, `input_shape` ...
    Example:
        dense = tf.keras.layers.Dense(2)
        tf.keras.layers.TimeDistributed(dense)(tf.ones([4, 5, 3]))  # float32[4, 5, 2]
    """

    supports_masking = True

    def build(self, input_shape: Any) -> None:
        dims = TensorShape(input_shape).as_list()
        if len(dims) < 3:
            raise ValueError(
                "`TimeDistributed` needs inputs with at least 3 axes (batch, time and "
                f"more), got shape {TensorShape(input_shape)}."
            )
        self.input_spec = InputSpec(shape=(None, None, *dims[2:]))
        _build_inside(self.layer, [dims[0], *dims[2:]], self._dtype)
        self.built = True

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        options = {}
        if training is not None and self.layer._takes("training"):
            options["training"] = training
        if mask is not None and self.layer._takes("mask"):
            options["mask"] = _merged_steps(mask)
        y = self.layer.call(_merged_steps(inputs), **options)
        if self.layer._activity_regularizer is not None:
            self.add_loss(self.layer._activity_regularizer(y), inputs=inputs)
        return _apart_steps(y, inputs)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask that the layer gives for each step, or else which steps count."""
        inner = self.layer
        knows = inner.supports_masking or (
            type(inner).compute_mask is not Layer.compute_mask
        )
        found = None
        if knows:
            merged = None if mask is None else _merged_steps(mask)
            found = inner.compute_mask(_merged_steps(inputs), merged)
        if found is not None:
            return _apart_steps(found, inputs)
        while mask is not None and len(mask._shape) > 2:
            mask = reduce_any(mask, -1)
        return mask

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        inner = self.layer.compute_output_shape(TensorShape([dims[0], *dims[2:]]))
        inner = TensorShape(inner).as_list()
        return TensorShape([inner[0], dims[1], *inner[1:]])


_MODES = ("sum", "mul", "ave", "concat", None)


class Bidirectional(Wrapper):
    """A recurrent layer and its copy that goes backwards.

    Args:
        layer: an RNN, LSTM, GRU ...
        merge_mode: how outputs are joined: "sum", "mul", "ave", "concat", or None for a
            list of both. weights: values to begin with, of both layers.
        kwargs: `name`, `dtype`, `input_shape` ...
    Raises:
        ValueError: merge_mode is something else.
    Example:
        lstm = tf.keras.layers.LSTM(4)
        tf.keras.layers.Bidirectional(lstm)(tf.ones([2, 5, 3]))  # float32[2, 8]
    """

    supports_masking = True
    config = ("merge_mode",)

    def __init__(
        self, layer: Any, merge_mode: str | None = "concat", weights: Any = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        if merge_mode not in _MODES:
            raise ValueError(
                "Invalid merge mode. Merge mode should be one of "
                '{"sum", "mul", "ave", "concat", None}'
            )
        super().__init__(layer, **kwargs)
        del self.layer  # its copies are the parts
        self.__dict__["layer"] = layer
        self.forward_layer = type(layer).from_config(layer.get_config())
        config = layer.get_config()
        config["go_backwards"] = not config["go_backwards"]
        self.backward_layer = type(layer).from_config(config)
        self.forward_layer._name = "forward_" + self.forward_layer.name
        self.backward_layer._name = "backward_" + self.backward_layer.name
        self.merge_mode = merge_mode
        self.stateful, self.return_state = layer.stateful, layer.return_state
        self.return_sequences = layer.return_sequences
        self.input_spec = layer.input_spec
        self.__dict__["_num_constants"] = None
        if weights:
            half = len(weights) // 2
            self.forward_layer.__dict__["_initial_weights"] = weights[:half]
            self.backward_layer.__dict__["_initial_weights"] = weights[half:]

    def build(self, input_shape: Any) -> None:
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        for layer in (self.forward_layer, self.backward_layer):
            if not layer.built:
                with current_mode().name_scope(layer.name):
                    layer._take_dtype(self._dtype)
                    layer.build(TensorShape(input_shape))
                    layer.built = True
                    layer._take_initial_weights()
        own = self.forward_layer.input_spec
        self.input_spec = [*nest.flatten(own)[:1], *nest.flatten(self.input_spec)[1:]]
        self.built = True

    def __call__(
        self, inputs: Any, initial_state: Any = None, constants: Any = None,
        **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Build the layer if need be, and compute.

        Args:
            initial_state: a list of states, those of the forward layer first.
            constants: a tensor or a list: what both cells get at every step too.
        """
        inputs, states, constants = apart(
            inputs, initial_state, constants, self._num_constants
        )
        more = [*(states or ()), *(constants or ())]
        if not more:
            return super().__call__(inputs, **kwargs)
        if len(states or ()) % 2:
            raise ValueError(
                "When passing `initial_state` to a Bidirectional RNN, the state should "
                "be a list containing the states of the underlying RNNs. Found: "
                f"{initial_state}"
            )
        if constants:
            self._note_constants(constants)
        if not (has_history(more) or is_deferred(more)):
            self.input_spec = self.layer.input_spec  # a trace of such a call has more
            return super().__call__(
                inputs, initial_state=states, constants=constants, **kwargs
            )
        spec = self.input_spec
        free = [InputSpec(shape=t._shape) for t in more]
        self.input_spec = [*(spec if isinstance(spec, list) else [spec]), *free]
        try:
            return super().__call__([inputs, *more], **kwargs)
        finally:
            self.input_spec = spec

    def _note_constants(self, constants):
        shapes = [t._shape for t in constants]
        for layer in (self, self.forward_layer, self.backward_layer):
            layer.__dict__.update(
                _num_constants=len(constants), _constant_shapes=shapes
            )

    def call(
        self, inputs: Any, training: Any = None, mask: Any = None,
        initial_state: Any = None, constants: Any = None,
    ) -> Any:  # fmt: skip
        if isinstance(inputs, list):
            inputs, *more = inputs
            n = len(more) - (self._num_constants or 0)
            initial_state = more[:n] or initial_state
            constants = more[n:] or constants
        if isinstance(mask, list):
            mask = mask[0]
        given = {"training": training, "mask": mask}
        given["constants"] = constants or None
        options = {
            k: v for k, v in given.items() if v is not None and self.layer._takes(k)
        }
        y, z = self._both(inputs, initial_state, options)
        more = []
        if self.return_state:
            more, (y, z) = [*y[1:], *z[1:]], (y[0], z[0])
        if self.return_sequences:
            z = reverse(z, [1])
        found = self._merged(y, z)
        if not self.return_state:
            return found
        return [*found, *more] if self.merge_mode is None else [found, *more]

    def _both(self, inputs, states, options):
        """What the layer gives forwards and backwards."""
        half, each = len(states or ()) // 2, [{}, {}]
        if states:
            each = [{"initial_state": s} for s in (states[:half], states[half:])]
        return [
            layer.call(inputs, **options, **own)
            for layer, own in zip(
                (self.forward_layer, self.backward_layer), each, strict=True
            )
        ]

    def _merged(self, y, z):
        if self.merge_mode == "concat":
            return concat([y, z], -1)
        if self.merge_mode == "sum":
            return add(y, z)
        if self.merge_mode == "ave":
            return add(y, z) / 2
        if self.merge_mode == "mul":
            return multiply(y, z)
        return [y, z]

    @property
    def constraints(self) -> dict[Any, Any]:
        """Those of the weights of both layers, by their names: none."""
        return {}

    def get_config(self) -> dict[str, Any]:
        found = super().get_config()
        if self._num_constants is not None:
            found["num_constants"] = self._num_constants
        return found

    @classmethod
    def from_config(
        cls, config: Any, custom_objects: Any = None, safe_mode: Any = None
    ) -> "Bidirectional":
        """A layer from what `get_config` gave; see Note [Safe mode]."""
        config = dict(config)
        constants = config.pop("num_constants", None)
        layer = super().from_config(config, custom_objects, safe_mode)
        layer.__dict__["_num_constants"] = constants
        return layer

    def reset_states(self) -> None:
        """Forget the states of both layers."""
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the input, if sequences are returned."""
        if isinstance(mask, list):
            mask = mask[0]
        found = mask if self.return_sequences else None
        out = [found, found] if self.merge_mode is None else found
        if not self.return_state:
            return out
        more = [None] * (2 * len(self.forward_layer.states))
        return [*(out if isinstance(out, list) else [out]), *more]

    def compute_output_shape(self, input_shape: Any) -> Any:
        found = self.forward_layer.compute_output_shape(input_shape)
        states = []
        if self.return_state:
            found, states = found[0], list(found[1:])
        dims = TensorShape(found).as_list()
        if self.merge_mode == "concat":
            dims[-1] *= 2
        out = [TensorShape(dims)] * (2 if self.merge_mode is None else 1)
        if self.return_state:
            return [*out, *states, *states]
        return out if self.merge_mode is None else out[0]
