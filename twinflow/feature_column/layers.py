"""tf.feature_column.input_layer and linear_model: columns as layers."""

import collections
import functools
from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.feature_column import checks
from twinflow.feature_column.columns import (
    _CategoricalColumn,
    _DenseColumn,
    _FeatureColumn,
    _LazyBuilder,
)
from twinflow.feature_column.tables import into_collections
from twinflow.graph.scopes import get_collection, name_scope
from twinflow.graph.template import Template
from twinflow.graph.variable_scope import get_variable_scope, variable_scope
from twinflow.keras.engine.model import Model
from twinflow.keras.engine.scoped_layer import Layer
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.joining import concat
from twinflow.ops.core.partitioned import parts_of
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.embedding_sparse import safe_embedding_lookup_sparse
from twinflow.ops.random.initializers import Zeros
from twinflow.ops.sparse.order import sparse_reshape
from twinflow.ops.sparse.tensor import convert_to_tensor_or_sparse_tensor
from twinflow.ops.variables.collections import GraphKeys

_BIAS = "bias"
_normalize_feature_columns = functools.partial(checks.normalized, kind=_FeatureColumn)


def _collections(weight_collections):
    """The collections of variables, with those of all models."""
    found = list(weight_collections or [])
    for name in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES):
        if name not in found:
            found.append(name)
    return found


# ------------------------------------------------------------------ dense layers
def flat(tensor: Any, size: int) -> Any:
    """The numbers of each example in a row: [batch, size]."""
    return reshape(tensor, [shape(tensor)[0], size])


def input_layer(
    features: Any, feature_columns: Any, weight_collections: Any = None,
    trainable: bool = True, cols_to_vars: Any = None,
    cols_to_output_tensors: Any = None,
) -> Any:  # fmt: skip
    """The numbers of columns beside each other, in the order of their names.

    Args:
        features: a dict from keys to tensors, SparseTensors or what becomes one, with
            one row for each example.
        feature_columns: columns of numbers: numeric, bucketized, indicator, embedding.
        weight_collections: collections that variables join.
        trainable: whether variables are trained.
        cols_to_vars: a dict that gets the variables of each column.
        cols_to_output_tensors: a dict that gets the numbers of each column.
    Returns:
        float32[batch, sum of the sizes of the columns]
    Raises:
        ValueError: an item is no column of numbers, two columns have one name, or a
            feature is not there.
    Example:
        a = tf.feature_column.numeric_column("a")
        b = tf.feature_column.numeric_column("b", [2])
        features = {"a": [[1.]], "b": [[2., 3.]]}
        tf.feature_column.input_layer(features, [b, a])  # [[1., 2., 3.]]
    """
    return _internal_input_layer(
        features, feature_columns, weight_collections, trainable, cols_to_vars,
        cols_to_output_tensors=cols_to_output_tensors,
    )  # fmt: skip


def _internal_input_layer(
    features: Any, feature_columns: Any, weight_collections: Any = None,
    trainable: bool = True, cols_to_vars: Any = None, scope: Any = None,
    cols_to_output_tensors: Any = None, from_template: bool = False,
) -> Any:  # fmt: skip
    """See `input_layer`; a template has opened the variable scope itself."""
    columns = checks.normalized(feature_columns, _FeatureColumn)
    for column in columns:
        if not isinstance(column, _DenseColumn):
            raise ValueError(
                "Items of feature_columns must be a _DenseColumn. You can wrap a "
                "categorical column with an embedding_column or indicator_column. "
                f"Given: {column}"
            )
    plan = columns, _collections(weight_collections), trainable
    outs = cols_to_vars, cols_to_output_tensors
    if from_template:
        return _rows(features, plan, outs)
    with variable_scope(scope, default_name="input_layer", values=_tensors(features)):
        return _rows(features, plan, outs)


def _tensors(features):
    return [f for f in features.values() if hasattr(f, "graph")]


def _rows(features, plan, outs):
    columns, where, trainable = plan
    to_variables, to_tensors = outs
    builder, made, ordered = _LazyBuilder(features), [], checks.by_name(columns)
    for column in ordered:
        with variable_scope(None, default_name=column._var_scope_name):
            tensor = column._get_dense_tensor(
                builder, weight_collections=where, trainable=trainable
            )
            row = flat(tensor, column._variable_shape.num_elements())
            made.append(row)
            if to_variables is not None:
                to_variables[column] = _variables_here()
            if to_tensors is not None:
                to_tensors[column] = row
    checks.check_batch_sizes(made, ordered)
    return concat(made, 1)


def _variables_here():
    scope = get_variable_scope().name
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope=scope)


class InputLayer:
    """tf.feature_column.input_layer as an object that keeps its variables.

    Args:
        feature_columns, weight_collections, trainable, cols_to_vars: see `input_layer`.
        name: the variable scope.
        create_scope_now: whether it is opened now, or by the first call.
    """

    def __init__(
        self, feature_columns: Any, weight_collections: Any = None,
        trainable: bool = True, cols_to_vars: Any = None,
        name: str = "feature_column_input_layer", create_scope_now: bool = True,
    ) -> None:  # fmt: skip
        self._feature_columns = feature_columns
        self._weight_collections, self._trainable = weight_collections, trainable
        self._cols_to_vars, self._name = cols_to_vars, name
        self._input_layer_template = Template(
            name, self._numbers, create_scope_now, None, None
        )
        self._scope = self._input_layer_template.variable_scope

    def _numbers(self, features):
        return _internal_input_layer(
            features, self._feature_columns, self._weight_collections, self._trainable,
            from_template=True,
        )  # fmt: skip

    def __call__(self, features: Any) -> Any:
        """The numbers of the columns; see `input_layer`."""
        return self._input_layer_template(features)

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def non_trainable_variables(self) -> Any:
        """Variables that are not trained."""
        return self._input_layer_template.non_trainable_variables

    @property
    def non_trainable_weights(self) -> Any:
        """Same as `non_trainable_variables`."""
        return self._input_layer_template.non_trainable_weights

    @property
    def trainable_variables(self) -> Any:
        """Variables that are trained."""
        return self._input_layer_template.trainable_variables

    @property
    def trainable_weights(self) -> Any:
        """Same as `trainable_variables`."""
        return self._input_layer_template.trainable_weights

    @property
    def variables(self) -> Any:
        """The variables of the columns."""
        return self._input_layer_template.variables

    @property
    def weights(self) -> Any:
        """Same as `variables`."""
        return self._input_layer_template.weights


# ------------------------------------------------------------------ linear models
def linear_model(
    features: Any, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum",
    weight_collections: Any = None, trainable: bool = True, cols_to_vars: Any = None,
) -> Any:  # fmt: skip
    """The weighted sum of what columns say, plus a bias: `sum_i x_i w_i + b`.

    Args:
        features: a dict from keys to tensors, SparseTensors or what becomes one.
        feature_columns: columns of numbers or categories.
        units: how many sums there are.
        sparse_combiner: what becomes of several categories of a column: "sum", "mean"
            or "sqrtn".
        weight_collections: collections that variables join.
        trainable: whether variables are trained.
        cols_to_vars: a dict that gets the variables of each column, and "bias".
    Returns:
        float32[batch, units]
    Raises:
        ValueError: an item is no column, two columns have one name, or a feature is
            not there.
    Example:
        with tf.Graph().as_default(), tf.Session() as sess:
            price = tf.feature_column.numeric_column("price")
            y = tf.feature_column.linear_model({"price": [[1.], [5.]]}, [price])
            sess.run(tf.global_variables_initializer())
            found = sess.run(y)
        found  # [[0.], [0.]]
    """
    with variable_scope(None, "linear_model") as scope:
        name = scope.name.rpartition("/")[2]
    model = _LinearModel(
        feature_columns, units, sparse_combiner, weight_collections, trainable, name
    )
    found = model(features)
    if cols_to_vars is not None:
        cols_to_vars.update(model.cols_to_vars())
    return found


def weighted_sum(
    numbers: Any, weights: Any, combiner: str, categorical: bool, size: Any
) -> Any:
    """What a column adds to a linear model.

    Args:
        numbers: float[batch, ...], or an IdWeightPair. weights: float[size, units].
        combiner: for several categories. categorical: which of both it is.
    """
    if not categorical:
        return matmul(flat(numbers, size), weights, name="weighted_sum")
    ids, factors = numbers
    ids = sparse_reshape(ids, [shape(ids)[0], -1])
    if factors is not None:
        factors = sparse_reshape(factors, [shape(factors)[0], -1])
    return safe_embedding_lookup_sparse(
        weights, ids, factors, combiner, name="weighted_sum"
    )


class _FCLinearWrapper(Layer):
    """What a column adds to a linear model, as a layer.

    Args:
        feature_column: the column.
        units, sparse_combiner, weight_collections: see `linear_model`.
        trainable, name, kwargs: see tf.layers.Layer.
    """

    def __init__(
        self, feature_column: Any, units: int = 1, sparse_combiner: str = "sum",
        weight_collections: Any = None, trainable: bool = True, name: str | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._feature_column, self._units = feature_column, units
        self._sparse_combiner = sparse_combiner
        self._weight_collections = weight_collections

    def build(self, input_shape: Any) -> None:
        """Make the weights."""
        column = self._feature_column
        if isinstance(column, _CategoricalColumn):
            size = column._num_buckets
        else:
            size = column._variable_shape.num_elements()
        self._weight_var = self.add_variable(
            "weights", (size, self._units), dtypes.float32, initializer=Zeros(),
            trainable=self.trainable, use_resource=True,
        )  # fmt: skip
        into_collections(self._weight_var, self._weight_collections)
        self.built = True

    def call(self, builder: Any) -> Any:
        """The sums for the features of a _LazyBuilder."""
        self._called_in = get_variable_scope().name
        return _create_weighted_sum(
            self._feature_column, builder, self._units, self._sparse_combiner,
            self._weight_collections, self.trainable, self._weight_var,
        )  # fmt: skip

    def variables_of_column(self) -> list:
        """The weights, and the variables that the column itself has made."""
        scope = f"{self._called_in}/"
        made = get_collection(GraphKeys.GLOBAL_VARIABLES, scope=scope)
        return list(dict.fromkeys([*_parts(self._weight_var), *made]))


def _create_weighted_sum(
    column: Any, builder: Any, units: int, sparse_combiner: str,
    weight_collections: Any, trainable: bool, weight_var: Any = None,
) -> Any:  # fmt: skip
    """What a column adds to a linear model with these weights."""
    options = {"weight_collections": weight_collections, "trainable": trainable}
    if isinstance(column, _CategoricalColumn):
        numbers, size = column._get_sparse_tensors(builder, **options), None
    else:
        numbers = column._get_dense_tensor(builder, **options)
        size = column._variable_shape.num_elements()
    return weighted_sum(numbers, weight_var, sparse_combiner, size is None, size)


class _BiasLayer(Layer):
    """The bias of a linear model, as a layer.

    Args:
        units, weight_collections: see `linear_model`.
        trainable, name, kwargs: see tf.layers.Layer.
    """

    def __init__(
        self, units: int = 1, trainable: bool = True, weight_collections: Any = None,
        name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._units, self._weight_collections = units, weight_collections

    def build(self, input_shape: Any) -> None:
        """Make the bias."""
        self._bias_variable = self.add_variable(
            "bias_weights", (self._units,), dtypes.float32, initializer=Zeros(),
            trainable=self.trainable, use_resource=True,
        )  # fmt: skip
        into_collections(self._bias_variable, self._weight_collections)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The bias."""
        return self._bias_variable


class _LinearModel(Model):
    """tf.feature_column.linear_model as a model.

    Args:
        feature_columns, units, sparse_combiner, weight_collections, trainable: see
            `linear_model`.
        name: its name, and the variable scope.
        kwargs: see tf.keras.Model.
    """

    def __init__(
        self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum",
        weight_collections: Any = None, trainable: bool = True, name: str | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, **kwargs)
        self._columns = tuple(checks.normalized(feature_columns, _FeatureColumn))
        where = _collections(weight_collections)
        self._column_layers = [
            self._layer_of(column, units, sparse_combiner, where, trainable)
            for column in checks.by_name(self._columns)
        ]
        self._bias_layer = _BiasLayer(units, trainable, where, "bias_layer")
        self.__dict__["_cols_to_vars"] = {}

    @staticmethod
    def _layer_of(column, units, sparse_combiner, collections, trainable):
        with variable_scope(None, default_name=column._var_scope_name) as scope:
            name = scope.name.rpartition("/")[2]
        return _FCLinearWrapper(
            column, units, sparse_combiner, collections, trainable, name
        )

    def cols_to_vars(self) -> dict:
        """The variables of each column, and "bias", as far as it has been called."""
        return self._cols_to_vars

    def __call__(self, features: Any, *args: Any, **kwargs: Any) -> Any:
        """The sums; see `linear_model`."""
        return super().__call__(tensors_of(features), *args, **kwargs)

    def call(self, features: Any) -> Any:
        """The sums; see `linear_model`."""
        for column in self._columns:
            if not isinstance(column, _DenseColumn | _CategoricalColumn):
                raise ValueError(
                    "Items of feature_columns must be either a _DenseColumn or "
                    f"_CategoricalColumn. Given: {column}"
                )
        builder, sums, ordered = _LazyBuilder(features), [], []
        with variable_scope(self.name):
            for layer in self._column_layers:
                column = layer._feature_column
                ordered.append(column)
                sums.append(layer(builder))
                self._cols_to_vars[column] = layer.variables_of_column()
            checks.check_batch_sizes(sums, ordered)
            total = add_n(sums, name="weighted_sum_no_bias")
            bias = self._bias_layer(None, scope=get_variable_scope())
            found = bias_add(total, bias, name="weighted_sum")
            self._cols_to_vars[_BIAS] = _parts(self._bias_layer._bias_variable)
        return found


def _parts(variable):
    found = parts_of(variable)
    return found if isinstance(found, list) else [found]


def tensors_of(features: Any) -> Any:
    """A dict of features with tensors in place of lists, which are structures else."""
    if not isinstance(features, dict):
        return features
    return collections.OrderedDict(
        (key, _as_tensor(value)) for key, value in features.items()
    )


def _as_tensor(value):
    if isinstance(value, list | tuple):
        return convert_to_tensor_or_sparse_tensor(value)
    return value


def _transform_features(features: Any, feature_columns: Any) -> dict:
    """What each column makes of the features."""
    columns = checks.normalized(feature_columns, _FeatureColumn)
    found = {}
    with name_scope(None, "transform_features", values=_tensors(features)):
        builder = _LazyBuilder(features)
        for column in checks.by_name(columns):
            with dispatch.current_mode().name_scope(column.name):
                found[column] = builder.get(column)
    return found
