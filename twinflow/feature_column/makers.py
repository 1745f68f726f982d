"""The functions of tf.feature_column that make columns."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import Path
from twinflow.feature_column import arguments
from twinflow.feature_column.checks import spec_of
from twinflow.feature_column.columns import (
    Way,
    _BucketizedColumn,
    _CategoricalColumn,
    _CrossedColumn,
    _EmbeddingColumn,
    _FeatureColumn,
    _HashedCategoricalColumn,
    _IdentityCategoricalColumn,
    _IndicatorColumn,
    _NumericColumn,
    _SharedEmbeddingColumn,
    _VocabularyFileCategoricalColumn,
    _VocabularyListCategoricalColumn,
    _WeightedCategoricalColumn,
)
from twinflow.feature_column.tables import _EmbeddingColumnLayer


def numeric_column(
    key: str, shape: Any = (1,), default_value: Any = None,
    dtype: Any = dtypes.float32, normalizer_fn: Any = None,
) -> _NumericColumn:  # fmt: skip
    """A column of numbers as they are.

    Args:
        key: the feature, and the name of the column.
        shape: of the numbers of one example: an int or several.
        default_value: what tf.parse_example gives where there are none: a number, or
            numbers of this shape; without it that is an error.
        dtype: the DType of the feature, int or float; the numbers become float32.
        normalizer_fn: a function from tensor to tensor that they go through.
    Raises:
        TypeError, ValueError: an argument is of another kind.
    Example:
        price = tf.feature_column.numeric_column("price")
        tf.feature_column.input_layer({"price": [[1.], [5.]]}, [price])  # [[1.], [5.]]
    """
    return _NumericColumn(
        *arguments.numeric(key, shape, default_value, dtype, normalizer_fn)
    )


def bucketized_column(source_column: Any, boundaries: Any) -> _BucketizedColumn:
    """A column that says between which boundaries a number lies.

    Args:
        source_column: a numeric_column of one axis.
        boundaries: ascending numbers; n of them make n + 1 buckets.
    Raises:
        ValueError: an argument is of another kind.
    Example:
        price = tf.feature_column.numeric_column("price")
        column = tf.feature_column.bucketized_column(price, [0., 10.])
        tf.feature_column.input_layer({"price": [[5.]]}, [column])  # [[0., 1., 0.]]
    """
    return _BucketizedColumn(
        *arguments.bucketized(source_column, boundaries, _NumericColumn)
    )


def categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: int, dtype: Any = dtypes.string
) -> _HashedCategoricalColumn:
    """A column of words or ints whose ids are their hashes.

    Args:
        key: the feature; "" and -1 in dense ones stand for nothing.
        hash_bucket_size: how many ids there are. dtype: the DType of the feature.
    Raises:
        ValueError: an argument is of another kind.
    Example:
        word = tf.feature_column.categorical_column_with_hash_bucket("word", 10)
        column = tf.feature_column.indicator_column(word)
        y = tf.feature_column.input_layer({"word": [["a"], ["b"]]}, [column])
        y  # float32[2, 10]
    """
    return _HashedCategoricalColumn(*arguments.hashed(key, hash_bucket_size, dtype))


def categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: Path, vocabulary_size: int | None = None,
    num_oov_buckets: int = 0, default_value: Any = None, dtype: Any = dtypes.string,
) -> _VocabularyFileCategoricalColumn:  # fmt: skip
    """A column of words or ints whose ids are lines of a file.

    Args:
        key: the feature; "" and -1 in dense ones stand for nothing.
        vocabulary_file: the path.
        vocabulary_size: how many lines count; all by default.
        num_oov_buckets: how many further ids there are, for words not in the file.
        default_value: the one id of all those words where there are no buckets; -1,
            which leaves them out, by default.
        dtype: the DType of the feature.
    Raises:
        ValueError: an argument is of another kind, or there is no file.
    """
    return _VocabularyFileCategoricalColumn(
        *arguments.vocabulary_file(
            key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype
        )
    )


def categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Any, dtype: Any = None, default_value: Any = -1,
    num_oov_buckets: int = 0,
) -> _VocabularyListCategoricalColumn:  # fmt: skip
    """A column of words or ints whose ids are places in a list.

    Args:
        key: the feature; "" and -1 in dense ones stand for nothing.
        vocabulary_list: the words, none of them twice.
        dtype: the DType of the feature; that of the words if not given.
        default_value: the id of words that are not there; -1 leaves them out.
        num_oov_buckets: how many further ids there are, for words not in the list.
    Raises:
        ValueError: an argument is of another kind.
    Example:
        words = ["a", "b"]
        word = tf.feature_column.categorical_column_with_vocabulary_list("w", words)
        column = tf.feature_column.indicator_column(word)
        tf.feature_column.input_layer({"w": [["b"]]}, [column])  # [[0., 1.]]
    """
    return _VocabularyListCategoricalColumn(
        *arguments.vocabulary_list(
            key, vocabulary_list, dtype, default_value, num_oov_buckets
        )
    )


def categorical_column_with_identity(
    key: str, num_buckets: int, default_value: Any = None
) -> _IdentityCategoricalColumn:
    """A column of ints that are ids.

    Args:
        key: the feature; -1 in dense ones stands for nothing.
        num_buckets: how many ids there are.
        default_value: the id in place of others; without it others are an error.
    Raises:
        ValueError: an argument is of another kind.
    Example:
        column = tf.feature_column.categorical_column_with_identity("id", 3)
        column = tf.feature_column.indicator_column(column)
        tf.feature_column.input_layer({"id": [[2]]}, [column])  # [[0., 0., 1.]]
    """
    return _IdentityCategoricalColumn(
        *arguments.identity(key, num_buckets, default_value)
    )


def weighted_categorical_column(
    categorical_column: Any, weight_feature_key: str, dtype: Any = dtypes.float32
) -> _WeightedCategoricalColumn:
    """A column of categories, each with a weight.

    Args:
        categorical_column: a column of categories.
        weight_feature_key: the feature of the weights, at the same places.
        dtype: its DType, int or float.
    Raises:
        ValueError: the dtype is another one.
    Example:
        ids = tf.feature_column.categorical_column_with_identity("id", 3)
        column = tf.feature_column.weighted_categorical_column(ids, "weight")
        column = tf.feature_column.indicator_column(column)
        features = {"id": [[2]], "weight": [[0.5]]}
        tf.feature_column.input_layer(features, [column])  # [[0., 0., 0.5]]
    """
    return _WeightedCategoricalColumn(
        *arguments.weighted(categorical_column, weight_feature_key, dtype)
    )


def crossed_column(
    keys: Any, hash_bucket_size: int, hash_key: int | None = None
) -> _CrossedColumn:
    """A column of categories that are combinations of features, by their hashes.

    Args:
        keys: at least two features or columns of categories (other than those with
            hashes, in whose place the feature itself is crossed).
        hash_bucket_size: how many ids there are. hash_key: where the hash begins.
    Raises:
        ValueError: an argument is of another kind.
    Example:
        both = tf.feature_column.crossed_column(["word", "place"], 10)
        column = tf.feature_column.indicator_column(both)
        features = {"word": [["a"]], "place": [["b"]]}
        y = tf.feature_column.input_layer(features, [column])
        y  # float32[1, 10]
    """
    kinds = _CategoricalColumn, _HashedCategoricalColumn
    return _CrossedColumn(*arguments.crossed(keys, hash_bucket_size, hash_key, *kinds))


def indicator_column(categorical_column: Any) -> _IndicatorColumn:
    """A column of numbers: how often each category is there.

    Args:
        categorical_column: a column of categories.
    Example:
        ids = tf.feature_column.categorical_column_with_identity("id", 3)
        column = tf.feature_column.indicator_column(ids)
        tf.feature_column.input_layer({"id": [[0, 2, 2]]}, [column])  # [[1., 0., 2.]]
    """
    return _IndicatorColumn(categorical_column)


def embedding_column(
    categorical_column: Any, dimension: int, combiner: str = "mean",
    initializer: Any = None, ckpt_to_load_from: Any = None,
    tensor_name_in_ckpt: Any = None, max_norm: Any = None, trainable: bool = True,
) -> _EmbeddingColumn:  # fmt: skip
    """A column of numbers: for each category a row of a table that is trained.

    Args:
        categorical_column: a column of categories. dimension: the length of a row.
        combiner: what becomes of several categories: "mean", "sum" or "sqrtn".
        initializer: of the table; a truncated normal one by default.
        ckpt_to_load_from, tensor_name_in_ckpt: a checkpoint and a name in it, whose
            value the table starts with; both or none.
        max_norm: the largest L2 norm of a row. trainable: whether it is trained.
    Raises:
        ValueError: an argument is of another kind.
    Example:
        ids = tf.feature_column.categorical_column_with_identity("id", 3)
        ones = tf.ones_initializer()
        column = tf.feature_column.embedding_column(ids, 2, initializer=ones)
        tf.feature_column.input_layer({"id": [[1]]}, [column])  # [[1., 1.]]
    """
    arguments.check_dimension(dimension)
    arguments.check_combined(ckpt_to_load_from, tensor_name_in_ckpt)
    about = f" Embedding of column_name: {categorical_column.name}"
    initializer = arguments.initializer_of(initializer, dimension, about)
    shape = Way.buckets(categorical_column), dimension

    def creator(weight_collections, scope):
        layer = _EmbeddingColumnLayer(
            shape, initializer, weight_collections, trainable, "embedding_column_layer"
        )
        return layer(None, scope=scope)

    return _EmbeddingColumn(
        categorical_column, dimension, combiner, creator, ckpt_to_load_from,
        tensor_name_in_ckpt, max_norm, trainable,
    )  # fmt: skip


def shared_embedding_columns(
    categorical_columns: Any, dimension: int, combiner: str = "mean",
    initializer: Any = None, shared_embedding_collection_name: str | None = None,
    ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None,
    max_norm: Any = None, trainable: bool = True,
) -> list[Any]:  # fmt: skip
    """Columns of numbers that have one table; see `embedding_column`.

    Args:
        categorical_columns: columns of categories of one kind, with as many ids each.
        shared_embedding_collection_name: the collection that holds the table; made from
            the names of the columns by default.
        dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
            max_norm, trainable: see `embedding_column`.
    Returns:
        A column for each of `categorical_columns`.
    Raises:
        ValueError: an argument is of another kind. RuntimeError: in eager mode.
    Example:
        with tf.Graph().as_default():
            watched = tf.feature_column.categorical_column_with_identity("watched", 9)
            liked = tf.feature_column.categorical_column_with_identity("liked", 9)
            columns = tf.feature_column.shared_embedding_columns([watched, liked], 2)
            features = {"watched": [[1]], "liked": [[1]]}
            y = tf.feature_column.input_layer(features, columns)
        y  # float32[1, 4]
    """
    found = arguments.shared(
        categorical_columns, dimension, combiner, initializer,
        shared_embedding_collection_name, ckpt_to_load_from, tensor_name_in_ckpt,
        max_norm, trainable, Way, _WeightedCategoricalColumn,
    )  # fmt: skip
    return [_SharedEmbeddingColumn(*fields) for fields in found]


def make_parse_example_spec(feature_columns: Any) -> dict[Any, Any]:
    """What tf.parse_example must be told for columns.

    Args:
        feature_columns: a list of columns.
    Returns:
        dict from keys to FixedLenFeature and VarLenFeature
    Raises:
        ValueError: one is no column, or two read one feature differently.
    Example:
        price = tf.feature_column.numeric_column("price")
        tf.feature_column.make_parse_example_spec([price])["price"].shape  # (1,)
    """
    return spec_of(feature_columns, _FeatureColumn, Way.spec)
