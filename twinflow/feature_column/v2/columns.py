"""The columns of feature_column_v2, and what they ask each other.

See Note [Two protocols] in categorical_kinds.
"""

import abc
from typing import Any

from twinflow.base import dtypes, logging
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
from twinflow.feature_column.columns import fields
from twinflow.feature_column.dense_kinds import (
    Bucketized,
    Embedded,
    Indicator,
    Numeric,
    Sequence,
    SharedEmbedded,
    TensorSequenceLengthPair,
)
from twinflow.feature_column.tables import restored
from twinflow.feature_column.tensors import raw_tensor
from twinflow.feature_column.v2.state import SharedEmbeddingStateManager


class FeatureColumn(abc.ABC):
    """What is known of a feature: how it is parsed, and what becomes of it."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name, which no other column of a model has."""

    @abc.abstractmethod
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """What becomes of the features in a FeatureTransformationCache."""

    @property
    @abc.abstractmethod
    def parse_example_spec(self) -> dict:
        """What tf.parse_example must be told."""

    def create_state(self, state_manager: Any) -> None:  # noqa: B027
        """Make the variables, in a StateManager."""


class DenseColumn(FeatureColumn):
    """A column of numbers: what FeatureLayer takes."""

    @property
    @abc.abstractmethod
    def variable_shape(self) -> Any:
        """The shape of the numbers of one example."""

    @abc.abstractmethod
    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The numbers of a batch."""


class CategoricalColumn(FeatureColumn):
    """A column of categories, by their ids."""

    IdWeightPair = IdWeightPair

    @property
    @abc.abstractmethod
    def num_buckets(self) -> int:
        """How many ids there are."""

    @abc.abstractmethod
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids of a batch, and their weights: an IdWeightPair."""


class SequenceDenseColumn(FeatureColumn):
    """A column of sequences of numbers."""

    TensorSequenceLengthPair = TensorSequenceLengthPair

    @abc.abstractmethod
    def get_sequence_dense_tensor(
        self, transformation_cache: Any, state_manager: Any
    ) -> Any:
        """The numbers of a batch, and how long each sequence is."""


class FeatureTransformationCache:
    """Features, and what columns make of them, each once.

    Args:
        features: a dict from keys to tensors, SparseTensors, or what becomes one.
    """

    def __init__(self, features: Any) -> None:
        self._features = dict(features) if isinstance(features, dict) else features
        self._feature_tensors: dict = {}

    def get(self, key: Any, state_manager: Any) -> Any:
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
        if not isinstance(key, FeatureColumn):
            raise TypeError(
                f'"key" must be either a "str" or "FeatureColumn". Provided: {key}'
            )
        logging.debug("Transforming feature_column %s.", key)
        made = key.transform_feature(self, state_manager)
        if made is None:
            raise ValueError(f"Column {key.name} is not supported.")
        self._feature_tensors[key] = made
        return made

    def _get_raw_feature_as_tensor(self, key: Any) -> Any:
        return raw_tensor(self._features[key], key)


# ------------------------------------------------------------------ the protocol
class Way:
    """How columns ask each other; see Note [Two protocols] in categorical_kinds."""

    __slots__ = ("cache", "state")

    def __init__(self, cache: Any, state: Any) -> None:
        self.cache, self.state = cache, state

    def get(self, key: Any) -> Any:
        """A feature, or what a column makes of the features."""
        return self.cache.get(key, self.state)

    def made(self, column: Any) -> Any:
        """What a column makes of the features, anew."""
        return column.transform_feature(self.cache, self.state)

    def ids(self, column: Any) -> Any:
        """The ids of a column of categories, and their weights."""
        return column.get_sparse_tensors(self.cache, self.state)

    def any_ids(self, column: Any) -> Any:
        """The ids of a column of categories or of their sequences."""
        if isinstance(column, self.sequence):
            return column.get_sequence_sparse_tensors(self.cache, self.state)
        return self.ids(column)

    categorical: Any = CategoricalColumn
    sequence: Any = None  # the class SequenceCategoricalColumn, below

    @staticmethod
    def spec(column: Any) -> dict:
        """What tf.parse_example must be told of a column."""
        return column.parse_example_spec

    @staticmethod
    def buckets(column: Any) -> int:
        """How many ids a column of categories has."""
        return column.num_buckets


class _Kind:
    """A kind in this protocol."""

    _way = Way
    _made: Any
    _spec: Any

    @property
    def parse_example_spec(self) -> dict:
        """What tf.parse_example must be told."""
        return self._spec()

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """What becomes of the features in a FeatureTransformationCache."""
        return self._made(Way(transformation_cache, state_manager))


class _DenseKind(_Kind):
    _size: Any
    _dense: Any

    @property
    def variable_shape(self) -> Any:
        """The shape of the numbers of one example."""
        return self._size()

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The numbers of a batch."""
        return self._dense(Way(transformation_cache, state_manager))


class _CountedKind(_Kind):
    _buckets: Any

    @property
    def num_buckets(self) -> int:
        """How many ids there are."""
        return self._buckets()


class _CategoricalKind(_CountedKind):
    _ids: Any

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids of a batch, and their weights: an IdWeightPair."""
        return self._ids(Way(transformation_cache, state_manager))


class _SequenceKind(_DenseKind):
    _sequence: Any

    def get_sequence_dense_tensor(
        self, transformation_cache: Any, state_manager: Any
    ) -> Any:
        """The numbers of a batch, and how long each sequence is."""
        return self._sequence(Way(transformation_cache, state_manager))


# ------------------------------------------------------------------ the columns
class NumericColumn(
    Numeric, _DenseKind, DenseColumn,
    fields("NumericColumn", "key shape default_value dtype normalizer_fn"),
):  # fmt: skip
    """See tf.feature_column.numeric_column."""


class BucketizedColumn(
    Bucketized, _DenseKind, _CategoricalKind, DenseColumn, CategoricalColumn,
    fields("BucketizedColumn", "source_column boundaries"),
):  # fmt: skip
    """See tf.feature_column.bucketized_column."""


class HashedCategoricalColumn(
    Hashed, _CategoricalKind, CategoricalColumn,
    fields("HashedCategoricalColumn", "key hash_bucket_size dtype"),
):  # fmt: skip
    """See tf.feature_column.categorical_column_with_hash_bucket."""


class VocabularyFileCategoricalColumn(
    VocabularyFile, _CategoricalKind, CategoricalColumn,
    fields(
        "VocabularyFileCategoricalColumn",
        "key vocabulary_file vocabulary_size num_oov_buckets dtype default_value",
    ),
):  # fmt: skip
    """See tf.feature_column.categorical_column_with_vocabulary_file."""


class VocabularyListCategoricalColumn(
    VocabularyList, _CategoricalKind, CategoricalColumn,
    fields(
        "VocabularyListCategoricalColumn",
        "key vocabulary_list dtype default_value num_oov_buckets",
    ),
):  # fmt: skip
    """See tf.feature_column.categorical_column_with_vocabulary_list."""


class IdentityCategoricalColumn(
    Identity, _CategoricalKind, CategoricalColumn,
    fields("IdentityCategoricalColumn", "key number_buckets default_value"),
):  # fmt: skip
    """See tf.feature_column.categorical_column_with_identity."""

    def _buckets(self):
        return self.number_buckets


class WeightedCategoricalColumn(
    Weighted, _CategoricalKind, CategoricalColumn,
    fields("WeightedCategoricalColumn", "categorical_column weight_feature_key dtype"),
):  # fmt: skip
    """See tf.feature_column.weighted_categorical_column."""


class CrossedColumn(
    Crossed, _CategoricalKind, CategoricalColumn,
    fields("CrossedColumn", "keys hash_bucket_size hash_key"),
):  # fmt: skip
    """See tf.feature_column.crossed_column."""


class SequenceCategoricalColumn(
    Sequence, _CountedKind, FeatureColumn,
    fields("SequenceCategoricalColumn", "categorical_column"),
):  # fmt: skip
    """Categories whose places are steps of sequences."""

    def get_sequence_sparse_tensors(
        self, transformation_cache: Any, state_manager: Any
    ) -> Any:
        """The ids of a batch of sequences, and their weights: an IdWeightPair."""
        return self._ids(Way(transformation_cache, state_manager))


Way.sequence = SequenceCategoricalColumn


class IndicatorColumn(
    Indicator, _SequenceKind, DenseColumn, SequenceDenseColumn,
    fields("IndicatorColumn", "categorical_column"),
):  # fmt: skip
    """See tf.feature_column.indicator_column."""


class EmbeddingColumn(
    Embedded, _SequenceKind, DenseColumn, SequenceDenseColumn,
    fields(
        "EmbeddingColumn",
        "categorical_column dimension combiner initializer ckpt_to_load_from "
        "tensor_name_in_ckpt max_norm trainable",
    ),
):  # fmt: skip
    """See tf.feature_column.embedding_column."""

    def create_state(self, state_manager: Any) -> None:
        """Make the table."""
        shape = Way.buckets(self.categorical_column), self.dimension
        state_manager.create_variable(
            self, name="embedding_weights", shape=shape, dtype=dtypes.float32,
            trainable=self.trainable, initializer=self.initializer,
        )  # fmt: skip

    def _get_dense_tensor_internal(
        self, transformation_cache: Any, state_manager: Any
    ) -> Any:
        return self._looked_up(Way(transformation_cache, state_manager))

    def _table(self, way):
        table = way.state.get_variable(self, name="embedding_weights")
        return restored(table, self.ckpt_to_load_from, self.tensor_name_in_ckpt)


class SharedEmbeddingColumn(
    SharedEmbedded, _SequenceKind, DenseColumn, SequenceDenseColumn,
    fields(
        "SharedEmbeddingColumn",
        "categorical_column dimension combiner initializer "
        "shared_embedding_collection_name ckpt_to_load_from tensor_name_in_ckpt "
        "max_norm trainable",
    ),
):  # fmt: skip
    """See tf.feature_column.shared_embedding_columns."""

    @property
    def shared_collection_name(self) -> str:
        """The name of the table."""
        return self.shared_embedding_collection_name

    def create_state(self, state_manager: Any) -> None:
        """Make the table, if it is not there.

        Raises:
            ValueError: `state_manager` is no SharedEmbeddingStateManager.
        """
        if not isinstance(state_manager, SharedEmbeddingStateManager):
            raise ValueError(
                "Expected state_manager to be of type SharedEmbeddingStateManager. "
                f"Obtained type: {type(state_manager)}"
            )
        shape = Way.buckets(self.categorical_column), self.dimension
        state_manager.create_variable(
            self.shared_embedding_collection_name, shape, dtypes.float32,
            self.trainable, self.initializer,
        )  # fmt: skip

    def _get_dense_tensor_internal(
        self, transformation_cache: Any, state_manager: Any
    ) -> Any:
        return self._looked_up(Way(transformation_cache, state_manager))

    def _table(self, way):
        name = self.shared_embedding_collection_name
        table = way.state.get_variable(self, name)
        return restored(table, self.ckpt_to_load_from, self.tensor_name_in_ckpt)
