"""Columns of numbers of tf.contrib.layers."""

import math
from typing import Any

from twinflow.base import dtypes
from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.contrib.layers.column_base import (
    _DeepEmbeddingLookupArguments,
    _embeddings_from_arguments,
    _FeatureColumn,
    _LinearEmbeddingLookupArguments,
    _reshape_real_valued_tensor,
)
from twinflow.contrib.layers.sparse_columns import _CrossedColumn
from twinflow.feature_column.checks import check_combined
from twinflow.feature_column.columns import _CategoricalColumn, _DenseColumn, fields
from twinflow.feature_column.dense_kinds import weights_by_id
from twinflow.feature_column.tensors import ids_of_buckets
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.constant import cast, to_float
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import reshape
from twinflow.ops.math.counting import bucketize
from twinflow.ops.parsing.features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    VarLenFeature,
)
from twinflow.ops.random.initializers import TruncatedNormal, Zeros
from twinflow.ops.sparse.dense import sparse_tensor_to_dense
from twinflow.ops.sparse.tensor import SparseTensor


class _OfIds(_FeatureColumn, _DenseColumn):
    """What is made of a column of categories."""

    sparse_id_column: Any

    @property
    def length(self) -> int:
        """How many ids there are."""
        return self.sparse_id_column.length

    @property
    def config(self) -> dict:
        """What tf.parse_example must be told."""
        return self.sparse_id_column.config

    def _transform_feature(self, inputs: Any) -> Any:
        return inputs.get(self.sparse_id_column)


class _OneHotColumn(_OfIds, fields("_OneHotColumn", "sparse_id_column")):
    """See tf.contrib.layers.one_hot_column."""

    @property
    def name(self) -> str:
        """The name of the other column, and `_one_hot`."""
        return f"{self.sparse_id_column.name}_one_hot"

    @property
    def _variable_shape(self) -> Any:
        return TensorShape((self.length,))

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None,
        trainable: bool = False, output_rank: int = 2,
    ) -> Any:  # fmt: skip
        ids = self.sparse_id_column.id_tensor(input_tensor)
        weights = self.sparse_id_column.weight_tensor(input_tensor)
        if weights is not None:
            return weights_by_id(ids, weights, self.length)
        current_mode().leave_ids(15)
        places = sparse_tensor_to_dense(ids, -1)
        return reduce_sum(one_hot(places, self.length, 1.0, 0.0), [output_rank - 1])

    def _get_dense_tensor(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        return self._to_dnn_input_layer(inputs.get(self), weight_collections)


class _Embeddings(_FeatureColumn, _DenseColumn):
    """What columns of rows of a table have in common."""

    dimension: Any

    @property
    def key(self) -> str:
        """The text by which columns are sorted and told apart."""
        return self._key_without_properties(["initializer"])

    @property
    def _variable_shape(self) -> Any:
        return TensorShape((self.dimension,))

    def _get_dense_tensor(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        args = self._deep_embedding_lookup_arguments(inputs.get(self))
        return _embeddings_from_arguments(self, args, weight_collections, trainable)


class _EmbeddingColumn(
    _Embeddings, _OfIds,
    fields(
        "_EmbeddingColumn",
        "sparse_id_column dimension combiner initializer ckpt_to_load_from "
        "tensor_name_in_ckpt shared_embedding_name shared_vocab_size max_norm "
        "trainable",
    ),
):  # fmt: skip
    """See tf.contrib.layers.embedding_column."""

    def __new__(
        cls, sparse_id_column: Any, dimension: int, combiner: str = "mean",
        initializer: Any = None, ckpt_to_load_from: Any = None,
        tensor_name_in_ckpt: Any = None, shared_embedding_name: Any = None,
        shared_vocab_size: Any = None, max_norm: Any = None, trainable: bool = True,
    ):  # fmt: skip
        if initializer is not None and not callable(initializer):
            raise advised(
                ValueError,
                "initializer must be callable if specified. Embedding of column_name: "
                f"{sparse_id_column.name}",
            )
        check_combined(ckpt_to_load_from, tensor_name_in_ckpt)
        if initializer is None:
            stddev = 1 / math.sqrt(sparse_id_column.length)
            initializer = TruncatedNormal(mean=0.0, stddev=stddev)
        return super().__new__(
            cls, sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from,
            tensor_name_in_ckpt, shared_embedding_name, shared_vocab_size, max_norm,
            trainable,
        )  # fmt: skip

    @property
    def name(self) -> str:
        """The name of the other column, and what it is made into."""
        shared = self.shared_embedding_name is not None
        end = "shared_embedding" if shared else "embedding"
        return f"{self.sparse_id_column.name}_{end}"

    def _checkpoint_path(self) -> Any:
        if self.ckpt_to_load_from is None:
            return None
        return self.ckpt_to_load_from, self.tensor_name_in_ckpt

    def _deep_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        return _DeepEmbeddingLookupArguments(
            self.sparse_id_column.id_tensor(input_tensor),
            self.sparse_id_column.weight_tensor(input_tensor),
            self.length, self.initializer, self.combiner, self.dimension,
            self.shared_embedding_name, None, self.max_norm, self.trainable,
        )  # fmt: skip

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        raise ValueError(
            f"Column {self} is not supported in linear models. Please use "
            "sparse_column."
        )


class _ScatteredEmbeddingColumn(
    _Embeddings,
    fields(
        "_ScatteredEmbeddingColumn",
        "column_name size dimension hash_key combiner initializer",
    ),
):
    """See tf.contrib.layers.scattered_embedding_column."""

    def __new__(
        cls, column_name: str, size: int, dimension: int, hash_key: Any,
        combiner: str = "sqrtn", initializer: Any = None,
    ):  # fmt: skip
        if initializer is not None and not callable(initializer):
            raise advised(
                ValueError,
                "initializer must be callable if specified. column_name: "
                f"{column_name}",
            )
        if initializer is None:
            initializer = TruncatedNormal(mean=0.0, stddev=0.1)
        return super().__new__(
            cls, column_name, size, dimension, hash_key, combiner, initializer
        )

    @property
    def name(self) -> str:
        """The key of the feature, and `_scattered_embedding`."""
        return f"{self.column_name}_scattered_embedding"

    @property
    def config(self) -> dict:
        """What tf.parse_example must be told."""
        return {self.column_name: VarLenFeature(dtypes.string)}

    def _transform_feature(self, inputs: Any) -> Any:
        return inputs.get(self.column_name)

    def _deep_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        return _DeepEmbeddingLookupArguments(
            input_tensor, None, self.size, self.initializer, self.combiner,
            self.dimension, None, self.hash_key, None, True,
        )  # fmt: skip


class _Numbers(_FeatureColumn):
    """What columns of numbers as they are have in common."""

    column_name: Any
    normalizer: Any

    @property
    def name(self) -> str:
        """The key of the feature."""
        return self.column_name

    @property
    def key(self) -> str:
        """The text by which columns are sorted and told apart."""
        return self._key_without_properties(["normalizer"])

    @property
    def normalizer_fn(self) -> Any:
        """The function that numbers go through, or None."""
        return self.normalizer

    def _normalized_input_tensor(self, input_tensor: Any) -> Any:
        if self.normalizer is None:
            return input_tensor
        if isinstance(input_tensor, SparseTensor):
            values = self.normalizer(input_tensor.values)
            return SparseTensor(input_tensor.indices, values, input_tensor.dense_shape)
        return self.normalizer(input_tensor)

    def _transform_feature(self, inputs: Any) -> Any:
        return to_float(self._normalized_input_tensor(inputs.get(self.name)))

    def _to_dense_tensor(self, input_tensor: Any) -> Any:
        return input_tensor

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None, trainable: bool = True,
        output_rank: int = 2,
    ) -> Any:  # fmt: skip
        numbers = self._to_dense_tensor(input_tensor)
        return _reshape_real_valued_tensor(numbers, output_rank, self.name)


class _RealValuedVarLenColumn(
    _Numbers,
    fields(
        "_RealValuedVarLenColumn",
        "column_name default_value dtype normalizer is_sparse",
    ),
):
    """Numbers, as many as there are."""

    @property
    def config(self) -> dict:
        """What tf.parse_example must be told."""
        if self.is_sparse:
            return {self.column_name: VarLenFeature(self.dtype)}
        feature = FixedLenSequenceFeature([], self.dtype, True, self.default_value)
        return {self.column_name: feature}

    def _to_dense_tensor(self, input_tensor: Any) -> Any:
        if not self.is_sparse:
            return input_tensor
        raise ValueError(
            "Set is_sparse to False if you want a dense Tensor for column_name: "
            f"{self.name}"
        )


class _RealValuedColumn(
    _Numbers, _DenseColumn,
    fields("_RealValuedColumn", "column_name dimension default_value dtype normalizer"),
):  # fmt: skip
    """See tf.contrib.layers.real_valued_column."""

    @property
    def config(self) -> dict:
        """What tf.parse_example must be told."""
        default = self.default_value
        default = None if default is None else list(default)
        feature = FixedLenFeature([self.dimension], self.dtype, default)
        return {self.column_name: feature}

    @property
    def _variable_shape(self) -> Any:
        return TensorShape((self.dimension,))

    def _get_dense_tensor(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        return inputs.get(self)


class _BucketizedColumn(
    _FeatureColumn, _CategoricalColumn, _DenseColumn,
    fields("_BucketizedColumn", "source_column boundaries"),
):  # fmt: skip
    """See tf.contrib.layers.bucketized_column."""

    def __new__(cls, source_column: Any, boundaries: Any):
        if not isinstance(source_column, _RealValuedColumn):
            raise TypeError(
                "source_column must be an instance of _RealValuedColumn. "
                f"source_column: {source_column}"
            )
        if source_column.dimension is None:
            raise ValueError(
                "source_column must have a defined dimension. source_column: "
                f"{source_column}"
            )
        if not isinstance(boundaries, list | tuple) or not boundaries:
            raise ValueError(
                "boundaries must be a non-empty list or tuple. boundaries: "
                f"{boundaries}"
            )
        if list(boundaries) != sorted(boundaries):
            raise ValueError(
                f"boundaries must be a sorted list. boundaries: {boundaries}"
            )
        once = tuple(dict.fromkeys(boundaries))
        return super().__new__(cls, source_column, once)

    @property
    def name(self) -> str:
        """The name of the source, and `_bucketized`."""
        return f"{self.source_column.name}_bucketized"

    @property
    def length(self) -> int:
        """How many buckets a number has."""
        return len(self.boundaries) + 1

    @property
    def config(self) -> dict:
        """What tf.parse_example must be told."""
        return self.source_column.config

    @property
    def _num_buckets(self) -> int:
        return self.length * self.source_column.dimension

    @property
    def _variable_shape(self) -> Any:
        return TensorShape((self._num_buckets,))

    def to_sparse_tensor(self, input_tensor: Any) -> Any:
        """The bucket of each number of a row as an id of its own."""
        current_mode().leave_ids(-10)
        return ids_of_buckets(input_tensor, self.source_column.dimension, self.length)

    def _transform_feature(self, inputs: Any) -> Any:
        return bucketize(
            inputs.get(self.source_column), list(self.boundaries), name="bucketize"
        )

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None, trainable: bool = True,
        output_rank: int = 2,
    ) -> Any:  # fmt: skip
        if output_rank != 2:
            raise ValueError("BucketizedColumn currently only supports output_rank=2")
        places = cast(input_tensor, dtypes.int64)
        ones = one_hot(places, self.length, 1.0, 0.0, name="one_hot")
        return reshape(ones, [-1, self._num_buckets], name="reshape")

    def _get_dense_tensor(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        return self._to_dnn_input_layer(inputs.get(self))

    def _get_sparse_tensors(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        return self.IdWeightPair(self.to_sparse_tensor(inputs.get(self)), None)

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        ids = self.to_sparse_tensor(input_tensor)
        return _LinearEmbeddingLookupArguments(
            ids, None, self._num_buckets, Zeros(), "sum"
        )


_CrossedColumn._crossable = (*_CrossedColumn._crossable, _BucketizedColumn)


class DataFrameColumn(_FeatureColumn, fields("DataFrameColumn", "column_name series")):
    """A column whose numbers a Series of a DataFrame builds.

    Args:
        column_name: the name. series: has `build(cache)` and `required_base_features`.
    """

    @property
    def name(self) -> str:
        """The name."""
        return self.column_name

    @property
    def config(self) -> dict:
        """What tf.parse_example must be told."""
        return self.series.required_base_features()

    @property
    def key(self) -> str:
        """The name, by which columns are sorted and told apart."""
        return self.name

    def insert_transformed_feature(self, columns_to_tensors: dict) -> None:
        """Add to a dict what the series builds of the features in it."""
        columns_to_tensors[self] = self.series.build(columns_to_tensors)

    def _transform_feature(self, inputs: Any) -> Any:
        return self.series.build(inputs)

    def _to_dense_tensor(self, input_tensor: Any) -> Any:
        return input_tensor

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None, trainable: bool = True,
        output_rank: int = 2,
    ) -> Any:  # fmt: skip
        numbers = self._to_dense_tensor(input_tensor)
        return _reshape_real_valued_tensor(numbers, output_rank, self.name)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, self.__class__):
            return self.__dict__ == other.__dict__ and tuple(self) == tuple(other)
        return False

    __hash__ = tuple.__hash__
