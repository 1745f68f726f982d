# Made by `make stubs` from the table of the index.
from twinflow.ops.tables.initialized import HashTable as HashTable
from twinflow.ops.tables.initialized import InitializableLookupTableBase as InitializableLookupTableBase
from twinflow.ops.tables.initialized import KeyValueTensorInitializer as KeyValueTensorInitializer
from twinflow.ops.tables.initialized import LookupInterface as LookupInterface
from twinflow.ops.tables.initialized import TableInitializerBase as TableInitializerBase
from twinflow.ops.tables.initialized import TextFileIdTableInitializer as TextFileIdTableInitializer
from twinflow.ops.tables.initialized import TextFileIndex as TextFileIndex
from twinflow.ops.tables.initialized import TextFileInitializer as TextFileInitializer
from twinflow.ops.tables.initialized import TextFileStringTableInitializer as TextFileStringTableInitializer
from twinflow.ops.tables.mutable import MutableDenseHashTable as MutableDenseHashTable
from twinflow.ops.tables.mutable import MutableHashTable as MutableHashTable
from twinflow.ops.tables.ids import FastHashSpec as FastHashSpec
from twinflow.ops.tables.ids import HasherSpec as HasherSpec
from twinflow.ops.tables.ids import IdTableWithHashBuckets as IdTableWithHashBuckets
from twinflow.ops.tables.ids import StrongHashSpec as StrongHashSpec
from twinflow.ops.tables.ids import index_table_from_file as index_table_from_file
from twinflow.ops.tables.ids import index_table_from_tensor as index_table_from_tensor
from twinflow.ops.tables.ids import index_to_string as index_to_string
from twinflow.ops.tables.ids import index_to_string_table_from_file as index_to_string_table_from_file
from twinflow.ops.tables.ids import string_to_index as string_to_index
from twinflow.ops.tables.ids import index_to_string_table_from_tensor as index_to_string_table_from_tensor
from twinflow.ops.tables.ids import string_to_index_table_from_file as string_to_index_table_from_file
from twinflow.ops.tables.ids import string_to_index_table_from_tensor as string_to_index_table_from_tensor

__all__ = [
"HashTable", "InitializableLookupTableBase", "KeyValueTensorInitializer",
"LookupInterface", "TableInitializerBase", "TextFileIdTableInitializer",
"TextFileIndex", "TextFileInitializer", "TextFileStringTableInitializer",
"MutableDenseHashTable", "MutableHashTable", "FastHashSpec", "HasherSpec",
"IdTableWithHashBuckets", "StrongHashSpec", "index_table_from_file",
"index_table_from_tensor", "index_to_string", "index_to_string_table_from_file",
"string_to_index", "index_to_string_table_from_tensor",
"string_to_index_table_from_file", "string_to_index_table_from_tensor"
]
