"""Who keeps the variables of columns of feature_column_v2."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.graph.variable_scope import get_variable_scope
from twinflow.graph.variable_store import options_of_part, store
from twinflow.keras.engine.base_layer import Layer
from twinflow.ops.core.partitioned import (
    PartitionedVariable,
    SaveSliceInfo,
    cuts_of,
    places_of,
)


def in_parts(layer: Any, name: str, shape: Any, **options: Any) -> Any:
    """A variable of a layer, in the parts that a partitioner of the scope asks for."""
    partitioner = get_variable_scope().partitioner
    if partitioner is None or not len(shape):
        return layer.add_variable(name=name, shape=shape, **options)
    dtype, dims = options.pop("dtype") or dtypes.float32, list(shape)
    initializer = options.pop("initializer")
    cuts = cuts_of(partitioner, name, TensorShape(shape), dtype)
    parts = []
    for i, (offset, sizes) in enumerate(places_of(dims, cuts)):
        own = options_of_part(initializer, dims, offset, sizes, dtype)
        part = layer.add_variable(name=f"{name}/part_{i}", **own, **options)
        full_name = part.name.removesuffix(":0").removesuffix(f"/part_{i}")
        part._set_save_slice_info(SaveSliceInfo(full_name, dims, offset, sizes))
        parts.append(part)
    if len(parts) == 1:
        return parts[0]
    found = PartitionedVariable(full_name, shape, dtype, parts, cuts)
    if not current_mode().eager:
        store().partitioned[full_name] = found
    return found


class StateManager:
    """Keeps variables and resources of columns; a base class."""

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = None,
        trainable: bool = True, initializer: Any = None,
    ) -> Any:  # fmt: skip
        """Make a variable of a column.

        Args:
            feature_column: the column. name: that no other variable of it has.
            shape, dtype, trainable, initializer: of the variable.
        """
        raise NotImplementedError("StateManager.create_variable")

    def add_variable(self, feature_column: Any, var: Any) -> Any:
        """Keep a variable for a column."""
        raise NotImplementedError("StateManager.add_variable")

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """A variable of a column by its name."""
        raise NotImplementedError("StateManager.get_var")

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> Any:
        """Keep a table, say, for a column."""
        raise NotImplementedError("StateManager.add_resource")

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """What `add_resource` kept."""
        raise NotImplementedError("StateManager.get_resource")


class _StateManagerImpl(StateManager):
    """Keeps the variables of columns in a layer.

    Args:
        layer: the layer. trainable: whether variables are trained.
    """

    def __init__(self, layer: Any, trainable: bool) -> None:
        self._trainable, self._layer = trainable, layer
        self._cols_to_vars_map: dict = {}

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = None,
        trainable: bool = True, initializer: Any = None,
    ) -> Any:  # fmt: skip
        """Make a variable of a column.

        Raises:
            ValueError: there is one of this name.
        """
        known = self._cols_to_vars_map.setdefault(feature_column, {})
        if name in known:
            raise ValueError("Variable already exists.")
        known[name] = in_parts(
            self._layer, name, shape, dtype=dtype, initializer=initializer,
            trainable=self._trainable and trainable, use_resource=True,
        )  # fmt: skip
        return known[name]

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """A variable of a column by its name.

        Raises:
            ValueError: there is none.
        """
        known = self._cols_to_vars_map.get(feature_column, {})
        if name not in known:
            raise ValueError("Variable does not exist.")
        return known[name]


class SharedEmbeddingStateManager(Layer):
    """Keeps the tables that columns share.

    Args:
        trainable, name, kwargs: see tf.keras.layers.Layer.
    """

    def __init__(
        self, trainable: bool = True, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(trainable=trainable, name=name, **kwargs)
        self.__dict__["_var_dict"] = {}

    def create_variable(
        self, name: str, shape: Any, dtype: Any = None, trainable: bool = True,
        initializer: Any = None,
    ) -> Any:  # fmt: skip
        """The table of this name; made if it is not there."""
        if name in self._var_dict:
            return self._var_dict[name]
        with current_mode().name_scope(f"{self.name}/"):
            self._var_dict[name] = in_parts(
                self, name, shape, dtype=dtype or dtypes.float32,
                initializer=initializer, trainable=self.trainable and trainable,
                use_resource=True,
            )  # fmt: skip
        return self._var_dict[name]

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """The table of this name.

        Raises:
            ValueError: there is none.
        """
        if name not in self._var_dict:
            raise ValueError(f"Variable name: {name} not recognized.")
        return self._var_dict[name]
