"""tf.contrib.lookup: tables from keys to values."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.tables.initialized: HashTable InitializableLookupTableBase
twinflow.ops.tables.initialized: KeyValueTensorInitializer
twinflow.ops.tables.initialized: LookupInterface TableInitializerBase
twinflow.ops.tables.initialized: TextFileIdTableInitializer
twinflow.ops.tables.initialized: TextFileIndex TextFileInitializer
twinflow.ops.tables.initialized: TextFileStringTableInitializer
twinflow.ops.tables.mutable: MutableDenseHashTable MutableHashTable
twinflow.ops.tables.ids: FastHashSpec HasherSpec IdTableWithHashBuckets StrongHashSpec
twinflow.ops.tables.ids: index_table_from_file index_table_from_tensor index_to_string
twinflow.ops.tables.ids: index_to_string_table_from_file string_to_index
twinflow.ops.tables.ids: index_to_string_table_from_tensor
twinflow.ops.tables.ids: string_to_index_table_from_file
twinflow.ops.tables.ids: string_to_index_table_from_tensor
""",
)
