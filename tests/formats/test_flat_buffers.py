"""FlatBuffers and FlexBuffers: bytes, and what others read in them."""

import inspect
import re
import struct

import numpy as np
import pytest

from twinflow.formats import flex_buffers
from twinflow.formats.flat_buffers import Schema
from twinflow.interchange.lite.model import SCHEMA

SMALL = Schema("""
Pair: first int, _ byte, second float=1.5, name string, more [Pair], any Any,
  bytes [ubyte]
Other: flag bool
union Any: Pair=1 Other=2
""")


def test_places_of_fields():
    data = SMALL.encode("Pair", {"first": 7, "name": "ab"}, b"TEST")
    (root,) = struct.unpack_from("<I", data)
    assert data[4:8] == b"TEST" and root % 8 == 0
    places = root - struct.unpack_from("<i", data, root)[0]
    size, _, first, _, second, name = struct.unpack_from("<6H", data, places)
    assert size == 4 + 2 * 4 and second == 0
    assert struct.unpack_from("<i", data, root + first) == (7,)
    at = root + name + struct.unpack_from("<I", data, root + name)[0]
    assert data[at : at + 7] == b"\2\0\0\0ab\0"


def test_what_is_the_default_takes_no_space():
    plain = SMALL.encode("Pair", {}, b"TEST")
    assert (
        SMALL.encode("Pair", {"first": 0, "second": 1.5, "more": None}, b"TEST")
        == plain
    )
    assert len(SMALL.encode("Pair", {"second": 0.0}, b"TEST")) > len(plain)


def test_a_field_that_is_not_there():
    with pytest.raises(ValueError, match="Pair has no field 'third'"):
        SMALL.encode("Pair", {"third": 1}, b"TEST")


def test_vectors_of_bytes_begin_at_multiples_of_16():
    value = {"more": [{"bytes": b"abc", "any": ("Other", {"flag": True})}] * 3}
    data = SMALL.encode("Pair", value, b"TEST")
    places = [m.start() for m in re.finditer(b"abc", data)]
    assert len(places) == 3 and not any(p % 16 for p in places)


def test_the_schema_is_that_of_litert():
    theirs = pytest.importorskip("ai_edge_litert.schema_py_generated")
    head, body = r"^def (\w+?)Add(\w+)\(builder.*\n", r"Slot\((\d+), .*, (.*)\)"
    pattern = head + r"    builder\.Prepend(\w+)" + body
    known: dict = {}
    for name, field, kind, place, default in re.findall(
        pattern, inspect.getsource(theirs), re.MULTILINE
    ):
        known.setdefault(name, {})[field.lower()] = (kind, int(place), default)
    kinds = {
        "Int8": "byte", "Uint8": "ubyte", "Bool": "bool", "Int32": "int",
        "Uint32": "uint", "Float32": "float", "Int64": "long",
    }  # fmt: skip
    for name, fields in SCHEMA.tables.items():
        for field, (place, kind, default) in fields.items():
            theirs_kind, at, theirs_default = known[name][field.replace("_", "")]
            assert at == place, (name, field)
            if theirs_kind in kinds:
                number = {"True": 1, "False": 0}.get(theirs_default, theirs_default)
                assert (kind, default) == (kinds[theirs_kind], float(number))
    for group, names in (*SCHEMA.enums.items(), *SCHEMA.unions.items()):
        found = vars(getattr(theirs, group))
        assert names == {name: found[name] for name in names}


def test_flex_buffers():
    theirs = pytest.importorskip("flatbuffers.flexbuffers")
    values = {"b": 3, "a": -0.5, "text": "caf\u00e9", "yes": True, "": 0}
    assert theirs.Loads(flex_buffers.encode(values)) == values
    assert theirs.Loads(flex_buffers.encode({"x" * 300: 1 << 40})) == {
        "x" * 300: 1 << 40
    }


def test_numbers_of_arrays():
    data = Schema("Table: values [long]").encode(
        "Table", {"values": np.arange(3)}, b"TEST"
    )
    assert data.endswith(struct.pack("<I3q", 3, 0, 1, 2))
