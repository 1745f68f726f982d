"""The homes of lookup tables: a dict from keys to values, per session or process."""

from operator import attrgetter

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.errors import invalid
from twinflow.base.state import Cell


class TableCell(Cell):
    """A table: Python values of keys to Python values, or to rows of values.

    Args:
        name: for errors. key_dtype, value_dtype: the DTypes.
        value_shape: the shape of one value. fixed: filled once, by an initializer.
        key_shape: the shape of one key. In the dict a vector of whole numbers is its
            bytes, another vector a tuple.
        empty_key: a key that may not be used, or None.
        buckets: how many entries a dense table has room for, or None.
    """

    __slots__ = (
        "buckets", "empty_key", "entries", "fixed", "key_dtype", "key_shape", "ready",
        "value_shape",
    )  # fmt: skip

    def __init__(self, name, key_dtype, value_dtype, value_shape=(), fixed=False):
        super().__init__(name, value_dtype, value_shape)
        self.key_dtype, self.value_shape = key_dtype, tuple(value_shape)
        self.fixed, self.ready, self.entries = fixed, not fixed, {}
        self.key_shape, self.empty_key, self.buckets = (), None, None

    def fresh(self):
        """An empty table of the same kind."""
        return TableCell(
            self.name, self.key_dtype, self.dtype, self.value_shape, self.fixed
        )

    initialized = property(attrgetter("ready"), doc="Whether it may be looked up in.")

    def __reduce__(self):
        raise TypeError("A lookup table cannot be pickled; pickle what fills it.")

    def __deepcopy__(self, memo):
        raise TypeError("A lookup table cannot be copied; make one from its entries.")

    # ------------------------------------------------------------------ contents
    def keys_of(self, array):
        """The keys in an array, as a list."""
        array = np.asarray(array)
        n = len(self.key_shape)
        if not n:
            return array.ravel().tolist()
        if array.shape[array.ndim - n :] != self.key_shape:
            raise invalid(
                f"Expected key shape {list(self.key_shape)} got {list(array.shape)}"
            )
        count = int(np.prod(array.shape[: array.ndim - n], dtype=int))
        flat = np.ascontiguousarray(array).reshape(count, -1)
        if flat.dtype.kind in "iub" and flat.size:  # equal ones have equal bytes
            return flat.view(f"V{flat.strides[0]}").ravel().tolist()
        return list(map(tuple, flat.tolist()))

    def rows_of(self, array, count):
        """The values in an array, one per key."""
        array = np.asarray(array, order="C")
        rows = array.reshape(count, *self.value_shape)
        return list(rows) if self.value_shape else rows.tolist()

    def check_ready(self):
        """Raises FailedPreconditionError before the table was initialised."""
        if not self.ready:
            raise errors.FailedPreconditionError(None, None, "Table not initialized.")

    def check_keys(self, keys):
        """Raises InvalidArgumentError where the empty key of a dense table is used."""
        if self.empty_key is not None and self.empty_key in keys:
            raise invalid("Using the empty_key as a table key is not allowed")

    def make_room(self, count):
        """Double a dense table until so many more entries fill 4 / 5 of it at most."""
        while self.buckets and len(self.entries) + count > 0.8 * self.buckets:
            self.buckets *= 2

    def fill(self, keys, values):
        """Initialise the table; again only with the same entries."""
        if self.ready:
            if dict(zip(keys, values)) != self.entries:
                raise errors.FailedPreconditionError(
                    None, None, "Table already initialized."
                )
            return
        entries: dict = {}
        for k, v in zip(keys, values):
            if entries.setdefault(k, v) != v:
                raise errors.FailedPreconditionError(
                    None, None,
                    f"HashTable has different value for same key. Key {_text(k)} has "
                    f"{_text(entries[k])} and trying to add value {_text(v)}",
                )  # fmt: skip
        self.entries, self.ready = entries, True

    def find(self, keys, default):
        """The values of the keys in an array, `default` where there is none."""
        self.check_ready()
        wanted = self.keys_of(keys)
        self.check_keys(wanted)
        entries, n = self.entries, len(self.key_shape)
        default = self.rows_of(default, 1)[0]
        shape = np.shape(keys)[: np.ndim(keys) - n]
        return self._packed([entries.get(k, default) for k in wanted], shape)

    def export(self):
        """All keys and values as two arrays; a dense table's with its free buckets."""
        self.check_ready()
        keys, values = list(self.entries), list(self.entries.values())
        free = max((self.buckets or 0) - len(keys), 0)
        if free:
            is_text = self.dtype is dtypes.string
            zero = np.full(self.value_shape, b"" if is_text else 0, object)
            if not is_text:
                zero = zero.astype(self.dtype.np)
            keys += [self.empty_key] * free
            values += self.rows_of(zero, 1) * free
        n = (len(keys),)
        packed = _array(keys, (*n, *self.key_shape), self.key_dtype)
        return packed, self._packed(values, n)

    def _packed(self, values, shape):
        return _array(values, (*shape, *self.value_shape), self.dtype)


def _array(values, shape, dtype):
    """Python values or rows as an array of a DType."""
    if dtype is not dtypes.string:
        if len(shape) > 1 and values and isinstance(values[0], bytes | np.ndarray):
            joined = bytearray().join(values)  # whose array may be written to
            return np.frombuffer(joined, dtype.np).reshape(shape)
        return np.array(values, dtype.np).reshape(shape)
    out = np.empty(int(np.prod(shape, dtype=int)), object)
    flat = [x for v in values for x in np.ravel(v)] if len(shape) > 1 else values
    out[:] = flat
    return out.reshape(shape)


def _text(value):
    return value.decode("utf-8", "backslashreplace") if type(value) is bytes else value
