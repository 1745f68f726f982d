"""The fields of columns from the arguments of the functions that make them.

Both families of columns (see Note [Two protocols] in categorical_kinds) have them.
"""

import itertools
import math
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, files, logging
from twinflow.base.advice import advised
from twinflow.feature_column.checks import (
    check_combined,
    check_dimension,
    check_key,
    check_string_or_int,
    checked_default,
    checked_shape,
)
from twinflow.ops.random.initializers import TruncatedNormal


def numeric(
    key: Any, shape: Any, default_value: Any, dtype: Any, normalizer_fn: Any
) -> tuple:
    """The fields of a column of numbers."""
    check_key(key)
    shape = checked_shape(shape, key)
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(
            f"dtype must be convertible to float. dtype: {dtype}, key: {key}"
        )
    default_value = checked_default(shape, default_value, dtype, key)
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")
    return key, shape, default_value, dtype, normalizer_fn


def bucketized(source_column: Any, boundaries: Any, numeric_kind: type) -> tuple:
    """The fields of a column of buckets."""
    if not isinstance(source_column, numeric_kind):
        raise ValueError(
            "source_column must be a column generated with numeric_column(). Given: "
            f"{source_column}"
        )
    if len(source_column.shape) > 1:
        raise ValueError(
            f"source_column must be one-dimensional column. Given: {source_column}"
        )
    if not boundaries or not isinstance(boundaries, list | tuple):
        raise ValueError("boundaries must be a sorted list.")
    if any(a >= b for a, b in itertools.pairwise(boundaries)):
        raise ValueError("boundaries must be a sorted list.")
    return source_column, tuple(boundaries)


def hashed(key: Any, hash_bucket_size: Any, dtype: Any) -> tuple:
    """The fields of a column of hashes."""
    if hash_bucket_size is None:
        raise ValueError(f"hash_bucket_size must be set. key: {key}")
    if hash_bucket_size < 1:
        raise ValueError(
            "hash_bucket_size must be at least 1. hash_bucket_size: "
            f"{hash_bucket_size}, key: {key}"
        )
    check_key(key)
    check_string_or_int(dtype, f"column_name: {key}")
    return key, hash_bucket_size, dtype


def _check_buckets(num_oov_buckets, default_value, key):
    if num_oov_buckets:
        if default_value != -1:
            raise ValueError(
                f"Can't specify both num_oov_buckets and default_value in {key}."
            )
        if num_oov_buckets < 0:
            raise ValueError(f"Invalid num_oov_buckets {num_oov_buckets} in {key}.")


def vocabulary_file(
    key: Any, vocabulary_file: Any, vocabulary_size: Any, num_oov_buckets: Any,
    default_value: Any, dtype: Any,
) -> tuple:  # fmt: skip
    """The fields of a column of the lines of a file."""
    if not vocabulary_file:
        raise ValueError(f"Missing vocabulary_file in {key}.")
    if vocabulary_size is None:
        if not files.Exists(vocabulary_file):
            raise ValueError(f"vocabulary_file in {key} does not exist.")
        with files.GFile(vocabulary_file, "rb") as lines:
            vocabulary_size = sum(1 for _ in lines)
        logging.info(
            "vocabulary_size = %d in %s is inferred from the number of elements in the "
            "vocabulary_file %s.",
            vocabulary_size, key, vocabulary_file,
        )  # fmt: skip
    if vocabulary_size < 1:
        raise ValueError(f"Invalid vocabulary_size in {key}.")
    default_value = -1 if default_value is None else default_value
    _check_buckets(num_oov_buckets, default_value, key)
    check_string_or_int(dtype, f"column_name: {key}")
    check_key(key)
    size, count = vocabulary_size, num_oov_buckets
    return key, vocabulary_file, size, count or 0, dtype, default_value


def vocabulary_list(
    key: Any, vocabulary_list: Any, dtype: Any, default_value: Any, num_oov_buckets: Any
) -> tuple:
    """The fields of a column of the words of a list."""
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(
            f"vocabulary_list {vocabulary_list} must be non-empty, column_name: {key}"
        )
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(
            f"Duplicate keys in vocabulary_list {vocabulary_list}, column_name: {key}"
        )
    vocabulary_dtype = dtypes.as_dtype(np.array(vocabulary_list).dtype)
    _check_buckets(num_oov_buckets, default_value, key)
    check_string_or_int(vocabulary_dtype, f"column_name: {key} vocabulary")
    dtype = vocabulary_dtype if dtype is None else dtype
    if dtype.is_integer != vocabulary_dtype.is_integer:
        raise ValueError(
            f"dtype {dtype} and vocabulary dtype {vocabulary_dtype} do not match, "
            f"column_name: {key}"
        )
    check_string_or_int(dtype, f"column_name: {key}")
    check_key(key)
    return key, tuple(vocabulary_list), dtype, default_value, num_oov_buckets


def identity(key: Any, num_buckets: Any, default_value: Any) -> tuple:
    """The fields of a column of ids."""
    if num_buckets < 1:
        raise ValueError(f"num_buckets {num_buckets} < 1, column_name {key}")
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(
            f"default_value {default_value} not in range [0, {num_buckets}), "
            f"column_name {key}"
        )
    check_key(key)
    return key, num_buckets, default_value


def weighted(categorical_column: Any, weight_feature_key: Any, dtype: Any) -> tuple:
    """The fields of a column with weights."""
    if dtype is None or not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype {dtype} is not convertible to float.")
    return categorical_column, weight_feature_key, dtype


def crossed(
    keys: Any, hash_bucket_size: Any, hash_key: Any, categorical: type, hashed: type
) -> tuple:
    """The fields of a column of crosses.

    Args:
        categorical, hashed: the classes of columns of the family.
    """
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError(
            f"hash_bucket_size must be > 1. hash_bucket_size: {hash_bucket_size}"
        )
    if not keys or len(keys) < 2:
        raise ValueError(f"keys must be a list with length > 1. Given: {keys}")
    for key in keys:
        if not isinstance(key, str | categorical):
            raise ValueError(
                "Unsupported key type. All keys must be either string, or categorical "
                f"column except {hashed.__name__}. Given: {key}"
            )
        if isinstance(key, hashed):
            raise ValueError(
                "categorical_column_with_hash_bucket is not supported for crossing. "
                "Hashing before crossing will increase probability of collision. "
                f"Instead, use the feature name as a string. Given: {key}"
            )
    return tuple(keys), hash_bucket_size, hash_key


def initializer_of(initializer: Any, dimension: int, about: str) -> Any:
    """An initializer of a table; a normal one that fits its width if none is given.

    Raises:
        ValueError: it is no function.
    """
    if initializer is not None and not callable(initializer):
        raise advised(ValueError, f"initializer must be callable if specified.{about}")
    if initializer is None:
        initializer = TruncatedNormal(mean=0.0, stddev=1 / math.sqrt(dimension))
    return initializer


def shared(
    columns: Any, dimension: Any, combiner: Any, initializer: Any, collection: Any,
    ckpt_to_load_from: Any, tensor_name_in_ckpt: Any, max_norm: Any, trainable: Any,
    way: Any, weighted: type,
) -> list:  # fmt: skip
    """The fields of columns that share a table, for each column.

    Args:
        way: how the family asks columns. weighted: its class of columns with weights.
    """
    if dispatch.current_mode().eager:
        raise RuntimeError(
            "shared_embedding_columns are not supported when eager execution is "
            "enabled."
        )
    check_dimension(dimension)
    check_combined(ckpt_to_load_from, tensor_name_in_ckpt)
    initializer = initializer_of(initializer, dimension, "")
    ordered = sorted(columns, key=lambda c: c.name)
    _check_alike(ordered, way, weighted)
    if not collection:
        collection = "_".join(c.name for c in ordered) + "_shared_embedding"
    rest = initializer, collection, ckpt_to_load_from, tensor_name_in_ckpt
    return [(c, dimension, combiner, *rest, max_norm, trainable) for c in columns]


def _check_alike(columns, way, weighted):
    """Raise ValueError where columns cannot share a table."""
    first = columns[0]
    count, kind = way.buckets(first), _inner(first, weighted)
    if not isinstance(first, way.categorical):
        raise ValueError(
            "All categorical_columns must be subclasses of "
            f"{way.categorical.__name__}. Given: {first}, of type: {type(first)}"
        )
    for column in columns[1:]:
        found = _inner(column, weighted)
        if not isinstance(found, type(kind)):
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the "
                "same type, or be weighted_categorical_column of the same type. Given "
                f"column: {kind} of type: {type(kind)} does not match given column: "
                f"{found} of type: {type(found)}"
            )
        if way.buckets(column) != count:
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the "
                f"same number of buckets. Given column: {first} with buckets: {count} "
                f"does  not match column: {column} with buckets: {way.buckets(column)}"
            )


def _inner(column, weighted):
    return column.categorical_column if isinstance(column, weighted) else column
