"""Model: a layer made of layers."""

import inspect
import json
from typing import TYPE_CHECKING, Any

from twinflow.base import dtypes, nest
from twinflow.base.advice import advised
from twinflow.base.annotations import overridable
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.base.trackable import is_part
from twinflow.base.versions import compat
from twinflow.keras.backend import defaults
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.cloned_network import NO_CLASSES, cloned_network
from twinflow.keras.engine.functional import Network
from twinflow.keras.engine.nodes import Node, is_deferred
from twinflow.keras.engine.tracing import holds_shapes, trace
from twinflow.keras.saving.model_config import plain, rebuilt, settings_of
from twinflow.keras.saving.model_saving import HasSaving
from twinflow.keras.saving.safe_mode import scope
from twinflow.keras.training.trainer import HasTraining
from twinflow.keras.utils import cards
from twinflow.keras.utils.model_summary import print_summary

_FORGOTTEN = (
    "It looks like you are subclassing `Model` and you forgot to call "
    "`super(YourClass, self).__init__()`. Always start with this line."
)
_UNBUILT = (
    "Layer: {} was not built in your model. Calling `build` manually on a subclassed "
    "model is only allowed for models with a static topology. In this case, you can "
    "build your model by calling it on real tensor data."
)
_FURTHER = (
    "Currently, you cannot build your model if it has positional or keyword arguments "
    "that are not inputs to the model, but are required for its `call` method. "
    "Instead, in order to instantiate and build your model, `call` your model on real "
    "tensor data with all expected call arguments."
)
_NOT_FLOAT = (
    "You cannot build your model by calling `build` if your layers do not support "
    "float type inputs. Instead, in order to instantiate and build your model, `call` "
    "your model on real tensor data (of the correct dtype)."
)
_PLAIN = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_SET_BY_INIT = ("_name", "_weights", "built")


class Model(HasSaving, HasTraining, Layer):
    """A layer made of layers: a subclass, or what lies between tensors.

    Make layers in `__init__` and use them in `call`. Layers, models and variables that
    are assigned to attributes, also inside lists and dicts, are part of the model. Or
    call layers on `tf.keras.Input`s, and give inputs and outputs to `Model`.

    Args:
        inputs, outputs: tensors or lists of them, for the functional way; see `Input`.
        name: its name; made from the class and numbered if not given.
    Raises:
        RuntimeError: a subclass forgot to call `super().__init__()`.
        ValueError: the outputs are not made of the inputs by layers.
    Example:
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(10)
            def call(self, x):
                return self.dense(x)
    """

    _own_first = False
    _keeps_settings = True
    _network = None  # of a functional model

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = dict(zip(("inputs", "outputs", "name"), args, strict=False))
        if (len(args) == 1 and isinstance(args[0], str)) or args[:1] == (None,):
            given = {"name": args[0]}
        for key in kwargs:
            if key not in ("inputs", "outputs", "name"):
                raise TypeError(
                    f"{type(self).__name__} got an argument {key!r}; a Model takes "
                    "`inputs`, `outputs` and `name`."
                )
        given |= kwargs
        name = given.get("name")
        if name is None and "outputs" in given:
            name = defaults.unique_name(defaults.snake_case(type(self).__name__))
        super().__init__(name=name)
        if "outputs" in given:
            self._connect(given["inputs"], given["outputs"])

    def _connect(self, inputs, outputs):
        """Become what lies between these tensors."""
        self._join(inputs, outputs)
        self._row = list(self._network.layers)
        self.built = True

    def _join(self, inputs, outputs):
        """Note what lies between tensors as the first call of the model."""
        self.__dict__["_network"] = Network(inputs, outputs)
        self._inbound_nodes.clear()
        calls = [nest.flatten(t) for t in (inputs, outputs)]
        own = [t._keras_history for t in calls[1]]
        node = Node(self, *calls)  # its first call is the one it was made by
        node.inbound_layers = node.node_indices = node.tensor_indices = []
        for t, history in zip(calls[1], own, strict=True):
            t._keras_history = history
        for layer in {t._keras_history[0] for t in calls[0]}:
            layer._outbound_nodes.pop()

    def __setattr__(self, name, value):
        if "_weights" not in self.__dict__ and is_part(value):
            raise RuntimeError(_FORGOTTEN)
        super().__setattr__(name, value)

    if not TYPE_CHECKING:  # checkers would believe in every attribute

        def __getattr__(self, name):
            if name in _SET_BY_INIT:
                raise RuntimeError(_FORGOTTEN)
            found = getattr(type(self), name, None)
            if isinstance(found, property):  # say what went wrong inside it
                return found.fget(self)
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}"
            )

    # ------------------------------------------------------------------ calling

    @overridable
    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The output for `inputs`.

        Raises:
            NotImplementedError: the subclass does not define it.
        """
        if self._network is not None:
            return self._network.run(inputs, mask, training)[0]
        raise NotImplementedError(
            "When subclassing the `Model` class, you should implement a `call` method."
        )

    def build(self, input_shape: Any) -> None:
        """Make the variables by tracing `call` on an input of this shape.

        Args:
            input_shape: a shape with None for what is free, or a list of shapes.
        Raises:
            ValueError: it is something else, `call` needs more arguments, or does not
                call all layers.
        """
        self._check_build(input_shape)
        several = isinstance(input_shape, list) and holds_shapes(input_shape)
        dtype = dtypes.as_dtype(defaults.floatx())
        given = [(dtype, s) for s in (input_shape if several else [input_shape])]
        try:
            trace(lambda *xs: self._call_once(list(xs) if several else xs[0]), given)
        except TypeError as error:
            raise ValueError(_NOT_FLOAT) from error
        for layer in self.layers:
            if not layer.built:
                raise ValueError(_UNBUILT.format(layer))
        self.built = True

    def _check_build(self, input_shape):
        """Raise ValueError where the shape or the arguments of `call` do not do."""
        if not isinstance(input_shape, tuple | list | TensorShape):
            raise ValueError(
                "Specified input shape is not one of the valid types. Please specify a "
                "batch input shape of type tuple or list of input shapes. User "
                f"provided input type: {type(input_shape)}"
            )
        needed = inspect.signature(self.call).parameters.values()
        needed = [p.name for p in needed if p.default is p.empty and p.kind in _PLAIN]
        if any(name not in ("training",) for name in needed[1:]):
            raise ValueError(_FURTHER)

    def _build_for(self, input_shape):
        if type(self).build is not Model.build:  # else `call` makes the variables
            self.build(input_shape)

    def _call_once(self, x):
        return self.call(x, training=False) if self._takes("training") else self.call(x)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the output of a functional model; None for others."""
        if self._network is None:
            return None
        return self._network.run(inputs, mask)[1]

    def _mark_masks(self, inputs, outputs, masks):
        """The layers have done that."""

    def _with_mask(self, inputs, mask, kwargs):
        if self._network is None or is_deferred(inputs):
            return self(inputs, **kwargs), None
        return self._network.run(inputs, mask, kwargs.get("training"))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input (or a list of inputs) of a shape."""
        if self._network is None:
            return super().compute_output_shape(input_shape)
        many = len(self._network.inputs) > 1
        shapes = list(input_shape) if many else [input_shape]
        kinds = [t.dtype for t in self._network.inputs]
        found = trace(
            lambda *xs: self.call(list(xs) if many else xs[0]),
            list(zip(kinds, shapes, strict=True)), whole=True,
        )  # fmt: skip
        if isinstance(found, list):
            return [TensorShape(y._shape) for y in found]
        return TensorShape(found._shape)

    # ------------------------------------------------------------------ settings
    _fed = None  # the ends of a model that is written as a class, once data are known

    @property
    def inputs(self) -> Any:
        """The tensors at which a functional model begins; None for others.

        A model that is written as a class gets some when it is trained.
        """
        if self._network is None:
            return self._fed and self._fed["inputs"]
        return self._network.inputs

    @property
    def _is_graph_network(self):
        """Whether this is a functional model."""
        return self._network is not None

    @property
    def outputs(self) -> Any:
        """The tensors at which a functional model ends; see `inputs`."""
        if self._network is None:
            return self._fed and self._fed["outputs"]
        return self._network.outputs

    @property
    def _input_layers(self):
        return [t._keras_history[0] for t in self.inputs]

    @property
    def _output_layers(self):
        return [t._keras_history[0] for t in self.outputs]

    @property
    def _feed_inputs(self):
        if self._network is None:
            return self._fed.get("feed", self._fed["inputs"])
        ends = self._network.inputs
        return [t for t in ends if t._keras_history[0].is_placeholder]

    @property
    def _feed_input_names(self):
        if self._network is None:
            return self._fed.get("feed_names", self._fed["input_names"])
        return [t._keras_history[0].name for t in self._feed_inputs]

    def _traced(self, function, inputs):
        return trace(function, inputs, whole=True)

    @property
    def input(self) -> Any:
        """The tensor at which a functional model begins, or a list of them."""
        return super().input if self._network is None else self.get_input_at(0)

    @property
    def output(self) -> Any:
        """The tensor at which a functional model ends, or a list of them."""
        return super().output if self._network is None else self.get_output_at(0)

    @property
    def input_names(self) -> list[str]:
        """The names of the layers at which a functional model begins."""
        if self._network is None:
            return self._fed_names("input_names")
        return [t._keras_history[0].name for t in self.inputs]

    @property
    def output_names(self) -> list[str]:
        """The names of the layers at which a functional model ends."""
        if self._network is None:
            return self._fed_names("output_names")
        return [t._keras_history[0].name for t in self.outputs]

    def _fed_names(self, which: str) -> list[str]:
        """The names of a class of its own: known once it has been given data.

        Raises:
            AttributeError: it has not.
        """
        if self._fed is None:
            name = type(self).__name__
            raise AttributeError(f"'{name}' object has no attribute '{which}'")
        return self._fed[which]

    def get_config(self) -> dict[str, Any]:
        """A functional model as plain values.

        Raises:
            NotImplementedError: the model is written as a class.
        """
        if self._network is None:
            raise NotImplementedError(
                f"{type(self).__name__} is a class of its own, which has no settings: "
                "save its weights (save_weights), or define get_config()."
            )
        return settings_of(self)

    @classmethod
    def from_config(
        cls, config: Any, custom_objects: Any = None, safe_mode: Any = None
    ) -> "Model":
        """A functional model from what `get_config` gave; see Note [Safe mode]."""
        with scope(safe_mode):
            return rebuilt(cls, config, custom_objects)

    def _anew(self, tensors):
        """A model with new layers of the same settings, which begins with tensors."""
        if self._network is None:
            raise ValueError(NO_CLASSES)
        return Model(*cloned_network(self._network, tensors), name=self.name)

    def to_json(self, **kwargs: Any) -> str:
        """The class and the settings as a JSON text; see model_from_json."""
        found = {
            "class_name": type(self).__name__, "config": self.get_config(),
            "keras_version": "2.1.6-tf", "backend": "tensorflow",
        }  # fmt: skip
        return json.dumps(found, default=plain, **kwargs)

    def summary(
        self, line_length: Any = None, positions: Any = None, print_fn: Any = None
    ) -> None:
        """Print the layers, the shapes they give, and their sizes.

        Raises:
            ValueError: the model has not been built.
        """
        if not self.built:
            raise advised(
                ValueError,
                "This model has never been called, thus its weights have not yet been "
                "created, so no summary can be displayed. Build the model first (e.g. "
                "by calling it on some data).",
            )
        print_summary(self, line_length, positions, print_fn)

    def _repr_html_(self) -> str:
        return cards.of_model(self)

    def reset_states(self) -> None:
        """Forget the states of the stateful layers."""
        for layer in self.layers:
            if hasattr(layer, "reset_states") and getattr(layer, "stateful", False):
                layer.reset_states()

    @property
    def stateful(self) -> bool:
        """Whether some layer keeps states between batches."""
        return any(getattr(layer, "stateful", False) for layer in self.layers)

    # ------------------------------------------------------------------ parts
    @property
    def layers(self) -> list[Any]:
        """The layers, in order of creation; those of a functional model by depth."""
        if self._network is not None:
            return list(self._network.layers)
        return self._sublayers()

    def _value_order(self):
        """Layer by layer, unlike `weights`; then what is in no layer."""
        variables = [v for layer in self.layers for v in layer.weights]
        return list(dict.fromkeys(variables + self.weights))

    def get_layer(self, name: str | None = None, index: Any = None) -> Any:
        """A layer by its name or its place.

        Raises:
            ValueError: there is none, or neither is given.
        """
        layers = self.layers
        if index is not None:
            if len(layers) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has "
                    f"{len(layers)} layers."
                )
            return layers[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in layers:
            if layer.name == name:
                return layer
        raise ValueError(f"No such layer: {name}")

    @property
    def updates(self) -> Any:
        """The updates of the layers; none in eager mode, where they have been made.

        Those of a functional model are of its own inputs and outputs.
        """
        if current_mode().eager:
            return []
        if self._network is None:
            return self._all_updates()
        return self._of_own_inputs(self._updates_for)

    @property
    def losses(self) -> list[Any]:
        """The losses of the layers (eager: computed now); see `updates`."""
        if self._network is None or current_mode().variable_owner().eager:
            return super().losses
        return self._of_own_inputs(self._losses_for)

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses that depend on `inputs`; None = those that hold regardless."""
        found = super().get_losses_for(inputs)
        if self._network is None or inputs is None:
            return found
        own = set(self.losses)
        return [loss for loss in found if loss in own]

    def get_updates_for(self, inputs: Any) -> Any:
        """The updates that depend on `inputs`; None = those that hold regardless."""
        found = super().get_updates_for(inputs)
        if self._network is None or inputs is None:
            return found
        own = set(self.updates)
        return [update for update in found if update in own]

    def _of_own_inputs(self, found_for):
        inputs = [t for node in self._inbound_nodes for t in node.input_tensors]
        return list(dict.fromkeys([*found_for(None), *found_for(inputs)]))

    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """Refused before TensorFlow 1.15: assign variables to attributes instead."""
        if compat() >= (1, 15):
            return super().add_weight(*args, **kwargs)
        raise NotImplementedError(
            "`add_variable` is not supported on Networks. However, you may assign "
            "variables to attributes and they will show up in the weights and "
            "variables properties."
        )

    def add_weight(self, *args: Any, **kwargs: Any) -> Any:
        """Refused before TensorFlow 1.15: assign variables to attributes instead."""
        if compat() >= (1, 15):
            return super().add_weight(*args, **kwargs)
        raise AttributeError(
            f"{type(self).__name__!r} object has no weights of its own: `add_weight` "
            "is not supported on models. Assign a variable to an attribute, or call "
            "`add_weight` in a Layer."
        )
