"""Ops of tensor arrays: what they take and give is no array, so tests cover them."""

from tests.support.op_cases.table import covered

_TESTS = "tests/graph/test_tensor_array.py"
for _op in (
    "TensorArrayV3", "TensorArrayGradV3", "TensorArrayWriteV3", "TensorArrayReadV3",
    "TensorArrayGatherV3", "TensorArrayScatterV3", "TensorArrayConcatV3",
    "TensorArraySplitV3", "TensorArraySizeV3", "TensorArrayCloseV3",
    "TwinArrayNothing", "TwinArrayEntries", "TwinArrayTaken", "TwinArrayParts",
    "TwinArrayJoined",
):  # fmt: skip
    covered(_op, by=_TESTS)
covered("TwinListReserve", by="tests/export/test_newer.py")
