"""Model: a layer made of layers."""

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.base.trackable import is_part
from twinflow.base.versions import compat
from twinflow.graph.func_graph import FuncGraph
from twinflow.keras import backend
from twinflow.keras.base_layer import Layer

_FORGOTTEN = (
    "It looks like you are subclassing `Model` and you forgot to call "
    "`super(YourClass, self).__init__()`. Always start with this line."
)
_SET_BY_INIT = ("_name", "_weights", "built")


class Model(Layer):
    """The base of models that are written as classes.

    Make layers in `__init__` and use them in `call`. Layers, models and variables that
    are assigned to attributes, also inside lists and dicts, are part of the model.

    Args:
        name: its name; made from the class and numbered if not given.
    Raises:
        RuntimeError: a subclass forgot to call `super().__init__()`.
    Example:
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(10)
            def call(self, x):
                return self.dense(x)
    """

    _own_first = False

    def __init__(self, name=None):
        super().__init__(name=name)

    def __setattr__(self, name, value):
        if "_weights" not in self.__dict__ and is_part(value):
            raise RuntimeError(_FORGOTTEN)
        super().__setattr__(name, value)

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
    def call(self, inputs, training=None, mask=None):
        """The output for `inputs`.

        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise NotImplementedError(
            "When subclassing the `Model` class, you should implement a `call` method."
        )

    def build(self, input_shape):
        """Make the variables by tracing `call` on an input of this shape.

        Args:
            input_shape: a shape with None for what is free, or a list of shapes.
        """
        if self.__dict__.get("_building") or isinstance(input_shape, TensorShape):
            self.built = True
            return
        trace(self._call_once, [(dtypes.as_dtype(backend.floatx()), input_shape)])
        self.built = True

    def _call_once(self, x):
        return self.call(x, training=False) if self._takes("training") else self.call(x)

    # ------------------------------------------------------------------ parts
    @property
    def layers(self):
        """The layers, in order of creation."""
        return self._sublayers()

    def get_layer(self, name=None, index=None):
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
    def updates(self):
        """The updates of the layers; none in eager mode, where they have been made."""
        return [] if current_mode().eager else self._all_updates()

    def add_variable(self, *args, **kwargs):
        """Refused before TensorFlow 1.15: assign variables to attributes instead."""
        if compat() >= (1, 15):
            return super().add_weight(*args, **kwargs)
        raise NotImplementedError(
            "`add_variable` is not supported on Networks. However, you may assign "
            "variables to attributes and they will show up in the weights and "
            "variables properties."
        )

    def add_weight(self, *args, **kwargs):
        """Refused before TensorFlow 1.15: assign variables to attributes instead."""
        if compat() >= (1, 15):
            return super().add_weight(*args, **kwargs)
        raise AttributeError(
            f"{type(self).__name__!r} object has no weights of its own: `add_weight` "
            "is not supported on models. Assign a variable to an attribute, or call "
            "`add_weight` in a Layer."
        )


def trace(function, inputs):
    """Call `function` on symbolic inputs that are thrown away, for the variables.

    Args:
        function: of one tensor each for `inputs`.
        inputs: pairs of (DType, shape).
    Returns:
        (DType, shape) of the result, or None if it is not a single tensor.
    """
    graph = FuncGraph("build", current_mode())
    with dispatch.entered(graph):
        shapes = [(d, TensorShape(s)) for d, s in inputs]
        args = [
            graph.add_input(d, None if s.dims is None else tuple(s.as_list()), "input")
            for d, s in shapes
        ]
        y = function(*args)
    return (y.dtype, y._shape) if hasattr(y, "_shape") else None
