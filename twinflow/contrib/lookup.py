"""tf.contrib.lookup: tables from keys to values."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.tables: HashTable InitializableLookupTableBase KeyValueTensorInitializer
twinflow.ops.tables: LookupInterface TableInitializerBase TextFileIdTableInitializer
twinflow.ops.tables: TextFileIndex TextFileInitializer TextFileStringTableInitializer
twinflow.ops.tables_mutable: MutableDenseHashTable MutableHashTable
twinflow.ops.tables_ids: FastHashSpec HasherSpec IdTableWithHashBuckets StrongHashSpec
twinflow.ops.tables_ids: index_table_from_file index_table_from_tensor index_to_string
twinflow.ops.tables_ids: index_to_string_table_from_file string_to_index
twinflow.ops.tables_ids: index_to_string_table_from_tensor
twinflow.ops.tables_ids: string_to_index_table_from_file
twinflow.ops.tables_ids: string_to_index_table_from_tensor
""",
)
