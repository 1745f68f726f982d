"""The ops on lookup tables; all run on the host."""

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.errors import invalid
from twinflow.ops.core.infer import merge, rank_of, ranked, scalar, text
from twinflow.ops.core.versions import both, nothing
from twinflow.ops.strings.arrays import as_text, one
from twinflow.ops.tables.files import read_columns

_KEYED = {"key_dtype": dtypes.int64, "value_dtype": dtypes.int64}


def _handles(kind, attrs, kernel):
    """Define the op that makes a table, in both its forms."""
    return both(kind, scalar, kernel, {"cell": None, **attrs}, cell="cell")


def _the_cell(cell, **_):
    return cell


def _dense(empty_key, cell, initial_num_buckets=131072, **_):
    """A dense table knows its empty key, by it the shape of a key, and its size."""
    if cell.buckets is None:
        n = initial_num_buckets
        if n < 4 or n & (n - 1):
            raise invalid(
                f"Number of buckets must be at least 4 and a power of 2, got: {n}"
            )
        cell.buckets = n
    cell.key_shape = np.shape(empty_key)
    cell.empty_key = cell.keys_of(np.asarray(empty_key))[0]
    return cell


_HashTable, HashTable = _handles("HashTable", _KEYED, _the_cell)
_Mutable, MutableHashTable = _handles("MutableHashTable", _KEYED, _the_cell)
_OfTensors, MutableHashTableOfTensors = _handles(
    "MutableHashTableOfTensors", _KEYED, _the_cell
)
_Dense, MutableDenseHashTable = _handles(
    "MutableDenseHashTable", {"value_dtype": dtypes.int64}, _dense
)


def _pairs(cell, keys, values):
    found = cell.keys_of(keys)
    _check_types(cell, keys, values)
    wanted = np.shape(keys)[: np.ndim(keys) - len(cell.key_shape)] + cell.value_shape
    if np.shape(values) != wanted:
        raise invalid(
            f"Expected shape {text(wanted)} for value, got {text(np.shape(values))}"
        )
    return found, cell.rows_of(values, len(found))


def _check_types(cell, keys, values):
    found = [np.asarray(a).dtype for a in (keys, values)]
    if found != [cell.key_dtype.np, cell.dtype.np]:
        raise invalid(
            f"The table holds {cell.key_dtype.name} -> {cell.dtype.name}, got "
            f"{found[0]} -> {found[1]}"
        )


# ---------------------------------------------------------------------- filling
def _infer_initialize(table_handle, keys, values):
    words = "Keys must be a vector, but received shape "
    ranked(keys._shape, 1, lambda s: f"{words}{list(s)}")
    merge(keys._shape, values._shape)
    return []


def _initialize_kernel(table_handle, keys, values):
    table_handle.fill(*_pairs(table_handle, keys, values))
    return ()


_Initialize, InitializeTable = both(
    "InitializeTable", _infer_initialize, _initialize_kernel
)


def _from_file_kernel(
    table_handle, filename, key_index, value_index, vocab_size, delimiter
):
    columns = ((key_index, table_handle.key_dtype), (value_index, table_handle.dtype))
    path = as_text(one(filename))
    table_handle.fill(*read_columns(path, columns, vocab_size, delimiter))
    return ()


def _infer_from_file(table_handle, filename, **_):
    rank_of(filename, 0, "filename")
    return []


_FromFile, InitializeTableFromTextFile = both(
    "InitializeTableFromTextFile", _infer_from_file, _from_file_kernel
)


def _infer_import(table_handle, keys, values):
    rank_of(keys, 1, "keys")
    a, b = keys._shape, values._shape
    if a is not None and b is not None and a and b:
        merge(a[:1], b[:1], f"Expected shape {text(a)} for value, got {text(b)}")
    return []


def _import_kernel(table_handle, keys, values):
    if table_handle.fixed and not np.size(keys):
        raise invalid("keys and values cannot be empty tensors.")
    pairs = _pairs(table_handle, keys, values)
    if table_handle.fixed:
        table_handle.fill(*pairs)
    else:
        pairs = {k: v for k, v in zip(*pairs) if k != table_handle.empty_key}
        table_handle.entries = {}
        table_handle.make_room(len(pairs))
        table_handle.entries = pairs
    return ()


_Import, LookupTableImport = both("LookupTableImport", _infer_import, _import_kernel)


def _insert_kernel(table_handle, keys, values):
    if table_handle.fixed:
        raise errors.UnimplementedError(
            None,
            None,
            "Insert not supported by InitializableLookupTable implementations",
        )
    found, rows = _pairs(table_handle, keys, values)
    table_handle.check_keys(found)
    table_handle.make_room(len(found))
    table_handle.entries.update(zip(found, rows))
    return ()


_Insert, LookupTableInsert = both("LookupTableInsert", nothing, _insert_kernel)


# ---------------------------------------------------------------------- asking
def _find_kernel(table_handle, keys, default_value):
    _check_types(table_handle, keys, default_value)
    return table_handle.find(keys, default_value)


_Find, LookupTableFind = both(
    "LookupTableFind", lambda table_handle, keys, default_value: None, _find_kernel
)

_Export, LookupTableExport = both(
    "LookupTableExport",
    lambda table_handle, **_: [None, None],
    lambda table_handle, **_: table_handle.export(),
    {"Tkeys": dtypes.int64, "Tvalues": dtypes.int64},
)


def _size_kernel(table_handle):
    table_handle.check_ready()
    return np.int64(len(table_handle.entries))


_Size, LookupTableSize = both("LookupTableSize", scalar, _size_kernel)
