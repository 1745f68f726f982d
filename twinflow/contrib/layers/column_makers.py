"""The functions of tf.contrib.layers that make columns, and what parses them."""

from typing import Any

import numpy as np

from twinflow.base import dtypes, logging
from twinflow.base.annotations import Path
from twinflow.contrib.layers.dense_columns import (
    DataFrameColumn as DataFrameColumn,  # a name of this public module
)
from twinflow.contrib.layers.dense_columns import (
    _BucketizedColumn,
    _EmbeddingColumn,
    _OneHotColumn,
    _RealValuedColumn,
    _RealValuedVarLenColumn,
    _ScatteredEmbeddingColumn,
)
from twinflow.contrib.layers.sparse_columns import (
    _CrossedColumn,
    _SparseColumn,
    _SparseColumnHashed,
    _SparseColumnIntegerized,
    _SparseColumnKeys,
    _SparseColumnVocabulary,
    _SparseIdLookupConfig,
    _WeightedSparseColumn,
)
from twinflow.feature_column.columns import _FeatureColumn
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.parsing.features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    VarLenFeature,
)
from twinflow.ops.sparse.tensor import sparse_placeholder


# ------------------------------------------------------------------ categories
def sparse_column_with_integerized_feature(
    column_name: str, bucket_size: int, combiner: str = "sum", dtype: Any = dtypes.int64
) -> _SparseColumnIntegerized:
    """A column of ints that are ids, modulo their number.

    Args:
        column_name: the feature. bucket_size: how many ids there are.
        combiner: what becomes of several in a linear model: "sum", "mean" or "sqrtn".
        dtype: the DType of the feature.
    Raises:
        ValueError: an argument is of another kind.
    Example:
        column = tf.contrib.layers.sparse_column_with_integerized_feature("id", 3)
        column.length  # 3
    """
    return _SparseColumnIntegerized(
        column_name, True, bucket_size, combiner=combiner, dtype=dtype
    )


def sparse_column_with_hash_bucket(
    column_name: str, hash_bucket_size: int, combiner: str = "sum",
    dtype: Any = dtypes.string, hash_keys: Any = None,
) -> _SparseColumnHashed:  # fmt: skip
    """A column of words or ints whose ids are their hashes.

    Args:
        column_name: the feature. hash_bucket_size: how many ids there are.
        combiner: what becomes of several in a linear model.
        dtype: the DType of the feature.
        hash_keys: pairs of ints; for each of them a word gets one more id.
    Raises:
        ValueError: an argument is of another kind.
    Example:
        tf.contrib.layers.sparse_column_with_hash_bucket("word", 10).length  # 10
    """
    return _SparseColumnHashed(
        column_name, bucket_size=hash_bucket_size, combiner=combiner, dtype=dtype,
        hash_keys=hash_keys,
    )  # fmt: skip


def sparse_column_with_keys(
    column_name: str, keys: Any, default_value: int = -1, combiner: str = "sum",
    dtype: Any = dtypes.string,
) -> _SparseColumnKeys:  # fmt: skip
    """A column of words or ints whose ids are places in a list.

    Args:
        column_name: the feature. keys: the words.
        default_value: the id of others; -1 leaves them out.
        combiner: what becomes of several in a linear model.
        dtype: the DType of the feature.
    Example:
        tf.contrib.layers.sparse_column_with_keys("word", ["a", "b"]).length  # 2
    """
    keys = tuple(keys)
    config = _SparseIdLookupConfig(
        keys=keys, vocab_size=len(keys), default_value=default_value
    )
    return _SparseColumnKeys(
        column_name, lookup_config=config, combiner=combiner, dtype=dtype
    )


def sparse_column_with_vocabulary_file(
    column_name: str, vocabulary_file: Path, num_oov_buckets: int = 0,
    vocab_size: int | None = None, default_value: int = -1, combiner: str = "sum",
    dtype: Any = dtypes.string,
) -> _SparseColumnVocabulary:  # fmt: skip
    """A column of words or ints whose ids are lines of a file.

    Args:
        column_name: the feature. vocabulary_file: the path.
        num_oov_buckets: how many further ids there are, for other words.
        vocab_size: how many lines count; must be given.
        default_value: the id of all other words where there are no buckets.
        combiner: what becomes of several in a linear model.
        dtype: the DType of the feature.
    Raises:
        ValueError: an argument is of another kind.
    """
    if vocab_size is None:
        raise ValueError(f"vocab_size should be defined. column_name: {column_name}")
    config = _SparseIdLookupConfig(
        vocabulary_file, None, num_oov_buckets, vocab_size, default_value
    )
    return _SparseColumnVocabulary(
        column_name, lookup_config=config, combiner=combiner, dtype=dtype
    )


def weighted_sparse_column(
    sparse_id_column: Any, weight_column_name: str, dtype: Any = dtypes.float32
) -> _WeightedSparseColumn:
    """A column of categories, each with a weight.

    Args:
        sparse_id_column: a column of categories.
        weight_column_name: the feature of the weights. dtype: its DType.
    Raises:
        ValueError: the dtype is no number's.
    Example:
        word = tf.contrib.layers.sparse_column_with_keys("word", ["a", "b"])
        tf.contrib.layers.weighted_sparse_column(word, "weight").length  # 2
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype is not convertible to float. Given {dtype}")
    return _WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)


def crossed_column(
    columns: Any, hash_bucket_size: int, combiner: str = "sum",
    ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None,
    hash_key: Any = None,
) -> _CrossedColumn:  # fmt: skip
    """A column of categories that are combinations of others, by their hashes.

    Args:
        columns: at least two columns of categories, crossed or bucketized columns.
        hash_bucket_size: how many ids there are.
        combiner: what becomes of several in a linear model.
        ckpt_to_load_from, tensor_name_in_ckpt: a checkpoint and a name in it, whose
            value the weights start with; both or none.
        hash_key: where the hash begins; without it an older function is taken, which
            collides more often.
    Raises:
        TypeError, ValueError: an argument is of another kind.
    Example:
        a = tf.contrib.layers.sparse_column_with_hash_bucket("a", 10)
        b = tf.contrib.layers.sparse_column_with_hash_bucket("b", 10)
        tf.contrib.layers.crossed_column([a, b], 100).length  # 100
    """
    return _CrossedColumn(
        columns, hash_bucket_size, hash_key, combiner, ckpt_to_load_from,
        tensor_name_in_ckpt,
    )  # fmt: skip


# ------------------------------------------------------------------ numbers
def one_hot_column(sparse_id_column: Any) -> _OneHotColumn:
    """A column of numbers: how often each category is there.

    Args:
        sparse_id_column: a column of categories.
    Example:
        word = tf.contrib.layers.sparse_column_with_keys("word", ["a", "b"])
        tf.contrib.layers.one_hot_column(word).length  # 2
    """
    return _OneHotColumn(sparse_id_column)


def embedding_column(
    sparse_id_column: Any, dimension: int, combiner: str = "mean",
    initializer: Any = None, ckpt_to_load_from: Any = None,
    tensor_name_in_ckpt: Any = None, max_norm: Any = None, trainable: bool = True,
) -> _EmbeddingColumn:  # fmt: skip
    """A column of numbers: for each category a row of a table that is trained.

    Args:
        sparse_id_column: a column of categories. dimension: the length of a row.
        combiner: what becomes of several categories: "mean", "sum" or "sqrtn".
        initializer: of the table; a truncated normal one by default.
        ckpt_to_load_from, tensor_name_in_ckpt: a checkpoint and a name in it, whose
            value the table starts with; both or none.
        max_norm: the largest L2 norm of a row. trainable: whether it is trained.
    Raises:
        ValueError: an argument is of another kind.
    Example:
        word = tf.contrib.layers.sparse_column_with_hash_bucket("word", 10)
        tf.contrib.layers.embedding_column(word, 3).dimension  # 3
    """
    return _EmbeddingColumn(
        sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from,
        tensor_name_in_ckpt, max_norm=max_norm, trainable=trainable,
    )  # fmt: skip


def shared_embedding_columns(
    sparse_id_columns: Any, dimension: int, combiner: str = "mean",
    shared_embedding_name: str | None = None, initializer: Any = None,
    ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None,
    max_norm: Any = None, trainable: bool = True,
) -> list[Any]:  # fmt: skip
    """Columns of numbers that have one table; see `embedding_column`.

    Args:
        sparse_id_columns: columns of categories with as many ids each.
        shared_embedding_name: the name of the table; made from those of the columns if
            not given.
        dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
            max_norm, trainable: see `embedding_column`.
    Returns:
        A column for each of `sparse_id_columns`.
    Raises:
        TypeError, ValueError: an argument is of another kind.
    Example:
        a = tf.contrib.layers.sparse_column_with_hash_bucket("a", 10)
        b = tf.contrib.layers.sparse_column_with_hash_bucket("b", 10)
        columns = tf.contrib.layers.shared_embedding_columns([a, b], 3)
        columns[0].shared_embedding_name  # "a_b_shared_embedding"
    """
    _check_alike(sparse_id_columns)
    options = {"max_norm": max_norm, "trainable": trainable}
    rest = combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt
    if len(sparse_id_columns) == 1:
        one = sparse_id_columns[0]
        return [
            _EmbeddingColumn(one, dimension, *rest, shared_embedding_name, **options)
        ]
    ordered = sorted(
        sparse_id_columns, key=lambda c: (isinstance(c, _WeightedSparseColumn), c.name)
    )
    if not shared_embedding_name:
        shared_embedding_name = "_".join(c.name for c in ordered[:3])
        if len(ordered) > 3:
            shared_embedding_name += f"_plus_{len(ordered) - 3}_others"
        shared_embedding_name += "_shared_embedding"
    shared = shared_embedding_name, ordered[0].length
    return [
        _EmbeddingColumn(column, dimension, *rest, *shared, **options)
        for column in sparse_id_columns
    ]


def _check_alike(columns):
    """Raise TypeError or ValueError where columns cannot share a table."""
    if isinstance(columns, str | bytes) or not hasattr(columns, "__len__"):
        raise TypeError(
            "sparse_id_columns must be a non-string sequence (ex: list or tuple) "
            f"instead of type {type(columns)}."
        )
    if len(columns) < 1:
        raise ValueError(
            "The input sparse_id_columns should have at least one element."
        )
    for column in columns:
        if not isinstance(column, _SparseColumn | _WeightedSparseColumn):
            raise TypeError(
                "Elements of sparse_id_columns must be _SparseColumn or "
                f"_WeightedSparseColumn, but {column} is not."
            )
    for column in columns[1:]:
        if not columns[0].is_compatible(column):
            raise ValueError("The input sparse id columns are not compatible.")


def scattered_embedding_column(
    column_name: str, size: int, dimension: int, hash_key: Any, combiner: str = "mean",
    initializer: Any = None,
) -> _ScatteredEmbeddingColumn:  # fmt: skip
    """A column of numbers, which words share by the hashes of their places.

    Args:
        column_name: the feature. size: how many numbers there are in all.
        dimension: how many of them a word gets. hash_key: where the hash begins.
        combiner: what becomes of several words: "mean", "sum" or "sqrtn".
        initializer: of the numbers; a truncated normal one by default.
    Raises:
        ValueError: an argument is of another kind.
    Example:
        column = tf.contrib.layers.scattered_embedding_column("word", 100, 4, 3)
        column.name  # "word_scattered_embedding"
    """
    if dimension < 1 or size < 1:
        raise ValueError(
            f"Dimension and size must be greater than 0. dimension: {dimension}, size: "
            f"{size}, column_name: {column_name}"
        )
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError(
            "Combiner must be one of 'mean', 'sqrtn' or 'sum'. combiner: "
            f"{combiner}, column_name: {column_name}"
        )
    return _ScatteredEmbeddingColumn(
        column_name, size, dimension, hash_key, combiner, initializer
    )


def _check_number(dtype, column_name, error):
    if not (dtype.is_integer or dtype.is_floating):
        raise error(
            f"dtype must be convertible to float. dtype: {dtype}, column_name: "
            f"{column_name}"
        )


def _unlike(default_value, dtype, column_name):
    return TypeError(
        f"default_value must be compatible with dtype. default_value: {default_value}, "
        f"dtype: {dtype}, column_name: {column_name}"
    )


def _as(values, dtype, error):
    """Numbers of a dtype."""
    if dtype.is_integer and all(isinstance(v, int | np.integer) for v in values):
        return tuple(values)
    if dtype.is_floating and all(
        isinstance(v, int | float | np.number) for v in values
    ):
        return tuple(float(v) for v in values)
    raise error


def real_valued_column(
    column_name: str, dimension: int = 1, default_value: Any = None,
    dtype: Any = dtypes.float32, normalizer: Any = None,
) -> _RealValuedColumn:  # fmt: skip
    """A column of numbers as they are.

    Args:
        column_name: the feature. dimension: how many numbers an example has.
        default_value: what parsing gives where there are none: a number, or a list.
        dtype: the DType of the feature; the numbers become float32.
        normalizer: a function from tensor to tensor that they go through.
    Raises:
        TypeError, ValueError: an argument is of another kind.
    Example:
        tf.contrib.layers.real_valued_column("price").name  # "price"
    """
    about = f"dimension: {dimension}, column_name: {column_name}"
    if dimension is None:
        raise TypeError(
            "dimension must be an integer. Use the _real_valued_var_len_column for "
            f"variable length features.{about}"
        )
    if not isinstance(dimension, int):
        raise TypeError(f"dimension must be an integer. {about}")
    if dimension < 1:
        raise ValueError(f"dimension must be greater than 0. {about}")
    _check_number(dtype, column_name, ValueError)
    if default_value is not None:
        error = _unlike(default_value, dtype, column_name)
        if not isinstance(default_value, list | tuple | np.ndarray):
            default_value = _as([default_value] * dimension, dtype, error)
        elif len(default_value) != dimension:
            raise ValueError(
                "The length of default_value must be equal to dimension. "
                f"default_value: {default_value}, {about}"
            )
        else:
            default_value = _as(default_value, dtype, error)
    return _RealValuedColumn(column_name, dimension, default_value, dtype, normalizer)


def _real_valued_var_len_column(
    column_name: str, default_value: Any = None, dtype: Any = dtypes.float32,
    normalizer: Any = None, is_sparse: bool = False,
) -> _RealValuedVarLenColumn:  # fmt: skip
    """A column of numbers, as many as there are."""
    _check_number(dtype, column_name, TypeError)
    about = f"column_name: {column_name}"
    if default_value is None and not is_sparse:
        raise ValueError(
            "default_value must be provided when is_sparse=False to parse a padded "
            f"Tensor. {about}"
        )
    if isinstance(default_value, list | tuple):
        raise ValueError(
            f"Only scalar default value. default_value: {default_value}, {about}"
        )
    if default_value is not None:
        error = _unlike(default_value, dtype, column_name)
        (default_value,) = _as([default_value], dtype, error)
    return _RealValuedVarLenColumn(
        column_name, default_value, dtype, normalizer, is_sparse
    )


def bucketized_column(source_column: Any, boundaries: Any) -> _BucketizedColumn:
    """A column that says between which boundaries a number lies.

    Args:
        source_column: a real_valued_column.
        boundaries: ascending numbers; n of them make n + 1 buckets.
    Raises:
        TypeError, ValueError: an argument is of another kind.
    Example:
        price = tf.contrib.layers.real_valued_column("price")
        tf.contrib.layers.bucketized_column(price, [0., 10.]).length  # 3
    """
    return _BucketizedColumn(source_column, boundaries)


# ------------------------------------------------------------------ parsing
def _get_feature_config(feature_column: Any) -> dict:
    """What tf.parse_example must be told of a column."""
    if not isinstance(feature_column, _FeatureColumn):
        raise TypeError(
            "feature_columns should only contain instances of _FeatureColumn. Given "
            f"column is {feature_column}"
        )
    return feature_column._parse_example_spec


def create_feature_spec_for_parsing(feature_columns: Any) -> dict[Any, Any]:
    """What tf.parse_example must be told for columns.

    Args:
        feature_columns: columns of tf.contrib.layers or tf.feature_column.
    Raises:
        TypeError: one is something else.
    Example:
        price = tf.contrib.layers.real_valued_column("price")
        spec = tf.contrib.layers.create_feature_spec_for_parsing([price])
        list(spec)  # ["price"]
    """
    found: dict = {}
    for column in feature_columns:
        found.update(_get_feature_config(column))
    return found


def _create_sequence_feature_spec_for_parsing(
    sequence_feature_columns: Any, allow_missing_by_default: bool = False
) -> dict:
    """As `create_feature_spec_for_parsing`, of steps of sequences."""
    found: dict = {}
    spec = create_feature_spec_for_parsing(sequence_feature_columns)
    for key, feature in spec.items():
        missing = allow_missing_by_default
        if isinstance(feature, FixedLenFeature):
            if feature.default_value is not None:
                logging.warning(
                    'Found default value %s for feature "%s". Ignoring this value and '
                    "setting `allow_missing=True` instead.",
                    feature.default_value, key,
                )  # fmt: skip
                missing = True
            found[key] = FixedLenSequenceFeature(feature.shape, feature.dtype, missing)
        elif isinstance(feature, VarLenFeature):
            found[key] = feature
        elif isinstance(feature, FixedLenSequenceFeature):
            found[key] = FixedLenSequenceFeature(
                feature.shape, feature.dtype, feature.allow_missing
            )
        else:
            raise TypeError(f"Unsupported feature type: {type(feature).__name__}")
    return found


def make_place_holder_tensors_for_base_features(feature_columns: Any) -> dict[Any, Any]:
    """Placeholders for the features that columns read.

    Args:
        feature_columns: columns.
    Returns:
        dict from keys to placeholders, called Placeholder_{key}
    """
    made: dict = {}
    for key, feature in create_feature_spec_for_parsing(feature_columns).items():
        name = f"Placeholder_{key}"
        if isinstance(feature, VarLenFeature):
            made[key] = sparse_placeholder(feature.dtype, name=name)
        else:
            shape = (None, *feature.shape)
            made[key] = placeholder(feature.dtype, shape, name)
    return made
