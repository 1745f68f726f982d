"""FlatBuffers, written from values by a schema in one line per table.

    Name: field type[=default], field [type], ...
    union Name: Table=number ...
    enum Name: VALUE=number ...

A table is a dict of its fields, a union a pair (name of the table, dict). What is
absent, None or the default takes no space. A field ``_`` holds a place that nobody
uses any more; a union takes two of them, as in the language of FlatBuffers.
"""

import struct
from typing import Any, NamedTuple

import numpy as np

_FORMATS = {
    "bool": "?", "byte": "b", "ubyte": "B", "int": "i", "uint": "I", "float": "f",
    "long": "q", "ulong": "Q",
}  # fmt: skip
_SIZES = {kind: struct.calcsize(f"<{code}") for kind, code in _FORMATS.items()}
_MOST = (1 << 31) - 1  # bytes of a file: its offsets are of 32 bits
_BLOCK = 16  # where vectors of bytes begin: what reads them may use wide registers


class Field(NamedTuple):
    """A field of a table.

    Args:
        place: in the table of places. kind: its type. default: what is not written.
    """

    place: int
    kind: str
    default: Any


class Schema:
    """Tables, unions and enums by their names.

    Attributes:
        tables: {name: {field: Field}}. unions, enums: {name: {entry: number}}.
    """

    def __init__(self, text: str) -> None:
        self.tables: dict[str, dict[str, Field]] = {}
        self.unions: dict[str, dict[str, int]] = {}
        self.enums: dict[str, dict[str, int]] = {}
        for line in text.strip().replace("\n  ", " ").splitlines():
            name, _, body = line.partition(":")
            kind, _, named = name.partition(" ")
            if kind in ("union", "enum"):
                pairs = (p.split("=") for p in body.split())
                group = self.unions if kind == "union" else self.enums
                group[named] = {k: int(n) for k, n in pairs}
        for line in text.strip().replace("\n  ", " ").splitlines():
            name, _, body = line.partition(":")
            if " " not in name:
                self.tables[name] = self._fields(body)

    def _fields(self, body: str) -> dict[str, Field]:
        found, place = {}, 0
        for part in filter(None, (p.strip() for p in body.split(","))):
            name, _, kind = part.partition(" ")
            kind, _, default = kind.partition("=")
            place += kind in self.unions
            if name != "_":
                found[name] = Field(place, kind, float(default or 0))
            place += 1
        return found

    def encode(self, table: str, value: dict, identifier: bytes) -> bytes:
        """A table and all that is in it as a file.

        Raises:
            ValueError: it takes more than 2 GiB; a field does not belong to its table.
        """
        return _Encoder(self).encode(table, value, identifier)


class _Encoder:
    """Writes forwards: a table, then what it refers to."""

    def __init__(self, schema: Schema) -> None:
        self.schema, self.out = schema, bytearray()

    def encode(self, table: str, value: dict, identifier: bytes) -> bytes:
        self.out += bytes(4) + identifier
        self._point(0, self._table(table, value))
        if len(self.out) > _MOST:
            raise ValueError(
                f"The file takes {len(self.out)} bytes, and a FlatBuffer holds at most "
                f"{_MOST}."
            )
        return bytes(self.out)

    def _align(self, size: int, ahead: int = 0) -> int:
        self.out += bytes(-(len(self.out) + ahead) % size)
        return len(self.out)

    def _point(self, place: int, target: int) -> None:
        struct.pack_into("<I", self.out, place, target - place)

    def _table(self, name: str, value: dict) -> int:
        fields = self.schema.tables[name]
        for key in value:
            if key not in fields:
                raise ValueError(f"{name} has no field {key!r}: {', '.join(fields)}")
        parts = list(self._parts(fields, value))
        parts.sort(key=lambda part: -_SIZES.get(part[1], 4))
        offsets, size = {}, 4
        for place, kind, _ in parts:
            width = _SIZES.get(kind, 4)
            size += -size % width
            offsets[place] = size
            size += width
        start = self._places(offsets, size)
        for place, kind, content in parts:
            if kind in _FORMATS:
                at = start + offsets[place]
                struct.pack_into("<" + _FORMATS[kind], self.out, at, content)
        for place, kind, content in parts:
            if kind not in _FORMATS:
                self._point(start + offsets[place], self._other(kind, content))
        return start

    def _parts(self, fields: dict, value: dict) -> Any:
        """(place, kind, content) of what has to be written."""
        for key, field in fields.items():
            content = value.get(key)
            if content is None:
                continue
            if field.kind in self.schema.unions:
                table, content = content
                number = self.schema.unions[field.kind][table]
                yield field.place - 1, "ubyte", number
                yield field.place, table, content
            elif field.kind not in _FORMATS or content != field.default:
                yield field.place, field.kind, content

    def _places(self, offsets: dict, size: int) -> int:
        """The table of places, and room for the table; where that begins."""
        count = max(offsets, default=-1) + 1
        before = self._align(2)
        places = [offsets.get(i, 0) for i in range(count)]
        self.out += struct.pack(f"<{count + 2}H", 4 + 2 * count, size, *places)
        start = self._align(8)
        self.out += struct.pack("<i", start - before) + bytes(size - 4)
        return start

    def _other(self, kind: str, content: Any) -> int:
        if kind == "string":
            data = content.encode() if isinstance(content, str) else bytes(content)
            start = self._align(4)
            self.out += struct.pack("<I", len(data)) + data + b"\0"
            return start
        if not kind.startswith("["):
            return self._table(kind, content)
        inner = kind[1:-1]
        if inner in _FORMATS:
            return self._numbers(inner, content)
        start = self._align(4)
        self.out += struct.pack("<I", len(content)) + bytes(4 * len(content))
        for i, entry in enumerate(content):
            self._point(start + 4 + 4 * i, self._other(inner, entry))
        return start

    def _numbers(self, kind: str, content: Any) -> int:
        if isinstance(content, bytes):
            count, data = len(content), content
        else:
            array = np.asarray(content, np.dtype(_FORMATS[kind]).newbyteorder("<"))
            count, data = array.size, array.tobytes()
        start = self._align(_BLOCK if kind == "ubyte" else max(4, _SIZES[kind]), 4)
        self.out += struct.pack("<I", count) + data
        return start
