"""Columns of sequences, and the layer that takes them."""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import Path
from twinflow.base.shapes import TensorShape
from twinflow.feature_column import checks, makers
from twinflow.feature_column.columns import (
    _FeatureColumn,
    _LazyBuilder,
    _SequenceCategoricalColumn,
    _SequenceDenseColumn,
    fields,
)
from twinflow.feature_column.tensors import sequence_length
from twinflow.graph.scopes import control_dependencies
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.core.constant import identity
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.debugging.checks import assert_equal
from twinflow.ops.parsing.features import VarLenFeature
from twinflow.ops.sparse.dense import sparse_tensor_to_dense
from twinflow.ops.variables.collections import GraphKeys


def sequence_input_layer(
    features: Any, feature_columns: Any, weight_collections: Any = None,
    trainable: bool = True,
) -> tuple[Any, ...]:  # fmt: skip
    """The numbers of columns of sequences beside each other, and their lengths.

    Args:
        features: a dict from keys to SparseTensors [batch, steps, ...].
        feature_columns: columns of numbers of sequences: sequence_numeric_column, and
            indicator_column or embedding_column of sequence_categorical_column_with_*.
        weight_collections: collections that variables join.
        trainable: whether variables are trained.
    Returns:
        (float32[batch, most steps, sum of the sizes], int64[batch]: the lengths).
    Raises:
        ValueError: an item is no such column.
        InvalidArgumentError: the columns say different lengths.
    Example:
        column = tf.contrib.feature_column.sequence_numeric_column("a")
        a = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1., 2., 3.], [2, 2])
        found = tf.contrib.feature_column.sequence_input_layer({"a": a}, [column])
        found[1]  # [2, 1]
    """
    columns = checks.by_name(checks.normalized(feature_columns, _FeatureColumn))
    for column in columns:
        if not isinstance(column, _SequenceDenseColumn):
            raise ValueError(
                "All feature_columns must be of type _SequenceDenseColumn. You can "
                "wrap a sequence_categorical_column with an embedding_column or "
                f"indicator_column. Given (type {type(column)}): {column}"
            )
    where = list(weight_collections or [])
    if GraphKeys.GLOBAL_VARIABLES not in where:
        where.append(GraphKeys.GLOBAL_VARIABLES)
    graphs = [f for f in features.values() if hasattr(f, "graph")]
    with variable_scope(None, "sequence_input_layer", values=graphs):
        builder = _LazyBuilder(features)
        pairs = [_of_column(column, builder, where, trainable) for column in columns]
        rows, lengths = zip(*pairs, strict=True)
        checks.check_batch_sizes(rows, columns)
        return concat(list(rows), -1), _assert_all_equal_and_return(list(lengths))


def _of_column(column, builder, where, trainable):
    with variable_scope(None, default_name=column._var_scope_name):
        numbers, lengths = column._get_sequence_dense_tensor(
            builder, weight_collections=where, trainable=trainable
        )
        sizes = shape(numbers)
        count = column._variable_shape.num_elements()
        return reshape(numbers, [sizes[0], sizes[1], count]), lengths


def _assert_all_equal_and_return(tensors: list, name: str | None = None) -> Any:
    """The first of some tensors, which are asserted to be equal."""
    with dispatch.current_mode().name_scope(name or "assert_all_equal"):
        if len(tensors) == 1:
            return tensors[0]
        same = [assert_equal(tensors[0], t) for t in tensors[1:]]
        with control_dependencies([s for s in same if s is not None]):
            return identity(tensors[0])


# ------------------------------------------------------------------ columns
class _SequenceNumericColumn(
    _SequenceDenseColumn,
    fields("_SequenceNumericColumn", "key shape default_value dtype normalizer_fn"),
):
    """See tf.contrib.feature_column.sequence_numeric_column."""

    @property
    def name(self) -> str:
        """The key of the feature."""
        return self.key

    @property
    def _parse_example_spec(self) -> dict:
        return {self.key: VarLenFeature(self.dtype)}

    @property
    def _variable_shape(self) -> Any:
        return TensorShape(self.shape)

    def _transform_feature(self, inputs: Any) -> Any:
        t = inputs.get(self.key)
        return t if self.normalizer_fn is None else self.normalizer_fn(t)

    def _get_sequence_dense_tensor(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        sp = inputs.get(self)
        numbers = sparse_tensor_to_dense(sp, self.default_value)
        sizes = [shape(numbers)[0], -1, *self.shape]
        count = self._variable_shape.num_elements()
        if sp.get_shape().ndims == 3:  # a step is an axis of its own already
            count = 1
        lengths = sequence_length(sp, count)
        return self.TensorSequenceLengthPair(reshape(numbers, sizes), lengths)


def sequence_numeric_column(
    key: str, shape: Any = (1,), default_value: float = 0.0,
    dtype: Any = dtypes.float32, normalizer_fn: Any = None,
) -> _SequenceNumericColumn:  # fmt: skip
    """A column of sequences of numbers.

    Args:
        key: the feature, a SparseTensor, and the name of the column.
        shape: of the numbers of one step.
        default_value: what sequences are filled up with.
        dtype: the DType of the feature, int or float.
        normalizer_fn: a function from SparseTensor to SparseTensor that it goes
            through.
    Raises:
        TypeError, ValueError: an argument is of another kind.
    Example:
        column = tf.contrib.feature_column.sequence_numeric_column("a")
        a = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1., 2., 3.], [2, 2])
        found = tf.contrib.feature_column.sequence_input_layer({"a": a}, [column])
        found[0]  # [[[1.], [2.]], [[3.], [0.]]]
    """
    shape = checks.checked_shape(shape, key)
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(
            f"dtype must be convertible to float. dtype: {dtype}, key: {key}"
        )
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")
    return _SequenceNumericColumn(key, shape, default_value, dtype, normalizer_fn)


def sequence_categorical_column_with_identity(
    key: str, num_buckets: int, default_value: Any = None
) -> _SequenceCategoricalColumn:
    """As tf.feature_column.categorical_column_with_identity, of sequences.

    Args:
        key, num_buckets, default_value: see there.
    Example:
        a = tf.contrib.feature_column.sequence_categorical_column_with_identity("a", 2)
        column = tf.feature_column.indicator_column(a)
        steps = tf.SparseTensor([[0, 0], [0, 1]], [1, 0], [1, 2])
        found = tf.contrib.feature_column.sequence_input_layer({"a": steps}, [column])
        found[0]  # [[[0., 1.], [1., 0.]]]
    """
    return _SequenceCategoricalColumn(
        makers.categorical_column_with_identity(key, num_buckets, default_value)
    )


def sequence_categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: int, dtype: Any = dtypes.string
) -> _SequenceCategoricalColumn:
    """As tf.feature_column.categorical_column_with_hash_bucket, of sequences."""
    return _SequenceCategoricalColumn(
        makers.categorical_column_with_hash_bucket(key, hash_bucket_size, dtype)
    )


def sequence_categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: Path, vocabulary_size: int | None = None,
    num_oov_buckets: int = 0, default_value: Any = None, dtype: Any = dtypes.string,
) -> _SequenceCategoricalColumn:  # fmt: skip
    """As tf.feature_column.categorical_column_with_vocabulary_file, of sequences."""
    return _SequenceCategoricalColumn(
        makers.categorical_column_with_vocabulary_file(
            key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype
        )
    )


def sequence_categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Any, dtype: Any = None, default_value: Any = -1,
    num_oov_buckets: int = 0,
) -> _SequenceCategoricalColumn:  # fmt: skip
    """As tf.feature_column.categorical_column_with_vocabulary_list, of sequences."""
    return _SequenceCategoricalColumn(
        makers.categorical_column_with_vocabulary_list(
            key, vocabulary_list, dtype, default_value, num_oov_buckets
        )
    )
