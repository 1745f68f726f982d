"""Strings: their ops run on the host, and none has a gradient."""

import zlib

import numpy as np

from tests.support.op_cases.table import case, error
from twinflow.base import dtypes
from twinflow.base.errors import DataLossError
from twinflow.ops.strings.split import string_split, string_split_v2


def strings(*values):
    """A vector of strings; one value that is a list gives a matrix row by row."""
    flat = [v for row in values for v in (row if isinstance(row, list) else [row])]
    out = np.empty(len(flat), object)
    out[:] = [v.encode("utf-8") if isinstance(v, str) else v for v in flat]
    return out.reshape(len(values), -1) if isinstance(values[0], list) else out


def scalar(value):
    """One string without axes."""
    return strings(value).reshape(())


# ---------------------------------------------------------------------- basics
case(
    "StringJoin", [strings("a", "b"), scalar("-"), strings("c", "d")],
    attrs={"separator": "+"}, reference=strings("a+-+c", "b+-+d"),
    errors=[error([strings("a"), strings("b", "c")], text="Input shapes do not match")],
)  # fmt: skip
case("StringStrip", strings(" a b\t\n", ""), reference=strings("a b", ""))
case(
    "Substr", strings("hello", "world"), np.int32(-3), np.int32(2),
    reference=strings("ll", "rl"),
    errors=[
        error(
            strings("hi"), np.int32(5), np.int32(1),
            text="pos 5 out of range for stringb'hi' at index 0",
        )
    ],
)  # fmt: skip
case(
    "Substr", strings(["ten", "eleven"], ["twelve", "x"]), np.array([0, 1]),
    np.array([1, -1]), reference=strings(["t", "leven"], ["t", ""]),
)  # fmt: skip
case("StringLength", strings("ü€", ""), reference=np.array([5, 0], np.int32))
case(
    "StringLength", strings("ü€", b"\xff\x80a"), attrs={"unit": "UTF8_CHAR"},
    reference=np.array([2, 2], np.int32),
)  # fmt: skip
MATRIX = strings(["a", "b"], ["c", "d"])
case(
    "ReduceJoin", MATRIX, [0, 1], attrs={"separator": "."}, reference=scalar("a.c.b.d")
)
case(
    "ReduceJoin", MATRIX, [-1], attrs={"keep_dims": True},
    reference=strings(["ab"], ["cd"]),
    errors=[error(MATRIX, [0, 0], text="Duplicate reduction dimension 0")],
)  # fmt: skip
case("ReduceJoin", MATRIX, [], reference=MATRIX)

# ---------------------------------------------------------------------- splitting
_PLACES = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
case(
    "StringSplit", strings("a b", "c  d"), scalar(" "),
    reference=[_PLACES, strings("a", "b", "c", "d"), np.array([2, 2])],
    data_dependent=True,
    errors=[error(scalar("a"), scalar(" "), text="input must be a vector, got shape")],
)  # fmt: skip
case(
    "StringSplitV2", strings("a<>b", "<>c<>d"), scalar("<>"), attrs={"maxsplit": 1},
    reference=[_PLACES, strings("a", "b", "", "c<>d"), np.array([2, 2])],
    data_dependent=True,
)  # fmt: skip


def _words(split):
    def words(source, *args):
        return split(source, *args).values

    words.__name__ = split.__name__
    return words


case(
    _words(string_split), strings("a,b;", "", "c"), ",;", False,
    reference=strings("a", "b", "", "c"), grad=(),
)  # fmt: skip
case(
    _words(string_split_v2), strings(" a  b ", "c"),
    reference=strings("a", "b", "c"), grad=(),
)  # fmt: skip

# ---------------------------------------------------------------------- expressions
_NAME = strings("John Smith", "x")
case(
    "RegexReplace", _NAME, scalar(r"(\w+) (\w+)"), scalar(r"\2, \1"),
    reference=strings("Smith, John", "x"),
    errors=[
        error(
            _NAME, scalar("("), scalar(""),
            text="Invalid pattern: (, error: missing ): (",
        )
    ],
)  # fmt: skip
case(
    "StaticRegexReplace", strings("xaab"), reference=strings("-x-b-"),
    attrs={"pattern": "a*", "rewrite": "-"},
)  # fmt: skip
case(
    "StaticRegexReplace", strings("a1b22"), reference=strings("a#b22"),
    attrs={"pattern": "[[:digit:]]+", "rewrite": "#", "replace_global": False},
)  # fmt: skip
case(
    "RegexFullMatch", strings("abc", "abcd", "aé€"), scalar(r"a.(c|\pS)"),
    reference=np.array([True, False, True]),
)  # fmt: skip
case(
    "StaticRegexFullMatch", strings("aXY", "a\n"), attrs={"pattern": "a(?i)xy|a$"},
    reference=np.array([True, False]),
)  # fmt: skip

# ---------------------------------------------------------------------- buckets
_WORDS = strings("", "a", "hello world", "x" * 40, "y" * 100)
case(
    "StringToHashBucket", _WORDS, attrs={"num_buckets": 2**62},
    reference=np.array(
        [
            105434511174508091, 2996632905371535868, 936430787915428847,
            573866885909517461, 1367365306250348836,
        ]
    ),
)  # fmt: skip
case(
    "StringToHashBucketFast", _WORDS, attrs={"num_buckets": 1000},
    reference=np.array([263, 939, 11, 852, 355]),
)  # fmt: skip
case(
    "StringToHashBucketStrong", _WORDS, attrs={"num_buckets": 1000, "key": (1, -2)},
    reference=np.array([606, 979, 876, 300, 783]),
)  # fmt: skip

# ---------------------------------------------------------------------- numbers
case(
    "StringToNumber", strings("1", " -2.5e3 ", "0x10", "inf"),
    reference=np.array([1, -2500, 16, np.inf], np.float32),
    errors=[
        error(
            strings("1f"),
            text="StringToNumberOp could not correctly convert string: 1f",
        )
    ],
)  # fmt: skip
case("AsString", np.array([1, -20]), reference=strings("1", "-20"))
case(
    "AsString", np.array([1.5, np.inf], np.float32), attrs={"width": 8, "fill": "0"},
    reference=strings("1.500000", "     inf"),
)  # fmt: skip
case(
    "AsString", np.array([1 + 2j]), attrs={"shortest": True}, reference=strings("(1,2)")
)
case(
    "AsString", np.array([True, False]), reference=strings("true", "false"),
    errors=[
        error(
            np.array([True]), precision=2,
            text="precision not supported for datatype bool",
        )
    ],
)  # fmt: skip

# ---------------------------------------------------------------------- bytes
case("EncodeBase64", strings(b"\xff\xfe", ""), reference=strings("__4", ""))
case("EncodeBase64", strings("a"), attrs={"pad": True}, reference=strings("YQ=="))
case(
    "DecodeBase64", strings("__4", "YQ=="), reference=strings(b"\xff\xfe", "a"),
    errors=[error(strings("Y Q"), text="Invalid character found in base64.")],
)  # fmt: skip
case(
    "DecodeRaw", strings(b"\x01\x02\x03\x04", b"\x05\x06\x07\x08"),
    attrs={"out_type": dtypes.int16},
    reference=np.array([[0x201, 0x403], [0x605, 0x807]], np.int16),
)  # fmt: skip
case(
    "DecodeCompressed", strings(zlib.compress(b"hello")),
    attrs={"compression_type": "ZLIB"}, reference=strings("hello"),
    errors=[error(strings("xx"), type=DataLossError, text="inflate() failed with err")],
)  # fmt: skip
case(
    "UnicodeScript", np.array([65, 0x4E00, -1], np.int32),
    reference=np.array([25, 17, -1], np.int32),
)  # fmt: skip
