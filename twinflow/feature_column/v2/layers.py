"""Columns of feature_column_v2 as layers."""

import functools
from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.shapes import TensorShape
from twinflow.base.trackable import changed, pending
from twinflow.feature_column import checks
from twinflow.feature_column.layers import flat, tensors_of, weighted_sum
from twinflow.feature_column.v2.columns import (
    CategoricalColumn,
    DenseColumn,
    FeatureColumn,
    FeatureTransformationCache,
    SharedEmbeddingColumn,
)
from twinflow.feature_column.v2.state import _StateManagerImpl, in_parts
from twinflow.graph.scopes import name_scope
from twinflow.keras.engine.base_layer import Layer
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.joining import concat
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.random.initializers import Zeros

_normalize_feature_columns = functools.partial(checks.normalized, kind=FeatureColumn)


def _scope(name):
    return dispatch.current_mode().name_scope(name)


def _variables_scope(name):
    """The scope of a column's variables, which its ops get as well."""
    mode = dispatch.current_mode()
    return mode.name_scope(f"{mode.scope}{name}/")


class _Columns(Layer):
    """A layer of columns, whose variables it keeps."""

    def __init__(self, columns, trainable, name, shared_state_manager, kwargs):
        super().__init__(name=name, trainable=trainable, **kwargs)
        state = self.__dict__
        state["_feature_columns"] = checks.by_name(_normalize_feature_columns(columns))
        state["_state_manager"] = _StateManagerImpl(self, self.trainable)
        self._shared_state_manager = shared_state_manager

    def _manager(self, column):
        if isinstance(column, SharedEmbeddingColumn):
            return self._shared_state_manager
        return self._state_manager

    def _create(self, column):
        """Make the variables of a column, inside its scope."""
        if isinstance(column, SharedEmbeddingColumn):
            column.create_state(self._shared_state_manager)
            return
        with _variables_scope(column.name):
            column.create_state(self._state_manager)

    def _build_for(self, input_shape):
        self.build(None)
        self.built = True
        if pending:
            changed(self)

    def _children(self):
        """Parts for checkpoints: TensorFlow's, and variables of names that recur.

        None before all are made: the last of a name has it.
        """
        found = super()._children() if self.built else []
        known = {id(part) for _, part in found}
        of_columns = self._state_manager._cols_to_vars_map.items()
        return found + [
            (f"{column.name}_{name}", variable)
            for column, variables in of_columns
            for name, variable in variables.items()
            if self.built and id(variable) not in known
        ]

    def _features(self, features):
        if not isinstance(features, dict):
            raise ValueError(
                "We expected a dictionary here. Instead we got: ", features
            )
        return FeatureTransformationCache(features)

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Build the layer if need be, and compute.

        Raises:
            ValueError: `inputs` is no dict, or lacks a feature.
        """
        if not isinstance(inputs, dict) and not hasattr(inputs, "_keras_history"):
            self._features(inputs)
        return super().__call__(tensors_of(inputs), *args, **kwargs)


class FeatureLayer(_Columns):
    """The numbers of columns beside each other, in the order of their names.

    Args:
        feature_columns: columns of numbers of feature_column_v2.
        shared_state_manager: what keeps tables that columns share.
        trainable, name, kwargs: see tf.keras.layers.Layer.
    Raises:
        ValueError: an item is no column of numbers, or two columns have one name.
    """

    def __init__(
        self, feature_columns: Any, trainable: bool = True, name: str | None = None,
        shared_state_manager: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(feature_columns, trainable, name, shared_state_manager, kwargs)
        for column in self._feature_columns:
            if not isinstance(column, DenseColumn):
                raise ValueError(
                    "Items of feature_columns must be a DenseColumn. You can wrap a "
                    "categorical column with an embedding_column or indicator_column. "
                    f"Given: {column}"
                )

    @property
    def _is_feature_layer(self) -> bool:
        return True

    def build(self, input_shape: Any) -> None:
        """Make the variables of the columns."""
        for column in self._feature_columns:
            self._create(column)
        super().build(None)

    def call(self, features: Any, cols_to_output_tensors: Any = None) -> Any:
        """The numbers of the columns: float32[batch, sum of their sizes].

        Args:
            features: a dict from keys to tensors and SparseTensors.
            cols_to_output_tensors: a dict that gets the numbers of each column.
        """
        cache, rows = self._features(features), []
        for column in self._feature_columns:
            with _scope(column.name):
                tensor = column.get_dense_tensor(cache, self._manager(column))
                row = flat(tensor, column.variable_shape.num_elements())
                rows.append(row)
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = row
        checks.check_batch_sizes(rows, self._feature_columns)
        return concat(rows, 1)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[batch, sum of the sizes of the columns]"""
        size = sum(c.variable_shape.num_elements() for c in self._feature_columns)
        return TensorShape([input_shape[0], size])


class LinearModel(_Columns):
    """The weighted sum of what columns say, plus a bias.

    Args:
        feature_columns: columns of feature_column_v2.
        units: how many sums there are.
        sparse_combiner: what becomes of several categories of a column.
        shared_state_manager: what keeps tables that columns share.
        trainable, name, kwargs: see tf.keras.layers.Layer.
    Raises:
        ValueError: an item is no column, or two columns have one name.
    """

    def __init__(
        self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum",
        trainable: bool = True, name: str | None = None,
        shared_state_manager: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(feature_columns, trainable, name, shared_state_manager, kwargs)
        for column in self._feature_columns:
            if not isinstance(column, DenseColumn | CategoricalColumn):
                raise ValueError(
                    "Items of feature_columns must be either a DenseColumn or "
                    f"CategoricalColumn. Given: {column}"
                )
        self._units, self._sparse_combiner = units, sparse_combiner
        self.bias: Any = None

    @property
    def bias_variable(self) -> Any:
        """The bias; None before it is made."""
        return self.bias

    def build(self, input_shape: Any) -> None:
        """Make the weights and the bias."""
        for column in self._feature_columns:
            self._create(column)
            if isinstance(column, CategoricalColumn):
                size = column.num_buckets
            else:
                size = column.variable_shape.num_elements()
            with _variables_scope(column.name):
                self._state_manager.create_variable(
                    column, name="weights", dtype=dtypes.float32,
                    shape=(size, self._units), initializer=Zeros(),
                    trainable=self.trainable,
                )  # fmt: skip
        self.bias = in_parts(
            self, "bias_weights", [self._units], dtype=dtypes.float32,
            initializer=Zeros(), trainable=self.trainable, use_resource=True,
        )  # fmt: skip
        super().build(None)

    def call(self, features: Any) -> Any:
        """The sums: float32[batch, units]."""
        cache, sums = self._features(features), []
        with _scope(self.name):
            for column in self._feature_columns:
                with _scope(column.name):
                    weights = self._state_manager.get_variable(column, "weights")
                    sums.append(self._sum(column, cache, weights))
            checks.check_batch_sizes(sums, self._feature_columns)
            total = add_n(sums, name="weighted_sum_no_bias")
            return bias_add(total, self.bias, name="weighted_sum")

    def _sum(self, column, cache, weights):
        manager = self._manager(column)
        if isinstance(column, CategoricalColumn):
            ids = column.get_sparse_tensors(cache, manager)
            return weighted_sum(ids, weights, self._sparse_combiner, True, None)
        numbers = column.get_dense_tensor(cache, manager)
        size = column.variable_shape.num_elements()
        return weighted_sum(numbers, weights, self._sparse_combiner, False, size)


def _transform_features(
    features: Any, feature_columns: Any, state_manager: Any
) -> dict:
    """What each column makes of the features."""
    columns, found = _normalize_feature_columns(feature_columns), {}
    with name_scope(None, "transform_features"):
        cache = FeatureTransformationCache(features)
        for column in checks.by_name(columns):
            with _scope(column.name):
                found[column] = cache.get(column, state_manager)
    return found
