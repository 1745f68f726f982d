"""What the arguments of feature columns must be, in the words of TensorFlow."""

import collections.abc
from typing import Any

import numpy as np

from twinflow.base import dtypes


def check_key(key: Any) -> None:
    """Raise ValueError where the key of a feature is no text."""
    if not isinstance(key, str):
        raise ValueError(
            f"key must be a string. Got: type {type(key)}. Given key: {key}."
        )


def check_string_or_int(dtype: Any, prefix: str) -> None:
    """Raise ValueError where a dtype is neither string nor integer."""
    if dtype != dtypes.string and not dtype.is_integer:
        raise ValueError(f"{prefix} dtype must be string or integer. dtype: {dtype}.")


def check_combined(ckpt_to_load_from: Any, tensor_name_in_ckpt: Any) -> None:
    """Raise ValueError where just one of file and name is given."""
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError(
            "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none "
            "of them."
        )


def check_dimension(dimension: Any) -> None:
    """Raise ValueError where an embedding has no size."""
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid dimension {dimension}.")


# ------------------------------------------------------------------ shapes and defaults
def as_tuple(value: Any) -> Any:
    """Lists and arrays inside each other as tuples."""
    if not nested(value):
        return value
    return tuple(as_tuple(v) for v in value)


def nested(value: Any) -> bool:
    """Whether a value has values in it, other than letters."""
    return isinstance(value, collections.abc.Iterable) and not isinstance(
        value, str | bytes
    )


def checked_shape(shape: Any, key: str) -> tuple:
    """A shape as a tuple.

    Raises:
        TypeError: a size is no int. ValueError: a size is not positive.
    """
    shape = tuple(shape) if nested(shape) else (shape,)
    for size in shape:
        if not isinstance(size, int | np.integer):
            raise TypeError(
                f"shape dimensions must be integer. shape: {shape}, key: {key}"
            )
        if size < 1:
            raise ValueError(
                f"shape dimensions must be greater than 0. shape: {shape}, key: {key}"
            )
    return shape


def full(shape: tuple, value: Any) -> Any:
    """Tuples of a shape with the same value everywhere."""
    for size in reversed(shape):
        value = (value,) * size
    return value


def fits(default_value: Any, shape: tuple) -> bool:
    """Whether lists inside each other have a shape."""
    if nested(default_value) != bool(shape):
        return False
    if not shape:
        return True
    return len(default_value) == shape[0] and all(
        fits(v, shape[1:]) for v in default_value
    )


def checked_default(shape: tuple, default_value: Any, dtype: Any, key: str) -> Any:
    """What stands where a feature is missing: None, or tuples of the shape.

    Raises:
        TypeError: it does not fit the dtype. ValueError: it has another shape.
    """
    if default_value is None:
        return None
    if isinstance(default_value, int | np.integer):
        return full(shape, default_value)
    if isinstance(default_value, float | np.floating) and dtype.is_floating:
        return full(shape, default_value)
    if callable(getattr(default_value, "tolist", None)):
        default_value = default_value.tolist()
    if not nested(default_value):
        raise _unlike_dtype(default_value, dtype, key)
    if not fits(default_value, shape):
        raise ValueError(
            "The shape of default_value must be equal to given shape. default_value: "
            f"{default_value}, shape: {shape}, key: {key}"
        )
    allowed = (int, np.integer)
    allowed += (float, np.floating) if dtype.is_floating else ()
    if not all(isinstance(v, allowed) for v in _leaves(default_value)):
        raise _unlike_dtype(default_value, dtype, key)
    return as_tuple(default_value)


def _leaves(value):
    if not nested(value):
        return [value]
    return [leaf for v in value for leaf in _leaves(v)]


def _unlike_dtype(default_value, dtype, key):
    return TypeError(
        "default_value must be compatible with dtype. default_value: "
        f"{default_value}, dtype: {dtype}, key: {key}"
    )


def shape_offsets(shape: Any) -> list:
    """How many numbers lie behind each axis, with the axis itself."""
    return [int(np.prod(shape[i:])) for i in range(len(shape))]


# ------------------------------------------------------------------ rows of columns
def normalized(feature_columns: Any, kind: type) -> list:
    """One column or several as a list without two of one name.

    Args:
        kind: the class of all of them.
    Raises:
        ValueError: they are a dict, none, of another class, or two have one name.
    """
    if isinstance(feature_columns, kind):
        feature_columns = [feature_columns]
    if isinstance(feature_columns, collections.abc.Iterator):
        feature_columns = list(feature_columns)
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    for column in feature_columns:
        if not isinstance(column, kind):
            raise ValueError(
                f"Items of feature_columns must be a {kind.__name__}. Given (type "
                f"{type(column)}): {column}."
            )
    if not feature_columns:
        raise ValueError("feature_columns must not be empty.")
    _check_names(feature_columns)
    return list(feature_columns)


def _check_names(columns):
    known: dict = {}
    for column in columns:
        if column.name in known:
            raise ValueError(
                f"Duplicate feature column name found for columns: {column} and "
                f"{known[column.name]}. This usually means that these columns refer to "
                "same base feature. Either one must be discarded or a duplicated but "
                "renamed item must be inserted in features dict."
            )
        known[column.name] = column


def by_name(columns: Any) -> list:
    """Columns in the order of their names."""
    return sorted(columns, key=lambda column: column.name)


def check_batch_sizes(tensors: list, columns: list) -> None:
    """Raise ValueError where known sizes of the batch differ."""
    known: Any = None
    for tensor, column in zip(tensors, columns, strict=True):
        size = None if tensor._shape is None else tensor._shape[0]
        if size is None:
            continue
        if known is None:
            known = size, column
        elif size != known[0]:
            raise ValueError(
                "Batch size (first dimension) of each feature must be same. Batch size "
                f"of columns ({known[1].name}, {column.name}): ({known[0]}, {size})"
            )


def spec_of(feature_columns: Any, kind: type, spec: Any) -> dict:
    """The features that the columns read, for tf.parse_example.

    Args:
        kind: the class of all of them. spec: from a column to its part.
    Raises:
        ValueError: a column is of another class, or two read one feature differently.
    """
    found: dict = {}
    for column in feature_columns:
        if not isinstance(column, kind):
            raise ValueError(
                f"All feature_columns must be {kind.__name__} instances. Given: "
                f"{column}"
            )
        for key, value in spec(column).items():
            if key in found and value != found[key]:
                raise ValueError(
                    f"feature_columns contain different parse_spec for key {key}. "
                    f"Given {value} and {found[key]}"
                )
        found.update(spec(column))
    return found
