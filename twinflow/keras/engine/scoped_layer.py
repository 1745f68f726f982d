"""Layers whose variables are named and shared by variable scopes: tf.layers.Layer.

The scope of a layer is opened at its first call, inside the scope around that call, and
entered again at every later one.
"""

import contextlib
import copy
from typing import TYPE_CHECKING, Any

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode, entered
from twinflow.base.tensor import Tensor
from twinflow.graph.variable_scope import (
    get_variable,
    get_variable_scope,
    variable_scope,
)
from twinflow.graph.variable_store import in_one_part
from twinflow.keras.backend import defaults
from twinflow.keras.engine import base_layer
from twinflow.keras.engine.base_layer import _converted
from twinflow.keras.engine.input_spec import check_inputs
from twinflow.keras.engine.nodes import called_deferred, is_deferred
from twinflow.ops.core.partitioned import each_part
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.creators import is_trainable

if TYPE_CHECKING:
    from twinflow.ops.variables.creators import VariableV1


class Layer(base_layer.Layer):
    """A layer that makes its variables by tf.get_variable.

    Args:
        trainable: whether training updates its variables.
        name: its name and that of its scope; made from the class if not given.
        dtype: that of its variables; that of the first input if not given.
        kwargs: `_reuse`, whether the variables must be there already, `_scope`, the
            scope to use, and those of tf.keras.layers.Layer.
    Example:
        class Scale(tf.layers.Layer):
            def build(self, input_shape):
                self.w = self.add_variable("w", [input_shape[-1]])
            def call(self, x):
                return x * self.w
    """

    _scope: Any
    _graph: Any = None

    follows_policy = False  # tf.layers have none
    scoped_call = True  # whether `call` may ask for variables

    def __init__(
        self, trainable: bool = True, name: str | None = None, dtype: Any = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        scope, self._reuse = kwargs.pop("_scope", None), kwargs.pop("_reuse", None)
        base = name or defaults.snake_case(type(self).__name__)
        if name is None:
            name = f"{base}_{defaults.get_uid(('layer', base))}"
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._base_name, self._scope = base, None
        if scope:
            with variable_scope(scope) as found:
                self._scope = found

    @property
    def scope_name(self) -> str:
        """The name of its variable scope.

        Raises:
            ValueError: the layer has not been called.
        """
        if self._scope is None:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" '
                "has not been used yet. The scope name  is determined the first time "
                "the layer instance is called. You must therefore call the layer "
                "before querying `scope_name`."
            )
        return self._scope.name

    def __deepcopy__(self, memo):
        """A layer of the same scope, with copies of all but tensors and graphs."""
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        for key, value in self.__dict__.items():
            made.__dict__[key] = _copied(key, value, memo)
        return made

    def _set_scope(self, scope=None):
        """Open the scope, if that has not been done."""
        if self._scope is not None:
            return
        base = self._base_name
        if self._reuse:
            opened = variable_scope(base if scope is None else scope)
        else:
            opened = variable_scope(scope, default_name=base)
        with opened as found:
            self._scope = found

    def _entered(self):
        """The scope as a block; variables that are there are shared."""
        reuse = True if self.built else self._reuse
        return variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False)

    def _in_one_part(self):
        """A block whose variables are not cut, whatever the scope asks for."""
        return in_one_part(self._scope)

    if not TYPE_CHECKING:  # checkers see that of the Keras layer

        def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
            """Build the layer if need be, and compute; see tf.keras.layers.Layer.

            Args:
                scope: (by name) the variable scope to open at the first call.
            """
            mode, scope = current_mode(), kwargs.pop("scope", None)
            if mode.eager and self.built and not self.scoped_call:
                inputs = _converted(inputs)
                if self.input_spec is not None:
                    check_inputs(self.input_spec, inputs, self._name)
                return self.call(inputs, *args, **kwargs)
            inputs = _converted(inputs)
            if mode.eager and is_deferred(inputs):
                return called_deferred(self, inputs, args, kwargs)
            self._set_scope(scope)
            if not mode.eager:
                self._check_graph(mode)
                return self._call_later(mode, inputs, args, kwargs)
            with self._names(mode):
                return self._call_in_scope(mode, inputs, args, kwargs)

    @contextlib.contextmanager
    def _names(self, mode):
        with self._entered() as scope, mode.name_scope(scope.original_name_scope):
            yield

    def _call_in_scope(self, mode, inputs, args, kwargs):
        if self._takes("scope"):
            kwargs = {**kwargs, "scope": get_variable_scope()}
        outputs = super()._call_in_scope(mode, inputs, args, kwargs)
        owner = mode.variable_owner()
        if not owner.eager and self._updates:
            known = owner.get_collection(GraphKeys.UPDATE_OPS)
            for update in self._all_updates():
                if update not in known:
                    owner.add_to_collection(GraphKeys.UPDATE_OPS, update)
        return outputs

    def _check_graph(self, graph):
        """Raise ValueError where the variables are those of another graph."""
        owner = graph.variable_owner()
        if owner.eager:
            return
        home = self.__dict__.setdefault("_graph", owner)
        if home is not owner:
            raise ValueError("Input graph and Layer graph are not the same.")

    @property
    def graph(self) -> Any:
        """The graph it was called in; None before.

        Raises:
            RuntimeError: in eager mode.
        """
        if current_mode().eager:
            raise RuntimeError("Layer.graph not supported when executing eagerly.")
        return self.__dict__.get("_graph")

    def add_weight(
        self, name: str, shape: Any, dtype: Any = None, initializer: Any = None,
        regularizer: Any = None, trainable: Any = None, constraint: Any = None,
        use_resource: Any = None, synchronization: Any = None, aggregation: Any = None,
        partitioner: Any = None,
    ) -> "VariableV1":  # fmt: skip
        """Make or find a variable of this layer, by tf.get_variable.

        Args: see tf.keras.layers.Layer.add_weight.
            partitioner: that of the variable scope if not given.
        Raises:
            ValueError: it is to be trained and read from copies.
        """
        trainable = is_trainable(trainable, synchronization)
        dtype = dtypes.as_dtype(dtype or self.dtype or defaults.floatx())
        self._set_scope()
        owner = current_mode().variable_owner()
        known = () if owner.eager else owner.get_collection(GraphKeys.GLOBAL_VARIABLES)
        known = {id(v) for v in known}
        with self._entered() as scope:
            variable = get_variable(
                name, shape, dtype, initializer or scope.initializer,
                trainable=trainable is not False and self.trainable,
                constraint=constraint, partitioner=partitioner,
                use_resource=use_resource, synchronization=synchronization,
                aggregation=aggregation,
            )  # fmt: skip
        if variable not in self._weights:
            self._own(variable, name)
            parts = each_part(variable)
            if regularizer is not None and known.isdisjoint(map(id, parts)):
                for part in parts:
                    self._regularize_weight(name, part, regularizer)
                    self._collect(self._losses[-1][0])
        return variable

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Add losses; in a graph they join its regularization losses.

        Args: see tf.keras.layers.Layer.add_loss.
        """
        count = len(self._losses)
        super().add_loss(losses, inputs)
        for loss, _ in self._losses[count:]:
            self._collect(loss)

    def _collect(self, loss):
        owner = current_mode().variable_owner()
        if owner.eager:
            return
        with entered(owner):
            loss = loss() if callable(loss) else loss
        if loss is not None:
            owner.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)


def _copied(key, value, memo):
    flat = value if isinstance(value, list | tuple) else [value]
    if key == "_graph" or any(isinstance(v, Tensor) for v in flat):
        return value
    return copy.copy(value) if key == "_scope" else copy.deepcopy(value, memo)
