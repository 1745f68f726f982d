"""Layers whose variables are named and shared by variable scopes: tf.layers.Layer.

The scope of a layer is opened at its first call, inside the scope around that call, and
entered again at every later one.
"""

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.keras import backend
from twinflow.keras.base_layer import Layer, _converted
from twinflow.keras.input_spec import check_inputs
from twinflow.ops.variables.collections import GraphKeys


class ScopedLayer(Layer):
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

    scoped_call = True  # whether `call` may ask for variables

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        scope, self._reuse = kwargs.pop("_scope", None), kwargs.pop("_reuse", None)
        base = name or backend.snake_case(type(self).__name__)
        if name is None:
            name = f"{base}_{backend.get_uid(('layer', base))}"
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._base_name, self._scope = base, None
        if scope:
            with variable_scope(scope) as found:
                self._scope = found

    @property
    def scope_name(self):
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

    def __call__(self, inputs, *args, **kwargs):
        """Build the layer if need be, and compute; see tf.keras.layers.Layer.

        Args:
            scope: (by name) the variable scope to open at the first call.
        """
        mode, scope = current_mode(), kwargs.pop("scope", None)
        if mode.eager and self.built and not self.scoped_call:
            return self.call(_converted(inputs), *args, **kwargs)
        self._set_scope(scope)
        inputs = _converted(inputs)
        with self._entered() as scope, mode.name_scope(scope.original_name_scope):
            if not self.built:
                self._build(inputs)
            elif self.input_spec is not None:
                check_inputs(self.input_spec, inputs, self._name)
            if self._takes("scope"):
                kwargs["scope"] = scope
            outputs = self.call(inputs, *args, **kwargs)
            if self._activity_regularizer is not None:
                self._regularize(mode, inputs, outputs)
            return outputs

    def add_weight(
        self, name, shape, dtype=None, initializer=None, regularizer=None,
        trainable=True, constraint=None, use_resource=None, synchronization=None,
        aggregation=None, partitioner=None,
    ):  # fmt: skip
        """Make or find a variable of this layer, by tf.get_variable.

        Args: see tf.keras.layers.Layer.add_weight; a partitioner that asks for several
            parts is refused.
        """
        dtype = dtypes.as_dtype(dtype or self.dtype or backend.floatx())
        self._set_scope()
        with self._entered() as scope:
            variable = get_variable(
                name, shape, dtype, initializer or scope.initializer,
                trainable=trainable and self.trainable, constraint=constraint,
                partitioner=partitioner,
            )  # fmt: skip
        if variable not in self._weights:
            self._weights.append(variable)
            if regularizer is not None:
                self._regularize_weight(name, variable, regularizer)
                self._collect(self._losses[-1][0])
        return variable

    def _collect(self, loss):
        owner = current_mode().variable_owner()
        if not owner.eager:
            owner.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
