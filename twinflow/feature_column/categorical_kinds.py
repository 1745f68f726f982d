"""What columns of categories compute, whichever protocol they are asked in.

Note [Two protocols]: TensorFlow 1.12 has two families of columns, that of
tf.feature_column (`_transform_feature(inputs)`) and that of feature_column_v2
(`transform_feature(transformation_cache, state_manager)`). What a kind of column
computes is written once, here and in dense_kinds, against a Way, which asks other
columns in the protocol of the family: users write columns of their own in it.
"""

from typing import Any, NamedTuple

from twinflow.base import dispatch, dtypes
from twinflow.feature_column.checks import check_string_or_int
from twinflow.feature_column.tensors import to_sparse
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.core.compare import greater_equal, less, logical_or, where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.creation import fill
from twinflow.ops.core.shape import shape as shape_of
from twinflow.ops.debugging.checks import assert_greater_equal, assert_less
from twinflow.ops.parsing.features import VarLenFeature
from twinflow.ops.sparse.cross import sparse_cross_hashed
from twinflow.ops.sparse.tensor import (
    SparseTensor,
    convert_to_tensor_or_sparse_tensor,
    is_sparse,
)
from twinflow.ops.strings.hash import string_to_hash_bucket_fast
from twinflow.ops.strings.number import as_string
from twinflow.ops.tables.ids import index_table_from_file, index_table_from_tensor


class IdWeightPair(NamedTuple):
    """The ids of a batch, a SparseTensor, and one of their weights, or None."""

    id_tensor: Any
    weight_tensor: Any


class Keyed:
    """A column of one feature of words or numbers."""

    key: Any
    dtype: Any

    @property
    def name(self) -> str:
        """The key of the feature."""
        return self.key

    def _spec(self):
        return {self.key: VarLenFeature(self.dtype)}

    def _ids(self, way):
        return IdWeightPair(way.get(self), None)

    def _words(self, way):
        """The feature as a SparseTensor of a dtype like that of the column."""
        t = to_sparse(way.get(self.key))
        if self.dtype.is_integer != t.dtype.is_integer:
            raise ValueError(
                "Column dtype and SparseTensors dtype must be compatible. key: "
                f"{self.key}, column dtype: {self.dtype}, tensor dtype: {t.dtype}"
            )
        check_string_or_int(t.dtype, f"column_name: {self.key} input_tensor")
        return t


class Hashed(Keyed):
    """Ids by the hash of a word."""

    hash_bucket_size: Any

    def _buckets(self):
        return self.hash_bucket_size

    def _made(self, way):
        t = to_sparse(way.get(self.key))
        if not is_sparse(t):
            raise ValueError("SparseColumn input must be a SparseTensor.")
        check_string_or_int(t.dtype, f"column_name: {self.key} input_tensor")
        if self.dtype.is_integer != t.dtype.is_integer:
            raise ValueError(
                "Column dtype and SparseTensors dtype must be compatible. key: "
                f"{self.key}, column dtype: {self.dtype}, tensor dtype: {t.dtype}"
            )
        words = t.values if self.dtype == dtypes.string else as_string(t.values)
        ids = string_to_hash_bucket_fast(words, self.hash_bucket_size, name="lookup")
        return SparseTensor(t.indices, ids, t.dense_shape)


class VocabularyFile(Keyed):
    """Ids by the lines of a file."""

    vocabulary_file: Any
    vocabulary_size: Any
    num_oov_buckets: Any
    default_value: Any

    def _buckets(self):
        return self.vocabulary_size + self.num_oov_buckets

    def _made(self, way):
        t, kind = self._words(way), self.dtype
        if t.dtype.is_integer:
            t, kind = cast(t, dtypes.int64), dtypes.int64
        return index_table_from_file(
            self.vocabulary_file, self.num_oov_buckets, self.vocabulary_size,
            self.default_value, key_dtype=kind, name=f"{self.key}_lookup",
        ).lookup(t)  # fmt: skip


class VocabularyList(Keyed):
    """Ids by places in a list."""

    vocabulary_list: Any
    num_oov_buckets: Any
    default_value: Any

    def _buckets(self):
        return len(self.vocabulary_list) + self.num_oov_buckets

    def _made(self, way):
        t, kind = self._words(way), self.dtype
        if t.dtype.is_integer:
            t, kind = cast(t, dtypes.int64), dtypes.int64
        return index_table_from_tensor(
            tuple(self.vocabulary_list), self.num_oov_buckets, self.default_value,
            dtype=kind, name=f"{self.key}_lookup",
        ).lookup(t)  # fmt: skip


class Identity:
    """Numbers that are ids."""

    key: Any
    default_value: Any

    @property
    def name(self) -> str:
        """The key of the feature."""
        return self.key

    def _spec(self):
        return {self.key: VarLenFeature(dtypes.int64)}

    def _ids(self, way):
        return IdWeightPair(way.get(self), None)

    def _made(self, way):
        t = to_sparse(way.get(self.key))
        if not t.dtype.is_integer:
            raise ValueError(
                f"Invalid input, not integer. key: {self.key} dtype: {t.dtype}"
            )
        values = cast(t.values, dtypes.int64, name="values")
        count = constant(self._buckets(), dtypes.int64, name="num_buckets")
        zero = constant(0, dtypes.int64, name="zero")
        dispatch.current_mode().leave_ids(3)
        if self.default_value is None:
            values = self._checked(values, count, zero)
        else:
            outside = logical_or(
                less(values, zero), greater_equal(values, count), name="out_of_range"
            )
            default = convert_to_tensor(self.default_value, dtypes.int64)
            others = fill(shape_of(values), default, name="default_values")
            values = where(outside, others, values)
        return SparseTensor(t.indices, values, t.dense_shape)

    def _checked(self, values, count, zero):
        below = assert_less(
            values, count, data=(values, count), name="assert_less_than_num_buckets"
        )
        above = assert_greater_equal(
            values, zero, data=(values,), name="assert_greater_or_equal_0"
        )
        with control_dependencies([a for a in (below, above) if a is not None]):
            return identity(values)


class Weighted:
    """Ids of another column, each with a weight."""

    categorical_column: Any
    weight_feature_key: Any
    dtype: Any
    _way: Any

    @property
    def name(self) -> str:
        """The name of the other column, and the key of the weights."""
        return f"{self.categorical_column.name}_weighted_by_{self.weight_feature_key}"

    def _spec(self):
        found = self._way.spec(self.categorical_column)
        if self.weight_feature_key in found:
            raise ValueError(
                f"Parse config {found[self.weight_feature_key]} already exists for "
                f"{self.weight_feature_key}."
            )
        return {**found, self.weight_feature_key: VarLenFeature(self.dtype)}

    def _buckets(self):
        return self._way.buckets(self.categorical_column)

    def _made(self, way):
        t = way.get(self.weight_feature_key)
        if t is None:
            raise ValueError(f"Missing weights {self.weight_feature_key}.")
        t = convert_to_tensor_or_sparse_tensor(t)
        if self.dtype != t.dtype.base_dtype:
            raise ValueError(f"Bad dtype, expected {self.dtype}, but got {t.dtype}.")
        if not is_sparse(t):
            t = to_sparse(t, ignore_value=0.0)
        if not t.dtype.is_floating:
            t = cast(t, dtypes.float32)
        return way.get(self.categorical_column), t

    def _ids(self, way):
        ids, weights = way.get(self)
        return IdWeightPair(ids, weights)


class Crossed:
    """Ids by the hash of several features together."""

    keys: Any
    hash_bucket_size: Any
    hash_key: Any
    _way: Any

    @property
    def name(self) -> str:
        """The sorted names of what is crossed, joined with `_X_`."""
        names = [leaf if isinstance(leaf, str) else leaf.name for leaf in leaves(self)]
        return "_X_".join(sorted(names))

    def _spec(self):
        found: dict = {}
        for key in self.keys:
            if isinstance(key, str):
                found[key] = VarLenFeature(dtypes.string)
            else:
                found.update(self._way.spec(key))
        return found

    def _buckets(self):
        return self.hash_bucket_size

    def _ids(self, way):
        return IdWeightPair(way.get(self), None)

    def _made(self, way):
        features = [self._feature(leaf, way) for leaf in leaves(self)]
        return sparse_cross_hashed(features, self.hash_bucket_size, self.hash_key)

    def _feature(self, leaf, way):
        if isinstance(leaf, str):
            return way.get(leaf)
        if not isinstance(leaf, way.categorical):
            raise ValueError(f"Unsupported column type. Given: {leaf}")
        ids, weights = way.ids(leaf)
        if weights is not None:
            raise ValueError(
                "crossed_column does not support weight_tensor, but the given column "
                f"populates weight_tensor. Given column: {leaf.name}"
            )
        return ids


def leaves(cross: Any) -> list:
    """The features and columns that a crossed column crosses in the end."""
    found: list = []
    for key in cross.keys:
        found += leaves(key) if isinstance(key, Crossed) else [key]
    return found
