"""Lookup tables that are filled once, by an initializer."""

from operator import attrgetter
from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Composite, Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.no_op import no_op
from twinflow.ops.tables import ops as table_ops
from twinflow.ops.tables.cells import TableCell
from twinflow.ops.tables.files import LINE_NUMBER, WHOLE_LINE
from twinflow.ops.variables.collections import GraphKeys, get_collection


def tables_initializer(name: str | None = "init_all_tables") -> Any:
    """An op that fills all lookup tables; None in eager mode, where they are filled."""
    mode = dispatch.current_mode()
    if mode.eager:
        return None
    with mode.control_dependencies(get_collection(GraphKeys.TABLE_INITIALIZERS)):
        return no_op(name=name)


initialize_all_tables = tables_initializer


def join_collection(key, value):
    """Append to a collection of the current graph."""
    owner = dispatch.current_mode().variable_owner()
    if not owner.eager:
        owner.add_to_collection(key, value)


def made_handle(op, inputs, cell, attrs, scope, shared_name=None):
    """The handle of a new table, or of the one that has this shared name."""
    mode = dispatch.current_mode()
    if shared_name:
        shared = mode.variable_owner().state.setdefault("tables", {})
        cell = shared.setdefault(("table", shared_name), cell)
    attrs = {"cell": cell, "shared_name": shared_name or "", **attrs}
    return apply(op, inputs, attrs, scope or None)


class LookupInterface:
    """What every lookup table has.

    Attributes:
        key_dtype, value_dtype: the DTypes. name: the name of the table.
    """

    def __init__(self, key_dtype: Any, value_dtype: Any, name: str) -> None:
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)
        self._name = name

    key_dtype = property(attrgetter("_key_dtype"), doc="The DType of the keys.")
    value_dtype = property(attrgetter("_value_dtype"), doc="The DType of the values.")
    name = property(attrgetter("_name"), doc="The name of the table.")

    def _scoped(self, name, default):
        """The name scope of a call; gives the name of its last node."""
        return dispatch.current_mode().name_scope(name or f"{self._name}_{default}")


def checked_keys(table, keys):
    """The tensor of keys in a tensor or SparseTensor, of the table's dtype."""
    if keys.dtype.base_dtype != table.key_dtype:
        raise TypeError(
            f"Signature mismatch. Keys must be dtype {table.key_dtype}, got "
            f"{keys.dtype}."
        )
    return keys.values if isinstance(keys, Composite) else keys


def like_keys(keys, values):
    """`values` in the places of the keys, sparse as these are."""
    if not isinstance(keys, Composite):
        return values
    indices, _, dense_shape = keys._components()
    return keys._with((indices, values, dense_shape))


class InitializableLookupTableBase(LookupInterface):
    """A table that an initializer fills.

    Args:
        table_ref: the handle. default_value: what stands for missing keys.
        initializer: a TableInitializerBase.
    """

    def __init__(self, table_ref: Any, default_value: Any, initializer: Any) -> None:
        symbolic = table_ref.symbolic
        name = table_ref.op.name.rpartition("/")[2] if symbolic else "hash_table"
        super().__init__(initializer.key_dtype, initializer.value_dtype, name)
        self._table_ref = table_ref
        self._default_value = convert_to_tensor(default_value, self._value_dtype)
        self._default_value.shape.merge_with(())
        self._init = initializer.initialize(self)

    table_ref = property(attrgetter("_table_ref"), doc="The handle of the table.")
    default_value = property(
        attrgetter("_default_value"), doc="What stands for missing keys."
    )
    init = property(
        attrgetter("_init"), doc="The op that fills the table; None in eager mode."
    )

    def size(self, name: str | None = None) -> Tensor:
        """How many keys there are: int64 scalar."""
        with self._scoped(name, "Size") as scope:
            return apply(
                table_ops.LookupTableSize, (self._table_ref,), None, scope or None
            )

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys, the default value where there is none.

        Args:
            keys: a tensor or SparseTensor of `key_dtype`. name: for a graph.
        Returns:
            A tensor of the shape of `keys`, sparse where `keys` is.
        Raises:
            TypeError: the keys have another dtype.
            FailedPreconditionError: the table is not filled yet.
        """
        found = checked_keys(self, keys)
        with self._scoped(name, "Lookup") as scope:
            values = apply(
                table_ops.LookupTableFind,
                (self._table_ref, found, self._default_value), None, scope or None,
            )  # fmt: skip
        if values.symbolic:
            values.set_shape(found.shape)
        return like_keys(keys, values)


class HashTable(InitializableLookupTableBase):
    """A table whose keys and values do not change once it is filled.

    In a graph run `table.init` or tf.tables_initializer() first.

    Args:
        initializer: says what it is filled with, for example a
            KeyValueTensorInitializer.
        default_value: what stands for missing keys.
        shared_name: tables of one graph with this name are one table.
        name: the name scope.
    Example:
        init = tf.contrib.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
        table = tf.contrib.lookup.HashTable(init, -1)
        table.lookup(tf.constant(["b", "c"]))  # [2, -1]
    """

    def __init__(
        self, initializer: Any, default_value: Any, shared_name: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        kinds = initializer.key_dtype, initializer.value_dtype
        with dispatch.current_mode().name_scope(name or "hash_table") as scope:
            cell = TableCell(name or "hash_table", *kinds, fixed=True)
            attrs = {"key_dtype": kinds[0], "value_dtype": kinds[1]}
            handle = made_handle(
                table_ops.HashTable, (), cell, attrs, scope, shared_name
            )
            super().__init__(handle, default_value, initializer)

    def export(self, name: str | None = None) -> tuple[Any, ...]:
        """All keys and values: two tensors."""
        with self._scoped(name, "Export") as scope:
            attrs = {"Tkeys": self._key_dtype, "Tvalues": self._value_dtype}
            op = table_ops.LookupTableExport
            return tuple(apply(op, (self._table_ref,), attrs, scope or None))


# ---------------------------------------------------------------------- initializers
class TableInitializerBase:
    """What fills a table: `initialize(table)` gives the op that does it."""

    def __init__(self, key_dtype: Any, value_dtype: Any) -> None:
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)

    key_dtype = property(attrgetter("_key_dtype"), doc="The DType of the keys.")
    value_dtype = property(attrgetter("_value_dtype"), doc="The DType of the values.")

    def initialize(self, table: Any) -> Any:
        """The op that fills `table`."""
        raise TypeError(f"{type(self).__name__} does not say how to fill a table.")

    def _check(self, table):
        for kind, mine in (("key", self.key_dtype), ("value", self.value_dtype)):
            wanted = getattr(table, f"{kind}_dtype")
            if mine.base_dtype != wanted:
                raise TypeError(
                    f"Invalid {kind} dtype, expected {wanted} but got {mine}."
                )

    def _done(self, op):
        """Collect the op that fills; there is none in eager mode."""
        if dispatch.current_mode().eager:
            return None
        join_collection(GraphKeys.TABLE_INITIALIZERS, op)
        return op


class KeyValueTensorInitializer(TableInitializerBase):
    """Fills a table with the keys and values of two tensors.

    Args:
        keys, values: vectors of one length. key_dtype, value_dtype: their DTypes.
        name: the name scope.
    """

    def __init__(
        self, keys: Any, values: TensorValue, key_dtype: Any = None,
        value_dtype: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        with dispatch.current_mode().name_scope(name or "key_value_init") as scope:
            self._keys = convert_to_tensor(keys, key_dtype, name="keys")
            self._values = convert_to_tensor(values, value_dtype, name="values")
            self._name = scope
        super().__init__(self._keys.dtype, self._values.dtype)

    def initialize(self, table: Any) -> Any:
        """The op that fills `table`."""
        self._check(table)
        inputs = (table.table_ref, self._keys, self._values)
        return self._done(apply(table_ops.LookupTableImport, inputs, None, self._name))


class TextFileIndex:
    """What of a line of a text file is meant, beside the number of a field."""

    WHOLE_LINE = WHOLE_LINE
    LINE_NUMBER = LINE_NUMBER


class TextFileInitializer(TableInitializerBase):
    """Fills a table from a text file, a pair per line.

    Args:
        filename: string scalar. key_dtype, value_dtype: the DTypes.
        key_index, value_index: the numbers of fields, or of TextFileIndex.
        vocab_size: how many lines to read, where it is known.
        delimiter: the byte between two fields. name: the name scope.
    Raises:
        ValueError: an index or dtype that does not fit.
    """

    def __init__(
        self, filename: Any, key_dtype: Any, key_index: Any, value_dtype: Any,
        value_index: Any, vocab_size: Any = None, delimiter: TensorValue = "\t",
        name: str | None = None,
    ) -> None:  # fmt: skip
        if not isinstance(filename, Tensor) and not filename:
            raise ValueError(f"Filename required for {name}.")
        super().__init__(key_dtype, value_dtype)
        _check_index("key", "Keys", key_index, self.key_dtype, whole_ints=True)
        _check_index("value", "Values", value_index, self.value_dtype)
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"Invalid vocab_size {vocab_size}.")
        self._filename, self._name = filename, name
        self._attrs = {
            "key_index": key_index, "value_index": value_index,
            "vocab_size": -1 if vocab_size is None else vocab_size,
            "delimiter": delimiter,
        }  # fmt: skip

    def initialize(self, table: Any) -> Any:
        """The op that fills `table`."""
        self._check(table)
        mode = dispatch.current_mode()
        with mode.name_scope(self._name or "text_file_init") as scope:
            filename = convert_to_tensor(
                self._filename, dtypes.string, name="asset_filepath"
            )
            inputs, op = (table.table_ref, filename), table_ops
            op = apply(
                op.InitializeTableFromTextFile, inputs, self._attrs, scope or None
            )
        if filename.symbolic and filename.op.type == "Const":
            join_collection(GraphKeys.ASSET_FILEPATHS, filename)
        return self._done(op)


def _check_index(word, words, index, dtype, whole_ints=False):
    if index < -2:
        raise ValueError(f"Invalid {word} index {index}.")
    if index == LINE_NUMBER and dtype != dtypes.int64:
        raise ValueError(
            f"Signature mismatch. {words} must be dtype {dtypes.int64}, got {dtype}."
        )
    if index == WHOLE_LINE and dtype != dtypes.string:
        if not whole_ints:
            raise ValueError(
                f"Signature mismatch. {words} must be dtype {dtypes.string}, got "
                f"{dtype}."
            )
        if not dtype.is_integer:
            raise ValueError(
                f"Signature mismatch. {words} must be integer or string, got {dtype}."
            )


class TextFileStringTableInitializer(TextFileInitializer):
    """Fills a table from int64 to string, by default from line numbers to lines."""

    def __init__(
        self, filename: Any, key_column_index: Any = LINE_NUMBER,
        value_column_index: Any = WHOLE_LINE, vocab_size: Any = None,
        delimiter: TensorValue = "\t", name: str | None = "text_file_string_table_init",
    ) -> None:  # fmt: skip
        super().__init__(
            filename, dtypes.int64, key_column_index, dtypes.string, value_column_index,
            vocab_size, delimiter, name,
        )  # fmt: skip


class TextFileIdTableInitializer(TextFileInitializer):
    """Fills a table from string (or an int dtype) to int64, by default from lines."""

    def __init__(
        self, filename: Any, key_column_index: Any = WHOLE_LINE,
        value_column_index: Any = LINE_NUMBER, vocab_size: Any = None,
        delimiter: TensorValue = "\t", name: str | None = "text_file_id_table_init",
        key_dtype: Any = dtypes.string,
    ) -> None:  # fmt: skip
        super().__init__(
            filename, key_dtype, key_column_index, dtypes.int64, value_column_index,
            vocab_size, delimiter, name,
        )  # fmt: skip
