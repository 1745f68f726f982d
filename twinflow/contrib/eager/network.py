"""tfe.Network and tfe.Sequential: models as they were before tf.keras.Model.

Note [Names of networks]: a network is a variable scope. It is opened at the first call,
inside the scope in which the network was made, and with it the scopes of the layers it
tracks, which have names of their own in it.
"""

import contextlib
from typing import Any

from twinflow.base import logging
from twinflow.base.annotations import overridable
from twinflow.base.dispatch import current_mode
from twinflow.graph.variable_scope import get_variable_scope, scopes, variable_scope
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer

_ASK = (
    "Please file an issue at https://github.com/tensorflow/tensorflow/issues/new if "
    "this is important to you"
)


class Network(ScopedLayer):
    """A layer made of the layers that `track_layer` was given. Deprecated.

    tf.keras.Model has taken its place, which finds layers by itself.

    Args:
        name: its name, without slashes; made from the class and numbered if not given.
    Raises:
        ValueError: the name has a slash, or (at the first call) is taken.
    Example:
        class Net(tfe.Network):
            def __init__(self):
                super().__init__(name="net")
                self.dense = self.track_layer(tf.layers.Dense(10))
            def call(self, x):
                return self.dense(x)
    """

    def __init__(self, name: str | None = None) -> None:
        if name is not None and "/" in name:
            raise ValueError("Forward slashes ('/') are not allowed in Network names.")
        super().__init__(name=name)
        self.__dict__.update(_tracked=[], _outer=get_variable_scope(), _parent=None)
        self.__dict__["_restorations"] = []  # see network_checkpoints
        self._named = name is not None
        _deprecated()

    @property
    def name(self) -> Any:
        """The name.

        Raises:
            ValueError: it is still to be made.
        """
        if not self._named:
            raise ValueError(
                "The network does not yet have a final name, but a name was requested "
                "for it. Networks get a name when they are added to another Network "
                "via track_layer, or when they are first called/built."
            )
        return self._name

    @property
    def trainable(self) -> bool:
        """Always true."""
        return True

    @trainable.setter
    def trainable(self, value: Any) -> None:
        if not value:
            raise AttributeError("cannot mark Network as not trainable")

    # ------------------------------------------------------------------ layers
    def track_layer(self, layer: Any) -> Any:
        """Make a layer part of this network.

        Args:
            layer: a layer; one without a name of its own gets one in this network.
        Returns:
            The layer.
        Raises:
            RuntimeError: `Network.__init__` has not run.
            TypeError: it is no layer. ValueError: there is one of this name.
        """
        if not isinstance(layer, Layer):
            raise TypeError(
                f"Network.track_layer() passed type {type(layer)}, not a "
                "tf.layers.Layer"
            )
        if "_tracked" not in self.__dict__:
            raise RuntimeError("Need to call Network.__init__ before adding layers")
        if layer in self._tracked:
            return layer
        self._name_inside(layer)
        self._tracked.append(layer)
        if self._scope is not None:
            self._open_parts()
        return layer

    def _name_inside(self, layer):
        used = {x._name for x in self._tracked}
        if isinstance(layer, ScopedLayer) and not _is_named(layer):
            base, number = layer._base_name, 0
            while (name := f"{base}_{number}" if number else base) in used:
                number += 1
            layer._name, layer.__dict__["_was_tracked"] = name, True
        elif layer._name in used:
            raise ValueError(
                f"Attempt to add two Layers with the name '{layer._name}' to the same "
                "Network."
            )
        if isinstance(layer, Network) and layer._scope is None:
            layer.__dict__["_parent"], layer._named = self, True

    @property
    def layers(self) -> list[Any]:
        """The layers, in the order they were tracked."""
        return list(self._tracked)

    def get_layer(self, name: str | None = None, index: Any = None) -> Any:
        """A layer by its name or its place.

        Raises:
            ValueError: there is none, or not just one of the two is given.
        """
        if name is not None and index is not None:
            raise ValueError("Exactly one of 'index' or 'name' must be provided")
        if index is not None:
            if index >= len(self._tracked):
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has "
                    f"{len(self._tracked)} layers."
                )
            return self._tracked[index]
        if name is None:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in self._tracked:
            if layer.name == name:
                return layer
        raise ValueError(f"No such layer: {name}")

    def _split(self):
        own = dict.fromkeys(self.__dict__.get("_weights", ()))
        return own, self.__dict__.get("_tracked", [])

    def _children(self):
        return [(layer._name, layer) for layer in self._tracked]

    # ------------------------------------------------------------------ scopes
    def _set_scope(self, scope=None):
        """Open the scope, if that has not been done (Note [Names of networks])."""
        if self._scope is None and self._parent is not None:
            self._parent._set_scope()
        if self._scope is not None:
            return
        with _inside(self._outer):
            if self._named and scopes().unique(self._name) != self._name:
                raise ValueError(
                    f"A Network named '{self._name}' already exists (or a "
                    "variable_scope was created with this name). Names must be unique."
                )
            with variable_scope(
                scope, default_name=self._base_name, custom_getter=self._made
            ) as found:
                self._scope = found
        self._name, self._named = self._scope.name, True
        self._open_parts()

    def _open_parts(self):
        names = current_mode().name_scope(self._scope.original_name_scope)
        with names, variable_scope(self._scope, auxiliary_name_scope=False):
            for layer in self._tracked:
                if isinstance(layer, ScopedLayer) and layer._scope is None:
                    getter = layer._made if isinstance(layer, Network) else None
                    with variable_scope(layer._name, custom_getter=getter) as found:
                        layer._scope = found
                    if isinstance(layer, Network):
                        layer._open_parts()

    def _made(self, getter, name, *args, **kwargs):
        """A variable inside, with the value that a checkpoint has for it."""
        variable = getter(name, *args, **kwargs)
        any(restore(variable) for restore in self._restorations)
        return variable

    # ------------------------------------------------------------------ refused
    def add_variable(
        self, name: str | None, shape: Any, dtype: Any = None, initializer: Any = None,
        regularizer: Any = None, trainable: Any = True, constraint: Any = None,
    ) -> Any:  # fmt: skip
        """Refused: variables belong to layers."""
        raise RuntimeError(f"add_variable not supported in Network class yet. {_ASK}")

    def add_loss(self, losses: Any, inputs: Any = None) -> Any:
        """Refused: losses belong to layers."""
        raise RuntimeError(f"add_loss is not supported in Network class yet. {_ASK}")


def _is_named(layer):
    """Whether a layer has its final name: one that was given, or that of a network."""
    slots = layer.__dict__
    if slots.get("_was_tracked") or layer._scope is not None:
        return True
    given = layer._named if isinstance(layer, Network) else None
    return layer._name == layer._base_name if given is None else given


@contextlib.contextmanager
def _inside(scope):
    """A block in a variable scope, with the names of ops as they are."""
    if get_variable_scope().name == scope.name:
        yield
    else:
        with variable_scope(scope, auxiliary_name_scope=False):
            yield


def _deprecated():
    logging.log_first_n(
        logging.WARN,
        "tfe.Network is deprecated: inherit from tf.keras.Model, which finds layers "
        "by itself, and leave out track_layer.",
        1,
    )


class Sequential(Network):
    """Layers and functions that are called one after the other. Deprecated.

    Args:
        layers_funcs: a list of layers and functions of one tensor. name: its name.
    Raises:
        TypeError: something else is in the list.
    Example:
        tfe.Sequential([tf.layers.Dense(10), tf.nn.relu, tf.layers.Dense(1)])
    """

    def __init__(self, layers_funcs: Any = None, name: str | None = None) -> None:
        super().__init__(name)
        self.__dict__["_row"] = []
        for layer_func in layers_funcs or ():
            self.add(layer_func)

    def add(self, layer_func: Any) -> None:
        """Append a layer or function."""
        if isinstance(layer_func, Layer):
            self._row.append(self.track_layer(layer_func))
        elif callable(layer_func):
            self._row.append(layer_func)
        else:
            raise TypeError(
                "Sequential.add() takes only tf.layers.Layer objects or callables; not "
                f"'{layer_func}' of type '{type(layer_func)}'."
            )

    @overridable
    def call(self, inputs: Any, training: Any = None) -> Any:
        """The output of the last one; `training` goes to the layers that take it."""
        x = inputs
        for f in self._row:
            if training is not None and isinstance(f, Layer) and f._takes("training"):
                x = f(x, training=training)
            else:
                x = f(x)
        return x
