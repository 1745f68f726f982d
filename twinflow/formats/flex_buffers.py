"""FlexBuffers: a map of numbers and texts, in which operators keep attributes."""

import struct

_INT, _FLOAT, _STRING, _MAP, _BOOL = 1, 3, 5, 9, 26
_WIDTH = 3  # numbers of 1 << 3 bytes: all of them, which is simple


def encode(values: dict) -> bytes:
    """The bytes of a map.

    Args:
        values: {name: a bool, int, float or str}.
    """
    out = bytearray()
    names = sorted(values, key=str.encode)
    keys = []
    for name in names:
        keys.append(len(out))
        out += name.encode() + b"\0"
    texts = {n: _text(out, v) for n, v in values.items() if isinstance(v, str)}
    first = _vector(out, [], len(keys))
    for place in keys:
        out += struct.pack("<Q", len(out) - place)
    start = _vector(out, [len(out) - first, 1 << _WIDTH], len(names))
    kinds = bytearray()
    for name in names:
        kind, content = _entry(values[name], len(out), texts.get(name, 0))
        out += content
        kinds.append(kind << 2 | _WIDTH)
    out += kinds
    out += bytes(-len(out) % 8)
    out += struct.pack("<Q", len(out) - start)
    return bytes(out + bytes((_MAP << 2 | _WIDTH, 1 << _WIDTH)))


def _entry(value: bool | int | float | str, here: int, text: int) -> tuple[int, bytes]:
    if isinstance(value, str):
        return _STRING, struct.pack("<Q", here - text)
    if isinstance(value, bool):
        return _BOOL, struct.pack("<Q", value)
    if isinstance(value, int):
        return _INT, struct.pack("<q", value)
    return _FLOAT, struct.pack("<d", value)


def _text(out: bytearray, text: str) -> int:
    data = text.encode()
    start = _vector(out, [], len(data))
    out += data + b"\0"
    return start


def _vector(out: bytearray, before: list[int], count: int) -> int:
    """What stands before the entries; where they begin."""
    ahead = len(out)
    out += bytes(-ahead % 8)
    moved = len(out) - ahead
    numbers = [before[0] + moved, *before[1:], count] if before else [count]
    out += struct.pack(f"<{len(numbers)}Q", *numbers)
    return len(out)
