"""Records, serialised tensors, assertions, printing, files and tables."""

import numpy as np

from tests.support.op_cases.strings import scalar, strings
from tests.support.op_cases.table import case, covered, error, floats
from twinflow.base import dtypes
from twinflow.ops.debugging import numbers as debugging_numbers
from twinflow.ops.debugging.print import string_format
from twinflow.ops.strings import serialize  # noqa: F401 - defines its ops

# ---------------------------------------------------------------------- records
_DEFAULTS = [np.array([7]), strings("none"), np.array([0.5], np.float32)]
case(
    "DecodeCSV", strings("1,a,2.5", ',"b,""c""",NA'), _DEFAULTS,
    attrs={"na_value": "NA"},
    reference=[
        np.array([1, 7]), strings("a", 'b,"c"'), np.array([2.5, 0.5], np.float32)
    ],
    errors=[
        error(strings("1,a"), _DEFAULTS, text="Expect 3 fields but have 2 in record 0"),
        error(
            strings("x,a,1"), _DEFAULTS,
            text="Field 0 in record 0 is not a valid int64: x",
        ),
    ],
)  # fmt: skip
case(
    "DecodeCSV", strings("1;2;3;4"), [np.array([7], np.int32), strings("")],
    attrs={"field_delim": ";", "select_cols": (1, 3)},
    reference=[np.array([2], np.int32), strings("4")],
)  # fmt: skip

_ONE_TWO = b"\x08\x03\x12\x04\x12\x02\x08\x02\x22\x08\x01\x00\x00\x00\x02\x00\x00\x00"
case("SerializeTensor", np.array([1, 2], np.int32), reference=scalar(_ONE_TWO))
case(
    "SerializeTensor",
    strings("a"),
    reference=scalar(b"\x08\x07\x12\x04\x12\x02\x08\x01B\x01a"),
)
case(
    "ParseTensor", scalar(_ONE_TWO), attrs={"out_type": dtypes.int32},
    reference=np.array([1, 2], np.int32), data_dependent=True,
    errors=[
        error(scalar("x"), text="Could not parse `serialized` as TensorProto: 'x'"),
        error(
            scalar(_ONE_TWO), out_type=dtypes.float32,
            text="Type mismatch between parsed tensor (int32) and dtype (float)",
        ),
    ],
)  # fmt: skip

# ---------------------------------------------------------------------- texts
case(
    "StringFormat", [np.arange(8), scalar("s"), np.float32(0.1)],
    attrs={"template": "x: %s, %s|%s", "summarize": 2},
    reference=scalar("x: [0 1 ... 6 7], [s]|0.1"),
)  # fmt: skip
case(
    string_format, "{}", [np.arange(4).reshape(2, 2)], grad=(),
    reference=scalar("[[0 1]\n [2 3]]"),
)  # fmt: skip

# ---------------------------------------------------------------------- checks
case(
    debugging_numbers.verify_tensor_all_finite, floats(2), "m",
    reference=lambda x, m: x,
    errors=[
        error(
            np.array([np.nan, np.inf]), "m", text="m : Tensor had Inf and NaN values"
        )
    ],
)  # fmt: skip
for _values, _rising, _strictly in (
    ([1, 1, 2], True, False),
    ([1, 2], True, True),
    ([2, 1], False, False),
    ([3], True, True),
):
    _x = np.array(_values, np.int32)
    case(debugging_numbers.is_non_decreasing, _x, reference=np.bool_(_rising), grad=())
    case(
        debugging_numbers.is_strictly_increasing, _x, reference=np.bool_(_strictly),
        grad=(),
    )  # fmt: skip

covered("Assert", by="tests/ops/test_debugging.py")
for _op in (
    "SaveV2", "RestoreV2", "MergeV2Checkpoints", "ShardedFilename", "ShardedFilespec"
):  # fmt: skip
    covered(_op, by="tests/checkpoint/test_ops.py")
for _op in ("BytesInUse", "BytesLimit", "MaxBytesInUse"):
    covered(_op, by="tests/ops/test_memory.py")
for _op in ("Print", "PrintV2", "Timestamp"):
    covered(_op, by="tests/ops/test_print.py")
for _op in ("ReadFile", "WriteFile", "MatchingFiles"):
    covered(_op, by="tests/ops/test_files.py")
for _version in ("", "V2"):
    for _op in ("HashTable", "MutableHashTable", "MutableHashTableOfTensors"):
        covered(_op + _version, by="tests/ops/test_tables.py")
    for _op in ("MutableDenseHashTable", "InitializeTableFromTextFile"):
        covered(_op + _version, by="tests/ops/test_tables.py")
    for _op in ("Find", "Insert", "Import", "Export", "Size"):
        covered(f"LookupTable{_op}{_version}", by="tests/ops/test_tables.py")
    covered(f"InitializeTable{_version}", by="tests/ops/test_tables.py")

# ---------------------------------------------------------------------- summaries
for _op in (
    "ScalarSummary", "HistogramSummary", "ImageSummary", "AudioSummary",
    "AudioSummaryV2", "TensorSummary", "TensorSummaryV2", "MergeSummary",
    "SummaryWriter", "CreateSummaryFileWriter", "FlushSummaryWriter",
    "CloseSummaryWriter", "WriteScalarSummary", "WriteHistogramSummary",
    "WriteImageSummary", "WriteAudioSummary", "WriteSummary", "WriteGraphSummary",
    "ImportEvent",
):  # fmt: skip
    covered(_op, by="tests/contract/test_j_summaries.py")
for _op in (
    "ParseExample", "ParseSingleExample", "ParseSequenceExample",
    "ParseSingleSequenceExample", "DecodeJSONExample",
):  # fmt: skip
    covered(_op, by="tests/golden/programs/parsing.py")
covered("DatasetToSingleElement", by="tests/data/test_files.py")
