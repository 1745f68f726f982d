"""Columns of categories of tf.contrib.layers."""

from typing import Any

from twinflow.base import dtypes, logging
from twinflow.contrib.layers.column_base import (
    _FeatureColumn,
    _LinearEmbeddingLookupArguments,
    _reshape_real_valued_tensor,
)
from twinflow.contrib.layers.sparse_ops import dense_to_sparse_tensor
from twinflow.feature_column.checks import check_combined
from twinflow.feature_column.columns import _CategoricalColumn, fields
from twinflow.ops.core.constant import cast
from twinflow.ops.core.division import mod
from twinflow.ops.parsing.features import VarLenFeature
from twinflow.ops.random.initializers import Zeros
from twinflow.ops.sparse.cross import sparse_feature_cross
from twinflow.ops.sparse.parts import sparse_concat
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.strings.hash import (
    string_to_hash_bucket_fast,
    string_to_hash_bucket_strong,
)
from twinflow.ops.strings.number import as_string
from twinflow.ops.tables.ids import index_table_from_file, index_table_from_tensor


class _SparseIdLookupConfig(
    fields(
        "_SparseIdLookupConfig",
        "vocabulary_file keys num_oov_buckets vocab_size default_value",
    )
):
    """Where the ids of words are looked up."""

    def __new__(
        cls, vocabulary_file: Any = None, keys: Any = None, num_oov_buckets: int = 0,
        vocab_size: Any = None, default_value: Any = -1,
    ):  # fmt: skip
        return super().__new__(
            cls, vocabulary_file, keys, num_oov_buckets, vocab_size, default_value
        )


class _Categories(_FeatureColumn, _CategoricalColumn):
    """What columns of categories have in common."""

    length: Any
    combiner: Any
    _what: str

    def id_tensor(self, input_tensor: Any) -> Any:
        """The ids in what the column makes of the features."""
        return input_tensor

    def weight_tensor(self, input_tensor: Any) -> Any:
        """The weights in what the column makes of the features, or None."""
        return None

    @property
    def _num_buckets(self) -> int:
        return self.length

    def _get_sparse_tensors(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        t = inputs.get(self)
        return self.IdWeightPair(self.id_tensor(t), self.weight_tensor(t))

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        return _LinearEmbeddingLookupArguments(
            self.id_tensor(input_tensor), self.weight_tensor(input_tensor), self.length,
            Zeros(), self.combiner,
        )  # fmt: skip

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None, trainable: bool = True,
        output_rank: int = 2,
    ) -> Any:  # fmt: skip
        raise ValueError(f"{self._what} column: {self}")


def _check_ids(name, is_integerized, bucket_size, lookup_config, dtype):
    if is_integerized and bucket_size is None:
        raise ValueError(
            f"bucket_size must be set if is_integerized is True. column_name: {name}"
        )
    if is_integerized and not dtype.is_integer:
        raise ValueError(
            "dtype must be an integer if is_integerized is True. "
            f"dtype: {dtype}, column_name: {name}."
        )
    if dtype != dtypes.string and not dtype.is_integer:
        raise ValueError(
            f"dtype must be string or integer. dtype: {dtype}, column_name: {name}"
        )
    if bucket_size is None and lookup_config is None:
        raise ValueError(
            f"one of bucket_size or lookup_config must be set. column_name: {name}"
        )
    if bucket_size is not None and lookup_config:
        raise ValueError(
            "one and only one of bucket_size or lookup_config must be set. "
            f"column_name: {name}"
        )
    if bucket_size is not None and bucket_size < 1:
        raise ValueError(
            f"bucket_size must be at least 1. bucket_size: {bucket_size}, "
            f"column_name: {name}"
        )
    _check_config(name, lookup_config)


def _check_config(name, lookup_config):
    if lookup_config is None:
        return
    if not isinstance(lookup_config, _SparseIdLookupConfig):
        raise TypeError(
            "lookup_config must be an instance of _SparseIdLookupConfig. Given one is "
            f"in type {type(lookup_config)} for column_name {name}"
        )
    if lookup_config.vocabulary_file and lookup_config.vocab_size is None:
        raise ValueError(f"vocab_size must be defined. column_name: {name}")


class _SparseColumn(
    _Categories,
    fields(
        "_SparseColumn",
        "column_name is_integerized bucket_size lookup_config combiner dtype",
    ),
):
    """Categories of one feature of words or ints."""

    _what = (
        "SparseColumn is not supported in DNN. Please use embedding_column or "
        "one_hot_column."
    )

    def __new__(
        cls, column_name: str, is_integerized: bool = False, bucket_size: Any = None,
        lookup_config: Any = None, combiner: str = "sum", dtype: Any = dtypes.string,
    ):  # fmt: skip
        _check_ids(column_name, is_integerized, bucket_size, lookup_config, dtype)
        return super().__new__(
            cls,
            column_name,
            is_integerized,
            bucket_size,
            lookup_config,
            combiner,
            dtype,
        )

    @property
    def name(self) -> str:
        """The key of the feature."""
        return self.column_name

    @property
    def length(self) -> int:
        """How many ids there are."""
        if self.lookup_config is None:
            return self.bucket_size
        return self.lookup_config.vocab_size + self.lookup_config.num_oov_buckets

    @property
    def config(self) -> dict:
        """What tf.parse_example must be told."""
        return {self.column_name: VarLenFeature(self.dtype)}

    def _get_input_sparse_tensor(self, input_tensor: Any) -> Any:
        """The feature as a SparseTensor without "" and -1."""
        if isinstance(input_tensor, SparseTensor):
            return input_tensor
        ignored = "" if input_tensor.dtype == dtypes.string else -1
        t = _reshape_real_valued_tensor(input_tensor, 2, self.name)
        return dense_to_sparse_tensor(t, ignored)

    def is_compatible(self, other_column: Any) -> bool:
        """Whether ids of both columns may mean the same words."""
        if self.lookup_config and other_column.lookup_config:
            return self.lookup_config == other_column.lookup_config
        ints = self.dtype.is_integer and other_column.dtype.is_integer
        alike = self.length == other_column.length and (
            self.dtype == other_column.dtype or ints
        )
        if alike:
            logging.warning(
                "Column %s and %s may not have the same vocabulary.",
                self.name, other_column.name,
            )  # fmt: skip
        return alike

    def _do_transform(self, input_tensor: Any) -> Any:
        """The ids of a SparseTensor of words or ints."""
        raise NotImplementedError(f"Transform is not implemented for {self}.")

    def _transform_feature(self, inputs: Any) -> Any:
        return self._do_transform(self._get_input_sparse_tensor(inputs.get(self.name)))


def _with(sp, values):
    return SparseTensor(sp.indices, values, sp.dense_shape)


class _SparseColumnIntegerized(_SparseColumn):
    """See tf.contrib.layers.sparse_column_with_integerized_feature."""

    def _do_transform(self, input_tensor: Any) -> Any:
        ids = mod(input_tensor.values, self.bucket_size, name="mod")
        return _with(input_tensor, ids)


class _SparseColumnHashed(_SparseColumn):
    """See tf.contrib.layers.sparse_column_with_hash_bucket."""

    hash_keys: Any

    def __new__(
        cls, column_name: str, is_integerized: bool = False, bucket_size: Any = None,
        lookup_config: Any = None, combiner: str = "sum", dtype: Any = dtypes.string,
        hash_keys: Any = None,
    ):  # fmt: skip
        if hash_keys is not None:
            if not isinstance(hash_keys, list) or not hash_keys:
                raise ValueError("hash_keys must be a non-empty list.")
            for pair in hash_keys:
                if not _is_pair(pair):
                    raise ValueError(
                        "Each element of hash_keys must be a pair of integers."
                    )
        made = super().__new__(
            cls,
            column_name,
            is_integerized,
            bucket_size,
            lookup_config,
            combiner,
            dtype,
        )
        made.hash_keys = hash_keys
        return made

    def _do_transform(self, input_tensor: Any) -> Any:
        words = input_tensor.values
        if self.dtype.is_integer:
            words = as_string(words)
        if not self.hash_keys:
            ids = string_to_hash_bucket_fast(words, self.bucket_size, name="lookup")
            return _with(input_tensor, ids)
        found = [
            _with(
                input_tensor,
                string_to_hash_bucket_strong(
                    words, self.bucket_size, key, name="lookup"
                ),
            )
            for key in self.hash_keys
        ]
        return sparse_concat(1, found)


def _is_pair(pair):
    return (
        isinstance(pair, list | tuple)
        and len(pair) == 2
        and all(isinstance(k, int) for k in pair)
    )


class _SparseColumnKeys(_SparseColumn):
    """See tf.contrib.layers.sparse_column_with_keys."""

    def _do_transform(self, input_tensor: Any) -> Any:
        table = index_table_from_tensor(
            tuple(self.lookup_config.keys),
            default_value=self.lookup_config.default_value, dtype=self.dtype,
            name="lookup",
        )  # fmt: skip
        return table.lookup(input_tensor)


class _SparseColumnVocabulary(_SparseColumn):
    """See tf.contrib.layers.sparse_column_with_vocabulary_file."""

    def _do_transform(self, st: Any) -> Any:
        words = as_string(st.values) if self.dtype.is_integer else st.values
        config = self.lookup_config
        table = index_table_from_file(
            config.vocabulary_file, config.num_oov_buckets, config.vocab_size,
            config.default_value, name=f"{self.name}_lookup",
        )  # fmt: skip
        return table.lookup(_with(st, words))


class _WeightedSparseColumn(
    _Categories,
    fields("_WeightedSparseColumn", "sparse_id_column weight_column_name dtype"),
):
    """See tf.contrib.layers.weighted_sparse_column."""

    _what = (
        "WeightedSparseColumn is not supported in DNN. Please use embedding_column or "
        "one_hot_column."
    )

    @property
    def name(self) -> str:
        """The name of the other column, and the key of the weights."""
        return f"{self.sparse_id_column.name}_weighted_by_{self.weight_column_name}"

    @property
    def config(self) -> dict:
        """What tf.parse_example must be told."""
        weights = {self.weight_column_name: VarLenFeature(self.dtype)}
        return {**self.sparse_id_column.config, **weights}

    @property
    def lookup_config(self) -> Any:
        """That of the other column."""
        return self.sparse_id_column.lookup_config

    @property
    def length(self) -> int:
        """How many ids there are."""
        return self.sparse_id_column.length

    @property
    def combiner(self) -> str:
        """That of the other column."""
        return self.sparse_id_column.combiner

    def id_tensor(self, input_tensor: Any) -> Any:
        """The ids in what the column makes of the features."""
        return input_tensor[0]

    def weight_tensor(self, input_tensor: Any) -> Any:
        """The weights in what the column makes of the features."""
        return input_tensor[1]

    def is_compatible(self, other_column: Any) -> bool:
        """Whether ids of both columns may mean the same words."""
        if isinstance(other_column, _WeightedSparseColumn):
            other_column = other_column.sparse_id_column
        return self.sparse_id_column.is_compatible(other_column)

    def _do_transform(self, id_tensor: Any, weight_tensor: Any) -> Any:
        if not isinstance(weight_tensor, SparseTensor):
            weight_tensor = dense_to_sparse_tensor(weight_tensor)
        if not self.dtype.is_floating:
            weight_tensor = cast(weight_tensor, dtypes.float32)
        return id_tensor, weight_tensor

    def _transform_feature(self, inputs: Any) -> Any:
        weights = inputs.get(self.weight_column_name)
        return self._do_transform(inputs.get(self.sparse_id_column), weights)


class _CrossedColumn(
    _Categories,
    fields(
        "_CrossedColumn",
        "columns hash_bucket_size hash_key combiner ckpt_to_load_from "
        "tensor_name_in_ckpt",
    ),
):
    """See tf.contrib.layers.crossed_column."""

    _what = "CrossedColumn is not supported in DNN. Please use embedding_column."
    _crossable: tuple = (_SparseColumn,)

    @classmethod
    def _assert_is_crossable(cls, column: Any) -> None:
        if not isinstance(column, (*cls._crossable, _CrossedColumn)):
            raise TypeError(
                "columns must be a set of _SparseColumn, _CrossedColumn, or "
                f"_BucketizedColumn instances. (column {column} is a "
                f"{type(column).__name__})"
            )

    def __new__(
        cls, columns: Any, hash_bucket_size: int, hash_key: Any, combiner: str = "sum",
        ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None,
    ):  # fmt: skip
        for column in columns:
            cls._assert_is_crossable(column)
        if len(columns) < 2:
            raise ValueError(
                f"columns must contain at least 2 elements. columns: {columns}"
            )
        if hash_bucket_size < 2:
            raise ValueError(
                "hash_bucket_size must be at least 2. hash_bucket_size: "
                f"{hash_bucket_size}"
            )
        check_combined(ckpt_to_load_from, tensor_name_in_ckpt)
        ordered = tuple(sorted(columns, key=lambda column: column.name))
        return super().__new__(
            cls, ordered, hash_bucket_size, hash_key, combiner, ckpt_to_load_from,
            tensor_name_in_ckpt,
        )  # fmt: skip

    @property
    def name(self) -> str:
        """The sorted names of what is crossed, joined with `_X_`."""
        return "_X_".join(sorted(leaf.name for leaf in _leaves(self)))

    @property
    def config(self) -> dict:
        """What tf.parse_example must be told."""
        found: dict = {}
        for column in self.columns:
            found.update(column.config)
        return found

    @property
    def length(self) -> int:
        """How many ids there are."""
        return self.hash_bucket_size

    def _checkpoint_path(self) -> Any:
        if self.ckpt_to_load_from is None:
            return None
        return self.ckpt_to_load_from, self.tensor_name_in_ckpt

    def _transform_feature(self, inputs: Any) -> Any:
        features = []
        for leaf in _leaves(self):
            if isinstance(
                leaf, _SparseColumn
            ):  # their words are crossed, not their ids
                features.append(inputs.get(leaf.name))
            else:
                features.append(leaf.to_sparse_tensor(inputs.get(leaf)))
        return sparse_feature_cross(
            features, True, self.hash_bucket_size, "cross", self.hash_key
        )


def _leaves(cross):
    found: list = []
    for column in cross.columns:
        found += _leaves(column) if isinstance(column, _CrossedColumn) else [column]
    return found
