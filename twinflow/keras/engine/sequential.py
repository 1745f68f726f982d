"""Sequential: layers in a row."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import overridable
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras.backend import defaults
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.cloned_network import start_of
from twinflow.keras.engine.input_layer import Input, InputLayer
from twinflow.keras.engine.model import Model
from twinflow.keras.engine.nodes import is_deferred, masks_of
from twinflow.keras.engine.tracing import trace
from twinflow.keras.saving.layer_configs import deserialize, serialize
from twinflow.ops.random.setting import setting


class Sequential(Model):
    """Layers that are called one after the other.

    Variables are made at the first call, or at once if the first layer was given an
    `input_shape`.

    Args:
        layers: a list of layers. name: its name.
    Raises:
        TypeError: something else is added.
    Example:
        tf.keras.Sequential([tf.keras.layers.Dense(10), tf.keras.layers.Dense(2)])
    """

    def __init__(self, layers: Any = None, name: str | None = None) -> None:
        super().__init__(name=name)
        self._row: list[Any] = []
        self.__dict__["_ends"] = None  # (the Input, the last output) where known
        for layer in layers or []:
            self.add(layer)

    def add(self, layer: Any) -> None:
        """Append a layer.

        Raises:
            TypeError: it is no layer.
            ValueError: it gives several outputs.
        """
        if not isinstance(layer, Layer):
            raise TypeError(
                f"The added layer must be an instance of class Layer. Found: {layer}"
            )
        self.built = False
        if not self._row and self._ends is None:
            self._begin(layer)
        elif self._ends is not None:
            self._row.append(layer)
            self._extend(layer)
        else:
            self._row.append(layer)
        self.built = self._ends is not None

    def _begin(self, layer):
        """Add the first layer; where it knows its input, the row is connected."""
        if isinstance(layer, InputLayer):
            x = layer._inbound_nodes[-1].output_tensors[0]
            self._row, self.__dict__["_start_layer"] = [], layer
            self.__dict__["_ends"] = (x, x)
            return
        self._row.append(layer)
        shape, dtype = _first_input(layer)
        if shape is None:
            return
        dtype = dtypes.as_dtype(dtype or defaults.floatx())
        x = Input(batch_shape=tuple(shape), dtype=dtype, name=f"{layer.name}_input")
        self.__dict__["_ends"] = (x, x)
        self._extend(layer)

    def _extend(self, layer):
        y = layer(self._ends[1])
        if isinstance(y, list | tuple):
            raise ValueError(
                "All layers in a Sequential model should have a single output tensor. "
                "For multi-output layers, use the functional API."
            )
        self._reach(self._ends[0], y)

    def _reach(self, x, y):
        self.__dict__["_ends"] = (x, y)
        self._join(x, y)

    def pop(self) -> None:
        """Take the last layer away.

        Raises:
            TypeError: there are none.
        """
        if not self._row:
            raise TypeError("There are no layers in the model.")
        last = self._row.pop()
        if self._ends is None:
            if self.__dict__.get("_shapes"):
                self.build(self._shapes[0])
            return
        node = last._inbound_nodes.pop()
        for before in node.inbound_layers:
            before._outbound_nodes.pop()
        if self._row:
            self._reach(self._ends[0], node.input_tensors[0])
        else:
            self.__dict__.update(_ends=None, _network=None)
            self.built = False

    def build(self, input_shape: Any = None) -> None:
        """Make the variables for an input of this shape.

        Raises:
            ValueError: it is not given, and the layers do not know it.
        """
        if self._ends is not None:
            self.built = True
        elif input_shape is None:
            raise ValueError("You must provide an `input_shape` argument.")
        elif isinstance(input_shape, TensorShape):
            self.built = True
            if input_shape.ndims:
                sizes = input_shape.as_list()[1:]
                self.__dict__["_called_with"] = (None, *sizes)
        else:
            x = (dtypes.as_dtype(defaults.floatx()), input_shape)
            self.__dict__["_shapes"] = [tuple(input_shape), trace(self.call, [x])[1]]
            self.built = bool(self._row)

    @overridable
    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Tensor:
        """The output of the last layer; `training` goes to the layers that take it."""
        if current_mode().eager:
            return self._run_now(inputs, training, mask)[0]
        x = inputs
        for layer in self._row:
            if training is not None and layer._takes("training"):
                x = layer(x, training=training)
            else:
                x = layer(x)
        return x

    def _run_now(self, x, training, mask):
        """(output, mask) in eager mode, where tensors do not carry masks."""
        if setting.original and not all(layer.built for layer in self._row):
            trace(self.call, [(x.dtype, x._shape)])  # TensorFlow makes them all first
        for layer in self._row:
            takes = training is not None and layer._takes("training")
            kwargs = {"training": training} if takes else {}
            if mask is None and type(layer).compute_mask is Layer.compute_mask:
                x = layer(x, **kwargs)
            else:
                x, mask = layer._with_mask(x, mask, kwargs)
        return x, mask

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the output."""
        if current_mode().eager:
            return self._run_now(inputs, None, mask)[1]
        return masks_of(self.call(inputs, mask=mask))

    def _with_mask(self, inputs, mask, kwargs):
        return self._run_now(inputs, kwargs.get("training"), mask)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of this shape."""
        x = (dtypes.as_dtype(defaults.floatx()), input_shape)
        return TensorShape(trace(self.call, [x])[1])

    # ------------------------------------------------------------------ facts
    @property
    def layers(self) -> list[Any]:
        """The layers in a row."""
        return list(self._row)

    @property
    def input_shape(self) -> Any:
        """The shape of the input, a tuple.

        Raises:
            AttributeError: it is not known yet.
        """
        return self._end_shape(0, "input")

    @property
    def output_shape(self) -> Any:
        """The shape of the output, a tuple.

        Raises:
            AttributeError: it is not known yet.
        """
        return self._end_shape(1, "output")

    def _end_shape(self, which, what):
        if self._ends is not None:
            return tuple(self._ends[which]._shape)
        if self.__dict__.get("_shapes"):
            return tuple(self._shapes[which])
        if self._inbound_nodes:
            return self._one_shape(what)
        raise AttributeError(
            f"The {what} shape of {self.name!r} is not known: give the first layer an "
            "`input_shape`, or call `build(input_shape)`."
        )

    def predict_proba(self, x: Any, batch_size: Any = 32, verbose: Any = 0) -> Any:
        """Same as `predict`, for models whose outputs are probabilities."""
        return self.predict(x, batch_size, verbose)

    def predict_classes(self, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
        """The most likely class of each sample; of a single output, if it is > 0.5."""
        found = self.predict(x, batch_size=batch_size, verbose=verbose)
        if found.shape[-1] > 1:
            return found.argmax(axis=-1)
        return (found > 0.5).astype("int32")

    def get_config(self) -> dict[str, Any]:
        """The layers, as plain values."""
        found = {"name": self.name, "layers": [serialize(x) for x in self._row]}
        if self._ends is None and self.built:
            shape = self._built_for()
            found |= {"build_input_shape": shape} if shape else {}
        return found

    def _built_for(self):
        """The shape of the input that the variables were made for; None = unknown."""
        if self.__dict__.get("_shapes"):
            return self._shapes[0]
        if self._fed and self._fed["inputs"]:
            sizes = self._fed["inputs"][0]._shape
            return None if sizes is None else (None, *sizes[1:])
        return self.__dict__.get("_called_with")

    @classmethod
    def from_config(
        cls, config: Any, custom_objects: Any = None, safe_mode: Any = None
    ) -> "Sequential":
        """A model from what `get_config` gave; see Note [Safe mode]."""
        named = isinstance(config, dict)
        model = cls(name=config["name"] if named else None)
        for entry in config["layers"] if named else config:
            model.add(deserialize(entry, custom_objects, safe_mode))
        shape = config.get("build_input_shape") if named else None
        if shape and model._ends is None:
            model.build(tuple(shape))
        return model

    def _anew(self, tensors):
        layers = [type(x).from_config(x.get_config()) for x in self.layers]
        start = start_of(tensors[0])
        return Sequential([start._keras_history[0], *layers], name=self.name)

    def __getstate__(self):
        if self._ends is None or is_deferred(self._ends[0]):
            return super().__getstate__()
        return super().__getstate__() | {"_ends": None, "_network": None}


def _first_input(layer):
    """(shape, dtype) of the input of a layer or model; None where it is not known."""
    while isinstance(layer, Model) and layer._batch_input_shape is None:
        if layer.inputs:
            return layer.inputs[0]._shape, layer.inputs[0].dtype
        if not layer.layers:
            break
        layer = layer.layers[0]
    return layer._batch_input_shape, layer.dtype
