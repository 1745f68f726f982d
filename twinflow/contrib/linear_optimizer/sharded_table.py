"""A table cut into several."""

import builtins
from typing import Any

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import group, name_scope
from twinflow.ops.arrays.partition import dynamic_partition, dynamic_stitch
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import range
from twinflow.ops.core.shape import shape
from twinflow.ops.tables.initialized import LookupInterface
from twinflow.ops.tables.mutable import MutableDenseHashTable


class ShardedMutableDenseHashTable(LookupInterface):
    """Several MutableDenseHashTables: a key's first number says in which one it is.

    Args:
        key_dtype, value_dtype, default_value, empty_key, checkpoint: see
            tf.contrib.lookup.MutableDenseHashTable.
        num_shards: how many tables. name: the scope of the ops.
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any,
        num_shards: int = 1, checkpoint: bool = True,
        name: str = "ShardedMutableHashTable",
    ) -> None:  # fmt: skip
        with name_scope(name, "sharded_mutable_hash_table") as scope:
            super().__init__(key_dtype, value_dtype, scope)
            self._table_shards = [
                MutableDenseHashTable(
                    key_dtype, value_dtype, default_value, empty_key,
                    checkpoint=checkpoint, name=f"{name}-{i + 1}-of-{num_shards}",
                )
                for i in builtins.range(num_shards)
            ]  # fmt: skip

    @property
    def table_shards(self) -> list:
        """The tables."""
        return self._table_shards

    @property
    def _num_shards(self) -> int:
        return len(self._table_shards)

    def size(self, name: str | None = None) -> Tensor:
        """int64[]: how many keys there are."""
        with name_scope(name, "sharded_mutable_hash_table_size"):
            return add_n([t.size() for t in self._table_shards])

    def _shard_indices(self, keys: Tensor) -> Tensor:
        first = keys[:, 0] if keys.shape.ndims == 2 else keys
        return cast(first % self._num_shards, dtypes.int32)

    def _check_keys(self, keys: Tensor) -> None:
        if keys.shape.ndims not in (1, 2):
            raise ValueError(f"Expected a vector or matrix for keys, got {keys.shape}.")

    def _parts(self, keys, *others):
        """Keys, their places and other tensors, cut by shards."""
        at, n = self._shard_indices(keys), self._num_shards
        places = range(shape(keys)[0])
        return [dynamic_partition(x, at, n) for x in (keys, places, *others)]

    def lookup(self, keys: TensorValue, name: str | None = None) -> Tensor:
        """The values of keys, the default for those that are not there.

        Raises:
            TypeError: keys of another dtype. ValueError: they are no vector or matrix.
        """
        keys = self._checked(keys)
        if self._num_shards == 1:
            return self._table_shards[0].lookup(keys, name=name)
        parts, places = self._parts(keys)
        found = [t.lookup(k) for t, k in zip(self._table_shards, parts)]
        return dynamic_stitch(places, found)

    def insert(
        self, keys: TensorValue, values: TensorValue, name: str | None = None
    ) -> Any:
        """The op that puts values under keys; see `lookup`."""
        keys = self._checked(keys)
        if self._num_shards == 1:
            return self._table_shards[0].insert(keys, values, name=name)
        parts, _, rows = self._parts(keys, convert_to_tensor(values))
        made = [t.insert(k, v) for t, k, v in zip(self._table_shards, parts, rows)]
        return group(*made, name=name)

    def _checked(self, keys):
        keys = convert_to_tensor(keys)
        if keys.dtype.base_dtype != self._key_dtype:
            raise TypeError(
                f"Signature mismatch. Keys must be dtype {self._key_dtype}, got "
                f"{keys.dtype}."
            )
        self._check_keys(keys)
        return keys

    def export_sharded(self, name: str | None = None) -> tuple[list, list]:
        """The keys and values of each table: two lists."""
        with name_scope(name, "export_sharded"):
            pairs = [t.export() for t in self._table_shards]
            return [k for k, _ in pairs], [v for _, v in pairs]
