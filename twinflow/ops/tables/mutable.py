"""Lookup tables that a program inserts into."""

from operator import attrgetter
from typing import Any

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.saveable import SaveableObject, SaveSpec
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.tables import ops as table_ops
from twinflow.ops.tables.cells import TableCell
from twinflow.ops.tables.initialized import LookupInterface, made_handle
from twinflow.ops.variables.collections import GraphKeys


class SavedTable(SaveableObject):
    """The keys and values of a table in a checkpoint.

    Args:
        handle: of the table. exported: its keys and values. name: what their keys in
            the checkpoint begin with.
    """

    def __init__(self, handle: Tensor, exported: tuple, name: str | None) -> None:
        pairs = zip(exported, ("keys", "values"), strict=True)
        specs = [SaveSpec(t, "", f"{name}-{what}") for t, what in pairs]
        super().__init__(handle, specs, name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """The op that puts keys and values back in place of those that are there."""
        return apply(table_ops.LookupTableImport, (self.op, *restored_tensors))


class _Mutable(LookupInterface):
    """A table that can be inserted into.

    Args:
        default_value: what stands for missing keys, a tensor. attrs: those of the op.
    """

    def __init__(
        self, op: Any, inputs: TensorValue, kinds: Any, default_value: Any, attrs: Any,
        shared_name: Any, name: Any,
    ) -> None:  # fmt: skip
        self._default_value = default_value
        self._key_shape = inputs[0]._shape if inputs else ()
        value_shape = default_value._shape
        cell = TableCell(name, *kinds, value_shape)
        self._table_ref = made_handle(op, inputs, cell, attrs, name, shared_name)
        handle = self._table_ref
        found = handle.op.name.rpartition("/")[2] if handle.symbolic else name
        super().__init__(*kinds, found)

    table_ref = property(attrgetter("_table_ref"), doc="The handle of the table.")
    default_value = property(
        attrgetter("_default_value"), doc="What stands for missing keys."
    )

    def _call(self, op, inputs, name, default, attrs=None):
        with self._scoped(name, default) as scope:
            return apply(op, (self._table_ref, *inputs()), attrs, scope or None)

    def size(self, name: str | None = None) -> Any:
        """How many keys there are: int64 scalar."""
        return self._call(table_ops.LookupTableSize, tuple, name, "Size")

    def lookup(self, keys: Any, name: str | None = None) -> Tensor:
        """The values of keys, the default value where there is none.

        Args:
            keys: a tensor of `key_dtype`. name: for a graph.
        """

        def inputs():
            return self._keys(keys), self._default_value

        found = self._call(table_ops.LookupTableFind, inputs, name, "lookup_table_find")
        keys, n = found.op.inputs[1] if found.symbolic else None, len(self._key_shape)
        if keys is not None and keys._shape is not None:
            batch = keys._shape[: len(keys._shape) - n]
            found.set_shape((*batch, *self._default_value._shape))
        return found

    def insert(self, keys: Any, values: TensorValue, name: str | None = None) -> Any:
        """Put values in under keys, in place of those that were there.

        Args:
            keys: a tensor of `key_dtype`. values: one value for each.
            name: for a graph.
        Returns:
            The op in a graph.
        """

        def inputs():
            found = self._keys(keys)
            return found, convert_to_tensor(values, self._value_dtype, name="values")

        default = "lookup_table_insert"
        done = self._call(table_ops.LookupTableInsert, inputs, name, default)
        return None if dispatch.current_mode().eager else done

    def export(self, name: str | None = None) -> tuple[Any, ...]:
        """All keys and values: two tensors, in no particular order."""
        attrs = {"Tkeys": self._key_dtype, "Tvalues": self._value_dtype}
        default = "lookup_table_export_values"
        op = table_ops.LookupTableExport
        keys, values = self._call(op, tuple, name, default, attrs)
        if keys.symbolic:
            keys.set_shape((None, *self._key_shape))
            values.set_shape((None, *self._default_value._shape))
        return keys, values

    def _save_with_others(self, name):
        """Let savers of the graph save the table."""
        if not dispatch.current_mode().eager:
            saved = SavedTable(self._table_ref, self.export(), name)
            graph = dispatch.current_mode()
            graph.add_to_collection(GraphKeys.SAVEABLE_OBJECTS, saved)

    def _keys(self, keys):
        return convert_to_tensor(keys, self._key_dtype, name="keys")


class MutableHashTable(_Mutable):
    """A table from single keys to values of any fixed shape.

    Args:
        key_dtype, value_dtype: the DTypes.
        default_value: what stands for missing keys; its shape is that of a value.
        shared_name: tables of one graph with this name are one table.
        name: the name of the handle. checkpoint: let savers save it.
    Example:
        table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
        table.insert(["a"], [1])
        table.lookup(["a", "b"])  # [1, -1]
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any,
        shared_name: Any = None, name: str | None = "MutableHashTable",
        checkpoint: bool = True,
    ) -> None:  # fmt: skip
        default = convert_to_tensor(default_value, value_dtype)
        attrs = {"key_dtype": key_dtype, "value_dtype": value_dtype}
        op = table_ops.MutableHashTable
        if default._shape:
            op, attrs["value_shape"] = (
                table_ops.MutableHashTableOfTensors, default._shape
            )  # fmt: skip
        attrs["use_node_name_sharing"] = bool(checkpoint and shared_name is None)
        kinds = (key_dtype, value_dtype)
        super().__init__(op, (), kinds, default, attrs, shared_name, name)
        if checkpoint:
            self._save_with_others(name)


class MutableDenseHashTable(_Mutable):
    """As MutableHashTable, for keys of any fixed shape.

    Args:
        key_dtype, value_dtype, default_value: see MutableHashTable.
        empty_key: a key that is never used; its shape is that of a key.
        initial_num_buckets: the size at first, a power of 2; the table grows as it
            needs, and `export` gives its free places too, with the empty key.
        shared_name, name, checkpoint: see MutableHashTable.
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any,
        initial_num_buckets: Any = None, shared_name: Any = None,
        name: str | None = "MutableDenseHashTable", checkpoint: Any = True,
    ) -> None:  # fmt: skip
        default = convert_to_tensor(default_value, value_dtype, name="default_value")
        empty_key = convert_to_tensor(empty_key, key_dtype, name="empty_key")
        if initial_num_buckets is None:
            initial_num_buckets = 131072
        attrs = {
            "value_dtype": value_dtype, "value_shape": default._shape,
            "initial_num_buckets": initial_num_buckets,
            "use_node_name_sharing": bool(checkpoint and shared_name is None),
        }  # fmt: skip
        kinds, op = (key_dtype, value_dtype), table_ops.MutableDenseHashTable
        super().__init__(op, (empty_key,), kinds, default, attrs, shared_name, name)
        if checkpoint:
            self._save_with_others(name)
