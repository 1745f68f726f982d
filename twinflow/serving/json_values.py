"""Values of JSON as arrays, and arrays as values of JSON.

Strings are UTF-8, or bytes as {"b64": ...}. NaN, Infinity and -Infinity stand for
themselves, as in TensorFlow Serving, though strict JSON has no such numbers.
"""

import base64
import binascii
import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.serving.servable import invalid

_SHOWN = 60
_WRITTEN = frozenset(map(np.dtype, "?bhilqBHILQfd"))


def is_bytes(value: Any) -> bool:
    """Whether a value stands for bytes."""
    return type(value) is dict and len(value) == 1 and "b64" in value


def to_array(value: Any, dtype: Any) -> Any:
    """The array of a number, string, boolean or nested list of them.

    Args:
        dtype: the DType it is to have.
    Raises:
        InvalidArgumentError: a value of another kind, outside of the dtype, or lists
            of different lengths.
    """
    if dtype is dtypes.string:
        return _strings(value)
    if not (dtype.is_floating or dtype.is_integer or dtype.is_bool):
        raise invalid(f"JSON has no values of the dtype {dtype.name}: use gRPC.")
    allowed = _KINDS[bool(dtype.is_bool), bool(dtype.is_floating)]
    if not _kinds(value) <= allowed:
        for item in _leaves(value):
            if type(item) not in allowed:
                raise _wrong(item, dtype)
    try:
        array = np.array(value)
    except ValueError:
        raise invalid(f"The lists of {_text(value)} are not equally long.") from None
    return _cast(array, value, dtype)


_KINDS: dict[tuple, set] = {  # by whether they are booleans, and floats
    (True, False): {bool}, (False, True): {int, float}, (False, False): {int},
}  # fmt: skip


def _kinds(value: Any) -> set[type]:
    """The types of what lists of one depth hold; of others, `list` is among them."""
    level = [value]
    while (kinds := set(map(type, level))) == {list}:
        level = list(itertools.chain.from_iterable(level))
    return kinds


def _leaves(value: Any) -> Iterator[Any]:
    """What lists hold, from the first to the last."""
    if type(value) is not list:
        yield value
    elif value and type(value[0]) is not list:
        for item in value:
            yield from _leaves(item) if type(item) is list else (item,)
    else:
        for item in value:
            yield from _leaves(item)


def _cast(array: Any, value: Any, dtype: Any) -> Any:
    if dtype.is_integer and array.size:
        # Python's integers of any size: the array may have become one of floats.
        numbers = array if array.dtype.kind in "iu" else np.array(value, object)
        for bound in numbers.min(), numbers.max():
            if not dtype.min <= int(bound) <= dtype.max:
                raise invalid(f"JSON Value: {bound} is outside of {dtype.name}.")
        return numbers.astype(dtype.np)
    if dtype.is_bool or dtype is dtypes.float64:
        return (
            _as_floats(array).astype(dtype.np) if array.size else _empty(array, dtype)
        )
    wide = _as_floats(array)
    found = wide.astype(dtype.np)
    if np.isfinite(found).all():
        return found
    lost = np.isinf(found.astype(np.float64)) & np.isfinite(wide)
    if lost.any():
        raise invalid(f"JSON Value: {wide[lost][0]} is outside of {dtype.name}.")
    return found


def _empty(array: Any, dtype: Any) -> Any:
    return np.zeros(array.shape, dtype.np)


def _as_floats(array: Any) -> Any:
    try:
        return array.astype(np.float64)
    except OverflowError:
        raise invalid("A JSON number is outside of all floating-point types.") from None


def _strings(value: Any) -> Any:
    shape, flat = [], value
    while type(flat) is list:
        shape.append(len(flat))
        flat = flat[0] if flat else None
    out = np.empty(shape, object)
    _fill(out, value)
    return out


def _fill(out: Any, value: Any) -> None:
    """Put the strings of nested lists into an array of their shape."""
    if out.ndim == 0:
        out[()] = as_bytes(value)
        return
    if type(value) is not list or len(value) != len(out):
        raise invalid(f"The lists of strings at {_text(value)} are not equally long.")
    for i, item in enumerate(value):
        if out.ndim == 1:
            out[i] = as_bytes(item)
        else:
            _fill(out[i], item)


def as_bytes(value: Any) -> bytes:
    """The bytes of a string or of {"b64": ...}.

    Raises:
        InvalidArgumentError: it is neither, or cannot be read.
    """
    try:
        if type(value) is str:
            return value.encode()
        if is_bytes(value) and type(value["b64"]) is str:
            return base64.b64decode(value["b64"], validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError) as error:
        raise invalid(f"JSON Value: {_text(value)} cannot be read: {error}") from None
    raise _wrong(value, dtypes.string)


def _wrong(value: Any, dtype: Any) -> Exception:
    kinds = {dict: "Object", list: "Array", str: "String", bool: "Boolean"}
    kind = "Null" if value is None else kinds.get(type(value), "Number")
    return invalid(
        f"JSON Value: {_text(value)} Type: {kind} is not of expected type: {dtype.name}"
    )


def _text(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def is_written(array: Any) -> bool:
    """Whether orjson writes an array as `to_value` does, only faster."""
    return (
        array.ndim > 0 and array.dtype in _WRITTEN and array.flags.c_contiguous
        and (array.dtype.kind != "f" or bool(np.isfinite(array).all()))
    )  # fmt: skip


def to_value(array: Any, name: str) -> Any:
    """The nested list of an array; strings as `name` says.

    Args:
        name: of the output; those that end in "_bytes" are written as {"b64": ...}.
    """
    if array.dtype.kind in "OSU":
        return _mapped(array.tolist(), _encoder(name))
    if array.dtype.kind in "biu":
        return array.tolist()
    if array.dtype.kind == "c":
        raise invalid(f"The output {name!r} is complex, which JSON has not: use gRPC.")
    if array.dtype == np.float64:
        return array.tolist()
    # The shortest text that reads as this float32: 0.1, not 0.10000000149011612.
    return array.astype(np.float32).astype("S32").astype(np.float64).tolist()


def _mapped(value: Any, encode: Callable) -> Any:
    if type(value) is list:
        return [_mapped(item, encode) for item in value]
    return encode(value)


def _encoder(name: str) -> Callable[[bytes], Any]:
    def as_b64(value: bytes) -> dict[str, str]:
        return {"b64": base64.b64encode(value).decode()}

    def as_text(value: bytes) -> Any:
        try:
            return value.decode()
        except UnicodeDecodeError:
            return as_b64(value)

    return as_b64 if name.endswith("_bytes") else as_text
