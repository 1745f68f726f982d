"""The arrays in Example and SequenceExample protos; errors name record and feature."""

import numpy as np
from google.protobuf.message import DecodeError

from twinflow.base import dtypes
from twinflow.base.errors import invalid
from twinflow.formats.protos import Example, SequenceExample
from twinflow.ops.core.infer import text
from twinflow.ops.parsing.features import size_of
from twinflow.ops.strings.arrays import filled, flat

_LISTS = {
    dtypes.int64: "int64_list", dtypes.float32: "float_list",
    dtypes.string: "bytes_list",
}  # fmt: skip
_NAMES = {"int64_list": "int64", "float_list": "float", "bytes_list": "string"}


def parsed(kind, data, name=""):
    """The proto in bytes.

    Raises:
        InvalidArgumentError: it is none.
    """
    try:
        return kind.FromString(data)
    except DecodeError:
        what = "example" if kind is Example else "sequence example"
        raise invalid(f"{name}Could not parse {what} input, value: '{data}'") from None


def cpp_name(dtype):
    """The name of a DType in these texts."""
    return _NAMES[_LISTS[dtype]]


def array_of(feature, dtype, where, dense):
    """The values of a Feature; None where it has none.

    Args:
        where: the start of the error's text. dense: which text it is.
    Raises:
        InvalidArgumentError: they are of another type.
    """
    kind = feature.WhichOneof("kind")
    if kind is None:
        return None
    if kind != _LISTS[dtype]:
        texts = (
            f"Data type: {_NAMES[kind]} but expected type: {cpp_name(dtype)}",
            f"Expected type: {cpp_name(dtype)}, Actual type: {_NAMES[kind]}",
        )
        raise invalid(f"{where}Data types don't match. {texts[0 if dense else 1]}")
    values = getattr(feature, kind).value
    if dtype == dtypes.string:
        return filled(values, (len(values),))
    return np.array(values, dtype.np)


def _at(name, key, index):
    return f"Name: {name}, Key: {key}, Index: {index}.  "


# ---------------------------------------------------------------------- examples
def feature_maps(serialized, names, kind=Example, part="features"):
    """(name, {key: Feature}) of each record, read once for all keys."""
    names = [n.decode("utf-8", "replace") for n in flat(names)]
    out = []
    for i, data in enumerate(flat(serialized)):
        name = names[i] if i < len(names) else "<unknown>"
        proto = parsed(kind, data, f"Name: {name}, " if kind is Example else "")
        out.append((name, getattr(proto, part).feature, proto))
    return out


def sparse_column(maps, key, dtype):
    """(indices, values, dense shape) of a key over all records."""
    columns = []
    for i, (name, features, *_) in enumerate(maps):
        found = None
        if key in features:
            found = array_of(features[key], dtype, _at(name, key, i), False)
        columns.append(_nothing(dtype) if found is None else found)
    lengths = [len(c) for c in columns]
    rows = np.repeat(np.arange(len(columns)), lengths)
    places = [np.arange(n) for n in lengths]
    indices = np.stack([rows, np.concatenate([*places, rows[:0]])], 1)
    shape = [len(columns), max(lengths, default=0)]
    values = np.concatenate([*columns, _nothing(dtype)])
    return indices.astype(np.int64), values, np.array(shape, np.int64)


def _nothing(dtype):
    return np.empty(0, object if dtype == dtypes.string else dtype.np)


def dense_column(maps, key, dtype, shape, default):
    """The values of a key over all records, stacked; see `features.Plan`."""
    if shape and shape[0] is None:
        return _padded_column(maps, key, dtype, shape[1:], default)
    rows = []
    for i, (name, features, *_) in enumerate(maps):
        found = None
        if key in features:
            found = array_of(features[key], dtype, _at(name, key, i), True)
        if found is None:
            found = _default(default, shape, name, key, dtype)
        elif len(found) != size_of(shape):
            raise invalid(
                f"{_at(name, key, i)}Number of {cpp_name(dtype)} values != expected.  "
                f"Values size: {len(found)} but output shape: {text(shape)}"
            )
        rows.append(found.reshape(shape))
    out = np.empty((len(rows), *shape), object if dtype == dtypes.string else dtype.np)
    for i, row in enumerate(rows):
        out[i] = row if shape else row[()]
    return out


def _default(default, shape, name, key, dtype):
    if default.size != size_of(shape) or (default.ndim == 1 and not default.size):
        raise invalid(
            f"Name: {name}, Feature: {key} (data type: {cpp_name(dtype)}) is required "
            "but could not be found."
        )
    return default


def _padded_column(maps, key, dtype, row, default):
    size, columns = size_of(row), []
    for i, (name, features, *_) in enumerate(maps):
        found = None
        if key in features:
            found = array_of(features[key], dtype, _at(name, key, i), True)
        found = _nothing(dtype) if found is None else found
        if size and len(found) % size:
            raise invalid(
                f"{_at(name, key, i)}Number of {cpp_name(dtype)} values is not a "
                f"multiple of stride length. Saw {len(found)} values but output shape "
                f"is: {text((None, *row))}"
            )
        columns.append(found.reshape(-1, *row))
    longest = max((len(c) for c in columns), default=0)
    kind = object if dtype == dtypes.string else dtype.np
    out = np.full((len(columns), longest, *row), default.ravel()[0], kind)
    for i, column in enumerate(columns):
        out[i, : len(column)] = column
    return out


# ---------------------------------------------------------------------- sequences
def sequences(serialized, names):
    """(name, context features, proto) of SequenceExamples."""
    return feature_maps(serialized, names, SequenceExample, "context")


def sparse_lists(maps, key, dtype):
    """(indices, values, dense shape) of a feature list over all records: rank 3."""
    indices, values, most, width = [], [], 0, 0
    for i, (name, _, proto) in enumerate(maps):
        lists = proto.feature_lists.feature_list
        steps = lists[key].feature if key in lists else ()
        most = max(most, len(steps))
        for t, feature in enumerate(steps):
            found = array_of(feature, dtype, _at(name, key, t), False)
            found = _nothing(dtype) if found is None else found
            width = max(width, len(found))
            indices += [(i, t, k) for k in range(len(found))]
            values.append(found)
    shape = np.array([len(maps), most, width], np.int64)
    places = np.array(indices, np.int64).reshape(-1, 3)
    return places, np.concatenate([*values, _nothing(dtype)]), shape


def dense_lists(maps, key, dtype, row, may_miss):
    """(values stacked and filled up with zeros, lengths) of a feature list."""
    columns = []
    for name, _, proto in maps:
        lists = proto.feature_lists.feature_list
        if key not in lists and not may_miss:
            raise invalid(
                f"Name: {name}, Feature list '{key}' is required but could not be "
                "found.  Did you mean to include it in "
                "feature_list_dense_missing_assumed_empty or "
                "feature_list_dense_defaults?"
            )
        steps = lists[key].feature if key in lists else ()
        columns.append(
            [_step(f, name, key, t, dtype, row) for t, f in enumerate(steps)]
        )
    longest = max((len(c) for c in columns), default=0)
    text = dtype == dtypes.string
    kind, fill = (object, b"") if text else (dtype.np, 0)
    out = np.full((len(columns), longest, *row), fill, kind)
    for i, column in enumerate(columns):
        for t, values in enumerate(column):
            out[i, t] = values if row else values[()]
    return out, np.array([len(c) for c in columns], np.int64)


def _step(feature, name, key, t, dtype, row):
    found = array_of(feature, dtype, _at(name, key, t), True)
    found = _nothing(dtype) if found is None else found
    if len(found) != size_of(row):
        raise invalid(
            f"{_at(name, key, t)}Number of {cpp_name(dtype)} values != expected.  "
            f"values size: {len(found)} but output shape: {text(row)}"
        )
    return found.reshape(row)
