"""Tables from words to ids and back, with buckets for words that are not in them."""

import functools
from typing import Any, NamedTuple

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Composite, Tensor
from twinflow.ops.core import creation
from twinflow.ops.core.compare import not_equal, where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.infer import static_value
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.size import size
from twinflow.ops.strings.hash import (
    string_to_hash_bucket,
    string_to_hash_bucket_fast,
    string_to_hash_bucket_strong,
)
from twinflow.ops.strings.number import as_string
from twinflow.ops.tables.initialized import (
    HashTable,
    KeyValueTensorInitializer,
    LookupInterface,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileStringTableInitializer,
    like_keys,
)


class HasherSpec(NamedTuple):
    """How words get their bucket: the name of the hash function, and its key."""

    hasher: str
    key: Any


FastHashSpec = HasherSpec("fasthash", None)


class StrongHashSpec(HasherSpec):
    """Buckets by SipHash with a key of two ints, which nobody can guess."""

    __slots__ = ()

    def __new__(cls, key: Any):
        if len(key) != 2:
            raise ValueError(f"key must have size 2, got {len(key)}.")
        if not all(hasattr(k, "__index__") for k in key):
            raise TypeError(f"Invalid key {key}. Must be unsigned integer values.")
        return HasherSpec.__new__(cls, "stronghash", key)


def _hash_function(spec):
    if not isinstance(spec, HasherSpec):
        raise TypeError(f"hasher_spec must be of type HasherSpec, got {spec}")
    if spec.hasher == "stronghash":
        return functools.partial(string_to_hash_bucket_strong, key=spec.key)
    known = {"fasthash": string_to_hash_bucket_fast, "legacy": string_to_hash_bucket}
    return known.get(spec.hasher) or functools.partial(_refuse_hasher, spec.hasher)


def _refuse_hasher(hasher, *_, **__):
    raise ValueError(f"Unknown hasher {hasher}")


class IdTableWithHashBuckets(LookupInterface):
    """A table of ids that gives missing keys an id by their hash.

    Args:
        table: a table from keys to int64 ids, or None: every key gets one by its hash.
        num_oov_buckets: how many ids there are for missing keys; they follow those of
            the table.
        hasher_spec: FastHashSpec or a StrongHashSpec.
        name: the name.
        key_dtype: the DType of the keys, that of the table if not given.
    Raises:
        TypeError, ValueError: the arguments do not fit together.
    """

    def __init__(
        self, table: Any, num_oov_buckets: Any, hasher_spec: Any = FastHashSpec,
        name: str | None = None, key_dtype: Any = None,
    ) -> None:  # fmt: skip
        name = name.rstrip("/") if name else None
        if table:
            key_dtype = table.key_dtype if key_dtype is None else key_dtype
            _check_table(table, key_dtype)
            name = name or table.name
        else:
            if num_oov_buckets <= 0:
                raise ValueError("oov_buckets must be > 0 if no table is supplied.")
            key_dtype = dtypes.string if key_dtype is None else key_dtype
            name = name or "hash_bucket"
        if not key_dtype.is_integer and key_dtype != dtypes.string:
            raise TypeError(
                f"Invalid key_dtype, expected integer or string, got {key_dtype}."
            )
        self._table, self._num_oov_buckets = table, num_oov_buckets
        self._hash = _hash_function(hasher_spec)
        super().__init__(key_dtype, dtypes.int64, name.rpartition("/")[2])

    @property
    def init(self) -> Any:
        """The op that fills the table; None in eager mode."""
        if self._table:
            return self._table.init
        return None if dispatch.current_mode().eager else no_op()

    @property
    def table_ref(self) -> Any:
        """The handle of the table, or None."""
        return self._table.table_ref if self._table else None

    def size(self, name: str | None = None) -> Any:
        """How many ids there are: int64 scalar."""
        with self._scoped(name, "Size"):
            known = self._table.size() if self._table else constant(0, dtypes.int64)
            return known + constant(self._num_oov_buckets, dtypes.int64)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The ids of keys.

        Args:
            keys: a tensor or SparseTensor of `key_dtype`. name: for a graph.
        Returns:
            int64 of the same shape, sparse where `keys` is.
        Raises:
            TypeError: the keys have another dtype.
        """
        if keys.dtype.base_dtype != self._key_dtype:
            raise TypeError(
                f"Signature mismatch. Keys must be dtype {self._key_dtype}, got "
                f"{keys.dtype}."
            )
        values = keys.values if isinstance(keys, Composite) else keys
        if self._table and self._table.key_dtype == dtypes.int64:
            values = cast(values, dtypes.int64)
        if self._num_oov_buckets == 0:
            return like_keys(keys, self._table.lookup(values, name=name))
        with self._scoped(name, "Lookup") as scope:
            return like_keys(keys, self._with_buckets(values, scope or None))

    def _with_buckets(self, values, name):
        words = values if values.dtype == dtypes.string else as_string(values)
        count = self._num_oov_buckets
        buckets = self._hash(words, num_buckets=count, name="hash_bucket")
        if not self._table:
            return buckets
        ids = self._table.lookup(values)
        known = not_equal(ids, self._table.default_value)
        return where(known, ids, buckets + self._table.size(), name=name)


def _check_table(table, key_dtype):
    supported = (dtypes.int64, dtypes.string)
    if table.key_dtype not in supported:
        raise TypeError(
            f"Invalid key dtype, expected one of {supported}, but got {key_dtype}."
        )
    if table.key_dtype.is_integer != key_dtype.is_integer:
        kind = "integer" if key_dtype.is_integer else "non-integer"
        raise TypeError(
            f"Invalid key dtype, expected {kind} but got {table.key_dtype}."
        )
    if table.value_dtype != dtypes.int64:
        raise TypeError(
            f"Invalid value dtype, expected {dtypes.int64} but got {table.value_dtype}."
        )


# ---------------------------------------------------------------------- words to ids
def index_table_from_file(
    vocabulary_file: Any = None, num_oov_buckets: Any = 0, vocab_size: Any = None,
    default_value: Any = -1, hasher_spec: Any = FastHashSpec,
    key_dtype: Any = dtypes.string, name: str | None = None,
    key_column_index: Any = TextFileIndex.WHOLE_LINE,
    value_column_index: Any = TextFileIndex.LINE_NUMBER, delimiter: TensorValue = "\t",
) -> Any:  # fmt: skip
    """A table from the lines of a file to their numbers.

    Args:
        vocabulary_file: string scalar, the path.
        num_oov_buckets: how many further ids there are for missing words.
        vocab_size: how many lines to read, where it is known.
        default_value: the id of missing words where there are no buckets.
        hasher_spec: how words get a bucket. key_dtype: the DType of the words.
        name: the name scope.
        key_column_index, value_column_index, delimiter: see TextFileInitializer.
    Returns:
        A table with `lookup` and `size`.
    Raises:
        ValueError: there is no file name, or a negative number of buckets.
        TypeError: the keys are neither int nor string.
    """
    _check_file(vocabulary_file)
    _check_buckets(num_oov_buckets)
    if vocab_size is not None and vocab_size < 1:
        shown = vocabulary_file
        if isinstance(shown, Tensor):
            known = static_value(shown)
            shown = "?" if known is None else known
        raise ValueError(
            f"vocab_size must be greater than 0, got {vocab_size}. "
            f"vocabulary_file: {shown}"
        )
    _check_key_dtype(key_dtype)
    mode = dispatch.current_mode()
    with mode.name_scope(name or "string_to_index") as scope:
        with mode.name_scope("hash_table") as table_scope:
            init = TextFileIdTableInitializer(
                vocabulary_file, key_column_index, value_column_index, vocab_size,
                delimiter, "table_init",
                dtypes.int64 if key_dtype.is_integer else key_dtype,
            )  # fmt: skip
            columns = key_column_index, value_column_index
            shared = _shared_name(vocabulary_file, vocab_size, *columns)
            table = HashTable(init, default_value, shared, table_scope)
        return _with_buckets(table, num_oov_buckets, hasher_spec, scope, key_dtype)


def _shared_name(file, vocab_size, key_index, value_index):
    """Tables of one file are one table; eager ones that read it later are not."""
    if dispatch.current_mode().eager:
        return None
    size_part = f"_{vocab_size}" if vocab_size else ""
    return f"hash_table_{file}{size_part}_{key_index}_{value_index}"


def _check_file(name):
    if name is None or (isinstance(name, str | bytes) and not name):
        raise ValueError("vocabulary_file must be specified and must not be empty.")


def _check_buckets(count):
    if count < 0:
        raise ValueError(
            f"num_oov_buckets must be greater or equal than 0, got {count}."
        )


def _check_key_dtype(dtype):
    if not dtype.is_integer and dtype.base_dtype != dtypes.string:
        raise TypeError("Only integer and string keys are supported.")


def _with_buckets(table, count, spec, scope, key_dtype):
    if not count:
        return table
    return IdTableWithHashBuckets(table, count, spec, scope or None, key_dtype)


def index_table_from_tensor(
    mapping: Any = None, num_oov_buckets: int = 0, default_value: int = -1,
    hasher_spec: Any = FastHashSpec, dtype: DTypeValue = dtypes.string,
    name: str | None = None, vocabulary_list: Any = None,
) -> Any:  # fmt: skip
    """A table from the words of a vector to their places in it.

    Args:
        mapping: a vector of words (strings or ints), none of them twice.
        num_oov_buckets: how many further ids there are for missing words.
        default_value: the id of missing words where there are no buckets.
        hasher_spec: how words get a bucket. dtype: the DType of the words.
        name: the name scope. vocabulary_list: another name of `mapping`.
    Returns:
        A table with `lookup` and `size`.
    Raises:
        ValueError: there are no words, or of another dtype. TypeError: neither int nor
        string.
    Example:
        table = tf.contrib.lookup.index_table_from_tensor(["a", "b"], 1)
        table.lookup(tf.constant(["b", "c"]))  # [1, 2]
    """
    mapping = vocabulary_list if mapping is None else mapping
    if mapping is None:
        raise ValueError("vocabulary_list must be specified.")
    _check_buckets(num_oov_buckets)
    _check_key_dtype(dtype)
    mode = dispatch.current_mode()
    with mode.name_scope(name or "string_to_index") as scope:
        keys = convert_to_tensor(mapping)
        if keys.dtype.is_integer != dtype.is_integer:
            kind = "integer" if dtype.is_integer else "non-integer"
            raise ValueError(f"Expected {kind}, got {keys.dtype}.")
        if not dtype.is_integer and keys.dtype.base_dtype != dtype:
            raise ValueError(f"Expected {dtype}, got {keys.dtype}.")
        values = cast(creation.range(size(keys)), dtypes.int64)
        with mode.name_scope("hash_table") as table_scope:
            if keys.dtype.is_integer:
                keys = cast(keys, dtypes.int64)
            init = KeyValueTensorInitializer(keys, values, name="table_init")
            table = HashTable(init, default_value, None, table_scope)
        return _with_buckets(table, num_oov_buckets, hasher_spec, scope, dtype)


# ---------------------------------------------------------------------- ids to words
def index_to_string_table_from_file(
    vocabulary_file: Any, vocab_size: Any = None, default_value: TensorValue = "UNK",
    name: str | None = None, key_column_index: Any = TextFileIndex.LINE_NUMBER,
    value_column_index: Any = TextFileIndex.WHOLE_LINE, delimiter: TensorValue = "\t",
) -> Any:  # fmt: skip
    """A table from line numbers of a file to the lines; see index_table_from_file."""
    _check_file(vocabulary_file)
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"vocab_size must be greater than 0, got {vocab_size}.")
    with dispatch.current_mode().name_scope(name or "index_to_string") as scope:
        init = TextFileStringTableInitializer(
            vocabulary_file, key_column_index, value_column_index, vocab_size,
            delimiter, "table_init",
        )  # fmt: skip
        columns = key_column_index, value_column_index
        shared = _shared_name(vocabulary_file, vocab_size, *columns)
        return HashTable(init, default_value, shared, scope)


def index_to_string_table_from_tensor(
    mapping: Any = None, default_value: TensorValue = "UNK", name: str | None = None,
    vocabulary_list: Any = None,
) -> HashTable:  # fmt: skip
    """A table from places in a vector to the words there.

    Args:
        mapping: string[n]. default_value: what stands for ids that are no place.
        name: the name scope. vocabulary_list: another name of `mapping`.
    Example:
        table = tf.contrib.lookup.index_to_string_table_from_tensor(["a", "b"])
        table.lookup(tf.constant([1, 5], tf.int64))  # [b"b", b"UNK"]
    """
    mapping = vocabulary_list if mapping is None else mapping
    if mapping is None:
        raise ValueError("vocabulary_list must be specified.")
    with dispatch.current_mode().name_scope(name or "index_to_string") as scope:
        words = convert_to_tensor(mapping, dtypes.string)
        keys = cast(creation.range(size(words)), dtypes.int64)
        init = KeyValueTensorInitializer(keys, words, name="table_init")
        return HashTable(init, default_value, None, scope)


# ---------------------------------------------------------------------- older forms
def string_to_index_table_from_file(
    vocabulary_file: Any = None, num_oov_buckets: Any = 0, vocab_size: Any = None,
    default_value: Any = -1, hasher_spec: Any = FastHashSpec, name: str | None = None,
) -> Any:  # fmt: skip
    """The older name of index_table_from_file."""
    return index_table_from_file(
        vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec,
        name=name,
    )  # fmt: skip


def string_to_index_table_from_tensor(
    mapping: Any, num_oov_buckets: Any = 0, default_value: Any = -1,
    hasher_spec: Any = FastHashSpec, name: str | None = None,
) -> Any:  # fmt: skip
    """The older name of index_table_from_tensor, for strings."""
    mapping = convert_to_tensor(mapping)
    if mapping.dtype.base_dtype != dtypes.string:
        raise ValueError("string_to_index_table_from_tensor requires string.")
    return index_table_from_tensor(
        mapping, num_oov_buckets, default_value, hasher_spec, name=name
    )


def string_to_index(
    tensor: TensorValue, mapping: Any, default_value: Any = -1, name: str | None = None
) -> Any:
    """The places of the words of `tensor` in `mapping`; see index_table_from_tensor."""
    table = index_table_from_tensor(mapping, default_value=default_value, name=name)
    return table.lookup(tensor)


def index_to_string(
    tensor: TensorValue, mapping: Any, default_value: TensorValue = "UNK",
    name: str | None = None,
) -> Any:  # fmt: skip
    """The words of `mapping` at the places that `tensor` says."""
    table = index_to_string_table_from_tensor(mapping, default_value, name)
    return table.lookup(tensor)
