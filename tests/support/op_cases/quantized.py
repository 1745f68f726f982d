"""Quantised numbers, lists of tensors: values of dtypes that no row can express."""

from tests.support.op_cases.table import covered
from twinflow.ops.math import fake_quant, rounded_range  # noqa: F401 - define the ops
from twinflow.ops.nn import quantized  # noqa: F401 - the same
from twinflow.ops.tensor_array import list_ops  # noqa: F401 - the same

_FAKE = "FakeQuantWithMinMax"
for _op in (f"{_FAKE}Args", f"{_FAKE}Vars", f"{_FAKE}VarsPerChannel"):
    covered(_op, by="tests/ops/test_quantized.py")
    covered(f"{_op}Gradient", by="tests/ops/test_quantized.py")
_QUANTIZED = (
    "QuantizeV2 Dequantize Requantize RequantizationRange QuantizeDownAndShrinkRange "
    "QuantizedConv2D QuantizedMatMul QuantizedRelu QuantizedRelu6 QuantizedReluX "
    "QuantizedAvgPool QuantizedMaxPool QuantizedReshape QuantizedConcat "
    "QuantizeAndDequantizeV2 QuantizeAndDequantizeV3"
)
for _op in _QUANTIZED.split():
    covered(_op, by="tests/ops/test_quantized.py")
_LISTS = (
    "Reserve FromTensor Scatter PushBack PopBack PushBackBatch Length ElementShape "
    "Stack GetItem SetItem Gather ConcatLists"
)
covered("EmptyTensorList", by="tests/ops/test_tensor_lists.py")
for _op in _LISTS.split():
    covered(f"TensorList{_op}", by="tests/ops/test_tensor_lists.py")
