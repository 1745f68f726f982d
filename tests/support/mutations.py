"""Bytes of files, changed at random: what a disk, a network or an attacker makes."""

import struct

_EXTREMES = (
    0, 1, 0x7F, 0xFF, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**63 - 1, 2**64 - 1,
)  # fmt: skip
_TEXTS = (
    b"null", b"[]", b"{}", b'""', b"-1", b"1e999", b"99999999999", b"true", b"NaN",
    b"[" * 2000, b'{"a":' * 2000, b"\xff\xfe", b"\0", b"../../x", b"%s", b"'",
)  # fmt: skip


def mutated(data, random, others=()):
    """Bytes like `data`, with one to three changes.

    Args:
        random: a random.Random. others: further files, to splice with.
    """
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        change = random.choice(_CHANGES)
        data = change(data, random, [*others, data])
    return data


def _flip(data, random, others):
    out = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 8, 40])):
        if out:
            out[random.randrange(len(out))] ^= 1 << random.randrange(8)
    return bytes(out)


def _replace(data, random, others):
    out = bytearray(data)
    for _ in range(random.choice([1, 2, 8])):
        if out:
            out[random.randrange(len(out))] = random.choice([0, 1, 127, 128, 255])
    return bytes(out)


def _cut(data, random, others):
    return data[: random.randrange(len(data) + 1)]


def _extreme(data, random, others):
    """A number somewhere becomes 0, the largest one, 2**40 ..."""
    width, form = random.choice([(1, "B"), (2, "H"), (4, "I"), (8, "Q")])
    value = random.choice(_EXTREMES) & (1 << 8 * width) - 1
    at = random.randrange(max(len(data) - width + 1, 1))
    return (
        data[:at] + struct.pack(random.choice("<>") + form, value) + data[at + width :]
    )


def _varint(data, random, others):
    """A varint of protocol buffers or tables becomes another."""
    n, out = random.choice(_EXTREMES), bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    at = random.randrange(len(data) + 1)
    return data[:at] + bytes(out) + data[at + random.choice([0, 1, 1, len(out)]) :]


def _remove(data, random, others):
    start, end = _range(data, random)
    return data[:start] + data[end:]


def _repeat(data, random, others):
    start, end = _range(data, random)
    return data[:end] + data[start:end] * random.choice([1, 2, 50]) + data[end:]


def _swap(data, random, others):
    (a, b), (c, d) = sorted([_range(data, random), _range(data, random)])
    b, c = min(b, c), max(b, c)
    return data[:a] + data[c : max(c, d)] + data[b:c] + data[a:b] + data[max(c, d) :]


def _splice(data, random, others):
    other = random.choice(others)
    start, end = _range(other, random)
    at, _ = _range(data, random)
    return data[:at] + other[start:end] + data[at + random.choice([0, end - start]) :]


def _insert(data, random, others):
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(_TEXTS) + data[at + random.choice([0, 0, 4]) :]


def _range(data, random):
    start = random.randrange(len(data) + 1)
    return start, min(len(data), start + random.choice([1, 2, 4, 8, 64, 1000]))


_CHANGES = (
    _flip, _flip, _replace, _cut, _extreme, _extreme, _varint, _remove, _repeat, _swap,
    _splice, _insert,
)  # fmt: skip


# ------------------------------------------------------------------ messages
def mutated_message(kind, data, random):
    """The bytes of a protocol buffer like `data`, some of its fields changed.

    Args:
        kind: the class of the message. random: a random.Random.
    """
    message = kind.FromString(data)
    for _ in range(random.choice([1, 1, 2, 4])):
        places = list(_fields(message))
        if not places:
            break
        change = random.choice([_set_field, _set_field, _drop_field, _copy_field])
        try:
            change(*random.choice(places), places, random)
        except (ValueError, TypeError, KeyError):
            continue  # a value that the field cannot hold
    return message.SerializePartialToString()


def _fields(message):
    """(message, field) of all fields that are set, at any depth."""
    for field, value in message.ListFields():
        yield message, field
        if field.message_type is None:
            continue
        if _is_map(field):
            values = [value[k] for k in value]
            inner = [v for v in values if hasattr(v, "ListFields")]
        else:
            inner = value if field.is_repeated else [value]
        for part in inner:
            yield from _fields(part)


def _is_map(field):
    return field.message_type is not None and field.message_type.GetOptions().map_entry


_STRINGS = (
    "",
    "x",
    "/",
    "a:b:c",
    "^x",
    "^^",
    ":0",
    "a" * 3000,
    "%s",
    "\u00e9",
    "../../x",
)
_NUMBERS = (
    0,
    1,
    -1,
    2,
    7,
    100,
    2**31 - 1,
    -(2**31),
    2**40,
    2**62,
    -(2**63),
    1e308,
    0.5,
)


def _value(field, old, random):
    """A value of the type of a field: an odd one, or one near the old one."""
    if field.cpp_type == field.CPPTYPE_STRING:
        text = random.choice([*_STRINGS, *_shuffled(old, random)])
        return text if field.type == field.TYPE_STRING else _as_bytes(text)
    if field.cpp_type == field.CPPTYPE_BOOL:
        return not old
    if field.cpp_type == field.CPPTYPE_ENUM:
        return random.choice([0, 1, 3, 7, 20, 23, 101, 103, 999])
    if field.cpp_type in (field.CPPTYPE_FLOAT, field.CPPTYPE_DOUBLE):
        return float(random.choice(_NUMBERS))
    return int(random.choice([*(n for n in _NUMBERS if n == int(n)), old + 1, old - 1]))


def _as_bytes(text):
    return text if isinstance(text, bytes) else text.encode()


def _shuffled(old, random):
    """A string with something changed."""
    if not old:
        return [old]
    at = random.randrange(len(old))
    return [old[:at], old[at:], old + old, old[:at] + old[at + 1 :]]


def _set_field(message, field, places, random):
    value = getattr(message, field.name)
    if field.message_type is not None:
        _copy_field(message, field, places, random)
    elif field.is_repeated:
        at = random.randrange(len(value))
        value[at] = _value(field, value[at], random)
    else:
        setattr(message, field.name, _value(field, value, random))


def _drop_field(message, field, places, random):
    value = getattr(message, field.name)
    if _is_map(field):
        del value[random.choice(sorted(value))]
    elif field.is_repeated and random.random() < 0.8:
        del value[random.randrange(len(value))]
    else:
        message.ClearField(field.name)


def _copy_field(message, field, places, random):
    """What another message has in a field of the same type, or the field twice."""
    same = [(m, f) for m, f in places if f.full_name == field.full_name]
    other = getattr(random.choice(same)[0], field.name)
    mine = getattr(message, field.name)
    if _is_map(field):
        for key in sorted(other)[: random.choice([1, 2])]:
            mine[random.choice(sorted(mine) + ["x"])].CopyFrom(other[key])
    elif field.is_repeated:
        for value in list(other)[: random.choice([1, 1, 50])]:
            mine.extend([value])
    elif field.message_type is not None:
        mine.CopyFrom(other)
    else:
        setattr(message, field.name, other)
