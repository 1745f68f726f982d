"""The functions of feature_column_v2 that make columns.

Their arguments are those of the functions of tf.feature_column.
"""

from typing import Any

from twinflow.base import dtypes
from twinflow.feature_column import arguments
from twinflow.feature_column.checks import spec_of
from twinflow.feature_column.v2.columns import (
    BucketizedColumn,
    CategoricalColumn,
    CrossedColumn,
    EmbeddingColumn,
    FeatureColumn,
    HashedCategoricalColumn,
    IdentityCategoricalColumn,
    IndicatorColumn,
    NumericColumn,
    SharedEmbeddingColumn,
    VocabularyFileCategoricalColumn,
    VocabularyListCategoricalColumn,
    Way,
    WeightedCategoricalColumn,
)
from twinflow.feature_column.v2.state import SharedEmbeddingStateManager


def numeric_column(
    key: str, shape: Any = (1,), default_value: Any = None,
    dtype: Any = dtypes.float32, normalizer_fn: Any = None,
) -> NumericColumn:  # fmt: skip
    """See tf.feature_column.numeric_column."""
    return NumericColumn(
        *arguments.numeric(key, shape, default_value, dtype, normalizer_fn)
    )


def bucketized_column(source_column: Any, boundaries: Any) -> BucketizedColumn:
    """See tf.feature_column.bucketized_column."""
    return BucketizedColumn(
        *arguments.bucketized(source_column, boundaries, NumericColumn)
    )


def categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: int, dtype: Any = dtypes.string
) -> HashedCategoricalColumn:
    """See tf.feature_column.categorical_column_with_hash_bucket."""
    return HashedCategoricalColumn(*arguments.hashed(key, hash_bucket_size, dtype))


def categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: Any, vocabulary_size: int | None = None,
    num_oov_buckets: int = 0, default_value: Any = None, dtype: Any = dtypes.string,
) -> VocabularyFileCategoricalColumn:  # fmt: skip
    """See tf.feature_column.categorical_column_with_vocabulary_file."""
    return VocabularyFileCategoricalColumn(
        *arguments.vocabulary_file(
            key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype
        )
    )


def categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Any, dtype: Any = None, default_value: Any = -1,
    num_oov_buckets: int = 0,
) -> VocabularyListCategoricalColumn:  # fmt: skip
    """See tf.feature_column.categorical_column_with_vocabulary_list."""
    return VocabularyListCategoricalColumn(
        *arguments.vocabulary_list(
            key, vocabulary_list, dtype, default_value, num_oov_buckets
        )
    )


def categorical_column_with_identity(
    key: str, num_buckets: int, default_value: Any = None
) -> IdentityCategoricalColumn:
    """See tf.feature_column.categorical_column_with_identity."""
    return IdentityCategoricalColumn(
        *arguments.identity(key, num_buckets, default_value)
    )


def weighted_categorical_column(
    categorical_column: Any, weight_feature_key: str, dtype: Any = dtypes.float32
) -> WeightedCategoricalColumn:
    """See tf.feature_column.weighted_categorical_column."""
    return WeightedCategoricalColumn(
        *arguments.weighted(categorical_column, weight_feature_key, dtype)
    )


def crossed_column(
    keys: Any, hash_bucket_size: int, hash_key: int | None = None
) -> CrossedColumn:
    """See tf.feature_column.crossed_column."""
    kinds = CategoricalColumn, HashedCategoricalColumn
    return CrossedColumn(*arguments.crossed(keys, hash_bucket_size, hash_key, *kinds))


def indicator_column(categorical_column: Any) -> IndicatorColumn:
    """See tf.feature_column.indicator_column."""
    return IndicatorColumn(categorical_column)


def embedding_column(
    categorical_column: Any, dimension: int, combiner: str = "mean",
    initializer: Any = None, ckpt_to_load_from: Any = None,
    tensor_name_in_ckpt: Any = None, max_norm: Any = None, trainable: bool = True,
) -> EmbeddingColumn:  # fmt: skip
    """See tf.feature_column.embedding_column."""
    arguments.check_dimension(dimension)
    arguments.check_combined(ckpt_to_load_from, tensor_name_in_ckpt)
    about = f" Embedding of column_name: {categorical_column.name}"
    initializer = arguments.initializer_of(initializer, dimension, about)
    return EmbeddingColumn(
        categorical_column, dimension, combiner, initializer, ckpt_to_load_from,
        tensor_name_in_ckpt, max_norm, trainable,
    )  # fmt: skip


def shared_embedding_columns_v2(
    categorical_columns: Any, dimension: int, combiner: str = "mean",
    initializer: Any = None, shared_embedding_collection_name: str | None = None,
    ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None,
    max_norm: Any = None, trainable: bool = True,
) -> list:  # fmt: skip
    """See tf.feature_column.shared_embedding_columns."""
    found = arguments.shared(
        categorical_columns, dimension, combiner, initializer,
        shared_embedding_collection_name, ckpt_to_load_from, tensor_name_in_ckpt,
        max_norm, trainable, Way, WeightedCategoricalColumn,
    )  # fmt: skip
    return [SharedEmbeddingColumn(*values) for values in found]


def make_parse_example_spec(feature_columns: Any) -> dict:
    """See tf.feature_column.make_parse_example_spec."""
    return spec_of(feature_columns, FeatureColumn, Way.spec)


def is_feature_column_v2(feature_columns: Any) -> bool:
    """Whether all columns are of this family."""
    return all(isinstance(column, FeatureColumn) for column in feature_columns)


def maybe_create_shared_state_manager(feature_columns: Any) -> Any:
    """A SharedEmbeddingStateManager for columns of this family; None for others."""
    if is_feature_column_v2(feature_columns):
        return SharedEmbeddingStateManager()
    return None
