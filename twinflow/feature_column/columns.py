"""The columns of tf.feature_column, and what they ask each other.

Their names, fields and methods with an underscore are those of TensorFlow 1.12, where
programs write columns of their own in this protocol.
"""

import abc
import collections
from typing import Any

from twinflow.base import logging
from twinflow.base.advice import advised
from twinflow.feature_column.categorical_kinds import (
    Crossed,
    Hashed,
    Identity,
    IdWeightPair,
    VocabularyFile,
    VocabularyList,
    Weighted,
)
from twinflow.feature_column.dense_kinds import (
    Bucketized,
    Embedded,
    Indicator,
    Numeric,
    Sequence,
    SharedEmbedded,
    TensorSequenceLengthPair,
)
from twinflow.feature_column.tables import restored, shared_table
from twinflow.feature_column.tensors import raw_tensor
from twinflow.graph.variable_scope import get_variable_scope


class _FeatureColumn(abc.ABC):
    """What is known of a feature: how it is parsed, and what becomes of it."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name, which no other column of a model has."""

    @property
    def _var_scope_name(self) -> str:
        """The variable scope of its variables."""
        return self.name

    @abc.abstractmethod
    def _transform_feature(self, inputs: Any) -> Any:
        """What becomes of the features in `inputs`, a _LazyBuilder."""

    @property
    @abc.abstractmethod
    def _parse_example_spec(self) -> dict:
        """What tf.parse_example must be told."""

    def _reset_config(self) -> None:  # noqa: B027
        """Forget what holds for one model only."""


class _DenseColumn(_FeatureColumn):
    """A column of numbers: what tf.feature_column.input_layer takes."""

    @property
    @abc.abstractmethod
    def _variable_shape(self) -> Any:
        """The shape of the numbers of one example."""

    @abc.abstractmethod
    def _get_dense_tensor(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        """The numbers of a batch."""


class _CategoricalColumn(_FeatureColumn):
    """A column of categories, by their ids."""

    IdWeightPair = IdWeightPair

    @property
    @abc.abstractmethod
    def _num_buckets(self) -> int:
        """How many ids there are."""

    @abc.abstractmethod
    def _get_sparse_tensors(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        """The ids of a batch, and their weights: an IdWeightPair."""


class _SequenceDenseColumn(_FeatureColumn):
    """A column of sequences of numbers."""

    TensorSequenceLengthPair = TensorSequenceLengthPair

    @abc.abstractmethod
    def _get_sequence_dense_tensor(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        """The numbers of a batch, and how long each sequence is."""


class _LazyBuilder:
    """Features, and what columns make of them, each once.

    Args:
        features: a dict from keys to tensors, SparseTensors, or what becomes one.
    """

    def __init__(self, features: Any) -> None:
        self._features = dict(features) if _is_dict(features) else features
        self._feature_tensors: dict = {}

    def get(self, key: Any) -> Any:
        """A feature by its key, or what a column makes of the features.

        Raises:
            ValueError: there is no such feature, or a column makes nothing.
            TypeError: the key is something else.
        """
        if key in self._feature_tensors:
            return self._feature_tensors[key]
        if key in self._features:
            self._feature_tensors[key] = self._get_raw_feature_as_tensor(key)
            return self._feature_tensors[key]
        if isinstance(key, str):
            raise advised(ValueError, f"Feature {key} is not in features dictionary.")
        if not isinstance(key, _FeatureColumn):
            raise TypeError(
                f'"key" must be either a "str" or "_FeatureColumn". Provided: {key}'
            )
        logging.debug("Transforming feature_column %s.", key)
        made = key._transform_feature(self)
        if made is None:
            raise ValueError(f"Column {key.name} is not supported.")
        self._feature_tensors[key] = made
        return made

    def _get_raw_feature_as_tensor(self, key: Any) -> Any:
        return raw_tensor(self._features[key], key)


def _is_dict(features):
    return isinstance(features, dict)


# ------------------------------------------------------------------ the protocol
class Way:
    """How columns ask each other; see Note [Two protocols] in categorical_kinds."""

    __slots__ = ("collections", "inputs", "trainable")

    def __init__(self, inputs: Any, collections: Any, trainable: Any) -> None:
        self.inputs, self.collections = inputs, collections
        self.trainable = trainable

    def get(self, key: Any) -> Any:
        """A feature, or what a column makes of the features."""
        return self.inputs.get(key)

    def made(self, column: Any) -> Any:
        """What a column makes of the features, anew."""
        return column._transform_feature(self.inputs)

    def ids(self, column: Any) -> Any:
        """The ids of a column of categories, and their weights."""
        return column._get_sparse_tensors(
            self.inputs, weight_collections=self.collections, trainable=self.trainable
        )

    any_ids = ids
    categorical: Any = _CategoricalColumn
    sequence: Any = None  # the class _SequenceCategoricalColumn, below

    @staticmethod
    def spec(column: Any) -> dict:
        """What tf.parse_example must be told of a column."""
        return column._parse_example_spec

    @staticmethod
    def buckets(column: Any) -> int:
        """How many ids a column of categories has."""
        return column._num_buckets


class _Kind:
    """A kind in this protocol."""

    _way = Way
    _made: Any
    _spec: Any

    @property
    def _parse_example_spec(self) -> dict:
        return self._spec()

    def _transform_feature(self, inputs: Any) -> Any:
        return self._made(Way(inputs, None, None))


class _DenseKind(_Kind):
    _size: Any
    _dense: Any

    @property
    def _variable_shape(self) -> Any:
        return self._size()

    def _get_dense_tensor(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        return self._dense(Way(inputs, weight_collections, trainable))


class _CategoricalKind(_Kind):
    _buckets: Any
    _ids: Any

    @property
    def _num_buckets(self) -> int:
        return self._buckets()

    def _get_sparse_tensors(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        return self._ids(Way(inputs, weight_collections, trainable))


class _SequenceKind(_DenseKind):
    _sequence: Any

    def _get_sequence_dense_tensor(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        return self._sequence(Way(inputs, weight_collections, trainable))


def fields(name: str, names: str) -> Any:
    """The base of a column with these fields: a tuple that may be a key of a dict."""
    return collections.namedtuple(name, names.split())


# ------------------------------------------------------------------ the columns
class _NumericColumn(
    Numeric, _DenseKind, _DenseColumn,
    fields("_NumericColumn", "key shape default_value dtype normalizer_fn"),
):  # fmt: skip
    """See tf.feature_column.numeric_column."""


class _BucketizedColumn(
    Bucketized, _DenseKind, _CategoricalKind, _DenseColumn, _CategoricalColumn,
    fields("_BucketizedColumn", "source_column boundaries"),
):  # fmt: skip
    """See tf.feature_column.bucketized_column."""


class _HashedCategoricalColumn(
    Hashed, _CategoricalKind, _CategoricalColumn,
    fields("_HashedCategoricalColumn", "key hash_bucket_size dtype"),
):  # fmt: skip
    """See tf.feature_column.categorical_column_with_hash_bucket."""


class _VocabularyFileCategoricalColumn(
    VocabularyFile, _CategoricalKind, _CategoricalColumn,
    fields(
        "_VocabularyFileCategoricalColumn",
        "key vocabulary_file vocabulary_size num_oov_buckets dtype default_value",
    ),
):  # fmt: skip
    """See tf.feature_column.categorical_column_with_vocabulary_file."""


class _VocabularyListCategoricalColumn(
    VocabularyList, _CategoricalKind, _CategoricalColumn,
    fields(
        "_VocabularyListCategoricalColumn",
        "key vocabulary_list dtype default_value num_oov_buckets",
    ),
):  # fmt: skip
    """See tf.feature_column.categorical_column_with_vocabulary_list."""


class _IdentityCategoricalColumn(
    Identity, _CategoricalKind, _CategoricalColumn,
    fields("_IdentityCategoricalColumn", "key num_buckets default_value"),
):  # fmt: skip
    """See tf.feature_column.categorical_column_with_identity."""

    def _buckets(self):
        return self.num_buckets


class _WeightedCategoricalColumn(
    Weighted, _CategoricalKind, _CategoricalColumn,
    fields("_WeightedCategoricalColumn", "categorical_column weight_feature_key dtype"),
):  # fmt: skip
    """See tf.feature_column.weighted_categorical_column."""


class _CrossedColumn(
    Crossed, _CategoricalKind, _CategoricalColumn,
    fields("_CrossedColumn", "keys hash_bucket_size hash_key"),
):  # fmt: skip
    """See tf.feature_column.crossed_column."""


class _SequenceCategoricalColumn(
    Sequence, _CategoricalKind, _CategoricalColumn,
    fields("_SequenceCategoricalColumn", "categorical_column"),
):  # fmt: skip
    """See tf.contrib.feature_column.sequence_categorical_column_with_identity."""


Way.sequence = _SequenceCategoricalColumn


class _IndicatorColumn(
    Indicator, _SequenceKind, _DenseColumn, _SequenceDenseColumn,
    fields("_IndicatorColumn", "categorical_column"),
):  # fmt: skip
    """See tf.feature_column.indicator_column."""


class _EmbeddingColumn(
    Embedded, _SequenceKind, _DenseColumn, _SequenceDenseColumn,
    fields(
        "_EmbeddingColumn",
        "categorical_column dimension combiner layer_creator ckpt_to_load_from "
        "tensor_name_in_ckpt max_norm trainable",
    ),
):  # fmt: skip
    """See tf.feature_column.embedding_column."""

    def _get_dense_tensor_internal(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        return self._looked_up(Way(inputs, weight_collections, trainable))

    def _table(self, way):
        table = self.layer_creator(
            weight_collections=way.collections, scope=get_variable_scope()
        )
        return restored(table, self.ckpt_to_load_from, self.tensor_name_in_ckpt)


class _SharedEmbeddingColumn(
    SharedEmbedded, _SequenceKind, _DenseColumn, _SequenceDenseColumn,
    fields(
        "_SharedEmbeddingColumn",
        "categorical_column dimension combiner initializer "
        "shared_embedding_collection_name ckpt_to_load_from tensor_name_in_ckpt "
        "max_norm trainable",
    ),
):  # fmt: skip
    """See tf.feature_column.shared_embedding_columns."""

    @property
    def _var_scope_name(self) -> str:
        return self.shared_embedding_collection_name

    def _get_dense_tensor_internal(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        return self._looked_up(Way(inputs, weight_collections, trainable))

    def _table(self, way):
        shape = self._way.buckets(self.categorical_column), self.dimension
        trained = self.trainable and way.trainable
        table = shared_table(self, shape, way.collections, trained)
        return restored(table, self.ckpt_to_load_from, self.tensor_name_in_ckpt)
