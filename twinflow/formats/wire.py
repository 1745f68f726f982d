"""Protocol buffers on the wire: fields by number, without their classes.

References: the encoding of protocol buffers (varints, zigzag, packed fields).
"""

import struct
from collections.abc import Iterator
from typing import Any

from google.protobuf import descriptor

_F = descriptor.FieldDescriptor
VARINT, WIDE, BYTES, NARROW = 0, 1, 2, 5
_FIXED = {
    _F.TYPE_DOUBLE: "<d", _F.TYPE_FLOAT: "<f", _F.TYPE_FIXED64: "<Q",
    _F.TYPE_FIXED32: "<I", _F.TYPE_SFIXED64: "<q", _F.TYPE_SFIXED32: "<i",
}  # fmt: skip
_TEXTS = (_F.TYPE_STRING, _F.TYPE_BYTES, _F.TYPE_MESSAGE, _F.TYPE_GROUP)
_ZIGZAG = (_F.TYPE_SINT32, _F.TYPE_SINT64)
_BITS = {
    _F.TYPE_INT32: 32, _F.TYPE_UINT32: 32, _F.TYPE_SINT32: 32, _F.TYPE_ENUM: 32,
    _F.TYPE_BOOL: 64,
}  # fmt: skip
_SIGNED = (_F.TYPE_INT32, _F.TYPE_INT64, _F.TYPE_ENUM)


def fields(data: bytes) -> Iterator[tuple[int, int, Any]]:
    """(number, wire type, raw value) of each field.

    Raises:
        ValueError: the bytes end too soon, or are none of this kind.
    """
    at, value = 0, None  # type: int, Any
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == VARINT:
            value, at = varint(data, at)
        elif kind in (WIDE, NARROW):
            value, at = _taken(data, at, 8 if kind == WIDE else 4)
        elif kind == BYTES:
            size, at = varint(data, at)
            value, at = _taken(data, at, size)
        else:
            raise ValueError(f"wire type {kind}")
        yield key >> 3, kind, value


def _taken(data: bytes, at: int, size: int) -> tuple[bytes, int]:
    if at + size > len(data):
        raise ValueError("the bytes end too soon")
    return data[at : at + size], at + size


def varint(data: bytes, at: int) -> tuple[int, int]:
    """(the number at a place, the place behind it)"""
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError("no varint")
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value & (1 << 64) - 1, at


def as_varint(value: int) -> bytes:
    """The bytes of a number; a negative one is taken as 64 bits."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def values(field: Any, kind: int, raw: Any) -> list:
    """The values in one field of a message: several, where it is packed."""
    if field.type in _TEXTS:
        return [raw]
    if kind == BYTES:
        return list(_packed(field, raw))
    return [_value(field, raw)]


def _packed(field: Any, raw: bytes) -> Iterator[Any]:
    if field.type in _FIXED:
        yield from (v for (v,) in struct.iter_unpack(_FIXED[field.type], raw))
        return
    at = 0
    while at < len(raw):
        number, at = varint(raw, at)
        yield _value(field, number)


def _value(field: Any, raw: Any) -> Any:
    if field.type in _FIXED:
        return struct.unpack(_FIXED[field.type], raw)[0]
    bits = _BITS.get(field.type, 64)
    number = raw & (1 << bits) - 1
    if field.type == _F.TYPE_BOOL:
        return bool(number)
    if field.type in _ZIGZAG:
        return number >> 1 ^ -(number & 1)
    signed = field.type in _SIGNED and number >> bits - 1
    return number - (1 << bits) if signed else number


def encoded(field: Any, items: list) -> bytes:
    """A field of a message with these values."""
    if field.type in _TEXTS:
        key = as_varint(field.number << 3 | BYTES)
        return b"".join(key + as_varint(len(v)) + v for v in items)
    parts = [_number(field, v) for v in items]
    if items and field.is_packed:
        body = b"".join(parts)
        return as_varint(field.number << 3 | BYTES) + as_varint(len(body)) + body
    kind = VARINT
    if field.type in _FIXED:
        kind = WIDE if struct.calcsize(_FIXED[field.type]) == 8 else NARROW
    key = as_varint(field.number << 3 | kind)
    return b"".join(key + part for part in parts)


def _number(field: Any, value: Any) -> bytes:
    if field.type in _FIXED:
        return struct.pack(_FIXED[field.type], value)
    if field.type in _ZIGZAG:
        value = value << 1 ^ value >> 63
    return as_varint(int(value))
